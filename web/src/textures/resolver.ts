// Requests files from a texture source, each image only once. Limits the number of requested names
// and of parallel requests.
import { limitConcurrency } from './concurrency.ts';
import type { NamedMaterialValues } from './materialValues.ts';
import type { Sidecar } from './sidecars.ts';
import type { FoundImage, TextureChoice, TextureSource } from './sources.ts';

const CONCURRENCY = 8;

export class TextureResolver {
  readonly requested = new Set<string>();
  readonly skipped = new Set<string>();
  readonly #source: TextureSource;
  readonly #limit: number;
  readonly #images = new Map<string, Promise<FoundImage | null>>();
  readonly #run: <T>(task: () => Promise<T>) => Promise<T>;

  /** `limit`: maximum number of names that are requested if the source is remote. */
  constructor(source: TextureSource, limit = Infinity) {
    this.#source = source;
    this.#limit = source.isRemote ? limit : Infinity;
    this.#run = source.isRemote ? limitConcurrency(CONCURRENCY) : task => task();
  }

  /** Names of all images that the source provides; null if they are unknown. */
  get names(): readonly string[] | null {
    return this.#source.names;
  }

  /** Names of the images in the model's folder, if known; otherwise of all available images. */
  get sameFolder(): readonly string[] {
    return this.#source.sameFolder ?? this.#source.names ?? [];
  }

  /** True if there are other models to which the images may belong. */
  get hasOtherModels(): boolean {
    return this.#source.hasOtherModels ?? false;
  }

  /**
   * True if the names of all available files are known. A request is then not needed to test
   * whether a file exists.
   */
  get isListed(): boolean {
    return this.#source.names !== null;
  }

  get choices(): readonly TextureChoice[] {
    return this.#source.choices ?? [];
  }

  get values(): readonly NamedMaterialValues[] | null {
    return this.#source.values ?? null;
  }

  async text(name: string, folder = ''): Promise<string | null> {
    return this.#allows(name) ? this.#run(() => this.#source.text(name, folder)) : null;
  }

  /**
   * Returns an image by name. Returns null if the image does not exist, and undefined if the
   * maximum number of requests was reached.
   */
  async image(name: string): Promise<FoundImage | null | undefined> {
    if (!this.#allows(name)) return undefined;
    let found = this.#images.get(name);
    if (!found) this.#images.set(name, (found = this.#run(() => this.#source.image(name))));
    return found;
  }

  #allows(name: string): boolean {
    if (this.requested.has(name)) return true;
    const isAllowed = this.requested.size < this.#limit;
    (isAllowed ? this.requested : this.skipped).add(name);
    return isAllowed;
  }
}

/**
 * Reads material files. Exporters write such files for all materials or for none. Therefore, if it
 * is unknown which files exist on a server, further material files are only requested if the first
 * one exists.
 */
export class SidecarReader {
  readonly #resolver: TextureResolver;
  #hasSidecars: Promise<boolean> | null = null;

  constructor(resolver: TextureResolver) {
    this.#resolver = resolver;
  }

  /**
   * Returns the contents of the material file of `material`, or null if there is none. `folder`:
   * folder of the material in its project. If several files have this name, the file in the most
   * similar folder is used.
   */
  async read(material: string, folder = ''): Promise<Sidecar | null> {
    if (this.#resolver.isListed) return this.#find(material, folder);
    if (this.#hasSidecars && !(await this.#hasSidecars)) return null;
    const found = this.#find(material);
    this.#hasSidecars ??= found.then(Boolean);
    return found;
  }

  async #find(material: string, folder = ''): Promise<Sidecar | null> {
    const mat = await this.#resolver.text(`${material}.mat`, folder);
    const props = mat !== null || this.#resolver.isListed ? await this.#resolver.text(`${material}.props.txt`, folder) : null;
    if (mat !== null || props !== null) {
      const { readMat, readProps } = await import('./sidecars.ts');
      const first = mat === null ? null : readMat(mat);
      const second = props === null ? null : readProps(props);
      return { ...second, ...first, textures: new Map([...(second?.textures ?? []), ...(first?.textures ?? [])]) };
    }
    const json = await this.#resolver.text(`${material}.json`, folder);
    return json === null ? null : (await import('./sidecars.ts')).readMaterialJson(json);
  }
}
