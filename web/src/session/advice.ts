// Determines the advice about the open files, as codes with arguments, starting with damage. The
// page contains the sentences.
import { baseName } from '../core/paths.ts';
import { modelExtensionsFor } from '../core/formats.ts';
import type { RigFile } from '../core/open.ts';
import { sourceModelIn } from './retargeting.ts';
import type { LayeredAction, Compatibility } from './layeredAction.ts';
import { offeredIn, partsOf } from './parts.ts';
import { compatibilityIn, relevantSources, rowsOf } from './animationRows.ts';
import { defaultPlacement } from './viewSettings.ts';
import type { Notice } from './notices.ts';
import type { Retargeting } from './openedFile.ts';
import type { Session } from './session.ts';
import { uprightPlacement } from './upright.ts';

export type Advice =
  /** The file is damaged. `finding`: code of the first error. `more`: number of other errors. */
  | { code: 'damage'; name: string; finding: string; detail: string; more: number }
  /**
   * The file is truncated. `size`: size of the file in bytes. `meshes`: number of unusable meshes.
   */
  | { code: 'truncated'; name: string; size: number; meshes: number; detail: string; more: number }
  | { code: 'animations-only'; name: string; models: readonly string[] }
  /** The recording has no keys. */
  | { code: 'empty-recording'; name: string }
  | { code: 'no-matching-bones' }
  | { code: 'different-skeleton'; name: string; found: number; names: number }
  /**
   * The animations were made for another model of the library. They are retargeted when they are
   * selected.
   */
  | { code: 'retargetable'; name: string; madeFor: string }
  /** The selected animation was retargeted. `madeFor`: model that it was made for. */
  | { code: 'retargeted'; madeFor: string; method: Retargeting['method']; bones: number }
  /**
   * The selected animation is additive and is added to the rest pose. `hasOthers`: true if there is
   * an animation that can be its base.
   */
  | { code: 'treated-as-additive'; hasOthers: boolean }
  | { code: 'looks-additive' }
  /** The selected animation has no keys for some bones of the model. `name`: name of its file. */
  | { code: 'missing-tracks'; name: string }
  /** The head of the model is not above its feet. */
  | { code: 'lying-down'; name: string }
  | { code: 'missing-files'; names: readonly string[] }
  /**
   * Textures are missing. `names`: materials without textures. `isAll`: true if all materials of
   * the model are without textures.
   */
  | { code: 'missing-textures'; names: readonly string[]; isAll: boolean }
  /** There are unused images and untextured materials, but their names do not match. */
  | { code: 'unmatched-images'; images: readonly string[]; materials: readonly string[] }
  | { code: 'nothing-to-draw'; name: string }
  | { code: 'no-animations'; isSkeleton: boolean }
  /** The model is an animated skeleton without meshes. */
  | { code: 'skeleton-only'; name: string }
  /** The library contains models that may be parts of the shown character. */
  | { code: 'available-parts'; names: readonly string[] }
  | Notice;

/** Returns true if the advice is about a file from which data was lost. */
export const isDamage = ({ code }: Advice): boolean => code === 'damage' || code === 'truncated';

/** Returns the key under which dismissed advice is stored. */
export const keyOf = (advice: Advice): string => JSON.stringify(advice);

/**
 * Returns the advice for a session. `showsMore`: true if something other than meshes is visible,
 * such as recorded hands, outlines or a sky.
 */
export function adviceFor(session: Session, playing: LayeredAction | null, showsMore: boolean): Advice[] {
  const { shown, notices } = session;
  const files = [
    ...(shown ? [shown, ...shown.parts].map(({ file }) => file) : []),
    ...relevantSources(session)
      .filter(({ input }) => input !== shown?.input)
      .map(({ file }) => file),
  ];
  const advice = [...files.flatMap(file => damageOf(file)), ...animationAdvice(session, playing), ...modelAdvice(session, showsMore)];
  const isUnmatched = advice.some(({ code }) => code === 'unmatched-images');
  return [...advice, ...notices.filter(note => !(isUnmatched && note.code === 'unused-companions' && note.areImages))];
}

/** Finding codes that report a truncated file. */
const TRUNCATION_CODES = ['TRUNCATED', 'CHUNK_RANGE'];

function damageOf({ name: input, byteLength: size, report: { errors, items } }: RigFile): Advice[] {
  const name = input ?? '';
  const first = items.find(({ severity }) => severity === 'error');
  const cut = items.find(({ code, severity }) => severity === 'error' && TRUNCATION_CODES.includes(code));
  if (cut) {
    const meshes = items.filter(({ code }) => code === 'MESH_UNUSABLE').reduce((sum, { count }) => sum + count, 0);
    const detail = [cut.path, cut.detail].filter(Boolean).join(': ');
    return [{ code: 'truncated', name, size, meshes, detail, more: errors - cut.count }];
  }
  return first ? [{ code: 'damage', name, finding: first.code, detail: first.detail, more: errors - first.count }] : [];
}

const isEmptyRecording = ({ report }: RigFile): boolean => report.items.some(({ code }) => code === 'NOTHING_RECORDED');

function animationAdvice(session: Session, playing: LayeredAction | null): Advice[] {
  const { shown, animationFiles, incompatible } = session;
  const advice: Advice[] = [];
  const [first] = animationFiles;
  if (!shown && first) {
    const { name } = first.input.file;
    advice.push(
      isEmptyRecording(first.file)
        ? { code: 'empty-recording', name }
        : { code: 'animations-only', name, models: modelExtensionsFor(first.file.format) },
    );
  }
  if (!shown) return advice;
  const suits = animationFiles.map((source): Compatibility => compatibilityIn(session, source)!);
  const isAllForeign = suits.length > 0 && suits.every(({ fits }) => !fits);
  const foreign = incompatible[0] ?? first;
  const owner = foreign && isAllForeign && !foreign.isBoundByName ? sourceModelIn(session.library, foreign.file.scene!.clips) : null;
  if (owner && owner.input !== shown.input) {
    advice.push({ code: 'retargetable', name: foreign!.input.file.name, madeFor: owner.input.file.name });
  } else if (isAllForeign && suits.every(({ found }) => found === 0)) {
    advice.push({ code: 'no-matching-bones' });
  } else if (foreign && (isAllForeign || incompatible.length > 0)) {
    const { found, names } = compatibilityIn(session, foreign)!;
    advice.push({ code: 'different-skeleton', name: foreign.input.file.name, found, names });
  }
  const source = rowsOf(session)[session.selected]?.source;
  const retargeted = source?.retargeted;
  if (retargeted) advice.push({ code: 'retargeted', madeFor: retargeted.madeFor, method: retargeted.method, bones: retargeted.bones });
  const has = (wanted: string): boolean => playing?.findings.some(({ code }) => code === wanted) ?? false;
  if (has('LOOKS_ADDITIVE')) {
    const hasOthers = rowsOf(session).some((row, at) => at !== session.selected && compatibilityIn(session, row.source)?.fits === true);
    advice.push(playing!.isTreatedAsAdditive ? { code: 'treated-as-additive', hasOthers } : { code: 'looks-additive' });
  }
  const isStripped = has('LOOKS_STRIPPED') || source?.file.report.items.some(({ code }) => code === 'LOOKS_STRIPPED');
  if (source && isStripped) advice.push({ code: 'missing-tracks', name: source.input.file.name });
  return advice;
}

const MAX_PROP_BONES = 2;

function modelAdvice({ shown, animationFiles, placement, imageAssignments, library, partChoices }: Session, showsMore: boolean): Advice[] {
  if (!shown) return [];
  const { untexturedMaterials: missing, missingFiles, unusedImages, bones, hasNoSurface, input, file } = shown;
  const advice: Advice[] = [];
  if (isEmptyRecording(file)) advice.push({ code: 'empty-recording', name: input.file.name });
  if (placement.up === defaultPlacement.up && uprightPlacement(file)) advice.push({ code: 'lying-down', name: input.file.name });
  if (missingFiles.length > 0) advice.push({ code: 'missing-files', names: missingFiles });
  // Images that the visitor has assigned do not count as unused.
  const images = unusedImages.filter(name => !imageAssignments.some(({ image }) => baseName(image) === name));
  if (missing.length > 0 && images.length > 0) advice.push({ code: 'unmatched-images', images, materials: missing });
  else if (missing.length > 0)
    advice.push({ code: 'missing-textures', names: missing, isAll: missing.length >= file.scene!.materials.length });
  if (hasNoSurface && bones === 0 && !showsMore) advice.push({ code: 'nothing-to-draw', name: input.file.name });
  if (hasNoSurface && bones > 0 && animationFiles.length > 0 && !showsMore) advice.push({ code: 'skeleton-only', name: input.file.name });
  const offered = offeredIn(partsOf(input, library, partChoices));
  if (offered.length > 0) advice.push({ code: 'available-parts', names: offered.map(({ entry }) => entry.input.file.name) });
  // A prop with one or two bones rarely has animations.
  if (animationFiles.length === 0 && bones > MAX_PROP_BONES) advice.push({ code: 'no-animations', isSkeleton: hasNoSurface });
  return advice;
}
