// Decides whether the keys of a clip are absolute or additive, so that writers get clips with
// declared modes.
import { bind } from '../../core/bind.ts';
import { boundTrack } from '../../core/bindValues.ts';
import { type AdditiveOption, explainAdditive, inspectKeys } from '../../core/additiveDetection.ts';
import { matchTargets } from '../../core/bindTargets.ts';
import { pairTracks } from '../../core/pairing.ts';
import { ancestorScales, unscaledTrack } from '../../core/scaledTranslations.ts';
import { factsOf } from '../../core/sceneFacts.ts';
import type { Clip, RigScene, Track } from '../../core/types.ts';
import { makeClip } from '../../rig/table.ts';
import type { ReportBuilder } from './report.ts';

export interface ModeOptions {
  /** True if the target cannot declare which keys are additive. */
  hasNoModes: boolean;
  /** Interpretation of absolute keys. The default is `detect`. */
  additive: AdditiveOption | undefined;
  report: ReportBuilder;
}

/** Returns the scene and `clips` with new clips. The clips of the scene that are not in `clips` are kept. */
export function mapClips(
  scene: RigScene,
  clips: readonly Clip[],
  change: (clip: Clip) => Clip,
): { scene: RigScene; clips: readonly Clip[] } {
  const made = new Map(clips.map(clip => [clip, change(clip)]));
  const replaced = (clip: Clip): Clip => made.get(clip) ?? clip;
  const isNew = scene.clips.some(clip => replaced(clip) !== clip);
  return { scene: isNew ? { ...scene, clips: scene.clips.map(replaced) } : scene, clips: clips.map(replaced) };
}

/**
 * Returns the scene and its clips with declared modes (absolute or additive), and with translations
 * that are not multiplied by the scales of bones. Other clips are returned unchanged.
 */
export function withStatedModes(
  scene: RigScene,
  clips: readonly Clip[],
  stating: ModeOptions,
): { scene: RigScene; clips: readonly Clip[] } {
  return mapClips(scene, clips, clip => statedClip(unscaledClip(clip, scene), scene, stating));
}

function statedClip(clip: Clip, scene: RigScene, { hasNoModes, additive, report }: ModeOptions): Clip {
  const isBare = !scene.nodes.bones.some(bone => bone >= 0);
  const decision = bind(clip, scene, { additive }).additive;
  const looks = () =>
    inspectKeys({ ...clip, undeclaredModes: true }, pairTracks(clip, scene, {}).pairs, scene, factsOf(scene).skeleton).verdict;
  if (hasNoModes) {
    // Importers of the target detect additive clips by the same rules as rigcast, so the keys stay
    // unchanged.
    if (decision.isGuessed) return plain(clip);
    if (decision.base === 'no' && !clip.undeclaredModes && looks().isAdditive) report.add('MODES_UNDECLARED', clip.name, 1);
  } else if (decision.isGuessed) report.add('ADDITIVE_GUESSED', clip.name, looks().count, explainAdditive(looks(), scene, decision));
  else if (clip.undeclaredModes && isBare) report.add('MODES_ASSUMED', clip.name, 1);
  return decision.base === 'rest' ? onRest(clip, scene, report) : plain(clip);
}

/**
 * Returns the clip with translations that are not multiplied by the scales of bones. If a track
 * drives several nodes, the scales of the first one are used.
 */
function unscaledClip(clip: Clip, scene: RigScene): Clip {
  if (!clip.scaledTranslations || ancestorScales(scene.nodes).every(scale => scale === 1)) return clip;
  const all = [...clip.tracks];
  const { rows } = matchTargets(all, scene, {}, scene.clips.includes(clip));
  const tracks = all.map((track, i) => (rows[i]! >= 0 ? unscaledTrack(track, scene.nodes, rows[i]!) : track));
  return { ...clip, scaledTranslations: false, tracks: makeClip(clip, tracks).tracks };
}

/** Returns the clip with its modes marked as declared. */
const plain = (clip: Clip): Clip => (clip.undeclaredModes ? { ...clip, undeclaredModes: false } : clip);

/** Returns the clip with its absolute keys added to the rest pose of the scene. */
function onRest(clip: Clip, scene: RigScene, report: ReportBuilder): Clip {
  const { all, pairs, overrides } = pairTracks(clip, scene, {});
  const nodes = new Map(pairs.toReversed().map(({ track, node }) => [track, node])); // if a track drives several nodes, the first one is used
  let count = 0;
  const tracks = all.map((track): Track => {
    const node = nodes.get(track);
    if (node === undefined || (overrides(node, track.path) ?? track.mode) !== 'absolute') return track;
    const { values, tangents } = boundTrack(track, node, scene, 'absolute', 'rest');
    if (values === track.values) return track;
    count++;
    return { ...track, values, ...(tangents && { tangents }) };
  });
  report.add('CLIP_ON_REST', clip.name, count);
  return { ...clip, undeclaredModes: false, addsToRest: false, tracks: makeClip(clip, tracks).tracks };
}
