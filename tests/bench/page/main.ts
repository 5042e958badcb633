// The code of the benchmark that runs in the browser: it runs several loaders in turn on the same
// content. run.bench.mjs calls it through `window.bench`.
import {
  AmbientLight,
  AnimationMixer,
  Box3,
  type AnimationClip,
  InstancedMesh,
  type Object3D,
  PerspectiveCamera,
  Scene,
  type SkinnedMesh,
  Vector3,
  WebGLRenderer,
} from 'three';
import { PSKLoader } from 'psk-loaders';
import { FBXLoader } from 'three/addons/loaders/FBXLoader.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import type { Description } from '../../../web/src/core/description.ts';
import { instantiate } from '../../../web/src/core/glue.ts';
import { blocksFrom, planOf, serveFile } from '../../../web/src/core/input.ts';
import { prepare } from '../../../web/src/core/prepare.ts';
import { compileWasm, wasmFrom } from '../../../web/src/core/wasm.ts';
import { type Rig, RigcastLoader } from '../../../web/src/three/index.ts';

declare const gc: () => void; // Chromium runs with --expose-gc

interface Opened {
  root: Object3D;
  animations: AnimationClip[];
  dispose(): void;
}

type Open<Given = ArrayBuffer> = (given: Given) => Promise<Opened>;

/**
 * How a file is opened: in which thread, and whether the source is a buffer that the page keeps, a
 * transferred buffer, or a Blob.
 */
interface Way {
  worker: boolean;
  transfer?: boolean;
  isBlob?: boolean;
}
const waysToRead: Record<string, Way> = {
  rigcast: { worker: false },
  'rigcast, handed over': { worker: false, transfer: true },
  'rigcast in a worker': { worker: true },
  'rigcast in a worker, handed over': { worker: true, transfer: true },
  'rigcast in a worker, a Blob': { worker: true, isBlob: true },
};

/** Creates the value that is passed to the loader. Called before the clock starts. */
const givenIn = ({ transfer, isBlob }: Way, bytes: ArrayBuffer): ArrayBuffer | Blob =>
  isBlob ? new Blob([bytes]) : transfer ? bytes.slice(0) : bytes;

const parse = ({ worker, transfer = false }: Way, given: ArrayBuffer | Blob, name: string): Promise<Rig> =>
  new RigcastLoader().setOptions({ worker, transfer }).parseAsync(given, '', name);

const rigcast = (name: string, way: Way): { give: NonNullable<Contestant['give']>; open: Open<ArrayBuffer | Blob> } => ({
  give: bytes => givenIn(way, bytes),
  open: async given => {
    const rig = await parse(way, given, name);
    return { root: rig.scene, animations: rig.animations, dispose: () => rig.dispose() };
  },
});

const gltf: Open = async bytes => {
  const { scene, animations } = await new GLTFLoader().parseAsync(bytes, '');
  return { root: scene, animations, dispose: () => disposeMeshes(scene) };
};

/** GLTFLoader for a dropped file, whose bytes the page must read first. */
const gltfFromBlob = {
  give: (bytes: ArrayBuffer): Blob => new Blob([bytes]),
  open: (async blob => gltf(await blob.arrayBuffer())) satisfies Open<Blob>,
};

const fbx: Open = async bytes => {
  const root = new FBXLoader().parse(bytes, '');
  return { root, animations: root.animations, dispose: () => disposeMeshes(root) };
};

function disposeMeshes(root: Object3D): void {
  root.traverse(object => (object as SkinnedMesh).geometry?.dispose());
}

const bytesOf = async (url: string): Promise<ArrayBuffer> => {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.arrayBuffer();
};

/** Lets garbage of earlier tasks be collected before time is measured. */
async function settle(): Promise<void> {
  gc();
  await new Promise(resolve => setTimeout(resolve, 50));
}

function skinnedMesh(root: Object3D): SkinnedMesh {
  let found: SkinnedMesh | undefined;
  root.traverse(object => {
    if ((object as SkinnedMesh).isSkinnedMesh) found = object as SkinnedMesh;
  });
  if (!found) throw new Error('no SkinnedMesh came out');
  return found;
}

/**
 * Returns values on which all loaders must agree: the bounding box of the triangles while a bone in
 * the middle is bent.
 */
function fingerprint(root: Object3D): number[] {
  const mesh = skinnedMesh(root);
  const { index, attributes } = mesh.geometry;
  const corners = index ? index.count : attributes.position!.count;
  mesh.skeleton.bones.find(bone => bone.name.endsWith('bone_064'))!.rotation.z = 0.5;
  root.updateMatrixWorld(true);
  mesh.skeleton.update();
  const box = new Box3();
  const point = new Vector3();
  const step = Math.max(1, Math.floor(corners / 3 / 997)); // compares all corners of a triangle, because loaders may start at different corners
  for (let triangle = 0; triangle < corners / 3; triangle += step) {
    for (let corner = triangle * 3; corner < triangle * 3 + 3; corner++) {
      const vertex = index ? index.getX(corner) : corner;
      box.expandByPoint(mesh.getVertexPosition(vertex, point).applyMatrix4(mesh.matrixWorld));
    }
  }
  return [corners, mesh.skeleton.bones.length, ...box.min.toArray(), ...box.max.toArray()];
}

interface Contestant {
  open: Open<never>;
  url: string;
  rounds: number;
  /** Creates the source that `open` receives instead of the bytes, before time is measured. */
  give?: (bytes: ArrayBuffer) => ArrayBuffer | Blob;
  /** Called before time is measured. */
  prepare?: () => Promise<unknown>;
}

/**
 * Uses up the spare heap, so that the next file starts under the same conditions as the first file
 * of a page.
 */
const takeSpareHeap = async (): Promise<unknown> => instantiate(await compileWasm());

/**
 * Runs all contestants once per round, one after the other. Returns their times in milliseconds, by
 * name.
 */
async function race(
  contestants: Record<string, Contestant>,
): Promise<{ times: Record<string, number[]>; fingerprints: Record<string, number[]> }> {
  const sources = new Map<string, ArrayBuffer>();
  for (const { url } of Object.values(contestants)) if (!sources.has(url)) sources.set(url, await bytesOf(url));
  const times: Record<string, number[]> = {};
  const fingerprints: Record<string, number[]> = {};
  const most = Math.max(...Object.values(contestants).map(({ rounds }) => rounds));
  for (let round = 0; round < most; round++) {
    for (const [name, { open, url, rounds, give, prepare }] of Object.entries(contestants)) {
      if (round >= rounds) continue;
      await prepare?.();
      const bytes = sources.get(url)!;
      const given = (give?.(bytes) ?? bytes) as never;
      await settle();
      const start = performance.now();
      const opened = await open(given);
      (times[name] ??= []).push(performance.now() - start);
      if (round === 0) fingerprints[name] = fingerprint(opened.root);
      opened.dispose();
    }
  }
  return { times, fingerprints };
}

const allWays = (name: string, url: string, rounds: number): Record<string, Contestant> =>
  Object.fromEntries(Object.entries(waysToRead).map(([what, way]) => [what, { ...rigcast(name, way), url, rounds }]));

/** Measures, for each loader, the time from bytes to three.js objects of one mesh. */
function openMesh(size: string, rounds: number, fbxRounds: number): ReturnType<typeof race> {
  return race({
    GLTFLoader: { open: gltf, url: `/data/mesh-${size}.glb`, rounds },
    'GLTFLoader, a Blob': { ...gltfFromBlob, url: `/data/mesh-${size}.glb`, rounds },
    FBXLoader: { open: fbx, url: `/data/mesh-${size}.fbx`, rounds: fbxRounds },
    ...allWays('mesh.psk', `/data/mesh-${size}.psk`, rounds),
    'rigcast, first file': { ...rigcast('mesh.psk', { worker: false }), url: `/data/mesh-${size}.psk`, rounds, prepare: takeSpareHeap },
  });
}

/**
 * Measures the time from the address of a PSK to its geometry, in turn with the loader of Psk-Loaders,
 * which can only load addresses.
 */
async function againstPskLoaders(size: string, rounds: number): Promise<Record<string, number[]>> {
  const url = `/data/mesh-${size}.psk`;
  const times: Record<'rigcast' | 'Psk-Loaders', number[]> = { rigcast: [], 'Psk-Loaders': [] };
  const loaders = {
    rigcast: async (): Promise<number> => {
      const rig = await new RigcastLoader().loadAsync(url);
      return skinnedMesh(rig.scene).geometry.index!.count;
    },
    'Psk-Loaders': (): Promise<number> =>
      new Promise((resolve, reject) => {
        new PSKLoader!().load({ url, PathMaterials: '/data/' }, geometry => resolve(geometry.index!.count), undefined, reject);
      }),
  };
  const counts = new Set<number>();
  for (let round = 0; round < rounds; round++)
    for (const [name, load] of Object.entries(loaders) as [keyof typeof loaders, () => Promise<number>][]) {
      await settle();
      const start = performance.now();
      counts.add(await load());
      times[name].push(performance.now() - start);
    }
  if (counts.size !== 1) throw new Error(`The loaders have different numbers of corners: ${[...counts].join(', ')}`);
  return times;
}

/** Measures the times for the large Cast mesh. */
function castMesh(rounds: number): ReturnType<typeof race> {
  const url = '/data/cast-mesh.glb';
  return race({
    GLTFLoader: { open: gltf, url, rounds },
    'GLTFLoader, a Blob': { ...gltfFromBlob, url, rounds },
    ...allWays('mesh.cast', '/data/cast-mesh.cast', rounds),
  });
}

/** Times to open a world, in milliseconds. */
interface WorldTimes {
  /** Time from dropping the files to the first frame. */
  shown: number[];
  /** Times of later frames with all instances. */
  frames: number[];
  /** Time from aborting, at the first progress event, until loading has ended. */
  cancelled: number[];
  steps: number;
  draws: number;
}

async function world(rounds: number, models: number): Promise<WorldTimes> {
  const prop = await bytesOf('/data/prop.cast');
  const place = new Blob([await bytesOf('/data/world.cast')]);
  const files = new Map(Array.from({ length: models }, (_, i) => [`props/prop_${i}.cast`, new Blob([prop])]));
  const renderer = new WebGLRenderer();
  const camera = new PerspectiveCamera(60, 1, 0.1, 1000);
  renderer.setSize(512, 512);
  camera.position.set(75, 60, 220);
  camera.lookAt(75, 0, 75);
  const result: WorldTimes = { shown: [], frames: [], cancelled: [], steps: 0, draws: 0 };
  for (let round = 0; round < rounds; round++) {
    await settle();
    let start = performance.now();
    result.steps = 0;
    const loader = new RigcastLoader().setOptions({ onInstances: () => result.steps++ }).setFiles(files);
    const rig = await loader.parseAsync(place, '', 'world.cast');
    const scene = new Scene().add(rig.scene, new AmbientLight(0xffffff, 2));
    const pixel = new Uint8Array(4);
    const draw = (): void => {
      renderer.render(scene, camera);
      const gl = renderer.getContext();
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel); // waits until drawing has finished
    };
    draw();
    result.shown.push(performance.now() - start);
    for (let frame = 0; frame < 5; frame++) {
      start = performance.now();
      draw();
      result.frames.push(performance.now() - start);
    }
    result.draws = renderer.info.render.calls;
    let placed = 0;
    rig.scene.traverse(object => (placed += object instanceof InstancedMesh ? object.count : 0));
    if (placed !== 10_000) throw new Error(`${placed} instances`);
    rig.dispose();
    await settle();
    const stopped = new RigcastLoader();
    stopped
      .setOptions({
        onInstances: () => {
          start = performance.now();
          stopped.abort();
        },
      })
      .setFiles(files);
    const outcome = await stopped.parseAsync(place, '', 'world.cast').then(
      () => 'came through',
      () => 'stopped',
    );
    if (outcome !== 'stopped') throw new Error('cancelling has no effect');
    result.cancelled.push(performance.now() - start);
  }
  renderer.dispose();
  return result;
}

/** Measures opening animations for a model that is already loaded. */
async function motions(rounds: number, theirs: string, ours: string): Promise<Record<string, number[]>> {
  const model = await parse({ worker: true }, await bytesOf('/data/mesh-25k.psk'), 'mesh.psk');
  const glb = await bytesOf(`/data/${theirs}`);
  const bytes = await bytesOf(`/data/${ours}`);
  const times: Record<string, number[]> = {};
  const note = (name: string, start: number): void => void (times[name] ??= []).push(performance.now() - start);
  const play = (root: Object3D, clip: AnimationClip): void => {
    const mixer = new AnimationMixer(root);
    mixer.clipAction(clip).play();
    mixer.update(0.1);
  };
  for (let round = 0; round < rounds; round++) {
    await settle();
    let start = performance.now();
    const rival = await new GLTFLoader().parseAsync(glb, '');
    note('GLTFLoader', start);
    play(rival.scene, rival.animations[0]!);
    note('GLTFLoader, first plays', start);
    const expected = rival.animations.reduce((sum, clip) => sum + clip.tracks.length, 0);
    for (const [where, way] of Object.entries(waysToRead)) {
      const given = givenIn(way, bytes);
      await settle();
      start = performance.now();
      const motion = await parse(way, given, ours);
      const bound = model.bind(motion); // without the report, which inspects all keys and is created on first access
      const { animations } = bound;
      note(where, start);
      if (animations.length !== rival.animations.length) throw new Error(`${animations.length} clips for ${rival.animations.length}`);
      play(model.scene, animations[0]!);
      note(`${where}, first plays`, start);
      const tracks = animations.reduce((sum, clip) => sum + clip.tracks.length, 0);
      note(`${where}, all built`, start);
      if (tracks < expected) throw new Error(`${tracks} tracks for ${expected}: ${JSON.stringify(bound.report).slice(0, 300)}`);
      motion.dispose();
    }
  }
  return times;
}

/**
 * Measures the first file that a page opens, including the download of code and the start of a
 * worker. Returns the time in milliseconds. If `isPrepared` is true, `prepare()` runs before time
 * is measured.
 */
async function firstFile(size: string, what: 'GLTFLoader' | 'page' | 'worker', isPrepared: boolean): Promise<number> {
  const bytes = await bytesOf(what === 'GLTFLoader' ? `/data/mesh-${size}.glb` : `/data/mesh-${size}.psk`);
  if (isPrepared) await prepare({ files: ['mesh.psk'] });
  await settle();
  const start = performance.now();
  if (what === 'GLTFLoader') await gltf(bytes);
  else await parse({ worker: what === 'worker', transfer: true }, bytes, 'mesh.psk');
  return performance.now() - start;
}

/**
 * Returns the number of bytes in those heap pages that contain data. Other pages were never used
 * and take no memory.
 */
function touched(heap: Uint8Array): number {
  const page = 4096;
  const words = new Float64Array(heap.buffer); // 8 bytes are compared with zero at once
  let pages = 0;
  for (let at = 0; at < words.length; at += page / 8) {
    let i = at;
    while (i < at + page / 8 && Object.is(words[i], 0)) i++;
    if (i < at + page / 8) pages++;
  }
  return pages * page;
}

/**
 * Measures reading a file in the core with a new heap in each round, and the size of the result.
 */
async function core(name: string, rounds: number): Promise<object> {
  const bytes = new Uint8Array(await bytesOf(`/data/${name}`));
  const read: number[] = [];
  let sizes = { outputBytes: 0, peakBytes: 0 };
  for (let round = 0; round < rounds; round++) {
    await takeSpareHeap();
    await settle();
    const { length } = bytes;
    const { family } = planOf(await instantiate(await wasmFrom().first, 0, true), name, '', bytes.subarray(0, 4096), length);
    if (!family) return { failed: 'no format recognises the file' };
    const glue = await instantiate(await wasmFrom().with(family));
    const { outside } = planOf(glue, name, '', bytes.subarray(0, 4096), length);
    glue.start(0, 0);
    const isOutside = outside === 1; // 2 would defer reading keys, which the native build does not do
    const address = isOutside ? 0 : glue.input(length);
    if (isOutside ? !glue.useExternalFile(length) : !address) return { failed: 'the file does not fit into the heap' };
    if (!isOutside) glue.HEAPU8.set(bytes, address);
    serveFile(glue, bytes);
    blocksFrom(glue);
    const start = performance.now();
    const done = glue.readScene(name, '', '{}', false, false);
    const time = performance.now() - start;
    const words = new Uint32Array(glue.HEAPU8.buffer, done);
    const text = new TextDecoder().decode(glue.HEAPU8.subarray(words[0], words[0]! + words[1]!));
    const { scene, report } = JSON.parse(text) as Description;
    if (!scene) return { failed: report.items[0]?.detail || report.items[0]?.code || 'no scene' };
    let outputBytes = words[1]!;
    const left: { parameters: Uint8Array; floats: number }[] = [];
    for (let block = 0, at = 4; block < words[3]!; block++) {
      const parameters = glue.HEAPU8.slice(words[at], words[at]! + words[at + 1]!);
      const end = at + 3 + 2 * words[at + 2]!;
      for (at += 3; at < end; at += 2) {
        outputBytes += words[at + 1]!;
        if (!words[at] && parameters.length) left.push({ parameters, floats: words[at + 1]! / 4 });
      }
    }
    const format = words[2]!;
    const startToMake = performance.now();
    for (const { parameters, floats } of left) glue.decodeColumn(format, parameters, floats); // the native build decodes everything too
    read.push(time + performance.now() - startToMake);
    sizes = { outputBytes, peakBytes: touched(glue.HEAPU8) };
  }
  return { inputBytes: bytes.length, ...sizes, read };
}

/**
 * Runs `task` while a timer ticks in the page. Returns the longest time between two ticks, in
 * milliseconds.
 */
async function longestPause(task: () => Promise<unknown>): Promise<number> {
  const { port1, port2 } = new MessageChannel();
  let longest = 0;
  let last = performance.now();
  let beating = true;
  port1.addEventListener('message', () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (beating) port2.postMessage(0);
  });
  port1.start();
  port2.postMessage(0);
  await new Promise(resolve => setTimeout(resolve, 30));
  longest = 0;
  await task();
  await new Promise(resolve => setTimeout(resolve, 0)); // waits for the tick that the last step of the task has delayed
  beating = false;
  port1.close();
  return longest;
}

/**
 * Measures the longest pause of the page while a worker opens a model, by kind of source. `nothing`
 * is the longest pause of an idle page.
 */
async function blocked(size: string, rounds: number): Promise<Record<string, number[]>> {
  const url = `/data/mesh-${size}.psk`;
  const buffer = await bytesOf(url);
  const glb = await bytesOf(`/data/mesh-${size}.glb`);
  const blob = new Blob([buffer]);
  const pauses: Record<string, number[]> = {};
  const open = async (source: ArrayBuffer | Blob | string): Promise<void> => {
    const loader = new RigcastLoader().setOptions({ worker: true });
    const rig = typeof source === 'string' ? await loader.loadAsync(source) : await loader.parseAsync(source, '', 'mesh.psk');
    rig.dispose();
  };
  const tasks: Record<string, () => Promise<unknown>> = {
    nothing: () => new Promise(resolve => setTimeout(resolve, 300)),
    'a dropped file (Blob)': () => open(blob),
    'an address (URL)': () => open(url),
    'an ArrayBuffer (copied to the worker)': () => open(buffer),
    GLTFLoader: () => gltf(glb),
  };
  for (let round = 0; round < rounds; round++) {
    for (const [name, task] of Object.entries(tasks)) {
      await settle();
      (pauses[name] ??= []).push(await longestPause(task));
    }
  }
  return pauses;
}

const tasks = { mesh: openMesh, againstPskLoaders, castMesh, motions, firstFile, core, world, blocked };

declare global {
  interface Window {
    bench: typeof tasks;
  }
}
window.bench = tasks;
