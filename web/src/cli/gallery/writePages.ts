// Writes the pages and the search index of a gallery from its parts.
import { relative, sep } from 'node:path';
import { codes } from '../../core/codes.ts';
import { formatLabel } from '../../core/formats.ts';
import type { LeftFile } from '../convertPlan.ts';
import type { ReportRow } from '../reportFile.ts';
import type { ModelFacts } from './facts.ts';
import { html } from './html.ts';
import { indexPage, leftPage, listPage } from './indexPage.ts';
import { embedPage, type Made, type ModelPage, modelPage, oEmbed } from './modelPage.ts';
import { filesOf, type ModelParts, readFacts, stemOf } from './parts.ts';
import { type Indexed, SearchIndex } from './searchIndex.ts';
import type { Site } from './site.ts';
import { STYLE, THEME } from './style.ts';
import { type Entry, rangeOf } from './terms.ts';

export interface PageOptions {
  /** The folder of all models. */
  folder: string;
  /** The folder of the site. */
  out: string;
  title: string;
  /** URL of the site; null if it is not known. */
  url: string | null;
  parts: readonly ModelParts[];
  left: readonly LeftFile[];
  /** The copies of the files, by relative path. */
  copies: ReadonlyMap<string, ReportRow>;
}

/** Number of models on the first page before visitors ask for more. */
const FIRST = 60;
/** Number of models on a page of the plain list. */
const LISTED = 500;
/** Number of skeletons in the filter of the first page. */
const SKELETONS = 60;

/** Writes all pages. Returns the number of models. */
export async function writePages(site: Site, options: PageOptions): Promise<number> {
  const { folder, out, title, url, parts, copies } = options;
  const local = (text: string): string => withoutFolders(text, [folder, out]);
  const codeTable = new Map((await codes()).map(code => [code.code, code]));
  const entries: Entry[] = [];
  const formats = new Map<string, { label: string; count: number }>();
  const skeletons = new Map<string, { count: number; name: string; bones: number }>();
  const left = options.left.map(({ file, detail }) => ({ file: localPath(folder, file), detail: local(detail) }));
  const index = new SearchIndex((name, bytes) => site.write(`search/${name}`, bytes));
  for (const part of inOrder(parts)) {
    if (part.facts.error) {
      left.push({ file: part.place, detail: local(part.facts.error.detail) });
      continue;
    }
    const facts = readFacts(part.facts);
    const at = `models/${part.slug}`;
    const made = (row: ReportRow, name: string): Made => madeOf(row, name, local);
    for (const row of [part.facts, part.picture, part.glb, part.vrm]) if (row && !row.error) site.keep(localPath(out, row.out!));
    const model: ModelPage = {
      slug: part.slug,
      title: stemOf(part.place),
      facts,
      files: filesOf(part, folder).flatMap(path => copyOf(copies, path)),
      picture: made(part.picture, 'picture.webp'),
      glb: part.glb && made(part.glb, `${stemOf(part.place)}.glb`),
      vrm: part.vrm ? made(part.vrm, `${stemOf(part.place)}.vrm`) : notMade(facts),
      site: title,
      url,
      codes: codeTable,
    };
    site.write(`${at}/index.html`, modelPage(model));
    site.write(`${at}/embed.html`, embedPage(model));
    if (url !== null) site.write(`${at}/oembed.json`, oEmbed({ ...model, url }));
    const indexed = indexedOf(model, part.place);
    index.add(indexed);
    entries.push(indexed.entry);
    const format = formats.get(facts.format) ?? { label: formatLabel(facts.format), count: 0 };
    formats.set(facts.format, { ...format, count: format.count + 1 });
    const skeleton = skeletons.get(facts.skeleton) ?? { count: 0, name: model.title, bones: facts.bones.length };
    if (facts.skeleton !== '') skeletons.set(facts.skeleton, { ...skeleton, count: skeleton.count + 1 });
  }
  for (const [path, { error }] of copies) if (!error) site.keep(`files/${path}`);
  index.finish();
  const lists = Math.ceil(entries.length / LISTED);
  for (let i = 0; i < lists; i++)
    site.write(`lists/${i + 1}.html`, listPage(title, entries.slice(i * LISTED, (i + 1) * LISTED), i + 1, lists));
  if (left.length > 0) site.write('files.html', leftPage(title, left));
  site.write('style.css', STYLE);
  site.writeOnce('theme.css', THEME);
  site.write('.nojekyll', ''); // GitHub Pages would leave out files whose names begin with an underscore
  site.write(
    'index.html',
    indexPage({
      title,
      count: entries.length,
      entries: entries.slice(0, FIRST),
      formats: new Map([...formats].sort(([, a], [, b]) => b.count - a.count || (a.label < b.label ? -1 : 1))),
      skeletons: [...skeletons]
        .filter(([, { count }]) => count > 1)
        .sort(([, a], [, b]) => b.count - a.count)
        .slice(0, SKELETONS)
        .map(([id, { count, name, bones }]) => ({ id, label: `${name}, ${bones} bones (${count})` })),
      left: left.length,
      head: html`<meta property="og:title" content="${title}" />
        <meta property="og:type" content="website" />
        ${url !== null && html`<link rel="canonical" href="${url}" /> `}`,
    }),
  );
  return entries.length;
}

/**
 * Returns a key that orders paths without regard to case, and numbers by their value. The order does
 * not depend on the language of the system.
 */
const orderKey = (path: string): string => `${path.toLowerCase().replace(/\d+/g, digits => digits.padStart(20, '0'))}\0${path}`;

/** Orders paths of models as a list of files does: `Vase2` is before `Vase10`. */
export function inOrder<T extends { place: string }>(models: readonly T[]): T[] {
  const keyed = models.map(model => ({ key: orderKey(model.place), model }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ model }) => model);
}

const localPath = (folder: string, path: string): string => relative(folder, path).split(sep).join('/');

/** Removes the paths of folders from a text, because visitors of the site should not see them. */
export const withoutFolders = (text: string, folders: readonly string[]): string =>
  folders.reduce((found, folder) => found.replaceAll(folder.endsWith(sep) ? folder : folder + sep, ''), text);

function madeOf({ error, byteLength, ledger }: ReportRow, name: string, local: (text: string) => string): Made {
  return {
    name: error ? null : name,
    byteLength: byteLength ?? 0,
    reason: local(error?.detail ?? ''),
    // Targets of links are paths of this computer, which visitors can't open.
    losses: ledger
      .filter(({ code }) => code !== 'LINK_FOLLOWED')
      .map(entry => ({ ...entry, path: local(entry.path), detail: local(entry.detail) })),
  };
}

/** Explains why a humanoid model has no VRM; null if the model is not a humanoid. */
const notMade = ({ notBody }: ModelFacts): Made | null =>
  notBody === null ? null : { name: null, byteLength: 0, reason: notBody, losses: [] };

const copyOf = (copies: PageOptions['copies'], path: string): { path: string; byteLength: number }[] => {
  const row = copies.get(path);
  return row && !row.error ? [{ path, byteLength: row.byteLength ?? 0 }] : [];
};

function indexedOf({ slug, title, facts, picture }: ModelPage, place: string): Indexed {
  const sum = (kind: 'errors' | 'warnings'): number => facts.reports.reduce((total, { report }) => total + report[kind], 0);
  const folders = place.split('/').slice(0, -1);
  const entry: Entry = {
    slug,
    name: title,
    folder: folders.join('/'),
    format: facts.format,
    triangles: facts.triangles,
    instances: facts.instances,
    bones: facts.bones.length,
    animations: facts.animations.length,
    errors: sum('errors'),
    warnings: sum('warnings'),
    hasPicture: picture.name !== null,
  };
  return {
    entry,
    texts: {
      name: [place],
      bones: facts.bones,
      materials: facts.materials.map(({ name }) => name),
      animations: facts.animations.flatMap(({ name, file }) => [name, file]),
    },
    filters: [
      `format:${facts.format}`,
      `triangles:${rangeOf(facts.triangles)}`,
      `findings:${entry.errors > 0 ? 'errors' : entry.warnings > 0 ? 'warnings' : 'none'}`,
      ...(facts.skeleton === '' ? [] : [`skeleton:${facts.skeleton}`]),
      ...folders.map((_, i) => `folder:${folders.slice(0, i + 1).join('/')}`),
    ],
  };
}
