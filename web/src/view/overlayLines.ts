// Coloured lines that are drawn over everything else. The overlays of axes and constraints use
// them.
import { BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments } from 'three';

export type OverlayLines = LineSegments<BufferGeometry, LineBasicMaterial>;

/**
 * Creates lines whose positions are all zero; the caller must set the positions. `colors`: RGB per
 * vertex, with two vertices per line. `order`: render order.
 */
export function overlayLines(name: string, colors: Float32Array, order: number): OverlayLines {
  const geometry = new BufferGeometry()
    .setAttribute('position', new BufferAttribute(new Float32Array(colors.length), 3))
    .setAttribute('color', new BufferAttribute(colors, 3));
  const material = new LineBasicMaterial({ vertexColors: true, depthTest: false, depthWrite: false, transparent: true, toneMapped: false });
  const lines = new LineSegments(geometry, material);
  lines.name = name;
  lines.frustumCulled = false;
  lines.renderOrder = order;
  return lines;
}
