// Worlds: files that place other files many times over. Every file is opened once; what does not move is drawn with InstancedMesh.
//
// Rules (cast.md section 3.8): paths start at the scene root, a folder beside the world's file; M = T R S · M of the placed file; a placed file may be
// a world itself. The placed file's synthetic root (its up axis and unit) gives way to the world's, as in the reference plugins: both were
// written by one game.
import { Group, InstancedMesh, Matrix4, Mesh, type Object3D, Quaternion, Skeleton, SkinnedMesh, Vector3 } from 'three';
import * as SkeletonUtils from 'three/addons/utils/SkeletonUtils.js';
import { open, type OpenOptions } from '../core/open.ts';
import { addFinding, asStrict } from '../core/report.ts';
import type { InstanceSet, Severity } from '../core/types.ts';
import type { BuildOptions } from './build.ts';
import { type Disposable, resourcesOf } from './dispose.ts';
import { addressOf, commonEnd, isAbsolute, partsOf } from '../core/paths.ts';
import { Rig } from './rig.ts';
import { FileTextures, type TextureSource } from '../dressing/sources.ts';
import type { TextureOptions } from './textures.ts';

/** A file that an instance names. */
export interface PlacedFile {
  /** Tells files apart: what has the same key is opened once. */
  key: string;
  name: string;
  /** Parts of the folder it lies in. */
  folder: readonly string[];
  data: Uint8Array | Blob;
}

export interface InstanceSource {
  /** Where the world itself lies, by its name. */
  placeOf(world: string): Pick<PlacedFile, 'key' | 'folder'>;
  /** `wanted` are the parts of the path in the order in which they should be tried. */
  find(wanted: readonly (readonly string[])[], signal: AbortSignal | undefined): Promise<PlacedFile | null>;
  textures(folder: readonly string[]): TextureSource | null;
}

export interface InstanceOptions extends TextureOptions {
  /** How the placed files are opened and built. */
  open?: Omit<OpenOptions, 'name' | 'signal' | 'onProgress'>;
  build?: BuildOptions;
  /** Files dealt with, of those known so far. */
  onProgress?: ((loaded: number, total: number) => void) | undefined;
  /** Files that are looked for at most, the worlds in the world included. Default 4,096. What is over a limit is left out, and INSTANCE_LIMIT says so. */
  maxFiles?: number | undefined;
  /** Instances at most, in all. Default 262,144. */
  maxPlaced?: number | undefined;
  /**
   * Objects made for them at most. Default 65,536. Instances of what does not move share one object a mesh; each one of what has bones or motions of its
   * own takes an object for each of its nodes.
   */
  maxObjects?: number | undefined;
}

const MAX_FILES = 4096;
const MAX_PLACED = 1 << 18;
const MAX_OBJECTS = 1 << 16;
/** Worlds in worlds. */
const MAX_DEPTH = 64;
/** Opened side by side. */
const LANES = 4;

interface HeldFile {
  key: string;
  parts: string[];
  data: Uint8Array | Blob;
}

/** Dropped files, whatever folders they were dropped with: the longest common end of the path wins. */
export class FileInstances implements InstanceSource {
  readonly #byName = new Map<string, HeldFile[]>();
  readonly #textures: FileTextures;

  constructor(files: ReadonlyMap<string, Uint8Array | Blob>) {
    for (const [key, data] of files) {
      const parts = partsOf(key);
      const name = parts.at(-1)?.toLowerCase() ?? '';
      const list = this.#byName.get(name);
      if (list) list.push({ key, parts, data });
      else this.#byName.set(name, [{ key, parts, data }]);
    }
    this.#textures = new FileTextures(files);
  }

  placeOf(world: string): Pick<PlacedFile, 'key' | 'folder'> {
    const file = this.#byName.get(world.toLowerCase())?.[0];
    return { key: file?.key ?? world, folder: file?.parts.slice(0, -1) ?? [] };
  }

  async find(wanted: readonly (readonly string[])[]): Promise<PlacedFile | null> {
    const [path = []] = wanted;
    let best: HeldFile | null = null;
    let longest = 0;
    for (const file of this.#byName.get(path.at(-1)?.toLowerCase() ?? '') ?? []) {
      const length = commonEnd(file.parts, path);
      if (length > longest) [best, longest] = [file, length];
    }
    return best && { key: best.key, name: best.parts.at(-1)!, folder: best.parts.slice(0, -1), data: best.data };
  }

  textures(): TextureSource {
    return this.#textures;
  }
}

const MOST_MISSES = 16;

/** Files below the folder of a loaded file. `fetch` answers null where there is nothing. */
export class UrlInstances implements InstanceSource {
  readonly #fetch: (address: string) => Promise<Uint8Array | null>;
  readonly #textures: (folder: string) => TextureSource | null;
  /** By place of an address among those wanted, from the last: how often nothing was there; NaN once something was. */
  readonly #misses: number[] = [];

  constructor(fetch: (address: string) => Promise<Uint8Array | null>, textures: (folder: string) => TextureSource | null) {
    this.#fetch = fetch;
    this.#textures = textures;
  }

  placeOf(world: string): Pick<PlacedFile, 'key' | 'folder'> {
    return { key: addressOf([world]), folder: [] };
  }

  async find(wanted: readonly (readonly string[])[], signal: AbortSignal | undefined): Promise<PlacedFile | null> {
    const tried = new Set<string>();
    for (const [i, parts] of wanted.entries()) {
      const key = addressOf(parts);
      const place = wanted.length - i;
      // A world's files lie all in the same manner: where none of them was is looked no more, but for the place that the file names.
      if (tried.has(key) || (i > 0 && this.#misses[place]! >= MOST_MISSES)) continue;
      tried.add(key);
      const data = await this.#fetch(key);
      signal?.throwIfAborted();
      this.#misses[place] = data ? NaN : (this.#misses[place] ?? 0) + 1;
      if (data) return { key, name: parts.at(-1)!, folder: parts.slice(0, -1), data };
    }
    return null;
  }

  textures(folder: readonly string[]): TextureSource | null {
    return this.#textures(folder.length ? `${addressOf(folder)}/` : '');
  }
}

/** A file of the world, the world itself included. */
interface Model {
  key: string;
  rig: Rig;
  /** By set of its scene: the file that it places; null where that is missing. */
  placed: (Model | null)[];
}

/** What was added to a world, to be disposed of with it. */
export interface Placed {
  /** The rigs that were opened. */
  parts: readonly Rig[];
  /** Objects and bones of their own; the rest of what is drawn is the rigs'. */
  made: ReadonlySet<Disposable>;
}

/**
 * Opens the files that the rig's file places and adds them to its nodes. What cannot be found or read is in the rig's report, and the rest is there.
 * Rejects only when aborted.
 */
export async function placeInstances(world: Rig, source: InstanceSource, options: InstanceOptions = {}): Promise<Placed> {
  const loading = new WorldLoader(world, source, options);
  try {
    const model = await loading.run();
    options.signal?.throwIfAborted();
    return { parts: loading.rigs, made: new WorldBuilder(world, options).build(model) };
  } catch (error) {
    for (const rig of loading.rigs) rig.dispose();
    throw error;
  }
}

function note(
  world: Rig,
  { strict = false }: InstanceOptions,
  code: string,
  path: string,
  detail: string,
  severity: Severity = 'warning',
): void {
  addFinding(world.report, { code, severity: asStrict(severity, strict), offset: null, path, detail, count: 1 });
}

/** Each limit once, in one finding. */
function noteLimit(world: Rig, options: InstanceOptions, limit: number, what: string): void {
  const detail = `more than ${limit.toLocaleString('en-US')} ${what}`;
  const known = world.report.items.find(({ code }) => code === 'INSTANCE_LIMIT');
  if (!known) note(world, options, 'INSTANCE_LIMIT', '', detail);
  else if (!known.detail.includes(detail)) known.detail += `, ${detail}`;
}

/** First all files, each once, whoever places them: cycles are none of its business. */
class WorldLoader {
  readonly rigs: Rig[] = [];
  readonly #world: Rig;
  readonly #source: InstanceSource;
  readonly #options: InstanceOptions;
  readonly #models = new Map<string, Promise<Model | null>>();
  readonly #found = new Map<string, Promise<PlacedFile | null>>();
  readonly #queue: (() => Promise<void>)[] = [];
  #done = 0;
  #total = 0;
  #failed = false;

  constructor(world: Rig, source: InstanceSource, options: InstanceOptions) {
    this.#world = world;
    this.#source = source;
    this.#options = options;
  }

  async run(): Promise<Model> {
    const { key, folder } = this.#source.placeOf(this.#world.file.name ?? '');
    const world: Model = { key, rig: this.#world, placed: [] };
    this.#models.set(key, Promise.resolve(world));
    this.#enqueue(world, folder);
    const lanes = await Promise.allSettled(Array.from({ length: LANES }, () => this.#lane()));
    for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason;
    this.#options.signal?.throwIfAborted();
    return world;
  }

  /** Files found on the way queue up behind. */
  async #lane(): Promise<void> {
    for (;;) {
      const task = this.#queue.shift();
      if (task) {
        await task().catch(error => {
          this.#failed = true;
          throw error;
        });
      } else if (this.#done < this.#total && !this.#failed)
        await new Promise(resolve => setTimeout(resolve, 1)); // another lane may still find worlds
      else return;
      this.#options.signal?.throwIfAborted();
    }
  }

  #enqueue(model: Model, folder: readonly string[]): void {
    const { instances, references, asset } = model.rig.file.scene!;
    const root = asset.properties?.['sceneRoot'];
    for (const [i, set] of instances.entries()) {
      model.placed[i] = null;
      const path = references[set.reference ?? -1]?.name;
      if (path === undefined) continue;
      const wanted = wantedPaths(path, folder, typeof root === 'string' ? root : '');
      if (!wanted[0]?.length) continue;
      this.#total++;
      this.#queue.push(async () => {
        model.placed[i] = await this.#load(path, wanted, set);
        this.#done++;
        this.#options.onProgress?.(this.#done, this.#total);
      });
    }
  }

  async #load(path: string, wanted: string[][], set: InstanceSet): Promise<Model | null> {
    const places = `${set.names.length.toLocaleString('en-US')} instance${set.names.length === 1 ? '' : 's'}`;
    const question = wanted.map(addressOf).join('\n');
    let finding = this.#found.get(question);
    if (!finding) {
      const { maxFiles = MAX_FILES } = this.#options;
      if (this.#found.size >= maxFiles) {
        noteLimit(this.#world, this.#options, maxFiles, 'files (maxFiles)');
        return null;
      }
      this.#found.set(question, (finding = this.#source.find(wanted, this.#options.signal)));
    }
    const file = await finding;
    this.#options.signal?.throwIfAborted();
    if (!file) {
      note(this.#world, this.#options, 'INSTANCE_MISSING', path, places);
      return null;
    }
    let opening = this.#models.get(file.key);
    if (!opening) this.#models.set(file.key, (opening = this.#open(file)));
    const model = await opening;
    if (!model) note(this.#world, this.#options, 'INSTANCE_UNREADABLE', path, places);
    return model;
  }

  async #open({ key, name, folder, data }: PlacedFile): Promise<Model | null> {
    const { signal, open: how, build, draws, strict } = this.#options;
    const file = await open(data, { ...how, name, ...(signal && { signal }) });
    if (!file.scene) return null;
    const rig = await Rig.make(file, build);
    this.rigs.push(rig);
    await rig.loadTextures(this.#source.textures(folder), { draws, signal, strict });
    const model: Model = { key, rig, placed: [] };
    this.#enqueue(model, folder);
    return model;
  }
}

/** Below the scene root, beside the file, and the bare name, in this order. */
function wantedPaths(path: string, folder: readonly string[], root: string): string[][] {
  const parts = partsOf(path);
  const name = parts.slice(-1);
  if (isAbsolute(path)) return [parts, [...folder, ...name]];
  const below = isAbsolute(root) ? [] : [partsOf([...folder, root, path].join('/'))];
  return [...below, partsOf([...folder, path].join('/')), [...folder, ...name]];
}

/** What one file shows by itself, in its own space. */
interface Parts {
  /** Drawn as they stand. */
  meshes: { source: Mesh; matrix: Matrix4 }[];
  /** With bones or motions of their own, or lines: one copy an instance, of so many objects. */
  copies: { source: Object3D; matrix: Matrix4; count: number }[];
  /** By set of its scene: where the set lies. */
  sets: Matrix4[];
}

/** What is to be added to one node. */
interface Placements {
  /** Those of a mesh as they are, and mirrored. */
  meshes: Map<Mesh, [Placement[], Placement[]]>;
  copies: { source: Object3D; matrix: Matrix4; name: string; key: string }[];
}

class WorldBuilder {
  readonly #world: Rig;
  readonly #options: InstanceOptions;
  readonly #parts = new Map<Model, Parts>();
  /** Worlds that are being placed, one in the other. */
  readonly #open = new Set<Model>();
  readonly #cycles = new Set<InstanceSet>();
  readonly #made = new Set<Disposable>();
  #placed = 0;
  #objects = 0;

  constructor(world: Rig, options: InstanceOptions) {
    this.#world = world;
    this.#options = options;
  }

  /** What it made, to be disposed of with the world. */
  build(world: Model): ReadonlySet<Disposable> {
    world.rig.scene.updateMatrixWorld(true);
    this.#open.add(world);
    const byNode = new Map<number, Placements>();
    for (const [i, set] of world.rig.file.scene!.instances.entries()) {
      let into = byNode.get(set.node);
      if (!into) byNode.set(set.node, (into = { meshes: new Map(), copies: [] }));
      this.#place(world, i, set, new Matrix4(), null, into);
    }
    for (const [node, placements] of byNode) this.#add(this.#world.nodes[node] ?? this.#world.scene, placements);
    return this.#made;
  }

  /** All instances of one set, `to` being where the set lies. `name`: that of the instance of the world itself in which they are. */
  #place(model: Model, index: number, set: InstanceSet, to: Matrix4, name: string | null, into: Placements): void {
    const placed = model.placed[index];
    if (!placed) return;
    if (this.#open.has(placed)) {
      if (!this.#cycles.has(set))
        note(this.#world, this.#options, 'INSTANCE_CYCLE', placed.key, `placed by ${model.rig.file.name ?? model.key}`);
      this.#cycles.add(set);
      return;
    }
    if (this.#open.size > MAX_DEPTH) return noteLimit(this.#world, this.#options, MAX_DEPTH, 'worlds in each other');
    const { meshes, copies, sets } = this.#partsOf(placed);
    this.#open.add(placed);
    const count = Math.floor(set.transforms.length / 10);
    for (let i = 0; i < count && this.#spend(1, 0); i++) {
      const at = transformAt(set, i).premultiply(to);
      const outer = name ?? set.names[i] ?? '';
      for (const { source, matrix } of meshes) this.#addMesh(source, at.clone().multiply(matrix), outer, into);
      for (const { source, matrix, count: nodes } of copies) {
        if (this.#spend(1, nodes + 1)) into.copies.push({ source, matrix: at.clone().multiply(matrix), name: outer, key: placed.key });
      }
      for (const [s, inner] of placed.rig.file.scene!.instances.entries())
        this.#place(placed, s, inner, at.clone().multiply(sets[s]!), outer, into);
    }
    this.#open.delete(placed);
  }

  #addMesh(source: Mesh, matrix: Matrix4, name: string, { meshes }: Placements): void {
    let lists = meshes.get(source);
    const side = matrix.determinant() < 0 ? 1 : 0;
    if (!this.#spend(1, lists?.[side].length ? 0 : 1)) return;
    if (!lists) meshes.set(source, (lists = [[], []]));
    lists[side].push({ matrix, name });
  }

  /** False where that is over a limit. */
  #spend(placed: number, objects: number): boolean {
    const { maxPlaced = MAX_PLACED, maxObjects = MAX_OBJECTS } = this.#options;
    if (this.#placed + placed > maxPlaced) noteLimit(this.#world, this.#options, maxPlaced, 'instances (maxPlaced)');
    else if (this.#objects + objects > maxObjects) noteLimit(this.#world, this.#options, maxObjects, 'objects (maxObjects)');
    else {
      this.#placed += placed;
      this.#objects += objects;
      return true;
    }
    return false;
  }

  #partsOf(model: Model): Parts {
    const known = this.#parts.get(model);
    if (known) return known;
    const { rig } = model;
    const { scene } = rig.file;
    const root = rig.nodes[0];
    rig.scene.updateMatrixWorld(true);
    const fromRoot = root ? root.matrixWorld.clone().invert() : new Matrix4();
    const parts: Parts = { meshes: [], copies: [], sets: [] };
    const isMoving = scene!.skins.length > 0 || scene!.clips.length > 0;
    if (isMoving && root) {
      parts.copies.push({ source: root, matrix: new Matrix4(), count: countOf(root) });
    } else {
      for (const object of rig.meshes) {
        if (!object || !isShown(object)) continue;
        const matrix = fromRoot.clone().multiply(object.matrixWorld);
        if (object instanceof Mesh && !(object instanceof SkinnedMesh)) parts.meshes.push({ source: object, matrix });
        else parts.copies.push({ source: object, matrix, count: countOf(object) });
      }
    }
    parts.sets = scene!.instances.map(({ node }) => fromRoot.clone().multiply(rig.nodes[node]?.matrixWorld ?? rig.scene.matrixWorld));
    this.#parts.set(model, parts);
    return parts;
  }

  #add(node: Object3D, { meshes, copies }: Placements): void {
    for (const [source, lists] of meshes) {
      for (const [isMirrored, list] of lists.entries()) {
        if (!list.length) continue;
        const made = instancedMesh(source, list, isMirrored === 1);
        this.#made.add(made);
        node.add(made);
      }
    }
    for (const { source, matrix, name, key } of copies) {
      const holder = new Group();
      holder.name = name;
      holder.userData = { name, instance: key };
      const copy = SkeletonUtils.clone(source);
      for (const each of resourcesOf(copy)) if (each instanceof Skeleton || 'isLight' in each) this.#made.add(each);
      copy.position.set(0, 0, 0);
      copy.quaternion.identity();
      copy.scale.set(1, 1, 1);
      copy.updateMatrix();
      setMatrix(holder, matrix);
      holder.add(copy);
      node.add(holder);
    }
  }
}

function countOf(root: Object3D): number {
  let count = 0;
  root.traverse(() => count++);
  return count;
}

function isShown(object: Object3D): boolean {
  for (let at: Object3D | null = object; at; at = at.parent) if (!at.visible) return false;
  return true;
}

const position = new Vector3();
const rotation = new Quaternion();
const scale = new Vector3();

function transformAt({ transforms }: InstanceSet, i: number): Matrix4 {
  position.fromArray(transforms, 10 * i);
  rotation.fromArray(transforms, 10 * i + 3);
  scale.fromArray(transforms, 10 * i + 7);
  return new Matrix4().compose(position, rotation, scale);
}

/** three decides by object which side of a face is the front: what is mirrored gets a mesh of its own, mirrored as a whole. */
const mirror = new Matrix4().makeScale(-1, 1, 1);

interface Placement {
  matrix: Matrix4;
  name: string;
}

function instancedMesh(source: Mesh, list: readonly Placement[], isMirrored: boolean): InstancedMesh {
  const made = new InstancedMesh(source.geometry, source.material, list.length);
  for (const [i, { matrix }] of list.entries()) made.setMatrixAt(i, isMirrored ? matrix.premultiply(mirror) : matrix);
  if (isMirrored) setMatrix(made, mirror);
  made.name = source.name;
  made.renderOrder = source.renderOrder;
  made.userData = { name: source.userData['name'] as string, instances: list.map(({ name }) => name) };
  return made;
}

/** Instances may shear, which position, rotation and scale cannot say. */
function setMatrix(object: Object3D, matrix: Matrix4): void {
  object.matrix.copy(matrix);
  matrix.decompose(object.position, object.quaternion, object.scale);
  object.matrixAutoUpdate = false;
  object.matrixWorldNeedsUpdate = true;
}
