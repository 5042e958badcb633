// Coloured lines that are drawn over everything, through the skin: what overlays of bones, axes and constraints are made of.
import { BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments } from 'three';

export type ThroughLines = LineSegments<BufferGeometry, LineBasicMaterial>;

/** `shades`: red, green and blue per vertex, two vertices per line; their places are the caller's to set. `order`: later ones are drawn over earlier ones. */
export function throughLines(name: string, shades: Float32Array, order: number): ThroughLines {
  const geometry = new BufferGeometry()
    .setAttribute('position', new BufferAttribute(new Float32Array(shades.length), 3))
    .setAttribute('color', new BufferAttribute(shades, 3));
  const material = new LineBasicMaterial({ vertexColors: true, depthTest: false, depthWrite: false, transparent: true, toneMapped: false });
  const lines = new LineSegments(geometry, material);
  lines.name = name;
  lines.frustumCulled = false;
  lines.renderOrder = order;
  return lines;
}
