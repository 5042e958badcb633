// Positions of bones and keys that are multiplied by the scales of ancestors, as CUE4Parse writes
// them (docs/formats/ueformat.md section 3.3).
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { convert } from '../../../web/src/convert/index.ts';
import { bind } from '../../../web/src/core/bind.ts';
import { open, type RigFile } from '../../../web/src/core/index.ts';
import { Rig } from '../../../web/src/three/index.ts';
import { readUeAnim, readUeModel } from '../../support/ueReference.ts';

// ---- files of version 10

const bytesOf = (buffer: ArrayBufferLike): number[] => [...new Uint8Array(buffer)];
const i32 = (...values: number[]): number[] => bytesOf(Int32Array.from(values).buffer);
const f32 = (...values: number[]): number[] => bytesOf(Float32Array.from(values).buffer);
const text = (value: string): number[] => [...i32(value.length), ...new TextEncoder().encode(value)];
const part = (name: string, payload: number[]): number[] => [...text(name), ...i32(payload.length), ...payload];
const list = (...elements: number[][]): number[] => [...i32(elements.length), ...elements.flat()];
const keys = (...values: [frame: number, x: number, y: number, z: number][]): number[] =>
  list(...values.map(([frame, ...value]) => [...i32(frame), ...f32(...value)]));
const fileOf = (identifier: string, body: number[], version = 10): Uint8Array => {
  const path = version < 10 ? [] : text('');
  return Uint8Array.of(...new TextEncoder().encode('UEFORMAT'), ...text(identifier), version, ...text('chain'), ...path, 0, ...body);
};

/**
 * A chain whose scales are not uniform. Root is rotated by 90° about the engine's Z axis, so that its
 * X axis points along Y. The scales of Root and Arm have the product (1, 6, 4).
 */
const turned = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
const straight = [0, 0, 0, 1];
const bones = list(
  [...text('Root'), ...i32(-1), ...f32(0, 0, 5, ...turned, 2, 3, 4)],
  [...text('Arm'), ...i32(0), ...f32(20, 6, 8, ...straight, 0.5, 2, 1)],
  [...text('Hand'), ...i32(1), ...f32(10, 12, 4, ...straight, 1, 1, 1)],
);
const modelBytes = fileOf('UEMODEL', list(part('SKELETON', list(part('METADATA', text('')), part('BONES', bones)))));

/** Arm grows and Hand moves from frame 0 to frame 1, at one frame per second. */
const tracks = list(
  [...text('Arm'), ...keys(), ...i32(0), ...keys([0, 0.5, 2, 1], [1, 1, 4, 2])],
  [...text('Hand'), ...keys([0, 10, 12, 4], [1, 20, 24, -4]), ...i32(0), ...keys()],
);
const metadata = [...i32(2), ...f32(1), ...text(''), 0, 0, ...i32(0)];
const animBytes = fileOf('UEANIM', list(part('METADATA', metadata), part('TRACKS', tracks)));

/** A pose that adds (1, 2, 3) to the position of Hand. */
const pose = [...text('Reach'), ...list([...text('Hand'), ...f32(1, 2, 3, ...straight, 0, 0, 0)]), ...i32(0)];
const poseBytes = fileOf('UEPOSE', list(part('POSES', list(pose)), part('CURVES', list())));

const read = (name: string, bytes: Uint8Array): Promise<RigFile> => open(bytes, { name, worker: false });
const [model, animation, poses] = await Promise.all([
  read('chain.uemodel', modelBytes),
  read('chain.ueanim', animBytes),
  read('chain.uepose', poseBytes),
]);

/** Returns the positions of Arm and Hand in the space of the engine, in centimetres. */
async function placesOf(file: RigFile, clips?: RigFile, time = 0): Promise<number[][]> {
  const rig = await Rig.make(file);
  const animator = rig.createAnimator();
  if (clips) {
    const layer = animator.layer(rig.bind(clips).clips[0]!);
    layer.time = time;
    animator.layers.push(layer);
  }
  animator.apply();
  rig.scene.updateMatrixWorld(true);
  const places = ['Arm', 'Hand'].map(name => {
    const { elements } = rig.nodes[file.scene!.nodes.names.indexOf(name)]!.matrixWorld;
    return [elements[12]!, elements[14]!, elements[13]!].map(metres => Number((100 * metres).toFixed(3)) + 0);
  });
  rig.dispose();
  return places;
}

// Hand is at Arm + the position in the rotated space of Root: (10, 12, 4) becomes (-12, 10, 4).
const restPlaces = [
  [-6, 20, 13],
  [-18, 30, 17],
];
// At frame 1, the position of Hand without scales is (20, 24, -4) / (1, 6, 4) = (20, 4, -1). The
// animated scales have the product (2, 12, 8), so Hand is at Arm + (40, 48, -8), rotated.
const lastPlaces = [
  [-6, 20, 13],
  [-54, 60, 5],
];

describe('positions that contain the scales of ancestors', () => {
  it('place bones as in the engine', async () => {
    expect(await placesOf(model)).toEqual(restPlaces);
    expect(model.report.items.filter(({ code }) => code === 'SCALED_POSITIONS').map(({ count }) => count)).toEqual([2]);
  });

  it('place bones as in the engine in animations', async () => {
    expect(await placesOf(model, animation)).toEqual(restPlaces);
    expect(await placesOf(model, animation, 1)).toEqual(lastPlaces);
    const { findings } = bind(animation.scene!.clips[0]!, model.scene!).report;
    expect(findings.filter(({ code }) => code === 'BIND_SCALES_DIVIDED').map(({ detail }) => detail)).toEqual(['Hand']);
  });

  it('are divided twice if they hold the rest pose, multiplied twice', async () => {
    // Hand rests at (10, 2, 1), and its file contains (10, 12, 4). CUE4Parse multiplies the position of a
    // bone that ACL does not move again by (1, 6, 4).
    const clip = async (x: number): Promise<RigFile> => {
      const held = list([...text('Hand'), ...keys([0, x, 72, 16]), ...i32(0), ...keys()]);
      return read('held.ueanim', fileOf('UEANIM', list(part('METADATA', metadata), part('TRACKS', held))));
    };
    expect(await placesOf(model, await clip(10))).toEqual(restPlaces);
    expect((await placesOf(model, await clip(10.1)))[1]).toEqual([-78, 30.1, 29]);
  });

  it('are not divided in models without scales', async () => {
    const plain = await read('plain.uemodel', (await convert([model], { to: 'uemodel' })).files[0]!.bytes);
    expect(await placesOf(plain)).toEqual(restPlaces);
    const { report, tracks: bound } = bind(animation.scene!.clips[0]!, plain.scene!);
    expect(report.findings.map(({ code }) => code)).not.toContain('BIND_SCALES_DIVIDED');
    const moved = bound.find(({ path }) => path === 'translation')!;
    expect([...moved.values].map(value => Number(value.toFixed(6)))).toEqual([0.1, 0.04, 0.12, 0.2, -0.04, 0.24]);
  });

  // Poses contain the differences of the engine, without scales: (10, 2, 1) + (1, 2, 3), multiplied by
  // (1, 6, 4).
  it('are changed by poses as in the engine', async () => {
    expect(await placesOf(model, poses)).toEqual([
      [-6, 20, 13],
      [-30, 31, 29],
    ]);
  });

  it('are written again as they were read', async () => {
    const made = await convert([model, animation], { to: 'uemodel', ueformat: { v10: true } });
    expect(made.files.map(({ name }) => name.split('.').at(-1))).toEqual(['uemodel', 'ueanim']);
    expect(readUeModel(made.files[0]!.bytes)).toEqual(readUeModel(modelBytes));
    expect(readUeAnim(made.files[1]!.bytes).tracks).toEqual(readUeAnim(animBytes).tracks);
    expect(Buffer.compare(made.files[0]!.bytes, modelBytes)).toBe(0);
    const nine = readUeModel((await convert([model], { to: 'uemodel' })).files[0]!.bytes);
    expect(nine.bones.map(({ position }) => position.map(value => Number(value.toFixed(4))))).toEqual([
      [0, 0, 5],
      [20, 6, 8],
      [10, 12, 4],
    ]);
  });

  it('are converted to other formats without the scales', async () => {
    const made = await convert([model, animation], { to: 'cast' });
    const cast = await read('chain.cast', made.files[0]!.bytes);
    expect(await placesOf(cast)).toEqual(restPlaces);
    expect(await placesOf(cast, cast, 1)).toEqual(lastPlaces);
  });

  it('are the same in PSA files', async () => {
    const psa = await read('a.psa', new Uint8Array(readFileSync('tests/data/unreal/arm-motions.psa')));
    expect(psa.scene!.clips.map(({ scaledTranslations }) => scaledTranslations)).toContain(true);
  });
});
