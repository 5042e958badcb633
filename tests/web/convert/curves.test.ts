// Converts curves of every kind, with every extrapolation, to every target. Checks which of them
// are written exactly and which are sampled, and compares the poses of the result with those of the
// source.
import { describe, expect, it } from 'vitest';
import type { RigFile } from '../../../web/src/core/index.ts';
import { SEGMENT_KINDS } from '../../../web/src/core/description.ts';
import type { Extrapolation, Track } from '../../../web/src/core/types.ts';
import { armScene, clip, f32, track } from '../../support/armScene.ts';
import { scaledTriangle } from '../../support/castRigs.ts';
import { converted, parse, posesOf } from '../../support/convertedPoses.ts';
import { contentOf } from '../../support/glbContent.ts';
import { farthest } from '../../support/samePose.mjs';

type Over = Partial<Track>;

const kindsOf = (...names: (typeof SEGMENT_KINDS)[number][]): Uint8Array => Uint8Array.from(names, name => SEGMENT_KINDS.indexOf(name));

/**
 * Returns the in-tangents and out-tangents of three keys with `width` components. The values are
 * -1, 0 and 1.
 */
const slopes = (width: number): Float32Array => Float32Array.from({ length: 6 * width }, (_, i) => (i % 3) - 1);
const weights = (width: number, weight: number): Float32Array => new Float32Array(6 * width).fill(weight);

const TRANSLATIONS: Record<string, Over> = {
  step: { interpolation: 'step' },
  linear: { interpolation: 'linear' },
  hermite: { interpolation: 'hermite', tangents: slopes(3) },
  bezier: { interpolation: 'bezier', tangents: slopes(3) },
  'bezier of thirds': { interpolation: 'bezier', tangents: slopes(3), weights: weights(3, 1 / 3) },
  'weighted bezier': { interpolation: 'bezier', tangents: slopes(3), weights: weights(3, 0.6) },
  'linear, then hermite': { interpolation: 'perKey', kinds: kindsOf('linear', 'hermite', 'linear'), tangents: slopes(3) },
  'step, then linear': { interpolation: 'perKey', kinds: kindsOf('step', 'linear', 'linear') },
};
const ROTATIONS: Record<string, Over> = {
  step: { interpolation: 'step' },
  slerp: { interpolation: 'slerp' },
  linear: { interpolation: 'linear' },
  'slerp, then step': { interpolation: 'perKey', kinds: kindsOf('slerp', 'step', 'slerp') },
};

const END = 1;
/** Times of the keys, over the whole clip or only in the middle of the clip. */
const KEYS = { whole: f32(0, 0.5, END), middle: f32(0.2, 0.4, 0.6) };
const PLACES = f32(0, 1, 0, 0.5, 1, 0.5, -0.25, 1.5, 0);
const TURNS = f32(0, 0, 0, 1, 0.3, 0.1, -0.2, Math.sqrt(0.86), -0.1, 0.2, 0.1, Math.sqrt(0.94));

interface Case {
  kind: string;
  path: 'translation' | 'rotation';
  outside: Extrapolation;
  keys: keyof typeof KEYS;
  over: Over;
}

const CASES: Case[] = (['hold', 'loop', 'pingPong'] as const).flatMap(outside =>
  (['whole', 'middle'] as const).flatMap(keys => [
    ...Object.entries(TRANSLATIONS).map(([kind, over]): Case => ({ kind, path: 'translation', outside, keys, over })),
    ...Object.entries(ROTATIONS).map(([kind, over]): Case => ({ kind, path: 'rotation', outside, keys, over })),
  ]),
);

/**
 * True if glTF can store the curve exactly: each segment is step, linear, slerp or cubic, and the
 * curve is constant where it has no keys.
 */
const isExactGltf = ({ kind, outside, keys }: Case): boolean =>
  (keys === 'whole' || outside === 'hold') &&
  ['step', 'slerp', 'linear', 'hermite', 'bezier', 'bezier of thirds', 'linear, then hermite'].includes(kind);

/** True if all segments are steps or linear, so that sampling causes no error. */
const isPieceOfLines = ({ kind }: Case): boolean => ['step', 'linear', 'step, then linear'].includes(kind);

/**
 * True if the curve is interpolated in the same way as between frames: along the arc for rotations,
 * otherwise linearly.
 */
const isExactFrames = ({ kind, path, outside }: Case): boolean => outside === 'hold' && kind === (path === 'rotation' ? 'slerp' : 'linear');

async function fileOf({ path, outside, keys, over }: Case): Promise<RigFile> {
  const values = path === 'rotation' ? TURNS : PLACES;
  const curve = track({ target: 'up/per', path, times: KEYS[keys], values, before: outside, after: outside, ...over });
  const opened = await parse('side.cast', scaledTriangle([1, 1, 1]));
  return {
    ...opened,
    name: 'arm.vgo',
    format: 'vgo',
    scene: armScene({ clips: [{ ...clip('move', END, curve), frameRate: 30 }], features: [] }),
  };
}

/**
 * Returns the number of keys of the only curve in a GLB. If the three keys do not reach the end of
 * the clip, a fourth key is added there.
 */
function keysOf(bytes: Uint8Array): number {
  const { accessors, animations } = contentOf(bytes).json as unknown as {
    accessors: { count: number }[];
    animations: { samplers: { input: number }[] }[];
  };
  return accessors[animations[0]!.samplers[0]!.input]!.count;
}

/** Times between frames, chosen so that no step occurs at any of them. */
const TIMES = Array.from({ length: 47 }, (_, i) => 0.004 + i / 48.1);

/** True if the curve has a jump. Formats without steps store it as a line within one frame. */
const isStepped = ({ kind, keys, outside }: Case): boolean => /step/.test(kind) || (outside === 'loop' && keys === 'middle');

describe.each(['glb', 'cast', 'se', 'psa', 'uemodel', 'vgo'] as const)('as %s', to => {
  it.each(CASES.map(each => [`${each.path}, ${each.kind}, ${each.outside} outside, keys ${each.keys}`, each] as const))(
    '%s',
    async (_, each) => {
      const file = await fileOf(each);
      const source = await posesOf(file, null, TIMES);
      const { made, poses } = await converted([file], to, TIMES);
      const codes = made.report.items.map(({ code }) => code);
      const told = made.report.items
        .filter(({ code }) => ['CLIP_BAKED', 'CURVES_SAMPLED'].includes(code))
        .reduce((sum, { amount }) => sum + amount, 0);
      const isExact = to === 'vgo' || (to === 'glb' ? isExactGltf(each) : isExactFrames(each));
      const isSampled = to === 'glb' ? keysOf(made.files[0]!.bytes) > (each.keys === 'whole' ? 3 : 4) : codes.includes('CURVES_SAMPLED');
      if (to !== 'glb' || each.path === 'translation') expect(isSampled).toBe(!isExact);
      if (to === 'glb' && !isPieceOfLines(each) && each.path === 'translation') expect(codes.includes('CLIP_BAKED')).toBe(!isExact);
      const gaps = source.map((pose, k) => farthest(pose, poses![k]!)).map(({ bones }) => bones);
      if (!isStepped(each) || to === 'glb') expect(Math.max(...gaps)).toBeLessThan(told + 1e-3);
      // A jump that is stored as a line only causes an error within one frame.
      else expect(gaps.filter(gap => gap > told + 1e-3).length).toBeLessThan(0.2 * gaps.length);
    },
  );
});
