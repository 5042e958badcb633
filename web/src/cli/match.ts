// rigcast match: lists the animations that fit each model, and the models that belong to the same
// character.
import { type Character, charactersOf, explainDoubt } from '../core/characters.ts';
import { entry } from '../core/entry.ts';
import { isMadeFor, match as matchOf, type Match, rank } from '../core/match.ts';
import { modelFactsOf } from '../core/modelFacts.ts';
import { FactsSender, MatchScenes } from '../convert/matchFacts.ts';
import { open } from '../core/open.ts';
import { failureReport } from '../core/report.ts';
import type { Report, RigScene } from '../core/types.ts';
import { findFiles, fromPath } from './files.ts';
import { bold, clean, dim, exitCode, print, printJson } from './print.ts';
import { UnreadableError } from './reading.ts';
import { parseWords, UsageError } from './usage.ts';

interface Read {
  file: string;
  scene: RigScene | null;
  report: Report;
}

/** An animation file, with values that describe how well it fits a model. */
interface RankedMatch extends Match {
  file: string;
  rank: number;
  fits: boolean;
}

export async function match(words: string[]): Promise<number> {
  const { values, files, formatOptions } = parseWords(words, {});
  const all: Read[] = [];
  for (const { path: file, reason } of await findFiles(files)) {
    try {
      if (reason !== undefined) throw new UnreadableError(file, reason);
      const { scene, report } = await open(...fromPath(file, { formatOptions, ...(values.format && { format: values.format }) }));
      all.push({ file, scene, report });
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      all.push({ file, scene: null, report: failureReport('IO_ERROR', error.reason) });
    }
  }
  const shown = all.filter(({ scene }) => scene && scene.renderers.length > 0);
  // If no file has a mesh, files with bones count as models, even animation files.
  const models = shown.length > 0 ? shown : all.filter(({ scene }) => scene?.nodes.bones.some(bone => bone >= 0));
  const animations = all.filter(({ scene }) => scene && scene.clips.length > 0);
  const unread = all
    .filter(({ scene }) => !scene)
    .map(({ file, report }) => ({ file, code: report.items.find(({ severity }) => severity === 'error')?.code ?? 'MISSING_CHUNK' }));
  if (unread.length === 0 && models.length === 0) throw new UsageError('none of the files is a model');
  const matches = new Matches();
  const ranked = models.map(model => ({
    file: model.file,
    motions: animations.map(animation => matches.ranked(model, animation)).sort((a, b) => b.rank - a.rank),
  }));
  const characters = charactersIn(models, animations);
  if (values.json) {
    const offers = characters.flatMap(({ lead, offers: own }) =>
      own.map(({ model, doubt }) => ({ file: model.path, lead: lead.path, reason: explainDoubt(doubt) })),
    );
    printJson({
      models: ranked,
      characters: characters.map(({ lead, parts }) => [lead, ...parts].map(({ path }) => path)),
      offers,
      unread,
    });
  } else {
    const relations = relationsOf(characters);
    for (const { file, motions } of ranked) printMatches(file, relations.get(file) ?? [], motions);
    for (const { file, code } of unread) print(`${bold(clean(file))}  not read: ${code}`);
  }
  return exitCode(all);
}

/** Compares models with animations. Scenes with equal names are compared once. */
class Matches {
  readonly #sender = new FactsSender(value => JSON.stringify(value));
  readonly #scenes = new MatchScenes();
  readonly #sceneOf = new Map<Read, RigScene>();
  readonly #found = new Map<RigScene, Map<RigScene, Match>>();

  ranked(model: Read, animation: Read): RankedMatch {
    const [to, from] = [this.#namesIn(model), this.#namesIn(animation)];
    const found = entry(
      entry(this.#found, to, () => new Map<RigScene, Match>()),
      from,
      () => matchOf(from.clips, to),
    );
    return { file: animation.file, ...found, fits: isMadeFor(found), rank: rank(found, model.file, animation.file) };
  }

  /** Returns a scene with the names of a file, but without its keys and vertices. */
  #namesIn(read: Read): RigScene {
    return entry(this.#sceneOf, read, () => this.#scenes.take(this.#sender.messageOf(read.scene!, read.file)));
  }
}

interface Model {
  path: string;
}

function charactersIn(models: readonly Read[], animations: readonly Read[]): Character<Model>[] {
  const candidates = models.map(({ file, scene }) => ({ path: file, facts: modelFactsOf(scene!) }));
  return charactersOf(
    candidates,
    animations.filter(animation => !models.includes(animation)).map(({ file }) => file),
  );
}

/**
 * Returns lines that describe related models, such as parts of the same character. They are printed
 * below the model with the given path.
 */
function relationsOf(characters: readonly Character<Model>[]): Map<string, string[]> {
  const lines = new Map<string, string[]>();
  const add = ({ path }: Model, line: string): void => void entry(lines, path, () => []).push(line);
  for (const { lead, parts, offers } of characters) {
    for (const part of parts) {
      add(lead, `with ${part.path}`);
      add(part, `part of ${lead.path}`);
    }
    for (const { model, doubt } of offers) add(model, `may be part of ${lead.path}, but ${explainDoubt(doubt)}`);
  }
  return lines;
}

function printMatches(file: string, relations: readonly string[], animations: readonly RankedMatch[]): void {
  print(bold(clean(file)));
  for (const line of relations) print(`  ${clean(line)}`);
  const fitting = animations.filter(({ fits }) => fits);
  const others = animations.length - fitting.length;
  for (const one of fitting)
    print(
      `  ${percent(one.fit)}  ${clean(one.file)}${dim(`  ${one.found} of ${one.names} names match, ${one.moved} of ${one.bones} bones move`)}`,
    );
  if (fitting.length === 0) print('  no matching animation');
  const [best] = animations.filter(({ fits, found }) => !fits && found > 0);
  if (others > 0) print(dim(`  ${others} for other skeletons${best ? `, best: ${percent(best.fit)}  ${clean(best.file)}` : ''}`));
}

const percent = (share: number): string => `${Math.floor(share * 100)} %`.padStart(5);
