// Compares AnimationClips of a rig, played by AnimationMixer, with the pose engine.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AnimationMixer, type KeyframeTrack, type Matrix4, Quaternion } from 'three';
import { describe, expect, it } from 'vitest';
import { bind, type BoundClip } from '../../../web/src/core/bind.ts';
import { open, type RigFile } from '../../../web/src/core/index.ts';
import { Animator } from '../../../web/src/rig/animator.ts';
import { Layer } from '../../../web/src/rig/layer.ts';
import { PoseShape } from '../../../web/src/rig/pose.ts';
import { CLIP_TOLERANCE, Rig } from '../../../web/src/three/index.ts';
import { seek } from '../../support/seek.ts';

/**
 * Maximum size of corpus files, bytes. Larger files are skipped, because they make the test slow.
 */
const MOST_BYTES = 300_000;

const demo = (name: string): string => fileURLToPath(new URL(`../../../web/src/viewer/demo/${name}`, import.meta.url));
const read = (path: string): Promise<RigFile> => open(readFileSync(path), { name: basename(path), worker: false });

/** Times at keys, between keys, and before and after all keys. */
const timesOf = ({ duration, frameRate }: BoundClip): number[] => [0, 1 / (frameRate || 30), duration * 0.618, duration + 0.1];

// Tolerances. AnimationMixer interpolates in float32, and errors accumulate along bone chains.
const LOCAL = 1e-6;
const WORLD = 3e-6;

interface Worst {
  /**
   * Largest difference of local values of exact tracks. For clips with only exact tracks, also the
   * largest difference of world matrices, relative to the size of the model.
   */
  local: number;
  world: number;
  /** Largest difference of values of sampled tracks, as a multiple of the tolerance. */
  sampled: number;
  hasSampled: boolean;
}

/** Returns the largest differences between the pose engine and the mixer. */
function compare(file: RigFile, clips: readonly BoundClip[], rig: Rig): Worst {
  const shape = new PoseShape(file.scene!);
  const animator = new Animator(shape);
  const worst: Worst = { local: 0, world: 0, sampled: 0, hasSampled: false };
  const q = new Quaternion();
  for (const clip of clips) {
    const layer = new Layer(shape, clip.tracks);
    animator.layers.splice(0, Infinity, layer);
    const mixer = new AnimationMixer(rig.scene);
    const [motion] = rig.bind(clip.clip).clips;
    const action = motion!.clipAction(mixer);
    const tracks = new Map(motion!.animationClip.tracks.map(track => [track.name, track]));
    const own = new Set<unknown>(motion!.bound!.tracks.map(({ times }) => times));
    const isExact = (track: KeyframeTrack): boolean => own.has(track.times);
    const hasSampled = [...tracks.values()].some(track => !isExact(track));
    worst.hasSampled ||= hasSampled;
    /** Records the difference of a value. `name`: name of the track. */
    let time = 0;
    const note = (name: string, off: number, size = 1): void => {
      const track = tracks.get(name);
      if (!track || isExact(track)) worst.local = Math.max(worst.local, off / size);
      // A curve that repeats is sampled only until the end of its clip.
      else if (time <= clip.duration)
        worst.sampled = Math.max(worst.sampled, Math.max(off - LOCAL * size, 0) / (CLIP_TOLERANCE * rangeOf(track)));
    };
    for (time of timesOf(clip)) {
      layer.time = time;
      const pose = animator.evaluate();
      animator.world.update(pose);
      seek(action, time);
      rig.scene.updateMatrixWorld(true);
      const size = Math.max(1, ...rig.nodes.map(({ matrixWorld: { elements } }) => Math.hypot(elements[12], elements[13], elements[14])));
      for (const [row, node] of rig.nodes.entries()) {
        const { name, position, quaternion, scale } = node;
        q.fromArray(pose.rotations, 4 * row);
        note(`${name}.quaternion`, angleOf(q.normalize(), quaternion));
        for (const [at, key] of (['x', 'y', 'z'] as const).entries()) {
          const [x, s] = [pose.translations[3 * row + at]!, pose.scales[3 * row + at]!];
          note(`${name}.position`, Math.abs(x - position[key]), Math.max(1, Math.abs(x)));
          note(`${name}.scale`, Math.abs(s - scale[key]), Math.max(1, Math.abs(s)));
        }
        worst.local = Math.max(worst.local, Math.abs(pose.visible[row]! - Number(node.visible)));
        if (!hasSampled) worst.world = Math.max(worst.world, differenceOf(animator.world.matrices, 16 * row, node.matrixWorld) / size);
      }
      for (const [r, mesh] of rig.meshes.entries()) {
        const names = Object.entries((mesh as { morphTargetDictionary?: Record<string, number> } | null)?.morphTargetDictionary ?? {});
        for (const [key, m] of names)
          note(
            `${mesh!.name}.morphTargetInfluences[${key}]`,
            Math.abs(mesh!.morphTargetInfluences![m]! - pose.weights[shape.morphOffsets[r]! + m]!),
          );
        if (mesh && !mesh.userData['strands']) worst.local = Math.max(worst.local, Math.abs(Number(mesh.visible) - pose.shown[r]!));
      }
    }
    mixer.stopAllAction();
    mixer.uncacheRoot(rig.scene);
  }
  return worst;
}

/** Returns the angle between two rotations, precise for nearly equal rotations. */
const angleOf = (a: Quaternion, b: Quaternion): number => {
  const { x, y, z } = a.clone().conjugate().multiply(b.clone().normalize());
  return 2 * Math.asin(Math.min(1, Math.hypot(x, y, z)));
};

/** Returns the value range of a track; the tolerance is a fraction of this range. */
function rangeOf({ name, values }: KeyframeTrack): number {
  if (name.endsWith('.quaternion')) return 1;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return Math.max(high - low, 0.01 * Math.max(Math.abs(low), Math.abs(high)), 1e-6);
}

function differenceOf(matrices: Float64Array, at: number, { elements }: Matrix4): number {
  let worst = 0;
  for (let i = 0; i < 16; i++) worst = Math.max(worst, Math.abs(matrices[at + i]! - elements[i]!));
  return worst;
}

async function worstOf(modelPath: string, motionPath?: string, most = 12): Promise<Worst & { clips: number }> {
  const file = await read(modelPath);
  if (!file.scene) return { local: 0, world: 0, sampled: 0, hasSampled: false, clips: 0 };
  const { clips } = motionPath ? (await read(motionPath)).scene! : file.scene;
  const rig = await Rig.make(file);
  const bound = clips.slice(0, most).map(clip => bind(clip, file.scene!));
  const worst = compare(file, bound, rig);
  rig.dispose();
  return { ...worst, clips: bound.length };
}

describe('AnimationMixer and the pose engine give equal poses', () => {
  it.each<[string, string?]>([['Tock.cast'], ['Isle.cast'], ['Sheep.cast'], ['Lotl.vgo'], ['wavingHands.bin'], ['Pip.psk', 'Pip.psa']])(
    '%s',
    async (model, motion) => {
      const { local, world, sampled } = await worstOf(demo(model), motion && demo(motion));
      expect(local).toBeLessThan(2 * LOCAL);
      expect(world).toBeLessThan(WORLD);
      expect(sampled).toBeLessThan(1);
    },
  );

  const corpus = fileURLToPath(new URL('../../../../shared/corpus/', import.meta.url));
  const isThere = existsSync(corpus);
  if (!isThere) console.log('rig: ../shared/corpus is not there, its motions are not compared with the mixer');

  it.skipIf(!isThere)('for all corpus files with own animations', { timeout: 60_000 }, async () => {
    const files = readdirSync(corpus, { recursive: true, encoding: 'utf8' }).filter(
      name => /\.(cast|vgo|bin)$/.test(name) && !/malformed|invalid/.test(name) && statSync(corpus + name).size < MOST_BYTES,
    );
    const off: string[] = [];
    let played = 0;
    for (const name of files) {
      const { local, world, sampled, clips } = await worstOf(corpus + name, undefined, 2);
      played += clips;
      if (!(local < 2 * LOCAL && world < WORLD && sampled < 1))
        off.push(`${name}: ${local.toExponential(1)}, world ${world.toExponential(1)}, sampled ${sampled.toFixed(2)}`);
    }
    expect(off).toEqual([]);
    expect(played).toBeGreaterThan(30);
  });
});
