// Writes SEModel files, which contain a skeleton and meshes (docs/formats/se.md section 2).
import { numberAt } from '../../core/math/column.ts';
import { numberIn } from '../../core/properties.ts';
import type { Material, RigScene } from '../../core/types.ts';
import type { Body } from '../common/bodies.ts';
import type { ImageFiles } from '../common/imageFiles.ts';
import type { ReportBuilder } from '../common/report.ts';
import type { Part } from '../common/parts.ts';
import { hasGreenDown } from '../common/unsupported.ts';
import { SeBytes, widthOf } from './bytes.ts';
import type { BodySpace, BoneSpace } from '../common/space.ts';

const HEADER = 0x14;
const HAS = { bones: 1, meshes: 2, materials: 4, local: 2, scale: 4, uvs: 1, normals: 2, colors: 4, weights: 8 };

export interface SeModelSource {
  scene: RigScene;
  body: Body;
  /** Triangle meshes of the body to write, each with one material. */
  parts: readonly Part[];
  /** Rows in `scene.materials` of the materials to write. */
  rows: readonly number[];
  space: BodySpace;
  /** Conversion of each bone's transforms to the space of the file. */
  spaces: readonly BoneSpace[];
  images: ImageFiles;
  report: ReportBuilder;
}

export async function writeSeModel(source: SeModelSource): Promise<Uint8Array<ArrayBuffer>[]> {
  const { scene, body, rows, report } = source;
  const parts = source.parts.map(part => withLayer(part, report));
  const scales = scene.nodes.scales;
  const isScaled = body.bones.some(row => [0, 1, 2].some(c => scales[3 * row + c] !== 1));
  const has = {
    uvs: parts.some(({ uvs }) => uvs.length > 0),
    normals: parts.length > 0 && parts.every(({ normals }) => normals),
    colors: parts.some(({ colors }) => colors.length > 0),
    weights: parts.some(({ influences }) => influences),
  };
  const bytes = new SeBytes().utf8('SEModel').u16(1).u16(HEADER);
  bytes.u8((body.bones.length > 0 ? HAS.bones : 0) | (parts.length > 0 ? HAS.meshes : 0) | (rows.length > 0 ? HAS.materials : 0));
  bytes.u8(HAS.local | (isScaled ? HAS.scale : 0));
  bytes.u8((has.uvs ? HAS.uvs : 0) | (has.normals ? HAS.normals : 0) | (has.colors ? HAS.colors : 0) | (has.weights ? HAS.weights : 0));
  bytes.u32(body.bones.length).u32(parts.length).u32(rows.length).u8(0).u8(0).u8(0);
  writeBones(bytes, source, isScaled);
  const numbers = new Map(rows.map((row, i) => [row, i]));
  for (const part of parts) {
    writeMesh(bytes, part, source, has);
    for (const layer of part.uvs.keys()) bytes.u32((layer === 0 ? (numbers.get(part.material) ?? -1) : -1) >>> 0);
  }
  for (const row of rows) await writeMaterial(bytes, row, source);
  reportLosses(parts, has, report);
  bytes.reportLosses(report);
  return bytes.finish();
}

/** Adds a UV layer to a mesh without UVs, because SEModel assigns materials to UV layers. */
function withLayer(part: Part, report: ReportBuilder): Part {
  if (part.uvs.length > 0 || part.material < 0) return part;
  report.add('UVS_BLANK', part.name, part.count);
  return { ...part, uvs: [new Float32Array(2 * part.count)] };
}

function writeBones(bytes: SeBytes, { scene, body, spaces }: SeModelSource, isScaled: boolean): void {
  const { names, translations, rotations, scales, properties } = scene.nodes;
  for (const row of body.bones) bytes.text(names[row] ?? '');
  for (const [i, row] of body.bones.entries()) {
    const parent = numberAt(body.parents, i);
    const place = translations.slice(3 * row, 3 * row + 3);
    const turn = rotations.slice(4 * row, 4 * row + 4);
    spaces[i]!.translation(place, 0, false);
    spaces[i]!.rotation(turn, 0, false);
    bytes.u8(numberIn(properties.get(row), 'flags', 0) & 0xff).u32(parent >>> 0);
    bytes.column(place).column(turn);
    if (isScaled) bytes.column(scales.slice(3 * row, 3 * row + 3));
  }
}

interface Columns {
  uvs: boolean;
  normals: boolean;
  colors: boolean;
  weights: boolean;
}

/** Writes a mesh without its materials, which are written separately. */
function writeMesh(bytes: SeBytes, part: Part, { body, space }: SeModelSource, has: Columns): void {
  const { count, uvs, colors, influences, indices } = part;
  bytes
    .u8(0)
    .u8(uvs.length)
    .u8(influences?.each ?? 0);
  bytes.u32(count).u32(Math.floor(indices.length / 3));
  const moved = (source: Float32Array, kind: 'point' | 'normal'): Float32Array => {
    const values = source.slice(0, 3 * count);
    for (let i = 0; i < values.length; i += 3) space[kind](values, i);
    return values;
  };
  bytes.column(moved(part.positions, 'point'));
  if (has.uvs) for (let v = 0; v < count; v++) for (const uv of uvs) bytes.column(uv.subarray(2 * v, 2 * v + 2));
  if (has.normals && part.normals) bytes.column(moved(part.normals, 'normal'));
  if (has.colors) bytes.column(colorsOf(colors[0], count));
  if (has.weights && influences) {
    const width = widthOf(body.bones.length);
    for (const [i, bone] of influences.bones.entries()) bytes.index(bone, width).f32(numberAt(influences.weights, i));
  }
  const width = widthOf(count);
  const order = space.isMirrored ? [0, 1, 2] : [0, 2, 1]; // clockwise vertex order
  for (let i = 0; i + 2 < indices.length; i += 3) for (const corner of order) bytes.index(numberAt(indices, i + corner), width);
}

/** Returns vertex colours as bytes. A mesh without colours is white. */
function colorsOf(values: Uint8Array | Float32Array | undefined, count: number): Uint8Array {
  if (values instanceof Uint8Array) return values;
  if (!values) return new Uint8Array(4 * count).fill(0xff);
  return Uint8Array.from(values, value => Math.round(255 * Math.min(Math.max(value, 0), 1)));
}

async function writeMaterial(bytes: SeBytes, row: number, { scene, images, report }: SeModelSource): Promise<void> {
  const source = scene.materials[row];
  if (!source) return;
  const lost = new Set<string>();
  const paths: string[] = [];
  const used = new Set<Material['slots'][number]>();
  for (const names of [['baseColor'], ['normal'], ['specularColor', 'specular']]) {
    const slot = source.slots.find(each => names.includes(each.slot) && each.texture !== undefined);
    const texture = scene.textures[slot?.texture ?? -1];
    const own = texture?.properties?.['path'];
    const path = typeof own === 'string' ? own : texture?.image === undefined ? null : await images.pathOf(texture.image);
    if (slot) used.add(slot);
    paths.push(path ?? '');
  }
  for (const slot of source.slots) if (!used.has(slot)) lost.add(slot.source);
  if (source.color.some(value => value !== 1)) lost.add('colour');
  if (hasGreenDown(source, scene)) lost.add('green channel of normals points down');
  if (source.alphaMode !== 'opaque') lost.add('transparency');
  if (source.side !== 'both') lost.add('single-sided faces');
  if (source.model !== 'specular') lost.add(source.model === 'standard' ? 'metalness and roughness' : source.model);
  if (lost.size > 0) report.add('MATERIAL_WORDS_LOST', source.name, 1, [...lost].join(', '));
  bytes.text(source.name).u8(1);
  for (const path of paths) bytes.text(path);
}

function reportLosses(parts: readonly Part[], has: Columns, report: ReportBuilder): void {
  const count = (test: (part: Part) => unknown): number => parts.filter(test).length;
  const add = (code: string, path: string, amount: number): void => void (amount > 0 && report.add(code, path, amount));
  add(
    'NAMES_LOST',
    'meshes',
    count(({ name }) => !/^mesh \d+$/.test(name)),
  );
  add(
    'NOT_SAID',
    'shapes',
    parts.reduce((sum, { shapes }) => sum + shapes.length, 0),
  );
  add(
    'NOT_SAID',
    'further colour layers',
    parts.reduce((sum, { colors }) => sum + Math.max(colors.length - 1, 0), 0),
  );
  add(
    'COLORS_ROUNDED',
    '',
    count(({ colors }) => colors[0] instanceof Float32Array),
  );
  add('NOT_SAID', 'normals', has.normals ? 0 : count(({ normals }) => normals));
  for (const { name, isDual, influences, count: vertices } of parts)
    if (isDual && influences) report.add('SKINNING_LINEAR', name, vertices);
}
