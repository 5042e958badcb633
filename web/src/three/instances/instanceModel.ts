// Options and files of scenes with instances, and findings about them.
import type { OpenOptions } from '../../core/open.ts';
import { addFinding, asStrict } from '../../core/report.ts';
import type { Report, Severity } from '../../core/types.ts';
import type { RigSource } from '../bindResult.ts';
import type { BuildOptions } from '../build/build.ts';
import type { Object3D } from 'three';
import type { TextureSource } from '../../textures/sources.ts';
import type { TextureOptions } from '../materials/textures.ts';

export interface InstanceOptions extends TextureOptions {
  /** Options for opening the referenced files and building their rigs. */
  open?: Omit<OpenOptions, 'name' | 'signal' | 'onProgress'>;
  build?: BuildOptions;
  /** Progress callback with the number of files processed and the number of files known so far. */
  onProgress?: ((loaded: number, total: number) => void) | undefined;
  /**
   * Maximum number of opened files, including files that other instances refer to. Default: 4,096.
   * If a limit is exceeded, the remaining instances are omitted and reported as INSTANCE_LIMIT.
   */
  maxFiles?: number | undefined;
  /** Maximum number of instances in the scene. Default: 262,144. */
  maxPlaced?: number | undefined;
  /**
   * Maximum number of objects that are created for instances. Default: 65,536. Static instances
   * share one object per mesh. An instance with bones or animations needs one object per node.
   */
  maxObjects?: number | undefined;
}

/** The members of a rig that adding instances requires. */
export interface PlacedRig {
  readonly file: RigSource;
  readonly report: Report;
  readonly scene: Object3D;
  /** Objects, indexed like the nodes of the file, and meshes, indexed like its renderers. */
  readonly nodes: readonly Object3D[];
  readonly meshes: readonly (Object3D | null)[];
  loadTextures(source: TextureSource | null, options: TextureOptions): Promise<void>;
  dispose(): void;
}

/** An opened file of a scene with instances, or the scene itself. */
export interface Model {
  key: string;
  rig: PlacedRig;
  /**
   * For each instance set of the scene, the file that it refers to; null if the file is missing.
   */
  placed: (Model | null)[];
}

export function note(
  root: PlacedRig,
  { strict = false }: InstanceOptions,
  code: string,
  path: string,
  detail: string,
  severity: Severity = 'warning',
): void {
  addFinding(root.report, { code, severity: asStrict(severity, strict), offset: null, path, detail, count: 1 });
}

/** Reports an exceeded limit, unless it has already been reported. */
export function noteLimit(root: PlacedRig, options: InstanceOptions, limit: number, what: string): void {
  const detail = `more than ${limit.toLocaleString('en-US')} ${what}`;
  const known = root.report.items.find(({ code }) => code === 'INSTANCE_LIMIT');
  if (!known) note(root, options, 'INSTANCE_LIMIT', '', detail);
  else if (!known.detail.includes(detail)) known.detail += `, ${detail}`;
}
