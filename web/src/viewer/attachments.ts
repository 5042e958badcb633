// Models attached to bones of the shown model, such as a sword in its hand. They keep their bind
// pose and follow the bone. If the root bone of an attached model has the same name as this bone,
// the current animation also plays on the attached model. First-person arms and their weapon often
// share a clip in this way.
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
import { buildLibraryModel, type AttachedModel } from './entries.ts';
import type { State } from './state.ts';

interface RequestedAttachment {
  rig: Rig;
  bone: Object3D;
  entry: LibraryEntry;
}

/**
 * Returns the attachments with `entry` attached to `bone`. If `entry` is null, returns them without
 * the attachment to this bone.
 */
export function withAttachment(
  current: readonly Attachment[],
  host: Model,
  bone: Object3D,
  entry: LibraryEntry | null,
): readonly Attachment[] {
  const part = wholeCharacter(host).find(({ rig }) => rig.nodes.includes(bone));
  if (!part) return current;
  const at = { parent: part.input.path, node: part.rig.nodes.indexOf(bone) };
  const others = current.filter(each => each.parent !== at.parent || each.node !== at.node);
  return entry ? [...others, { ...at, path: entry.input.path }] : others;
}

export class Attachments {
  readonly #state: State;

  /** Keeps the animation of attached models in sync with the shown model. */
  constructor(state: State) {
    this.#state = state;
    effect(() => {
      void state.played.value;
      this.#play();
    });
  }

  /**
   * Syncs the attached models with the session. `isCurrent`: returns false if another model has
   * replaced `host`.
   */
  async keep(host: Model, { attachments, library }: Session, opening: OpeningContext, isCurrent: () => boolean): Promise<void> {
    const wanted = attachments.flatMap(({ parent: path, node, path: other }): RequestedAttachment[] => {
      const rig = wholeCharacter(host).find(({ input }) => input.path === path)?.rig;
      const bone = rig?.nodes[node];
      const entry = library.find(({ input }) => input.path === other);
      return rig && bone && entry ? [{ rig, bone, entry }] : [];
    });
    const isHeld = ({ bone, entry }: RequestedAttachment): boolean =>
      this.#attached.some(attached => attached.bone === bone && attached.entry.input === entry.input);
    const missing = wanted.filter(each => !isHeld(each));
    for (const one of missing) {
      const made = await buildLibraryModel(one.entry, opening);
      if (!isCurrent()) {
        disposeModel(made);
        return;
      }
      this.#release(({ bone }) => bone === one.bone);
      this.#attach(made, one);
    }
    this.#release(({ bone }) => !wanted.some(each => each.bone === bone));
    this.#play();
    this.#state.viewport.view.isShadowStale = true;
  }

  /** Removes and disposes all attached models. */
  clear(): void {
    this.#release(() => true);
  }

  /**
   * Moves the attached models that play the current animation to `time`, the playback time in
   * seconds.
   */
  update(time: number): void {
    for (const { rootBinding } of this.#attached) {
      if (!rootBinding?.action) continue;
      rootBinding.action.seek(time);
      // The root bone follows the bone of the host, so its own track is not applied.
      rootBinding.rest.decompose(rootBinding.root.position, rootBinding.root.quaternion, rootBinding.root.scale);
    }
  }

  /** Advances the spring bones of attached models. Returns true while one of them is moving. */
  advance(seconds: number): boolean {
    return this.#attached.map(({ model }) => model.rig.update(seconds)).some(Boolean);
  }

  get #attached(): readonly AttachedModel[] {
    return this.#state.attached.peek();
  }

  #attach(model: Model, { rig, bone, entry }: RequestedAttachment): void {
    const anchor = markSecondary(new Group());
    const [root] = model.bones;
    const sharesRoot = root !== undefined && displayName(root).toLowerCase() === displayName(bone).toLowerCase();
    if (sharesRoot) {
      // Align the root bone with the host's bone.
      model.rig.scene.updateMatrixWorld(true);
      root.matrixWorld.clone().invert().decompose(anchor.position, anchor.quaternion, anchor.scale);
    } else {
      // Bones use the axes and the unit of their file; the root node of the scene converts them.
      // Undo this conversion, so that the attached model keeps its own axes and size.
      anchor.quaternion.copy(model.rig.nodes[0]!.quaternion).invert();
      anchor.scale.divide(rig.nodes[0]!.scale);
    }
    anchor.add(model.rig.scene);
    bone.add(anchor);
    const rootBinding = sharesRoot ? { root, rest: root.matrix.clone(), action: null } : null;
    this.#state.attached.value = [...this.#attached, { entry, bone, model, anchor, rootBinding }];
  }

  /**
   * Binds the current animation to all attached models whose root bone has the name of their host
   * bone.
   */
  #play(): void {
    const { session, rows, playback, viewport } = this.#state;
    const { selected, animationMode, isRootLocked } = session.peek();
    const row = viewport.action && rows.peek()[selected];
    for (const { model, rootBinding } of this.#attached) {
      if (!rootBinding) continue;
      rootBinding.action = row ? new LayeredAction(model, row.source, row.indices, animationMode, isRootLocked) : null;
      if (!rootBinding.action) restPose([model.rig]);
    }
    this.update(playback.time);
    viewport.view.invalidate();
  }

  #release(isReleased: (attached: AttachedModel) => boolean): void {
    const all = this.#attached;
    const gone = all.filter(isReleased);
    if (gone.length === 0) return;
    for (const { anchor, model } of gone) {
      anchor.removeFromParent();
      disposeModel(model);
    }
    this.#state.attached.value = all.filter(each => !gone.includes(each));
  }
}
