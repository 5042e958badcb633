// Reads FBX, OBJ and BVH files with the loaders of three.js, which are loaded on demand.
import type { AnimationClip, BufferAttribute, LoadingManager, Material, Mesh, Object3D, Texture } from 'three';
import { RigcastError } from '../core/error.ts';
import { failureReport } from '../core/report.ts';
import type { Report } from '../core/types.ts';
import { isMemoryLimitError } from './memoryLimit.ts';

/** Returns the report of a file that a loader could not read. `error`: the error of the loader. */
export function reportOfFailure(error: unknown): Report {
  // The message of a TypeError or RangeError is about the code of the loader, not about the file.
  const isAboutFile = error instanceof Error && !(error instanceof TypeError || error instanceof RangeError);
  const detail = isAboutFile ? error.message.replace(/^THREE\.\w+: /, '') : '';
  return failureReport(isMemoryLimitError(error) ? 'OUT_OF_PROPORTION' : 'LOADER_FAILED', detail);
}

export interface LoaderResult {
  root: Object3D;
  animations: readonly AnimationClip[];
  /** Length of one unit of the file, in metres (default: 1). */
  unit?: number;
}

/**
 * Reads an FBX, OBJ or BVH file. `name`: name of the file without its extension. `manager`: loads
 * the images. `read`: returns the text of a file that the model references, or null. Throws an
 * error of the loader if the file is damaged, and FILE_UNREADABLE if a BVH contains no skeleton.
 */
export async function loadWithThree(
  format: 'fbx' | 'obj' | 'bvh',
  bytes: ArrayBuffer,
  name: string,
  manager: LoadingManager,
  read: (name: string) => Promise<string | null>,
): Promise<LoaderResult> {
  if (format === 'fbx') {
    const { FBXLoader } = await import('three/addons/loaders/FBXLoader.js');
    const root = withWindow(() => new FBXLoader(manager).parse(bytes, ''));
    const { unitScaleFactor } = root.userData as { unitScaleFactor?: unknown };
    // All animations of Mixamo have the same name, so they are renamed after their file.
    for (const clip of root.animations) if (/(^|\|)mixamo\.com(\||$)/.test(clip.name)) clip.name = name;
    return {
      root,
      animations: root.animations,
      unit: 0.01 * (typeof unitScaleFactor === 'number' && unitScaleFactor > 0 ? unitScaleFactor : 1),
    };
  }
  const text = new TextDecoder().decode(bytes);
  if (format === 'bvh') {
    const { BVHLoader } = await import('three/addons/loaders/BVHLoader.js');
    const { skeleton, clip } = new BVHLoader(manager).parse(text);
    if (!skeleton.bones[0] || !clip) throw new RigcastError('FILE_UNREADABLE', 'the file contains no skeleton');
    clip.name = name;
    return { root: skeleton.bones[0], animations: [clip] };
  }
  const { OBJLoader } = await import('three/addons/loaders/OBJLoader.js');
  const loader = new OBJLoader(manager);
  const library = /^mtllib\s+(.+?)\s*$/m.exec(text)?.[1];
  const beside = library ? await read(library) : null;
  if (beside !== null) {
    const { MTLLoader } = await import('three/addons/loaders/MTLLoader.js');
    const materials = new MTLLoader(manager).parse(beside, '');
    materials.preload();
    loader.setMaterials(materials);
  }
  return { root: loader.parse(text), animations: [] };
}

/**
 * Names the animation of a VRMA after its file if it has no name of its own: exporters write `animation`,
 * and GLTFLoader names an unnamed animation `animation_0`.
 */
export function nameAfterFile([clip]: readonly AnimationClip[], fileName: string): void {
  if (clip && /\.vrma$/i.test(fileName) && /^animation(_0)?$/i.test(clip.name)) clip.name = fileName.slice(0, -'.vrma'.length);
}

/**
 * Runs a function while there is a global `window`. FBXLoader reads its size for cameras, and Node
 * has none.
 */
function withWindow<T>(run: () => T): T {
  if ('window' in globalThis) return run();
  Object.defineProperty(globalThis, 'window', { value: { innerWidth: 1, innerHeight: 1 }, configurable: true });
  try {
    return run();
  } finally {
    Reflect.deleteProperty(globalThis, 'window');
  }
}

/**
 * Makes the V coordinates of an FBX or OBJ count from the top of the image, as scenes of rigcast
 * do. In these formats they count from the bottom. The pictures stay the same. Call it after all
 * textures are loaded, because some loaders set `flipY` at the end.
 */
export function countFromTop(root: Object3D): void {
  const attributes = new Set<BufferAttribute>();
  const textures = new Set<Texture>();
  root.traverse(object => {
    const { geometry, material } = object as Partial<Mesh>;
    for (const name of ['uv', 'uv1', 'uv2', 'uv3']) {
      const attribute = geometry?.getAttribute(name);
      if (attribute) attributes.add(attribute as BufferAttribute);
    }
    for (const own of [material ?? []].flat()) for (const texture of Object.values(texturesOf(own))) textures.add(texture);
  });
  for (const attribute of attributes) for (let i = 0; i < attribute.count; i++) attribute.setY(i, 1 - attribute.getY(i));
  for (const texture of textures) {
    texture.flipY = false;
    texture.offset.y = 1 - texture.repeat.y - texture.offset.y;
  }
}

/** Returns the textures of a material, by the property that holds them. */
export const texturesOf = (material: Material): Readonly<Record<string, Texture>> =>
  Object.fromEntries(Object.entries(material).filter(([, value]) => (value as Partial<Texture> | null)?.isTexture === true));
