// Draws hair as ribbons with a width. This module is imported on demand.
import { type LineBasicMaterial, LineSegments } from 'three';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';
import { BLENDING } from '../materials/materials.ts';
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

/** Properties that ribbons share with the material of the lines. */
const SHARED = [...BLENDING, 'version'] as const;

/**
 * Creates the material of ribbons. It shares color, opacity and blending with the material of the
 * lines, which change when textures are loaded and when the page sets values of the material.
 */
function materialOf(mesh: LineSegments, width: number, unit: StrandUnit, classes: LineClasses): LineMaterial {
  const source = [mesh.material].flat()[0] as LineBasicMaterial;
  const made = new classes.LineMaterial({ linewidth: width });
  made.name = source.name;
  made.color = source.color; // both materials share the object
  for (const name of SHARED) share(made, name, source, () => source[name]);
  // The shader of ribbons has no alpha test, and uses the opacity of opaque materials.
  share(made, 'visible', source, () => source.visible && source.opacity >= source.alphaTest);
  const opacity = (): number => (source.transparent ? source.opacity : 1);
  if ('uniforms' in made)
    Object.defineProperty(made.uniforms['opacity'], 'value', { get: opacity, set: value => (source.opacity = value) });
  else share(made, 'opacity', source, opacity);
  setLineUnit(made, unit);
  return made;
}

/** Makes a property of ribbons a property of the lines. `get`: returns the value for the ribbons. */
function share(made: object, name: keyof LineBasicMaterial, source: LineBasicMaterial, get: () => unknown): void {
  Object.defineProperty(made, name, { enumerable: true, configurable: true, get, set: value => Object.assign(source, { [name]: value }) });
}

function setLineUnit(material: LineMaterial, unit: StrandUnit): void {
  const isWorld = unit === 'metres';
  if (material.worldUnits === isWorld) return;
  material.worldUnits = isWorld;
  material.needsUpdate = true;
}
