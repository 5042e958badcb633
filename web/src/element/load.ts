// Loads the model of an element and the animations in its companion files, from URLs or local
// files.
import { LoadingManager } from 'three';
import type { FormatOptions } from '../core/types.ts';
import { mostSimilar } from '../session/nameSimilarity.ts';
import type * as Interop from '../interop/open.ts';
import type { MaterialVariants } from '../interop/variants.ts';
import { formatTable } from '../core/formatTable.ts';
import { canReadInParts } from '../core/formats.ts';
import { isOtherFormat } from '../core/otherFormats.ts';
import { hasNoSurface } from '../session/hasNoSurface.ts';
import { type Role, roleByName, roleOf } from '../session/role.ts';
import { CompanionFiles } from '../session/companionFiles.ts';
import { RigcastLoader } from '../three/loader.ts';
import type { BlockExtension } from '../three/materials/imageKinds.ts';
import { addressOf, baseName, extensionOf, isAbsolute, nearestFirst, partsOf } from '../core/paths.ts';
import { limitConcurrency } from '../textures/concurrency.ts';
import { valuesFileOf } from '../textures/materialValues.ts';
import { Rig } from '../three/rig.ts';
import { CONCURRENCY, Downloads, type DownloadProgress } from './downloads.ts';
import { folderOf, decodePath, type FileLocation, isManifest, locateFiles, parseUrl } from './urls.ts';
import { companionsFrom, texturesFrom } from './fileResolver.ts';
import type { FileResolver } from './types.ts';
import { invalidArgument, RigcastError } from '../core/error.ts';

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
  /** Returns true if the renderer draws textures that require an extension of WebGL. */
  draws: (extension: BlockExtension) => boolean;
  /** True if models are drawn with WebGPU. */
  isWebGPU: boolean;
}

export interface LoadResult {
  rig: Rig;
  /** Rigs of companion files, of which only the animations are used. */
  sources: Rig[];
  /** Returns the file of the model again if it is a GLB; otherwise null. */
  original: (() => Promise<Blob>) | null;
  /** Material variants of the model; null if it has none. */
  variants: MaterialVariants | null;
  /** Companion files that could not be read, and problems of manifests. */
  failed: { name: string; error: unknown }[];
}

/** A file that may contain the model or animations. */
interface Candidate {
  /** URL of a remote file, path of a local file. */
  name: string;
  /** Path of the file, for comparing names. */
  path: string;
  role: Role;
  /** True for a file with the role `model` that may also contain animations for other models. */
  mayAnimate: boolean;
  open(loader: RigcastLoader): Promise<Rig>;
}

/** A file that may contain the model. */
interface ModelChoice {
  /** The same file in the list of candidates; null if `src` is not in this list. */
  candidate: Candidate | null;
  /** Path of the file, for comparing names. */
  path: string;
  /** URL of the model's folder; '' for local files. */
  folder: string;
  open(loader: RigcastLoader): Promise<Rig>;
}

export interface LoadEvents {
  onProgress(progress: DownloadProgress): void;
  /**
   * Called once or twice with the rig of a model that has a mesh. Its textures and animations may
   * still be loading. If loading fails afterwards, the rig is disposed. Not called for scenes with
   * instances, whose meshes are in other files.
   */
  onModel(rig: Rig): void;
}

/**
 * Loads the model and its companion files. All files that `src` and `files` name are requested at
 * once. Rejects if the model cannot be read or loading is aborted.
 */
export async function load(wanted: LoadOptions, pageSignal: AbortSignal, events: LoadEvents): Promise<LoadResult> {
  const failure = new AbortController(); // ends the remaining requests if the model cannot be read
  const loading = new Loading(wanted, AbortSignal.any([pageSignal, failure.signal]), events);
  try {
    return await loading.run();
  } catch (error) {
    failure.abort();
    loading.dispose();
    throw error;
  }
}

class Loading {
  /** Opens animations a limited number at a time, because files that are read in parts are not requested by `Downloads`. */
  readonly #inTurn = limitConcurrency(CONCURRENCY);
  readonly #wanted: LoadOptions;
  readonly #signal: AbortSignal;
  readonly #events: LoadEvents;
  readonly #downloads: Downloads;
  readonly #failed: LoadResult['failed'] = [];
  /** All rigs that were opened. */
  readonly #rigs: Rig[] = [];
  /** Functions that return the file of a rig again, for GLB files. */
  readonly #originals = new Map<Rig, () => Promise<Blob>>();
  /** Rigs of the files that were opened for their animations; undefined if a file cannot be read. */
  readonly #opened = new Map<Candidate, Promise<Rig | undefined>>();
  #interop: Pick<typeof Interop, 'bindByNameOrBody' | 'fetchReferences' | 'openImportedRig' | 'registerClips' | 'variantsIn'> | null = null;
  #locations: readonly FileLocation[] = [];
  #candidates: readonly Candidate[] = [];

  constructor(wanted: LoadOptions, signal: AbortSignal, events: LoadEvents) {
    this.#wanted = wanted;
    this.#signal = signal;
    this.#events = events;
    this.#downloads = new Downloads({ credentials: wanted.credentials, signal }, events.onProgress);
  }

  async run(): Promise<LoadResult> {
    await this.#findCandidates();
    const choices = this.#modelChoices();
    const [first] = choices;
    const tried = new Map<ModelChoice, Rig>();
    const opening = this.#openModel(first);
    opening.catch(() => {}); // reported below
    const animationLoader = this.#createLoader(first).setOptions({ textures: false, instances: false });
    this.#requestFiles(first, animationLoader);
    for (const choice of choices) {
      const made = await (choice === first ? opening : this.#openModel(choice));
      tried.set(choice, made);
      if (!hasNoSurface({ rig: made })) break;
    }
    const model =
      choices.find(choice => tried.has(choice) && !hasNoSurface({ rig: tried.get(choice)! })) ??
      choices.find(choice => tried.get(choice)!.nodes.length > 1) ??
      first;
    const rig = tried.get(model)!;
    const { clips, instances } = rig.file.scene!;
    if (rig.nodes.length <= 1 && clips.length > 0 && instances.length === 0) {
      const message = `${rig.file.name} contains animations but no model. Add the model that they were made for.`;
      throw new RigcastError('ANIMATIONS_ONLY', message, { report: rig.report });
    }
    this.#announce(rig);
    const all = this.#animationFiles(model.candidate, instances.length > 0);
    const others = this.#limited(all, model);
    if (others.length < all.length)
      this.#failed.push({
        name: 'files',
        error: new RigcastError('MAX_FILES', `${others.length} of ${all.length} companion files are opened because of max-files.`),
      });
    for (const [choice, made] of tried) if (choice.candidate) this.#opened.set(choice.candidate, Promise.resolve(made));
    const sources = Promise.all(others.map(candidate => this.#openAnimations(candidate, animationLoader)));
    const { fileResolver } = this.#wanted;
    const isMissing = rig.report.items.some(({ code }) => code === 'TEXTURE_MISSING');
    if (fileResolver && isMissing) await rig.loadTextures(texturesFrom(fileResolver), { signal: this.#signal });
    const used = (await sources).filter(each => each !== undefined);
    this.#signal.throwIfAborted();
    for (const each of this.#rigs) if (each !== rig && !used.includes(each)) each.dispose();
    for (const each of [rig, ...used]) this.#interop?.registerClips(each.file);
    this.#downloads.clear();
    const original = this.#originals.get(rig) ?? null;
    return { rig, sources: used, original, variants: this.#interop?.variantsIn(rig.file) ?? null, failed: this.#failed };
  }

  /** Disposes all rigs that were opened. */
  dispose(): void {
    for (const rig of this.#rigs) rig.dispose();
  }

  /** URL of the attribute `src`; null if it is missing or names a local file. */
  get #sourceUrl(): string | null {
    const { src, base, localFiles } = this.#wanted;
    return src === null || localFiles?.has(src) ? null : parseUrl(src, base).href;
  }

  async #findCandidates(): Promise<void> {
    const { files, localFiles, base, credentials, origins, src } = this.#wanted;
    if (localFiles && ![...localFiles].every(([name, file]) => typeof name === 'string' && file instanceof Blob))
      throw invalidArgument('files must be a list of File objects, a Map of names to Blobs, or a string of URLs separated by spaces.');
    const url = this.#sourceUrl;
    // The model need not wait for manifests and for the loaders of three.js.
    if (url !== null && (isOtherFormat(new URL(url).pathname) || (!localFiles && files.some(word => isManifest(parseUrl(word, base))))))
      this.#downloads.start(url);
    if (localFiles) this.#candidates = await this.#candidatesFromFiles(localFiles);
    else {
      const { locations, problems } = await locateFiles(files, base, { request: { credentials }, origins, signal: this.#signal });
      this.#failed.push(...problems);
      this.#locations = locations;
      this.#candidates = await this.#candidatesFromUrls(locations);
    }
    this.#signal.throwIfAborted();
    const names = [src ?? '', ...this.#candidates.map(({ name }) => name)];
    // Import the loaders of three.js only if a file requires them.
    if (names.some(name => isOtherFormat(name.replace(/[?#].*$/, '')))) this.#interop = await import('../interop/open.ts');
  }

  /**
   * Requests the files that will be needed for certain: those that the attribute `files` names, and
   * the animations that a manifest lists. Opens the animations as soon as they arrive.
   */
  #requestFiles(model: ModelChoice, animationLoader: RigcastLoader): void {
    const { files, base } = this.#wanted;
    const named = new Set(files.map(word => parseUrl(word, base).href));
    const animations = this.#limited(this.#animationFiles(model.candidate, false), model);
    for (const { url } of this.#locations) {
      const candidate = this.#candidates.find(({ name }) => name === url);
      if (candidate && canReadInParts(candidate.path)) continue; // possibly too large to be downloaded
      if (candidate ? animations.includes(candidate) && (named.has(url) || candidate.role === 'animation') : named.has(url))
        this.#downloads.start(url);
    }
    for (const candidate of animations) if (candidate.role === 'animation') void this.#openAnimations(candidate, animationLoader);
  }

  /** Opens a model with its textures and instances. */
  async #openModel(choice: ModelChoice): Promise<Rig> {
    const loader = this.#createLoader(choice).setOptions({
      onModel: rig => this.#announce(rig),
      materialFiles: false, // most servers do not have them, and browsers log each missing file as an error
    });
    return this.#keep(await choice.open(loader));
  }

  /** Opens a file of which only the animations are used. Each file is opened once. */
  #openAnimations(candidate: Candidate, loader: RigcastLoader): Promise<Rig | undefined> {
    const rig =
      this.#opened.get(candidate) ??
      this.#inTurn(() => candidate.open(loader))
        .then(made => this.#keep(made))
        .catch((error: unknown) => void this.#failed.push({ name: candidate.name, error }));
    this.#opened.set(candidate, rig);
    return rig;
  }

  /** Announces a model that is ready to be drawn to the page. */
  #announce(rig: Rig): void {
    if (!this.#signal.aborted && !hasNoSurface({ rig }) && rig.file.scene!.instances.length === 0) this.#events.onModel(rig);
  }

  /** Keeps a rig, so that it is disposed if loading fails. Rejects if loading has already failed. */
  #keep(rig: Rig): Rig {
    if (this.#signal.aborted) rig.dispose();
    this.#signal.throwIfAborted();
    this.#rigs.push(rig);
    return rig;
  }

  /**
   * Returns the files of which only the animations are used. In a scene with instances, these are
   * files with the role `animation`, because the others are parts of the scene.
   */
  #animationFiles(model: Candidate | null, hasInstances: boolean): readonly Candidate[] {
    const isUsed = ({ role, mayAnimate }: Candidate): boolean =>
      role === 'animation' || (!hasInstances && (role !== 'model' || mayAnimate));
    return this.#candidates.filter(each => each !== model && isUsed(each));
  }

  /** Applies the attribute `max-files`. Keeps the files whose names are most similar to the model. */
  #limited(all: readonly Candidate[], { path }: ModelChoice): readonly Candidate[] {
    return mostSimilar(all, [{ path }], this.#wanted.maxFiles);
  }

  /**
   * Returns the files that may contain the model, the most likely first. The caller opens one after
   * the other until a file has a mesh, because names do not always indicate the content.
   */
  #modelChoices(): [ModelChoice, ...ModelChoice[]] {
    const { src, localFiles } = this.#wanted;
    const candidates = this.#candidates;
    const url = this.#sourceUrl;
    if (url !== null) {
      const candidate = candidates.find(({ name }) => name === url) ?? null;
      const path = decodePath(new URL(url).pathname);
      return [{ candidate, path, folder: folderOf(url), open: loader => this.#openUrl(url, path, loader, true) }];
    }
    const candidate =
      candidates.find(({ name }) => name === src) ??
      (['scene', 'model', 'rig', 'unknown', 'animation'] as const)
        .map(wanted => candidates.find(({ role }) => role === wanted))
        .find(Boolean);
    if (!candidate) throw new RigcastError('NO_MODEL', 'None of these files contains a model.');
    const modelOf = (each: Candidate): ModelChoice => ({
      candidate: each,
      path: each.path,
      folder: localFiles ? '' : folderOf(each.name),
      open: loader => each.open(loader),
    });
    const isOpen = !localFiles && (candidate.role === 'rig' || candidate.role === 'unknown');
    const alike = isOpen ? candidates.filter(each => each !== candidate && each.role === candidate.role) : [];
    return [modelOf(candidate), ...alike.map(modelOf)];
  }

  async #candidatesFromFiles(localFiles: ReadonlyMap<string, Blob>): Promise<Candidate[]> {
    const all = await Promise.all(
      Array.from(localFiles, async ([path, blob]) => {
        const name = path.split(/[/\\]/).at(-1)!;
        const role = await roleOf(blob instanceof File && blob.name === name ? blob : new File([blob], name));
        const open = async (loader: RigcastLoader): Promise<Rig> =>
          isOtherFormat(name) ? this.#openImported(path, blob, async () => blob) : loader.parseAsync(blob, '', name);
        return { name: path, path, role, mayAnimate: hasModelAndClips(name), open };
      }),
    );
    return all.filter(isCandidate);
  }

  /**
   * Returns the files at the given URLs. Determines their roles from their names, without fetching
   * them.
   */
  async #candidatesFromUrls(locations: readonly FileLocation[]): Promise<Candidate[]> {
    const { files, base } = this.#wanted;
    const named = new Set(files.map(word => parseUrl(word, base).href));
    const all = await Promise.all(
      locations.map(async ({ path, url }) => ({
        name: url,
        path,
        // The models that a manifest lists are not fetched for their animations.
        mayAnimate: named.has(url) && hasModelAndClips(path),
        role: await roleByName(path.split('/').at(-1)!),
        extension: extensionOf(path.split('/').at(-1)!),
        open: (loader: RigcastLoader) => this.#openUrl(url, path, loader),
      })),
    );
    return all.filter(each => isCandidate(each) && (each.role !== 'unknown' || needsContent(each.extension)));
  }

  /**
   * Opens a remote file. `isStreamed`: true to read the file while it arrives, unless it is already
   * requested. Large animation files are read in parts.
   */
  async #openUrl(url: string, path: string, loader: RigcastLoader, isStreamed = false): Promise<Rig> {
    const downloads = this.#downloads;
    if ((isStreamed || canReadInParts(path)) && !downloads.hasStarted(url) && !isOtherFormat(path)) {
      const onBytes = downloads.count();
      let received = 0;
      const rig = await loader.loadAsync(url, ({ loaded, total, lengthComputable }) => {
        received = loaded;
        onBytes(loaded, lengthComputable ? total : null);
      });
      onBytes(received, received);
      return rig;
    }
    const blob = await downloads.blob(url);
    if (!isOtherFormat(path)) return loader.parseAsync(blob, folderOf(url), path.split('/').at(-1)!);
    // Some servers return an HTML page for missing files.
    if (/^\s*<(!doctype|html)/i.test(await blob.slice(0, 64).text()))
      throw new RigcastError('HTML_PAGE', `${url} is an HTML page, not a model file.`);
    return this.#openImported(
      path,
      blob,
      () => downloads.blob(url),
      reference => this.#referenced(reference, url),
    );
  }

  /**
   * Opens a file with a loader of three.js, such as GLTFLoader. `original`: returns the file again.
   * `fetchFile`: returns a file to which a remote file refers, or null.
   */
  async #openImported(
    path: string,
    blob: Blob,
    original: () => Promise<Blob>,
    fetchFile: ((reference: string) => Promise<Blob | null>) | null = null,
  ): Promise<Rig> {
    const file = (name: string, from: Blob): File => new File([from], baseName(name));
    const isFetched = fetchFile && !this.#wanted.localFiles;
    const referenced = isFetched ? await this.#interop!.fetchReferences(path, blob, fetchFile) : new Map<string, Blob>();
    const folder = path.slice(0, -baseName(path).length);
    const companions = new CompanionFiles()
      .with(Array.from(this.#wanted.localFiles ?? [], ([name, each]) => ({ path: name, file: file(name, each) })))
      .with(Array.from(referenced, ([name, each]) => ({ path: folder + partsOf(name).join('/'), file: file(name, each) })));
    const rig = await this.#interop!.openImportedRig({ path, file: file(path, blob) }, companions, this.#signal, Rig.make);
    const values = await this.#valuesBeside(path, companions);
    if (values) await rig.loadTextures({ names: [], image: async () => null, text: async () => values.text() }, { signal: this.#signal });
    if (rig.file.format === 'glb') this.#originals.set(rig, original);
    return rig;
  }

  /**
   * Returns a file to which a remote model refers: the one that the attribute `files` lists, or the one
   * below the folder of the model. Returns null if there is none.
   */
  async #referenced(reference: string, modelUrl: string): Promise<Blob | null> {
    const [parts, folder] = [partsOf(reference), folderOf(modelUrl)];
    const listed = this.#locations.find(({ path }) => baseName(path).toLowerCase() === parts.at(-1)?.toLowerCase());
    if (!listed && (isAbsolute(reference) || folder === '')) return null;
    return this.#downloads.blob(listed?.url ?? folder + addressOf(parts)).catch(() => null);
  }

  /** Returns the listed file with values of the materials of a model; null if there is none. */
  async #valuesBeside(path: string, companions: CompanionFiles): Promise<Blob | null> {
    const name = valuesFileOf(path);
    const isWanted = (other: string): boolean => other.split('/').at(-1)!.toLowerCase() === name.toLowerCase();
    const remote = this.#locations.find(location => isWanted(location.path));
    return companions.find(name, path) ?? (remote ? this.#downloads.blob(remote.url) : null);
  }

  #createLoader({ folder, path }: ModelChoice): RigcastLoader {
    const { localFiles, fileResolver, credentials, formatOptions, draws, isWebGPU } = this.#wanted;
    const manager = new LoadingManager();
    const loader = new RigcastLoader(manager);
    const interop = this.#interop;
    loader.setOptions({ credentials, formatOptions, cameras: false, ranges: true, ...(interop && { bind: interop.bindByNameOrBody }) });
    loader.setOptions({ fetch: url => this.#downloads.response(url) });
    if (fileResolver) loader.setOptions({ companions: companionsFrom(fileResolver) });
    // `draws` creates the WebGL context. The loader calls it only for compressed textures.
    loader.detectSupport({ extensions: { has: draws } } as unknown as Parameters<typeof loader.detectSupport>[0]);
    if (isWebGPU) loader.detectSupport({ isWebGPURenderer: true });
    // If several files have the same name, the loader uses the first.
    const near = <T>(files: readonly T[], pathOf: (file: T) => string): T[] =>
      nearestFirst(files, partsOf(path).slice(0, -1), file => partsOf(pathOf(file)).slice(0, -1));
    if (localFiles) loader.setFiles(new Map(near([...localFiles], ([name]) => name)));
    else if (this.#locations.length > 0) {
      // The loader requests all files from the folder of the model. Map files in other folders to
      // their URLs.
      const urls = new Map<string, string>();
      const locations = near(this.#locations, location => location.path);
      const listing = locations.map(({ path, url }) => {
        const local = partsOf(url.startsWith(folder) ? decodePath(url.slice(folder.length).replace(/[?#].*$/, '')) : path);
        urls.set(folder + addressOf(local), url);
        return local.join('/');
      });
      manager.setURLModifier(url => urls.get(url) ?? url);
      loader.setFiles(listing);
    }
    this.#signal.addEventListener('abort', () => loader.abort(), { once: true });
    return loader;
  }
}

/**
 * True if the format of files with this extension can only be detected from their content (`.bin`).
 */
const needsContent = (extension: string): boolean =>
  extension === '' || formatTable.some(({ extensions, role }) => role === 'unknown' && extensions.includes(extension));

/**
 * True for formats whose files often contain a model together with animations, such as an FBX with
 * skin.
 */
const hasModelAndClips = (name: string): boolean => ['fbx', 'glb', 'gltf'].includes(extensionOf(name));

const isCandidate = ({ role }: Candidate): boolean => role !== 'companion';
