// Asks a source for files: once for each name, where that costs requests a few at a time, and for no more names than allowed.
import { lanes } from './lanes.ts';
import type { Sidecar } from './sidecars.ts';
import type { FoundImage, TextureSource } from './sources.ts';

const LANES = 8;

export class Desk {
  readonly asked = new Set<string>();
  readonly refused = new Set<string>();
  readonly #source: TextureSource;
  readonly #most: number;
  readonly #images = new Map<string, Promise<FoundImage | null>>();
  readonly #run: <T>(task: () => Promise<T>) => Promise<T>;

  /** `most`: how many names are requested of a source that fetches. */
  constructor(source: TextureSource, most = Infinity) {
    this.#source = source;
    this.#most = source.isRemote ? most : Infinity;
    this.#run = source.isRemote ? lanes(LANES) : task => task();
  }

  /** Names of all images there are; null where that is not known. */
  get names(): readonly string[] | null {
    return this.#source.names;
  }

  /** Names of images in the folder of the model, if that is known. */
  get beside(): readonly string[] {
    return this.#source.beside ?? this.#source.names ?? [];
  }

  /** What is there is known: looking for more costs nothing. */
  get isListed(): boolean {
    return this.#source.names !== null;
  }

  async text(name: string): Promise<string | null> {
    return this.#allows(name) ? this.#run(() => this.#source.text(name)) : null;
  }

  /** Null: it is not there; undefined: it was not asked for. */
  async image(name: string): Promise<FoundImage | null | undefined> {
    if (!this.#allows(name)) return undefined;
    let found = this.#images.get(name);
    if (!found) this.#images.set(name, (found = this.#run(() => this.#source.image(name))));
    return found;
  }

  #allows(name: string): boolean {
    if (this.asked.has(name)) return true;
    const isAllowed = this.asked.size < this.#most;
    (isAllowed ? this.asked : this.refused).add(name);
    return isAllowed;
  }
}

/**
 * Finds out once whether sidecars lie about: an exporter writes them for all materials or for none, and a miss on a server costs a
 * request.
 */
export class SidecarReader {
  readonly #desk: Desk;
  #isWritten: Promise<boolean> | null = null;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /** What the files beside a model say of the material of that name; null where there is none. */
  async read(material: string): Promise<Sidecar | null> {
    if (this.#desk.isListed) return this.#find(material);
    if (this.#isWritten && !(await this.#isWritten)) return null;
    const found = this.#find(material);
    this.#isWritten ??= found.then(Boolean);
    return found;
  }

  async #find(material: string): Promise<Sidecar | null> {
    const mat = await this.#desk.text(`${material}.mat`);
    const props = mat !== null || this.#desk.isListed ? await this.#desk.text(`${material}.props.txt`) : null;
    if (mat !== null || props !== null) {
      const { readMat, readProps } = await import('./sidecars.ts');
      const first = mat === null ? null : readMat(mat);
      const second = props === null ? null : readProps(props);
      return { ...second, ...first, textures: new Map([...(second?.textures ?? []), ...(first?.textures ?? [])]) };
    }
    const json = await this.#desk.text(`${material}.json`);
    return json === null ? null : (await import('./sidecars.ts')).readMaterialJson(json);
  }
}
