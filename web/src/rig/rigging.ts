// Reads the constraints and IK handles of a file, and solves them in the order of the file.
import { vectorAt, type Vector, distance } from '../core/math/vector.ts';
import { parentOf, isBone } from '../core/tree.ts';
import { listIn, member, numberIn, numbersIn, textIn } from '../core/properties.ts';
import type { Feature, Properties, RigScene } from '../core/types.ts';
import type { Solver } from './animator.ts';
import { Constraint, type ConstraintDesign, type ConstraintKind } from './constraint.ts';
import { type HandleDesign, IkHandle } from './ik.ts';
import { Pose, type PoseShape } from './pose.ts';
import { WorldMatrices } from './world.ts';

/** Maximum number of bones in the chain of an IK handle. */
const MAX_BONES = 256;
/**
 * Limit for IK handles whose target is at the origin of its parent: they are enabled only if the
 * end of the chain is within this distance of the target, as a fraction of the chain length.
 */
const AT_ZERO = 0.01;

/** A constraint or an IK handle. Set its `isOn` to false to disable it. */
export type RiggingPart = Constraint | IkHandle;

/**
 * Solves the constraints and IK handles of a scene in world space, in the order of the file. All
 * are enabled at first, except IK handles whose target is at the origin of its parent in the rest
 * pose. Some games export such targets. Until an animation moves them, they would pull the ends of
 * the chains to that origin.
 */
export class Rigging implements Solver {
  readonly stage = 'constraints';
  isOn = true;
  readonly parts: readonly RiggingPart[];

  /** Returns null if none of the scene's constraints and IK handles can be solved. */
  static of(shape: PoseShape): Rigging | null {
    const { scene } = shape;
    if (!scene.features.some(({ kind }) => kind === 'constraint' || kind === 'ik')) return null;
    const rest = new Pose(shape);
    const world = new WorldMatrices(shape);
    world.update(rest);
    const parts = scene.features.flatMap((feature): RiggingPart[] => {
      if (feature.kind === 'constraint') {
        const design = constraintOf(scene, feature);
        return design ? [new Constraint(design, rest, world)] : [];
      }
      const design = feature.kind === 'ik' ? handleOf(scene, feature) : null;
      if (!design) return [];
      const handle = new IkHandle(design);
      handle.isOn = !isBakedToZero(design, scene, world.matrices);
      return [handle];
    });
    return parts.length ? new Rigging(parts) : null;
  }

  constructor(parts: readonly RiggingPart[]) {
    this.parts = parts;
  }

  solve(pose: Pose, world: WorldMatrices): void {
    if (!this.isOn) return;
    world.touch(0);
    for (const part of this.parts) if (part.isOn) part.solve(pose, world);
  }
}

function boneIn({ nodes }: RigScene, properties: Properties | undefined, name: string): number {
  const row = numberIn(member(properties, name), 'node', -1);
  return Number.isInteger(row) && row >= 0 && row < nodes.length ? row : -1;
}

const KINDS: readonly string[] = ['translation', 'rotation', 'scale'] satisfies ConstraintKind[];

function constraintOf(scene: RigScene, { name = '', properties }: Feature): ConstraintDesign | null {
  const kind = textIn(properties, 'type');
  const bone = boneIn(scene, properties, 'constrainedBone');
  const target = boneIn(scene, properties, 'targetBone');
  if (!KINDS.includes(kind) || bone < 0 || target < 0 || parentOf(scene.nodes, bone) < 0) return null;
  const offset = listIn(properties, 'offset');
  const isWhole = offset.length === (kind === 'rotation' ? 4 : 3);
  const skip = listIn(properties, 'skip');
  return {
    name,
    kind: kind as ConstraintKind,
    bone,
    target,
    weight: Math.min(Math.max(numberIn(properties, 'weight', 1), 0), 1),
    skip: [skip[0] === true, skip[1] === true, skip[2] === true],
    keepsOffset: member(properties, 'maintainOffset') === true,
    offset: isWhole ? numbersIn(properties, 'offset', kind === 'rotation' ? [0, 0, 0, 1] : kind === 'scale' ? [1, 1, 1] : [0, 0, 0]) : null,
  };
}

function handleOf(scene: RigScene, { name = '', properties }: Feature): HandleDesign | null {
  const { nodes } = scene;
  const start = boneIn(scene, properties, 'startBone');
  const end = boneIn(scene, properties, 'endBone');
  const chain: number[] = [];
  for (let row = end; row >= 0 && row !== start && chain.length < MAX_BONES - 1; row = parentOf(nodes, row)) chain.unshift(row);
  const [first = -1] = chain;
  if (start < 0 || first < 0 || parentOf(nodes, first) !== start) return null;
  chain.unshift(start);
  let target = boneIn(scene, properties, 'targetBone');
  const rotatesEnd = target >= 0 && member(properties, 'targetRotation') === true;
  // If the IK handle has no target, the goal is in the space of the skeleton's parent node.
  for (let at = start; target < 0; at = parentOf(nodes, at)) if (!isBone(nodes, at) || parentOf(nodes, at) < 0) target = at;
  return {
    name,
    chain,
    target,
    offset: numbersIn(properties, 'targetOffset', [0, 0, 0]),
    poleVector: boneIn(scene, properties, 'poleVectorBone'),
    poleBone: boneIn(scene, properties, 'poleBone'),
    rotatesEnd,
  };
}

/**
 * Returns true if, in the rest pose, the target is at the origin of its parent and far from the end
 * of the chain.
 */
function isBakedToZero({ chain, target }: HandleDesign, { nodes }: RigScene, matrices: Float64Array): boolean {
  if (!isBone(nodes, target)) return false;
  for (let c = 0; c < 3; c++) if (nodes.translations[3 * target + c] !== 0) return false;
  const positionAt = (row: number): Vector => vectorAt(matrices, 16 * row + 12);
  const joints = chain.map(positionAt);
  let length = 0;
  let last = joints[0];
  for (const joint of joints) {
    if (last) length += distance(last, joint);
    last = joint;
  }
  return !!last && distance(last, positionAt(target)) > AT_ZERO * length;
}
