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
  Texture,
  type Wrapping,
} from 'three';
import { addFinding, asStrict } from '../core/report.ts';
import type { Image, Material, Report, RigScene, Severity, Texture as SceneTexture } from '../core/types.ts';
import { type BlockExtension, dataTexture, MAX_SIZE, readDds, UnsupportedTexture } from './dds.ts';
import { disposeTexture } from './dispose.ts';
import { assignTexture, isColorSlot, isDrawnSlot, type MaterialLibrary, overrideMaterial } from './materials.ts';
import { isAbsolute, partsOf } from './paths.ts';
import { baseName, guessTextures, IMAGE_EXTENSIONS, OTHER_IMAGES, readMat, readMaterialJson, readProps, type Sidecar, stemOf } from './sidecars.ts';

/**
 * Where images and sidecars come from. Names are bare names or paths as a file spells them; nothing is found that the source does not
 * choose to give.
 */
export interface TextureSource {
  /** A text file of that name, or null. */
  text(name: string): Promise<string | null>;
  /** An image of that name, whatever its case; where that is not there, of that name with another extension. */
  image(path: string): Promise<FoundImage | null>;
  /** All image names there are, or null where that is not known: then nothing is guessed by name. */
  readonly names: readonly string[] | null;
}

export interface FoundImage {
  name: string;
  bytes: Uint8Array | Blob;
}

/** Files in hand: dropped, picked, or from an archive. Keys are names or paths. */
export class FileTextures implements TextureSource {
  readonly names: readonly string[];
  readonly #byName = new Map<string, FoundImage[]>();
  readonly #byStem = new Map<string, FoundImage[]>();

  constructor(files: ReadonlyMap<string, Uint8Array | Blob>) {
    const images: string[] = [];
    for (const [name, bytes] of files) {
      const file = { name, bytes }, base = baseName(name).toLowerCase();
      push(this.#byName, base, file);
      if (![...IMAGE_EXTENSIONS, ...OTHER_IMAGES].includes(extensionOf(base))) continue;
      push(this.#byStem, stemOf(base), file);
      images.push(baseName(name));
    }
    for (const found of this.#byStem.values()) found.sort((a, b) => rank(a.name) - rank(b.name));
    this.names = images;
  }

  async text(name: string): Promise<string | null> {
    const file = this.#byName.get(name.toLowerCase())?.[0];
    if (!file) return null;
    return file.bytes instanceof Blob ? file.bytes.text() : new TextDecoder().decode(file.bytes);
  }

  async image(path: string): Promise<FoundImage | null> {
    const base = baseName(path).toLowerCase();
    const found = this.#byName.get(base)?.filter(({ name }) => isImage(name)) ?? [];
    const candidates = found.length ? found : (this.#byStem.get(stemOf(base)) ?? []);
    const whole = path.replaceAll('\\', '/').toLowerCase();
    return candidates.find(({ name }) => whole.endsWith(name.replaceAll('\\', '/').toLowerCase())) ?? candidates[0] ?? null;
  }
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

function extensionOf(name: string): string {
  return /\.([A-Za-z0-9]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
}

function isImage(name: string): boolean {
  return [...IMAGE_EXTENSIONS, ...OTHER_IMAGES].includes(extensionOf(name));
}

function rank(name: string): number {
  const at = IMAGE_EXTENSIONS.indexOf(extensionOf(name));
  return at < 0 ? IMAGE_EXTENSIONS.length : at;
}

/**
 * Files beside a model on a server. `fetch` is asked for bare names and for paths below the model's folder (paths.ts), and answers null where
 * there is nothing. A server cannot be asked for a list, so names are never guessed; a sidecar gives names without extensions, and the extension
 * that
 * worked first is tried first from then on.
 */
export class UrlTextures implements TextureSource {
  readonly names = null;
  readonly #fetch: (name: string) => Promise<Uint8Array | null>;
  #extensions = ['png', 'tga', 'dds', 'jpg'];

  constructor(fetch: (name: string) => Promise<Uint8Array | null>) {
    this.#fetch = fetch;
  }

  async text(name: string): Promise<string | null> {
    const bytes = await this.#fetch(name);
    return bytes && new TextDecoder().decode(bytes);
  }

  async image(path: string): Promise<FoundImage | null> {
    const name = baseName(path), own = isImage(name) ? extensionOf(name) : '';
    if (own) {
      const found = (path !== name && !isAbsolute(path) && (await this.#get(partsOf(path).join('/')))) || (await this.#get(name));
      if (found) return found;
    }
    // Exporters re-encode: the name that a file knows may have another extension now.
    const stem = own ? stemOf(name) : name;
    for (const extension of this.#extensions) {
      const found = extension === own ? null : await this.#get(`${stem}.${extension}`);
      if (!found) continue;
      this.#extensions = [extension, ...this.#extensions.filter(other => other !== extension)];
      return found;
    }
    return null;
  }

  async #get(name: string): Promise<FoundImage | null> {
    const bytes = await this.#fetch(name);
    return bytes && { name, bytes };
  }
}

export interface TextureOptions {
  /** Whether block-compressed textures can be drawn; default: yes. */
  draws?: ((extension: BlockExtension) => boolean) | undefined;
  signal?: AbortSignal | undefined;
  /** Raises warnings to errors. */
  strict?: boolean | undefined;
  /** Decodes an image by other means; null for those that it leaves to rigcast. */
  decode?: ((image: FoundImage) => Promise<Texture> | null) | undefined;
}

/** What puts textures onto a scene's materials. Can be asked again with another source: slots that are filled stay. */
export class TextureDresser {
  readonly #scene: RigScene;
  readonly #materials: MaterialLibrary;
  readonly #isUnreal: boolean;
  readonly #report: Report;
  readonly #decoded = new Map<string, Promise<Texture | null>>();
  /** By material row: slots that have their texture. */
  readonly #filled = new Map<number, Set<string>>();
  readonly #textures = new Set<Texture>();
  #isDisposed = false;

  constructor(scene: RigScene, materials: MaterialLibrary, format: string | null | undefined, report: Report) {
    this.#scene = scene;
    this.#materials = materials;
    this.#isUnreal = format === 'psk';
    this.#report = report;
  }

  /** Frees all textures that were made, and those that still come. */
  dispose(): void {
    this.#isDisposed = true;
    for (const texture of this.#textures) disposeTexture(texture);
  }

  async dress(source: TextureSource | null, options: TextureOptions = {}): Promise<void> {
    const sidecars = source && this.#isUnreal ? new SidecarReader(source) : null;
    await Promise.all(this.#scene.materials.map((material, row) => this.#dressMaterial(material, row, source, sidecars, options)));
    options.signal?.throwIfAborted();
  }

  async #dressMaterial(
    material: Material,
    row: number,
    source: TextureSource | null,
    sidecars: SidecarReader | null,
    options: TextureOptions,
  ): Promise<void> {
    if (!this.#materials.of(row).length) return;
    const missing: string[] = [];
    const own = material.slots.filter(({ slot, texture }) => texture !== undefined && isDrawnSlot(slot));
    await Promise.all(own.map(async ({ slot, texture: index }) => {
      const texture = this.#scene.textures[index!], image = this.#scene.images[texture?.image ?? -1];
      if (!texture || !image) return;
      const found = await this.#imageOf(image, source);
      if (!found) missing.push(image.path || image.name);
      else await this.#put(row, slot, found, texture, options);
    }));
    if (!own.length && source) {
      const sidecar = await sidecars?.read(material.name);
      if (sidecar) for (const made of this.#materials.of(row)) overrideMaterial(made, sidecar);
      const guessed = !sidecar && source.names ? guessTextures(material.name, source.names) : null;
      if (guessed?.size) this.#note('TEXTURE_GUESSED', 'info', material.name, [...guessed.values()].join(', '));
      const named = sidecar?.textures ?? guessed ?? new Map<string, string>();
      await Promise.all([...named].map(async ([slot, name]) => {
        const found = await source.image(name);
        if (found) await this.#put(row, slot, found, null, options);
        else missing.push(name);
      }));
      if (!named.size && !this.#filled.get(row)?.size && this.#isUnreal) missing.push(`none for "${material.name}"`);
    }
    if (missing.length) this.#note('TEXTURE_MISSING', 'info', material.name, missing.join(', '));
  }

  async #imageOf(image: Image, source: TextureSource | null): Promise<FoundImage | null> {
    if (image.bytes) return { name: image.name, bytes: image.bytes };
    return (image.path && (await source?.image(image.path))) || null;
  }

  async #put(row: number, slot: string, found: FoundImage, settings: SceneTexture | null, options: TextureOptions): Promise<void> {
    const filled = this.#filled.get(row) ?? new Set<string>();
    this.#filled.set(row, filled);
    if (filled.has(slot)) return;
    const srgb = settings ? settings.srgb || isColorSlot(slot) : isColorSlot(slot);
    const key = `${found.name}\n${srgb}\n${settings ? this.#scene.textures.indexOf(settings) : ''}`;
    let decoding = this.#decoded.get(key);
    if (!decoding) this.#decoded.set(key, (decoding = this.#decode(found, srgb, settings, options)));
    const texture = await decoding;
    if (!texture || options.signal?.aborted) return;
    filled.add(slot);
    const materials = this.#materials.of(row);
    const isDrawn = materials.map(material => assignTexture(material, slot, texture, { directX: this.#isUnreal, settings })).some(Boolean);
    if (!isDrawn) this.#note('TEXTURE_UNUSED', 'info', this.#scene.materials[row]!.name, `${slot}: ${found.name}`);
  }

  async #decode(found: FoundImage, srgb: boolean, settings: SceneTexture | null, options: TextureOptions): Promise<Texture | null> {
    try {
      const texture = await (options.decode?.(found) ?? decodeTexture(found, options.draws));
      texture.name = settings?.name || baseName(found.name);
      texture.flipY = false;
      texture.wrapS = texture.wrapT = RepeatWrapping;
      if (srgb) texture.colorSpace = SRGBColorSpace;
      if (settings) applySettings(texture, settings);
      texture.needsUpdate = true;
      this.#textures.add(texture);
      if (this.#isDisposed) disposeTexture(texture);
      return texture;
    } catch (error) {
      const code = error instanceof UnsupportedTexture ? 'TEXTURE_UNSUPPORTED' : 'TEXTURE_DAMAGED';
      this.#note(code, asStrict('warning', options.strict ?? false), found.name, error instanceof Error ? error.message : String(error));
      return null;
    }
  }

  #note(code: string, severity: Severity, path: string, detail: string): void {
    if (this.#report.items.some(item => item.code === code && item.path === path)) return;
    addFinding(this.#report, { code, severity, offset: null, path, detail, count: 1 });
  }
}

/**
 * Finds out once whether sidecars lie about: an exporter writes them for all materials or for none, and a miss on a server costs a
 * request.
 */
class SidecarReader {
  readonly #source: TextureSource;
  #isWritten: Promise<boolean> | null = null;

  constructor(source: TextureSource) {
    this.#source = source;
  }

  async read(material: string): Promise<Sidecar | null> {
    if (this.#source.names) return this.#find(material);
    if (this.#isWritten && !(await this.#isWritten)) return null;
    const found = this.#find(material);
    this.#isWritten ??= found.then(Boolean);
    return found;
  }

  async #find(material: string): Promise<Sidecar | null> {
    const mat = await this.#source.text(`${material}.mat`);
    const props = mat !== null || this.#source.names ? await this.#source.text(`${material}.props.txt`) : null;
    if (mat !== null || props !== null) {
      const first = mat === null ? null : readMat(mat), second = props === null ? null : readProps(props);
      return { ...second, textures: new Map([...(second?.textures ?? []), ...(first?.textures ?? [])]) };
    }
    const json = await this.#source.text(`${material}.json`);
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
  texture.minFilter = filter === 'nearest' ? NearestMipmapNearestFilter : filter === 'linear' ? LinearMipmapNearestFilter : LinearMipmapLinearFilter;
  texture.generateMipmaps = true;
  texture.offset.set(...offset);
  texture.repeat.set(...scale);
  texture.channel = uvSet;
}

/** By content, TGA (which has no mark) by its name. Decoders come only when they are needed. */
export async function decodeTexture({ name, bytes }: FoundImage, draws?: (extension: BlockExtension) => boolean): Promise<Texture> {
  const data = bytes instanceof Blob ? new Uint8Array(await bytes.arrayBuffer()) : bytes;
  const extension = extensionOf(name), mime = browserType(data);
  if (mime) return decodeInBrowser(data, mime);
  if (starts(data, 'DDS ')) return readDds(data, draws);
  if (starts(data, 'II*\0') || starts(data, 'MM\0*')) {
    const { TIFFLoader } = await import('three/addons/loaders/TIFFLoader.js');
    return fromPixels(new TIFFLoader().parse(ownBuffer(data)));
  }
  if (extension === 'tga') {
    checkTga(data);
    const { TGALoader } = await import('three/addons/loaders/TGALoader.js');
    return fromPixels(new TGALoader().parse(ownBuffer(data)));
  }
  const what = OTHER_IMAGES.includes(extension) ? `.${extension} files` : 'such files';
  throw new UnsupportedTexture(`${what} cannot be drawn here`);
}

/** TGALoader reads on past the end, and allocates what the header says. */
function checkTga(data: Uint8Array): void {
  if (data.length < 18) throw new Error('the TGA header is cut off');
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const kind = view.getUint8(2), width = view.getUint16(12, true), height = view.getUint16(14, true), bytes = view.getUint8(16) >> 3;
  if (width > MAX_SIZE || height > MAX_SIZE) throw new Error(`the TGA says ${width} × ${height} pixels`);
  const start = 18 + view.getUint8(0) + view.getUint16(5, true) * (view.getUint8(7) >> 3);
  const isRunLength = kind >= 9; // a packet of at most 128 pixels takes one byte more than a pixel
  const least = isRunLength ? Math.ceil((width * height) / 128) * (1 + bytes) : width * height * bytes;
  if (start + least > data.length) throw new Error('the TGA is cut off');
}

function fromPixels(made: { data?: unknown; width?: number; height?: number }): Texture {
  const { data, width = 0, height = 0 } = made;
  const isPixels = data instanceof Uint8Array || data instanceof Uint8ClampedArray;
  if (!isPixels || !width || data.length < 4 * width * height) throw new Error('the image is cut off');
  return dataTexture(new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength), width, height);
}

async function decodeInBrowser(data: Uint8Array, type: string): Promise<Texture> {
  if (typeof createImageBitmap === 'undefined') throw new UnsupportedTexture(`${type} is decoded by browsers only`);
  const blob = new Blob([data as Uint8Array<ArrayBuffer>], { type });
  const bitmap = await createImageBitmap(blob, { premultiplyAlpha: 'none', colorSpaceConversion: 'none' });
  const texture = new Texture(bitmap as unknown as HTMLImageElement);
  texture.minFilter = LinearMipmapLinearFilter;
  return texture;
}

function ownBuffer(data: Uint8Array): ArrayBuffer {
  return data.slice().buffer as ArrayBuffer;
}

function starts(data: Uint8Array, text: string, at = 0): boolean {
  return [...text].every((char, i) => data[at + i] === char.charCodeAt(0));
}

function browserType(data: Uint8Array): string | null {
  if (starts(data, '\x89PNG')) return 'image/png';
  if (starts(data, '\xff\xd8\xff')) return 'image/jpeg';
  if (starts(data, 'RIFF') && starts(data, 'WEBP', 8)) return 'image/webp';
  if (starts(data, 'ftypavif', 4)) return 'image/avif';
  if (starts(data, 'GIF8')) return 'image/gif';
  if (starts(data, 'BM') && starts(data, '\0\0\0\0', 6)) return 'image/bmp';
  return null;
}
