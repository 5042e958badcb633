// The engine and three's AnimationMixer, playing the same clips on the same rig: one truth, twice.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AnimationMixer, type Matrix4, Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { bind, type BoundClip } from '../../../web/src/core/bind.ts';
import { open, type RigFile } from '../../../web/src/core/index.ts';
import { Animator } from '../../../web/src/rig/animator.ts';
import { Layer } from '../../../web/src/rig/layer.ts';
import { PoseShape } from '../../../web/src/rig/pose.ts';
import { Rig, RigBone, seek } from '../../../web/src/three/index.ts';

/** Larger ones would only make the test slow. */
const MOST_BYTES = 300_000;

const demo = (name: string): string => fileURLToPath(new URL(`../../../web/src/viewer/demo/${name}`, import.meta.url));
const read = (path: string): Promise<RigFile> => open(readFileSync(path), { name: basename(path), worker: false });

/** Times that meet keys, lie between them, before and behind. */
const timesOf = ({ duration, frameRate }: BoundClip): number[] => [0, 1 / (frameRate || 30), duration * 0.618, duration + 0.1];

// The mixer keeps what it interpolates in float32; along a chain of bones that adds up.
const LOCAL = 1e-6;
const WORLD = 3e-6;

/** Largest differences between the engine and the mixer: of local values and, relative to the model's size, of world matrices. */
function compare(file: RigFile, clips: readonly BoundClip[], rig: Rig): { local: number; world: number } {
  const shape = new PoseShape(file.scene!);
  const animator = new Animator(shape);
  const worst = { local: 0, world: 0 };
  const q = new Quaternion();
  const own = new Vector3();
  for (const clip of clips) {
    const layer = new Layer(shape, clip.tracks);
    // three's boolean tracks hold their last key, whatever the file says.
    const repeats = new Set(
      clip.tracks
        .filter(({ path, before, after }) => path === 'visible' && (before !== 'hold' || after !== 'hold'))
        .map(({ node }) => node),
    );
    animator.layers.splice(0, Infinity, layer);
    const mixer = new AnimationMixer(rig.scene);
    const [motion] = rig.bind(clip.clip).motions;
    const actions = motion!.actions(mixer);
    for (const time of timesOf(clip)) {
      layer.time = time;
      const pose = animator.evaluate();
      animator.world.update(pose);
      seek(actions, time);
      rig.scene.updateMatrixWorld(true);
      const size = Math.max(
        1,
        ...rig.nodes
          .map(node => node.matrixWorld.elements[12] ** 2 + node.matrixWorld.elements[13] ** 2 + node.matrixWorld.elements[14] ** 2)
          .map(Math.sqrt),
      );
      for (const [row, node] of rig.nodes.entries()) {
        const { position, quaternion, scale } = node;
        own.copy(scale);
        if (node instanceof RigBone) own.multiply(node.gain);
        q.fromArray(pose.rotations, 4 * row);
        const turn = 1 - Math.abs(q.dot(quaternion));
        worst.local = Math.max(worst.local, turn, apart(pose.translations, 3 * row, position), apart(pose.scales, 3 * row, own));
        if (!repeats.has(row)) worst.local = Math.max(worst.local, Math.abs(pose.visible[row]! - Number(node.visible)));
        worst.world = Math.max(worst.world, differenceOf(animator.world.matrices, 16 * row, node.matrixWorld) / size);
      }
      for (const [r, mesh] of rig.meshes.entries()) {
        const weights = mesh?.morphTargetInfluences ?? [];
        for (const [m, weight] of weights.entries())
          worst.local = Math.max(worst.local, Math.abs(weight - pose.weights[shape.morphOffsets[r]! + m]!));
        if (mesh && !mesh.userData['strands']) worst.local = Math.max(worst.local, Math.abs(Number(mesh.visible) - pose.shown[r]!));
      }
    }
    mixer.stopAllAction();
    mixer.uncacheRoot(rig.scene);
  }
  return worst;
}

/** Largest relative difference of a vector. */
function apart(column: Float64Array, at: number, { x, y, z }: Vector3): number {
  const off = (ours: number, theirs: number): number => Math.abs(ours - theirs) / Math.max(1, Math.abs(theirs));
  return Math.max(off(column[at]!, x), off(column[at + 1]!, y), off(column[at + 2]!, z));
}

function differenceOf(matrices: Float64Array, at: number, { elements }: Matrix4): number {
  let worst = 0;
  for (let i = 0; i < 16; i++) worst = Math.max(worst, Math.abs(matrices[at + i]! - elements[i]!));
  return worst;
}

async function worstOf(modelPath: string, motionPath?: string, most = 12): Promise<{ local: number; world: number; clips: number }> {
  const file = await read(modelPath);
  if (!file.scene) return { local: 0, world: 0, clips: 0 };
  const { clips } = motionPath ? (await read(motionPath)).scene! : file.scene;
  const rig = await Rig.make(file);
  const bound = clips.slice(0, most).map(clip => bind(clip, file.scene!));
  const worst = compare(file, bound, rig);
  rig.dispose();
  return { ...worst, clips: bound.length };
}

describe('the engine plays as the mixer does', () => {
  it.each<[string, string?]>([['Tock.cast'], ['Isle.cast'], ['Sheep.cast'], ['Lotl.vgo'], ['wavingHands.bin'], ['Pip.psk', 'Pip.psa']])(
    '%s',
    async (model, motion) => {
      const { local, world } = await worstOf(demo(model), motion && demo(motion));
      expect(local).toBeLessThan(LOCAL);
      expect(world).toBeLessThan(WORLD);
    },
  );

  const corpus = fileURLToPath(new URL('../../../../shared/corpus/', import.meta.url));
  const isThere = existsSync(corpus);
  if (!isThere) console.log('rig: ../shared/corpus is not there, its motions are not compared with the mixer');

  it.skipIf(!isThere)('every file of the corpus with motions of its own', { timeout: 60_000 }, async () => {
    const files = readdirSync(corpus, { recursive: true, encoding: 'utf8' }).filter(
      name => /\.(cast|vgo|bin)$/.test(name) && !/malformed|invalid/.test(name) && statSync(corpus + name).size < MOST_BYTES,
    );
    const off: string[] = [];
    let played = 0;
    for (const name of files) {
      const { local, world, clips } = await worstOf(corpus + name, undefined, 2);
      played += clips;
      if (!(local < LOCAL && world < WORLD)) off.push(`${name}: ${local.toExponential(1)}, world ${world.toExponential(1)}`);
    }
    expect(off).toEqual([]);
    expect(played).toBeGreaterThan(30);
  });
});
