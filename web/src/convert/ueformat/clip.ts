// Writes animations (docs/formats/ueformat.md section 4).
import { numberAt } from '../../core/math/column.ts';
import { dotAt } from '../../core/math/quaternion.ts';
import { numberIn } from '../../core/properties.ts';
import type { RigScene, Track } from '../../core/types.ts';
import { CurveCursor } from '../../rig/curve.ts';
import { Layer } from '../../rig/layer.ts';
import { Pose, PoseShape } from '../../rig/pose.ts';
import { isKept } from '../common/frames.ts';
import { type ActorXBones, rotationOf, translationOf } from '../unreal/bones.ts';
import type { Sequence } from '../unreal/psa.ts';
import type { UeBytes } from './bytes.ts';
import { direction, position, rotation, UNIT32 } from './space.ts';

const PATHS = ['translation', 'rotation', 'scale'] as const;
type Path = (typeof PATHS)[number];

export interface ClipSource {
  sequence: Sequence;
  scene: RigScene;
  bones: ActorXBones;
  /** True if the model contains the scales of bones. Otherwise keys are relative to them. */
  hasScales: boolean;
}

export function writeClip(bytes: UeBytes, source: ClipSource): void {
  const { sequence, bones } = source;
  const { clip, frames, frameRate, shapes } = sequence;
  const channels = sampled(source);
  const { properties } = clip;
  const path = properties?.['refPosePath'];
  bytes.set(() => {
    bytes.single('METADATA', () => {
      bytes
        .u32(frames)
        .f32(frameRate)
        .string(typeof path === 'string' ? path : '');
      bytes.u8(numberIn(properties, 'additiveType', 0)).u8(numberIn(properties, 'refPoseType', 0));
      bytes.u32(numberIn(properties, 'refFrame', 0));
    });
    const moved = [...channels.keys()];
    if (moved.length > 0)
      bytes.array('TRACKS', moved.length, () => {
        for (const [bone, own] of channels) {
          bytes.string(bones.names[bone]!);
          for (const path of PATHS) {
            const channel = own[path];
            if (channel) channel.write(bytes);
            else bytes.u32(0);
          }
        }
      });
    if (shapes.size > 0)
      bytes.array('CURVES', shapes.size, () => {
        for (const [name, track] of shapes) writeCurve(bytes, name, track, sequence);
      });
  });
}

/** Samples a clip at every frame. Returns the animated channels by the index of their bone. */
function sampled({ sequence, scene, bones, hasScales }: ClipSource): Map<number, Partial<Record<Path, Channel>>> {
  const { tracks, frames, frameRate, moved } = sequence;
  const channels = new Map<number, Partial<Record<Path, Channel>>>();
  for (const [bone, row] of bones.rows.entries())
    for (const path of PATHS) {
      if (!moved.has(`${path} ${row}`)) continue;
      const own = channels.get(bone) ?? {};
      channels.set(bone, own);
      own[path] = new Channel(path === 'rotation');
    }
  const shape = new PoseShape(scene);
  const [layer, pose] = [new Layer(shape, tracks), new Pose(shape)];
  const rest = pose.scales.slice();
  for (let frame = 0; frame < frames; frame++) {
    pose.reset();
    layer.time = Math.fround(frame / frameRate); // rounded to float32 like key times
    layer.apply(pose);
    for (const [bone, { translation, rotation: turn, scale }] of channels) {
      const row = numberAt(bones.rows, bone);
      const scales = bones.ancestorScales?.subarray(3 * bone, 3 * bone + 3);
      translation?.add(frame, position(translationOf(bones, bone, pose.translations.subarray(3 * row, 3 * row + 3)), 0, UNIT32, scales));
      turn?.add(frame, rotation(rotationOf(bones, bone, pose.rotations.subarray(4 * row, 4 * row + 4)), 0));
      if (!scale) continue;
      const own = pose.scales.slice(3 * row, 3 * row + 3);
      if (!hasScales) for (let c = 0; c < 3; c++) own[c]! /= rest[3 * row + c] || 1;
      scale.add(frame, direction(own, 0));
    }
  }
  return channels;
}

/** Difference of quaternion components that is not written. It corresponds to 0.0001 degrees. */
const SAME = 1e-6;

/**
 * Keys of one value. Frames that repeat the value of the key before are left out, except the last
 * one of them: some readers interpolate over the pause, and others hold the value
 * (docs/formats/ueformat.md section 4.2).
 */
class Channel {
  readonly #isRotation: boolean;
  readonly #frames: number[] = [];
  readonly #values: number[] = [];
  #last: readonly number[] = [];

  constructor(isRotation: boolean) {
    this.#isRotation = isRotation;
  }

  add(frame: number, value: number[]): void {
    if (this.#isRotation && this.#frames.length > 0 && dotAt(value, 0, this.#last, 0) < 0) value = value.map(number => -number + 0);
    const last = this.#last;
    const tolerance = this.#isRotation ? SAME : 0;
    if (this.#frames.length > 0 && value.every((number, i) => Math.abs(Math.fround(number) - last[i]!) <= tolerance)) return;
    if (frame - 1 > (this.#frames.at(-1) ?? frame)) this.#push(frame - 1, last);
    this.#push(frame, value.map(Math.fround));
  }

  #push(frame: number, value: readonly number[]): void {
    this.#frames.push(frame);
    this.#values.push(...value);
    this.#last = value;
  }

  write(bytes: UeBytes): void {
    const width = this.#isRotation ? 4 : 3;
    bytes.u32(this.#frames.length);
    for (const [i, frame] of this.#frames.entries()) bytes.u32(frame).floats(this.#values.slice(width * i, width * i + width));
  }
}

/**
 * Writes a curve. Readers interpolate its keys linearly. A curve that is not linear has a key at
 * every frame.
 */
function writeCurve(bytes: UeBytes, name: string, track: Track, { frames, frameRate }: Sequence): void {
  bytes.string(name);
  const { times, values } = track;
  if (isKept(track, frameRate, true)) {
    bytes.u32(times.length);
    for (const [i, time] of times.entries()) bytes.u32(Math.round(time * frameRate)).f32(numberAt(values, i));
    return;
  }
  const cursor = new CurveCursor({ ...track, width: 1 });
  const value = new Float32Array(1);
  bytes.u32(frames);
  for (let frame = 0; frame < frames; frame++) {
    cursor.evaluate(Math.fround(frame / frameRate), value, 0);
    bytes.u32(frame).f32(value[0]!);
  }
}
