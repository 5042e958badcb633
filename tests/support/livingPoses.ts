// Plays clips of characters frame by frame with all solvers enabled. The resulting poses must be
// the same in every environment.
import { bind } from '../../web/src/core/bind.ts';
import type { Clip, Properties, RigScene } from '../../web/src/core/types.ts';
import { Animator } from '../../web/src/rig/animator.ts';
import { Blink } from '../../web/src/rig/blink.ts';
import { createRetargeter } from '../../web/src/rig/retargeter.ts';
import { Expressions } from '../../web/src/rig/expressions.ts';
import { ExpressionRules } from '../../web/src/rig/expressionRules.ts';
import { breathing } from '../../web/src/rig/idle.ts';
import { Layer } from '../../web/src/rig/layer.ts';
import { LookAt } from '../../web/src/rig/lookAt.ts';
import { ParticleSystem } from '../../web/src/rig/particles.ts';
import { Rigging } from '../../web/src/rig/rigging.ts';
import { SpringBoneSolver } from '../../web/src/rig/springBones.ts';
import { TestBody } from './bodies.ts';

const FRAMES = 180;
const SECONDS = 1 / 60;

/**
 * Plays all cases and returns their results by name. `load`: reads the scene at a path in the
 * repository.
 */
export async function livingPoses(load: (path: string) => Promise<RigScene>): Promise<Record<string, number[]>> {
  const rigged = await load('tests/data/cast/everything.cast');
  const avatar = await load('web/src/viewer/demo/Lotl.vgo');
  const puppet = await load('tests/data/vgo/puppet.vgo');
  const hands = await load('web/src/viewer/demo/wavingHands.bin');
  const body = new TestBody({ axes: 3 });
  const walker = new TestBody({ proportions: { upperLeg: 0.3, lowerLeg: 0.4 }, axes: 5 });
  const walk = walker.clip('walk', 3, 30, time => walker.walk(time));
  const retargeted = (from: RigScene, to: RigScene, clip: Clip): Clip => createRetargeter(from, to)!.retarget(bind(clip, from));
  return {
    'constraints and IK': play(rigged, [rigged.clips[0]!]),
    'layers, springs, looking, blinking, expressions': play(avatar, [avatar.clips[0]!, breathing(avatar)!]),
    'springs of a puppet': play(puppet, [puppet.clips[0]!]),
    particles: flying(),
    'a walk on another body': play(body.scene, [retargeted(walker.scene, body.scene, walk)]),
    'a walk on an avatar': play(avatar, [retargeted(walker.scene, avatar, walk)]),
    'recorded hands on fingers': play(body.scene, [retargeted(hands, body.scene, hands.clips[0]!)]),
  };
}

function play(scene: RigScene, clips: readonly Clip[]): number[] {
  const animator = new Animator(scene);
  const { shape } = animator;
  for (const clip of clips) animator.layers.push(new Layer(shape, bind(clip, scene).tracks));
  const face = new ExpressionRules(scene);
  const look = LookAt.of(scene, face);
  if (look) Object.assign(look, { target: [1, 1, 1], headShare: 0.5, lag: 0.2 });
  const blink = Blink.of(face);
  const expressions = scene.expressions.length > 0 ? new Expressions(shape, face) : null;
  expressions?.set(scene.expressions[0]!.name, 0.6);
  const rigging = Rigging.of(shape);
  for (const part of rigging?.parts ?? []) part.isOn = true;
  for (const solver of [look, blink, expressions, rigging, SpringBoneSolver.of(shape)]) if (solver) animator.add(solver);
  const sum = new Sum();
  for (let frame = 0; frame < FRAMES; frame++) {
    for (const layer of animator.layers) layer.time = frame * SECONDS;
    if (look?.target) look.target[0] = Math.sin(frame / 10);
    const pose = animator.evaluate(SECONDS);
    animator.world.update(pose);
    if (frame % 30 === 29) for (const column of [animator.world.matrices, pose.weights]) sum.add(column);
  }
  return sum.numbers;
}

const constant = (value: number): Properties => ({ mode: 0, constant: value });
const SPARKS: Properties = {
  main: {
    duration: 2,
    loop: true,
    startLifetime: { mode: 3, constantMin: 0.5, constantMax: 2 },
    startSpeed: constant(1),
    startSize: constant(0.05),
    gravityModifier: constant(0.2),
    simulationSpeed: 1,
    maxParticles: 200,
  },
  emission: { enabled: true, rateOverTime: constant(60) },
  shape: { enabled: true, shapeType: 4, angle: 25, radius: 0.2, arc: 360 },
  renderer: { enabled: true, renderMode: 0 },
};

function flying(): number[] {
  const system = new ParticleSystem(SPARKS, 7);
  const sum = new Sum();
  const matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.5, 1, 0, 1];
  for (let frame = 0; frame < FRAMES; frame++) {
    system.advance(SECONDS, matrix);
    system.updateLook();
    if (frame % 30 === 29)
      for (const [column, width] of [
        [system.positions, 3],
        [system.sizes, 3],
        [system.colors, 4],
      ] as const)
        sum.add(column.subarray(0, width * system.count));
  }
  return [...sum.numbers, system.count];
}

/**
 * Computes three sums of the added values with different weights. Different sequences of values are
 * unlikely to have the same three sums.
 */
class Sum {
  readonly numbers = [0, 0, 0];

  add(values: ArrayLike<number>): void {
    for (let i = 0; i < values.length; i++) {
      this.numbers[0]! += values[i]!;
      this.numbers[1]! += values[i]! * ((i % 7) - 3);
      this.numbers[2]! += Math.abs(values[i]!);
    }
  }
}
