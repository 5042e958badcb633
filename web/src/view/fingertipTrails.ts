// Overlay of the fingertip paths in a recording, from one second before to one second after the
// current time.
import { BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments } from 'three';
import type { Clip } from '../core/types.ts';
import { handsOf } from '../three/xr/hands.ts';
import type { Rig } from '../three/rig.ts';
import { type HandSpans, handSpans, type Span } from './spans.ts';

const JOINTS = ['index-finger-tip', 'thumb-tip'];
/** Number of points per second of a fingertip trail. */
const RATE = 60;
/** Duration of the trail before and after the current time, in seconds. */
const TRAIL_SECONDS = 1;

interface Tip {
  row: number;
  /** Time spans in which the hand was tracked; null if the recording does not contain them. */
  tracked: readonly Span[] | null;
}

export class FingertipTrails {
  readonly object: LineSegments<BufferGeometry, LineBasicMaterial>;
  readonly #rig: Rig;
  readonly #tips: readonly Tip[];
  readonly #last: number;
  /**
   * Positions of all fingertips at each trail point from the start of the clip, 3 numbers per
   * fingertip; NaN while the hand is not tracked. The positions of a trail point are calculated
   * when it is first drawn.
   */
  readonly #frames: (Float32Array | undefined)[] = [];
  readonly #poseAt: (time: number) => Float64Array;

  constructor(rig: Rig, clip: Clip) {
    this.#rig = rig;
    const spans: readonly HandSpans[] = handSpans(clip);
    this.#tips = handsOf(rig).flatMap(({ handedness, joints }) => {
      const tracked = spans.find(span => span.handedness === handedness)?.tracked ?? null;
      return JOINTS.flatMap(name => (joints[name] ? [{ row: rig.nodes.indexOf(joints[name]), tracked }] : []));
    });
    this.#last = Math.floor(clip.duration * RATE);
    const animator = rig.createAnimator();
    const layers = rig.bind([clip]).clips.map(action => animator.layer(action));
    animator.layers.push(...layers);
    this.#poseAt = time => {
      for (const layer of layers) layer.time = time;
      animator.world.update(animator.evaluate());
      return animator.world.matrices;
    };
    const vertices = 2 * 2 * TRAIL_SECONDS * RATE * this.#tips.length;
    this.object = new LineSegments(
      new BufferGeometry().setAttribute('position', new BufferAttribute(new Float32Array(3 * vertices), 3)),
      new LineBasicMaterial({ transparent: true, opacity: 0.6 }),
    );
    this.object.name = 'trails';
    this.object.frustumCulled = false;
    this.object.matrixAutoUpdate = false;
  }

  /**
   * Draws the trails before and after `time`, the current time in seconds. The trails have gaps
   * while a hand was not tracked.
   */
  update(time: number): void {
    const { geometry, matrix } = this.object;
    matrix.copy(this.#rig.scene.matrixWorld);
    const points = geometry.getAttribute('position') as BufferAttribute;
    const middle = Math.round(time * RATE);
    const from = Math.max(middle - TRAIL_SECONDS * RATE, 0);
    const to = Math.min(middle + TRAIL_SECONDS * RATE, this.#last);
    let vertices = 0;
    for (let frame = from; frame < to; frame++) {
      const [start, end] = [this.#at(frame), this.#at(frame + 1)];
      for (let at = 0; at < start.length; at += 3) {
        if (Number.isNaN(start[at]! + end[at]!)) continue;
        for (const position of [start, end]) points.array.set(position.subarray(at, at + 3), 3 * vertices++);
      }
    }
    points.needsUpdate = true;
    geometry.setDrawRange(0, vertices);
  }

  #at(frame: number): Float32Array {
    let found = this.#frames[frame];
    if (found) return found;
    const time = frame / RATE;
    const matrices = this.#poseAt(time);
    this.#frames[frame] = found = new Float32Array(3 * this.#tips.length).fill(NaN);
    for (const [tip, { row, tracked }] of this.#tips.entries())
      if (!tracked || tracked.some(({ from, to }) => time >= from && time <= to))
        found.set(matrices.subarray(16 * row + 12, 16 * row + 15), 3 * tip);
    return found;
  }

  dispose(): void {
    this.object.removeFromParent();
    this.object.geometry.dispose();
    this.object.material.dispose();
  }
}
