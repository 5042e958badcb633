// Textures: where they are found, how they are decoded, and which slot of which material they go to.
import {
  ClampToEdgeWrapping,
  LinearFilter,
  LinearMipmapLinearFilter,
  LinearMipmapNearestFilter,
  MirroredRepeatWrapping,
  NearestFilter,
  NearestMipmapNearestFilter,
  RepeatWrapping,
  SRGBColorSpace,
  type Texture,
  type Wrapping,
} from 'three';
import { addFinding, asStrict, removeFinding } from '../core/report.ts';
import type { Hints, Image, Material, Report, RigScene, Severity, Texture as SceneTexture } from '../core/types.ts';
import { colorText, cutColorKey, findColorKey } from './colorKey.ts';
import { type BlockExtension, dataTexture, UnsupportedTexture } from './dds.ts';
import { decodeTexture, pixelsOf } from './decode.ts';
import { disposeTexture } from './dispose.ts';
import { lanes } from './lanes.ts';
import { assignTexture } from './assignTexture.ts';
import { makeGloss, type MaterialLibrary, overrideMaterial } from './materials.ts';
import { isColorSlot, isDrawnSlot } from './slots.ts';
import {
  baseName,
  guessTextures,
  readMat,
  readMaterialJson,
  readProps,
  type Sidecar,
  slotBySuffix,
  type SlotNames,
  stemOf,
} from './sidecars.ts';
import type { FoundImage, TextureSource } from './sources.ts';

export interface TextureOptions {
  /** Whether block-compressed textures can be drawn; default: yes. */
  draws?: ((extension: BlockExtension) => boolean) | undefined;
  signal?: AbortSignal | undefined;
  /** Raises warnings to errors. */
  strict?: boolean | undefined;
  /** Decodes an image by other means; null for those that it leaves to rigcast. */
  decode?: ((image: FoundImage) => Promise<Texture> | null) | undefined;
  /** Unreal's masked materials whose image has no alpha are cut by the colour that masks them. Default true. */
  colorKey?: boolean | undefined;
  /** How many names are requested at most from a source that fetches. Default 512. */
  maxTextures?: number | undefined;
}

const MAX_TEXTURES = 512;
const LANES = 8;

/** What puts textures onto a scene's materials. Can be asked again with another source: slots that are filled stay. */
export class TextureDresser {
  readonly #scene: RigScene;
  readonly #hints: Hints;
  readonly #materials: MaterialLibrary;
  readonly #report: Report;
  readonly #decoded = new Map<string, Promise<Texture | null>>();
  /** By material row: slots that have their texture. */
  readonly #filled = new Map<number, Set<string>>();
  readonly #textures = new Set<Texture>();
  /** What the report says of textures now, by code and path. */
  readonly #told = new Map<string, string>();
  #isDisposed = false;

  constructor(scene: RigScene, materials: MaterialLibrary, report: Report) {
    this.#scene = scene;
    this.#hints = scene.hints ?? {};
    this.#materials = materials;
    this.#report = report;
  }

  /** Frees all textures that were made, and those that still come. */
  dispose(): void {
    this.#isDisposed = true;
    for (const texture of this.#textures) disposeTexture(texture);
  }

  async dress(source: TextureSource | null, options: TextureOptions = {}): Promise<void> {
    const desk = source && new Desk(source, options.maxTextures ?? MAX_TEXTURES);
    const rows = this.#scene.materials.map((_, row) => row).filter(row => this.#materials.of(row).length > 0);
    const bare = rows.filter(row => !this.#ownSlots(row).length);
    const sidecars = desk && this.#hints.namedMaterials ? await this.#readSidecars(bare, desk) : new Map<number, Sidecar>();
    options.signal?.throwIfAborted();
    const guessed = source?.names && desk ? this.#guess(bare, sidecars, source.names) : new Map<number, SlotNames>();
    const missing = new Map(rows.map(row => [this.#scene.materials[row]!.name, new Set<string>()]));
    await Promise.all(
      rows.map(async row => {
        const lost = missing.get(this.#scene.materials[row]!.name)!;
        for (const name of await this.#dressMaterial(row, desk, sidecars.get(row), guessed.get(row), options)) lost.add(name);
      }),
    );
    options.signal?.throwIfAborted();
    for (const [material, lost] of missing) this.#tell('TEXTURE_MISSING', material, [...lost].join(', '), 'info');
    this.#tell(
      'TEXTURE_LIMIT',
      'textures',
      desk?.refused.size ? `${desk.refused.size} of ${desk.refused.size + desk.asked.size} names` : '',
      asStrict('warning', options.strict ?? false),
    );
  }

  #ownSlots(row: number): Material['slots'] {
    return this.#scene.materials[row]!.slots.filter(({ slot, texture }) => texture !== undefined && isDrawnSlot(slot));
  }

  /** What lies beside the model about its materials, by row, and what it means for them beyond textures. */
  async #readSidecars(rows: readonly number[], desk: Desk): Promise<Map<number, Sidecar>> {
    const reader = new SidecarReader(desk);
    const sidecars = new Map<number, Sidecar>();
    await Promise.all(
      rows.map(async row => {
        const sidecar = await reader.read(this.#scene.materials[row]!.name);
        if (sidecar) sidecars.set(row, sidecar);
      }),
    );
    const hasColors = [...sidecars.values()].some(({ textures }) => textures.has('baseColor'));
    for (const [row, sidecar] of sidecars) {
      const made = this.#materials.of(row);
      for (const material of made) overrideMaterial(material, sidecar);
      if (!sidecar.isColorless || !hasColors) continue;
      for (const material of made) makeGloss(material);
      this.#tell('MATERIAL_GLOSS', this.#scene.materials[row]!.name, 'drawn as a clear gloss', 'info');
    }
    return sidecars;
  }

  /** Names that fit materials which nothing else speaks of, by row. */
  #guess(rows: readonly number[], sidecars: ReadonlyMap<number, Sidecar>, names: readonly string[]): Map<number, SlotNames> {
    const guessed = new Map<number, SlotNames>();
    const open: number[] = [];
    for (const row of rows) {
      if (sidecars.has(row)) continue;
      const found = guessTextures(this.#scene.materials[row]!.name, names);
      if (found.size) guessed.set(row, found);
      else if (!this.#filled.get(row)?.size) open.push(row);
    }
    if (this.#hints.namedMaterials && open.length === 1) {
      const taken = new Set(
        [...sidecars.values(), ...[...guessed.values()].map(textures => ({ textures }))].flatMap(({ textures }) =>
          [...textures.values()].map(name => stemOf(name).toLowerCase()),
        ),
      );
      const isColor = (name: string): boolean => !name.includes('_') || [undefined, 'baseColor'].includes(slotBySuffix(name));
      const left = names.filter(name => !taken.has(stemOf(name).toLowerCase()) && isColor(name));
      const own =
        left.find(name => stemOf(name).toLowerCase() === this.#scene.asset.name.toLowerCase()) ?? (left.length === 1 ? left[0] : undefined);
      if (own !== undefined) guessed.set(open[0]!, new Map([['baseColor', own]]));
    }
    for (const [row, found] of guessed)
      this.#tell('TEXTURE_GUESSED', this.#scene.materials[row]!.name, [...found.values()].join(', '), 'info');
    return guessed;
  }

  /** Names that were not found. */
  async #dressMaterial(
    row: number,
    desk: Desk | null,
    sidecar: Sidecar | undefined,
    guessed: SlotNames | undefined,
    options: TextureOptions,
  ): Promise<string[]> {
    const missing: string[] = [];
    const own = this.#ownSlots(row);
    const put = async (
      slot: string,
      name: string,
      settings: SceneTexture | null,
      found: FoundImage | null | undefined,
      isWanted = true,
    ): Promise<void> => {
      if (found) await this.#put(row, slot, found, settings, options);
      else if (found === null && isWanted && !this.#filled.get(row)?.has(slot)) missing.push(name);
    };
    await Promise.all(
      own.map(async ({ slot, texture: index }) => {
        const texture = this.#scene.textures[index!];
        const image = this.#scene.images[texture?.image ?? -1];
        if (texture && image) await put(slot, image.path || image.name, texture, await this.#imageOf(image, desk));
      }),
    );
    if (!own.length && desk) {
      const named = sidecar?.textures ?? guessed ?? new Map<string, string>();
      await Promise.all([...named].map(async ([slot, name]) => put(slot, name, null, await desk.image(name))));
      // A name that is perhaps not meant as a texture is not requested.
      if (desk.isListed)
        await Promise.all([...(sidecar?.others ?? [])].map(async ([slot, name]) => put(slot, name, null, await desk.image(name), false)));
      if (!named.size && !this.#filled.get(row)?.size && this.#hints.namedMaterials && !sidecar?.isColorless)
        missing.push(`none for "${this.#scene.materials[row]!.name}"`);
    }
    return missing;
  }

  /** Undefined: it was not asked for. */
  async #imageOf(image: Image, desk: Desk | null): Promise<FoundImage | null | undefined> {
    if (image.bytes) return { name: image.name, bytes: image.bytes };
    return image.path && desk ? desk.image(image.path) : null;
  }

  async #put(row: number, slot: string, found: FoundImage, settings: SceneTexture | null, options: TextureOptions): Promise<void> {
    const filled = this.#filled.get(row) ?? new Set<string>();
    this.#filled.set(row, filled);
    if (filled.has(slot)) return;
    const { name, alphaMode } = this.#scene.materials[row]!;
    const srgb = settings ? settings.srgb || isColorSlot(slot) : isColorSlot(slot);
    const isKeyed = !!this.#hints.namedMaterials && slot === 'baseColor' && alphaMode === 'mask' && options.colorKey !== false;
    const key = `${found.name}\n${srgb}\n${isKeyed}\n${settings ? this.#scene.textures.indexOf(settings) : ''}`;
    let decoding = this.#decoded.get(key);
    if (!decoding) {
      this.#decoded.set(key, (decoding = this.#decode(found, srgb, isKeyed, settings, options)));
      void decoding.then(texture => texture ?? this.#decoded.delete(key)); // a better file of that name may come
    }
    const texture = await decoding;
    if (!texture || options.signal?.aborted) return;
    filled.add(slot);
    const cut = texture.userData['colorKey'] as string | undefined;
    if (cut) this.#tell('TEXTURE_KEYED', name, cut, 'info');
    const materials = this.#materials.of(row);
    const isDrawn = materials
      .map(material => assignTexture(material, slot, texture, { directX: this.#hints.directXNormals ?? false, settings }))
      .some(Boolean);
    if (!isDrawn) this.#note('TEXTURE_UNUSED', 'info', name, `${slot}: ${found.name}`);
  }

  async #decode(
    found: FoundImage,
    srgb: boolean,
    isKeyed: boolean,
    settings: SceneTexture | null,
    options: TextureOptions,
  ): Promise<Texture | null> {
    try {
      const decoded = await (options.decode?.(found) ?? decodeTexture(found, options.draws));
      const texture = isKeyed ? await keyed(decoded, found) : decoded;
      texture.name = settings?.name || baseName(found.name);
      texture.flipY = false;
      texture.wrapS = texture.wrapT = RepeatWrapping;
      if (srgb) texture.colorSpace = SRGBColorSpace;
      if (settings) applySettings(texture, settings);
      texture.needsUpdate = true;
      this.#textures.add(texture);
      if (this.#isDisposed) disposeTexture(texture);
      for (const code of ['TEXTURE_UNSUPPORTED', 'TEXTURE_DAMAGED']) this.#tell(code, found.name, '', 'warning');
      return texture;
    } catch (error) {
      const code = error instanceof UnsupportedTexture ? 'TEXTURE_UNSUPPORTED' : 'TEXTURE_DAMAGED';
      this.#tell(code, found.name, error instanceof Error ? error.message : String(error), asStrict('warning', options.strict ?? false));
      return null;
    }
  }

  #note(code: string, severity: Severity, path: string, detail: string): void {
    addFinding(this.#report, { code, severity, offset: null, path, detail, count: 1 });
  }

  /** The one finding of its kind about something, as it is now; none where there is nothing to tell. */
  #tell(code: string, path: string, detail: string, severity: Severity): void {
    const key = `${code} ${path}`;
    if (this.#told.get(key) === detail) return;
    if (this.#told.delete(key)) removeFinding(this.#report, { code, path });
    if (detail === '') return;
    this.#told.set(key, detail);
    this.#note(code, severity, path, detail);
  }
}

/** The texture without the colour that masks it, where it has one and no alpha of its own. */
async function keyed(texture: Texture, { bytes }: FoundImage): Promise<Texture> {
  const image = pixelsOf(texture);
  if (!image) return texture;
  const { data, width, height } = image;
  const key = findColorKey(data, width, height, bytes instanceof Blob ? new Uint8Array(await bytes.arrayBuffer()) : bytes);
  if (!key) return texture;
  disposeTexture(texture);
  const cut = dataTexture(cutColorKey(data, width, height, key), width, height);
  cut.userData['colorKey'] = `${colorText(key.color)} (${key.source})`;
  return cut;
}

/** Asks a source: once for each name, where that costs requests a few at a time, and for no more names than allowed. */
class Desk {
  readonly asked = new Set<string>();
  readonly refused = new Set<string>();
  readonly #source: TextureSource;
  readonly #most: number;
  readonly #images = new Map<string, Promise<FoundImage | null>>();
  readonly #run: <T>(task: () => Promise<T>) => Promise<T>;

  constructor(source: TextureSource, most: number) {
    this.#source = source;
    this.#most = source.isRemote ? most : Infinity;
    this.#run = source.isRemote ? lanes(LANES) : task => task();
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
class SidecarReader {
  readonly #desk: Desk;
  #isWritten: Promise<boolean> | null = null;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

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
      const first = mat === null ? null : readMat(mat);
      const second = props === null ? null : readProps(props);
      return { ...second, ...first, textures: new Map([...(second?.textures ?? []), ...(first?.textures ?? [])]) };
    }
    const json = await this.#desk.text(`${material}.json`);
    return json === null ? null : readMaterialJson(json);
  }
}

const WRAPS: Record<SceneTexture['wrapU'], Wrapping> = {
  repeat: RepeatWrapping,
  clamp: ClampToEdgeWrapping,
  mirror: MirroredRepeatWrapping,
};

function applySettings(texture: Texture, { wrapU, wrapV, filter, offset, scale, uvSet }: SceneTexture): void {
  texture.wrapS = WRAPS[wrapU];
  texture.wrapT = WRAPS[wrapV];
  // From afar all of them are averaged, as every engine does; filters tell how their steps meet.
  texture.magFilter = filter === 'nearest' ? NearestFilter : LinearFilter;
  texture.minFilter =
    filter === 'nearest' ? NearestMipmapNearestFilter : filter === 'linear' ? LinearMipmapNearestFilter : LinearMipmapLinearFilter;
  texture.generateMipmaps = true;
  texture.offset.set(...offset);
  texture.repeat.set(...scale);
  texture.channel = uvSet;
}
