// Builds VRM files in memory: the walk of a body as a VRM animation, and avatars with given
// extensions.
import { Quaternion, Vector3 } from 'three';
import type { Clip } from '../../web/src/core/types.ts';
import type { TestBody } from './bodies.ts';

/**
 * Builds a VRM animation: a glTF with the nodes of a body, the clip `clip`, curves for a face, and
 * the extension VRMC_vrm_animation. Bones are named either by numbers, so that only the extension
 * identifies them, or as in the body.
 */
export function vrma(
  body: TestBody,
  clip: Clip,
  humanBones: Record<string, string>,
  face: { happy: readonly number[]; gaze: readonly [yaw: number, pitch: number] },
  isNamed = false,
): Uint8Array<ArrayBuffer> {
  const { nodes: table } = body.scene;
  const numbers: number[] = [];
  const accessors: object[] = [];
  const add = (values: ArrayLike<number>, type: 'SCALAR' | 'VEC3' | 'VEC4'): number => {
    const width = { SCALAR: 1, VEC3: 3, VEC4: 4 }[type];
    const list = Array.from(values);
    accessors.push({
      bufferView: 0,
      byteOffset: 4 * numbers.length,
      componentType: 5126,
      count: list.length / width,
      type,
      ...(type === 'SCALAR' && { min: [Math.min(...list)], max: [Math.max(...list)] }),
    });
    numbers.push(...list);
    return accessors.length - 1;
  };
  const nodes: Record<string, unknown>[] = [];
  for (let row = 1; row < table.length; row++)
    nodes.push({
      name: isNamed ? table.names[row] : `n${row}`,
      translation: [...table.translations.subarray(3 * row, 3 * row + 3)],
      rotation: [...table.rotations.subarray(4 * row, 4 * row + 4)],
      children: Array.from({ length: table.length }, (_, i) => i)
        .filter(i => table.parents[i] === row)
        .map(i => i - 1),
    });
  for (const node of nodes) if ((node['children'] as number[]).length === 0) delete node['children'];
  const [happy, gaze] = [nodes.push({ name: 'happy' }) - 1, nodes.push({ name: 'gaze' }) - 1];
  const tracks = [...clip.tracks];
  const input = add(tracks[0]!.times, 'SCALAR');
  const samplers: object[] = [];
  const channels: object[] = [];
  const move = (node: number, path: string, values: ArrayLike<number>): void => {
    samplers.push({ input, output: add(values, path === 'rotation' ? 'VEC4' : 'VEC3'), interpolation: 'LINEAR' });
    channels.push({ sampler: samplers.length - 1, target: { node, path } });
  };
  for (const { target, path, values } of tracks) move(table.names.indexOf(target) - 1, path, values);
  const times = tracks[0]!.times.length;
  move(
    happy,
    'translation',
    Float32Array.from({ length: 3 * times }, (_, i) => (i % 3 === 0 ? face.happy[Math.floor(i / 3) % face.happy.length]! : 0)),
  );
  const turn = new Quaternion()
    .setFromAxisAngle(new Vector3(0, 1, 0), face.gaze[0])
    .multiply(new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), -face.gaze[1]));
  move(
    gaze,
    'rotation',
    Float32Array.from({ length: 4 * times }, (_, i) => turn.toArray()[i % 4]!),
  );
  const bytes = new Uint8Array(Float32Array.from(numbers).buffer);
  const json = JSON.stringify({
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0, happy, gaze] }],
    nodes,
    animations: [{ name: clip.name, samplers, channels }],
    accessors,
    bufferViews: [{ buffer: 0, byteOffset: 0, byteLength: bytes.length }],
    buffers: [{ byteLength: bytes.byteLength }],
    extensionsUsed: ['VRMC_vrm_animation'],
    extensions: {
      VRMC_vrm_animation: {
        specVersion: '1.0',
        humanoid: {
          humanBones: Object.fromEntries(Object.entries(humanBones).map(([bone, part]) => [bone, { node: body.row(part) - 1 }])),
        },
        expressions: { preset: { happy: { node: happy } }, custom: { nobody: { node: 9999 } } },
        lookAt: { node: gaze },
      },
    },
  });
  const text = new TextEncoder().encode(json.padEnd(Math.ceil(json.length / 4) * 4));
  const result = new Uint8Array(28 + text.length + bytes.length);
  const view = new DataView(result.buffer);
  [0x46546c67, 2, result.length, text.length, 0x4e4f534a].forEach((value, i) => view.setUint32(4 * i, value, true));
  result.set(text, 20);
  view.setUint32(20 + text.length, bytes.length, true);
  view.setUint32(24 + text.length, 0x004e4942, true);
  result.set(bytes, 28 + text.length);
  return result;
}
