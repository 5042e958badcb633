// Opens the files that a scene instances, recursively. Each file is opened only once.
import type { RigFile } from '../../core/open.ts';
import { commonEnd, partsOf } from '../../core/paths.ts';
import type { InstanceSet, RigScene } from '../../core/types.ts';
import { type InstanceSource, wantedPaths } from '../../three/instances/instanceSources.ts';
import { sizeOf } from './budget.ts';
import type { SourceFile } from '../group.ts';
import type { ReportBuilder } from './report.ts';

/** A file in a tree of instanced files. The root of the tree is the file to convert. */
export interface InstancedFile {
  name: string;
  scene: RigScene;
  /** The file to which each row of `scene.instances` refers, or null if the file is missing. */
  placed: (InstancedFile | null)[];
}

/** Finds and opens instanced files that are not among the sources of a conversion. */
export interface FurtherFiles {
  source: InstanceSource;
  open: (data: Uint8Array | Blob, name: string) => Promise<RigFile>;
}

export interface InstancedFileOptions {
  /** The other sources of the conversion, which are searched first. */
  others: readonly SourceFile[];
  /** Finds and opens instanced files that are not among the sources. */
  further?: FurtherFiles | undefined;
  report: ReportBuilder;
  signal?: AbortSignal | undefined;
}

/** Maximum number of files that are opened for one scene. */
const MAX_FILES = 4096;

/**
 * Opens all files that the scene instances, directly or indirectly. Reports missing and unreadable
 * files.
 */
export async function openInstances({ path, file }: SourceFile, scene: RigScene, options: InstancedFileOptions): Promise<InstancedFile> {
  return new InstancedFileReader(options).read(path, file.name, scene);
}

/**
 * Returns the sources that another source instances and that have no instances themselves. They are
 * written into the result of that other source instead of separate results.
 */
export function instancedSources(sources: readonly SourceFile[]): Set<SourceFile> {
  const parts = new Set<SourceFile>();
  for (const { file } of sources)
    for (const { reference } of file.scene?.instances ?? []) {
      const name = file.scene?.references[reference ?? -1]?.name;
      const found = name === undefined ? null : nearest(sources, partsOf(name));
      if (found?.file.scene?.instances.length === 0) parts.add(found);
    }
  return parts;
}

/**
 * Returns the source whose path has the longest ending in common with the wanted path, or null if
 * no source has the wanted file name.
 */
function nearest(sources: readonly SourceFile[], wanted: readonly string[]): SourceFile | null {
  let best: SourceFile | null = null;
  let longest = 0;
  for (const each of sources) {
    const length = commonEnd(partsOf(each.path), wanted);
    if (length > longest) [best, longest] = [each, length];
  }
  return best;
}

interface Found {
  key: string;
  name: string;
  folder: readonly string[];
  /**
   * The scene if the file is already open, otherwise the bytes of the file, or null if the file was
   * not found.
   */
  source: RigScene | null | Uint8Array | Blob;
}

class InstancedFileReader {
  readonly #options: InstancedFileOptions;
  readonly #files = new Map<string, InstancedFile | null>();
  readonly #queue: { file: InstancedFile; folder: readonly string[] }[] = [];

  constructor(options: InstancedFileOptions) {
    this.#options = options;
  }

  async read(path: string, name: string, scene: RigScene): Promise<InstancedFile> {
    const place = this.#options.further?.source.placeOf(name);
    const outermost: InstancedFile = { name, scene, placed: [] };
    this.#files.set(path, outermost).set(place?.key ?? path, outermost);
    this.#queue.push({ file: outermost, folder: place?.folder ?? partsOf(path).slice(0, -1) });
    for (const { file, folder } of this.#queue) {
      const root = file.scene.asset.properties?.['sceneRoot'];
      for (const [i, set] of file.scene.instances.entries())
        file.placed[i] = await this.#load(set, file.scene, folder, typeof root === 'string' ? root : '');
    }
    return outermost;
  }

  async #load(set: InstanceSet, scene: RigScene, folder: readonly string[], root: string): Promise<InstancedFile | null> {
    const { report, signal } = this.#options;
    const path = scene.references[set.reference ?? -1]?.name ?? '';
    const wanted = wantedPaths(path, folder, root);
    const found = wanted[0]?.length ? await this.#find(wanted) : null;
    signal?.throwIfAborted();
    if (!found) {
      report.add('INSTANCES_LOST', path, set.names.length, 'not found');
      return null;
    }
    let file = this.#files.get(found.key);
    if (file === undefined) {
      if (this.#files.size >= MAX_FILES) {
        report.add('INSTANCES_LOST', path, set.names.length, `more than ${MAX_FILES} files`);
        return null;
      }
      const opened = await this.#open(found);
      file = opened && { name: found.name, scene: opened, placed: [] };
      this.#files.set(found.key, file);
      if (file) this.#queue.push({ file, folder: found.folder });
    }
    if (!file) report.add('INSTANCES_LOST', path, set.names.length, 'cannot be read');
    return file;
  }

  async #find(wanted: readonly (readonly string[])[]): Promise<Found | null> {
    const { others, further, signal } = this.#options;
    const other = nearest(others, wanted[0] ?? []);
    if (other) {
      const { path, file } = other;
      return { key: path, name: file.name, folder: partsOf(path).slice(0, -1), source: file.scene };
    }
    const found = await further?.source.find(wanted, signal);
    return found ? { ...found, source: found.data } : null;
  }

  async #open({ name, source }: Found): Promise<RigScene | null> {
    if (source === null || 'nodes' in source) return source;
    const { further, report } = this.#options;
    const file = await further!.open(source, name); // only `further` finds bytes
    report.budget.admit(sizeOf(file));
    return file.scene;
  }
}
