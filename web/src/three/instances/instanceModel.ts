// Options, files and findings of instances.
import type { OpenOptions } from '../../core/open.ts';
import { addFinding, asStrict } from '../../core/report.ts';
import type { Report, Severity } from '../../core/types.ts';
import type { RigSource } from '../bindResult.ts';
import type { BuildOptions } from '../build/build.ts';
import type { Object3D } from 'three';
import type { TextureSource } from '../../textures/sources.ts';
import type { TextureOptions } from '../materials/textures.ts';

export interface InstanceOptions extends TextureOptions {
  /** Options for opening and building the files. */
  open?: Omit<OpenOptions, 'name' | 'signal' | 'onProgress'>;
  build?: BuildOptions;
  /** Called with the number of processed files and the number of known files. */
  onProgress?: ((loaded: number, total: number) => void) | undefined;
  /**
   * Maximum number of files, including nested files. Default: 4,096. Anything beyond one of these
   * limits is omitted and reported as INSTANCE_LIMIT.
   */
  maxFiles?: number | undefined;
  /** Maximum number of instances. Default: 262,144. */
  maxPlaced?: number | undefined;
  /**
   * Maximum number of objects. Default: 65,536. Static instances share one object per mesh. An
   * instance with bones or animations needs one object per node.
   */
  maxObjects?: number | undefined;
}

/** The members of a rig that instances need. */
export interface PlacedRig {
  readonly file: RigSource;
  readonly report: Report;
  readonly scene: Object3D;
  /** Objects by row of the file's nodes, and meshes by row of its renderers. */
  readonly nodes: readonly Object3D[];
  readonly meshes: readonly (Object3D | null)[];
  loadTextures(source: TextureSource | null, options: TextureOptions): Promise<void>;
  dispose(): void;
}

/** An opened file of a scene with instances. */
export interface Model {
  key: string;
  rig: PlacedRig;
  /** File that each instance set of this scene refers to; null if the file is missing. */
  placed: (Model | null)[];
}

export function note(
  world: PlacedRig,
  { strict = false }: InstanceOptions,
  code: string,
  path: string,
  detail: string,
  severity: Severity = 'warning',
): void {
  addFinding(world.report, { code, severity: asStrict(severity, strict), offset: null, path, detail, count: 1 });
}

/** Reports each exceeded limit once. */
export function noteLimit(world: PlacedRig, options: InstanceOptions, limit: number, what: string): void {
  const detail = `more than ${limit.toLocaleString('en-US')} ${what}`;
  const known = world.report.items.find(({ code }) => code === 'INSTANCE_LIMIT');
  if (!known) note(world, options, 'INSTANCE_LIMIT', '', detail);
  else if (!known.detail.includes(detail)) known.detail += `, ${detail}`;
}
