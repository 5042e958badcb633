// Simulates a chain of two spring bones.
import { describe, expect, it } from 'vitest';
import type { Quat } from '../../../web/src/core/math/quaternion.ts';
import type { Vec3, VectorLike } from '../../../web/src/core/math/vector.ts';
import { saneSettings, SPRING_STEP, type SpringBoneAccess, SpringSimulation } from '../../../web/src/rig/springSimulation.ts';

/** Two bones of length 0.2 along x from (0, 1, 0), which rotate about z only. */
class TwoBones implements SpringBoneAccess {
  readonly angles = [0, 0];
  spheres: number[][] = [];

  #at(row: number): { x: number; y: number; turn: number } {
    let x = 0;
    let y = 1;
    let turn = 0;
    for (let i = 0; i < row; i++) {
      turn += this.angles[i]!;
      x += 0.2 * Math.cos(turn);
      y += 0.2 * Math.sin(turn);
    }
    return { x, y, turn };
  }

  read(row: number, head: Vec3, parent: Quat, local: Quat): void {
    const { x, y, turn } = this.#at(row);
    Object.assign(head, [x, y, 0]);
    Object.assign(parent, [0, 0, Math.sin(turn / 2), Math.cos(turn / 2)]);
    Object.assign(local, [0, 0, Math.sin(this.angles[row]! / 2), Math.cos(this.angles[row]! / 2)]);
  }

  place(row: number, [x, y, z, w]: Quat): void {
    expect(Math.hypot(x!, y!)).toBeLessThan(1e-6);
    this.angles[row] = 2 * Math.atan2(z!, w!);
  }

  toWorld(row: number, { 0: x }: VectorLike, to: Vec3): void {
    const head = this.#at(row);
    const turn = head.turn + this.angles[row]!;
    Object.assign(to, [head.x + x * Math.cos(turn), head.y + x * Math.sin(turn), 0]);
  }

  collider(index: number, centre: Vec3): number {
    const [x, y, z, radius] = this.spheres[index]!;
    centre.set([x!, y!, z!]);
    return radius!;
  }

  get tip(): number[] {
    const { x, y } = this.#at(2);
    return [x, y];
  }
}

const settings = { stiffnessForce: 1, gravityPower: 0.3, dragForce: 0.4, hitRadius: 0.02 };
const chain = [0, 1].map(row => ({ row, tail: [0.2, 0, 0] as const }));
const group = { settings, gravity: [0, -1, 0] as [number, number, number], chains: [chain], colliders: [] as number[] };

function after(seconds: number, over: Partial<typeof group> = {}, spheres: number[][] = []): TwoBones {
  const host = new TwoBones();
  host.spheres = spheres;
  const solver = new SpringSimulation(host, [{ ...group, ...over }]);
  for (let i = 0; i < Math.round(seconds / SPRING_STEP); i++) solver.step();
  return host;
}

describe('spring bones', () => {
  it('stay down, because Unity’s rules don’t restore the rest pose', () => {
    for (const [seconds, x, y] of [
      [0.5, 0.241, 0.691],
      [2, 0.005, 0.6],
      [10, 0, 0.6],
    ] as const) {
      const [tipX, tipY] = after(seconds).tip;
      expect(Math.hypot(tipX! - x, tipY! - y), `${seconds} s`).toBeLessThan(0.01);
    }
  });

  it('stay outside of the first collider that they hit', () => {
    const [x, y] = after(4, { colliders: [0] }, [[0, 0.6, 0, 0.1]]).tip;
    expect(Math.hypot(x!, y! - 0.6)).toBeGreaterThan(0.1);
  });

  it('follow VgoSpringBone step by step: momentum, stiffness, gravity, length, first collider', () => {
    const bone = {
      settings: { ...settings, gravityPower: 1.5 },
      gravity: [0.3, -1, 0] as [number, number, number],
      chains: [chain.slice(0, 1)],
    };
    // The first collider pushes the tail into the second one.
    const spheres = [
      [0.16, 0.93, 0.04],
      [0.14, 0.9, 0.08],
      [0.02, 0.82, 0.09],
    ];
    const towards = ([x, y]: number[], [cx, cy]: number[], far: number): number[] => {
      const size = Math.hypot(x! - cx!, y! - cy!);
      return [cx! + ((x! - cx!) * far) / size, cy! + ((y! - cy!) * far) / size];
    };
    let angle = 0;
    let [now, before] = [
      [0.2, 1],
      [0.2, 1],
    ];
    let inBoth = 0;
    for (let step = 1; step <= 60; step++) {
      const pull = [Math.cos(angle), Math.sin(angle)].map((aim, c) => aim * SPRING_STEP + bone.gravity[c]! * 1.5 * SPRING_STEP);
      let next = towards(
        now.map((value, c) => value + (value - before[c]!) * 0.6 + pull[c]!),
        [0, 1],
        0.2,
      );
      const isIn = ([x, y, radius]: number[]): boolean => Math.hypot(next[0]! - x!, next[1]! - y!) <= radius! + 0.02;
      const hit = spheres.find(isIn);
      if (hit) next = towards(towards(next, hit, hit[2]! + 0.02), [0, 1], 0.2);
      if (hit === spheres[0] && isIn(spheres[1]!)) inBoth++;
      [before, now] = [now, next];
      angle = Math.atan2(next[1]! - 1, next[0]!);
      const host = new TwoBones();
      host.spheres = spheres.map(([x, y, radius]) => [x!, y!, 0, radius!]);
      const solver = new SpringSimulation(host, [{ ...bone, colliders: [0, 1, 2] }]);
      for (let i = 0; i < step; i++) solver.step();
      expect(host.angles[0], `step ${step}`).toBeCloseTo(angle, 6);
    }
    expect(inBoth).toBeGreaterThan(2);
  });

  it('have finite rotations if a force points against the bone', () => {
    const host = after(1, { settings: { ...settings, stiffnessForce: 0, gravityPower: 2 }, gravity: [-1, 1e-4, 0] });
    expect(host.angles.every(Number.isFinite)).toBe(true);
    expect(
      after(0.02, { settings: { ...settings, stiffnessForce: 0, gravityPower: 2 }, gravity: [-50, 0, 0] }).angles.every(Number.isFinite),
    ).toBe(true);
  });

  it('replace settings out of range by UniVGO’s defaults', () => {
    expect(saneSettings({ dragForce: 1.1, stiffnessForce: 4.1, gravityPower: 2.1, hitRadius: 0.6 })).toEqual({
      dragForce: 0,
      stiffnessForce: 1,
      gravityPower: 1,
      hitRadius: 0.1,
    });
    expect(saneSettings({ dragForce: -1, stiffnessForce: NaN, gravityPower: -0.1, hitRadius: -1 })).toEqual({
      dragForce: 0,
      stiffnessForce: 1,
      gravityPower: 1,
      hitRadius: 0.1,
    });
    expect(saneSettings({ dragForce: 1, stiffnessForce: 4, gravityPower: 2, hitRadius: 0.5 })).toEqual({
      dragForce: 1,
      stiffnessForce: 4,
      gravityPower: 2,
      hitRadius: 0.5,
    });
  });
});
