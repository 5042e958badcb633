// Determines which models of the library are parts of a character, using core/characters.ts and the
// choices of the visitor.
import { type Candidate, type Character, characterOf, charactersOf, attachmentBoneOf, type PartDoubt } from '../core/characters.ts';
import { entry } from '../core/entry.ts';
import type { InputFile } from './inputFile.ts';
import { type LibraryEntry, type FileSummary, modelsIn } from './library.ts';

/** A choice of the visitor to show or hide a part. `lead` and `part`: paths of the models. */
export interface PartChoice {
  readonly lead: string;
  readonly part: string;
  readonly isOn: boolean;
}

/** A model that is, or may be, part of a character. */
export interface PartOf {
  readonly entry: LibraryEntry;
  readonly isOn: boolean;
  /** Reason why the part is only suggested; null if it belongs to the character. */
  readonly doubt: PartDoubt | null;
}

interface ModelCandidate extends Candidate {
  readonly input: InputFile;
}

/**
 * Maps the summary of a file to its model candidate, so that a model keeps the same object when the
 * library changes.
 */
const candidates = new WeakMap<FileSummary, ModelCandidate>();

function candidatesIn(models: readonly LibraryEntry[]): ModelCandidate[] {
  return models.flatMap(({ input, facts }) => {
    if (!facts?.model) return [];
    let known = candidates.get(facts);
    if (known?.input !== input) candidates.set(facts, (known = { path: input.path, input, facts: facts.model }));
    return known;
  });
}

const animationsIn = (library: readonly LibraryEntry[]): string[] =>
  library.flatMap(({ role, input }) => (role === 'animation' ? input.path : []));

/** Cache of characters, by library and lead model. */
const characters = new WeakMap<readonly LibraryEntry[], Map<InputFile, Character<ModelCandidate> | null>>();

function characterIn(library: readonly LibraryEntry[], input: InputFile): Character<ModelCandidate> | null {
  let found = characters.get(library);
  if (!found) characters.set(library, (found = new Map()));
  return entry(found, input, () => {
    const models = candidatesIn(modelsIn(library));
    const own = models.find(model => model.input === input);
    return own ? characterOf(own, models, animationsIn(library)) : null;
  });
}

/**
 * Returns the parts of a character, including suggested parts and those that the visitor has added,
 * sorted by path.
 */
export function partsOf(lead: InputFile, library: readonly LibraryEntry[], choices: readonly PartChoice[]): PartOf[] {
  const found = characterIn(library, lead);
  const chosen = new Map(choices.filter(choice => choice.lead === lead.path).map(({ part, isOn }) => [part, isOn]));
  return modelsIn(library)
    .flatMap((model): PartOf[] => {
      const { input } = model;
      if (input === lead) return [];
      const isPart = found?.parts.some(part => part.input === input) ?? false;
      const doubt = found?.offers.find(offer => offer.model.input === input)?.doubt ?? null;
      const isOn = chosen.get(input.path) ?? isPart;
      return isPart || doubt || isOn ? [{ entry: model, isOn, doubt }] : [];
    })
    .sort((a, b) => a.entry.input.path.localeCompare(b.entry.input.path, undefined, { numeric: true }));
}

/**
 * Returns the suggested parts that can all be added together. Excludes parts that are alternatives
 * to each other.
 */
export const offeredIn = (parts: readonly PartOf[]): PartOf[] =>
  parts.filter(({ isOn, doubt }) => !isOn && doubt && doubt.code !== 'alternative');

/** Adds choices. A newer choice replaces the earlier choice for the same part. */
export const withChoices = (choices: readonly PartChoice[], newer: readonly PartChoice[]): readonly PartChoice[] => [
  ...choices.filter(({ lead, part }) => !newer.some(other => other.lead === lead && other.part === part)),
  ...newer,
];

/**
 * Returns the lead of the character that `chosen` belongs to, with the parts of this character. If
 * the lead can be attached to a bone of another model, returns that model instead.
 */
export function leadOf(
  chosen: LibraryEntry,
  models: readonly LibraryEntry[],
  library: readonly LibraryEntry[],
): { lead: LibraryEntry; parts: readonly InputFile[] } {
  const all = charactersOf(candidatesIn(models), animationsIn(library));
  const ledBy = ({ input }: LibraryEntry): readonly InputFile[] =>
    all.find(({ lead }) => lead.input === input)?.parts.map(part => part.input) ?? [];
  const own = models.find(model => ledBy(model).includes(chosen.input)) ?? chosen;
  const lead = models.find(host => host !== own && attachmentBoneIn(own, host)) ?? own;
  return { lead, parts: ledBy(lead) };
}

/**
 * Adds choices that show the given parts with `lead`, even if the library contains a better lead.
 * Parts that the visitor has hidden stay hidden.
 */
export function withParts(
  lead: InputFile,
  parts: readonly InputFile[],
  library: readonly LibraryEntry[],
  choices: readonly PartChoice[],
): readonly PartChoice[] {
  const settled = [
    ...partsOf(lead, library, choices).flatMap(({ entry, isOn }) => (isOn ? entry.input.path : [])),
    ...choices.filter(choice => choice.lead === lead.path).map(({ part }) => part),
  ];
  const added = parts.filter(({ path }) => !settled.includes(path));
  return withChoices(
    choices,
    added.map(({ path }) => ({ lead: lead.path, part: path, isOn: true })),
  );
}

/**
 * Returns the name of the bone of `host` to which the root bone of `entry` can be attached, in
 * lower case; '' if there is none.
 */
export const attachmentBoneIn = (entry: LibraryEntry, host: LibraryEntry): string =>
  entry.facts?.model && host.facts?.model ? attachmentBoneOf(entry.facts.model, host.facts.model) : '';
