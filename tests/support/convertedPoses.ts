// Converts files to every target, opens the results, and computes their poses for comparison with
// the source.
import { convert, type Conversion, type ConvertOptions } from '../../web/src/convert/index.ts';
import type { TARGETS } from '../../web/src/convert/targets.ts';
import type { BindByNameOptions } from '../../web/src/core/bind.ts';
import { open, type RigFile } from '../../web/src/core/index.ts';
import { bindLayers } from '../../web/src/three/animation/layering.ts';
import { openGlb } from '../../web/src/interop/openEncoded.ts';
import { type RigPose, Rig, samplePoses } from '../../web/src/three/index.ts';

export type Target = (typeof TARGETS)[number];

/** Opens a file from its name and bytes. */
export const parse = (name: string, bytes: Uint8Array): Promise<RigFile> =>
  /\.(glb|vrm)$/.test(name) ? openGlb(bytes, name) : open(bytes, { name, worker: false });

/**
 * Returns poses of a model during a clip of its own file or of another file, as `rigcast pose`
 * does. If the model's file starts several clips by itself, plays all of them.
 */
export async function posesOf(
  model: RigFile,
  motion: RigFile | null,
  times: readonly number[],
  how: BindByNameOptions = {},
  index = 0,
): Promise<RigPose[]> {
  const rig = await Rig.make(model);
  const clips = (motion ?? model).scene!.clips;
  const played =
    !motion && rig.initialClipIndices.length > 0 ? rig.initialClipIndices.map(row => clips[row]!) : clips.slice(index, index + 1);
  const poses = samplePoses(rig, { clips: bindLayers(rig, played, how).clips, times });
  rig.dispose();
  return poses;
}

export interface Converted {
  made: Conversion;
  /** Poses of the converted file; null if the target is a table. */
  poses: RigPose[] | null;
  /**
   * Bone positions by bone name, one map per time, if the target is a table; null for other
   * targets.
   */
  places: Map<string, readonly number[]>[] | null;
}

/** Converts a file and returns poses of the result at the given times of its first clip. */
export async function converted(
  files: readonly RigFile[],
  to: Target,
  times: readonly number[],
  options: Partial<ConvertOptions> = {},
  how: BindByNameOptions = {},
): Promise<Converted> {
  const made = await convert(files, { to, ...options });
  if (to === 'csv' || to === 'json')
    return { made, poses: null, places: placesOf(to, new TextDecoder().decode(made.files[0]!.bytes), times) };
  if (to === 'gltf') return { made, poses: await posesOf(await openGlb(glbOf(made.files), 'made.glb'), null, times, how), places: null };
  const opened = await Promise.all(
    made.files.filter(({ name }) => !/\.(config|mat|png|jpg)$/.test(name)).map(({ name, bytes }) => openWith(name, bytes, made.files)),
  );
  const [model, ...others] = opened;
  const motion = others.find(({ scene }) => scene && scene.clips.length > 0) ?? null;
  return { made, poses: await posesOf(model!, motion, times, how), places: null };
}

/** Opens a file. `beside`: files that may be its companion files. */
function openWith(name: string, bytes: Uint8Array, beside: Conversion['files']): Promise<RigFile> {
  if (/\.(glb|vrm)$/.test(name)) return parse(name, bytes);
  const companions = (need: { name: string }): Uint8Array | null => beside.find(file => file.name === need.name)?.bytes ?? null;
  return open(bytes, { name, worker: false, companions });
}

/** Combines a .gltf file and its .bin file into one GLB. */
function glbOf(files: Conversion['files']): Uint8Array {
  const json = JSON.parse(new TextDecoder().decode(files[0]!.bytes)) as { buffers?: { uri?: string; byteLength: number }[] };
  const numbers = files.find(({ name }) => name.endsWith('.bin'))?.bytes ?? new Uint8Array(0);
  for (const buffer of json.buffers ?? []) delete buffer.uri;
  const text = Buffer.from(JSON.stringify(json));
  const padded = (bytes: Uint8Array, fill: number): Uint8Array => {
    const result = new Uint8Array(Math.ceil(bytes.length / 4) * 4).fill(fill);
    result.set(bytes);
    return result;
  };
  const chunk = (id: number, bytes: Uint8Array): Buffer => Buffer.concat([Buffer.from(Uint32Array.of(bytes.length, id).buffer), bytes]);
  const body = Buffer.concat([chunk(0x4e4f534a, padded(text, 32)), chunk(0x004e4942, padded(numbers, 0))]);
  return Buffer.concat([Buffer.from(Uint32Array.of(0x46546c67, 2, 12 + body.length).buffer), body]);
}

function placesOf(to: 'csv' | 'json', text: string, times: readonly number[]): Map<string, readonly number[]>[] {
  const rows: { time: number; node: string; place: number[] }[] = [];
  let first: string | undefined;
  if (to === 'csv')
    for (const line of text.trim().split('\n').slice(1)) {
      const [motion, time, node = '', ...numbers] = line.split(',');
      first ??= motion;
      if (motion === first) rows.push({ time: Number(time), node, place: numbers.slice(0, 3).map(Number) });
    }
  else {
    const { nodes, motions } = JSON.parse(text) as {
      nodes: { name: string }[];
      motions: { times: number[]; nodes: { positions: number[] }[] }[];
    };
    const [motion] = motions;
    for (const [k, time] of motion!.times.entries())
      for (const [i, { positions }] of motion!.nodes.entries())
        rows.push({ time, node: nodes[i]!.name, place: positions.slice(3 * k, 3 * k + 3) });
  }
  return times.map(wanted => {
    const now = rows.filter(({ time }) => Math.abs(time - wanted) < 1e-4);
    return new Map(now.map(({ node, place }) => [node, place]));
  });
}
