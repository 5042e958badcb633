// What is worth saying about what is open, as codes and arguments, the most useful first: damage goes before all else, then what to do next.
// The page has the words.
import { modelExtensionsFor } from '../core/formats.ts';
import type { RigFile } from '../core/open.ts';
import { sourceModelIn } from './retargeting.ts';
import type { LayeredAction, Compatibility } from './layeredAction.ts';
import { offeredIn, partsOf } from './parts.ts';
import { rowsOf, compatibilityIn } from './animationRows.ts';
import { defaultPlacement } from './viewSettings.ts';
import type { Notice } from './notices.ts';
import type { Session } from './session.ts';
import { uprightPlacement } from './upright.ts';

export type Advice =
  /** `finding`: the code of the worst one; `more`: errors besides it. */
  | { code: 'damage'; name: string; finding: string; detail: string; more: number }
  /** `size`: bytes that are there; `meshes`: those that are known to be missing; `detail`: what the first finding says of the cut. */
  | { code: 'cut-off'; name: string; size: number; meshes: number; detail: string; more: number }
  | { code: 'motions-only'; name: string; models: readonly string[] }
  /** A recording of which every curve is empty. */
  | { code: 'nothing-recorded'; name: string }
  | { code: 'moves-nothing' }
  | { code: 'another-skeleton'; name: string; found: number; names: number }
  /** Motions were made for another model of the library, and come over from it when one is chosen. */
  | { code: 'comes-over'; name: string; owner: string }
  /** The motion that plays was retargeted over from another model, `owner`. */
  | { code: 'carried'; owner: string; by: 'names' | 'body' | 'hands'; bones: number }
  /** `hasOthers`: there are motions of this model that it could be added to instead. */
  | { code: 'is-added'; hasOthers: boolean }
  | { code: 'looks-additive' }
  /** Bones of the model have no keys in the motion that plays, which is of this file. */
  | { code: 'stripped'; name: string }
  /** Its head is not above its feet. */
  | { code: 'lies-down'; name: string }
  | { code: 'missing-files'; names: readonly string[] }
  /** `isAll`: of every material. */
  | { code: 'missing-textures'; names: readonly string[]; isAll: boolean }
  /** Images that were given beside materials that have none: no names match. */
  | { code: 'unmatched-images'; images: readonly string[]; materials: readonly string[] }
  | { code: 'nothing-drawn'; name: string }
  | { code: 'stands-still'; isSkeleton: boolean }
  /** Bones that move and have no surface. */
  | { code: 'bare-skeleton'; name: string }
  /** Models that may be parts of the one that is shown. */
  | { code: 'more-parts'; names: readonly string[] }
  | Notice;

/** Something of a file is lost. */
export const isDamage = ({ code }: Advice): boolean => code === 'damage' || code === 'cut-off';

/** For telling the same advice again. */
export const keyOf = (advice: Advice): string => JSON.stringify(advice);

/** `showsMore`: hands, outlines or a sky are drawn, which are no surface of the model's. */
export function adviceFor(session: Session, playing: LayeredAction | null, showsMore: boolean): Advice[] {
  const { shown, animationFiles, notices } = session;
  const files = [
    ...(shown ? [shown, ...shown.pieces].map(({ file }) => file) : []),
    ...animationFiles.filter(({ given }) => given !== shown?.given).map(({ file }) => file),
  ];
  const advice = [...files.flatMap(file => damageOf(file)), ...motionAdvice(session, playing), ...modelAdvice(session, showsMore)];
  const isUnmatched = advice.some(({ code }) => code === 'unmatched-images');
  return [...advice, ...notices.filter(note => !(isUnmatched && note.code === 'unwanted' && note.areImages))];
}

/** Findings that say that the end of the file is missing. */
const CUTS = ['TRUNCATED', 'CHUNK_RANGE'];

function damageOf({ name: given, byteLength: size, report: { errors, items } }: RigFile): Advice[] {
  const name = given ?? '';
  const first = items.find(({ severity }) => severity === 'error');
  const cut = items.find(({ code, severity }) => severity === 'error' && CUTS.includes(code));
  if (cut) {
    const meshes = items.filter(({ code }) => code === 'MESH_UNUSABLE').reduce((sum, { count }) => sum + count, 0);
    const detail = [cut.path, cut.detail].filter(Boolean).join(': ');
    return [{ code: 'cut-off', name, size, meshes, detail, more: errors - cut.count }];
  }
  return first ? [{ code: 'damage', name, finding: first.code, detail: first.detail, more: errors - first.count }] : [];
}

const isEmptyRecording = ({ report }: RigFile): boolean => report.items.some(({ code }) => code === 'NOTHING_RECORDED');

function motionAdvice(session: Session, playing: LayeredAction | null): Advice[] {
  const { shown, animationFiles, incompatible } = session;
  const advice: Advice[] = [];
  const [first] = animationFiles;
  if (!shown && first) {
    const { name } = first.given.file;
    advice.push(
      isEmptyRecording(first.file)
        ? { code: 'nothing-recorded', name }
        : { code: 'motions-only', name, models: modelExtensionsFor(first.file.format) },
    );
  }
  if (!shown) return advice;
  const suits = animationFiles.map((source): Compatibility => compatibilityIn(session, source)!);
  const isAllForeign = suits.length > 0 && suits.every(({ fits }) => !fits);
  const foreign = incompatible[0] ?? first;
  const owner = foreign && isAllForeign && !foreign.isBoundByName ? sourceModelIn(session.library, foreign.file.scene!.clips) : null;
  if (owner && owner.given !== shown.given) {
    advice.push({ code: 'comes-over', name: foreign!.given.file.name, owner: owner.given.file.name });
  } else if (isAllForeign && suits.every(({ found }) => found === 0)) {
    advice.push({ code: 'moves-nothing' });
  } else if (foreign && (isAllForeign || incompatible.length > 0)) {
    const { found, names } = compatibilityIn(session, foreign)!;
    advice.push({ code: 'another-skeleton', name: foreign.given.file.name, found, names });
  }
  const source = rowsOf(session)[session.selected]?.source;
  const retargeted = source?.retargeted;
  if (retargeted) advice.push({ code: 'carried', owner: retargeted.owner, by: retargeted.by, bones: retargeted.bones });
  const has = (wanted: string): boolean => playing?.findings.some(({ code }) => code === wanted) ?? false;
  if (has('LOOKS_ADDITIVE')) {
    const hasOthers = rowsOf(session).some((row, at) => at !== session.selected && compatibilityIn(session, row.source)?.fits === true);
    advice.push(playing!.isTreatedAsAdditive ? { code: 'is-added', hasOthers } : { code: 'looks-additive' });
  }
  const isStripped = has('LOOKS_STRIPPED') || source?.file.report.items.some(({ code }) => code === 'LOOKS_STRIPPED');
  if (source && isStripped) advice.push({ code: 'stripped', name: source.given.file.name });
  return advice;
}

const MOST_OF_PROP = 2;

function modelAdvice({ shown, animationFiles, placement, imageAssignments, library, partChoices }: Session, showsMore: boolean): Advice[] {
  if (!shown) return [];
  const { untexturedMaterials: missing, missingFiles, unusedImages, bones, hasNoSurface, given, file } = shown;
  const advice: Advice[] = [];
  if (isEmptyRecording(file)) advice.push({ code: 'nothing-recorded', name: given.file.name });
  if (placement.up === defaultPlacement.up && uprightPlacement(file)) advice.push({ code: 'lies-down', name: given.file.name });
  if (missingFiles.length > 0) advice.push({ code: 'missing-files', names: missingFiles });
  // Images applied by hand are in use.
  const images = unusedImages.filter(name => !imageAssignments.some(({ image }) => image.name === name));
  if (missing.length > 0 && images.length > 0) advice.push({ code: 'unmatched-images', images, materials: missing });
  else if (missing.length > 0)
    advice.push({ code: 'missing-textures', names: missing, isAll: missing.length >= file.scene!.materials.length });
  if (hasNoSurface && bones === 0 && !showsMore) advice.push({ code: 'nothing-drawn', name: given.file.name });
  if (hasNoSurface && bones > 0 && animationFiles.length > 0 && !showsMore) advice.push({ code: 'bare-skeleton', name: given.file.name });
  const offered = offeredIn(partsOf(given, library, partChoices));
  if (offered.length > 0) advice.push({ code: 'more-parts', names: offered.map(({ entry }) => entry.given.file.name) });
  // A prop has a bone or two, and nobody ever moved it.
  if (animationFiles.length === 0 && bones > MOST_OF_PROP) advice.push({ code: 'stands-still', isSkeleton: hasNoSurface });
  return advice;
}
