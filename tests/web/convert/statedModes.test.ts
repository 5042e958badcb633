// Converts clips to every target and compares the poses with those of `rigcast pose`. Absolute keys
// stay absolute, and additive clips are detected in the same way for all targets.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { convert, LossError } from '../../../web/src/convert/index.ts';
import { TARGETS } from '../../../web/src/convert/targets.ts';
import { detectAdditive, type RigFile } from '../../../web/src/core/index.ts';
import { bind, type BindOptions } from '../../../web/src/rig/index.ts';
import type { RigPose } from '../../../web/src/three/index.ts';
import { clip, track } from '../../support/armScene.ts';
import { makePsa } from '../../support/actorx.ts';
import { castBody, castMotion, TestBody } from '../../support/bodies.ts';
import { zero8 } from '../../support/castRigs.ts';
import { type Converted, converted, parse, posesOf } from '../../support/convertedPoses.ts';
import { farthest } from '../../support/samePose.mjs';

const data = (name: string): Promise<RigFile> => parse(name, readFileSync(new URL(`../../../tests/data/unreal/${name}`, import.meta.url)));

const MOVING = TARGETS.filter(to => to !== 'mrtk' && to !== 'iwer');
const DECLARING = MOVING.filter(to => to !== 'psk' && to !== 'psa');
const NEARLY = 1e-4;

/** Returns the largest distance between a bone and its position in the source, over all poses. */
function gap(source: readonly RigPose[], { poses, places }: Converted, turn = 0): number {
  let most = 0;
  for (const [k, pose] of source.entries()) {
    if (poses) {
      const { bones, missing } = farthest(pose, poses[k]!, turn);
      expect(missing).toEqual([]);
      most = Math.max(most, bones);
    } else
      for (const { name, bone, position } of pose.nodes) {
        if (bone === false) continue;
        const place = places![k]!.get(name)!;
        most = Math.max(most, Math.hypot(...position.map((value, c) => value - place[c]!)));
      }
  }
  return most;
}

const looksAdditive = ({ scene }: RigFile, motion: RigFile): boolean =>
  detectAdditive({ ...motion.scene!.clips[0]!, undeclaredModes: true }, scene!).isAdditive;

describe('keys that a file declares as absolute', () => {
  const times = [0, 5 / 30, 10 / 30];

  it('are absolute in every pose, even if they look additive', async () => {
    const file = await parse('zero8.cast', zero8());
    expect(looksAdditive(file, file)).toBe(true);
    const [, , last] = await posesOf(file, null, times);
    const { position } = last!.nodes.find(({ name }) => name === 'b7')!;
    expect(position).toEqual([8.4, 36, 0].map(value => expect.closeTo(value, 4)));
  });

  it.each(MOVING.filter(to => to !== 'vrm'))('are absolute as %s', async to => {
    const file = await parse('zero8.cast', zero8());
    const source = await posesOf(file, null, times);
    // The option is only needed for PSA, which cannot declare that its keys are absolute.
    const made = await converted([file], to, times, {}, { additive: 'as-stated' });
    expect(gap(source, made)).toBeLessThan(NEARLY);
    const codes = made.made.report.items.map(({ code }) => code);
    expect(codes).not.toContain('CLIP_ON_REST');
    expect(codes.includes('MODES_UNDECLARED')).toBe(to === 'psk' || to === 'psa');
  });

  it('are absolute as vrm', async () => {
    const body = new TestBody({ axes: 7 });
    const frames = Array.from({ length: 11 }, (_, k) => k / 10);
    const still = Float32Array.from({ length: 44 }, (_, i) => (i % 4 === 3 ? 1 : 0));
    const tracks = body.scene.nodes.names
      .slice(1)
      .map(target => track({ target, path: 'rotation', times: Float32Array.from(frames), values: still }));
    const model = await parse('body.cast', castBody(body));
    const motion = await parse('still.cast', castMotion({ ...clip('still', 1, ...tracks), frameRate: 10, frameCount: 11 }));
    expect(looksAdditive(model, motion)).toBe(true);
    const source = await posesOf(model, motion, [0, 0.5]);
    const made = await converted([model, motion], 'vrm', [0, 0.5]);
    const turned = made.made.report.items.find(({ code }) => code === 'FACING_TURNED')?.amount ?? 0;
    expect(gap(source, made, turned)).toBeLessThan(NEARLY);
  });

  it('are added to the rest pose if the option requests it', async () => {
    const file = await parse('zero8.cast', zero8());
    const how: BindOptions = { additive: 'rest' };
    const source = await posesOf(file, null, times, how);
    const made = await converted([file], 'glb', times, { additive: 'rest' });
    expect(gap(source, made)).toBeLessThan(NEARLY);
    expect(gap(await posesOf(file, null, times), made)).toBeGreaterThan(1);
  });
});

describe('keys of a format that cannot declare additive clips', () => {
  const times = [0, 1 / 30];
  const files = (): Promise<RigFile[]> => Promise.all([data('arm.psk'), data('arm-additive.psa')]);

  it.each(MOVING.filter(to => to !== 'vrm'))('are added to the rest pose as %s if they look additive, like in `bind`', async to => {
    const [model, motion] = (await files()) as [RigFile, RigFile];
    const source = await posesOf(model, motion, times);
    expect(gap(source, await converted([model, motion], to, times))).toBeLessThan(NEARLY);
    expect(
      gap(await posesOf(model, motion, times, { additive: 'as-stated' }), { poses: source, places: null } as Converted),
    ).toBeGreaterThan(0.1);
  });

  it.each(MOVING.filter(to => to !== 'vrm'))('follow the option `additive` as %s', async to => {
    const [model, motion] = (await files()) as [RigFile, RigFile];
    for (const additive of ['as-stated', 'rest'] as const) {
      const source = await posesOf(model, motion, times, { additive });
      // Detection is turned off when a PSA is read, because the written keys may look additive.
      const made = await converted([model, motion], to, times, { additive }, { additive: 'as-stated' });
      expect(gap(source, made), additive).toBeLessThan(NEARLY);
      expect(made.made.report.items.map(({ code }) => code)).not.toContain('ADDITIVE_GUESSED');
    }
  });

  it.each(DECLARING.filter(to => to !== 'vrm'))('are reported as %s with the detail of the finding', async to => {
    const [model, motion] = (await files()) as [RigFile, RigFile];
    const { report } = await convert([model, motion], { to });
    const finding = bind(motion.scene!.clips[0]!, model.scene!).report.findings.find(({ code }) => code === 'LOOKS_ADDITIVE');
    const entry = report.items.find(({ code }) => code === 'ADDITIVE_GUESSED');
    expect(entry).toMatchObject({ path: motion.scene!.clips[0]!.name, detail: finding!.detail });
    expect(entry!.detail).toMatch(/bones would .* \(.*\): added to the rest pose; "as-stated" plays the keys as stored$/);
  });

  it('are rejected by `strict`, unless the option `additive` is set', async () => {
    const given = await files();
    const refused = convert(given, { to: 'json', strict: true });
    await expect(refused).rejects.toBeInstanceOf(LossError);
    await expect(refused).rejects.toThrow(/a guess decides how the result moves: ADDITIVE_GUESSED/);
    for (const additive of ['as-stated', 'rest'] as const)
      await expect(convert(given, { to: 'json', strict: true, additive })).rejects.not.toThrow(/guess/);
  });

  it('are absolute without a model, which is reported', async () => {
    const bare = await parse('names.psa', makePsa());
    expect(bare.scene!.nodes.length).toBe(1);
    const { report } = await convert([bare], { to: 'cast' });
    expect(report.items.map(({ code }) => code)).toContain('MODES_ASSUMED');
  });
});

it('`additive` of convert has three values', async () => {
  const file = await parse('zero8.cast', zero8());
  await expect(convert([file], { to: 'glb', additive: 'layer' as 'rest' })).rejects.toThrow(
    /"additive" must be one of as-stated, detect, rest/,
  );
});
