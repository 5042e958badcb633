// Compares the last frame of a clip with its first, to check whether the clip can be looped.
import type { BoundClip } from '../core/bound.ts';
import { dotAt, multiplied, type Quaternion, quat, quaternionAt, rotated, rotationAbout } from '../core/math/quaternion.ts';
import { subtract, type Vector, vectorAt } from '../core/math/vector.ts';
import type { RigScene } from '../core/types.ts';
import { Animator } from './animator.ts';
import { rotationOf } from './frame.ts';
import { Layer } from './layer.ts';
import { rootMotionOf, rootOf } from './rootMotion.ts';

/** Differences between the first and the last frame of a clip. */
export interface LoopSeam {
  /**
   * Node whose position differs most, and the distance in metres. The movement of the body over the
   * ground and its turn about the up axis don't count.
   */
  place: { node: number; distance: number };
  /** Node whose rotation relative to its parent differs most, and the angle in degrees. */
  turn: { node: number; angle: number };
  /** Horizontal movement of the body in metres, and its turn about the up axis in degrees. */
  travel: { distance: number; turn: number };
}

interface Frame {
  positions: readonly Vector[];
  /** Rotations relative to the parent, and in scene space. */
  local: readonly Quaternion[];
  world: readonly Quaternion[];
}

const DEGREES = 180 / Math.PI;

/**
 * Compares the first and the last frame of a clip that is bound to `scene`. `start`: time of the
 * first frame in seconds. Returns null if the clip animates no node.
 */
export function loopSeamOf(clip: BoundClip, scene: RigScene, start = 0): LoopSeam | null {
  const animated = [...new Set(clip.tracks.map(({ node }) => node).filter(node => node >= 0))];
  if (animated.length === 0) return null;
  const [first, last] = framesAt(clip, scene, [start, clip.duration]) as [Frame, Frame];
  const motion = rootMotionOf(clip, scene);
  const { root, hips } = (motion && rootOf(clip, scene)) ?? { root: -1, hips: -1 };
  // Move the last frame back to the place and direction of the first.
  const back = rotationAbout([0, 1, 0], -(motion?.turn ?? 0) / DEGREES);
  const aligned = (position: Vector): Vector => {
    if (hips < 0) return position;
    const [from, to] = [first.positions[hips]!, last.positions[hips]!];
    const [x, , z] = rotated([position[0] - to[0], 0, position[2] - to[2]], back);
    return [x + from[0], position[1], z + from[2]];
  };
  const bones = [...scene.nodes.bones.keys()].filter(node => scene.nodes.bones[node]! >= 0);
  const place = largest(bones.length > 0 ? bones : animated, node =>
    Math.hypot(...subtract(aligned(last.positions[node]!), first.positions[node]!)),
  );
  const turn = largest(animated, node =>
    node === root
      ? angleBetween(first.world[node]!, multiplied(back, last.world[node]!))
      : angleBetween(first.local[node]!, last.local[node]!),
  );
  return {
    place: { node: place.node, distance: place.value },
    turn: { node: turn.node, angle: turn.value },
    travel: { distance: motion ? Math.hypot(motion.travel[0], motion.travel[2]) : 0, turn: motion?.turn ?? 0 },
  };
}

function framesAt(clip: BoundClip, scene: RigScene, times: readonly number[]): Frame[] {
  const animator = new Animator(scene);
  const layer = new Layer(animator.shape, clip.tracks);
  animator.layers.push(layer);
  const { matrices } = animator.world;
  const rows = Array.from({ length: scene.nodes.length }, (_, row) => row);
  return times.map(time => {
    layer.time = time;
    const pose = animator.evaluate();
    animator.world.update(pose);
    const world = rows.map(row => {
      const rotation = quat();
      rotationOf(matrices, row, pose.scales, rotation);
      return quaternionAt(rotation, 0);
    });
    return {
      positions: rows.map(row => vectorAt(matrices, 16 * row + 12)),
      local: rows.map(row => quaternionAt(pose.rotations, 4 * row)),
      world,
    };
  });
}

function largest(nodes: readonly number[], valueOf: (node: number) => number): { node: number; value: number } {
  let [node, value] = [nodes[0]!, 0];
  for (const each of nodes) {
    const found = valueOf(each);
    if (found > value) [node, value] = [each, found];
  }
  return { node, value };
}

/** Returns the angle between two rotations in degrees. */
const angleBetween = (a: Quaternion, b: Quaternion): number => 2 * Math.acos(Math.min(Math.abs(dotAt(a, 0, b, 0)), 1)) * DEGREES;
