// Opens models and animations of other formats (glTF, FBX, VRM, OBJ, BVH) with the loaders of
// three.js, which are loaded on demand.
//
// Referenced files are found only among the companion files. Only `fetchReferences` fetches files.
import { LoadingManager, type Material } from 'three';
import type { RigFile } from '../core/open.ts';
import { type OtherFormat, otherFormatOf } from '../core/otherFormats.ts';
import { reportOf } from '../core/report.ts';
import type { Finding } from '../core/types.ts';
import { bindRetargeted } from '../rig/bindRetargeted.ts';
import { addDecoders } from './decoders.ts';
import { countFromTop, type LoaderResult, loadWithThree, nameAfterFile, reportOfFailure } from './loaders.ts';
import { disposeMaterials, type ImportedFile, importedFile, applyMaterials } from './file.ts';
import { setEncoded } from './encodedFile.ts';
import { checkMemoryLimit } from './memoryLimit.ts';
import type { ImportedScene } from './scene.ts';
import { fetchReferences } from './references.ts';
import { variantsOf, type VariantParser } from './variants.ts';
import { factsOfGltf, type VrmFacts } from './vrm.ts';
import { RigcastError } from '../core/error.ts';
import type { Rig } from '../three/rig.ts';
import { baseName, extensionOf, folderOf, isAbsolute, partsOf, percentDecoded } from '../core/paths.ts';
import {
  setConventions,
  bindByNameOrBody,
  registerClips,
  applyLoaderMaterials,
  disposeLoaderMaterials,
  variantsIn,
} from './loaderConventions.ts';

export { bindByNameOrBody, fetchReferences, registerClips, variantsIn };

/** Companion files of a model. */
export interface CompanionFileSource {
  /** Returns the file with this name in the folder nearest to the path `near`, or null. */
  find(name: string, near?: string): File | null;
}

interface FileWithPath {
  /** Path of the file, including its folders. */
  path: string;
  file: File;
}

interface LoadedModel extends LoaderResult {
  readFacts?: (imported: ImportedScene) => VrmFacts | null;
  /** Parser of GLTFLoader. */
  parser?: VariantParser;
  /** Findings about content that the loader left out. */
  findings?: readonly Finding[];
}

/**
 * Opens a file and creates a rig. `make` is `Rig.make`, which the caller passes, because this module
 * is imported on demand and the caller has it already. `dispose` of the rig also frees the loader's
 * materials. Rejects with FILE_UNREADABLE if the file
 * could not be read.
 */
export async function openImportedRig(
  source: FileWithPath,
  beside: CompanionFileSource,
  signal: AbortSignal,
  make: typeof Rig.make,
): Promise<Rig> {
  const file = registerClips(await openImported(source, beside, signal));
  if (!file.scene) {
    const [first] = file.report.items;
    const why = first ? [first.code, first.detail].filter(Boolean).join(': ') : 'no readable content';
    throw new RigcastError('FILE_UNREADABLE', `${file.name} cannot be read: ${why}`, { report: file.report });
  }
  const rig = await make(file, { bind: bindByNameOrBody });
  applyLoaderMaterials(file, rig);
  const disposeRig = rig.dispose.bind(rig);
  rig.dispose = () => {
    disposeRig();
    disposeLoaderMaterials(file);
  };
  return rig;
}

/** Opens a file. Never rejects for damaged files; the report lists the damage. */
export async function openImported(source: FileWithPath, beside: CompanionFileSource, signal: AbortSignal): Promise<RigFile> {
  const { file } = source;
  // The core reports empty files.
  if (file.size === 0) return (await import('../core/open.ts')).open(file, { name: file.name, signal });
  const bytes = await file.arrayBuffer();
  const format = otherFormatOf(file.name, new Uint8Array(bytes)) ?? extensionOf(file.name);
  signal.throwIfAborted();
  const found = new CompanionUrls(beside, source.path);
  let made: ImportedFile | null = null;
  let report = reportOf([]);
  try {
    await checkMemoryLimit(format, new Uint8Array(bytes), { sizeOf: uri => found.sizeOf(uri) });
    const { root, animations, unit, readFacts, parser, findings = [] } = await found.until(manager => load(format, bytes, manager, found));
    if (format === 'fbx' || format === 'obj') countFromTop(root);
    made = importedFile(root, animations, stemOf(file.name), unit, readFacts);
    const { scene, materials } = made;
    const patched = new Map<string, Material>();
    const variants = parser ? await variantsOf(parser, made, patched) : null;
    setConventions(scene, {
      bind: bindRetargeted,
      applyMaterials: rig => applyMaterials(rig, materials, patched),
      variants,
      dispose: () => disposeMaterials([...materials, ...(variants?.materials ?? []), ...patched.values()]),
    });
    setEncoded(scene, async () => {
      const { openEncoded } = await import('./openEncoded.ts');
      return openEncoded(format as OtherFormat, new Uint8Array(await file.arrayBuffer()), file.name, path => found.bytes(path));
    });
    report = reportOf([...made.findings, ...findings, ...found.findings()]);
  } catch (error) {
    report = reportOfFailure(error);
  } finally {
    found.revoke();
  }
  signal.throwIfAborted();
  return {
    name: file.name,
    format,
    version: '',
    scene: made?.scene ?? null,
    report,
    needs: [],
    byteLength: bytes.byteLength,
    outline: async () => ({ format, version: '', byteLength: bytes.byteLength, outline: [], report }),
    supply: () => openImported(source, beside, new AbortController().signal),
  };
}

const stemOf = (name: string): string => name.replace(/\.[^.]*$/, '');

async function load(format: string, bytes: ArrayBuffer, manager: LoadingManager, found: CompanionUrls): Promise<LoadedModel> {
  if (format === 'fbx' || format === 'obj' || format === 'bvh')
    return loadWithThree(format, bytes, stemOf(found.name), manager, name => found.text(name));
  const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
  const { MeshoptDecoder } = await import('three/addons/libs/meshopt_decoder.module.js');
  const loader = new GLTFLoader(manager).setMeshoptDecoder(MeshoptDecoder);
  const { findings, dispose } = await addDecoders(loader, new Uint8Array(bytes));
  const { scene, animations, parser } = await loader.parseAsync(bytes, '').finally(dispose);
  nameAfterFile(animations, found.name);
  return { root: scene, animations, readFacts: imported => factsOfGltf(parser, imported), parser, findings };
}

/** One transparent pixel, used for missing images. */
const NO_IMAGE = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';

/** Creates object URLs for companion files, so that loaders of three.js can load them. */
class CompanionUrls {
  readonly #beside: CompanionFileSource;
  readonly #near: string;
  /** Names of companion files by object URL. */
  readonly #names = new Map<string, string>();
  readonly #missing = new Set<string>();
  /** Number of images that could not be decoded, by file: the image, or the model that contains it. */
  readonly #damaged = new Map<string, number>();

  constructor(beside: CompanionFileSource, near: string) {
    this.#beside = beside;
    this.#near = near;
  }

  get name(): string {
    return baseName(this.#near);
  }

  /** Calls `load` with a manager. Resolves when all files that the loader requested are loaded. */
  async until<T>(load: (manager: LoadingManager) => Promise<T>): Promise<T> {
    const manager = new LoadingManager().setURLModifier(url => this.#urlOf(url));
    const idle = new Promise<void>(resolve => (manager.onLoad = resolve));
    manager.onError = url => {
      const name = this.#names.get(url) ?? this.name;
      this.#damaged.set(name, (this.#damaged.get(name) ?? 0) + 1);
    };
    manager.itemStart(this.#near); // keeps the manager busy until loading starts
    try {
      return await load(manager);
    } finally {
      manager.itemEnd(this.#near);
      await idle;
    }
  }

  /** Returns the file to which a path in the model refers. It can be in another folder than the path says. */
  #find(path: string): File | null {
    const folders = isAbsolute(path) ? [] : partsOf(path).slice(0, -1);
    return this.#beside.find(baseName(path), [...folderOf(this.#near), ...folders, ''].join('/'));
  }

  async text(name: string): Promise<string | null> {
    const file = this.#find(name);
    if (!file) this.#missing.add(baseName(name));
    return file ? await file.text() : null;
  }

  /** Returns the bytes of a file that the model references, or null. */
  async bytes(path: string): Promise<Uint8Array | null> {
    const file = this.#find(pathIn(path));
    return file && new Uint8Array(await file.arrayBuffer());
  }

  /** Returns the size in bytes of a file that the model references. */
  sizeOf(url: string): number {
    return this.#find(pathIn(url))?.size ?? 0;
  }

  #urlOf(url: string): string {
    if (/^(blob|data):/i.test(url)) return url;
    const path = pathIn(url);
    const name = baseName(path);
    const file = this.#find(path);
    if (!file) {
      this.#missing.add(name);
      return /\.bin$/i.test(name) ? 'data:application/octet-stream,' : NO_IMAGE;
    }
    const address = URL.createObjectURL(file);
    this.#names.set(address, name);
    return address;
  }

  findings(): Finding[] {
    const place = { offset: null, detail: '' };
    return [
      ...[...this.#missing].map(path => ({ code: 'TEXTURE_MISSING', severity: 'info', ...place, path, count: 1 }) as const),
      ...Array.from(this.#damaged, ([path, count]) => ({ code: 'TEXTURE_DAMAGED', severity: 'warning', ...place, path, count }) as const),
    ];
  }

  revoke(): void {
    for (const address of this.#names.keys()) URL.revokeObjectURL(address);
  }
}

const pathIn = (url: string): string => percentDecoded(url.replace(/[?#].*$/, ''));
