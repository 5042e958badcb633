// Models that hang on bones of the one on the stage: a sword in its hand. They stand in their rest pose and go where the bone goes.
import type { Signal } from '@preact/signals-core';
import { Group, type Object3D } from 'three';
import type { Entry } from '../player/library.ts';
import { buildModel, disposeModel, type Model, openFile, type OpenContext } from '../player/model.ts';
import { isRecording } from '../stage/index.ts';

export interface Held {
  entry: Entry;
  bone: Object3D;
  model: Model;
  /** What it hangs by. */
  hook: Group;
}

export class Holding {
  readonly #held: Signal<readonly Held[]>;
  readonly #changed: () => void;

  /** `held` is kept true from now on. `changed`: the stage must be drawn anew. */
  constructor(held: Signal<readonly Held[]>, changed: () => void) {
    this.#held = held;
    this.#changed = changed;
  }

  /** Takes the place of what hangs there; null: nothing does any more. `stays`: the host has not gone meanwhile. */
  async hang(host: Model, bone: Object3D, entry: Entry | null, context: Omit<OpenContext, 'shelf'>, stays: () => boolean): Promise<void> {
    const made = entry && (await this.#make(entry, { ...context, shelf: entry.shelf }));
    if (made && !stays()) {
      disposeModel(made);
      return;
    }
    this.#release(each => each.bone === bone);
    if (made && entry) {
      const hook = new Group();
      // Bones are in their file's own axes and unit, below a root that turns and scales these. What hangs there has its own axes, and its true size.
      hook.quaternion.copy(made.rig.nodes[0]!.quaternion).invert();
      hook.scale.divide(host.rig.nodes[0]!.scale);
      hook.add(made.rig.scene);
      bone.add(hook);
      this.#held.value = [...this.#held.peek(), { entry, bone, model: made, hook }];
    }
    this.#changed();
  }

  /** Everything is taken down and freed. */
  clear(): void {
    this.#release(() => true);
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

  async #make({ given }: Entry, context: OpenContext): Promise<Model | null> {
    const file = await openFile(given, context);
    context.signal.throwIfAborted();
    return file.scene && !isRecording(file.scene) ? buildModel(given, file, context) : null;
  }
}
