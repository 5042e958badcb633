// Parts of the characters in the library, with the choices of the visitor. core/characters.ts makes
// the decision.
import { type Candidate, type Character, characterOf, charactersOf, attachmentBoneOf, type PartDoubt } from '../core/characters.ts';
import { entry } from '../core/entry.ts';
import type { InputFile } from './inputFile.ts';
import { type LibraryEntry, type FileSummary, modelsIn } from './library.ts';

/** A part that the visitor switched on or off. `lead` and `part` are paths of models. */
export interface PartChoice {
  readonly lead: string;
  readonly part: string;
  readonly isOn: boolean;
}

/** A model that is a part of a character, or may be one. */
export interface PartOf {
  readonly entry: LibraryEntry;
  readonly isOn: boolean;
  /** Reason why the part is only offered; null if it is applied. */
  readonly doubt: PartDoubt | null;
}

interface ModelCandidate extends Candidate {
  readonly input: InputFile;
}

/**
 * Candidates by the summary of their file, so that a model keeps its candidate when the library
 * changes.
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

/** Cache of characters by their lead, one per state of the library. */
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

/** Returns the detected, offered and added parts of a model's character, sorted by path. */
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

/** Returns the offered parts that can be added together, without alternatives. */
export const offeredIn = (parts: readonly PartOf[]): PartOf[] =>
  parts.filter(({ isOn, doubt }) => !isOn && doubt && doubt.code !== 'alternative');

/** Adds choices; a newer choice replaces the one for the same part. */
export const withChoices = (choices: readonly PartChoice[], newer: readonly PartChoice[]): readonly PartChoice[] => [
  ...choices.filter(({ lead, part }) => !newer.some(other => other.lead === lead && other.part === part)),
  ...newer,
];

/**
 * Returns the lead of the character that `chosen` belongs to, or the model it attaches to, with the
 * parts of the lead.
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
 * Switches on the parts of a drop for their lead, even if the library has a better lead. Parts that
 * the visitor switched off stay off.
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
 * Returns the bone of `host` that the root of `entry` continues, in lower case; '' if there is
 * none.
 */
export const attachmentBoneIn = (entry: LibraryEntry, host: LibraryEntry): string =>
  entry.facts?.model && host.facts?.model ? attachmentBoneOf(entry.facts.model, host.facts.model) : '';
