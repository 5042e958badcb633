// Models that hang on bones of the one on the stage: a sword in its hand. They stand in their rest pose and go where the bone goes. What begins with a
// bone of that name goes on there: a weapon moves by the motion of the arms that hold it.
import { effect } from '@preact/signals-core';
import { Group, type Object3D } from 'three';
import type { LibraryEntry } from '../session/library.ts';
import { disposeModel, type Model, displayName, wholeCharacter } from '../session/model.ts';
import { LayeredAction } from '../session/layeredAction.ts';
import type { OpeningContext } from '../session/openResult.ts';
import { restPose } from '../session/clipAction.ts';
import { markSecondary } from '../view/index.ts';
import type { Attachment, Session } from '../session/session.ts';
import type { Rig } from '../three/index.ts';
import { buildEntry, type Held } from './entries.ts';
import type { State } from './state.ts';

interface Wanted {
  rig: Rig;
  bone: Object3D;
  entry: LibraryEntry;
}

/** What hangs on bones once `entry` hangs on this one; null: nothing does any more. */
export function withHung(hung: readonly Attachment[], host: Model, bone: Object3D, entry: LibraryEntry | null): readonly Attachment[] {
  const part = wholeCharacter(host).find(({ rig }) => rig.nodes.includes(bone));
  if (!part) return hung;
  const at = { host: part.given.path, node: part.rig.nodes.indexOf(bone) };
  const others = hung.filter(each => each.host !== at.host || each.node !== at.node);
  return entry ? [...others, { ...at, path: entry.given.path }] : others;
}

export class Holding {
  readonly #state: State;

  /** `state.held` is kept true from now on. */
  constructor(state: State) {
    this.#state = state;
    effect(() => {
      void state.played.value;
      this.#perform();
    });
  }

  /** There hangs what the session says, and nothing else. `stays`: the host has not gone meanwhile. */
  async keep(host: Model, { attachments, library }: Session, opening: OpeningContext, stays: () => boolean): Promise<void> {
    const wanted = attachments.flatMap(({ host: path, node, path: other }): Wanted[] => {
      const rig = wholeCharacter(host).find(({ given }) => given.path === path)?.rig;
      const bone = rig?.nodes[node];
      const entry = library.find(({ given }) => given.path === other);
      return rig && bone && entry ? [{ rig, bone, entry }] : [];
    });
    const isHeld = ({ bone, entry }: Wanted): boolean => this.#held.some(held => held.bone === bone && held.entry.given === entry.given);
    const missing = wanted.filter(each => !isHeld(each));
    for (const one of missing) {
      const made = await buildEntry(one.entry, opening);
      if (!stays()) {
        disposeModel(made);
        return;
      }
      this.#release(({ bone }) => bone === one.bone);
      this.#hang(made, one);
    }
    this.#release(({ bone }) => !wanted.some(each => each.bone === bone));
    this.#perform();
    this.#state.scenery.view.isShadowStale = true;
  }

  /** Everything is taken down and freed. */
  clear(): void {
    this.#release(() => true);
  }

  /** What is grafted moves as at that time of what plays. */
  update(time: number): void {
    for (const { graft } of this.#held) {
      if (!graft?.motion) continue;
      graft.motion.seek(time);
      // Where the first bone is, the host says.
      graft.rest.decompose(graft.root.position, graft.root.quaternion, graft.root.scale);
    }
  }

  /** Springs swing on. Whether they are not at rest yet. */
  live(seconds: number): boolean {
    return this.#held.map(({ model }) => model.rig.live(seconds)).some(Boolean);
  }

  get #held(): readonly Held[] {
    return this.#state.held.peek();
  }

  #hang(model: Model, { rig, bone, entry }: Wanted): void {
    const hook = markSecondary(new Group());
    const [root] = model.bones;
    const isGraft = root !== undefined && displayName(root).toLowerCase() === displayName(bone).toLowerCase();
    if (isGraft) {
      // Both bones are one.
      model.rig.scene.updateMatrixWorld(true);
      root.matrixWorld.clone().invert().decompose(hook.position, hook.quaternion, hook.scale);
    } else {
      // Bones are in their file's own axes and unit, below a root that turns and scales these. What hangs there has its own axes, and its true size.
      hook.quaternion.copy(model.rig.nodes[0]!.quaternion).invert();
      hook.scale.divide(rig.nodes[0]!.scale);
    }
    hook.add(model.rig.scene);
    bone.add(hook);
    const graft = isGraft ? { root, rest: root.matrix.clone(), motion: null } : null;
    this.#state.held.value = [...this.#held, { entry, bone, model, hook, graft }];
  }

  /** What plays on the host moves what goes on at its bones. */
  #perform(): void {
    const { session, rows, playback, scenery } = this.#state;
    const { selected, animationMode, isRootLocked } = session.peek();
    const row = scenery.motion && rows.peek()[selected];
    for (const { model, graft } of this.#held) {
      if (!graft) continue;
      graft.motion = row ? new LayeredAction(model, row.source, row.indices, animationMode, isRootLocked) : null;
      if (!graft.motion) restPose([model.rig]);
    }
    this.update(playback.time);
    scenery.view.invalidate();
  }

  #release(isMeant: (held: Held) => boolean): void {
    const all = this.#held;
    const gone = all.filter(isMeant);
    if (gone.length === 0) return;
    for (const { hook, model } of gone) {
      hook.removeFromParent();
      disposeModel(model);
    }
    this.#state.held.value = all.filter(each => !gone.includes(each));
  }
}
