// What opening the files of a world and placing them have in common: options, the files, and what goes into the report.
import type { OpenOptions } from '../../core/open.ts';
import { addFinding, asStrict } from '../../core/report.ts';
import type { Report, Severity } from '../../core/types.ts';
import type { RigSource } from '../bindResult.ts';
import type { BuildOptions } from '../build/build.ts';
import type { Object3D } from 'three';
import type { TextureSource } from '../../textures/sources.ts';
import type { TextureOptions } from '../materials/textures.ts';

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

/** What placing asks of a rig. */
export interface PlacedRig {
  readonly file: RigSource;
  readonly report: Report;
  readonly scene: Object3D;
  /** By row of the file's nodes, and of its renderers. */
  readonly nodes: readonly Object3D[];
  readonly meshes: readonly (Object3D | null)[];
  loadTextures(source: TextureSource | null, options: TextureOptions): Promise<void>;
  dispose(): void;
}

/** A file of the world, the world itself included. */
export interface Model {
  key: string;
  rig: PlacedRig;
  /** By set of its scene: the file that it places; null where that is missing. */
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

/** Each limit once, in one finding. */
export function noteLimit(world: PlacedRig, options: InstanceOptions, limit: number, what: string): void {
  const detail = `more than ${limit.toLocaleString('en-US')} ${what}`;
  const known = world.report.items.find(({ code }) => code === 'INSTANCE_LIMIT');
  if (!known) note(world, options, 'INSTANCE_LIMIT', '', detail);
  else if (!known.detail.includes(detail)) known.detail += `, ${detail}`;
}
