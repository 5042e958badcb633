// Compares constraints and IK handles of random Cast files with results in closed form.
import { Matrix4, Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { open } from '../../../web/src/core/index.ts';
import type { Properties, RigScene } from '../../../web/src/core/types.ts';
import { Animator, type Solver } from '../../../web/src/rig/animator.ts';
import { PoseShape } from '../../../web/src/rig/pose.ts';
import { Rigging } from '../../../web/src/rig/rigging.ts';
import { castFile, type CastNode, metadata, node } from '../../support/castFile.ts';

interface BoneWords {
  name: string;
  under?: string;
  p?: Vector3;
  q?: Quaternion;
  s?: Vector3;
  /** Segment scale compensate. */
  ssc?: boolean;
}

type Links = Record<string, string>;
type Words = CastNode['properties'];

/** Builds a skeleton with constraints and IK handles, which refer to bones by name. */
class RigWords {
  readonly #bones = new Map<string, { index: number; node: CastNode }>();
  readonly #parts: CastNode[] = [];

  constructor(bones: readonly BoneWords[]) {
    for (const { name, under, p = new Vector3(), q = new Quaternion(), s, ssc = false } of bones) {
      const parent = under === undefined ? 0xffffffff : this.#bones.get(under)!.index;
      const made = node('bone', {
        n: ['s', name],
        p: ['i', [parent]],
        lp: ['3v', p.toArray()],
        lr: ['4v', q.toArray()],
        ssc: ['b', [ssc ? 1 : 0]],
        ...(s && { s: ['3v', s.toArray()] as const }),
      });
      this.#bones.set(name, { index: this.#bones.size, node: made });
    }
  }

  add(id: 'cnst' | 'ikhd', links: Links, words: Words = {}): this {
    const linked = Object.fromEntries(Object.entries(links).map(([key, name]) => [key, ['l', this.#bones.get(name)!.node.hash] as const]));
    this.#parts.push(node(id, { ...words, ...linked }));
    return this;
  }

  /** Returns the scene of the file. `up`: up axis of the file. `place`: transform of the model. */
  async scene(up = 'y', place: Words = {}): Promise<RigScene> {
    const bones = [...this.#bones.values()].map(each => each.node);
    const bytes = castFile(metadata({ up }), node('modl', { n: ['s', 'm'], ...place }, node('skel', {}, ...bones, ...this.#parts)));
    return (await open(bytes, { name: 'm.cast', worker: false })).scene!;
  }

  async solved(
    prepare: (rigging: Rigging, animator: Animator, row: (name: string) => number) => void = () => {},
    given?: RigScene,
  ): Promise<Solved> {
    const scene = given ?? (await this.scene());
    const animator = new Animator(scene);
    const rigging = Rigging.of(animator.shape)!;
    animator.add(rigging);
    prepare(rigging, animator, name => scene.nodes.names.indexOf(name));
    animator.evaluate();
    animator.world.update(animator.pose);
    return new Solved(animator);
  }
}

class Solved {
  readonly animator: Animator;

  constructor(animator: Animator) {
    this.animator = animator;
  }

  row(name: string): number {
    return this.animator.shape.scene.nodes.names.indexOf(name);
  }

  matrix(name: string): Matrix4 {
    return new Matrix4().fromArray(this.animator.world.matrices, 16 * this.row(name));
  }

  at(name: string): Vector3 {
    return new Vector3().setFromMatrixPosition(this.matrix(name));
  }

  turn(name: string): Quaternion {
    const q = new Quaternion();
    this.matrix(name).decompose(new Vector3(), q, new Vector3());
    return q;
  }

  /** Returns the local scale of a bone. */
  factors(name: string): number[] {
    return [...this.animator.pose.scales.subarray(3 * this.row(name), 3 * this.row(name) + 3)];
  }

  scale(name: string): Vector3 {
    return new Vector3().setFromMatrixScale(this.matrix(name));
  }
}

/** Random numbers with a fixed seed. */
function random(seed: number) {
  const next = (): number => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t ^= t + Math.imul(t ^ (t >>> 7), 61 | t);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const within = (low: number, high: number): number => low + next() * (high - low);
  const direction = (): Vector3 => new Vector3(within(-1, 1), within(-1, 1), within(-1, 1)).normalize();
  return {
    within,
    direction,
    place: (size: number): Vector3 => direction().multiplyScalar(within(0.2, size)),
    turn: (): Quaternion => new Quaternion().setFromAxisAngle(direction(), within(0, 3)),
  };
}

const v = (x: number, y: number, z: number): Vector3 => new Vector3(x, y, z);
const about = (axis: Vector3, degrees: number): Quaternion => new Quaternion().setFromAxisAngle(axis, (degrees * Math.PI) / 180);
const degreesApart = (a: Quaternion, b: Quaternion): number => (a.angleTo(b) * 180) / Math.PI;
const PLACE = 1e-4;
const DEGREES = 0.05;

describe('constraints', () => {
  const followers = (): RigWords =>
    new RigWords([
      { name: 'root' },
      { name: 'target', under: 'root', p: v(4, 5, 6), q: about(v(1, 0, 0), 70), s: v(2, 3, 0.5) },
      { name: 'place', under: 'root', p: v(0, 1, 0) },
      { name: 'skipping', under: 'root', p: v(0, 1, 0) },
      { name: 'turned', under: 'root', p: v(0, 2, 0) },
      { name: 'scaled', under: 'root', p: v(0, 3, 0) },
      { name: 'offset', under: 'root', p: v(1, 1, 1) },
      { name: 'half', under: 'root' },
    ])
      .add('cnst', { cb: 'place', tb: 'target' }, { ct: ['s', 'pt'] })
      .add('cnst', { cb: 'skipping', tb: 'target' }, { ct: ['s', 'pt'], sx: ['b', [1]] })
      .add('cnst', { cb: 'turned', tb: 'target' }, { ct: ['s', 'or'] })
      .add('cnst', { cb: 'scaled', tb: 'target' }, { ct: ['s', 'sc'] })
      .add('cnst', { cb: 'offset', tb: 'target' }, { ct: ['s', 'pt'], mo: ['b', [1]] })
      .add('cnst', { cb: 'half', tb: 'target' }, { ct: ['s', 'pt'], wt: ['f', [0.5]] });

  it('follow a target that a solver of the page moves after world.update', async () => {
    const seen: number[] = [];
    const rig = await followers().solved((_, animator, row) => {
      animator.base.translations[3 * row('target')] = 1;
      const solve: Solver['solve'] = (pose, world) => {
        world.update(pose);
        seen.push(world.matrices[16 * row('target') + 12]!);
        pose.translations[3 * row('target')] = 7;
      };
      animator.add({ stage: 'lookAt', solve });
    });
    expect(seen).toEqual([1]);
    expect(rig.at('place').distanceTo(v(7, 5, 6))).toBeLessThan(PLACE);
  });

  it.each([4, 8])('of all kinds follow a target at x = %i', async x => {
    const rig = await followers().solved((_, { base }, row) => {
      base.translations[3 * row('target')] = x;
    });
    expect(rig.at('place').distanceTo(v(x, 5, 6))).toBeLessThan(PLACE);
    expect(rig.at('skipping').distanceTo(v(0, 5, 6))).toBeLessThan(PLACE);
    expect(degreesApart(rig.turn('turned'), about(v(1, 0, 0), 70))).toBeLessThan(DEGREES);
    expect(rig.scale('scaled').distanceTo(v(2, 3, 0.5))).toBeLessThan(PLACE);
    expect(rig.at('offset').distanceTo(v(x - 3, 1, 1))).toBeLessThan(PLACE);
    expect(rig.at('half').distanceTo(v(x / 2, 2.5, 3))).toBeLessThan(PLACE);
  });

  it('can be disabled separately or together', async () => {
    const one = await followers().solved(({ parts }) => (parts[0]!.isOn = false));
    expect(one.at('place').distanceTo(v(0, 1, 0))).toBeLessThan(PLACE);
    expect(one.at('half').distanceTo(v(2, 2.5, 3))).toBeLessThan(PLACE);
    const none = await followers().solved(rigging => (rigging.isOn = false));
    expect(none.at('half').distanceTo(v(0, 0, 0))).toBeLessThan(PLACE);
  });

  it('give the same world transform below rotated and scaled parents', async () => {
    for (let seed = 0; seed < 60; seed++) {
      const { turn, place, within } = random(seed);
      const size = (): Vector3 => v(1, 1, 1).multiplyScalar(within(0.3, 3));
      const weight = within(0, 1);
      const offset = place(2);
      const spin = turn();
      const factor = v(within(0.5, 2), within(0.5, 2), within(0.5, 2));
      const bones = [
        { name: 'root', p: place(3), q: turn(), s: size() },
        { name: 'far', under: 'root', p: place(3), q: turn(), s: size() },
        { name: 'target', under: 'far', p: place(3), q: turn(), s: v(within(0.3, 3), within(0.3, 3), within(0.3, 3)) },
        { name: 'near', under: 'root', p: place(3), q: turn(), s: v(within(0.3, 3), within(0.3, 3), within(0.3, 3)) },
        { name: 'bone', under: 'near', p: place(3), q: turn(), s: size(), ssc: true },
      ];
      const before = await new RigWords(bones).add('cnst', { cb: 'bone', tb: 'target' }, { ct: ['s', 'pt'], wt: ['f', [0]] }).solved();
      const after = await new RigWords(bones)
        .add('cnst', { cb: 'bone', tb: 'target' }, { ct: ['s', 'pt'], wt: ['f', [weight]], co: ['3v', offset.toArray()] })
        .add('cnst', { cb: 'bone', tb: 'target' }, { ct: ['s', 'or'], wt: ['f', [weight]], co: ['4v', spin.toArray()] })
        .add('cnst', { cb: 'bone', tb: 'target' }, { ct: ['s', 'sc'], co: ['3v', factor.toArray()] })
        .solved();
      const wanted = before.at('target').add(offset);
      expect(after.at('bone').distanceTo(before.at('bone').lerp(wanted, weight)), `place ${seed}`).toBeLessThan(PLACE);
      const turned = before.turn('bone').slerp(before.turn('target').multiply(spin), weight);
      expect(degreesApart(after.turn('bone'), turned), `turn ${seed}`).toBeLessThan(DEGREES);
      expect(after.scale('bone').distanceTo(before.scale('target').multiply(factor)), `scale ${seed}`).toBeLessThan(5 * PLACE);
    }
  });

  it('keep the rest offset while the target is transformed', async () => {
    const { turn, place } = random(7);
    const bones = [
      { name: 'root', q: turn() },
      { name: 'target', under: 'root', p: place(3), q: turn(), s: v(2, 2, 2) },
      { name: 'bone', under: 'root', p: place(3), q: turn(), s: v(3, 3, 3) },
    ];
    const words = (): RigWords =>
      ['pt', 'or', 'sc'].reduce(
        (rig, ct) => rig.add('cnst', { cb: 'bone', tb: 'target' }, { ct: ['s', ct], mo: ['b', [1]] }),
        new RigWords(bones),
      );
    const rest = await words().solved();
    const spin = turn();
    const moved = await words().solved((_, { base }, row) => {
      const at = row('target');
      base.rotations.set(spin.clone().multiply(bones[1]!.q).toArray(), 4 * at);
      base.scales.fill(4, 3 * at, 3 * at + 3);
      base.translations[3 * at]! += 1;
    });
    const shift = v(1, 0, 0).applyQuaternion(bones[0]!.q);
    expect(moved.at('bone').distanceTo(rest.at('bone').add(shift))).toBeLessThan(PLACE);
    const offset = rest.turn('target').invert().multiply(rest.turn('bone'));
    expect(degreesApart(moved.turn('bone'), moved.turn('target').multiply(offset))).toBeLessThan(DEGREES);
    expect(moved.scale('bone').distanceTo(v(6, 6, 6))).toBeLessThan(PLACE);
  });

  it('keep the bone’s angle about a skipped axis', async () => {
    const xyz = (x: number, y: number, z: number): Quaternion =>
      about(v(0, 0, 1), z)
        .multiply(about(v(0, 1, 0), y))
        .multiply(about(v(1, 0, 0), x));
    const rig = await new RigWords([
      { name: 'target', q: xyz(20, 30, 40) },
      { name: 'bone', q: xyz(-50, 10, 60) },
    ])
      .add('cnst', { cb: 'bone', tb: 'target' }, { ct: ['s', 'or'], sy: ['b', [1]] })
      .solved();
    expect(degreesApart(rig.turn('bone'), xyz(20, 10, 40))).toBeLessThan(DEGREES);
  });

  const scaled = (target: Vector3, bone: Vector3, words: Words): RigWords =>
    new RigWords([
      { name: 'target', s: target },
      { name: 'bone', s: bone },
    ]).add('cnst', { cb: 'bone', tb: 'target' }, { ct: ['s', 'sc'], ...words });

  it('of scale copy the mirroring of the target, relative to rest', async () => {
    const plain = await scaled(v(-2, 3, 1), v(1, 1, 1), {}).solved();
    expect(plain.factors('bone')).toEqual([-2, 3, 1]);
    const kept = scaled(v(-2, 2, 1), v(1, -4, 1), { mo: ['b', [1]] });
    expect((await kept.solved()).factors('bone')).toEqual([1, -4, 1]);
    const grown = await kept.solved((_, { base }, row) => base.scales.set([4, 2, -1], 3 * row('target')));
    expect(grown.factors('bone')).toEqual([-2, -4, -1]);
  });

  it('of scale keep skipped axes and axes that a parent scales to zero', async () => {
    const skipping = await scaled(v(2, 3, 4), v(5, 6, 7), { sx: ['b', [1]], sz: ['b', [1]] }).solved();
    expect(skipping.factors('bone')).toEqual([5, 3, 7]);
    const flat = await new RigWords([
      { name: 'parent', s: v(1, 0, 1) },
      { name: 'target', s: v(2, 3, 4) },
      { name: 'bone', under: 'parent', s: v(5, 6, 7) },
    ])
      .add('cnst', { cb: 'bone', tb: 'target' }, { ct: ['s', 'sc'] })
      .solved();
    expect(flat.factors('bone')).toEqual([2, 6, 4]);
  });

  it('of scale have no offset on axes where the target’s rest scale is zero', async () => {
    const rig = await scaled(v(0, 2, 1), v(3, 3, 3), { mo: ['b', [1]] }).solved((_, { base }, row) =>
      base.scales.set([2, 2, 2], 3 * row('target')),
    );
    expect(rig.factors('bone')).toEqual([2, 3, 6]);
  });

  it('prefer the rest offset to the offset in the file', async () => {
    const rig = await new RigWords([{ name: 'target', p: v(1, 0, 0) }, { name: 'bone' }])
      .add('cnst', { cb: 'bone', tb: 'target' }, { ct: ['s', 'pt'], mo: ['b', [1]], co: ['3v', [0, 9, 0]] })
      .solved();
    expect(rig.at('bone').toArray()).toEqual([0, 0, 0]);
  });

  it('read translation offsets in the space of the file', async () => {
    const words = new RigWords([{ name: 'target' }, { name: 'bone' }]).add(
      'cnst',
      { cb: 'bone', tb: 'target' },
      { ct: ['s', 'pt'], co: ['3v', [1, 2, 3]] },
    );
    const rig = await words.solved(() => {}, await words.scene('z'));
    expect(rig.at('bone').distanceTo(v(1, 3, -2))).toBeLessThan(PLACE);
  });

  /**
   * Creates a translation constraint with a target at x = 4. `properties`: properties that replace
   * the usual ones.
   */
  async function odd(properties: Properties): Promise<Rigging | null> {
    const scene = await new RigWords([{ name: 'target', p: v(4, 0, 0) }, { name: 'bone' }])
      .add('cnst', { cb: 'bone', tb: 'target' }, { ct: ['s', 'pt'] })
      .scene();
    scene.features = scene.features.map(each => ({ ...each, properties: { ...(each.properties as object), ...(properties as object) } }));
    return Rigging.of(new PoseShape(scene));
  }
  const designOf = async (properties: Properties) => {
    const part = (await odd(properties))!.parts[0]!;
    return part.kind === 'constraint' ? part.design : null;
  };

  it('clamp the weight to 0 to 1', async () => {
    for (const [weight, wanted] of [
      [7, 1],
      [-1, 0],
      [0.25, 0.25],
    ] as const)
      expect((await designOf({ weight }))!.weight).toBe(wanted);
  });

  it('ignore offsets with a wrong number of components', async () => {
    expect((await designOf({ offset: [1, 2, 3] }))!.offset).toEqual([1, 2, 3]);
    for (const offset of [[1, 2], [1, 2, 3, 4], []]) expect((await designOf({ offset }))!.offset).toBeNull();
    expect((await designOf({ type: 'rotation', offset: [0, 0, 0] }))!.offset).toBeNull();
  });

  it('are ignored for the scene root, unknown kinds or missing targets', async () => {
    expect(await odd({ constrainedBone: { node: 0 } })).toBeNull();
    expect(await odd({ type: 'aim' })).toBeNull();
    expect(await odd({ targetBone: { node: 99 } })).toBeNull();
    expect((await odd({}))!.parts).toHaveLength(1);
  });

  it('are solved in file order on the result of the previous ones', async () => {
    const bones = [{ name: 'a', p: v(1, 0, 0) }, { name: 'b' }, { name: 'c' }];
    const forth = await new RigWords(bones)
      .add('cnst', { cb: 'b', tb: 'a' }, { ct: ['s', 'pt'] })
      .add('cnst', { cb: 'c', tb: 'b' }, { ct: ['s', 'pt'] })
      .solved();
    expect(forth.at('c').x).toBeCloseTo(1, 6);
    const back = await new RigWords(bones)
      .add('cnst', { cb: 'c', tb: 'b' }, { ct: ['s', 'pt'] })
      .add('cnst', { cb: 'b', tb: 'a' }, { ct: ['s', 'pt'] })
      .solved();
    expect(back.at('c').x).toBeCloseTo(0, 6);
  });
});

describe('IK handles', () => {
  const leg = (more: BoneWords[] = []): RigWords =>
    new RigWords([
      { name: 'root' },
      { name: 'thigh', under: 'root', p: v(0, 2, 0) },
      { name: 'knee', under: 'thigh', p: v(0, -1, 0.05) },
      { name: 'ankle', under: 'knee', p: v(0, -1, -0.05) },
      { name: 'target', under: 'root', p: v(0, 0.6, 0.4) },
      { name: 'pole', under: 'root', p: v(0, 1, 5) },
      ...more,
    ]);
  const links = { sb: 'thigh', eb: 'ankle', tb: 'target' };

  it('move the ankle to the target and the knee towards the pole', async () => {
    const rig = await leg()
      .add('ikhd', { ...links, pv: 'pole' })
      .solved();
    expect(rig.at('ankle').distanceTo(v(0, 0.6, 0.4))).toBeLessThan(PLACE);
    expect(Math.abs(rig.at('knee').x)).toBeLessThan(PLACE);
    expect(rig.at('knee').z).toBeGreaterThan(0.4);
  });

  it('are disabled initially if their target was exported at zero', async () => {
    const toes = [
      { name: 'toes', under: 'ankle', p: v(0, 0, 0.5) },
      { name: 'zero', under: 'root' },
    ];
    let isOn: boolean[] = [];
    const rig = await leg(toes)
      .add('ikhd', { sb: 'thigh', eb: 'toes', tb: 'zero' })
      .solved(({ parts }) => (isOn = parts.map(part => part.isOn)));
    expect(isOn).toEqual([false]);
    expect(rig.at('toes').distanceTo(v(0, 0, 0.5))).toBeLessThan(PLACE);
    await leg()
      .add('ikhd', links)
      .solved(({ parts }) => (isOn = parts.map(part => part.isOn)));
    expect(isOn).toEqual([true]);
  });

  /** Returns the knee of a two-bone chain by the law of cosines, on the side of `way`. */
  function kneeOf(hip: Vector3, foot: Vector3, upper: number, lower: number, way: Vector3): Vector3 {
    const line = foot.clone().sub(hip);
    const d = line.length();
    line.divideScalar(d);
    const along = (upper * upper - lower * lower + d * d) / (2 * d);
    const side = way.clone().addScaledVector(line, -way.dot(line)).normalize();
    return hip
      .clone()
      .addScaledVector(line, along)
      .addScaledVector(side, Math.sqrt(upper * upper - along * along));
  }

  it('of two bones agree with the closed form for any goal, pole, twist, offset and scale', async () => {
    let worst = 0;
    for (let seed = 0; seed < 80; seed++) {
      const { turn, place, within, direction } = random(100 + seed);
      const twist = seed % 2 ? within(-120, 120) : 0;
      const size = within(0.4, 2.5);
      const rig = new RigWords([
        { name: 'root', p: place(2), q: turn(), s: v(size, size, size) },
        { name: 'thigh', under: 'root', p: place(2), q: turn() },
        { name: 'knee', under: 'thigh', p: place(1.5), q: turn() },
        { name: 'ankle', under: 'knee', p: place(1.5), q: turn() },
        { name: 'target', under: 'root', q: turn() },
        { name: 'pole', under: 'root', p: place(3), q: turn() },
        { name: 'twister', under: 'root', q: about(v(1, 0, 0), twist) },
      ]);
      const offset = place(0.5);
      rig.add(
        'ikhd',
        { ...links, pv: 'pole', ...(twist && { pb: 'twister' }) },
        { to: ['3v', offset.toArray()], tr: ['b', [seed % 3 ? 1 : 0]] },
      );
      const share = within(0.1, 0.9);
      const way = direction();
      const result = await rig.solved((rigging, { base }, row) => {
        rigging.parts[0]!.isOn = true;
        const [upper, lower] = ['knee', 'ankle'].map(name => new Vector3().fromArray(base.translations, 3 * row(name)).length());
        const reach = Math.abs(upper! - lower!) + share * 2 * Math.min(upper!, lower!);
        const q = new Quaternion().fromArray(base.rotations, 4 * row('target'));
        const goal = new Vector3().fromArray(base.translations, 3 * row('thigh')).addScaledVector(way, reach);
        base.translations.set(goal.sub(offset.clone().applyQuaternion(q)).toArray(), 3 * row('target'));
        // Curves of the chain have no effect.
        base.rotations.set(turn().toArray(), 4 * row('knee'));
      });
      const hip = result.at('thigh');
      const foot = offset.clone().applyMatrix4(result.matrix('target'));
      const lengths = ['knee', 'ankle'].map(
        name => size * new Vector3().fromArray(result.animator.pose.translations, 3 * result.row(name)).length(),
      );
      const pole = new Vector3()
        .fromArray(result.animator.pose.translations, 3 * result.row('pole'))
        .transformDirection(result.matrix('target'))
        .applyAxisAngle(foot.clone().sub(hip).normalize(), (twist * Math.PI) / 180);
      const knee = kneeOf(hip, foot, lengths[0]!, lengths[1]!, pole);
      worst = Math.max(worst, result.at('ankle').distanceTo(foot) / size, result.at('knee').distanceTo(knee) / size);
      if (seed % 3) expect(degreesApart(result.turn('ankle'), result.turn('target'))).toBeLessThan(DEGREES);
    }
    expect(worst).toBeLessThan(PLACE);
  });

  it('without a pole keep the plane of the rest pose', async () => {
    for (let seed = 0; seed < 20; seed++) {
      const { turn, place } = random(300 + seed);
      const bones = [
        { name: 'thigh', p: place(2), q: turn() },
        { name: 'knee', under: 'thigh', p: v(0.2, 1, 0), q: about(v(0, 0, 1), 50) },
        { name: 'ankle', under: 'knee', p: v(0, 1.2, 0) },
        { name: 'target', p: v(0, 0, 0) },
      ];
      const rest = await new RigWords(bones).add('ikhd', links).solved(rigging => (rigging.isOn = false));
      const hip = rest.at('thigh');
      const goal = hip.clone().add(place(1.5).setLength(1.4));
      bones[3]!.p = goal;
      const rig = await new RigWords(bones).add('ikhd', links).solved();
      // The knee bends before the leg is rotated.
      const upper = rest.at('knee').sub(hip);
      const lower = rest.at('ankle').sub(rest.at('knee'));
      const hinge = upper.clone().cross(lower).normalize();
      const bend =
        Math.acos((1.4 ** 2 - upper.lengthSq() - lower.lengthSq()) / (2 * upper.length() * lower.length())) - upper.angleTo(lower);
      const foot = upper.clone().add(lower.applyAxisAngle(hinge, bend));
      const way = upper.applyQuaternion(new Quaternion().setFromUnitVectors(foot.normalize(), goal.clone().sub(hip).normalize()));
      expect(rig.at('knee').distanceTo(kneeOf(hip, goal, Math.hypot(0.2, 1), 1.2, way))).toBeLessThan(PLACE);
    }
  });

  it('stretch towards distant goals, and bend straight chains towards the pole', async () => {
    const bones = (target: Vector3): RigWords =>
      new RigWords([
        { name: 'thigh' },
        { name: 'knee', under: 'thigh', p: v(0, -1, 0) },
        { name: 'ankle', under: 'knee', p: v(0, -1, 0) },
        { name: 'target', p: target },
        { name: 'pole', p: v(0, 0, 3) },
      ]).add('ikhd', { ...links, pv: 'pole' });
    const far = await bones(v(3, 0, 4)).solved();
    expect(far.at('knee').distanceTo(v(0.6, 0, 0.8))).toBeLessThan(PLACE);
    expect(far.at('ankle').distanceTo(v(1.2, 0, 1.6))).toBeLessThan(PLACE);
    const near = await bones(v(0, -1.2, 0)).solved();
    expect(near.at('knee').distanceTo(v(0, -0.6, 0.8))).toBeLessThan(PLACE);
  });

  it('of long chains reach the target in the pole plane with constant lengths', async () => {
    for (let seed = 0; seed < 40; seed++) {
      const { turn, place, within } = random(500 + seed);
      const count = 3 + (seed % 8);
      const names = Array.from({ length: count + 1 }, (_, i) => `b${i}`);
      const isStraight = seed % 5 === 0;
      const chain = names.map((name, i) => ({
        name,
        under: i ? names[i - 1]! : 'root',
        p: i ? v(0, within(0.3, 1), 0) : place(1),
        q: i ? about(v(1, 0, 0), isStraight ? 0 : within(-30, 40)) : turn(),
      }));
      const length = chain.slice(1).reduce((sum, { p }) => sum + p.length(), 0);
      const reach = within(0.05, 1.02) * length;
      const rig = await new RigWords([
        { name: 'root', q: turn() },
        ...chain,
        { name: 'target', under: 'root', p: chain[0]!.p.clone().add(place(1).setLength(reach)) },
        { name: 'pole', under: 'root', p: place(3) },
      ])
        .add('ikhd', { sb: 'b0', eb: names.at(-1)!, tb: 'target', pv: 'pole' })
        .solved();
      const start = rig.at('b0');
      const line = rig.at('target').sub(start);
      const goal = line.clone().setLength(Math.min(reach, length)).add(start);
      expect(rig.at(names.at(-1)!).distanceTo(goal), `seed ${seed}`).toBeLessThan(PLACE);
      for (let i = 1; i <= count; i++) expect(rig.at(names[i]!).distanceTo(rig.at(names[i - 1]!))).toBeCloseTo(chain[i]!.p.length(), 5);
      const pole = new Vector3().fromArray(rig.animator.pose.translations, 3 * rig.row('pole')).transformDirection(rig.matrix('target'));
      const normal = pole.cross(line).normalize();
      for (const name of names) expect(Math.abs(rig.at(name).sub(start).dot(normal)), `seed ${seed}`).toBeLessThan(2 * PLACE);
    }
  });

  it('approach the target below a non-uniformly scaled parent', async () => {
    const rig = await new RigWords([
      { name: 'root', q: about(v(0, 0, 1), 30), s: v(1, 1.6, 0.8) },
      { name: 'thigh', under: 'root', p: v(0, 2, 0) },
      { name: 'knee', under: 'thigh', p: v(0, -1, 0.1) },
      { name: 'ankle', under: 'knee', p: v(0, -1, 0) },
      { name: 'target', under: 'root', p: v(0.5, 0.9, 0.4) },
    ])
      .add('ikhd', links)
      .solved();
    expect(rig.at('ankle').distanceTo(rig.at('target'))).toBeLessThan(PLACE);
  });

  /**
   * A leg with non-uniformly scaled bones, whose segments change their lengths as they rotate.
   */
  const uneven = (more: Links = {}, bones: BoneWords[] = []): RigWords =>
    new RigWords([
      { name: 'root' },
      { name: 'thigh', under: 'root', p: v(0, 2, 0), s: v(1, 1.1, 0.9) },
      { name: 'knee', under: 'thigh', p: v(0, -1, 0.2) },
      { name: 'ankle', under: 'knee', p: v(0, -1, 0) },
      { name: 'target', under: 'root', p: v(0.6, 0.9, 0.7) },
      ...bones,
    ]).add('ikhd', { ...links, ...more });

  it('reach the target with non-uniformly scaled bones', async () => {
    const rig = await uneven().solved();
    expect(rig.at('ankle').distanceTo(rig.at('target'))).toBeLessThan(PLACE);
  });

  it('apply the twist once in repeated iterations', async () => {
    /** Returns the direction from the line between thigh and ankle to the knee. */
    const kneeOff = async (degrees: number): Promise<{ knee: Vector3; line: Vector3 }> => {
      const rig = await uneven({ pb: 'twister' }, [{ name: 'twister', under: 'root', q: about(v(1, 0, 0), degrees) }]).solved();
      const line = rig.at('ankle').sub(rig.at('thigh')).normalize();
      const knee = rig.at('knee').sub(rig.at('thigh'));
      return { knee: knee.addScaledVector(line, -knee.dot(line)).normalize(), line };
    };
    const [plain, twisted] = [await kneeOff(0), await kneeOff(40)];
    expect(plain.line.angleTo(twisted.line)).toBeLessThan(1e-3);
    const angle = (plain.knee.applyAxisAngle(plain.line, (40 * Math.PI) / 180).angleTo(twisted.knee) * 180) / Math.PI;
    expect(angle).toBeLessThan(3);
  });

  it('keep the rest pose below a parent with a singular matrix', async () => {
    const rig = await new RigWords([
      { name: 'root', s: v(1, 0, 1) },
      { name: 'thigh', under: 'root', p: v(0, 2, 0), q: about(v(1, 0, 0), 10) },
      { name: 'knee', under: 'thigh', p: v(0, -1, 0.1), q: about(v(1, 0, 0), 20) },
      { name: 'ankle', under: 'knee', p: v(0, -1, 0) },
      { name: 'target', under: 'root', p: v(0.5, 0.9, 0.4) },
    ])
      .add('ikhd', links)
      .solved();
    const { pose } = rig.animator;
    const { rotations } = pose.shape.scene.nodes;
    for (let i = 0; i < rotations.length; i++) expect(pose.rotations[i]).toBeCloseTo(rotations[i]!, 6);
  });

  it('without a target use a goal in the space of the skeleton’s parent, and are enabled', async () => {
    const bones = (): RigWords =>
      new RigWords([
        { name: 'root' },
        { name: 'thigh', under: 'root', p: v(0, 4, 0) },
        { name: 'knee', under: 'thigh', p: v(0, -1, 0.05) },
        { name: 'ankle', under: 'knee', p: v(0, -1, -0.05) },
      ]).add('ikhd', { sb: 'thigh', eb: 'ankle' }, { to: ['3v', [0.3, 2.8, 0.4]] });
    let isOn: boolean[] = [];
    const rig = await bones().solved(({ parts }) => (isOn = parts.map(part => part.isOn)));
    expect(isOn).toEqual([true]);
    expect(rig.at('ankle').distanceTo(v(0.3, 2.8, 0.4))).toBeLessThan(PLACE);
    const words = bones();
    const moved = await words.solved(() => {}, await words.scene('y', { p: ['3v', [7, 0, 0]] }));
    expect(moved.at('ankle').distanceTo(v(7.3, 2.8, 0.4))).toBeLessThan(PLACE);
  });

  it('are enabled if the chain ends at the exported zero', async () => {
    let isOn: boolean[] = [];
    await new RigWords([
      { name: 'root' },
      { name: 'thigh', under: 'root', p: v(0, 2, 0) },
      { name: 'knee', under: 'thigh', p: v(0, -1, 0) },
      { name: 'ankle', under: 'knee', p: v(0, -1.01, 0) },
      { name: 'zero', under: 'root' },
    ])
      .add('ikhd', { sb: 'thigh', eb: 'ankle', tb: 'zero' })
      .solved(({ parts }) => (isOn = parts.map(part => part.isOn)));
    expect(isOn).toEqual([true]);
  });

  it('use targets moved by earlier constraints, and affect later ones', async () => {
    const rig = await leg([
      { name: 'control', under: 'root', p: v(0, 0.8, 0.3) },
      { name: 'shoe', under: 'root' },
    ])
      .add('cnst', { cb: 'target', tb: 'control' }, { ct: ['s', 'pt'] })
      .add('ikhd', { ...links, pv: 'pole' })
      .add('cnst', { cb: 'shoe', tb: 'ankle' }, { ct: ['s', 'pt'] })
      .solved();
    expect(rig.at('shoe').distanceTo(v(0, 0.8, 0.3))).toBeLessThan(PLACE);
  });

  it('give the same pose in repeated evaluations', async () => {
    const rig = await leg()
      .add('cnst', { cb: 'pole', tb: 'ankle' }, { ct: ['s', 'pt'], wt: ['f', [0.5]] })
      .add('ikhd', { ...links, pv: 'pole' })
      .solved();
    const first = [...rig.animator.pose.rotations, ...rig.animator.pose.translations];
    rig.animator.evaluate(0.1);
    expect([...rig.animator.pose.rotations, ...rig.animator.pose.translations]).toEqual(first);
  });

  it('with incomplete chains are ignored', async () => {
    const rig = await leg()
      .add('ikhd', { sb: 'ankle', eb: 'thigh', tb: 'target' })
      .add('cnst', { cb: 'pole', tb: 'target' }, { ct: ['s', 'pt'] })
      .solved(({ parts }) => expect(parts.map(({ kind }) => kind)).toEqual(['constraint']));
    expect(rig.at('pole').distanceTo(v(0, 0.6, 0.4))).toBeLessThan(PLACE);
  });
});
