// Tests layers on top of an animation, cross-fades from the previous animation, and poses that are
// sampled without being shown.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Vector3 } from 'three';
import { BoneSampler } from '../../../web/src/session/boneSampler.ts';
import { buildModel, disposeModel, type Model, openFile, type OpenContext, wholeCharacter } from '../../../web/src/session/model.ts';
import { type OverlayLayer, LayeredAction, overlayOf } from '../../../web/src/session/layeredAction.ts';
import { ClipAction, poseWeight, restPose, setPoseWeight } from '../../../web/src/session/clipAction.ts';
import { BODY, HUMAN, makePart, makeWalk } from '../../support/characterParts.ts';
import { CompanionFiles } from '../../../web/src/session/companionFiles.ts';
import type { OpenedFile } from '../../../web/src/session/openedFile.ts';
import type { Clip } from '../../../web/src/core/types.ts';
import { posesOf } from '../../../web/src/session/animationRows.ts';
import { TestSession } from './support.ts';

let model: Model;
let source: OpenedFile;

beforeAll(async () => {
  const context: OpenContext = {
    companionFiles: new CompanionFiles(),
    signal: new AbortController().signal,
    onProgress: () => {},
    onInstanceLoaded: () => {},
    graphics: { isWebGPU: false, supportsTexture: () => false },
    strandWidth: 0,
  };
  const open = async (name: string): Promise<OpenedFile> => {
    const bytes = readFileSync(new URL(`../../../web/src/viewer/demo/${name}`, import.meta.url));
    const input = { path: name, file: new File([new Uint8Array(bytes)], name) };
    return { input, file: await openFile(input, context) };
  };
  const { input, file } = await open('Pip.psk');
  model = await buildModel(input, file, context);
  source = await open('Pip.psa');
});
afterAll(() => disposeModel(model));

const [WAVE, HOP] = [0, 1];
const actionOf = (clip: number): LayeredAction => new LayeredAction(model, source, [clip], 'file', false);
const pose = (): number[] => model.bones.flatMap(bone => [...bone.position.toArray(), ...bone.quaternion.toArray()]);
const poseOf = (clip: number, time: number): number[] => {
  const one = actionOf(clip);
  one.seek(time);
  const held = pose();
  one.stop();
  return held;
};
const apart = (a: number[], b: number[]): number => Math.max(...a.map((value, i) => Math.abs(value - b[i]!)));
const top = (weight: number, below = ''): OverlayLayer => ({ ...overlayOf({ source, indices: [HOP] }), weight, rootBone: below });

test('fades an overlay in at the start of the animation and out at its end', () => {
  const played = actionOf(WAVE); // 2 seconds
  const differenceAt = (time: number): number => {
    const [alone, over] = [poseOf(WAVE, time), poseOf(HOP, time)];
    played.setOverlay(model, { ...top(1), fade: 0.5 });
    played.seek(time);
    const share = apart(pose(), alone) / apart(over, alone);
    played.stop();
    return share;
  };
  expect(differenceAt(0.0001)).toBeLessThan(0.01);
  expect(differenceAt(0.25)).toBeGreaterThan(0.3);
  expect(differenceAt(0.25)).toBeLessThan(0.7);
  expect(differenceAt(0.75)).toBeCloseTo(1, 5);
  expect(differenceAt(played.duration - 0.0001)).toBeLessThan(0.01);
});

test('adds or blends an overlay as the visitor selects', () => {
  const wave = poseOf(WAVE, 0.5);
  const played = actionOf(WAVE);
  played.seek(0.5);
  expect(played.setOverlay(model, { ...top(1), isAdditive: true })).toBe(true);
  expect(apart(pose(), poseOf(HOP, 0.5))).toBeGreaterThan(0.01);
  expect(apart(pose(), wave)).toBeGreaterThan(0.01);
  played.stop();
});

test('blends an overlay by its weight, optionally below one bone, and removes it completely', () => {
  const [wave, hop] = [poseOf(WAVE, 0.5), poseOf(HOP, 0.5)];
  const played = actionOf(WAVE);
  played.seek(0.5);
  expect(played.setOverlay(model, top(1))).toBe(false);
  expect(apart(pose(), hop)).toBeLessThan(1e-6);
  played.setOverlay(model, top(0.5));
  expect(apart(pose(), hop)).toBeGreaterThan(0.01);
  expect(apart(pose(), wave)).toBeGreaterThan(0.01);
  played.setOverlay(model, top(1, 'head'));
  const changed = model.bones.filter((_, i) => apart(pose().slice(7 * i, 7 * i + 7), wave.slice(7 * i, 7 * i + 7)) > 1e-6);
  expect(changed.length).toBeGreaterThan(0);
  for (const bone of changed) {
    let at: typeof bone | null = bone;
    while (at && at.userData['name'] !== 'head') at = at.parent;
    expect(at).not.toBeNull();
  }
  played.setOverlay(model, null);
  expect(apart(pose(), wave)).toBeLessThan(1e-6);
  played.stop();
});

test('cross-fades to the next action while time advances, and ends the fade on a jump', () => {
  const first = actionOf(WAVE);
  first.seek(0.5);
  const before = pose();
  const next = actionOf(HOP);
  const begin = next.prepareCrossFade(0.2);
  first.stop();
  next.seek(0);
  expect(apart(pose(), poseOf(HOP, 0))).toBeLessThan(1e-6);
  next.seek(0);
  begin();
  expect(next.isFading).toBe(true);
  expect(apart(pose(), before)).toBeLessThan(1e-6);
  next.seek(0, 0); // a frame in which no time passes
  expect(apart(pose(), before)).toBeLessThan(1e-6);
  next.seek(0.1, 0.1);
  expect(apart(pose(), before)).toBeGreaterThan(1e-3);
  expect(apart(pose(), poseOf(HOP, 0.1))).toBeGreaterThan(1e-3);
  next.seek(0.25, 0.15);
  expect([next.isFading, apart(pose(), poseOf(HOP, 0.25)) < 1e-6]).toEqual([false, true]);
  next.stop();
});

test('cross-fades to the rest pose with an action without clips, after which the page may move bones', () => {
  const rest = pose();
  const first = actionOf(WAVE);
  first.seek(0.5);
  const before = pose();
  const none = new ClipAction([model.rig], []);
  expect([none.name, none.duration, none.frameRate, none.names]).toEqual(['', 0, 0, []]);
  const begin = none.prepareCrossFade(0.2);
  none.seek(0);
  first.stop(); // has no effect, because it no longer plays on the model
  expect(pose()).toEqual(rest);
  begin();
  expect(apart(pose(), before)).toBeLessThan(1e-6);
  none.seek(0, 0.1);
  expect([apart(pose(), before), apart(pose(), rest)].every(distance => distance > 1e-3)).toBe(true);
  none.seek(0, 0.1);
  expect([none.isFading, apart(pose(), rest) < 1e-6]).toEqual([false, true]);
  const [bone] = model.bones;
  bone!.position.x += 1;
  none.seek(0, 0.1);
  expect(pose()[0]! - rest[0]!).toBeCloseTo(1, 6);
  bone!.position.x -= 1;
});

test('plays several clips until all of them loop together, and keeps their names', () => {
  const clips = [WAVE, HOP].map(clip => source.file.scene!.clips[clip]!);
  const both = new ClipAction([model.rig], clips, { names: ['Wave', 'Hop_2'] });
  expect([both.name, both.names, both.frameRate]).toEqual(['Wave + Hop_2', ['Wave', 'Hop_2'], clips[0]!.frameRate]);
  for (const { duration } of clips) expect(both.duration / duration).toBeCloseTo(Math.round(both.duration / duration), 5);
  both.seek(clips[HOP]!.duration + 0.25); // the upper clip has restarted
  expect(apart(pose(), poseOf(HOP, 0.25))).toBeLessThan(1e-5);
  both.stop();
});

test('samples the same bone positions as the action, without moving the model', () => {
  const rest = pose();
  const echo = new BoneSampler(model, [source.file.scene!.clips[WAVE]!]);
  const ends = new Float32Array(3 * echo.lines.length);
  echo.pose(0.7, ends);
  const moments = 5;
  const row = echo.lines[1]!;
  const way = echo.trail(row, moments);
  expect(pose()).toEqual(rest);
  const played = actionOf(WAVE);
  played.seek(0.7);
  model.rig.scene.updateMatrixWorld(true);
  for (const [i, node] of echo.lines.entries()) {
    const at = new Vector3().setFromMatrixPosition(model.rig.nodes[node]!.matrixWorld);
    expect(at.distanceTo(new Vector3().fromArray(ends, 3 * i))).toBeLessThan(1e-5);
  }
  played.seek(played.duration);
  model.rig.scene.updateMatrixWorld(true);
  const last = new Vector3().setFromMatrixPosition(model.rig.nodes[row]!.matrixWorld);
  expect(last.distanceTo(new Vector3().fromArray(way, 3 * (moments - 1)))).toBeLessThan(1e-5);
  played.stop();
});

test('shows the last frame of a single looping clip, and wraps several clips around', async () => {
  const page = await new TestSession().drop([
    { path: 'hero.psk', file: new File([makePart({ covers: BODY })], 'hero.psk') },
    { path: 'hero.psa', file: new File([makeWalk({ sequences: ['Walk', 'Run'] })], 'hero.psa') },
  ]);
  const [walk] = page.session.animationFiles;
  const x = (): number => page.model!.bones[0]!.position.x;
  const alone = new LayeredAction(page.model!, walk!, [0], 'auto', false);
  expect([alone.loop, alone.duration]).toEqual([true, 1]);
  alone.seek(1);
  expect(x()).toBeCloseTo(0.3, 6);
  alone.stop();
  const both = new LayeredAction(page.model!, walk!, [0, 1], 'auto', false);
  both.seek(1);
  expect(x()).toBeCloseTo(0, 6);
  both.seek(0.5);
  expect(x()).toBeCloseTo(0.15, 6);
  both.stop();
  // Stopping an action that was replaced has no effect.
  alone.seek(0.5);
  both.stop();
  expect(x()).toBeCloseTo(0.15, 6);
  alone.stop();
  expect(x()).toBeCloseTo(0, 6);
});

test('reports no frame rate, start or ping-pong for several different clips, and loops only if all do', () => {
  const [wave, hop] = [WAVE, HOP].map(clip => source.file.scene!.clips[clip]!);
  const event = (time: number, name: string) => ({ time, name });
  const played = (...clips: (typeof wave)[]): ClipAction =>
    new ClipAction(
      [model.rig],
      clips.map(clip => clip!),
    );
  const fast = { ...hop!, frameRate: 60, loop: false, start: 0.2, events: [event(0.1, 'land')] };
  const slow = { ...wave!, frameRate: 30, start: 0.1, events: [event(0.3, 'up'), event(0.05, 'down')] };
  const both = played(slow, fast);
  expect([both.frameRate, both.start, both.loop, both.pingPong]).toEqual([0, 0, false, false]);
  expect(both.events.map(({ name, clip: of }) => [name, of])).toEqual([
    ['down', wave!.name],
    ['land', hop!.name],
    ['up', wave!.name],
  ]);
  expect([played(slow, { ...fast, frameRate: 30, loop: true }).frameRate, played(slow, { ...fast, loop: true }).loop]).toEqual([30, true]);
  const one = played(fast);
  expect([one.frameRate, one.start, one.loop]).toEqual([60, 0.2, false]);
  expect(new ClipAction([model.rig], [slow, fast], { title: 'Together' }).name).toBe('Together');
});

test('leaves parts without the root bone of the overlay unchanged', async () => {
  const hatBones = Object.fromEntries(Object.entries(HUMAN).filter(([name]) => !name.endsWith('_L')));
  const page = await new TestSession().drop([
    { path: 'hero.psk', file: new File([makePart({ covers: BODY })], 'hero.psk') },
    { path: 'hat.psk', file: new File([makePart({ bones: hatBones, covers: ['Head'], size: 4 })], 'hat.psk') },
    { path: 'hero.psa', file: new File([makeWalk({ sequences: ['Walk'] })], 'hero.psa') },
    { path: 'hero_up.psa', file: new File([makeWalk({ sequences: ['Fly'], lift: 50 })], 'hero_up.psa') },
  ]);
  const actor = page.model!;
  const [hat] = wholeCharacter(actor).slice(1);
  const root = hat!.rig.nodes.find(({ name }) => name === 'Root')!;
  const [walk, fly] = page.session.animationFiles;
  const played = new LayeredAction(actor, walk!, [0], 'auto', false);
  played.seek(0.5);
  const alone = root.position.toArray();
  const over = (below: string): OverlayLayer => ({ ...overlayOf({ source: fly!, indices: [0] }), rootBone: below });
  played.setOverlay(actor, over('Hand_L'));
  expect(root.position.toArray()).toEqual(alone);
  played.setOverlay(actor, over('Root'));
  expect(root.position.distanceTo(new Vector3(...alone))).toBeCloseTo(0.5, 5);
  played.stop();
});

test('samples the last frame of a loop, not its first, at the end of the animation', () => {
  const sampler = new BoneSampler(model, [{ ...source.file.scene!.clips[HOP]!, loop: true, duration: 0.5 }]);
  const sampled = (time: number): number[] => {
    const to = new Float32Array(3 * sampler.lines.length);
    sampler.pose(time, to);
    return [...to];
  };
  expect(apart(sampled(sampler.duration), sampled(sampler.duration - 1e-4))).toBeLessThan(0.01);
});

test('adds poses of a .uepose file by weight, to the rest pose and to all animations', async () => {
  const input = (name: string) => ({ path: name, file: new File([readFileSync(`tests/data/ueformat/${name}`)], name) });
  const page = await new TestSession().drop(['arm.uemodel', 'bend.ueanim', 'reach.uepose'].map(input));
  const actor = page.model!;
  const rigs = wholeCharacter(actor).map(({ rig }) => rig);
  const values = (): number[] => [
    ...rigs[0]!.nodes.flatMap(node => [...node.position.toArray(), ...node.quaternion.toArray(), ...node.scale.toArray()]),
    ...rigs[0]!.meshes.flatMap(mesh => mesh?.morphTargetInfluences ?? []),
  ];
  const [reach, puff] = posesOf(page.session) as [Clip, Clip];
  expect([reach, puff].map(({ name }) => name)).toEqual(['Reach', 'Puff']); // not the clip of bend.ueanim
  const [animation, poses] = ['bend.ueanim', 'reach.uepose'].map(name =>
    page.session.animationFiles.find(({ input: { path } }) => path === name)!,
  );
  const rest = values();
  const played = (file: OpenedFile, time: number): number[] => {
    const action = new LayeredAction(actor, file, [0], 'auto', false);
    action.seek(time);
    const found = values();
    action.stop();
    return found;
  };
  const [whole, bent] = [played(poses!, 0), played(animation!, 0.1)];
  expect(apart(whole, rest)).toBeGreaterThan(0.1);
  const shown = (weight: number): number[] => {
    setPoseWeight(rigs, reach, weight);
    restPose(rigs);
    return values();
  };
  expect(apart(shown(1), whole)).toBeLessThan(1e-6);
  const half = apart(shown(0.5), rest);
  expect(half).toBeGreaterThan(0.05);
  expect(half).toBeLessThan(apart(whole, rest));
  expect(poseWeight(rigs, reach)).toBe(0.5);
  expect(apart(played(animation!, 0.1), bent)).toBeGreaterThan(0.05);
  const action = new LayeredAction(actor, animation!, [0], 'auto', false);
  action.seek(0.1);
  setPoseWeight(rigs, reach, 0);
  action.seek(0.1);
  expect(values()).toEqual(bent);
  action.stop();
  expect(shown(0)).toEqual(rest);
  expect(played(animation!, 0.1)).toEqual(bent);
  setPoseWeight(rigs, puff, 1);
  restPose(rigs);
  expect(apart(values(), rest)).toBeCloseTo(0.75, 6); // a morph weight
});
