// Makes the parts of the pages of a gallery: facts, picture and downloads of each model, and copies
// of the files. Parts that are unchanged since an earlier run are kept, as with `--resume`.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative, sep } from 'node:path';
import { fileStem } from '../../convert/common/fileNames.ts';
import type { OpenOptions } from '../../core/open.ts';
import { extensionOf } from '../../core/paths.ts';
import { hashOf, makeResults, type Target } from '../batch.ts';
import type { MakeTask } from '../convertChild.ts';
import type { PlannedResult } from '../convertPlan.ts';
import { version } from '../help.ts';
import { foldersBeside, imagesBelow } from '../images.ts';
import { type Limits, Pool } from '../pool.ts';
import type { RenderTask } from '../renderChild.ts';
import type { Rendering } from '../renderTask.ts';
import { ReportFile, type ReportRow, readReports, type ResultRow } from '../reportFile.ts';
import type { ModelFacts } from './facts.ts';
import type { GalleryTask } from './galleryChild.ts';

/** Formats that can be made for download. */
export const DOWNLOADS = ['glb', 'vrm'] as const;
export type Download = (typeof DOWNLOADS)[number];

/**
 * True if a download is made of a model. A model in the same format is a download already, unless
 * other files add animations to it.
 */
export const isMade = (to: Download, { place, files }: Pick<PlannedResult, 'place' | 'files'>): boolean =>
  extensionOf(place) !== to || files.length > 1;

export interface PartOptions {
  /** The folder of all models. */
  folder: string;
  /** The folder of the site. */
  out: string;
  open: OpenOptions;
  /** Path of the browser. */
  browser: string;
  /** Maximum time without progress for a picture, in seconds. */
  seconds: number;
  downloads: readonly Download[];
  /** Shard of this run, such as `2/8`; null if the run makes all parts. */
  shard: string | null;
}

/** The parts of a page. A part that could not be made has an error. */
export interface ModelParts {
  slug: string;
  /** Path of the model, relative to the folder of all models. */
  place: string;
  facts: ReportRow;
  picture: ReportRow;
  /** Null if no GLB was requested, or if the model is one. */
  glb: ReportRow | null;
  /** Null if no VRM was requested, or if the model is one or not a body. */
  vrm: ReportRow | null;
}

/**
 * The picture of a model. It is transparent, so that it fits light and dark pages, unless the model
 * only adds light. It has room for the shadow.
 */
const PICTURE: Rendering = {
  format: 'webp',
  isVideo: false,
  width: 512,
  height: 512,
  attributes: { 'camera-orbit': 'auto auto 112%' },
  background: null,
  mayBeDark: true,
  turn: 0,
  frameRate: undefined,
};

type Part = 'facts' | 'picture' | Download | 'copy';

export class PartMaker {
  readonly planning: Pool;
  readonly #rendering: Pool;
  readonly #own: Pool;
  readonly #how: PartOptions;
  readonly #onRow: (row: ResultRow) => void;
  readonly #state: string;
  /** Hash of the names of all images. */
  readonly #images: string;
  /** Folders of models whose parts are made again although their files are unchanged. */
  #outdated: ReadonlySet<string> = new Set();

  /** `onRow` is called with each part that is made. */
  constructor(how: PartOptions, limits: Limits, onRow: (row: ResultRow) => void) {
    this.#how = how;
    this.#onRow = onRow;
    this.planning = new Pool('convertChild', limits);
    this.#rendering = new Pool('renderChild', { jobs: limits.jobs });
    this.#own = new Pool('gallery/galleryChild', limits);
    this.#state = `${how.out.replace(/[/\\]+$/, '')}.state`;
    this.#images = hashOf([how.folder, ...foldersBeside(how.folder)].map(imagesBelow));
  }

  /** Makes the parts of the planned models, in the order of the plan. */
  async make(results: readonly PlannedResult[]): Promise<ModelParts[]> {
    mkdirSync(this.#state, { recursive: true });
    this.#outdated = this.#foldersToMake();
    const { out, folder, open, browser, seconds, downloads } = this.#how;
    const models = results.map(({ place, files }) => ({ place, files, slug: slugOf(place) }));
    const target = ({ slug, files }: (typeof models)[number], name: string): Target => ({ out: join(out, 'models', slug, name), files });
    const facts = await this.#run<GalleryTask>(
      'facts',
      {},
      this.#own,
      models.map(model => target(model, 'model.json')),
      one => ({ kind: 'describe', paths: one.files, out: one.out, folder, open }),
    );
    const described = models.map((model, i) => ({ ...model, facts: facts[i]! })).filter(({ facts: row }) => !row.error);
    const pictures = await this.#run<RenderTask>(
      'picture',
      PICTURE,
      this.#rendering,
      described.map(model => target(model, 'picture.webp')),
      one => ({ paths: one.files, out: one.out, folders: [folder], isRecorded: true, rendering: PICTURE, browser, seconds }),
    );
    const converted = async (to: Download, all: readonly (typeof models)[number][]): Promise<Map<string, ReportRow>> => {
      if (!downloads.includes(to)) return new Map();
      const some = all.filter(model => isMade(to, model));
      const rows = await this.#run<MakeTask>(
        to,
        {},
        this.planning,
        some.map(model => target(model, `${stemOf(model.place)}.${to}`)),
        one => ({
          kind: 'make',
          paths: one.files,
          out: one.out,
          isFile: true,
          folders: [folder],
          others: [],
          isRecorded: true,
          convert: { to },
          open,
        }),
      );
      return new Map(some.map(({ slug }, i) => [slug, rows[i]!]));
    };
    const glb = await converted('glb', described);
    const vrm = await converted(
      'vrm',
      described.filter(({ facts: row }) => readFacts(row).isBody),
    );
    const pictureOf = new Map(described.map(({ slug }, i) => [slug, pictures[i]!]));
    return models.map(({ slug, place }, i) => ({
      slug,
      place,
      facts: facts[i]!,
      picture: pictureOf.get(slug) ?? facts[i]!,
      glb: glb.get(slug) ?? null,
      vrm: vrm.get(slug) ?? null,
    }));
  }

  /** Copies all files that were read for the parts into the site. Returns a row for each file, by its relative path. */
  async copyFiles(parts: readonly ModelParts[]): Promise<Map<string, ReportRow>> {
    const { out, folder, open } = this.#how;
    const paths = [...new Set(parts.flatMap(part => filesOf(part, folder)))].sort();
    const targets = paths.map((path): Target => ({ out: join(out, 'files', path), files: [sourceOf(path, folder)] }));
    const rows = await this.#run<GalleryTask>('copy', {}, this.#own, targets, one => ({
      kind: 'copy',
      paths: one.files,
      out: one.out,
      folder,
      open,
    }));
    return new Map(paths.map((path, i) => [path, rows[i]!]));
  }

  /** Marks the run as complete. */
  finish(): void {
    writeFileSync(join(this.#state, 'images.txt'), this.#images);
  }

  end(): void {
    for (const pool of [this.planning, this.#rendering, this.#own]) pool.end();
  }

  /** Returns the rows of earlier runs, by path. */
  #known(part: Part): Map<string, ReportRow> {
    const reports = readdirSync(this.#state).filter(name => name.startsWith(`${part}.`) && name.endsWith('.jsonl'));
    return readReports(reports.sort().map(name => join(this.#state, name)));
  }

  /**
   * Returns the folders of models with missing images, if images were added or removed since the last
   * complete run.
   */
  #foldersToMake(): Set<string> {
    const path = join(this.#state, 'images.txt');
    if (existsSync(path) && readFileSync(path, 'utf8') === this.#images) return new Set();
    const isMissing = ({ ledger }: ReportRow): boolean => ledger.some(({ code }) => code === 'TEXTURE_MISSING');
    return new Set([...this.#known('picture')].flatMap(([out, row]) => (isMissing(row) ? [dirname(out)] : [])));
  }

  /** `how`: everything besides the sources, the options and the version that determines a part. */
  async #run<T extends object>(
    part: Part,
    how: object,
    pool: Pool,
    targets: readonly Target[],
    task: (target: Target) => T,
  ): Promise<ReportRow[]> {
    const { folder, open, shard } = this.#how;
    const known = this.#known(part);
    for (const out of known.keys()) if (this.#outdated.has(dirname(out))) known.delete(out);
    return makeResults<T>(targets, {
      key: hashOf({ version: version(), how, open, folder }),
      known,
      file: new ReportFile(join(this.#state, `${part}${shard === null ? '' : `.${shard.replace('/', '-of-')}`}.jsonl`), true),
      planning: this.planning,
      pool,
      task,
      onRow: this.#onRow,
    });
  }
}

/** Reads the facts that a part contains. */
export const readFacts = ({ out }: ReportRow): ModelFacts => JSON.parse(readFileSync(out ?? '', 'utf8')) as ModelFacts;

/**
 * Folder of the site for files beside the folder of all models. Only folders of materials and
 * textures are read there.
 */
const BESIDE = '_beside/';

/** Returns the path of a file, relative to the folder of all files in the site. */
function pathInSite(path: string, folder: string): string {
  const local = relative(folder, path).split(sep).join('/');
  return local.startsWith('../') ? BESIDE + local.slice('../'.length) : local;
}

/** Returns the source of a file in the site. */
const sourceOf = (path: string, folder: string): string =>
  path.startsWith(BESIDE) ? join(folder, '..', path.slice(BESIDE.length)) : join(folder, path);

/** Returns the relative paths of the files that were read for a model: its own first, then all others by name. */
export function filesOf({ facts, picture, glb }: ModelParts, folder: string): string[] {
  if (facts.error) return [];
  const local = (path: string): string => pathInSite(path, folder);
  const others = [facts, picture, glb].flatMap(row => row?.read ?? []).map(({ path }) => local(path));
  return [...new Set([...facts.files.map(local), ...others.sort()])].filter(path => !path.startsWith('../'));
}

/** Returns the file name of a model without its extension. */
export const stemOf = (place: string): string => fileStem(basename(place, extname(place)));

/** Maximum number of letters of the name in a slug. */
const LONGEST = 40;

/**
 * Returns the name of the folder of a page. It contains only letters, digits and hyphens, and does
 * not change when other models are added.
 */
export function slugOf(place: string): string {
  const words = stemOf(place)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST)
    .replace(/^-+|-+$/g, '');
  return `${words || 'model'}-${createHash('sha256').update(place).digest('hex').slice(0, 12)}`;
}
