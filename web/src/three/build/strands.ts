// Hair with a width. Loaded only when somebody asks for one.
import { type LineBasicMaterial, LineSegments } from 'three';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';
import type { RigMesh } from './build.ts';

const linesOf = new WeakMap<LineSegments2, LineSegments>();

/** pixels: of the page, whatever the distance. metres: of three's world, as ribbons and tubes of modelling programs have it. */
export type StrandUnit = 'pixels' | 'metres';

/** The same strands, `width` wide, in the place of the lines, and 0 the lines again; what is no strands comes back as it is. */
export function widened(mesh: RigMesh, width: number, unit: StrandUnit): RigMesh {
  if (mesh instanceof LineSegments2) {
    mesh.material.linewidth = width;
    measure(mesh.material, unit);
    return width > 0 ? mesh : narrowed(mesh);
  }
  if (width <= 0) return mesh;
  if (!(mesh instanceof LineSegments) || !mesh.geometry.index) return mesh;
  const made = new LineSegments2(segments(mesh), materialOf(mesh, width, unit));
  made.name = mesh.name;
  made.userData = mesh.userData;
  made.visible = mesh.visible;
  made.renderOrder = mesh.renderOrder;
  linesOf.set(made, mesh);
  mesh.parent?.add(made);
  mesh.removeFromParent();
  return made;
}

function narrowed(mesh: LineSegments2): RigMesh {
  const lines = linesOf.get(mesh);
  if (!lines) return mesh;
  lines.visible = mesh.visible;
  mesh.parent?.add(lines);
  mesh.removeFromParent();
  mesh.geometry.dispose();
  mesh.material.dispose();
  return lines;
}

function segments({ geometry }: LineSegments): LineSegmentsGeometry {
  const { index, attributes } = geometry;
  const points = new Float32Array(3 * index!.count);
  for (let i = 0; i < index!.count; i++) {
    const from = index!.getX(i);
    for (let c = 0; c < 3; c++) points[3 * i + c] = attributes['position']!.getComponent(from, c);
  }
  return new LineSegmentsGeometry().setPositions(points);
}

/** It follows the line's material, which textures may still tint. */
function materialOf(mesh: LineSegments, width: number, unit: StrandUnit): LineMaterial {
  const source = [mesh.material].flat()[0] as LineBasicMaterial;
  const { name, opacity, transparent, depthWrite, blending, visible } = source;
  const made = new LineMaterial({ linewidth: width, opacity, transparent, depthWrite, blending, visible });
  made.name = name;
  made.color = source.color; // the same object, not a copy
  measure(made, unit);
  return made;
}

function measure(material: LineMaterial, unit: StrandUnit): void {
  const isWorld = unit === 'metres';
  if (material.worldUnits === isWorld) return;
  material.worldUnits = isWorld;
  material.needsUpdate = true;
}
