import { Cache, Loader, LoaderUtils, type LoadingManager, type Texture, type WebGLRenderer } from 'three';
import { companionIn, open, type Companions, type OpenOptions } from '../core/open.ts';
import { checkOptions } from '../core/options.ts';
import { type OpenSource, pause } from '../core/source.ts';
import { invalidArgument, RigcastError } from '../core/error.ts';
import { addFinding, asStrict } from '../core/report.ts';
import type { Need } from '../core/types.ts';
import { addressOf, isAbsolute, partsOf, percentDecoded } from '../core/paths.ts';
import type { BlockExtension } from './materials/imageKinds.ts';
import { FileInstances, ListedInstances, UrlInstances } from './instances/instanceSources.ts';
import { OPTION_KINDS, type RigcastLoaderOptions } from './loaderOptions.ts';
import { nodeMaterials } from './nodeMaterials.ts';
import { Rig } from './rig.ts';
import { FileTextures, type FoundImage, type TextureSource, UrlTextures } from '../textures/sources.ts';

/**
 * Loads models and animations, like the other loaders of three.js. Add `rig.scene` to your scene,
 * and pass the rig of an animation file to `rig.bind`.
 *
 * @example
 * ```ts
 * import { AnimationMixer, Scene } from 'three';
 * import { RigcastLoader } from 'rigcast/three';
 *
 * const scene = new Scene();
 * const loader = new RigcastLoader().setFiles(['hero_D.png']);
 * const rig = await loader.loadAsync('hero.psk');
 * scene.add(rig.scene);
 *
 * const { animations } = rig.bind(await loader.loadAsync('run.psa'));
 * const mixer = new AnimationMixer(rig.scene);
 * mixer.clipAction(animations[0]!).play(); // call mixer.update(seconds) before each frame
 * ```
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

  /** Keeps Vue from wrapping the object in a proxy, which would break access to private members. */
  get __v_skip(): true {
    return true;
  }

  /**
   * Merges `options` into the options set so far. Throws a TypeError for unknown options and for
   * values of the wrong type.
   */
  setOptions(options: RigcastLoaderOptions): this {
    checkOptions('RigcastLoader.setOptions', options, OPTION_KINDS);
    Object.assign(this.options, options);
    return this;
  }

  /**
   * Sets where companion files and textures come from. A Map contains files by name or path
   * (dropped, picked, or from an archive); nothing is fetched. A list contains paths relative to
   * the loaded file; only these files are requested, and textures are found among them by name. If
   * null (default), the files that the loaded file refers to are requested, and further material
   * files only if the first one exists.
   */
  setFiles(files: ReadonlyMap<string, Uint8Array | Blob> | Iterable<string> | null): this {
    const isMap = files !== null && 'get' in Object(files);
    const isList = typeof files === 'object' && files !== null && !isMap && Symbol.iterator in files;
    const listing = isList ? [...(files as Iterable<string>)] : null;
    if ((files !== null && !isMap && !isList) || listing?.some(path => typeof path !== 'string'))
      throw invalidArgument('RigcastLoader.setFiles: the files must be a list of paths, or a Map of names to Blobs or bytes');
    this.#files = isMap ? (files as ReadonlyMap<string, Uint8Array | Blob>) : null;
    this.#listing = listing;
    return this;
  }

  /**
   * Adapts models to a renderer. Compressed textures that the renderer doesn't support are
   * reported, instead of being drawn black. For a WebGPURenderer, models are built from nodes if
   * the page has imported `rigcast/three/webgpu`. Otherwise, meshes have four linear influences,
   * shaders are not patched, and standard materials replace toon materials; the report lists the
   * differences.
   */
  detectSupport(renderer: Pick<WebGLRenderer, 'extensions'> | { isWebGPURenderer: boolean }): this {
    if ('isWebGPURenderer' in renderer)
      return this.setOptions(
        nodeMaterials() ? { shaders: 'nodes', toon: 'nodes' } : { skinning: 'plain', shaders: 'plain', toon: 'standard' },
      );
    const { extensions } = renderer;
    this.#draws = extension => extensions.has(extension);
    return this;
  }

  /** Aborts all pending loads, which reject with an AbortError. The loader can be used again. */
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

  /**
   * Parses the bytes of a file. `path` is the folder of companion files and textures, with a
   * trailing slash. `name` is the file name, required unless `data` is a File.
   */
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
      materialFiles = true,
      maxTextures,
      instances = true,
      onInstances,
      onModel,
      fetch: _,
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
      ranges,
      tangents,
      wasm,
      ...build
    } = this.options;
    const file = await open(data, {
      ...defined({ format, formatOptions, strict, worker, transfer, maxMemory, maxWork, ranges, tangents, wasm }),
      ...how,
      ...(companions !== false && { companions: firstOf(companions, files ?? (need => this.#companion(need, path, listing, signal))) }),
    });
    if (!file.scene) {
      const first = file.report.items.find(({ severity }) => severity === 'error');
      const why = first ? [first.code, first.detail].filter(Boolean).join(': ') : 'no known format';
      throw new RigcastError('FILE_UNREADABLE', `${file.name || 'The file'} cannot be read: ${why}`, { report: file.report });
    }
    if (worker !== false) await pause(); // yields to the event loop between the steps
    signal.throwIfAborted();
    const rig = await Rig.make(file, { ...build, ...defined({ strict }) });
    if (worker !== false) await pause();
    const besideIn = (folder: string): TextureSource | null => {
      if (typeof textures === 'object') return textures;
      return path && textures
        ? new UrlTextures(name => this.#below(addressOf(partsOf(name)), folder, signal), listing, materialFiles)
        : null;
    };
    const common = { signal, draws, strict, colorKey, maxTextures, decode: (image: FoundImage) => this.#decode(image) };
    try {
      signal.throwIfAborted();
      onModel?.(rig);
      if (strandWidth !== undefined && build.shaders !== 'plain') await rig.setStrandWidth(strandWidth, strandUnit);
      else if (strandWidth && file.scene.meshes.some(({ topology }) => topology === 'strands')) reportLineWidth(rig, strict ?? false);
      if (textures) await rig.loadTextures(typeof textures === 'object' || !files ? besideIn(path) : new FileTextures(files), common);
      if (instances && file.scene.instances.length && (files || path)) {
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

  /**
   * Loads a file. Rejects with a TypeError if `url` isn't a string. If three's `Cache` is enabled, FileLoader fetches the file; otherwise, the worker
   * that reads the file fetches it.
   */
  async #load(url: string, onProgress?: (event: ProgressEvent) => void): Promise<Rig> {
    const { manager } = this;
    if (typeof url !== 'string') throw invalidArgument('RigcastLoader: the address of the file must be a string');
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
    const { requestHeader: headers, withCredentials, priority, cache } = this as Omit<this, 'cache' | 'priority'> & RequestInit; // missing in older releases of three.js
    const { credentials = withCredentials ? 'include' : 'same-origin' } = this.options;
    return { headers, credentials, ...(priority && { priority }), ...(cache && { cache }) };
  }

  /**
   * Decodes an image with the loader that the page has registered for file names like that of the
   * image (`manager.addHandler`). Returns null if there is no such loader.
   */
  #decode({ name, bytes }: FoundImage): Promise<Texture> | null {
    const handler = this.manager.getHandler(name) as Loader<Texture> | null;
    if (!handler) return null;
    const address = URL.createObjectURL(bytes instanceof Blob ? bytes : new Blob([bytes as Uint8Array<ArrayBuffer>]));
    return handler.loadAsync(address).finally(() => URL.revokeObjectURL(address));
  }

  /**
   * Fetches a companion file from the folder of the loaded file or from a subfolder. Returns null
   * if the file is missing. A loaded file can't make the page request other locations.
   */
  async #companion({ kind, name }: Need, path: string, listing: readonly string[] | null, signal: AbortSignal): Promise<Uint8Array | null> {
    const wanted = partsOf(name).join('/').toLowerCase();
    const listed = listing?.find(each => `/${partsOf(each).join('/').toLowerCase()}`.endsWith(`/${wanted}`));
    if (listing && listed === undefined) return null;
    if (listed !== undefined) return this.#below(addressOf(partsOf(listed)), path, signal);
    const parts = kind === 'resource' && !isAbsolute(name) && !/(^|[/\\])\.\.([/\\]|$)/.test(name) ? partsOf(name) : [name];
    const isRare = kind === 'script' || kind === 'props'; // rare, so it is requested only if it is in the list
    const isOurs = !isRare && kind !== 'texture' && kind !== 'instance' && path !== '' && parts.every(isFileName);
    return isOurs ? this.#below(addressOf(parts), path, signal) : null;
  }

  /**
   * Fetches a file below the folder `path`, or returns null. `address` is the URL-encoded path of
   * the file, relative to the folder.
   */
  async #below(address: string, path: string, signal: AbortSignal): Promise<Uint8Array | null> {
    const url = this.manager.resolveURL(path + address);
    this.manager.itemStart(url);
    try {
      const response = await (this.options.fetch ?? fetch)(url, { ...this.#request(), signal });
      if (!response.ok) return null;
      const bytes = new Uint8Array(await response.arrayBuffer());
      return looksLikeHtml(bytes) ? null : bytes;
    } catch {
      return null; // missing companion files are not reported to the manager
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

/** Reports that hair is drawn as lines, because ribbons require a shader of their own. */
function reportLineWidth({ report }: Rig, strict: boolean): void {
  const severity = asStrict('warning', strict);
  addFinding(report, { code: 'MATERIAL_REDUCED', severity, offset: null, path: 'hair', detail: 'lines without a width', count: 1 });
}

/**
 * Returns the abort signal of a loading manager; undefined for managers of older releases of
 * three.js, which can't abort.
 */
function managerSignal(manager: Partial<LoadingManager>): AbortSignal | undefined {
  return manager.abortController?.signal;
}

/** Returns an object with the members of a ProgressEvent, which Node doesn't have. */
function progressEvent(loaded: number, total: number | null): ProgressEvent {
  const init = { lengthComputable: total !== null, loaded, total: total ?? 0 };
  return typeof ProgressEvent === 'function' ? new ProgressEvent('progress', init) : Object.assign(new Event('progress'), init);
}

function nameOf(url: string): string {
  return percentDecoded(url.split(/[?#]/, 1)[0]!.split('/').at(-1)!);
}

export function isFileName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/\\:\0]/.test(name);
}

/** Recognizes an HTML page, which some servers return for missing files. */
function looksLikeHtml(bytes: Uint8Array): boolean {
  return /^\s*<(!doctype|html)/i.test(new TextDecoder().decode(bytes.subarray(0, 64)));
}

function defined<T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never;
}

/**
 * Returns a source of companion files that first calls `own`, and then `usual` if `own` returns
 * undefined.
 */
function firstOf(own: Companions | undefined, usual: Companions): Companions {
  if (typeof own !== 'function') return own ?? usual;
  return async need => {
    const found = await own(need);
    return found === undefined ? companionIn(usual, need) : found;
  };
}
