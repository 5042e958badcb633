// Skeletons for tests: bones with positions and random axes, their poses and clips.
import { Quaternion, Vector3 } from 'three';
import type { Clip, RigScene, Track } from '../../web/src/core/types.ts';

/** Name of a body part. Parts of the spine and of fingers have a number. */
export type Part = string;

export interface TestBone {
  part: Part;
  parent: number;
  /** World position in the T-pose, before the body is rotated by `yaw`. */
  place: Vector3;
  axes: Quaternion;
}

export interface SkeletonDesign {
  bones: readonly Omit<TestBone, 'axes'>[];
  /** Returns the bone name of a body part (default: the name of the part). */
  nameOf?: ((part: Part) => string) | undefined;
  /** Seed of the random bone axes; 0 for world axes. */
  axes?: number;
  /** Rotation of the body about +Y in the rest pose, in degrees. */
  yaw?: number;
  /** World rotations of parts in the rest pose relative to the given positions. */
  rest?: ReadonlyMap<Part, Quaternion>;
}

/** A skeleton for tests. Its poses are world rotations of its parts relative to the given positions. */
export class TestSkeleton {
  readonly scene: RigScene;
  readonly bones: readonly TestBone[];
  readonly yaw: Quaternion;
  readonly #names: (part: Part) => string;

  constructor({ bones, nameOf = part => part, axes = 0, yaw = 0, rest = new Map() }: SkeletonDesign) {
    this.yaw = new Quaternion().setFromAxisAngle(new Vector3(0, 1, 0), (yaw * Math.PI) / 180);
    this.#names = nameOf;
    let state = axes;
    const random = (): number => ((state = (state * 16807 + 12345) % 2147483647) / 2147483647) * 2 - 1;
    this.bones = bones.map(bone => ({
      ...bone,
      axes: axes === 0 ? new Quaternion() : new Quaternion(random(), random(), random(), random()).normalize(),
    }));
    const { translations, rotations } = this.locals(rest, this.bones[0]!.place.clone());
    const count = this.bones.length + 1;
    this.scene = {
      asset: { name: 'body', metresPerUnit: 1 },
      scaleInheritance: 'matrix',
      nodes: {
        length: count,
        names: ['', ...this.bones.map(({ part }) => nameOf(part))],
        parents: Int32Array.from([-1, ...this.bones.map(({ parent }) => parent + 1)]),
        translations: Float32Array.from([0, 0, 0, ...translations.flatMap(v => v.toArray())]),
        rotations: Float32Array.from([0, 0, 0, 1, ...rotations.flatMap(q => q.toArray())]),
        scales: new Float32Array(3 * count).fill(1),
        bones: Int32Array.from({ length: count }, (_, row) => row - 1),
        visible: new Uint8Array(count).fill(1),
        segmentScaleCompensate: new Uint8Array(count),
        properties: new Map(),
      },
      meshes: [],
      renderers: [],
      skins: [],
      materials: [],
      textures: [],
      images: [],
      clips: [],
      lights: [],
      cameras: [],
      instances: [],
      features: [],
      expressions: [],
      references: [],
    };
  }

  row(part: Part): number {
    return this.bones.findIndex(bone => bone.part === part) + 1;
  }

  /**
   * Returns the local transforms of the body in a pose. `turns`: world rotations of its parts
   * relative to the T-pose; a part without a rotation inherits the rotation of its parent. `hips`:
   * position of the hips.
   */
  locals(turns: ReadonlyMap<Part, Quaternion>, hips: Vector3): { translations: Vector3[]; rotations: Quaternion[] } {
    const world: Quaternion[] = [];
    const since: Quaternion[] = [];
    const translations: Vector3[] = [];
    const rotations = this.bones.map(({ part, parent, place, axes }, i) => {
      since[i] = turns.get(part) ?? since[parent] ?? new Quaternion();
      world[i] = this.yaw.clone().multiply(since[i]!).multiply(axes);
      const above = this.bones[parent];
      translations.push(
        above ? place.clone().sub(above.place).applyQuaternion(above.axes.clone().invert()) : hips.clone().applyQuaternion(this.yaw),
      );
      return above ? world[parent]!.clone().invert().multiply(world[i]!) : world[i]!;
    });
    return { translations, rotations };
  }

  /** Builds a clip from poses of the body. `rate`: number of poses per second. */
  clip(
    name: string,
    seconds: number,
    rate: number,
    poseAt: (time: number) => { turns: ReadonlyMap<Part, Quaternion>; hips: Vector3 },
  ): Clip {
    const frames = Math.round(seconds * rate) + 1;
    const times = Float32Array.from({ length: frames }, (_, i) => i / rate);
    const poses = [...times].map(time => {
      const { turns, hips } = poseAt(time);
      return this.locals(turns, hips);
    });
    const track = (i: number, path: 'translation' | 'rotation', values: number[]): Track => ({
      target: this.#names(this.bones[i]!.part),
      property: '',
      occurrence: 0,
      node: -1,
      path,
      component: -1,
      interpolation: path === 'rotation' ? 'slerp' : 'linear',
      mode: 'absolute',
      before: 'hold',
      after: 'hold',
      blendWeight: 1,
      times,
      values: Float32Array.from(values),
    });
    const tracks = this.bones.map((_, i) =>
      track(
        i,
        'rotation',
        poses.flatMap(({ rotations }) => rotations[i]!.toArray()),
      ),
    );
    tracks.push(
      track(
        0,
        'translation',
        poses.flatMap(({ translations }) => translations[0]!.toArray()),
      ),
    );
    const table = { length: tracks.length, get: (i: number) => tracks[i]!, [Symbol.iterator]: () => tracks[Symbol.iterator]() };
    return { name, start: 0, duration: seconds, frameRate: rate, frameCount: frames, loop: true, tracks: table, events: [], overrides: [] };
  }
}
