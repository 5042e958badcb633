// Binds a clip to a model with another skeleton. Bones are paired by name or by body part, as
// `createRetargeter` chooses.
import { bind, type BindByNameOptions, type BoundClip, type BoundTrack, someOf } from '../core/bind.ts';
import { finding, withFindings } from '../core/bindReport.ts';
import { lazyBoundClip } from '../core/bound.ts';
import { nameOf } from '../core/tree.ts';
import type { Clip, Finding, RigScene, Track } from '../core/types.ts';
import { nearestUnit } from './alignment.ts';
import { BoneRetargeter, isTransform } from './boneRetargeter.ts';
import { FaceRetargeter, withoutFace } from './faceRetargeter.ts';
import { bodyOf, handsOf } from './humanoid.ts';
import { BodyRetargeter } from './bodyRetargeter.ts';
import { type Retargeter, retargeterOf } from './retargeter.ts';
import { makeClip } from './table.ts';

/**
 * Binds a clip to the scene `to` and retargets it. `from`: scene that the clip was made for (see
 * `retargetFrom` in bind.ts). `method`: pass `names` to pair bones only by name. Never throws: the
 * report lists unmatched bones and all corrections.
 */
export function bindRetargeted(clip: Clip, from: RigScene, to: RigScene, options: BindByNameOptions = {}, method?: 'names'): BoundClip {
  const face = FaceRetargeter.of(clip, to);
  if (!face) return bindBody(clip, clip, from, to, options, method);
  const body = bindBody(clip, withoutFace(clip), from, to, options, method);
  const eyes = new Set(face.bones);
  const isEye = ({ node }: BoundTrack): boolean => node >= 0 && eyes.has(nameOf(to.nodes, node));
  return lazyBoundClip(
    clip,
    () => [...body.tracks.filter(track => !isEye(track)), ...bind(makeClip(clip, face.tracks()), to).tracks],
    () => {
      const { report } = body;
      const isNothing = ({ code }: Finding): boolean => code === 'BIND_NOTHING' && face.shown.length > 0;
      return withFindings(report, () => [...report.findings.filter(each => !isNothing(each)), ...lostFace(clip, face)], {
        face: [...face.shown],
        unmatched: [...report.unmatched, ...face.lost],
      });
    },
    () => body.additive,
  );
}

function lostFace({ name }: Clip, { lost }: FaceRetargeter): Finding[] {
  if (lost.length === 0) return [];
  return [{ code: 'BIND_UNMATCHED_TRACKS', severity: 'info', offset: null, path: name, detail: someOf(lost), count: lost.length }];
}

/** Binds and retargets the curves of bones. `bare`: the clip without expressions and gaze. */
function bindBody(clip: Clip, bare: Clip, from: RigScene, to: RigScene, options: BindByNameOptions, method?: 'names'): BoundClip {
  const named = bind(bare, to, options);
  if (from.nodes.length <= 1)
    return lazyBoundClip(
      clip,
      () => inUnit(named.tracks, to),
      () => withFindings(named.report, () => [...named.report.findings, ...unknownRest(clip, named.tracks, to)]),
      () => named.additive,
    );
  const { bindRoot = false, ...withoutRoot } = options;
  // Bind to the clip's own skeleton, because additive curves are detected by comparing keys with
  // its rest pose.
  const own = bind(bare, from, withoutRoot);
  const retargeter = method === 'names' ? null : retargeterOf(from, to);
  return retargeter && retargeter.method !== 'names'
    ? bindByBody(own, named, retargeter, from, to)
    : bindByNames(own, named, from, to, bindRoot);
}

const isAdditiveFinding = ({ code }: Finding): boolean => code.startsWith('LOOKS_');
const othersOf = ({ tracks }: BoundClip): BoundTrack[] => tracks.filter(track => !isTransform(track));

/**
 * `own`: the clip, bound to its own skeleton. `named`: the clip, bound to the model by the names of
 * bones.
 */
function bindByNames(own: BoundClip, named: BoundClip, from: RigScene, to: RigScene, bindRoot: boolean): BoundClip {
  const { clip } = own;
  const retargeter = BoneRetargeter.of(from, to, bindRoot);
  const bodies = BodyRetargeter.of(from, to);
  let bones: { tracks: readonly BoundTrack[]; arePlanted: boolean } | undefined;
  const retarget = () => {
    if (bones) return bones;
    const copied = retargeter.tracks(own);
    const planted = bodies?.needsLegCorrection(true) ? bodies.correctLimbs(own, copied) : null;
    return (bones = { tracks: planted ?? copied, arePlanted: planted !== null });
  };
  return lazyBoundClip(
    clip,
    () => [...othersOf(named), ...retarget().tracks],
    () =>
      withFindings(named.report, () => [
        ...own.report.findings.filter(isAdditiveFinding),
        ...named.report.findings.filter(finding => !isAdditiveFinding(finding)),
        ...retargeter.findings(clip.name),
        ...otherBody(clip.name, from, to),
        ...(retarget().arePlanted ? [finding('BIND_FEET_PLANTED', 'info', clip.name, '')] : []),
      ]),
    () => own.additive,
  );
}

/** Like `bindByNames`, for a retargeter that pairs bones by body part. */
function bindByBody(own: BoundClip, named: BoundClip, retargeter: ByBody, from: RigScene, to: RigScene): BoundClip {
  const { clip } = own;
  let bound: BoundClip | undefined;
  const moved = (): BoundClip => (bound ??= bind(retargeter.retarget(own), to));
  return lazyBoundClip(
    clip,
    () => [...othersOf(named), ...moved().tracks.filter(isTransform)],
    () => {
      const { report } = moved();
      const used = retargeter.method === 'body' ? retargeter.bodies.sourceRows : retargeter.hands.sourceRows;
      const lost = own.tracks.filter(track => isTransform(track) && !used.has(track.node)).map(({ node }) => nameOf(from.nodes, node));
      const morphs = new Set([...clip.tracks].filter(({ path }) => path === 'weight').map(({ property }) => property));
      const unmatched = [
        ...new Set([
          ...own.report.unmatched.filter(name => !morphs.has(name)),
          ...lost,
          ...named.report.unmatched.filter(name => morphs.has(name)),
        ]),
      ];
      return withFindings(
        report,
        () => [
          finding('BIND_BY_BODY', 'info', clip.name, pairingText(retargeter)),
          ...fingerFindings(
            clip.name,
            retargeter.method === 'body'
              ? [
                  ['animation', from],
                  ['model', to],
                ]
              : [['model', to]],
          ),
          ...own.report.findings.filter(isAdditiveFinding),
          ...report.findings.filter(each => !isAdditiveFinding(each) && each.code !== 'BIND_UNMATCHED_TRACKS'),
          ...(unmatched.length > 0 ? [finding('BIND_UNMATCHED_TRACKS', 'info', clip.name, someOf(unmatched), unmatched.length)] : []),
        ],
        { unmatched },
      );
    },
    // Additive curves were added to the rest pose of the clip's skeleton.
    () => moved().additive,
  );
}

/** Reports that a human animation is bound to a quadruped, or the other way round. */
function otherBody(path: string, from: RigScene, to: RigScene): Finding[] {
  const [source, target] = [bodyOf(from), bodyOf(to)];
  if (!source || !target || source.kind === target.kind) return [];
  return [finding('BIND_OTHER_BODY', 'warning', path, `animation: ${source.kind}, model: ${target.kind}`)];
}

/**
 * Reports finger bones whose names are only numbers: those that are left out because the thumb can't
 * be identified, and those whose finger was inferred from the positions of the bones.
 */
function fingerFindings(path: string, scenes: readonly (readonly [string, RigScene])[]): Finding[] {
  return (['unknown', 'inferred'] as const).flatMap(kind => {
    const found = scenes.flatMap(([label, scene]) => {
      const names = handsOf(scene).numberedFingers[kind].map(row => nameOf(scene.nodes, row));
      return names.length > 0 ? [{ text: `${label}: ${someOf(names)}`, count: names.length }] : [];
    });
    const count = found.reduce((sum, each) => sum + each.count, 0);
    if (count === 0) return [];
    const detail = found.map(({ text }) => text).join('; ');
    return [
      kind === 'unknown'
        ? finding('BIND_FINGERS_UNKNOWN', 'warning', path, detail, count)
        : finding('BIND_FINGERS_INFERRED', 'info', path, detail, count),
    ];
  });
}

type ByBody = Exclude<Retargeter, { method: 'names' }>;

/** Describes in English how bones were paired. */
function pairingText(retargeter: ByBody): string {
  if (retargeter.method === 'hands') return `recorded hands, ${retargeter.hands.bones.length} finger bones`;
  const { bones, source, target, scale } = retargeter.bodies;
  return `${bones.length} body parts, found by ${source.detectedFrom} and ${target.detectedFrom}; travel times ${Number(scale.toPrecision(3))}`;
}

// ---------------------------------------------------------------- without a skeleton

/**
 * Largest ratio between the lengths of translation keys and rest translations that is explained by
 * a different body size. A larger ratio indicates a different unit.
 */
const OTHER_UNIT = 3;

/** Returns the factor that converts translation keys to the unit of the model. */
function unitOf(tracks: readonly BoundTrack[], { nodes }: RigScene): number {
  const ratios: number[] = [];
  for (const { path, node, component, mode, values } of tracks) {
    if (path !== 'translation' || component >= 0 || mode !== 'absolute') continue;
    const [key, rest] = [Math.hypot(...values.subarray(0, 3)), Math.hypot(...nodes.translations.subarray(3 * node, 3 * node + 3))];
    if (key > 0 && rest > 0) ratios.push(rest / key);
  }
  const middle = ratios.sort((a, b) => a - b)[ratios.length >> 1] ?? 1;
  const isOther = ratios.length > 1 && (middle > OTHER_UNIT || middle < 1 / OTHER_UNIT);
  return isOther ? nearestUnit(middle, 0.3) : 1;
}

/**
 * Returns the factor that converts the translation keys of a clip without a skeleton to the unit of
 * a model; 1 if the lengths of both are similar.
 */
export const unitOfClip = (clip: Clip, to: RigScene): number => unitOf(bind(clip, to).tracks, to);

/** Multiplies the translation keys of tracks by `unit`. */
export function scaledTracks<T extends Pick<Track, 'path' | 'values' | 'tangents'>>(tracks: Iterable<T>, unit: number): T[] {
  return Array.from(tracks, track => {
    if (track.path !== 'translation') return track;
    const { tangents } = track;
    return {
      ...track,
      values: track.values.map(value => value * unit),
      ...(tangents && { tangents: tangents.map(slope => slope * unit) }),
    };
  });
}

function inUnit(tracks: readonly BoundTrack[], to: RigScene): BoundTrack[] {
  const unit = unitOf(tracks, to);
  return unit === 1 ? [...tracks] : scaledTracks(tracks, unit);
}

function unknownRest({ name }: Clip, tracks: readonly BoundTrack[], to: RigScene): Finding[] {
  if (!tracks.some(isTransform)) return [];
  const unit = unitOf(tracks, to);
  const base = { severity: 'info' as const, offset: null, path: name, count: 1 };
  const known: Finding = {
    ...base,
    code: 'BIND_REST_UNKNOWN',
    detail: 'if the result looks wrong, pass the model that the animation was made for',
  };
  return unit === 1 ? [known] : [known, { ...base, code: 'BIND_OTHER_UNIT', detail: `${Number(unit.toPrecision(6))} to one` }];
}
