// Secondary models beside the shown model. Each of them plays one of its own animations: the
// animation with the same title as the selected one or, if there is none, the first.
import { effect } from '@preact/signals-core';
import { Group, type Object3D, Vector3 } from 'three';
import type { InputFile } from '../session/inputFile.ts';
import type { LibraryEntry } from '../session/library.ts';
import { disposeModel, type Model, shownOf, wholeCharacter } from '../session/model.ts';
import { LayeredAction } from '../session/layeredAction.ts';
import type { OpeningContext } from '../session/openResult.ts';
import { restPose } from '../session/clipAction.ts';
import { ownRowWithTitle, rowsOf, compatibilityIn, titleOf } from '../session/animationRows.ts';
import { withoutRetargeting, type AnimationRow } from '../session/openedFile.ts';
import type { Session } from '../session/session.ts';
import { reduce } from '../session/reduce.ts';
import { markSecondary, extentOf, orientUpright } from '../view/index.ts';
import { buildLibraryModel } from './entries.ts';
import { prefersReducedMotion } from './playbackController.ts';
import type { State } from './state.ts';

interface Member {
  entry: LibraryEntry;
  model: Model;
  /**
   * Parent of the model. It is rotated so that the model faces in the same direction as the shown
   * model.
   */
  pivot: Group;
  action: LayeredAction | null;
}

/**
 * Identifies an animation by file path and title. These do not change when the file is read again.
 */
interface AnimationId {
  path: string;
  title: string;
}

/** Gap between two models, as a fraction of the shown model's width. */
const GAP = 0.15;

export class SideBySide {
  readonly #state: State;
  /**
   * Parent of all members (models beside the shown model). Its z axis is the forward direction of
   * the shown model.
   */
  readonly #line = markSecondary(Object.assign(new Group(), { name: 'side by side' }));
  #members: readonly Member[] = [];
  /**
   * Playback time of members whose animation has a different duration, in seconds. It does not
   * restart when the animation of the shown model restarts.
   */
  #clock = 0;
  #lastTime = 0;
  /** Height of the floor in the space of `#line`, on which the members are placed. */
  #floor = 0;
  /**
   * Animation that each member plays, by the member's path. The animations are kept when another
   * model is shown.
   */
  readonly #playing = new Map<string, AnimationId>();
  #host: InputFile | null = null;
  /** Title of the animation that is selected for the shown model; null if there is none. */
  #selected: string | null = null;

  constructor(state: State) {
    this.#state = state;
    effect(() => {
      void state.played.value;
      this.#follow();
    });
  }

  /**
   * Updates the members so that they match the session. `isCurrent`: returns false if another model
   * has replaced `host`.
   */
  async keep(host: Model, { secondaryModels, library }: Session, opening: OpeningContext, isCurrent: () => boolean): Promise<void> {
    const there = new Set(wholeCharacter(host).map(({ input }) => input));
    const wanted = secondaryModels.flatMap(
      path => library.find(({ role, input }) => role === 'model' && input.path === path && !there.has(input)) ?? [],
    );
    const kept = this.#members.filter(({ entry }) => wanted.some(({ input }) => input === entry.input));
    const added: Member[] = [];
    try {
      for (const entry of wanted) {
        if (kept.some(member => member.entry.input === entry.input)) continue;
        const model = await buildLibraryModel(entry, opening);
        added.push({ entry, model, pivot: new Group(), action: null });
        await this.#state.viewport.prepare(model);
        if (!isCurrent()) return added.forEach(dispose);
      }
    } catch (error) {
      added.forEach(dispose);
      throw error;
    }
    for (const { pivot, model } of added) pivot.add(model.rig.scene);
    const gone = this.#members.filter(member => !kept.includes(member));
    for (const path of this.#playing.keys()) if (!secondaryModels.includes(path)) this.#playing.delete(path);
    if (gone.length + added.length === 0) return;
    gone.forEach(dispose);
    this.#setMembers([...kept, ...added]);
    this.#arrange();
    this.#play();
  }

  /** Removes and disposes all members. */
  clear(): void {
    this.#line.removeFromParent();
    this.#line.clear();
    this.#members.forEach(dispose);
    if (this.#members.length > 0) this.#setMembers([]);
  }

  #setMembers(members: readonly Member[]): void {
    this.#members = members;
    this.#state.sideBySide.value = members.map(({ model }) => model);
  }

  /** Moves all members to `time`, the playback time in seconds. */
  update(time: number): void {
    if (this.#members.length === 0) return;
    const { duration, playing } = this.#state.playback;
    const step = time - this.#lastTime;
    this.#lastTime = time;
    // If the time decreases during playback, the animation has restarted.
    this.#clock = Math.max(this.#clock + (step < 0 && playing ? step + duration : step), 0);
    for (const { action } of this.#members) {
      if (!action || action.duration <= 0) continue;
      action.seek(action.duration === duration ? time : this.#clock % action.duration);
    }
  }

  /** True if the members play but the shown model does not. `advance` then updates `#clock`. */
  get #isAlone(): boolean {
    return this.#state.playback.action === null && !prefersReducedMotion() && this.#members.some(({ action }) => action !== null);
  }

  /** Advances the spring bones of the members. Returns true while a member is moving. */
  advance(seconds: number): boolean {
    const isMoving = this.#isAlone;
    if (isMoving) this.#clock += seconds;
    return this.#members.map(({ model }) => model.rig.update(seconds)).some(Boolean) || isMoving;
  }

  /**
   * Places the members alternately to the right and to the left of the shown model. All face in the
   * same direction.
   */
  #arrange(): void {
    const { view, cameraView } = this.#state.viewport;
    const { content } = view;
    this.#line.removeFromParent();
    this.#line.clear();
    if (!content) return;
    this.#line.rotation.y = cameraView.front;
    this.#line.updateMatrixWorld(true);
    const own = extentOf(content).box.applyMatrix4(this.#line.matrixWorld.clone().invert());
    const gap = (own.max.x - own.min.x) * GAP;
    this.#floor = view.ground.object.position.y;
    const [min, max] = [own.min.clone(), own.max.clone()];
    for (const [at, { model, pivot }] of this.#members.entries()) {
      pivot.rotation.y = 0;
      pivot.position.set(0, 0, 0);
      restPose([model.rig]);
      const forward = orientUpright(model.rig);
      pivot.rotation.y = forward ? -Math.atan2(forward.x, forward.z) : 0;
      pivot.updateMatrixWorld(true); // updates the bounds of skinned meshes
      const { box } = extentOf(pivot);
      if (!box.isEmpty()) {
        const isRight = at % 2 === 0;
        pivot.position.x = isRight ? max.x + gap - box.min.x : min.x - gap - box.max.x;
        pivot.position.z = (own.min.z + own.max.z - box.min.z - box.max.z) / 2;
        if (isRight) max.x += gap + box.max.x - box.min.x;
        else min.x -= gap + box.max.x - box.min.x;
      }
      this.#line.add(pivot);
      this.#placeOnFloor(pivot);
    }
    // Members are placed in world space first and then attached, so that they follow the rotation
    // and scale of the shown model.
    view.scene.add(this.#line);
    this.#line.updateMatrixWorld(true);
    content.attach(this.#line);
    for (const { model } of this.#members) {
      model.rig.springs?.rotateGravity(model.rig.scene.getWorldQuaternion(model.rig.scene.quaternion.clone()));
      model.rig.springs?.reset();
    }
    view.show(content, true, { direction: view.cameraRig.defaultDirection });
    this.#state.viewport.frame();
  }

  /** Moves a model up or down, so that the lowest point of its pose is on the floor. */
  #placeOnFloor(pivot: Object3D): void {
    pivot.updateWorldMatrix(true, true);
    const { points } = extentOf(pivot);
    const inverse = this.#line.matrixWorld.clone().invert();
    const point = new Vector3();
    let lowest = Infinity;
    for (let i = 0; i < (points?.length ?? 0); i += 3) lowest = Math.min(lowest, point.fromArray(points!, i).applyMatrix4(inverse).y);
    if (Number.isFinite(lowest)) pivot.position.y += this.#floor - lowest;
    pivot.updateMatrixWorld(true);
  }

  /**
   * Updates the animations of the members. If another animation was selected, each member gets a
   * new animation; if another model was shown, each keeps its animation.
   */
  #follow(): void {
    const { shownModel, session } = this.#state;
    const host = shownModel.peek()?.input ?? null;
    const selected = selectedIn(session.peek());
    if (host === this.#host && selected !== this.#selected) this.#playing.clear();
    this.#host = host;
    this.#selected = selected;
    this.#play();
  }

  #play(): void {
    const { session, viewport, playback } = this.#state;
    const now = session.peek();
    for (const member of this.#members) {
      const { model, entry, pivot } = member;
      const path = entry.input.path;
      const row = showsBindPose(now) && !viewport.action ? null : rowFor(model, entry, now, this.#playing.get(path) ?? null);
      if (row) this.#playing.set(path, { path: row.source.input.path, title: titleOf(row) });
      if (!row) member.action?.stop();
      member.action = row ? new LayeredAction(model, row.source, row.indices, 'auto', now.isRootLocked) : null;
      if (member.action) member.action.seek(member.action.start);
      else restPose([model.rig]);
      this.#placeOnFloor(pivot);
    }
    this.#lastTime = this.#clock = playback.time;
    this.update(playback.time);
    viewport.view.invalidate();
  }
}

/** Returns the title of the selected animation; null if there is none. */
function selectedIn(session: Session): string | null {
  const row = rowsOf(session)[session.selected];
  return row ? titleOf(row) : null;
}

/** Returns true if the shown model has animations and none of them is selected. */
const showsBindPose = (session: Session): boolean =>
  session.selected < 0 && rowsOf(session).some(({ source }) => compatibilityIn(session, source)?.fits === true);

/**
 * Returns the animation that a member plays, in order of preference: its previous animation
 * (`before`), its animation with the same title as the selected one, or its first animation.
 * Returns null if there is none.
 */
function rowFor(model: Model, { companionFiles }: LibraryEntry, session: Session, before: AnimationId | null): AnimationRow | null {
  const { input, file } = model;
  const own = file.scene!.clips.length > 0 ? [{ input, file }] : [];
  const animationFiles = [...withoutRetargeting(session.animationFiles).filter(source => source.input !== input), ...own];
  const { library, notices, attachments, partChoices } = session;
  const shown = shownOf(model);
  const alone = reduce(session, {
    type: 'open',
    shown,
    animationFiles,
    companionFiles,
    notices,
    demo: null,
    pending: null,
    library,
    attachments,
    partChoices,
    keepsAnimation: false,
  });
  const rows = rowsOf(alone);
  const kept = before && rows.find(row => row.source.input.path === before.path && titleOf(row) === before.title);
  const selected = selectedIn(session);
  const same = selected === null ? undefined : rows[ownRowWithTitle(alone, selected)];
  return kept ?? same ?? rows[alone.selected] ?? null;
}

function dispose({ model, pivot }: Member): void {
  pivot.removeFromParent();
  disposeModel(model);
}
