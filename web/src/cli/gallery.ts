// rigcast gallery: makes a static site of a folder of models.
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { batchOptions, limitsOf, planOf, printIgnored, shardOf } from './batch.ts';
import { findBrowser, requirePlaywright } from './browser.ts';
import { type LeftFile, type Plan, plan, type ResultKind } from './convertPlan.ts';
import { isFolder } from './files.ts';
import { count } from './gallery/html.ts';
import { DOWNLOADS, type Download, type ModelParts, PartMaker } from './gallery/parts.ts';
import { Site } from './gallery/site.ts';
import { writePages } from './gallery/writePages.ts';
import { version } from './help.ts';
import { bold, bytes, clean, dim, print, printJson } from './print.ts';
import type { ResultRow } from './reportFile.ts';
import { parseWords, positiveOf, UsageError } from './usage.ts';

const { to: _to, resume: _resume, ledger: _ledger, ...shared } = batchOptions;

const options = {
  ...shared,
  title: { type: 'string' },
  url: { type: 'string' },
  downloads: { type: 'string' },
  browser: { type: 'string' },
} as const;

/** Time in seconds without progress after which a picture is stopped, unless `--timeout` is given. */
const PATIENCE = 120;

const kind: ResultKind = {
  name: 'gallery',
  isFile: false,
  extension: () => '',
  canBeAlone: ({ scene }) => scene !== null && scene.nodes.length > 1,
  refusal: 'NOT_RENDERED',
  extensions: [],
};

export async function gallery(words: string[]): Promise<number> {
  const { values, files, formatOptions } = parseWords(words, options);
  const [folder = '', ...others] = files;
  const { out = '' } = values;
  if (out === '') throw new UsageError('no output: give -o FOLDER');
  if (others.length > 0 || !isFolder(folder)) throw new UsageError('gallery needs one folder of models');
  if (values.format !== undefined) throw new UsageError('gallery detects the format of a file by its content: remove --format');
  checkFolders(folder, out);
  const url = urlOf(values.url);
  const downloads = downloadsOf(values.downloads);
  const shard = shardOf(values.shard);
  const limits = limitsOf(values);
  const seconds = positiveOf('--timeout', values.timeout) ?? PATIENCE;
  requirePlaywright();
  const how = {
    folder,
    out,
    open: { formatOptions },
    browser: findBrowser(values.browser),
    seconds,
    downloads,
    shard: values.shard ?? null,
  };
  const maker = new PartMaker(how, limits, row => {
    if (!values.json) printPart(row);
  });
  try {
    const head = { version: version(), words: files, out, to: kind.name, open: how.open };
    const planned = await planOf(values.plan, head, () => plan(files, out, kind, how.open, maker.planning));
    const results = planned.results.filter(({ place }) => shard(place));
    const left = planned.left.filter(({ place }) => shard(place));
    if (values['dry-run']) return printPlan({ results, left }, values.json ?? false);
    const site = new Site(out);
    const parts = await maker.make(results);
    if (values.shard !== undefined) {
      if (!values.json)
        print(`The parts of ${count(parts.length, 'model')} are made. Run without --shard after all shards: this writes the pages.`);
      return finish(parts, left, values.json ?? false);
    }
    const copies = await maker.copyFiles(parts);
    const title = values.title ?? basename(resolve(folder));
    const pages = await writePages(site, { folder, out, title, url, parts, left, copies });
    site.copyScripts();
    const removed = site.removeOthers();
    maker.finish();
    if (!values.json) printIgnored(planned.ignored);
    if (!values.json)
      print(`${count(pages, 'model')}. Files written: ${site.written} besides pictures, downloads and copies. Files removed: ${removed}.`);
    return finish(parts, left, values.json ?? false);
  } finally {
    maker.end();
  }
}

function printPart({ out, files, byteLength, error }: ResultRow): void {
  const name = bold(clean(out ?? ''));
  print(
    error ? `${name}  not written: ${clean(error.detail)}` : `${name}  ${bytes(byteLength ?? 0)}${dim(`  from ${clean(files[0] ?? '')}`)}`,
  );
}

/** Throws a UsageError if one of the folders contains the other, because each run would then add files to the next. */
function checkFolders(folder: string, out: string): void {
  const real = (path: string): string => (existsSync(path) ? realpathSync(path) : join(real(dirname(resolve(path))), basename(path)));
  const [from, to] = [real(folder), real(out)].map(path => (path.endsWith(sep) ? path : path + sep));
  if (from!.startsWith(to!) || to!.startsWith(from!))
    throw new UsageError(`-o ${out}: the site and the folder of the models must not contain each other`);
}

function urlOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`--url ${text}: expected the address of the site, such as https://models.example/`);
  url.search = url.hash = '';
  return url.href.endsWith('/') ? url.href : `${url.href}/`;
}

function downloadsOf(text: string | undefined): Download[] {
  if (text === undefined) return [...DOWNLOADS];
  if (text === 'none') return [];
  return text.split(',').map(word => {
    const found = DOWNLOADS.find(each => each === word.trim());
    if (!found) throw new UsageError(`--downloads ${text}: expected a list of ${DOWNLOADS.join(', ')}, or none`);
    return found;
  });
}

function printPlan({ results, left }: Pick<Plan, 'results' | 'left'>, isJson: boolean): number {
  if (isJson) printJson({ models: results.map(({ place, files }) => ({ model: place, files })), left });
  else {
    for (const {
      files: [first = '', ...others],
    } of results)
      print(`${bold(clean(first))}${others.length > 0 ? dim(`  with ${others.map(clean).join(', ')}`) : ''}`);
    for (const { file, detail } of left) print(`${bold(clean(file))}  no page: ${clean(detail)}`);
  }
  return left.length > 0 ? 1 : 0;
}

/** Prints the report and returns the exit code. */
function finish(parts: readonly ModelParts[], left: readonly LeftFile[], isJson: boolean): number {
  const rows = parts.flatMap(({ facts, picture, glb, vrm }) => [facts, picture, glb, vrm].filter(row => row !== null));
  if (isJson) {
    const shown = rows.map(({ out, files, isKept, byteLength, ledger, error }) => ({ out, files, isKept, byteLength, ledger, error }));
    printJson({ parts: shown, left });
  } else for (const { file, detail } of left) print(`${bold(clean(file))}  no page: ${clean(detail)}`);
  const codes = [...rows.map(({ error }) => error?.code), ...left.map(({ code }) => code)].filter(code => code !== undefined);
  if (codes.includes('IO_ERROR')) return 2;
  return codes.length > 0 ? 1 : 0;
}
