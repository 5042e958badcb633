// Draws hair as ribbons with a width. This module is imported on demand.
import { type LineBasicMaterial, LineSegments } from 'three';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';
import type { LineClasses } from '../nodeMaterials.ts';
import type { RigMesh } from './build.ts';

const linesOf = new WeakMap<LineSegments2, LineSegments>();

/**
 * Unit of a hair width: CSS pixels, which are independent of distance, or metres in world space.
 */
export type StrandUnit = 'pixels' | 'metres';

/**
 * Replaces a mesh of lines in its object tree by ribbons, or ribbons by the original lines if
 * `width` is zero. Returns the mesh that is now in the tree. A mesh that isn't hair is returned
 * unchanged. `classes`: classes of the renderer, by default those for WebGLRenderer.
 */
export function withLineWidth(
  mesh: RigMesh,
  width: number,
  unit: StrandUnit,
  classes: LineClasses = { LineSegments2, LineMaterial },
): RigMesh {
  if (isRibbons(mesh)) {
    mesh.material.linewidth = width;
    setLineUnit(mesh.material, unit);
    return width > 0 ? mesh : withoutLineWidth(mesh);
  }
  if (width <= 0) return mesh;
  if (!(mesh instanceof LineSegments) || !mesh.geometry.index) return mesh;
  const made = new classes.LineSegments2(segments(mesh), materialOf(mesh, width, unit, classes));
  made.name = mesh.name;
  made.userData = mesh.userData;
  made.visible = mesh.visible;
  made.renderOrder = mesh.renderOrder;
  linesOf.set(made, mesh);
  mesh.parent?.add(made);
  mesh.removeFromParent();
  return made;
}

const isRibbons = (mesh: object): mesh is LineSegments2 => 'isLineSegments2' in mesh;

function withoutLineWidth(mesh: LineSegments2): RigMesh {
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

/**
 * Creates the material of ribbons. It shares the `color` object with the material of the lines,
 * whose color changes when textures are loaded.
 */
function materialOf(mesh: LineSegments, width: number, unit: StrandUnit, classes: LineClasses): LineMaterial {
  const source = [mesh.material].flat()[0] as LineBasicMaterial;
  const { name, opacity, transparent, depthWrite, blending, visible } = source;
  const made = new classes.LineMaterial({ linewidth: width, opacity, transparent, depthWrite, blending, visible });
  made.name = name;
  made.color = source.color; // both materials share the object
  setLineUnit(made, unit);
  return made;
}

function setLineUnit(material: LineMaterial, unit: StrandUnit): void {
  const isWorld = unit === 'metres';
  if (material.worldUnits === isWorld) return;
  material.worldUnits = isWorld;
  material.needsUpdate = true;
}
