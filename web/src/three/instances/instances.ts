// Loads scenes with instances, which refer to other files. Each file is opened once;
// instanceBuilder.ts adds the instances.
//
// Rules (docs/formats/cast.md, section 3.8): paths start at the scene root, a folder beside the
// scene's file. The world matrix of an object is T R S · M: the transform of the instance times the
// matrix of the object in the referenced file. Referenced files can contain instances too. The
// synthetic root of the referenced file (up axis and unit) is replaced by the root of the scene, as
// in the reference plugins, because both files come from the same game. If both files state their
// up axis and the axes differ, M includes the rotation between them.
import { open, type RigFile } from '../../core/open.ts';
import { addressOf } from '../../core/paths.ts';
import type { InstanceSet } from '../../core/types.ts';
import type { Disposable } from '../dispose.ts';
import { InstanceBuilder } from './instanceBuilder.ts';
import { type InstanceOptions, type Model, note, noteLimit, type PlacedRig } from './instanceModel.ts';
import { type InstanceSource, type PlacedFile, wantedPaths } from './instanceSources.ts';

const MAX_FILES = 4096;
/** Number of files that are opened in parallel. */
const LANES = 4;

/**
 * Rigs and objects that are created for instances, and must be disposed together with the rig of
 * the scene.
 */
export interface Placed<Rig extends PlacedRig> {
  /** Rigs of the opened files. */
  parts: readonly Rig[];
  /** Objects and bones created for instances. Their geometries and materials belong to the rigs. */
  made: ReadonlySet<Disposable>;
}

/**
 * Opens the files that the instances in `root` refer to, and adds their objects to the nodes of
 * `root`. The report of `root` lists files that are missing or unreadable. `make` builds a rig
 * from a file. Rejects only if loading is aborted.
 */
export async function placeInstances<Rig extends PlacedRig>(
  root: Rig,
  source: InstanceSource,
  options: InstanceOptions,
  make: MakeRig<Rig>,
): Promise<Placed<Rig>> {
  const loading = new InstanceLoader(root, source, options, make);
  try {
    const model = await loading.run();
    options.signal?.throwIfAborted();
    return { parts: loading.rigs, made: new InstanceBuilder(root, options).build(model) };
  } catch (error) {
    for (const rig of loading.rigs) rig.dispose();
    throw error;
  }
}

type MakeRig<Rig> = (file: RigFile, options: InstanceOptions['build']) => Promise<Rig>;

/** Opens each referenced file once, even if files refer to each other in cycles. */
class InstanceLoader<Rig extends PlacedRig> {
  readonly rigs: Rig[] = [];
  readonly #root: Rig;
  readonly #source: InstanceSource;
  readonly #options: InstanceOptions;
  readonly #make: MakeRig<Rig>;
  readonly #models = new Map<string, Promise<Model | null>>();
  readonly #found = new Map<string, Promise<PlacedFile | null>>();
  readonly #queue: (() => Promise<void>)[] = [];
  #done = 0;
  #total = 0;
  #failed = false;

  constructor(root: Rig, source: InstanceSource, options: InstanceOptions, make: MakeRig<Rig>) {
    this.#make = make;
    this.#root = root;
    this.#source = source;
    this.#options = options;
  }

  async run(): Promise<Model> {
    const { key, folder } = this.#source.placeOf(this.#root.file.name ?? '');
    const root: Model = { key, rig: this.#root, placed: [] };
    this.#models.set(key, Promise.resolve(root));
    this.#enqueue(root, folder);
    const lanes = await Promise.allSettled(Array.from({ length: LANES }, () => this.#lane()));
    for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason;
    this.#options.signal?.throwIfAborted();
    return root;
  }

  /**
   * Opens queued files one after another. Each opened file adds the files that it refers to to the
   * queue.
   */
  async #lane(): Promise<void> {
    for (;;) {
      const task = this.#queue.shift();
      if (task) {
        await task().catch(error => {
          this.#failed = true;
          throw error;
        });
      } else if (this.#done < this.#total && !this.#failed)
        await new Promise(resolve => setTimeout(resolve, 1)); // another file may still add references
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
        noteLimit(this.#root, this.#options, maxFiles, 'files (maxFiles)');
        return null;
      }
      this.#found.set(question, (finding = this.#source.find(wanted, this.#options.signal)));
    }
    const file = await finding;
    this.#options.signal?.throwIfAborted();
    if (!file) {
      note(this.#root, this.#options, 'INSTANCE_MISSING', path, places);
      return null;
    }
    let opening = this.#models.get(file.key);
    if (!opening) this.#models.set(file.key, (opening = this.#open(file)));
    const model = await opening;
    if (!model) note(this.#root, this.#options, 'INSTANCE_UNREADABLE', path, places);
    return model;
  }

  async #open({ key, name, folder, data }: PlacedFile): Promise<Model | null> {
    const { signal, open: how, build, draws, strict } = this.#options;
    const file = await open(data, { ...how, name, ...(signal && { signal }) });
    if (!file.scene) return null;
    const rig = await this.#make(file, build);
    this.rigs.push(rig);
    await rig.loadTextures(this.#source.textures(folder), { draws, signal, strict });
    const model: Model = { key, rig, placed: [] };
    this.#enqueue(model, folder);
    return model;
  }
}
