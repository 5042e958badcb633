// Models that hang on bones of the one on the stage: a sword in its hand. They stand in their rest pose and go where the bone goes.
import type { Signal } from '@preact/signals-core';
import { Group, type Object3D } from 'three';
import type { Entry } from '../player/library.ts';
import { disposeModel, type Model, wholeOf } from '../player/model.ts';
import type { Opening } from '../player/opening.ts';
import type { Hung, Session } from '../player/session.ts';
import type { Rig } from '../three/index.ts';
import { buildEntry } from './entries.ts';

export interface Held {
  entry: Entry;
  bone: Object3D;
  model: Model;
  /** What it hangs by. */
  hook: Group;
}

interface Wanted {
  rig: Rig;
  bone: Object3D;
  entry: Entry;
}

/** What hangs on bones once `entry` hangs on this one; null: nothing does any more. */
export function withHung(hung: readonly Hung[], host: Model, bone: Object3D, entry: Entry | null): readonly Hung[] {
  const part = wholeOf(host).find(({ rig }) => rig.nodes.includes(bone));
  if (!part) return hung;
  const at = { host: part.given.path, node: part.rig.nodes.indexOf(bone) };
  const others = hung.filter(each => each.host !== at.host || each.node !== at.node);
  return entry ? [...others, { ...at, path: entry.given.path }] : others;
}

export class Holding {
  readonly #held: Signal<readonly Held[]>;
  readonly #changed: () => void;

  /** `held` is kept true from now on. `changed`: the stage must be drawn anew. */
  constructor(held: Signal<readonly Held[]>, changed: () => void) {
    this.#held = held;
    this.#changed = changed;
  }

  /** There hangs what the session says, and nothing else. `stays`: the host has not gone meanwhile. */
  async keep(host: Model, { hung, library }: Session, opening: Opening, stays: () => boolean): Promise<void> {
    const wanted = hung.flatMap(({ host: path, node, path: other }): Wanted[] => {
      const rig = wholeOf(host).find(({ given }) => given.path === path)?.rig;
      const bone = rig?.nodes[node];
      const entry = library.find(({ given }) => given.path === other);
      return rig && bone && entry ? [{ rig, bone, entry }] : [];
    });
    const isHeld = ({ bone, entry }: Wanted): boolean =>
      this.#held.peek().some(held => held.bone === bone && held.entry.given === entry.given);
    const missing = wanted.filter(each => !isHeld(each));
    for (const one of missing) {
      const made = await buildEntry(one.entry, opening);
      if (made && !stays()) {
        disposeModel(made);
        return;
      }
      this.#release(({ bone }) => bone === one.bone);
      if (made) this.#hang(made, one);
    }
    this.#release(({ bone }) => !wanted.some(each => each.bone === bone));
    this.#changed();
  }

  /** Everything is taken down and freed. */
  clear(): void {
    this.#release(() => true);
  }

  #hang(model: Model, { rig, bone, entry }: Wanted): void {
    const hook = new Group();
    // Bones are in their file's own axes and unit, below a root that turns and scales these. What hangs there has its own axes, and its true size.
    hook.quaternion.copy(model.rig.nodes[0]!.quaternion).invert();
    hook.scale.divide(rig.nodes[0]!.scale);
    hook.add(model.rig.scene);
    bone.add(hook);
    this.#held.value = [...this.#held.peek(), { entry, bone, model, hook }];
  }

  #release(isMeant: (held: Held) => boolean): void {
    const all = this.#held.peek();
    const gone = all.filter(isMeant);
    if (gone.length === 0) return;
    for (const { hook, model } of gone) {
      hook.removeFromParent();
      disposeModel(model);
    }
    this.#held.value = all.filter(each => !gone.includes(each));
  }
}
