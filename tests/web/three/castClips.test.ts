// Cast animations, played as on a page with three.js: `mixer.clipAction(rig.animations[i])`. The
// expected values are computed with the formulas in docs/formats/cast.md, section 3.5.
import {
  AdditiveAnimationBlendMode,
  AnimationClip,
  AnimationMixer,
  AnimationUtils,
  LoopOnce,
  LoopRepeat,
  type Mesh,
  NormalAnimationBlendMode,
  Quaternion,
  Vector3,
} from 'three';
import { describe, expect, it } from 'vitest';
import { CLIP_TOLERANCE, type Rig, RigcastLoader, samplePoses } from '../../../web/src/three/index.ts';
import { castFile, type CastNode, model, node, triangle } from '../../support/castFile.ts';

type Mode = 'absolute' | 'relative' | 'additive';
const REST = { place: new Vector3(0, 1, 0), size: new Vector3(1, 2, 1) };

const bone = (name: string, parent = -1): CastNode =>
  node('bone', {
    n: ['s', name],
    p: ['i', [parent >>> 0]],
    lp: ['3v', REST.place.toArray()],
    lr: ['4v', [0, 0, 0, 1]],
    s: ['3v', REST.size.toArray()],
  });
const curve = (name: string, kp: string, mode: Mode, values: readonly number[] | readonly Quaternion[], ab?: number): CastNode => {
  const flat = values.flatMap(value => (typeof value === 'number' ? [value] : value.toArray()));
  return node('curv', {
    nn: ['s', name],
    kp: ['s', kp],
    kb: ['b', values.map((_, i) => 10 * i)],
    kv: [kp === 'rq' ? '4v' : kp === 'vb' ? 'b' : 'f', flat],
    m: ['s', mode],
    ...(ab !== undefined && { ab: ['f', [ab]] }),
  });
};
/** Returns an animation with ten frames per second. Its keys are one second apart. */
const motion = (...curves: CastNode[]): CastNode => node('anim', { n: ['s', 'm'], fr: ['f', [10]] }, ...curves);
const open = (...nodes: CastNode[]): Promise<Rig> => new RigcastLoader().parseAsync(castFile(...nodes), '', 'm.cast');
const oneBone = (...curves: CastNode[]): Promise<Rig> => open(model('m', node('skel', {}, bone('b'))), motion(...curves));

interface Stand {
  position: Vector3;
  quaternion: Quaternion;
  scale: Vector3;
}

/** Returns the local transform of a bone. */
const standing = (rig: Rig, name = 'b'): Stand => {
  const { position, quaternion, scale } = rig.nodes.find(({ userData }) => userData['name'] === name)!;
  return { position: position.clone(), quaternion: quaternion.clone(), scale: scale.clone() };
};

/** Returns the local transform of a bone after an AnimationClip was played on a separate mixer. */
function played(rig: Rig, clip: AnimationClip, time: number, name = 'b'): Stand {
  const mixer = new AnimationMixer(rig.scene);
  mixer.clipAction(clip).play();
  mixer.setTime(time);
  const stand = standing(rig, name);
  mixer.stopAllAction();
  return stand;
}

const about = (axis: 'x' | 'y' | 'z', degrees: number): Quaternion =>
  new Quaternion().setFromAxisAngle(new Vector3(+(axis === 'x'), +(axis === 'y'), +(axis === 'z')), (degrees * Math.PI) / 180);
const slerp = (a: Quaternion, b: Quaternion, t: number): Quaternion => a.clone().slerp(b, t);
/** Returns the angle between two rotations. Also accurate for small angles. */
const angleBetween = (a: Quaternion, b: Quaternion): number => {
  const { x, y, z } = a.clone().conjugate().multiply(b);
  return 2 * Math.asin(Math.min(1, Math.hypot(x, y, z)));
};
const close = (
  got: Stand,
  wanted: { position?: readonly number[]; scale?: readonly number[]; quaternion?: Quaternion },
  within = 5e-6,
): void => {
  const near = (value: number, to: number, what: string): void => expect(Math.abs(value - to), what).toBeLessThan(within);
  for (const [i, value] of wanted.position?.entries() ?? []) near(got.position.getComponent(i), value, `position ${i}`);
  for (const [i, value] of wanted.scale?.entries() ?? []) near(got.scale.getComponent(i), value, `scale ${i}`);
  if (wanted.quaternion) near(0.5 * angleBetween(got.quaternion, wanted.quaternion), 0, 'radians off');
};

describe('a clip with absolute and additive curves', () => {
  const turnFrom = about('y', 20);
  const turnTo = about('y', 80);
  const tilt = about('x', 40);
  const tiltTo = about('z', -100);
  for (const weight of [undefined, 0.5, 0, 1, 1.5, -1]) {
    it(`plays completely with rig.animations, bind and AnimationMixer, weight ${weight ?? 'absent'}`, async () => {
      const a = weight ?? 1;
      const rig = await oneBone(
        curve('b', 'tx', 'absolute', [1, 3]),
        curve('b', 'tx', 'additive', [0.5, 1], weight),
        curve('b', 'sy', 'absolute', [2, 4]),
        curve('b', 'sy', 'additive', [1, 3], weight),
        curve('b', 'rq', 'absolute', [turnFrom, turnTo]),
        curve('b', 'rq', 'additive', [tilt, tiltTo], weight),
        curve('b', 'tz', 'additive', [4, 8], weight),
      );
      for (const t of [0, 0.25, 0.5, 0.9]) {
        const wanted = {
          position: [1 + 2 * t + a * (0.5 + 0.5 * t), 1, a * (4 + 4 * t)],
          scale: [1, (2 + 2 * t) * (1 + a * (1 + 2 * t - 1)), 1],
          quaternion: slerp(turnFrom, turnTo, t).multiply(slerp(new Quaternion(), slerp(tilt, tiltTo, t), a)),
        };
        for (const clip of [rig.animations[0]!, rig.bind(rig.file.scene!.clips).animations[0]!])
          close(played(rig, clip, t), wanted, 10 * CLIP_TOLERANCE);
        const [pose] = samplePoses(rig, { clips: rig.clips, times: [t] });
        const at = pose!.nodes.find(({ name }) => name === 'b')!;
        expect(at.position.map((value, i) => value - wanted.position[i]!).every(off => Math.abs(off) < 1e-5)).toBe(true);
      }
      expect(rig.animations[0]!.blendMode).toBe(NormalAnimationBlendMode);
    });
  }

  it('adds to the rest pose if a value has only additive curves', async () => {
    const rig = await oneBone(
      curve('b', 'tx', 'absolute', [1, 1]),
      curve('b', 'ty', 'additive', [2, 2]),
      curve('b', 'sy', 'additive', [3, 3], 0.5),
      curve('b', 'rq', 'additive', [tilt, tilt], 0.5),
    );
    close(played(rig, rig.animations[0]!, 0.5), { position: [1, 3, 0], scale: [1, 4, 1], quaternion: about('x', 20) });
  });
});

describe('the time range of a clip', () => {
  const late = (loop: number): CastNode =>
    node(
      'anim',
      { n: ['s', 'm'], fr: ['f', [10]], lo: ['b', [loop]] },
      node('curv', { nn: ['s', 'b'], kp: ['s', 'tx'], kb: ['b', [100, 130]], kv: ['f', [1, 4]], m: ['s', 'absolute'] }),
    );

  it('starts at the first key, and loops or clamps at the end as declared', async () => {
    for (const [loop, wanted] of [
      [0, LoopOnce],
      [1, LoopRepeat],
    ] as const) {
      const rig = await open(model('m', node('skel', {}, bone('b'))), late(loop));
      const [motion] = rig.clips;
      expect([motion!.start, motion!.duration, motion!.animationClip.userData['start']]).toEqual([10, 13, 10]);
      const action = motion!.clipAction(rig.mixer);
      expect([action.loop, action.time, action.clampWhenFinished]).toEqual([wanted, 10, loop === 0]);
      action.play();
      rig.mixer.update(1);
      expect(standing(rig).position.x).toBeCloseTo(2, 5);
      rig.mixer.update(60);
      if (loop === 0) expect(standing(rig).position.x).toBeCloseTo(4, 5);
    }
  });
});

describe('several curves of one value', () => {
  it('accumulate in file order if they are additive', async () => {
    const [x30, y30] = [about('x', 30), about('y', 30)];
    const rig = await oneBone(
      curve('b', 'tx', 'additive', [1, 1]),
      curve('b', 'tx', 'additive', [2, 4]),
      curve('b', 'rq', 'additive', [x30, x30]),
      curve('b', 'rq', 'additive', [y30, y30]),
      curve('b', 'sz', 'additive', [2, 2]),
      curve('b', 'sz', 'additive', [3, 3], 0.5),
    );
    expect(rig.animations[0]!.blendMode).toBe(AdditiveAnimationBlendMode);
    for (const t of [0, 0.5, 0.9])
      close(played(rig, rig.animations[0]!, t), {
        position: [3 + 2 * t, 1, 0],
        quaternion: x30.clone().multiply(y30),
        scale: [1, 2, 2 * 2],
      });
  });

  it('use only the last absolute curve of a component', async () => {
    const rig = await oneBone(
      curve('b', 'tx', 'absolute', [1, 3]),
      curve('b', 'ty', 'absolute', [5, 5]),
      curve('b', 'tx', 'absolute', [10, 30]),
      curve('b', 'vb', 'absolute', [0, 0]),
    );
    close(played(rig, rig.animations[0]!, 0.5), { position: [20, 5, 0] });
    const turned = await oneBone(
      curve('b', 'rq', 'absolute', [about('x', 30), about('x', 30)]),
      curve('b', 'rq', 'absolute', [about('y', 50), about('y', 50)]),
    );
    close(played(turned, turned.animations[0]!, 0.5), { quaternion: about('y', 50) });
  });
});

describe('an additive clip', () => {
  it('interpolates a rotation before applying the weight', async () => {
    const [from, to] = [about('x', 150), about('y', 150)];
    const rig = await oneBone(curve('b', 'rq', 'additive', [from, to], 0.5));
    for (const t of [0, 0.25, 0.5, 0.9])
      close(played(rig, rig.animations[0]!, t), { quaternion: slerp(new Quaternion(), slerp(from, to, t), 0.5) });
  });

  it('is blended additively by three.js, with the scale difference on the rest pose', async () => {
    const rig = await open(
      model('m', node('skel', {}, bone('b'))),
      motion(curve('b', 'tx', 'absolute', [4, 4]), curve('b', 'sy', 'absolute', [3, 3])),
      motion(curve('b', 'tx', 'additive', [2, 2], 0.5), curve('b', 'sy', 'additive', [3, 3], 0.5), curve('b', 'vb', 'absolute', [1, 1])),
    );
    const [base, layer] = rig.animations.map(clip => rig.mixer.clipAction(clip).play());
    rig.update(0);
    close(standing(rig), { position: [5, 1, 0], scale: [1, 5, 1] });
    layer!.setEffectiveWeight(0.5);
    rig.update(0);
    close(standing(rig), { position: [4.5, 1, 0], scale: [1, 4, 1] });
    base!.stop();
    layer!.stop();
  });
});

describe('a clip changed by utilities of three.js', () => {
  const [from, to] = [about('x', 150), about('y', 150)];
  /**
   * Returns a rig and its clip, which has tracks that three.js plays exactly, and tracks that are
   * sampled from several curves.
   */
  const rich = async (): Promise<[Rig, AnimationClip]> => {
    const rig = await oneBone(
      curve('b', 'rq', 'absolute', [from, to]),
      curve('b', 'rq', 'additive', [about('z', 10), about('z', 90)], 0.5),
      curve('b', 'tx', 'absolute', [0, 1, 5]),
      curve('b', 'ty', 'absolute', [2, 7]),
      curve('b', 'sx', 'absolute', [1, 2]),
      curve('b', 'sy', 'absolute', [1, 2]),
      curve('b', 'sz', 'absolute', [1, 2]),
      curve('b', 'sx', 'additive', [1, 3]),
    );
    return [rig, rig.animations[0]!];
  };
  const times = [0, 0.3, 0.5, 0.95];
  const same = (got: Stand, wanted: Stand, within = 1e-5): void => {
    expect(got.position.distanceTo(wanted.position)).toBeLessThan(within);
    expect(got.scale.distanceTo(wanted.scale)).toBeLessThan(within);
    expect(angleBetween(got.quaternion, wanted.quaternion)).toBeLessThan(within);
  };

  it('keeps its values after clone, shift, scale, trim, optimize and subclip', async () => {
    const [rig, clip] = await rich();
    const moved = clip.clone();
    const slow = clip.clone();
    for (const track of moved.tracks) track.shift(3);
    for (const track of slow.tracks) track.scale(2).shift(1);
    moved.duration = slow.duration = 9;
    const trimmed = clip.clone();
    trimmed.duration = 1;
    trimmed.trim();
    for (const t of times) {
      const wanted = played(rig, clip, t);
      same(played(rig, clip.clone(), t), wanted);
      same(played(rig, clip.clone().optimize(), t), wanted);
      same(played(rig, moved, t + 3), wanted);
      same(played(rig, slow, 2 * t + 1), wanted);
      same(played(rig, trimmed, t), wanted);
    }
    expect(Math.max(...trimmed.tracks.map(track => track.times.at(-1)!))).toBe(1);
    const part = AnimationUtils.subclip(clip, 'part', 0, 11, 10);
    expect(part.duration).toBe(1);
    for (const t of times) same(played(rig, part, t), played(rig, clip, t));
  });

  it('plays identically after toJSON and parse', async () => {
    const [rig, clip] = await rich();
    const copy = AnimationClip.parse(JSON.parse(JSON.stringify(AnimationClip.toJSON(clip))));
    for (const t of times) same(played(rig, copy, t), played(rig, clip, t), 1e-3);
  });

  it('supports makeClipAdditive with a reference frame', async () => {
    const [rig, clip] = await rich();
    for (const frame of [0, 5]) {
      const reference = played(rig, clip, frame / 10);
      const rest = standing(rig);
      const layer = AnimationUtils.makeClipAdditive(clip.clone(), frame, clip, 10);
      for (const t of times) {
        const base = played(rig, clip, t);
        const wanted = {
          position: base.position.clone().sub(reference.position).add(rest.position),
          scale: base.scale.clone().sub(reference.scale).add(rest.scale),
          quaternion: rest.quaternion.clone().multiply(reference.quaternion.clone().conjugate().multiply(base.quaternion)),
        };
        same(played(rig, layer, t), wanted, 1e-3);
        same(played(rig, layer.clone(), t), wanted, 1e-3);
      }
    }
  });
});

describe('a blend shape', () => {
  /**
   * Returns a rig with a triangle and blend shapes. `shapes` contains their maximum weights by
   * name.
   */
  const shaped = async (shapes: Record<string, number | undefined>, ...curves: CastNode[]): Promise<Rig> => {
    const mesh = triangle('t');
    const made = Object.entries(shapes).map(([n, ts]) =>
      node('blsh', {
        n: ['s', n],
        b: ['l', mesh.hash],
        vi: ['b', [0]],
        vp: ['3v', [0, 0, 1]],
        ...(ts !== undefined && { ts: ['f', [ts]] }),
      }),
    );
    return open(model('m', mesh, ...made), motion(...curves));
  };

  it('exposes its maximum weight and clamps to it', async () => {
    const rig = await shaped(
      { smile: 2, blink: 0.5, plain: undefined },
      ...['smile', 'blink', 'plain'].map(name => curve(name, 'bs', 'absolute', [0, 4, 0])),
    );
    expect(rig.meshes[0]!.userData['morphs']).toEqual([
      { name: 'smile', maximum: 2 },
      { name: 'blink', maximum: 0.5 },
      { name: 'plain', maximum: 1 },
    ]);
    for (const t of [0, 0.125, 0.25, 0.5, 0.9, 1.1, 1.75, 2]) {
      const wanted = [2, 0.5, 1].map(most => Math.min(4 * t, 8 - 4 * t, most));
      const mixer = new AnimationMixer(rig.scene);
      mixer.clipAction(rig.animations[0]!).play();
      mixer.setTime(t);
      for (const [i, value] of wanted.entries()) expect(rig.meshes[0]!.morphTargetInfluences![i], `${i} at ${t}`).toBeCloseTo(value, 5);
      mixer.stopAllAction();
      const { values } = samplePoses(rig, { clips: rig.clips, times: [t] })[0]!;
      expect(Object.values(values).every((value, i) => Math.abs(value - wanted[i]!) < 1e-5)).toBe(true);
    }
  });
});

describe('the normals of a blend shape', () => {
  it('rotate with the faces around them, and stay unchanged without movement', async () => {
    // Two quads side by side in the XY plane. The blend shape folds the right quad up by 45 degrees
    // about the shared edge.
    const places = [0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 1, 0, 1, 1, 0, 2, 1, 0];
    const faces = [0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4];
    const mesh = node('mesh', {
      n: ['s', 'strip'],
      vp: ['3v', places],
      vn: ['3v', Array.from({ length: 18 }, (_, i) => Number(i % 3 === 2))],
      f: ['b', faces],
    });
    const folded = node('blsh', { n: ['s', 'fold'], b: ['l', mesh.hash], vi: ['b', [2, 5]], vp: ['3v', [2, 0, 1, 2, 1, 1]] });
    const rig = await open(model('m', mesh, folded));
    const [normals] = (rig.meshes[0] as Mesh).geometry.morphAttributes.normal!;
    const at = (v: number): number[] => [normals!.getX(v), normals!.getY(v), normals!.getZ(v)].map(value => Number(value.toFixed(4)));
    const s = Number(Math.SQRT1_2.toFixed(4));
    expect([at(0), at(3)]).toEqual([
      [0, 0, 0],
      [0, 0, 0],
    ]);
    for (const v of [2, 5]) expect(at(v)).toEqual([-s, 0, Number((Math.SQRT1_2 - 1).toFixed(4))]);
    expect(at(1)[0]).toBeLessThan(-0.2);
    const still = await new RigcastLoader()
      .setOptions({ morphNormals: false })
      .parseAsync(castFile(model('m', mesh, folded)), '', 'm.cast');
    expect((still.meshes[0] as Mesh).geometry.morphAttributes.normal).toBeUndefined();
  });
});

describe('clips with the same name', () => {
  it('get unique names and keep the original name in userData', async () => {
    const idle = (x: number): CastNode => node('anim', { n: ['s', 'idle'], fr: ['f', [10]] }, curve('b', 'tx', 'absolute', [x, x]));
    const rig = await open(
      model('m', node('skel', {}, bone('b'))),
      idle(1),
      idle(2),
      node('anim', { n: ['s', 'idle_2'], fr: ['f', [10]] }),
      idle(4),
    );
    expect(rig.animations.map(({ name }) => name)).toEqual(['idle', 'idle_3', 'idle_2', 'idle_4']);
    expect(rig.animations.map(({ userData }) => (userData as { name: string }).name)).toEqual(['idle', 'idle', 'idle_2', 'idle']);
    close(played(rig, AnimationClip.findByName(rig.animations, 'idle_3')!, 0), { position: [2, 1, 0] });
  });
});

describe('a clip that scales bones', () => {
  it('reports that dual quaternions ignore scale', async () => {
    const skinned = (sm: string): CastNode => triangle('t', 1, { sm: ['s', sm], mi: ['b', [1]], wb: ['b', [0, 0, 0]] });
    const told = async (sm: string, values: number[]) => {
      const rig = await open(model('m', node('skel', {}, bone('b')), skinned(sm)), motion(curve('b', 'sx', 'absolute', values)));
      return rig
        .bind(rig.file.scene!.clips)
        .report.findings.filter(({ code }) => code === 'SKINNING_SCALE')
        .map(({ severity, detail }) => [severity, detail]);
    };
    expect(await told('quaternion', [1, 2])).toEqual([['info', 'b']]);
    expect(await told('quaternion', [1, 1])).toEqual([]);
    expect(await told('linear', [1, 2])).toEqual([]);
  });
});

describe('a mesh in a pose', () => {
  it('reports its visibility', async () => {
    const rig = await open(model('m', triangle('a'), triangle('b')), motion(curve('a', 'vb', 'absolute', [1, 0])));
    const seen = (time: number) =>
      samplePoses(rig, { clips: rig.clips, times: [time] })[0]!.meshes.map(({ name, visible }) => [name, visible]);
    expect([seen(0), seen(1)]).toEqual([
      [
        ['a', true],
        ['b', true],
      ],
      [
        ['a', false],
        ['b', true],
      ],
    ]);
  });
});
