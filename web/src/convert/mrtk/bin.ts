// Writes a recording as an MRTK file of version 1.1. Poses have linear curves, and states have
// stepped curves (docs/formats/mrtk-input-animation.md section 2).
import { numberAt } from '../../core/math/column.ts';
import type { Extrapolation } from '../../core/types.ts';
import { blankPose, type NumberCurve, type Recording } from './recording.ts';

const MAGIC = [0x0f_9e_42_c6, 0x6a_8f_af_6e] as const;
const WRAPS: Readonly<Record<Extrapolation, number>> = { hold: 8, loop: 2, pingPong: 4 };

export function binOf({ head, hands, gaze, markers }: Recording): Uint8Array<ArrayBuffer> {
  const curves: NumberCurve[] = [...(head ?? [])];
  if (hands) {
    curves.push(...hands.map(({ tracked }) => tracked), ...hands.map(({ pinching }) => pinching));
    for (const { joints } of hands) for (const joint of joints) curves.push(...(joint.length === 7 ? joint : blankPose()));
  }
  curves.push(...(gaze ?? []));
  const names = markers.map(({ time, name }) => ({ time, name: new TextEncoder().encode(name) }));
  const size =
    23 +
    curves.reduce((sum, { times }) => sum + 12 + 8 * times.length, 0) +
    names.reduce((sum, { name }) => sum + 4 + digits(name.length).length + name.length, 0);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  let at = 0;
  const u32 = (value: number): void => view.setUint32((at += 4) - 4, value, true);
  const f32 = (value: number): void => view.setFloat32((at += 4) - 4, value, true);
  for (const word of [...MAGIC, 1, 1]) u32(word);
  for (const part of [head, hands, gaze]) bytes[at++] = part ? 1 : 0;
  for (const { times, values, before, after } of curves) {
    for (const word of [WRAPS[before], WRAPS[after], times.length]) u32(word);
    for (const [i, time] of times.entries()) {
      f32(time);
      f32(numberAt(values, i));
    }
  }
  u32(names.length);
  for (const { time, name } of names) {
    f32(time);
    for (const digit of digits(name.length)) bytes[at++] = digit;
    bytes.set(name, at);
    at += name.length;
  }
  return bytes;
}

/** Encodes a string length in groups of seven bits, starting with the lowest bits. */
function digits(length: number): number[] {
  const made = [];
  let rest = length;
  for (; rest > 0x7f; rest >>>= 7) made.push((rest & 0x7f) | 0x80);
  return [...made, rest];
}
