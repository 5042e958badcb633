// rigcast match: which motion is made for which model.
import { isMadeFor, match as matchOf, type Match, rank } from '../core/match.ts';
import { open } from '../core/open.ts';
import { failureReport } from '../core/report.ts';
import type { Report, RigScene } from '../core/types.ts';
import { expandFiles, fromPath, UnreadableError } from './files.ts';
import { bold, clean, dim, exitCode, print, printJson } from './print.ts';
import { parseWords, UsageError } from './usage.ts';

interface Read {
  file: string;
  scene: RigScene | null;
  report: Report;
}

/** A file of motions beside a model. */
interface Ranked extends Match {
  file: string;
  rank: number;
  fits: boolean;
}

export async function match(words: string[]): Promise<number> {
  const { values, files, formatOptions } = parseWords(words, {});
  const all: Read[] = [];
  for (const file of await expandFiles(files)) {
    try {
      const { scene, report } = await open(...fromPath(file, { formatOptions, ...(values.format && { format: values.format }) }));
      all.push({ file, scene, report });
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      all.push({ file, scene: null, report: failureReport('IO_ERROR', error.reason) });
    }
  }
  const shown = all.filter(({ scene }) => scene && scene.renderers.length > 0);
  // Skeletons that motions bring are models only where there is no other.
  const models = shown.length > 0 ? shown : all.filter(({ scene }) => scene?.nodes.bones.some(bone => bone >= 0));
  const motions = all.filter(({ scene }) => scene && scene.clips.length > 0);
  const unread = all
    .filter(({ scene }) => !scene)
    .map(({ file, report }) => ({ file, code: report.items.find(({ severity }) => severity === 'error')?.code ?? 'MISSING_CHUNK' }));
  if (unread.length === 0 && models.length === 0) throw new UsageError('there is no model among the files');
  const matches = models.map(model => ({
    file: model.file,
    motions: motions.map(motion => rankOf(model, motion)).sort((a, b) => b.rank - a.rank),
  }));
  if (values.json) printJson({ models: matches, unread });
  else {
    for (const { file, motions: ranked } of matches) printMatches(file, ranked);
    for (const { file, code } of unread) print(`${bold(clean(file))}  not read: ${code}`);
  }
  return exitCode(all);
}

function rankOf(model: Read, motion: Read): Ranked {
  const found = matchOf(motion.scene!.clips, model.scene!);
  return { file: motion.file, ...found, fits: isMadeFor(found), rank: rank(found, model.file, motion.file) };
}

function printMatches(file: string, motions: readonly Ranked[]): void {
  print(bold(clean(file)));
  const fitting = motions.filter(({ fits }) => fits);
  const others = motions.length - fitting.length;
  for (const one of fitting)
    print(
      `  ${percent(one.fit)}  ${clean(one.file)}${dim(`  ${one.found} of ${one.names} names found, ${one.moved} of ${one.bones} bones move`)}`,
    );
  if (fitting.length === 0) print('  no motion was made for it');
  const [best] = motions.filter(({ fits, found }) => !fits && found > 0);
  if (others > 0)
    print(dim(`  ${others} made for other skeletons${best ? `, the nearest: ${percent(best.fit)}  ${clean(best.file)}` : ''}`));
}

const percent = (share: number): string => `${Math.floor(share * 100)} %`.padStart(5);
