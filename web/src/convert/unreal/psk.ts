// Writes PSK files, which contain a skeleton and a single mesh of points, wedges and faces
// (docs/formats/psk-psa.md sections 2, 3 and 10).
import { copyVector, vec3 } from '../../core/math/vector.ts';
import { numberAt } from '../../core/math/column.ts';
import type { RigScene } from '../../core/types.ts';
import type { ReportBuilder } from '../common/report.ts';
import type { BodyMesh } from '../common/parts.ts';
import { type ActorXBones, writeBones } from './bones.ts';
import { ActorXBytes, HEAD } from './bytes.ts';
import { writeMaterials } from './materials.ts';
import { type Points, pointsOf } from './points.ts';
import { type Socket, writeSockets } from './sockets.ts';
import { upright } from './space.ts';
import type { WrittenFile } from '../common/written.ts';

/** Maximum number of wedges that 16-bit indices can address. */
const NARROW = 65536;
const MAX_MATERIALS = 256;
/** Maximum number of UV sets: one in the wedges, and seven in the chunks EXTRAUVS0 to EXTRAUVS6. */
const MAX_UVS = 8;

export interface PskSource {
  scene: RigScene;
  meshes: readonly BodyMesh[];
  bones: ActorXBones;
  sockets: readonly Socket[];
  /** Rows in `scene.materials` of the materials to write. */
  materials: readonly number[];
  unit: number;
  /**
   * True if the source is a PSK or PSA. In that case points are not merged, and materials keep
   * their stored flags.
   */
  isOwn: boolean;
  /** Texture slots that the .mat file of each material contains, by row of `scene.materials`. */
  storedSlots: ReadonlyMap<number, ReadonlySet<string>>;
  report: ReportBuilder;
}

/** A mesh with its wedges and faces. All meshes are written as one mesh. */
interface Piece {
  mesh: BodyMesh;
  points: Points;
  /** Index in the file of the mesh's first point. */
  firstPoint: number;
  /** Vertex index (`vertices`) and material index (`materials`) of each wedge. */
  vertices: Uint32Array;
  materials: Uint8Array;
  /**
   * Three wedge indices in the file (`faces`) and the material index (`faceMaterials`) of each
   * visible triangle.
   */
  faces: Uint32Array;
  faceMaterials: Uint8Array;
}

/**
 * Returns the pieces of a PSK. Returns null if no face is visible, because importers treat a PSK
 * without faces as damaged.
 */
export function writePsk(source: PskSource): WrittenFile['pieces'] | null {
  const { bones, scene, unit, report } = source;
  const bytes = new ActorXBytes();
  const places = placesOf(source);
  const pieces = piecesOf(source, places);
  if (pieces.every(({ faceMaterials }) => faceMaterials.length === 0)) return null;
  bytes.chunk('ACTRHEAD', 0, 0, undefined, HEAD);
  writePoints(bytes, pieces, source);
  writeFaces(bytes, pieces, bones.space.isMirrored);
  writeMaterials(bytes, { ...source, isBlankNeeded: places.get(-1) !== undefined });
  writeBones(bytes, 'REFSKELT', bones, scene, unit);
  writeWeights(bytes, pieces, source);
  writeWedgeColumns(bytes, pieces, report);
  writeNormals(bytes, pieces, source);
  writeShapes(bytes, pieces, source);
  writeSockets(bytes, source.sockets, unit);
  bytes.reportLosses(report);
  return bytes.pieces;
}

/**
 * Maps rows of `scene.materials` to material indices in the file. Faces without a material (row -1)
 * use an additional material at the end.
 */
function placesOf({ meshes, materials, report }: PskSource): Map<number, number> {
  const places = new Map(materials.map((row, i) => [row, i]));
  const withoutMaterial = meshes.filter(({ runs }) => runs.some(({ material }) => !places.has(material)));
  if (withoutMaterial.length > 0) {
    places.set(-1, places.size);
    report.add('MATERIAL_BLANK', '', withoutMaterial.length);
  }
  if (places.size > MAX_MATERIALS) report.add('NOT_SAID', `materials beyond ${MAX_MATERIALS}`, places.size - MAX_MATERIALS);
  return places;
}

function piecesOf({ meshes, isOwn, report }: PskSource, places: ReadonlyMap<number, number>): Piece[] {
  const pieces: Piece[] = [];
  let firstPoint = 0;
  let firstWedge = 0;
  let flat = 0;
  for (const source of meshes) {
    // If the source has one vertex per point, the vertex index is also the point index.
    const mesh = isOwn && !source.sources ? { ...source, sources: Uint32Array.from({ length: source.count }, (_, v) => v) } : source;
    const points = pointsOf(mesh);
    const own = facesOf(mesh, points, places, firstWedge);
    flat += own.flat;
    const known = mesh.sources && new Set(mesh.sources).size;
    if (known && points.first.length > known) report.add('POINTS_SPLIT', mesh.name, points.first.length - known);
    pieces.push({ mesh, points, firstPoint, ...own });
    firstPoint += points.first.length;
    firstWedge += own.vertices.length;
  }
  if (flat > 0) report.add('FACES_EMPTY', '', flat);
  return pieces;
}

/**
 * Creates the wedges and faces of a mesh. A vertex gets one wedge for each material that its faces
 * use.
 */
function facesOf(
  mesh: BodyMesh,
  points: Points,
  places: ReadonlyMap<number, number>,
  firstWedge: number,
): Pick<Piece, 'vertices' | 'materials' | 'faces' | 'faceMaterials'> & { flat: number } {
  const runs = mesh.runs.map(({ material, indices }) => ({
    place: Math.min(places.get(material) ?? places.get(-1) ?? 0, MAX_MATERIALS - 1),
    indices,
  }));
  const materialOf = new Int32Array(mesh.count).fill(-1);
  const twins = new Map<string, { vertex: number; place: number; wedge: number }>();
  for (const { place, indices } of runs)
    for (const vertex of indices)
      if (numberAt(materialOf, vertex) < 0) materialOf[vertex] = place;
      else if (materialOf[vertex] !== place) twins.set(`${vertex} ${place}`, { vertex, place, wedge: 0 });
  const vertices = Array.from(materialOf.keys()).filter(vertex => numberAt(materialOf, vertex) >= 0);
  const materials = vertices.map(vertex => numberAt(materialOf, vertex));
  const wedgeOf = new Uint32Array(mesh.count);
  for (const [wedge, vertex] of vertices.entries()) wedgeOf[vertex] = wedge;
  for (const twin of twins.values()) {
    twin.wedge = vertices.push(twin.vertex) - 1;
    materials.push(twin.place);
  }
  const total = runs.reduce((sum, { indices }) => sum + Math.floor(indices.length / 3), 0);
  const faces = new Uint32Array(3 * total);
  const faceMaterials = new Uint8Array(total);
  let count = 0;
  for (const { place, indices } of runs)
    for (let i = 0; i + 2 < indices.length; i += 3) {
      const corners = indices.subarray(i, i + 3);
      const [a, b, c] = Array.from(corners, vertex => points.of[vertex]);
      if (a === b || b === c || c === a) continue;
      faceMaterials[count] = place;
      for (const [corner, vertex] of corners.entries()) {
        const twin = materialOf[vertex] === place ? undefined : twins.get(`${vertex} ${place}`);
        faces[3 * count + corner] = firstWedge + (twin ? twin.wedge : numberAt(wedgeOf, vertex));
      }
      count++;
    }
  return {
    vertices: Uint32Array.from(vertices),
    materials: Uint8Array.from(materials),
    faces: faces.subarray(0, 3 * count),
    faceMaterials: faceMaterials.subarray(0, count),
    flat: total - count,
  };
}

type CountOf = (piece: Piece) => number;

const sum = (pieces: readonly Piece[], countOf: CountOf): number => pieces.reduce((total, piece) => total + countOf(piece), 0);

const pointCount: CountOf = ({ points }) => points.first.length;
const wedgeCount: CountOf = ({ vertices }) => vertices.length;
const faceCount: CountOf = ({ faceMaterials }) => faceMaterials.length;

/**
 * Writes a chunk that contains the records of all meshes. `write` gets the index of each record
 * within its mesh.
 */
function writeRows(
  bytes: ActorXBytes,
  [id, size]: readonly [id: string, size: number],
  pieces: readonly Piece[],
  countOf: CountOf,
  write: (view: DataView, at: number, piece: Piece, row: number) => void,
): void {
  let next = 0;
  let first = 0;
  bytes.chunk(id, size, sum(pieces, countOf), (view, at, i) => {
    while (i - first >= countOf(pieces[next]!)) first += countOf(pieces[next++]!);
    write(view, at, pieces[next]!, i - first);
  });
}

function writePoints(bytes: ActorXBytes, pieces: readonly Piece[], { bones, unit }: PskSource): void {
  const position = vec3();
  writeRows(bytes, ['PNTS0000', 12], pieces, pointCount, (view, at, { mesh, points }, row) => {
    copyVector(position, 0, mesh.positions, 3 * numberAt(points.first, row));
    bones.space.point(position, 0);
    bytes.floats(view, at, ...upright(position, 1 / unit));
  });
  writeRows(bytes, ['VTXW0000', 16], pieces, wedgeCount, (view, at, { mesh, points, firstPoint, vertices, materials }, row) => {
    const vertex = numberAt(vertices, row);
    view.setUint32(at, firstPoint + numberAt(points.of, vertex), true);
    bytes.floats(view, at + 4, ...uvAt(mesh, 0, vertex));
    view.setUint8(at + 12, numberAt(materials, row));
  });
}

/** Returns the UVs of a vertex, or 0, 0 if the mesh does not have this UV set. */
function uvAt({ uvs }: BodyMesh, set: number, vertex: number): [number, number] {
  const values = uvs[set];
  return values ? [numberAt(values, 2 * vertex), numberAt(values, 2 * vertex + 1)] : [0, 0];
}

function writeFaces(bytes: ActorXBytes, pieces: readonly Piece[], isMirrored: boolean): void {
  const order = isMirrored ? [0, 1, 2] : [0, 2, 1]; // clockwise order
  const isWide = sum(pieces, wedgeCount) > NARROW;
  writeRows(bytes, isWide ? ['FACE3200', 18] : ['FACE0000', 12], pieces, faceCount, (view, at, { faces, faceMaterials }, face) => {
    for (const [i, corner] of order.entries()) {
      const wedge = numberAt(faces, 3 * face + corner);
      if (isWide) view.setUint32(at + 4 * i, wedge, true);
      else view.setUint16(at + 2 * i, wedge, true);
    }
    view.setUint8(at + (isWide ? 12 : 6), numberAt(faceMaterials, face));
    view.setUint32(at + (isWide ? 14 : 8), 1, true); // smoothing group, the same for all faces because normals are written
  });
}

/** Influences of a mesh that no bone moves. */
const NO_INFLUENCES = { each: 0, bones: new Uint32Array(0), weights: new Float32Array(0) };

function writeWeights(bytes: ActorXBytes, pieces: readonly Piece[], { bones, report }: PskSource): void {
  const rows: [weight: number, point: number, bone: number][] = [];
  for (const { mesh, points, firstPoint } of bones.rows.length > 0 ? pieces : []) {
    let unweighted = 0;
    for (const [point, vertex] of points.first.entries()) {
      const before = rows.length;
      const { each, weights, bones: moved } = mesh.influences ?? NO_INFLUENCES;
      for (let i = each * vertex; i < each * vertex + each; i++) {
        const weight = numberAt(weights, i);
        if (weight > 0) rows.push([weight, firstPoint + point, numberAt(bones.places, numberAt(moved, i))]);
      }
      if (rows.length > before) continue;
      rows.push([1, firstPoint + point, 0]);
      unweighted++;
    }
    if (unweighted > 0 && mesh.influences) report.add('UNWEIGHTED_VERTICES', mesh.name, unweighted);
    if (mesh.influences && mesh.isDual) report.add('SKINNING_LINEAR', mesh.name, mesh.count);
  }
  bytes.chunk('RAWWEIGHTS', 12, rows.length, (view, at, i) => {
    const [weight, point, bone] = rows[i]!;
    view.setFloat32(at, weight, true);
    view.setInt32(at + 4, point, true);
    view.setInt32(at + 8, bone, true);
  });
}

/**
 * Writes vertex colours and additional UV sets. Meshes without colours are white, and missing UVs
 * are 0, 0.
 */
function writeWedgeColumns(bytes: ActorXBytes, pieces: readonly Piece[], report: ReportBuilder): void {
  const blank = pieces.filter(({ mesh }) => mesh.uvs.length === 0);
  for (const { mesh } of blank) report.add('UVS_BLANK', mesh.name, mesh.count);
  const layers = Math.max(...pieces.map(({ mesh }) => mesh.colors.length), 0);
  if (layers > 0)
    writeRows(bytes, ['VERTEXCOLOR', 4], pieces, wedgeCount, (view, at, { mesh, vertices }, row) => {
      const values = mesh.colors[0];
      for (let c = 0; c < 4; c++) {
        const value = values ? numberAt(values, 4 * numberAt(vertices, row) + c) : 255;
        view.setUint8(at + c, values instanceof Float32Array ? Math.round(255 * Math.min(Math.max(value, 0), 1)) : value);
      }
    });
  if (layers > 1) report.add('NOT_SAID', 'further colour layers', layers - 1);
  const rounded = pieces.filter(({ mesh }) => mesh.colors[0] instanceof Float32Array).length;
  if (rounded > 0) report.add('COLORS_ROUNDED', '', rounded);
  const sets = Math.max(...pieces.map(({ mesh }) => mesh.uvs.length), 0);
  if (sets > MAX_UVS) report.add('NOT_SAID', `UV sets beyond ${MAX_UVS}`, sets - MAX_UVS);
  for (let set = 1; set < Math.min(sets, MAX_UVS); set++)
    writeRows(bytes, [`EXTRAUVS${set - 1}`, 8], pieces, wedgeCount, (view, at, { mesh, vertices }, row) =>
      bytes.floats(view, at, ...uvAt(mesh, set, numberAt(vertices, row))),
    );
}

function writeNormals(bytes: ActorXBytes, pieces: readonly Piece[], { bones, report }: PskSource): void {
  const having = pieces.filter(({ mesh }) => mesh.normals);
  if (having.length < pieces.length) {
    if (having.length > 0) report.add('NOT_SAID', 'normals', having.length);
    return;
  }
  const normal = vec3();
  writeRows(bytes, ['VTXNORMS', 12], pieces, pointCount, (view, at, { mesh, points }, row) => {
    copyVector(normal, 0, mesh.normals!, 3 * numberAt(points.first, row));
    bones.space.normal(normal, 0);
    bytes.floats(view, at, ...upright(normal));
  });
}

interface Shape {
  name: string;
  deltas: { point: number; position: Float64Array; normal: Float64Array }[];
}

/**
 * Writes morph targets. Morph targets of several meshes are merged if they have the same name. The
 * y axis is reversed, because Unreal reverses it (docs/formats/psk-psa.md section 6.4).
 */
function writeShapes(bytes: ActorXBytes, pieces: readonly Piece[], { bones, unit, report }: PskSource): void {
  const shapes = new Map<string, Shape>();
  let limits = 0;
  for (const { mesh, points, firstPoint } of pieces) {
    const seen = new Map<string, number>();
    for (const { name, maximum, vertices, positions, normals } of mesh.shapes) {
      const nth = seen.get(name) ?? 0;
      seen.set(name, nth + 1);
      if (maximum !== 1) limits++;
      const key = `${nth} ${name}`;
      const shape = shapes.get(key) ?? { name, deltas: [] };
      shapes.set(key, shape);
      for (const [i, vertex] of vertices.entries()) {
        const point = numberAt(points.of, vertex);
        if (points.first[point] !== vertex) continue;
        const position = Float64Array.from(positions.subarray(3 * i, 3 * i + 3));
        const normal = normals ? Float64Array.from(normals.subarray(3 * i, 3 * i + 3)) : new Float64Array(3);
        bones.space.direction(position, 0);
        bones.space.normal(normal, 0);
        shape.deltas.push({ point: firstPoint + point, position, normal });
      }
    }
  }
  if (shapes.size === 0) return;
  if (limits > 0) report.add('NOT_SAID', 'maximum weights of morph targets', limits);
  const all = [...shapes.values()];
  bytes.chunk('MRPHINFO', 68, all.length, (view, at, i) => {
    const shape = all[i]!;
    bytes.name(view, at, shape.name);
    view.setInt32(at + 64, shape.deltas.length, true);
  });
  const deltas = all.flatMap(shape => shape.deltas);
  bytes.chunk('MRPHDATA', 28, deltas.length, (view, at, i) => {
    const { point, position, normal } = deltas[i]!;
    const [x, y, z] = upright(position, 1 / unit);
    const [nx, ny, nz] = upright(normal);
    bytes.floats(view, at, x, -y, z, nx, -ny, nz);
    view.setInt32(at + 24, point, true);
  });
}
