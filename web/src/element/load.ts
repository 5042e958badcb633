// From addresses or files in hand to rigs: the model, and the motions that come from other files.
import { LoadingManager } from 'three';
import type { FormatOptions, Report } from '../core/types.ts';
import { lanes } from '../textures/lanes.ts';
import { mostSimilar } from '../session/nameSimilarity.ts';
import type * as Foreign from '../interop/open.ts';
import { formatTable } from '../core/formatTable.ts';
import { isOtherFormat } from '../core/otherFormats.ts';
import { hasNoSurface } from '../session/hasNoSurface.ts';
import { type Role, roleByName, roleOf } from '../session/role.ts';
import { CompanionFiles } from '../session/companionFiles.ts';
import { RigcastLoader } from '../three/loader.ts';
import { addressOf, extensionOf, partsOf } from '../core/paths.ts';
import type { Rig } from '../three/rig.ts';
import { answered, type Fetching, folderOf, pathOf, type Place, placesOf, urlOf } from './addresses.ts';
import { bytesBy, texturesBy } from './supply.ts';
import type { Supply } from './types.ts';

/** Files beside the model that are fetched and read at a time. */
const LANES = 6;

export interface Wanted {
  src: string | null;
  /** Words of the attribute `files`. */
  files: readonly string[];
  /** Files in hand, by name or path. They go before `files`. */
  given: ReadonlyMap<string, Blob> | null;
  /** Asked for what is in no list. */
  supply: Supply | null;
  /** What addresses are relative to. */
  base: string;
  credentials: RequestCredentials;
  origins: ReadonlySet<string>;
  /** The number of files that may be opened beside the model. */
  maxFiles: number;
  formatOptions: FormatOptions;
  /** Whether the graphics card draws a kind of compressed texture. */
  extensions: { has(name: string): boolean };
}

export interface Loaded {
  rig: Rig;
  /** Rigs of nothing but motions, or whose motions alone are used. */
  sources: Rig[];
  /** What could not be read beside the model. */
  failed: { name: string; error: unknown }[];
}

/** One file that may be opened. */
interface Candidate {
  name: string;
  /** The same, for comparing names. */
  path: string;
  role: Role;
  open(loader: RigcastLoader): Promise<Rig>;
}

type OnProgress = (loaded: number, total: number | null) => void;

/** Rejects where the model cannot be read; with an AbortError where it was aborted. */
export async function load(wanted: Wanted, signal: AbortSignal, onProgress: OnProgress): Promise<Loaded> {
  const fetching: Fetching = { request: { credentials: wanted.credentials }, origins: wanted.origins, signal };
  const { given } = wanted;
  if (given && ![...given].every(([name, file]) => typeof name === 'string' && file instanceof Blob))
    throw new TypeError('files: a list of Files, a Map of names to Blobs, or addresses in one text');
  const { places, problems } = given ? { places: [], problems: [] } : await placesOf(wanted.files, wanted.base, fetching);
  signal.throwIfAborted();
  const opening: Opening = { signal, foreign: null };
  const candidates = given ? await candidatesIn(given, opening) : await candidatesAt(places, fetching, opening);
  const names = [wanted.src ?? '', ...candidates.map(({ name }) => name)];
  // Readers of other kinds are fetched only where there is such a file.
  if (names.some(name => isOtherFormat(name.replace(/[?#].*$/, '')))) opening.foreign = await import('../interop/open.ts');
  const rigs: Rig[] = [];
  try {
    const choices = choicesOf(wanted, candidates, fetching, opening);
    const tried = new Map<Candidate | null, Rig>();
    for (const choice of choices) {
      const made = await choice.open(loaderFor(wanted, choice, places, opening), onProgress);
      rigs.push(made);
      tried.set(choice.candidate, made);
      signal.throwIfAborted();
      if (!hasNoSurface({ rig: made })) break;
    }
    const model =
      choices.find(({ candidate }) => tried.has(candidate) && !hasNoSurface({ rig: tried.get(candidate)! })) ??
      choices.find(({ candidate }) => tried.get(candidate)!.nodes.length > 1) ??
      choices[0];
    const rig = tried.get(model.candidate)!;
    const { clips, instances } = rig.file.scene!;
    if (rig.nodes.length <= 1 && clips.length > 0 && instances.length === 0) throw new MotionsAlone(rig);
    const isMissing = rig.report.items.some(({ code }) => code === 'TEXTURE_MISSING');
    if (wanted.supply && isMissing) await rig.loadTextures(texturesBy(wanted.supply), { signal });
    // What a world places are its own parts, and no motions.
    const isWorld = instances.length > 0;
    const all = candidates.filter(each => each !== model.candidate && (each.role === 'motion' || (!isWorld && each.role !== 'model')));
    const others = mostSimilar(
      all,
      [{ path: model.candidate?.path ?? pathOf((wanted.src ?? '').replace(/[?#].*$/, '')) }],
      wanted.maxFiles,
    );
    const bare = loaderFor(wanted, model, places, opening).setOptions({ textures: false, instances: false });
    const failed: Loaded['failed'] = [...problems];
    if (others.length < all.length)
      failed.push({
        name: 'files',
        error: new Error(`${others.length} of ${all.length} files are opened beside the model: max-files allows no more.`),
      });
    const run = lanes(LANES);
    const opened = await Promise.all(
      others.map(async candidate => {
        if (tried.has(candidate)) return tried.get(candidate)!;
        const made = await run(async () => {
          signal.throwIfAborted();
          return candidate.open(bare);
        }).catch((error: unknown) => void failed.push({ name: candidate.name, error }));
        if (made) rigs.push(made);
        return made;
      }),
    );
    signal.throwIfAborted();
    const sources = opened.filter(each => each !== undefined);
    for (const each of rigs) if (each !== rig && !sources.includes(each)) each.dispose();
    for (const each of [rig, ...sources]) opening.foreign?.remember(each.file);
    return { rig, sources, failed };
  } catch (error) {
    for (const rig of rigs) rig.dispose();
    throw error;
  }
}

class MotionsAlone extends Error {
  readonly report: Report;

  constructor({ file, report }: Rig) {
    super(`${file.name} holds motions alone: name the model that they move as well.`);
    this.report = report;
  }
}

interface Opening {
  signal: AbortSignal;
  foreign: Pick<typeof Foreign, 'bindAny' | 'foreignRig' | 'remember'> | null;
}

/** A file of another kind; what it names is looked for among those in hand. */
async function openForeign({ foreign, signal }: Opening, path: string, blob: Blob, given?: ReadonlyMap<string, Blob>): Promise<Rig> {
  const file = (name: string, from: Blob): File => new File([from], name.split(/[/\\]/).at(-1)!);
  const shelf = new CompanionFiles().with(Array.from(given ?? [], ([name, each]) => ({ path: name, file: file(name, each) })));
  return foreign!.foreignRig({ path, file: file(path, blob) }, shelf, signal);
}

/** The whole of a file. Readers of other kinds would call a page that a server sends in its place damaged. */
async function wholeOf(url: string, { request }: Fetching, signal: AbortSignal): Promise<Blob> {
  const blob = await (await answered(url, { ...request, signal })).blob();
  if (/^\s*<(!doctype|html)/i.test(await blob.slice(0, 64).text())) throw new Error(`${url} leads to a page instead of the file.`);
  return blob;
}

interface Model {
  candidate: Candidate | null;
  /** Its folder; '' for files in hand. */
  folder: string;
  open(loader: RigcastLoader, onProgress: OnProgress): Promise<Rig>;
}

/** What may be the model. By its name alone a file may hold anything: then the first that shows something is it. */
function choicesOf(
  { src, base, given }: Wanted,
  candidates: readonly Candidate[],
  fetching: Fetching,
  opening: Opening,
): [Model, ...Model[]] {
  if (src !== null && (!given || ![...given.keys()].some(path => path === src))) {
    const { href: url, pathname } = urlOf(src, base);
    const model: Model = {
      candidate: candidates.find(({ name }) => name === url) ?? null,
      folder: folderOf(url),
      open: async (loader, onProgress) =>
        isOtherFormat(pathname)
          ? openForeign(opening, pathOf(pathname), await wholeOf(url, fetching, opening.signal))
          : loader.loadAsync(url, ({ loaded, total, lengthComputable }) => onProgress(loaded, lengthComputable ? total : null)),
    };
    return [model];
  }
  const candidate =
    candidates.find(({ name }) => name === src) ??
    (['world', 'model', 'rig', 'unknown', 'motion'] as const).map(wanted => candidates.find(({ role }) => role === wanted)).find(Boolean);
  if (!candidate) throw new Error('None of the files is a model.');
  const modelOf = (each: Candidate): Model => ({
    candidate: each,
    folder: given ? '' : folderOf(each.name),
    open: loader => each.open(loader),
  });
  const isOpen = !given && (candidate.role === 'rig' || candidate.role === 'unknown');
  const alike = isOpen ? candidates.filter(each => each !== candidate && each.role === candidate.role) : [];
  return [modelOf(candidate), ...alike.map(modelOf)];
}

async function candidatesIn(given: ReadonlyMap<string, Blob>, opening: Opening): Promise<Candidate[]> {
  const all = await Promise.all(
    Array.from(given, async ([path, blob]) => {
      const name = path.split(/[/\\]/).at(-1)!;
      const role = await roleOf(blob instanceof File && blob.name === name ? blob : new File([blob], name));
      const open = (loader: RigcastLoader): Promise<Rig> =>
        isOtherFormat(name) ? openForeign(opening, path, blob, given) : loader.parseAsync(blob, '', name);
      return { name: path, path, role, open };
    }),
  );
  return all.filter(isCandidate);
}

/** By their names alone: what is not opened is not fetched. */
async function candidatesAt(places: readonly Place[], fetching: Fetching, opening: Opening): Promise<Candidate[]> {
  const all = await Promise.all(
    places.map(async ({ path, url }) => ({
      name: url,
      path,
      role: await roleByName(path.split('/').at(-1)!),
      extension: extensionOf(path.split('/').at(-1)!),
      open: async (loader: RigcastLoader) =>
        isOtherFormat(path) ? openForeign(opening, path, await wholeOf(url, fetching, opening.signal)) : loader.loadAsync(url),
    })),
  );
  return all.filter(each => isCandidate(each) && (each.role !== 'unknown' || isUnsure(each.extension)));
}

/** True if only the content identifies a file with this extension, as with recordings. */
const isUnsure = (extension: string): boolean =>
  extension === '' || formatTable.some(({ extensions, role }) => role === 'unknown' && extensions.includes(extension));

const isCandidate = ({ role }: Candidate): boolean => role !== 'companion';

function loaderFor(
  { given, supply, credentials, formatOptions, extensions }: Wanted,
  { folder }: Model,
  places: readonly Place[],
  { signal, foreign }: Opening,
) {
  const manager = new LoadingManager();
  const loader = new RigcastLoader(manager);
  loader.setOptions({ credentials, formatOptions, cameras: false, ...(foreign && { bind: foreign.bindAny }) });
  if (supply) loader.setOptions({ companions: bytesBy(supply) });
  // Asked only where a file has such textures: a context is not made for the others.
  loader.detectSupport({ extensions } as Parameters<typeof loader.detectSupport>[0]);
  if (given) loader.setFiles(given);
  else if (places.length > 0) {
    // What lies elsewhere is listed as if it lay beside the model.
    const elsewhere = new Map<string, string>();
    const listing = places.map(({ path, url }) => {
      const near = partsOf(url.startsWith(folder) ? pathOf(url.slice(folder.length).replace(/[?#].*$/, '')) : path);
      elsewhere.set(folder + addressOf(near), url);
      return near.join('/');
    });
    manager.setURLModifier(url => elsewhere.get(url) ?? url);
    loader.setFiles(listing);
  }
  signal.addEventListener('abort', () => loader.abort(), { once: true });
  return loader;
}

/** Throws where it is no object in JSON. */
export function optionsOf(text: string | null): FormatOptions {
  if (text === null || text.trim() === '') return {};
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    found = null;
  }
  if (typeof found !== 'object' || found === null || Array.isArray(found)) throw new TypeError('format-options is no object in JSON.');
  return found as FormatOptions;
}
