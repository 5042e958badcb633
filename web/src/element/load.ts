// Loads the model of an element and the animations in its companion files, from URLs or local
// files.
import { LoadingManager } from 'three';
import type { FormatOptions } from '../core/types.ts';
import { limitConcurrency } from '../textures/concurrency.ts';
import { mostSimilar } from '../session/nameSimilarity.ts';
import type * as Interop from '../interop/open.ts';
import { formatTable } from '../core/formatTable.ts';
import { isOtherFormat } from '../core/otherFormats.ts';
import { hasNoSurface } from '../session/hasNoSurface.ts';
import { type Role, roleByName, roleOf } from '../session/role.ts';
import { CompanionFiles } from '../session/companionFiles.ts';
import { RigcastLoader } from '../three/loader.ts';
import { addressOf, extensionOf, partsOf } from '../core/paths.ts';
import { Rig } from '../three/rig.ts';
import { fetchOk, type FetchContext, folderOf, decodePath, type FileLocation, locateFiles, parseUrl } from './urls.ts';
import { companionsFrom, texturesFrom } from './fileResolver.ts';
import type { FileResolver } from './types.ts';
import { invalidArgument, RigcastError } from '../core/error.ts';

/** Maximum number of companion files that are loaded at the same time. */
const CONCURRENCY = 6;

export interface LoadOptions {
  src: string | null;
  /** URLs in the attribute `files`. */
  files: readonly string[];
  /** Local files by name or path. If not null, they are used instead of `files`. */
  localFiles: ReadonlyMap<string, Blob> | null;
  /** Function of the page that returns files by name; null if there is none. */
  fileResolver: FileResolver | null;
  /** Base URL for relative URLs. */
  base: string;
  credentials: RequestCredentials;
  /** Origins from which a manifest may list files, in addition to the folder of the manifest. */
  origins: ReadonlySet<string>;
  /** Maximum number of files that are opened in addition to the model. */
  maxFiles: number;
  formatOptions: FormatOptions;
  /**
   * Extensions of the WebGL context. `has` returns true if an extension, such as one for compressed
   * textures, is supported.
   */
  extensions: { has(name: string): boolean };
}

export interface LoadResult {
  rig: Rig;
  /** Rigs of companion files, of which only the animations are used. */
  sources: Rig[];
  /** Companion files that could not be read, and problems of manifests. */
  failed: { name: string; error: unknown }[];
}

/** A file that may contain the model or animations. */
interface Candidate {
  name: string;
  /** Path of the file, for comparing names. */
  path: string;
  role: Role;
  open(loader: RigcastLoader): Promise<Rig>;
}

type OnProgress = (loaded: number, total: number | null) => void;

/**
 * Loads the model and its companion files. Rejects if the model cannot be read or loading is
 * aborted.
 */
export async function load(wanted: LoadOptions, signal: AbortSignal, onProgress: OnProgress): Promise<LoadResult> {
  const context: FetchContext = { request: { credentials: wanted.credentials }, origins: wanted.origins, signal };
  const { localFiles } = wanted;
  if (localFiles && ![...localFiles].every(([name, file]) => typeof name === 'string' && file instanceof Blob))
    throw invalidArgument('files must be a list of File objects, a Map of names to Blobs, or a string of URLs separated by spaces.');
  const { locations, problems } = localFiles ? { locations: [], problems: [] } : await locateFiles(wanted.files, wanted.base, context);
  signal.throwIfAborted();
  const opening: OpenContext = { signal, interop: null };
  const candidates = localFiles ? await candidatesFromFiles(localFiles, opening) : await candidatesFromUrls(locations, context, opening);
  const names = [wanted.src ?? '', ...candidates.map(({ name }) => name)];
  // Import the loaders of three.js only if a file requires them.
  if (names.some(name => isOtherFormat(name.replace(/[?#].*$/, '')))) opening.interop = await import('../interop/open.ts');
  const rigs: Rig[] = [];
  try {
    const choices = modelChoices(wanted, candidates, context, opening);
    const tried = new Map<Candidate | null, Rig>();
    for (const choice of choices) {
      const made = await choice.open(createLoader(wanted, choice, locations, opening), onProgress);
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
    if (rig.nodes.length <= 1 && clips.length > 0 && instances.length === 0) {
      const message = `${rig.file.name} contains animations but no model. Add the model that they were made for.`;
      throw new RigcastError('ANIMATIONS_ONLY', message, { report: rig.report });
    }
    const isMissing = rig.report.items.some(({ code }) => code === 'TEXTURE_MISSING');
    if (wanted.fileResolver && isMissing) await rig.loadTextures(texturesFrom(wanted.fileResolver), { signal });
    // If the scene has instances, only use files with the role `animation`, because the others are
    // parts of the scene.
    const hasInstances = instances.length > 0;
    const all = candidates.filter(
      each => each !== model.candidate && (each.role === 'animation' || (!hasInstances && each.role !== 'model')),
    );
    const others = mostSimilar(
      all,
      [{ path: model.candidate?.path ?? decodePath((wanted.src ?? '').replace(/[?#].*$/, '')) }],
      wanted.maxFiles,
    );
    const animationLoader = createLoader(wanted, model, locations, opening).setOptions({ textures: false, instances: false });
    const failed: LoadResult['failed'] = [...problems];
    if (others.length < all.length)
      failed.push({
        name: 'files',
        error: new RigcastError('MAX_FILES', `${others.length} of ${all.length} companion files are opened because of max-files.`),
      });
    const run = limitConcurrency(CONCURRENCY);
    const opened = await Promise.all(
      others.map(async candidate => {
        if (tried.has(candidate)) return tried.get(candidate)!;
        const made = await run(async () => {
          signal.throwIfAborted();
          return candidate.open(animationLoader);
        }).catch((error: unknown) => void failed.push({ name: candidate.name, error }));
        if (made) rigs.push(made);
        return made;
      }),
    );
    signal.throwIfAborted();
    const sources = opened.filter(each => each !== undefined);
    for (const each of rigs) if (each !== rig && !sources.includes(each)) each.dispose();
    for (const each of [rig, ...sources]) opening.interop?.registerClips(each.file);
    return { rig, sources, failed };
  } catch (error) {
    for (const rig of rigs) rig.dispose();
    throw error;
  }
}

interface OpenContext {
  signal: AbortSignal;
  interop: Pick<typeof Interop, 'bindWithConventions' | 'openImportedRig' | 'registerClips'> | null;
}

/**
 * Opens a file with a loader of three.js, such as GLTFLoader. Searches `localFiles` for the files
 * that it references.
 */
async function openImported(
  { interop, signal }: OpenContext,
  path: string,
  blob: Blob,
  localFiles?: ReadonlyMap<string, Blob>,
): Promise<Rig> {
  const file = (name: string, from: Blob): File => new File([from], name.split(/[/\\]/).at(-1)!);
  const companions = new CompanionFiles().with(Array.from(localFiles ?? [], ([name, each]) => ({ path: name, file: file(name, each) })));
  return interop!.openImportedRig({ path, file: file(path, blob) }, companions, signal, Rig.make);
}

/**
 * Fetches a file. Throws HTML_PAGE if the server returns an HTML page, as some servers do for
 * missing files.
 */
async function fetchBlob(url: string, { request }: FetchContext, signal: AbortSignal): Promise<Blob> {
  const blob = await (await fetchOk(url, { ...request, signal })).blob();
  if (/^\s*<(!doctype|html)/i.test(await blob.slice(0, 64).text()))
    throw new RigcastError('HTML_PAGE', `${url} is an HTML page, not a model file.`);
  return blob;
}

interface ModelChoice {
  candidate: Candidate | null;
  /** URL of the model's folder; '' for local files. */
  folder: string;
  open(loader: RigcastLoader, onProgress: OnProgress): Promise<Rig>;
}

/**
 * Returns the files that may contain the model, the most likely first. The caller opens one after
 * the other until a file has a mesh, because names do not always indicate the content.
 */
function modelChoices(
  { src, base, localFiles }: LoadOptions,
  candidates: readonly Candidate[],
  context: FetchContext,
  opening: OpenContext,
): [ModelChoice, ...ModelChoice[]] {
  if (src !== null && (!localFiles || ![...localFiles.keys()].some(path => path === src))) {
    const { href: url, pathname } = parseUrl(src, base);
    const model: ModelChoice = {
      candidate: candidates.find(({ name }) => name === url) ?? null,
      folder: folderOf(url),
      open: async (loader, onProgress) =>
        isOtherFormat(pathname)
          ? openImported(opening, decodePath(pathname), await fetchBlob(url, context, opening.signal))
          : loader.loadAsync(url, ({ loaded, total, lengthComputable }) => onProgress(loaded, lengthComputable ? total : null)),
    };
    return [model];
  }
  const candidate =
    candidates.find(({ name }) => name === src) ??
    (['scene', 'model', 'rig', 'unknown', 'animation'] as const)
      .map(wanted => candidates.find(({ role }) => role === wanted))
      .find(Boolean);
  if (!candidate) throw new RigcastError('NO_MODEL', 'None of these files contains a model.');
  const modelOf = (each: Candidate): ModelChoice => ({
    candidate: each,
    folder: localFiles ? '' : folderOf(each.name),
    open: loader => each.open(loader),
  });
  const isOpen = !localFiles && (candidate.role === 'rig' || candidate.role === 'unknown');
  const alike = isOpen ? candidates.filter(each => each !== candidate && each.role === candidate.role) : [];
  return [modelOf(candidate), ...alike.map(modelOf)];
}

async function candidatesFromFiles(localFiles: ReadonlyMap<string, Blob>, opening: OpenContext): Promise<Candidate[]> {
  const all = await Promise.all(
    Array.from(localFiles, async ([path, blob]) => {
      const name = path.split(/[/\\]/).at(-1)!;
      const role = await roleOf(blob instanceof File && blob.name === name ? blob : new File([blob], name));
      const open = (loader: RigcastLoader): Promise<Rig> =>
        isOtherFormat(name) ? openImported(opening, path, blob, localFiles) : loader.parseAsync(blob, '', name);
      return { name: path, path, role, open };
    }),
  );
  return all.filter(isCandidate);
}

/**
 * Returns the files at the given URLs. Determines their roles from their names, without fetching
 * them.
 */
async function candidatesFromUrls(locations: readonly FileLocation[], context: FetchContext, opening: OpenContext): Promise<Candidate[]> {
  const all = await Promise.all(
    locations.map(async ({ path, url }) => ({
      name: url,
      path,
      role: await roleByName(path.split('/').at(-1)!),
      extension: extensionOf(path.split('/').at(-1)!),
      open: async (loader: RigcastLoader) =>
        isOtherFormat(path) ? openImported(opening, path, await fetchBlob(url, context, opening.signal)) : loader.loadAsync(url),
    })),
  );
  return all.filter(each => isCandidate(each) && (each.role !== 'unknown' || needsContent(each.extension)));
}

/**
 * True if the format of files with this extension can only be detected from their content (`.bin`).
 */
const needsContent = (extension: string): boolean =>
  extension === '' || formatTable.some(({ extensions, role }) => role === 'unknown' && extensions.includes(extension));

const isCandidate = ({ role }: Candidate): boolean => role !== 'companion';

function createLoader(
  { localFiles, fileResolver, credentials, formatOptions, extensions }: LoadOptions,
  { folder }: ModelChoice,
  locations: readonly FileLocation[],
  { signal, interop }: OpenContext,
) {
  const manager = new LoadingManager();
  const loader = new RigcastLoader(manager);
  loader.setOptions({ credentials, formatOptions, cameras: false, ...(interop && { bind: interop.bindWithConventions }) });
  if (fileResolver) loader.setOptions({ companions: companionsFrom(fileResolver) });
  // `extensions.has` creates the WebGL context. The loader calls it only for compressed textures.
  loader.detectSupport({ extensions } as Parameters<typeof loader.detectSupport>[0]);
  if (localFiles) loader.setFiles(localFiles);
  else if (locations.length > 0) {
    // The loader requests all files from the folder of the model. Map files in other folders to
    // their URLs.
    const urls = new Map<string, string>();
    const listing = locations.map(({ path, url }) => {
      const near = partsOf(url.startsWith(folder) ? decodePath(url.slice(folder.length).replace(/[?#].*$/, '')) : path);
      urls.set(folder + addressOf(near), url);
      return near.join('/');
    });
    manager.setURLModifier(url => urls.get(url) ?? url);
    loader.setFiles(listing);
  }
  signal.addEventListener('abort', () => loader.abort(), { once: true });
  return loader;
}

/** Parses the attribute `format-options`. Throws TypeError if the text is not a JSON object. */
export function parseFormatOptions(text: string | null): FormatOptions {
  if (text === null || text.trim() === '') return {};
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    found = null;
  }
  if (typeof found !== 'object' || found === null || Array.isArray(found)) throw invalidArgument('format-options must be a JSON object.');
  return found as FormatOptions;
}
