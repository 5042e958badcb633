// From files to what the stage shows: the one place in the viewer that knows how rigs are opened, bound and played.

import type { Bone, Light, Object3D } from 'three';
import type { BindOptions } from '../core/bind.ts';
import { isMadeFor, match, type Match, rank } from '../core/match.ts';
import { open, type Companions, type RigFile } from '../core/open.ts';
import type { Progress } from '../core/source.ts';
import type { Finding, FormatOptions, Need } from '../core/types.ts';
import { lampsOf, type Motion as StageMotion } from '../stage/index.ts';
import { commonDuration, type Motion, Rig, type RigAnimator, type Skybox, timeIn } from '../three/index.ts';
import { count, plural } from './dom.ts';
import type { GivenFile } from './intake.ts';

/** Files that may complete others, by name without folder and case. The nearest one wins where a name occurs in several folders. */
export class Shelf {
  #files = new Map<string, GivenFile[]>();
  #answers = new Map<string, File>();

  get size(): number {
    return this.#files.size;
  }

  add(files: readonly GivenFile[]): void {
    for (const given of files) {
      const key = given.file.name.toLowerCase();
      const same = (this.#files.get(key) ?? []).filter(other => other.path !== given.path);
      this.#files.set(key, [given, ...same]);
    }
  }

  /** A file by its name, folders and case left aside; `near` is the path of the file that asks. */
  find(name: string, near = ''): File | null {
    const list = this.#files.get(baseName(name).toLowerCase());
    if (!list) return null;
    const folder = folderOf(near);
    return [...list].sort((a, b) => shared(folderOf(b.path), folder) - shared(folderOf(a.path), folder))[0].file;
  }

  #onlyKey(): File | null {
    const keys = this.list().filter(({ file }) => /\.vgk$/i.test(file.name));
    return keys.length === 1 ? keys[0].file : null;
  }

  /** All of them by path, the nearest to `near` first. */
  files(near: string): Map<string, File> {
    const folder = folderOf(near);
    const all = [...this.#files.values()].flat().sort((a, b) => shared(folderOf(b.path), folder) - shared(folderOf(a.path), folder));
    return new Map(all.map(({ path, file }) => [path, file]));
  }

  list(): GivenFile[] {
    return [...this.#files.values()].flat();
  }

  /** That file is meant by the need of that name, whatever its own name is. */
  answer({ kind, name }: Need, file: File): void {
    this.#answers.set(`${kind} ${name}`, file);
  }

  /** For `open`: what a file asks for by name. A key may have another name, if it is the only one. */
  companions(near: string): Companions {
    return async (need: Need) => {
      const file = this.#answers.get(`${need.kind} ${need.name}`) ?? this.find(need.name, near) ?? (need.kind === 'key' ? this.#onlyKey() : null);
      return file ? new Uint8Array(await file.arrayBuffer()) : null;
    };
  }
}

export function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

function folderOf(path: string): string[] {
  return path.split('/').slice(0, -1);
}

function shared(a: string[], b: string[]): number {
  let count = 0;
  while (count < a.length && a[count] === b[count]) ++count;
  return count;
}

export interface OpenContext {
  shelf: Shelf;
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
  /** Files of a world dealt with, of those known so far. */
  onPlaced: (done: number, total: number) => void;
  /** Whether the graphics card draws a kind of compressed texture. */
  draws: (extension: string) => boolean;
  formatOptions?: FormatOptions;
}

export function openFile(given: GivenFile, { shelf, signal, onProgress, formatOptions = {} }: OpenContext): Promise<RigFile> {
  return open(given.file, { name: given.file.name, signal, onProgress, formatOptions, companions: shelf.companions(given.path) });
}

/** Frees what a model holds. */
export function disposeModel(model: Model): void {
  model.sky?.dispose();
  model.rig.dispose();
}

export interface Model {
  given: GivenFile;
  file: RigFile;
  rig: Rig;
  bones: Object3D[];
  /** The file's own lights that shine, and its sky; to be switched on and off. */
  lamps: Light[];
  sky: Skybox | null;
  /** It has a face and limbs, and looks along −Z. */
  isAvatar: boolean;
  /** Textures that were looked for in vain. */
  missing: string[];
  /** Names of the files that it places and that were not there. */
  missingFiles: string[];
}

/** Of hair, in pixels of the page. */
const STRAND_WIDTH = 1.25;

/** The file as three.js objects, dressed with what textures the shelf has. */
export async function buildModel(given: GivenFile, file: RigFile, { shelf, signal, draws, onPlaced }: OpenContext): Promise<Model> {
  const rig = await Rig.make(file, { cameras: false });
  let sky: Skybox | null = null;
  try {
    // Lines are one pixel of the screen wide, which fine screens hardly show.
    if (devicePixelRatio > 1) await rig.setStrandWidth(STRAND_WIDTH);
    await rig.loadTextures(shelf.files(given.path), { signal, draws });
    await rig.loadInstances(shelf.files(given.path), { signal, draws, build: { lights: false, cameras: false }, onProgress: onPlaced });
    sky = await rig.loadSkybox({ signal, draws });
  } catch (error) {
    rig.dispose();
    throw error;
  }
  const bones = rig.nodes.filter(node => (node as Bone).isBone);
  const pathsOf = (wanted: string): string[] => [rig, ...rig.parts].flatMap(({ report }) => report.items).filter(({ code }) => code === wanted).map(({ path }) => path);
  const missingFiles = [...new Map(pathsOf('INSTANCE_MISSING').map(path => [baseName(path).toLowerCase(), baseName(path)])).values()];
  const lamps = lampsOf(rig.scene);
  const isAvatar = file.scene!.features.some(({ kind }) => kind === 'humanoid');
  return { given, file, rig, bones, lamps, sky, isAvatar, missing: pathsOf('TEXTURE_MISSING'), missingFiles };
}

/**
 * Of several files those that no other one places: the only one left is what somebody wants to see. All of them where everything is placed
 * by something.
 */
export async function unplaced(candidates: readonly GivenFile[], worlds: readonly GivenFile[], context: OpenContext): Promise<readonly GivenFile[]> {
  const placed = new Set<string>();
  for (const world of worlds) {
    const { needs } = await openFile(world, context);
    context.signal.throwIfAborted();
    const own = world.file.name.toLowerCase();
    for (const need of needs) {
      const name = baseName(need.name).toLowerCase();
      if (need.kind === 'instance' && name !== own) placed.add(name);
    }
  }
  const left = candidates.filter(({ file }) => !placed.has(file.name.toLowerCase()));
  return left.length > 0 ? left : candidates;
}

/** One file of motions; the model's own motions are a source too. */
export interface Source {
  given: GivenFile;
  file: RigFile;
}

/**
 * How motions are read. auto: as the file says, but one that looks additive is added to the rest pose, as no body stands it otherwise.
 * everything: whatever a .config leaves out.
 */
export type Reading = 'auto' | 'file' | 'everything' | 'rotation-only' | 'additive';

const looksAdditive = (findings: readonly Finding[]): boolean => findings.some(({ code }) => code === 'LOOKS_ADDITIVE');

/** A clip on the model, or several that play together; made when it is first played. */
export class PlayedMotion implements StageMotion {
  readonly name: string;
  readonly duration: number;
  readonly frameRate: number;
  readonly pingPong: boolean;
  readonly findings: Finding[];
  /** Played on top of the rest pose although the file does not say so. */
  readonly isAdded: boolean;
  #rig: Rig;
  #motions: Motion[];
  #animator: RigAnimator | null = null;

  constructor(model: Model, { file }: Source, indices: readonly number[], reading: Reading, lockRoot: boolean) {
    const clips = indices.map(index => file.scene!.clips[index]!);
    const base: BindOptions = { lockRoot, motion: reading === 'rotation-only' ? 'rotation-only' : 'file' };
    const plain = model.rig.bind(clips, base);
    const { findings } = plain.report;
    this.isAdded = reading === 'additive' || (reading === 'auto' && looksAdditive(findings));
    this.#motions = (this.isAdded ? model.rig.bind(clips, { ...base, additive: 'rest' }) : plain).motions;
    this.#rig = model.rig;
    const [first] = this.#motions, isAlone = this.#motions.length === 1;
    this.name = isAlone ? first.name : TOGETHER;
    this.duration = isAlone ? first.duration : commonDuration(this.#motions);
    this.frameRate = isAlone ? first.frameRate : 0;
    this.pingPong = isAlone && first.pingPong;
    this.findings = findings;
  }

  seek(time: number): void {
    const motions = this.#motions;
    if (!this.#animator) {
      this.#animator = this.#rig.animate();
      for (const motion of motions) this.#animator.layers.push(this.#animator.layer(motion));
    }
    for (const [i, layer] of this.#animator.layers.entries()) layer.time = motions.length === 1 ? time : timeIn(motions[i]!, time);
    this.#animator.apply();
  }

  stop(): void {
    this.#animator?.stop();
    this.#animator = null;
  }
}

/** What several motions are called that start by themselves. */
export const TOGETHER = 'All that start by themselves';

/** How a file of motions suits a model. */
export interface Suit extends Match {
  /** It was made for this skeleton: it may start unasked. So may the model's own motions, and those without curves. */
  fits: boolean;
  /** For sorting, the best first: how well it fits, whether it is called like the model, and whether it lies beside it. */
  rank: number;
}

export function suitOf(model: Model, { given, file }: Source): Suit {
  const clips = file.scene?.clips ?? [];
  const found = match(clips, model.file.scene!);
  const isOwn = given === model.given;
  const isFree = clips.every(({ tracks }) => tracks.count === 0);
  return { ...found, fits: isOwn || isFree || isMadeFor(found), rank: isOwn ? 1 : rank(found, model.given.path, given.path) };
}

/** What the list says of a motion that was made for another skeleton, '' of the others. */
export function misfitOf(suit: Suit | undefined): string {
  if (!suit || suit.fits) return '';
  return suit.found === 0 ? 'moves nothing here' : `${count(suit.found)} of ${plural(suit.names, 'bone')} found here`;
}

/** There is no surface and no line: at most bones. */
export function isBare({ rig }: Model): boolean {
  return rig.parts.length === 0 && !rig.meshes.some(mesh => mesh !== null);
}

export function nameOf(thing: { name: string; userData: Record<string, unknown> }): string {
  const own = thing.userData['name'];
  return typeof own === 'string' && own !== '' ? own : thing.name;
}
