// Samples the bone positions of an animation without posing the model. Used for ghosts and trails.
import type { BindByNameOptions } from '../core/bind.ts';
import type { Clip } from '../core/types.ts';
import type { Layer } from '../rig/layer.ts';
import { commonDuration, type RigAnimator, type RigClip, clipTime } from '../three/index.ts';
import type { Model } from './model.ts';

export class BoneSampler {
  readonly duration: number;
  /** Time of the first key in seconds; 0 for several clips. */
  readonly start: number;
  readonly frameRate: number;
  /** Node indices, two per line: a parent bone and its child. */
  readonly lines: Int32Array;
  #animator: RigAnimator;
  #clips: readonly RigClip[];
  #layers: readonly Layer[];

  constructor({ rig }: Model, clips: readonly Clip[], options: BindByNameOptions = {}) {
    const { parents, bones, length: count } = rig.file.scene!.nodes;
    this.#clips = rig.bind(clips, options).clips;
    this.#animator = rig.createAnimator();
    this.#layers = this.#clips.map(clip => this.#animator.layer(clip));
    this.#animator.layers.push(...this.#layers);
    this.duration = commonDuration(this.#clips);
    this.start = this.#clips.length === 1 ? this.#clips[0]!.start : 0;
    this.frameRate = this.#clips[0]?.frameRate ?? 0;
    const lines: number[] = [];
    for (let row = 0; row < count; row++)
      if (bones[row]! >= 0 && parents[row]! >= 0 && bones[parents[row]!]! >= 0) lines.push(parents[row]!, row);
    this.lines = Int32Array.from(lines);
  }

  /**
   * Writes the end points of each line at `time` (seconds) to `to`: 6 numbers per line, in metres
   * and in rig space.
   */
  pose(time: number, to: Float32Array): void {
    // The last frame of an animation is shown, although a loop continues with its first frame.
    const isInside = time <= this.duration;
    const matrices = this.#matricesAt(clip => (isInside && this.#clips.length === 1 ? time : clipTime(clip, time)));
    for (const [i, row] of this.lines.entries()) for (let c = 0; c < 3; c++) to[3 * i + c] = matrices[16 * row + 12 + c]!;
  }

  /**
   * Returns the path of a node over the animation: 3 numbers per sample, in metres and in rig
   * space. `row`: index of the node.
   */
  trail(row: number, samples: number): Float32Array {
    const path = new Float32Array(3 * samples);
    for (let i = 0; i < samples; i++) {
      const time = (this.duration * i) / Math.max(samples - 1, 1);
      // The time of a single clip does not wrap around, so that the last sample is the end of the
      // clip.
      const matrices = this.#matricesAt(clip => (this.#clips.length === 1 ? time : clipTime(clip, time)));
      for (let c = 0; c < 3; c++) path[3 * i + c] = matrices[16 * row + 12 + c]!;
    }
    return path;
  }

  #matricesAt(timeOf: (clip: RigClip) => number): Float64Array {
    for (const [i, layer] of this.#layers.entries()) layer.time = timeOf(this.#clips[i]!);
    const { world } = this.#animator;
    world.update(this.#animator.evaluate());
    return world.matrices;
  }
}
