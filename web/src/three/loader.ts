import { Cache, Loader, LoaderUtils, type LoadingManager, type Texture, type WebGLRenderer } from 'three';
import { companionIn, open, type Companions, type OpenOptions } from '../core/open.ts';
import { checkOptions } from '../core/options.ts';
import { type OpenSource, pause } from '../core/source.ts';
import { addFinding, asStrict } from '../core/report.ts';
import type { Need, Report } from '../core/types.ts';
import { addressOf, isAbsolute, partsOf } from '../core/paths.ts';
import type { BlockExtension } from './materials/imageKinds.ts';
import { OPTION_KINDS, type RigcastLoaderOptions } from './loaderOptions.ts';
import { Rig } from './rig.ts';
import { FileTextures, type FoundImage, type TextureSource, UrlTextures } from '../textures/sources.ts';

/** Nothing could be read of the file; `report` says why. */
export class RigcastError extends Error {
  readonly report: Report;

  constructor(message: string, report: Report) {
    super(message);
    this.name = 'RigcastError';
    this.report = report;
  }
}

/**
 * Loads rigs and motions as three's other loaders do.
 *
 *     const loader = new RigcastLoader();
 *     const rig = await loader.loadAsync('hero.psk');
 *     scene.add(rig.scene);
 *     const { clips } = rig.bind(await loader.loadAsync('run.psa'));
 */
export class RigcastLoader extends Loader<Rig> {
  options: RigcastLoaderOptions = {};
  #abort = new AbortController();
  #files: ReadonlyMap<string, Uint8Array | Blob> | null = null;
  #listing: readonly string[] | null = null;
  #draws: ((extension: BlockExtension) => boolean) | undefined;

  constructor(manager?: LoadingManager) {
    super(manager);
  }

  /** Vue leaves it as it is instead of wrapping it: private members know no wrappers. */
  get __v_skip(): true {
    return true;
  }

  /** Adds to `options`. Throws TypeError for one that does not exist, or whose value is of another kind. */
  setOptions(options: RigcastLoaderOptions): this {
    checkOptions('RigcastLoader.setOptions', options, OPTION_KINDS);
    Object.assign(this.options, options);
    return this;
  }

  /**
   * What lies beside the files to be loaded, companions and textures. A Map: files in hand by name or path (dropped, picked, from an archive); nothing is
   * fetched. A list of paths from the loaded file's folder (what a server has there): only these are asked for, and textures are found by their names as among
   * files in hand. Null, the default: what a file names is requested from the server, and material files once.
   */
  setFiles(files: ReadonlyMap<string, Uint8Array | Blob> | Iterable<string> | null): this {
    const isMap = files !== null && 'get' in (files as object);
    this.#files = isMap ? (files as ReadonlyMap<string, Uint8Array | Blob>) : null;
    this.#listing = files && !isMap ? [...(files as Iterable<string>)] : null;
    return this;
  }

  /**
   * Lets block-compressed textures that this renderer cannot draw be reported instead of shown black. For a WebGPURenderer, skinning and shaders are plain
   * and toon materials are standard ones; the report says what that leaves out.
   */
  detectSupport(renderer: Pick<WebGLRenderer, 'extensions'> | { isWebGPURenderer: boolean }): this {
    if ('isWebGPURenderer' in renderer) return this.setOptions({ skinning: 'plain', shaders: 'plain', toon: 'standard' });
    const { extensions } = renderer;
    this.#draws = extension => extensions.has(extension);
    return this;
  }

  /** Ends what is under way; it fails with an AbortError. The loader can be used again. */
  override abort(): this {
    this.#abort.abort();
    this.#abort = new AbortController();
    return this;
  }

  override load(
    url: string,
    onLoad: (rig: Rig) => void,
    onProgress?: (event: ProgressEvent) => void,
    onError?: (error: unknown) => void,
  ): void {
    const fail = (error: unknown): void => {
      if (onError) onError(error);
      else console.error(error);
      this.manager.itemError(url);
      this.manager.itemEnd(url);
    };
    this.manager.itemStart(url);
    this.#load(url, onProgress)
      .then(rig => {
        onLoad(rig);
        this.manager.itemEnd(url);
      })
      .catch(fail);
  }

  /** `path` is where companions and textures lie, with its trailing slash; a File knows its own name, other data may be given one. */
  parse(data: OpenSource, path: string, onLoad: (rig: Rig) => void, onError?: (error: unknown) => void, name?: string): void {
    this.parseAsync(data, path, name).then(onLoad, onError ?? (error => console.error(error)));
  }

  parseAsync(data: OpenSource, path = '', name?: string): Promise<Rig> {
    return this.#open(data, path || this.resourcePath || this.path, { signal: this.#abort.signal, ...(name !== undefined && { name }) });
  }

  async #open(
    data: OpenSource,
    path: string,
    how: Pick<OpenOptions, 'name' | 'request' | 'onProgress'> & { signal: AbortSignal },
  ): Promise<Rig> {
    const { signal } = how;
    const files = this.#files;
    const listing = this.#listing;
    const draws = this.#draws;
    const {
      companions,
      textures = true,
      colorKey,
      maxTextures,
      instances = true,
      onInstances,
      maxFiles,
      maxPlaced,
      maxObjects,
      strandWidth,
      strandUnit,
      format,
      formatOptions,
      strict,
      worker,
      transfer,
      maxMemory,
      maxWork,
      tangents,
      wasm,
      ...build
    } = this.options;
    const file = await open(data, {
      ...defined({ format, formatOptions, strict, worker, transfer, maxMemory, maxWork, tangents, wasm }),
      ...how,
      ...(companions !== false && { companions: firstOf(companions, files ?? (need => this.#companion(need, path, listing, signal))) }),
    });
    if (!file.scene) {
      const first = file.report.items.find(({ severity }) => severity === 'error');
      const why = first ? `${first.code}: ${first.detail}` : 'no known format';
      throw new RigcastError(`${file.name || 'The file'} cannot be read: ${why}`, file.report);
    }
    if (worker !== false) await pause(); // a page that shows something meanwhile gets its turn between the steps
    signal.throwIfAborted();
    const rig = await Rig.make(file, { ...build, ...defined({ strict }) });
    if (worker !== false) await pause();
    const besideIn = (folder: string): TextureSource | null => {
      if (typeof textures === 'object') return textures;
      return path && textures ? new UrlTextures(name => this.#below(addressOf(partsOf(name)), folder, signal), listing) : null;
    };
    const common = { signal, draws, strict, colorKey, maxTextures, decode: (image: FoundImage) => this.#decode(image) };
    try {
      signal.throwIfAborted();
      if (strandWidth !== undefined && build.shaders !== 'plain') await rig.setStrandWidth(strandWidth, strandUnit);
      else if (strandWidth && file.scene.meshes.some(({ topology }) => topology === 'strands')) tellThin(rig, strict ?? false);
      if (textures) await rig.loadTextures(typeof textures === 'object' || !files ? besideIn(path) : new FileTextures(files), common);
      if (instances && file.scene.instances.length && (files || path)) {
        const { FileInstances, ListedInstances, UrlInstances } = await import('./instances/instanceSources.ts');
        const below = (address: string): Promise<Uint8Array | null> => this.#below(address, path, signal);
        const source = files
          ? new FileInstances(files)
          : listing
            ? new ListedInstances(below, listing, besideIn(path))
            : new UrlInstances(below, folder => besideIn(path + folder));
        const same = defined({ formatOptions, strict, worker, maxMemory, maxWork, tangents, wasm });
        await rig.loadInstances(source, {
          ...common,
          open: same,
          build: { ...build, ...defined({ strict }) },
          maxFiles,
          maxPlaced,
          maxObjects,
          onProgress: onInstances,
        });
      }
    } catch (error) {
      rig.dispose();
      throw error;
    }
    return rig;
  }

  /** As three's FileLoader does it, but read where the file is read, in a worker. `Cache` is FileLoader's own. */
  async #load(url: string, onProgress?: (event: ProgressEvent) => void): Promise<Rig> {
    const { manager } = this;
    const signal = AbortSignal.any([this.#abort.signal, managerSignal(manager)].filter(each => each !== undefined));
    const path = this.#resourcePathOf(url);
    const name = nameOf(url);
    if (Cache.enabled) {
      const { fetchCached } = await import('./cached.ts');
      return this.#open(await fetchCached(this, url, signal, onProgress), path, { name, signal });
    }
    return this.#open(manager.resolveURL(this.path + url), path, {
      name,
      signal,
      request: this.#request(),
      ...(onProgress && { onProgress: ({ phase, loaded, total }) => phase !== 'decode' && onProgress(progressEvent(loaded, total)) }),
    });
  }

  #request(): RequestInit {
    const { requestHeader: headers, withCredentials, priority, cache } = this as Omit<this, 'cache' | 'priority'> & RequestInit; // older releases of three have no cache and priority
    const { credentials = withCredentials ? 'include' : 'same-origin' } = this.options;
    return { headers, credentials, ...(priority && { priority }), ...(cache && { cache }) };
  }

  /** By the loader that the manager has for such files. */
  #decode({ name, bytes }: FoundImage): Promise<Texture> | null {
    const handler = this.manager.getHandler(name) as Loader<Texture> | null;
    if (!handler) return null;
    const address = URL.createObjectURL(bytes instanceof Blob ? bytes : new Blob([bytes as Uint8Array<ArrayBuffer>]));
    return handler.loadAsync(address).finally(() => URL.revokeObjectURL(address));
  }

  /** A file beside the loaded one, its data also in a folder below that; null where there is none. Nothing in a file sends the page elsewhere. */
  async #companion({ kind, name }: Need, path: string, listing: readonly string[] | null, signal: AbortSignal): Promise<Uint8Array | null> {
    const wanted = partsOf(name).join('/').toLowerCase();
    const listed = listing?.find(each => `/${partsOf(each).join('/').toLowerCase()}`.endsWith(`/${wanted}`));
    if (listing && listed === undefined) return null;
    if (listed !== undefined) return this.#below(addressOf(partsOf(listed)), path, signal);
    const parts = kind === 'resource' && !isAbsolute(name) && !/(^|[/\\])\.\.([/\\]|$)/.test(name) ? partsOf(name) : [name];
    const isRare = kind === 'script' || kind === 'props'; // few files have one: it is not requested on a guess
    const isOurs = !isRare && kind !== 'texture' && kind !== 'instance' && path !== '' && parts.every(isFileName);
    return isOurs ? this.#below(addressOf(parts), path, signal) : null;
  }

  /** A file below a folder, or null. The address is made of encoded parts (paths.ts). */
  async #below(address: string, path: string, signal: AbortSignal): Promise<Uint8Array | null> {
    const url = this.manager.resolveURL(path + address);
    this.manager.itemStart(url);
    try {
      const response = await fetch(url, { ...this.#request(), signal });
      if (!response.ok) return null;
      const bytes = new Uint8Array(await response.arrayBuffer());
      return looksLikeHtml(bytes) ? null : bytes;
    } catch {
      return null; // one that is not there is no error of the manager's
    } finally {
      this.manager.itemEnd(url);
    }
  }

  #resourcePathOf(url: string): string {
    if (this.resourcePath !== '') return this.resourcePath;
    const base = LoaderUtils.extractUrlBase(url);
    return this.path === '' ? base : LoaderUtils.resolveURL(base, this.path);
  }
}

/** Ribbons have a shader of their own. */
function tellThin({ report }: Rig, strict: boolean): void {
  const severity = asStrict('warning', strict);
  addFinding(report, { code: 'MATERIAL_REDUCED', severity, offset: null, path: 'hair', detail: 'lines without a width', count: 1 });
}

/** Managers of older releases of three cannot abort. */
function managerSignal(manager: Partial<LoadingManager>): AbortSignal | undefined {
  return manager.abortController?.signal;
}

/** Node has no ProgressEvent. */
function progressEvent(loaded: number, total: number | null): ProgressEvent {
  const init = { lengthComputable: total !== null, loaded, total: total ?? 0 };
  return typeof ProgressEvent === 'function' ? new ProgressEvent('progress', init) : Object.assign(new Event('progress'), init);
}

function nameOf(url: string): string {
  const file = url.split(/[?#]/, 1)[0]!.split('/').at(-1)!;
  try {
    return decodeURIComponent(file);
  } catch {
    return file;
  }
}

export function isFileName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/\\:\0]/.test(name);
}

/** Servers that answer every address with their front page. */
function looksLikeHtml(bytes: Uint8Array): boolean {
  return /^\s*<(!doctype|html)/i.test(new TextDecoder().decode(bytes.subarray(0, 64)));
}

function defined<T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never;
}

/** What a function leaves open is looked for in `usual`. */
function firstOf(own: Companions | undefined, usual: Companions): Companions {
  if (typeof own !== 'function') return own ?? usual;
  return async need => {
    const found = await own(need);
    return found === undefined ? companionIn(usual, need) : found;
  };
}
