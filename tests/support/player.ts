// Plays a clip on a scene with the pose engine, for tests that compare node positions.
import { Quaternion, Vector3 } from 'three';
import { bind } from '../../web/src/core/bind.ts';
import type { Clip, RigScene } from '../../web/src/core/types.ts';
import { Animator } from '../../web/src/rig/animator.ts';
import { positionOf, rotationOf } from '../../web/src/rig/frame.ts';
import { Layer } from '../../web/src/rig/layer.ts';

/** Plays a clip on a scene, and returns positions and rotations of the nodes. */
export class Player {
  readonly animator: Animator;
  readonly layer: Layer;
  constructor(scene: RigScene, clip: Clip) {
    this.animator = new Animator(scene);
    this.layer = new Layer(this.animator.shape, bind(clip, scene).tracks);
    this.animator.layers.push(this.layer);
  }
  at(time: number): { place: (row: number) => Vector3; turn: (row: number) => Quaternion } {
    this.layer.time = time;
    const pose = this.animator.evaluate();
    const { matrices } = this.animator.world;
    this.animator.world.update(pose);
    return {
      place: row => {
        const v = [0, 0, 0];
        positionOf(matrices, row, v);
        return new Vector3(...v);
      },
      turn: row => {
        const q = [0, 0, 0, 1];
        rotationOf(matrices, row, pose.scales, q);
        return new Quaternion(...q);
      },
    };
  }
}
