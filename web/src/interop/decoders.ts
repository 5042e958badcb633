// Decoders for glTF files that are compressed with Draco or contain KTX2 textures. They are parts of
// three.js, and are fetched only if a file needs them.
import type { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { RigcastError } from '../core/error.ts';
import { settings } from '../core/settings.ts';

/** Maximum time until a worker starts, in milliseconds. */
const PATIENCE = 10_000;

/** The part of the loaders of three.js that their types do not declare. */
interface Startable {
  init?(): Promise<unknown>;
  decoderPending?: Promise<unknown> | null;
}

/**
 * Adds the decoders that a file requires to a loader. `bytes`: a GLB or .gltf. `decodesImages`:
 * false if images stay encoded. Returns a function that frees the decoders. Rejects if one of them
 * cannot be loaded.
 */
export async function addDecoders(loader: GLTFLoader, bytes: Uint8Array, { decodesImages = true } = {}): Promise<() => void> {
  const json = jsonIn(bytes);
  const added: { dispose(): void }[] = [];
  const dispose = (): void => added.forEach(each => each.dispose());
  try {
    if (json.includes('"KHR_draco_mesh_compression"'))
      await adding('Draco', async () => {
        const { DRACOLoader } = await import('three/addons/loaders/DRACOLoader.js');
        const draco = new DRACOLoader();
        added.push(draco);
        if (settings.decoders !== undefined) draco.setDecoderPath(folder('draco/gltf/'));
        draco.preload();
        await (draco as Startable).decoderPending;
        loader.setDRACOLoader(draco);
      });
    if (decodesImages && json.includes('"KHR_texture_basisu"'))
      await adding('KTX2', async () => {
        const { KTX2Loader } = await import('three/addons/loaders/KTX2Loader.js');
        const ktx2 = new KTX2Loader();
        added.push(ktx2);
        if (settings.decoders !== undefined) ktx2.setTranscoderPath(folder('basis/'));
        // The loader of a file does not know the renderer, so textures are decoded to RGBA.
        ktx2.detectSupport({ extensions: { has: () => false } } as never);
        await (ktx2 as Startable).init?.();
        loader.setKTX2Loader(ktx2);
      }).catch((error: unknown) => {
        if (isRequired(json, 'KHR_texture_basisu')) throw error; // otherwise the file also contains other images
      });
  } catch (error) {
    dispose();
    throw error;
  }
  return dispose;
}

/** Returns the URL of a folder of decoders, which ends in a slash. */
const folder = (name: string): string => {
  const base = String(settings.decoders).replace(/\/?$/, '/');
  return new URL(name, typeof location === 'undefined' ? base : new URL(base, location.href)).href;
};

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Adds a decoder. Rejects with the reason if it cannot be loaded. */
async function adding(name: string, add: () => Promise<void>): Promise<void> {
  const unavailable = (reason: string, cause?: unknown): RigcastError =>
    new RigcastError('DECODER_UNAVAILABLE', `The file is compressed with ${name}, and the decoder could not be loaded: ${reason}`, {
      cause,
    });
  const problem = await workerProblem();
  if (problem !== null) throw unavailable(problem);
  await add().catch((error: unknown) => {
    throw unavailable(`${wordsOf(error)}. Set the URL of the decoders with configure({ decoders }).`, error);
  });
}

/**
 * Returns why the page cannot start workers from Blobs, which the decoders do, or null if it can. The
 * loaders would wait for them forever.
 */
async function workerProblem(): Promise<string | null> {
  if (typeof Worker === 'undefined' || typeof document === 'undefined') return 'it runs in browsers only.';
  const url = URL.createObjectURL(new Blob(['postMessage(0)'], { type: 'text/javascript' }));
  let worker: Worker | null = null;
  try {
    worker = new Worker(url);
    return await new Promise(resolve => {
      const fail = (): void => resolve('the content security policy of the page does not allow workers from blob: URLs.');
      Object.assign(worker!, { onmessage: () => resolve(null), onerror: fail });
      setTimeout(fail, PATIENCE);
    });
  } catch (error) {
    return wordsOf(error);
  } finally {
    worker?.terminate();
    URL.revokeObjectURL(url);
  }
}

/** True if a file cannot be read without an extension. */
function isRequired(json: string, extension: string): boolean {
  try {
    const { extensionsRequired } = JSON.parse(json) as { extensionsRequired?: unknown };
    return Array.isArray(extensionsRequired) && extensionsRequired.includes(extension);
  } catch {
    return false; // the loader reports the damage
  }
}

/** Returns the JSON part of a GLB, or the text of a .gltf. */
function jsonIn(bytes: Uint8Array): string {
  const isBinary = bytes.length >= 20 && new TextDecoder().decode(bytes.subarray(0, 4)) === 'glTF';
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return new TextDecoder().decode(isBinary ? bytes.subarray(20, 20 + view.getUint32(12, true)) : bytes);
}
