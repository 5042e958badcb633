// Decodes images and assigns them to material slots as the texture plan specifies
// (textures/plan.ts).
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
  type Material as ThreeMaterial,
  type Texture,
  type Wrapping,
} from 'three';
import { RigcastError } from '../../core/error.ts';
import { addFinding, asStrict, removeFinding } from '../../core/report.ts';
import type { Hints, Report, RigScene, Severity, Texture as SceneTexture } from '../../core/types.ts';
import { decodeTexture, pixelsOf } from './decode.ts';
import { disposeTexture } from '../dispose.ts';
import { type BlockExtension, dataTexture } from './imageKinds.ts';
import { assignTexture } from './assignTexture.ts';
import { applyValues, drawnFor, removeValues } from './materialValues.ts';
import { changeMaterial, type MaterialLibrary } from './materials.ts';
import { patchedIn } from './shaderPatch.ts';
import { applyColorKey, colorText, findColorKey } from '../../textures/colorKey.ts';
import { type NamedMaterialValues, valuesOf } from '../../textures/materialValues.ts';
import { isColorSlot, isDetailSlot } from '../../textures/slots.ts';
import { TextureResolver } from '../../textures/resolver.ts';
import { findImage, usesColorKey, type MaterialTextures, planTextures, valuesBeside } from '../../textures/plan.ts';
import { baseName } from '../../textures/names.ts';
import type { FoundImage, TextureSource } from '../../textures/sources.ts';

export interface TextureOptions {
  /**
   * Returns true if the renderer supports a kind of compressed texture. By default, all kinds are
   * supported.
   */
  draws?: ((extension: BlockExtension) => boolean) | undefined;
  signal?: AbortSignal | undefined;
  /** Report warnings as errors. */
  strict?: boolean | undefined;
  /** Custom image decoder. It returns null for images that rigcast should decode. */
  decode?: ((image: FoundImage) => Promise<Texture> | null) | undefined;
  /**
   * Make the mask color transparent in the textures of masked Unreal materials whose image has no
   * alpha channel. Default: true.
   */
  colorKey?: boolean | undefined;
  /** Maximum number of texture names to request from a source that fetches files. Default: 512. */
  maxTextures?: number | undefined;
}

const MAX_TEXTURES = 512;

/**
 * Detail of the MATERIAL_REDUCED finding that is reported if a patch isn't applied, by id of the
 * patch (shaderPatch.ts).
 */
const REDUCED_TO: Record<string, string> = {
  channels: 'roughness, metalness and occlusion as three reads their textures',
  details: 'no detail maps',
  parallax: 'no height map',
  emissiveMask: 'no mask over the emission',
  anisotropy: 'anisotropy with the strength taken for a direction',
  specular: 'specular from alpha instead of red',
};

/**
 * Assigns textures to the materials of a scene. It can be called again with another source, and
 * then fills only slots that are still empty.
 */
export class TextureApplier {
  readonly #scene: RigScene;
  readonly #hints: Hints;
  readonly #materials: MaterialLibrary;
  readonly #report: Report;
  readonly #decoded = new Map<string, Promise<Texture | null>>();
  /** Names of the slots that have a texture, by index of the material. */
  readonly #filled = new Map<number, Set<string>>();
  readonly #textures = new Set<Texture>();
  /** Copies of textures that use another UV set. */
  readonly #copies = new Set<Texture>();
  /** Details of the current findings about textures, by code and path. */
  readonly #reported = new Map<string, string>();
  /** Values that were read from a file beside the model. */
  #besideValues: readonly NamedMaterialValues[] = [];
  /** Values that replace those of the file; null if there are none. */
  #chosenValues: readonly NamedMaterialValues[] | null = null;
  #isDisposed = false;
  #isReduced: boolean;

  constructor(scene: RigScene, materials: MaterialLibrary, report: Report) {
    this.#isReduced = materials.hasPlainShaders;
    this.#scene = scene;
    this.#hints = scene.hints ?? {};
    this.#materials = materials;
    this.#report = report;
  }

  /**
   * Reports features that require shader patches, also for textures that are loaded later. Call it
   * if the renderer is a WebGPURenderer, which ignores patches.
   */
  reduce(strict: boolean): void {
    this.#isReduced = true;
    this.#reportReduced(strict);
  }

  #reportReduced(strict: boolean): void {
    for (const [row, { name }] of this.#scene.materials.entries()) {
      const parts = new Set(this.#materials.of(row).flatMap(patchedIn));
      const words = [...parts].flatMap(part => (Object.hasOwn(REDUCED_TO, part) ? REDUCED_TO[part]! : []));
      this.#setFinding('MATERIAL_REDUCED', name, words.join(', '), asStrict('warning', strict));
    }
  }

  /** Frees all textures, including those that are still loading. */
  dispose(): void {
    this.#isDisposed = true;
    for (const texture of this.#textures) disposeTexture(texture);
    for (const texture of this.#copies) texture.dispose(); // the image belongs to the original
  }

  async load(source: TextureSource | null, options: TextureOptions = {}): Promise<void> {
    const resolver = source && new TextureResolver(source, options.maxTextures ?? MAX_TEXTURES);
    const assignments = await planTextures(this.#scene, resolver, row => !!this.#filled.get(row)?.size);
    options.signal?.throwIfAborted();
    for (const row of this.#scene.materials.keys()) this.#drawn(row).forEach(removeValues);
    for (const assignment of assignments) this.#applyOverrides(assignment);
    const missing = new Map(assignments.map(({ row }) => [this.#nameOf(row), new Set<string>()]));
    await Promise.all(
      assignments.map(async assignment => {
        for (const name of await this.#apply(assignment, resolver, options)) missing.get(this.#nameOf(assignment.row))?.add(name);
      }),
    );
    if (resolver) await this.#findValues(resolver, options.strict ?? false);
    options.signal?.throwIfAborted();
    this.#applyValues();
    for (const [material, lost] of missing) this.#setFinding('TEXTURE_MISSING', material, [...lost].join(', '), 'info');
    this.#setFinding(
      'TEXTURE_LIMIT',
      'textures',
      resolver?.skipped.size ? `${resolver.skipped.size} of ${resolver.skipped.size + resolver.requested.size} names` : '',
      asStrict('warning', options.strict ?? false),
    );
    if (this.#isReduced) this.#reportReduced(options.strict ?? false);
  }

  async #findValues(resolver: TextureResolver, strict: boolean): Promise<void> {
    this.#chosenValues = resolver.values ?? this.#chosenValues;
    try {
      this.#besideValues = (await valuesBeside(this.#scene, resolver)) ?? this.#besideValues;
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      this.#setFinding('MATERIAL_VALUES_INVALID', this.#scene.asset.name, detail, asStrict('warning', strict));
    }
  }

  /** Values of materials, from a file beside the model or set by `values`. */
  get values(): readonly NamedMaterialValues[] {
    return this.#chosenValues ?? this.#besideValues;
  }

  /** Null restores the values of the file beside the model. */
  set values(values: readonly NamedMaterialValues[] | null) {
    this.#chosenValues = values;
    this.#applyValues();
  }

  /** Returns the three.js materials that are drawn for a material of the scene. */
  #drawn(row: number): readonly ThreeMaterial[] {
    return this.#materials.of(row).flatMap(drawnFor);
  }

  #applyValues(rows: Iterable<number> = this.#scene.materials.keys()): void {
    for (const row of rows)
      for (const material of this.#drawn(row))
        for (const copy of applyValues(material, valuesOf(this.values, this.#nameOf(row)))) this.#copies.add(copy);
  }

  #nameOf(row: number): string {
    return this.#scene.materials[row]?.name ?? '';
  }

  /**
   * Applies the property overrides of a material. Reports guessed textures, and surfaces that are
   * drawn as clear gloss.
   */
  #applyOverrides({ row, overrides, isReflectionOnly, isGuessed, requests }: MaterialTextures): void {
    if (overrides) for (const material of this.#materials.of(row)) changeMaterial(material, overrides);
    if (isReflectionOnly) this.#setFinding('MATERIAL_GLOSS', this.#nameOf(row), 'drawn as a clear gloss', 'info');
    if (isGuessed) this.#setFinding('TEXTURE_GUESSED', this.#nameOf(row), requests.map(({ name }) => name).join(', '), 'info');
  }

  /** Loads and assigns the textures of a material. Returns the names of missing textures. */
  async #apply(
    { row, requests, isUntextured }: MaterialTextures,
    resolver: TextureResolver | null,
    options: TextureOptions,
  ): Promise<string[]> {
    const missing: string[] = [];
    await Promise.all(
      requests.map(async request => {
        const found = await findImage(request, resolver);
        if (found) await this.#fillSlot(row, request.slot, found, request.settings, options);
        else if (found === null && request.isExpected && !this.#filled.get(row)?.has(request.slot))
          missing.push(request.name || request.image?.name || '');
      }),
    );
    if (isUntextured && !this.#filled.get(row)?.size) missing.push(`none for "${this.#nameOf(row)}"`);
    return missing;
  }

  async #fillSlot(row: number, slot: string, found: FoundImage, settings: SceneTexture | null, options: TextureOptions): Promise<void> {
    const filled = this.#filled.get(row) ?? new Set<string>();
    this.#filled.set(row, filled);
    if (filled.has(slot)) return;
    const material = this.#scene.materials[row];
    const srgb = settings ? settings.srgb || isColorSlot(slot) : isColorSlot(slot);
    const isKeyed = options.colorKey !== false && usesColorKey(this.#scene, material, slot);
    const key = `${found.name}\n${srgb}\n${isKeyed}\n${settings ? this.#scene.textures.indexOf(settings) : ''}`;
    let decoding = this.#decoded.get(key);
    if (!decoding) {
      this.#decoded.set(key, (decoding = this.#decode(found, srgb, isKeyed, settings, options)));
      void decoding.then(texture => texture ?? this.#decoded.delete(key)); // a later source may contain a file that can be decoded
    }
    const texture = await decoding;
    if (!texture || options.signal?.aborted) return;
    filled.add(slot);
    const cut = texture.userData['colorKey'] as string | undefined;
    if (cut) this.#setFinding('TEXTURE_KEYED', this.#nameOf(row), cut, 'info');
    if (!(await this.#assign(row, slot, texture, settings)))
      this.#addFinding('TEXTURE_UNUSED', 'info', this.#nameOf(row), `${slot}: ${found.name}`);
  }

  /**
   * Replaces the texture in a slot of a material by an image. Returns false if no material draws
   * it. Also returns false if the image can't be decoded, and reports this.
   */
  async choose(row: number, slot: string, image: FoundImage, options: TextureOptions): Promise<boolean> {
    const texture = await this.#decode(image, isColorSlot(slot), false, null, options);
    options.signal?.throwIfAborted();
    if (!texture || !(await this.#assign(row, slot, texture, null, this.#drawn(row)))) return false;
    this.#filled.set(row, (this.#filled.get(row) ?? new Set()).add(slot));
    this.#setFinding('TEXTURE_MISSING', this.#nameOf(row), '', 'info');
    return true;
  }

  /**
   * Assigns a texture to three.js materials: by default, to all that were built from the scene
   * material. Returns true if one of them draws the texture.
   */
  async #assign(
    row: number,
    slot: string,
    texture: Texture,
    settings: SceneTexture | null,
    materials: readonly ThreeMaterial[] = this.#materials.of(row),
  ): Promise<boolean> {
    const relief = isDetailSlot(slot) ? (await import('../rareModules.ts')).assignRelief : undefined;
    const traits = { directX: this.#hints.directXNormals ?? false, settings, relief };
    materials.flatMap(drawnFor).forEach(removeValues);
    const isDrawn = materials.map(material => assignTexture(material, slot, texture, traits)).some(Boolean);
    this.#applyValues([row]);
    return isDrawn;
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
      for (const code of ['TEXTURE_UNSUPPORTED', 'TEXTURE_DAMAGED']) this.#setFinding(code, found.name, '', 'warning');
      return texture;
    } catch (error) {
      const code = error instanceof RigcastError && error.code === 'IMAGE_UNSUPPORTED' ? 'TEXTURE_UNSUPPORTED' : 'TEXTURE_DAMAGED';
      this.#setFinding(
        code,
        found.name,
        error instanceof Error ? error.message : String(error),
        asStrict('warning', options.strict ?? false),
      );
      return null;
    }
  }

  #addFinding(code: string, severity: Severity, path: string, detail: string): void {
    addFinding(this.#report, { code, severity, offset: null, path, detail, count: 1 });
  }

  /**
   * Sets the detail of the finding with this code and path, or removes the finding if `detail` is
   * empty.
   */
  #setFinding(code: string, path: string, detail: string, severity: Severity): void {
    const key = `${code} ${path}`;
    if (this.#reported.get(key) === detail) return;
    if (this.#reported.delete(key)) removeFinding(this.#report, { code, path });
    if (detail === '') return;
    this.#reported.set(key, detail);
    this.#addFinding(code, severity, path, detail);
  }
}

/**
 * Makes the mask color of a texture transparent in a copy, which is returned. Returns the texture
 * itself if it has an alpha channel or no mask color.
 */
async function keyed(texture: Texture, { bytes }: FoundImage): Promise<Texture> {
  const image = pixelsOf(texture);
  if (!image) return texture;
  const { data, width, height } = image;
  const key = findColorKey(data, width, height, bytes instanceof Blob ? new Uint8Array(await bytes.arrayBuffer()) : bytes);
  if (!key) return texture;
  disposeTexture(texture);
  const cut = dataTexture(applyColorKey(data, width, height, key), width, height);
  cut.userData['colorKey'] = `${colorText(key.color)} (${key.source})`;
  return cut;
}

const WRAPS: Record<SceneTexture['wrapU'], Wrapping> = {
  repeat: RepeatWrapping,
  clamp: ClampToEdgeWrapping,
  mirror: MirroredRepeatWrapping,
};

function applySettings(texture: Texture, { wrapU, wrapV, filter, offset, scale, uvSet }: SceneTexture): void {
  texture.wrapS = WRAPS[wrapU];
  texture.wrapT = WRAPS[wrapV];
  // Mipmaps are always used, as in other engines. `filter` determines how texels and mipmap levels
  // blend.
  texture.magFilter = filter === 'nearest' ? NearestFilter : LinearFilter;
  texture.minFilter =
    filter === 'nearest' ? NearestMipmapNearestFilter : filter === 'linear' ? LinearMipmapNearestFilter : LinearMipmapLinearFilter;
  texture.generateMipmaps = true;
  texture.offset.set(...offset);
  texture.repeat.set(...scale);
  texture.channel = uvSet;
}
