// Measures how much memory playback allocates. Runs as a separate process
// (tests/web/rig/allocations.test.ts) with a young generation so large that no garbage collection
// occurs during the measurement. Heap growth then equals the allocated memory.
import { readFileSync } from 'node:fs';
import { deserialize } from 'node:v8';
import type { BoundClip, BoundTrack } from '../../web/src/core/bind.ts';
import type { Properties, RigScene } from '../../web/src/core/types.ts';
import { Animator } from '../../web/src/rig/animator.ts';
import { Blink } from '../../web/src/rig/blink.ts';
import { Expressions } from '../../web/src/rig/expressions.ts';
import { ExpressionRules } from '../../web/src/rig/expressionRules.ts';
import { Layer } from '../../web/src/rig/layer.ts';
import { LookAt } from '../../web/src/rig/lookAt.ts';
import { AnimationEvents } from '../../web/src/rig/animationEvents.ts';
import { ParticleSystem } from '../../web/src/rig/particles.ts';
import { BodyRetargeter } from '../../web/src/rig/bodyRetargeter.ts';
import { Rigging } from '../../web/src/rig/rigging.ts';
import { SpringBoneSolver } from '../../web/src/rig/springBones.ts';

/** A case to measure: a model, its animation, and the solvers that run. */
export interface AllocationCase {
  scene: RigScene;
  tracks: readonly BoundTrack[];
  /** Tracks of an additive layer with a mask. */
  additive?: readonly BoundTrack[];
  has: readonly ('rigging' | 'springs' | 'expressions' | 'face' | 'fade' | 'events' | 'particles')[];
  /** Settings of a particle system that is simulated too. */
  particles?: Properties;
  /**
   * Model to which the clip is retargeted. If it is set, retargeting is measured instead of
   * playback.
   */
  to?: RigScene;
}

export interface AllocationCount {
  /** Number of bytes that are allocated per evaluated frame. */
  perFrame: number;
  /**
   * Number of garbage collections during the measurement. It must be 0, because garbage collections
   * hide allocations.
   */
  collections: number;
  solvers: string[];
}

const FRAMES = Number(process.argv[3]);
const SECONDS = 1 / 60;
const gc = (globalThis as { gc?: () => void }).gc!;

/**
 * Creates the animator and the solvers of a case. `frame(count)` evaluates frames as a page does.
 */
function player({ scene, tracks, additive, has, particles }: AllocationCase): { frame: (count: number) => void; solvers: string[] } {
  const animator = new Animator(scene);
  const { shape, world } = animator;
  const layer = new Layer(shape, tracks);
  animator.layers.push(layer);
  if (additive) {
    const top = new Layer(shape, additive);
    top.mask = new Float32Array(scene.nodes.length).fill(0.5);
    animator.layers.push(top);
  }
  const face = has.includes('face') ? new ExpressionRules(scene) : null;
  const look = face && LookAt.of(scene, face);
  if (look) {
    Object.assign(look, { target: [1, 2, 3], headShare: 0.5, lag: 0.2 });
    animator.add(look);
  }
  const blink = face && Blink.of(face);
  if (blink) animator.add(blink);
  const expressions = has.includes('expressions') ? new Expressions(shape, face) : null;
  if (expressions) {
    expressions.set(scene.expressions[0]!.name, 0.7);
    animator.add(expressions);
  }
  const rigging = has.includes('rigging') ? Rigging.of(shape) : null;
  if (rigging) animator.add(rigging);
  const springs = has.includes('springs') ? SpringBoneSolver.of(shape) : null;
  if (springs) animator.add(springs);
  const system = has.includes('particles') ? new ParticleSystem(particles, 1) : null;
  let told = 0;
  const events = has.includes('events')
    ? new AnimationEvents(
        [0.2, 0.4, 0.6].map(time => ({ name: `at ${time}`, time }) as never),
        0,
        1,
      )
    : null;
  const tell = (): void => void told++;
  // This cross-fade lasts longer than the measurement.
  if (has.includes('fade')) animator.crossFade(layer, new Layer(shape, tracks), 1e6);
  return {
    solvers: animator.solvers.map(({ stage }) => stage),
    frame(count) {
      if (look?.target) look.target[0] = Math.sin(count / 10);
      const time = (count * SECONDS) % 1;
      layer.time = time;
      for (let i = 0; i < animator.layers.length; i++) animator.layers[i]!.time = time;
      events?.advance(time, tell);
      world.update(animator.evaluate(SECONDS));
      system?.advance(SECONDS, world.matrices.subarray(0, 16));
      system?.updateLook();
    },
  };
}

/** Runs `run` and returns by how many bytes the heap has grown. */
function grown(run: () => void): number {
  gc();
  const before = process.memoryUsage().heapUsed;
  run();
  return process.memoryUsage().heapUsed - before;
}

let collections = 0;
const observer = new PerformanceObserver(list => (collections += list.getEntries().length));
observer.observe({ entryTypes: ['gc'] });

function count(each: AllocationCase): AllocationCount {
  const rounds: number[] = [];
  let solvers: string[] = [];
  let at = 0;
  if (each.to) {
    const retargeter = BodyRetargeter.of(each.scene, each.to)!;
    const motion = (duration: number): BoundClip =>
      ({ name: '', duration, frameRate: 30, loop: false, events: [], tracks: each.tracks, clip: { start: 0, tracks: [] } }) as never;
    // Key arrays are stored outside the heap. The difference in heap growth between a longer and a
    // shorter clip is what the additional frames allocate.
    const frames = (seconds: number) => grown(() => retargeter.retarget(motion(seconds)));
    for (let i = 0; i < 6; i++) rounds.push(frames(FRAMES / 30) - frames(1));
    solvers = ['retargeting'];
  } else {
    const { frame, solvers: names } = player(each);
    solvers = names;
    const run = (): void => {
      for (let i = 0; i < FRAMES; i++) frame(at++);
    };
    for (let i = 0; i < 6; i++) rounds.push(grown(run));
  }
  // The minimum of all rounds is used, because code that isn't optimized yet allocates intermediate
  // numbers on the heap.
  return { perFrame: Math.min(...rounds) / FRAMES, collections, solvers };
}

const cases = deserialize(readFileSync(process.argv[2]!)) as Record<string, AllocationCase>;
console.log(JSON.stringify(Object.fromEntries(Object.entries(cases).map(([name, each]) => [name, count(each)]))));
