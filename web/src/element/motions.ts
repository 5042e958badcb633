// The motions of a rig and of files beside it: a list, and what plays of it.
import { isMadeFor, match, type Match } from '../core/match.ts';
import { uniqueNames } from '../core/names.ts';
import type { Clip } from '../core/types.ts';
import { Fade } from '../rig/fade.ts';
import type { Layer } from '../rig/layer.ts';
import type { Motion as Playable } from '../stage/playback.ts';
import type { RigAnimator } from '../three/apply.ts';
import type { Rig } from '../three/rig.ts';
import type { MotionInfo } from './types.ts';

interface Entry extends MotionInfo {
  readonly clip: Clip;
  /** Index of the file that it comes from; 0: the model's own. */
  readonly source: number;
}

export class MotionList {
  readonly list: readonly Entry[];
  readonly #rig: Rig;
  readonly #sources: readonly (readonly Clip[])[];
  readonly #animator: RigAnimator;
  readonly #fade = new Fade();

  constructor(rig: Rig, others: readonly Rig[]) {
    this.#rig = rig;
    this.#sources = [rig, ...others].map(({ file }) => file.scene!.clips);
    const all = this.#sources.flatMap((clips, source) => clips.map(clip => ({ clip, source })));
    const names = uniqueNames(all.map(({ clip }) => clip.name));
    this.list = all.map(({ clip, source }, index) => entryOf(rig, clip, source, index, names[index]!));
    this.#animator = rig.animate();
    this.#animator.add(this.#fade);
  }

  /**
   * Rows that a text means: a name as it is, a number, several of them (a list in JSON, or with commas between them), nothing: the rest pose. Null
   * where one of them does not exist.
   */
  find(text: string): number[] | null {
    if (text.trim() === '') return [];
    const whole = this.#row(text);
    if (whole >= 0) return [whole];
    const rows = wordsOf(text).map(word => this.#row(word));
    return rows.length > 0 && rows.every(row => row >= 0) ? rows : null;
  }

  /** What is played where nobody says: what starts by itself, else the first motion that was made for this model. */
  preferred(): number[] {
    const { starting } = this.#rig;
    if (starting.length > 0) return [...starting];
    for (const [source, clips] of this.#sources.entries()) {
      const isOwn = source === 0 && clips.length > 0;
      if (!isOwn && (clips.length === 0 || !isMadeFor(match(clips, this.#rig.file.scene!)))) continue;
      return [this.list.find(entry => entry.source === source)!.index];
    }
    return [];
  }

  #row(text: string): number {
    const name = text.trim();
    for (const spelled of [text, name]) {
      const exact = this.list.findIndex(entry => entry.name === spelled);
      if (exact >= 0) return exact;
    }
    const alike = this.list.findIndex(entry => entry.name.toLowerCase() === name.toLowerCase());
    if (alike >= 0) return alike;
    return /^\d+$/.test(name) && Number(name) < this.list.length ? Number(name) : -1;
  }

  /** Motions on top of each other, ready to be played; null for none. What was there before fades into it for some seconds. */
  play(rows: readonly number[], fade: number): Played | null {
    const animator = this.#animator;
    const hadLayers = animator.layers.length > 0;
    if (fade > 0 && hadLayers) this.#fade.start(animator.pose, fade);
    else this.#fade.stop();
    animator.layers.length = 0;
    if (rows.length === 0) {
      if (!this.#fade.isOn) animator.stop();
      return null;
    }
    return new Played(
      animator,
      rows.map(row => this.list[row]!),
      this.#rig,
    );
  }

  /** A fade goes on by some seconds. True: it is under way, and the pose is to be applied. */
  advance(seconds: number): boolean {
    if (!this.#fade.isOn) return false;
    this.#fade.advance(seconds);
    if (!this.#fade.isOn && this.#animator.layers.length === 0) this.#animator.stop();
    return true;
  }

  /** The pose of this moment on the objects. */
  apply(): void {
    if (this.#animator.layers.length > 0 || this.#fade.isOn) this.#animator.apply();
  }

  /** Does something that looks at poses of the motion itself, before anything fades. */
  unfaded(look: () => void): void {
    const resume = this.#fade.pause();
    look();
    resume();
  }

  dispose(): void {
    this.#fade.stop();
    this.#animator.stop();
  }
}

/** Motions that play together, each from its own start to its own end. */
export class Played implements Playable {
  readonly name: string;
  readonly names: readonly string[];
  readonly duration: number;
  readonly frameRate: number;
  readonly events: readonly { time: number; name: string; motion: string }[];
  /** The files say so. */
  readonly isPingPong: boolean;
  readonly isLooping: boolean;
  pingPong = false;
  readonly #animator: RigAnimator;
  readonly #layers: { layer: Layer; duration: number }[];

  constructor(animator: RigAnimator, entries: readonly Entry[], rig: Rig) {
    this.#animator = animator;
    this.names = entries.map(({ name }) => name);
    this.name = this.names.join(' + ');
    this.duration = Math.max(...entries.map(({ duration }) => duration));
    this.frameRate = entries[0]!.frameRate;
    this.events = entries.flatMap(({ name: motion, events }) => events.map(event => ({ ...event, motion })));
    const motions = entries.map(({ clip }) => bound(rig, clip));
    this.isPingPong = motions.some(({ pingPong }) => pingPong);
    this.isLooping = motions.some(({ loop }) => loop);
    this.#layers = motions.map(motion => ({ layer: animator.layer(motion), duration: motion.duration }));
    animator.layers.push(...this.#layers.map(({ layer }) => layer));
  }

  /** Shorter motions of several begin anew while the longest plays. */
  seek(time: number): void {
    for (const { layer, duration } of this.#layers)
      layer.time = duration > 0 && duration < this.duration ? time % duration : Math.min(time, duration);
    this.#animator.apply();
  }

  stop(): void {}
}

/** As the file says, but what looks additive is added to the rest pose: no body stands as its numbers say. */
function bound(rig: Rig, clip: Clip) {
  const plain = rig.bind(clip);
  const looksAdditive = plain.report.findings.some(({ code }) => code === 'LOOKS_ADDITIVE');
  return (looksAdditive ? rig.bind(clip, { additive: 'rest' }) : plain).motions[0]!;
}

function entryOf(rig: Rig, clip: Clip, source: number, index: number, name: string): Entry {
  let found: Match | undefined;
  const matched = (): Match => (found ??= match(clip, rig.file.scene!));
  return {
    clip,
    source,
    index,
    name,
    duration: clip.duration,
    frameRate: clip.frameRate,
    events: clip.events,
    get matched() {
      return matched().moved;
    },
    get bones() {
      return matched().bones;
    },
  };
}

function wordsOf(text: string): string[] {
  if (text.trim().startsWith('[')) {
    try {
      const list: unknown = JSON.parse(text);
      if (Array.isArray(list)) return list.map(String);
    } catch {
      // A name may begin with a bracket.
    }
  }
  return text.split(',');
}
