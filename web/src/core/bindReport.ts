// Creates the report of a binding: matched and unmatched names, and findings about the keys.
import type { BindByNameOptions, BindReport, BoundClip } from './bound.ts';
import { trackWidth } from './description.ts';
import { explainAdditive, type inspectKeys, type Pair } from './additiveDetection.ts';
import type { Pairing } from './pairing.ts';
import { hasScaledTranslation } from './scaledTranslations.ts';
import { factsOf } from './sceneFacts.ts';
import type { Finding, RigScene, Severity } from './types.ts';

/**
 * Creates the report of a binding. Collects the names immediately. Findings are computed when they
 * are first read, because they inspect keys.
 */
export function makeReport(pairing: Pairing, inspect: Inspect, bound: BoundClip, scene: RigScene, options: BindByNameOptions): BindReport {
  const { pairs, meshes, face, unmatched } = pairing;
  const { skeleton, names } = factsOf(scene);
  const moved = new Set(pairs.map(pair => pair.node));
  const untouched = [...skeleton.bones].filter(row => !moved.has(row)).map(row => nameAt(scene, row));
  const matched = new Set([...[...moved].map(row => nameAt(scene, row)), ...meshes]);
  const bones = new Map<number, number>();
  for (const row of moved) {
    const model = names.modelOf(row);
    if (model >= 0) bones.set(model, (bones.get(model) ?? 0) + 1);
  }
  const models = Array.from(bones, ([node, count]) => ({ node, name: nameAt(scene, node), bones: count }));
  const report = { matched: [...matched], face: [...face], unmatched: [...unmatched], untouched, models };
  return withFindings(report, () => findingsOf(pairing, untouched, inspect(), bound, scene, options));
}

type Inspect = () => ReturnType<typeof inspectKeys>;

type Names = Omit<BindReport, 'findings'>;

/**
 * Returns a copy of a report with other findings, which `make` computes when they are first read.
 * The members of `other` also replace those of the report.
 */
export function withFindings(report: Names, make: () => Finding[], other: Partial<Names> = {}): BindReport {
  const { matched, face, unmatched, untouched, models } = report;
  let findings: Finding[] | undefined;
  return {
    matched,
    face,
    unmatched,
    untouched,
    models,
    ...other,
    get findings() {
      return (findings ??= make());
    },
  };
}

function findingsOf(
  { pairs, dropped, morphs, shown, matching, unmatched }: Pairing,
  untouched: readonly string[],
  { stripped, verdict }: ReturnType<Inspect>,
  { clip, additive }: BoundClip,
  scene: RigScene,
  options: BindByNameOptions,
): Finding[] {
  const { skeleton, rigidBones } = factsOf(scene);
  const findings: Finding[] = [];
  if (matching.prefixes.length > 0) {
    findings.push(finding('BIND_BY_PREFIX', 'info', clip.name, `left out: ${matching.prefixes.map(prefix => `"${prefix}"`).join(', ')}`));
  }
  const divided = clip.scaledTranslations
    ? new Set(pairs.flatMap(({ track, node }) => (track.path === 'translation' && hasScaledTranslation(scene.nodes, node) ? [node] : [])))
    : new Set<number>();
  if (divided.size > 0)
    findings.push(finding('BIND_SCALES_DIVIDED', 'info', clip.name, someOf([...divided].map(row => nameAt(scene, row))), divided.size));
  if (verdict.isAdditive && verdict.code !== 'MODES' && (additive.base === 'no' || additive.isGuessed)) {
    findings.push(finding('LOOKS_ADDITIVE', 'warning', clip.name, explainAdditive(verdict, scene, additive)));
  } else if (stripped.size > 0 && !verdict.isAdditive && options.tracks !== 'strip-zero-tracks') {
    const isPlayed = ({ track }: Pair): boolean => stripped.has(track) && (track.path === 'rotation' || options.tracks !== 'rotation-only');
    const bones = new Set(pairs.filter(isPlayed).map(({ node }) => nameAt(scene, node)));
    const advice = 'bind with tracks: "strip-zero-tracks"';
    if (bones.size > 0) findings.push(finding('LOOKS_STRIPPED', 'warning', clip.name, `${someOf([...bones])}: ${advice}`, bones.size));
  }

  const isScaled = ({ track, node }: Pair): boolean => {
    if (track.path !== 'scale' || !rigidBones.has(node)) return false;
    const { values } = track;
    const first = values.subarray(0, trackWidth('scale', track.component));
    return values.some((value, i) => value !== first[i % first.length]);
  };
  const scaled = new Set(pairs.filter(isScaled).map(({ node }) => nameAt(scene, node)));
  if (scaled.size > 0) findings.push(finding('SKINNING_SCALE', 'info', clip.name, someOf([...scaled]), scaled.size));

  const { hands } = matching;
  if (hands?.assumed) findings.push(finding('BIND_HAND_SIDE', 'warning', clip.name, hands.assumed));
  const otherHand = hands?.leftOut.size ?? 0;
  const lost = [...(hands?.otherSide ? [`joints of the ${hands.otherSide} hand`] : []), ...unmatched];
  if (pairs.length + morphs.length + shown.length === 0 && matching.targetCount > 0 && skeleton.bones.size > 0) {
    findings.push(finding('BIND_NOTHING', 'warning', clip.name, `it moves ${someOf(lost)}`));
  } else {
    if (lost.length > 0) findings.push(finding('BIND_UNMATCHED_TRACKS', 'info', clip.name, someOf(lost), unmatched.size + otherHand));
    if (untouched.length > 0 && pairs.length > 0)
      findings.push(finding('BIND_UNTOUCHED_BONES', 'info', clip.name, someOf(untouched), untouched.length));
  }
  if (clip.tracks.uses?.('look')) findings.push(finding('CURVE_NOT_PLAYED', 'info', clip.name, 'look'));
  if (dropped > 0) findings.push(finding('BIND_TOO_MANY', 'warning', clip.name, '', dropped));
  return findings;
}

function nameAt(scene: RigScene, row: number): string {
  return scene.nodes.names[row] ?? '';
}

export function finding(code: string, severity: Severity, path: string, detail: string, count = 1): Finding {
  return { code, severity, offset: null, path, detail, count };
}

/** Lists the first five names and the number of remaining names, for the detail of a finding. */
export function someOf(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(', ');
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown;
}
