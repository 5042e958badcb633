// Decoders for glTF files that are compressed with Draco or contain KTX2 textures. They are parts of
// three.js, and are fetched only if a file needs them.
import type { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { RigcastError } from '../core/error.ts';
import type { Finding } from '../core/types.ts';
import { settings } from '../core/settings.ts';

/** Maximum time until a worker starts, in milliseconds. */
const PATIENCE = 10_000;

/** The part of the loaders of three.js that their types do not declare. */
interface Startable {
  init?(): Promise<unknown>;
  decoderPending?: Promise<unknown> | null;
}

export interface Decoders {
  /** Findings about the textures that are left out. */
  findings: Finding[];
  dispose(): void;
}

/**
 * Adds the decoders that a file requires to a loader. `bytes`: a GLB or .gltf. `decodesImages`:
 * false if images stay encoded. Rejects if the decoder of Draco cannot be loaded. Without the decoder
 * of KTX2, the textures are left out, and `findings` contains the reason (TEXTURE_UNSUPPORTED).
 */
export async function addDecoders(loader: GLTFLoader, bytes: Uint8Array, { decodesImages = true } = {}): Promise<Decoders> {
  const json = jsonIn(bytes);
  const findings: Finding[] = [];
  const added: { dispose(): void }[] = [];
  const dispose = (): void => added.forEach(each => each.dispose());
  try {
    if (json.includes('"KHR_draco_mesh_compression"'))
      await adding('Draco', null, async () => {
        const { DRACOLoader } = await import('three/addons/loaders/DRACOLoader.js');
        const draco = new DRACOLoader();
        added.push(draco);
        if (settings.decoders !== undefined) draco.setDecoderPath(folder('draco/gltf/'));
        draco.preload();
        await (draco as Startable).decoderPending;
        loader.setDRACOLoader(draco);
      });
    if (decodesImages && json.includes('"KHR_texture_basisu"'))
      await adding('KTX2', EVALUATES, async () => {
        const { KTX2Loader } = await import('three/addons/loaders/KTX2Loader.js');
        const ktx2 = new KTX2Loader();
        added.push(ktx2);
        if (settings.decoders !== undefined) ktx2.setTranscoderPath(folder('basis/'));
        // The loader of a file does not know the renderer, so textures are decoded to RGBA.
        ktx2.detectSupport({ extensions: { has: () => false } } as never);
        await (ktx2 as Startable).init?.();
        loader.setKTX2Loader(ktx2);
      }).catch((error: unknown) => {
        const count = leaveOutKtx2(loader, json);
        const place = { offset: null, path: 'textures' };
        if (count > 0) findings.push({ code: 'TEXTURE_UNSUPPORTED', severity: 'warning', ...place, detail: wordsOf(error), count });
      });
  } catch (error) {
    dispose();
    throw error;
  }
  return { findings, dispose };
}

const BASISU = 'KHR_texture_basisu';

/**
 * Makes a loader leave out the textures that have only a KTX2 image, instead of failing. Returns
 * their number.
 */
function leaveOutKtx2(loader: GLTFLoader, json: string): number {
  interface Texture {
    source?: number;
    extensions?: object;
  }
  const { extensionsRequired, textures } = parsed(json) as { extensionsRequired?: unknown; textures?: readonly (Texture | null)[] };
  const isRequired = Array.isArray(extensionsRequired) && extensionsRequired.includes(BASISU);
  const isLeftOut = (texture?: Texture | null): boolean =>
    Boolean(texture?.extensions && BASISU in Object(texture.extensions) && (isRequired || texture.source === undefined));
  const all = Array.isArray(textures) ? textures : [];
  // The first plugin that handles a texture is used. Materials ignore textures that are null.
  const { pluginCallbacks } = loader as unknown as { pluginCallbacks: unknown[] };
  pluginCallbacks.unshift(() => ({
    name: 'without KTX2',
    loadTexture: (index: number) => (isLeftOut(all[index]) ? Promise.resolve(null) : null),
  }));
  return all.filter(isLeftOut).length;
}

/** Returns the value of a JSON text; an empty object if it is damaged, which the loader reports. */
function parsed(json: string): object {
  try {
    return Object(JSON.parse(json)) as object;
  } catch {
    return {};
  }
}

/** Returns the URL of a folder of decoders, which ends in a slash. */
const folder = (name: string): string => {
  const base = String(settings.decoders).replace(/\/?$/, '/');
  return new URL(name, typeof location === 'undefined' ? base : new URL(base, location.href)).href;
};

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A statement that fails if a page does not allow the evaluation of texts as scripts. */
const EVALUATES = "new Function('')";

/**
 * Adds a decoder. `needed`: a statement that must be possible in its worker. Rejects with the reason
 * if the decoder cannot be loaded.
 */
async function adding(name: string, needed: string | null, add: () => Promise<void>): Promise<void> {
  const unavailable = (reason: string, cause?: unknown): RigcastError =>
    new RigcastError('DECODER_UNAVAILABLE', `The file is compressed with ${name}, and the decoder could not be loaded: ${reason}`, {
      cause,
    });
  const problem = await workerProblem(needed ?? '');
  if (problem !== null) throw unavailable(problem);
  await add().catch((error: unknown) => {
    throw unavailable(`${wordsOf(error)}. Set the URL of the decoders with configure({ decoders }).`, error);
  });
}

/**
 * Returns why the page cannot start workers from Blobs that execute `needed`, or null if it can. The
 * loaders would wait for them forever.
 */
async function workerProblem(needed: string): Promise<string | null> {
  if (typeof Worker === 'undefined' || typeof document === 'undefined') return 'it runs in browsers only.';
  const script = `try { ${needed}; postMessage(''); } catch (error) { postMessage('the content security policy of the page forbids it. ' + error); }`;
  const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  let worker: Worker | null = null;
  try {
    worker = new Worker(url);
    return await new Promise(resolve => {
      const fail = (): void => resolve('the content security policy of the page does not allow workers from blob: URLs.');
      Object.assign(worker!, { onmessage: ({ data }: MessageEvent<string>) => resolve(data || null), onerror: fail });
      setTimeout(fail, PATIENCE);
    });
  } catch (error) {
    return wordsOf(error);
  } finally {
    worker?.terminate();
    URL.revokeObjectURL(url);
  }
}

/** Returns the JSON part of a GLB, or the text of a .gltf. */
function jsonIn(bytes: Uint8Array): string {
  const isBinary = bytes.length >= 20 && new TextDecoder().decode(bytes.subarray(0, 4)) === 'glTF';
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return new TextDecoder().decode(isBinary ? bytes.subarray(20, 20 + view.getUint32(12, true)) : bytes);
}
