// Overlays of the viewport: bones, selection, trail, ghost, constraints, bounds, axes and names.
import { computed, effect, signal } from '@preact/signals-core';
import {
  Box3,
  Box3Helper,
  type Camera,
  Color,
  type Intersection,
  type Object3D,
  Raycaster,
  Vector2,
  type Vector2Like,
  Vector3,
} from 'three';
import type { BoneSampler } from '../session/boneSampler.ts';
import { hasNoSurface, type Model, displayName, wholeCharacter } from '../session/model.ts';
import {
  AxesOverlay,
  GhostOverlay,
  type RecordingOverlay,
  RiggingOverlay,
  SkeletonOverlay,
  TrailOverlay,
  type View,
} from '../view/index.ts';
import { BoneNames } from './boneNames.ts';
import { el } from './dom.ts';
import { paintOnPage } from './overlayCanvas.ts';

/** Maximum number of sampled frames in a trail. */
const MAX_TRAIL_FRAMES = 1200;
/**
 * Maximum distance that the pointer moves during a click, in pixels. A longer movement is a drag.
 */
const CLICK_DISTANCE = 4;

/** Colours of onion skins. */
const EARLIER = 0x2f9e44;
const LATER = 0x3b82f6;
/** Times that differ by less are equal, in seconds. */
const SAME_TIME = 1e-4;

/** Duration of a long press in milliseconds. */
const LONG_PRESS = 450;
/** Distance that a finger may move during a long press, and its distance to a bone, in pixels. */
const FINGER_SLACK = 10;
const FINGER_REACH = 36;

export class Overlays {
  /** The selected bone. */
  readonly bone = signal<Object3D | null>(null);
  /** The selected bone, mesh or other node. */
  readonly chosen = signal<Object3D | null>(null);
  /** True while the trail of the selected bone is visible. */
  readonly hasTrail = signal(false);
  /** Uses a click at a point of the page. Returns false if the click may select a bone or mesh. */
  onClick: (at: Vector2Like) => boolean = () => false;
  /** Called before a long press selects a bone. Must show the bones. */
  onLongPress: () => void = () => {};
  /** Called after a click or a long press has selected a bone or mesh. */
  onPick: (picked: Object3D) => void = () => {};
  /** Returns true if a click can select a mesh. */
  picksMeshes = (): boolean => false;
  /**
   * Node whose name is shown in the viewport: the selected bone, or the selected node if it is
   * neither a bone nor a mesh.
   */
  readonly #named = computed(() => {
    const [bone, chosen] = [this.bone.value, this.chosen.value];
    return bone ?? (chosen && !('isMesh' in chosen) && !this.model?.bones.includes(chosen) ? chosen : null);
  });
  readonly label = el('div', { class: 'bone-label', hidden: true });
  readonly names = new BoneNames();
  /** The shown model; null if there is none. */
  model: Model | null = null;
  /** The shown recording; null if there is none. */
  recording: RecordingOverlay | null = null;
  /** Secondary models, which are included in hit tests. */
  secondaryModels: readonly Model[] = [];
  readonly #view: View;
  #skeleton: SkeletonOverlay | null = null;
  #ghost: GhostOverlay | null = null;
  /** First and last time of the animation whose poses the onion skins show, in seconds. */
  #onionRange = { from: 0, to: 0 };
  #onionSkins: { ghost: GhostOverlay; offset: number }[] = [];
  #trail: TrailOverlay | null = null;
  #rigging: RiggingOverlay | null = null;
  #axes: AxesOverlay | null = null;
  #sockets: AxesOverlay | null = null;
  readonly #host: Element;
  #bounds: Box3Helper | null = null;
  #mark: Box3Helper | null = null;

  /** `host`: element that contains the canvas. */
  constructor(view: View, host: Element) {
    this.#view = view;
    this.#host = host;
    effect(() => {
      const bone = this.bone.value;
      this.#skeleton?.select(bone);
      if (bone) this.chosen.value = bone;
      view.invalidate();
    });
    effect(() => {
      const named = this.#named.value;
      this.label.hidden = named === null;
      this.label.textContent = named ? displayName(named) : '';
      view.invalidate();
    });
    effect(() => this.#markMesh(this.chosen.value));
  }

  /** Removes all overlays, because the viewport is empty. */
  clear(): void {
    this.model = null;
    this.bone.value = null;
    this.chosen.value = null;
    this.showGhost(null);
    this.showOnionSkins(null, []);
    this.showTrail(null);
    this.showBones(false);
    this.showBounds(false);
    this.showRigging(false);
    this.showAxes(false);
    this.showSockets(false);
    this.showNames(false, false);
  }

  /**
   * Selects a node; null clears the selection. A bone is labelled with its name, and a mesh is
   * outlined by its bounding box.
   */
  choose(object: Object3D | null): void {
    const isBone = object !== null && (this.model?.bones.includes(object) ?? false);
    this.bone.value = isBone ? object : null;
    this.chosen.value = object;
  }

  #markMesh(object: Object3D | null): void {
    this.#mark?.removeFromParent();
    this.#mark?.dispose();
    this.#mark = null;
    if (object && 'isMesh' in object) {
      this.#mark = new Box3Helper(new Box3().setFromObject(object), new Color(0xd07a1f));
      this.#view.overlays.add(this.#mark);
    }
    this.#view.invalidate();
  }

  get #size(): number {
    return this.#view.extent?.radius ?? 1;
  }

  /** Shows or hides the bones. The bones of a model without meshes are always visible. */
  showBones(on: boolean): void {
    this.#skeleton?.dispose();
    this.#skeleton = null;
    const { model } = this;
    if (model && model.bones.length > 0 && (on || hasNoSurface(model))) {
      this.#skeleton = new SkeletonOverlay(model.bones, this.#size * 0.06);
      this.#skeleton.select(this.bone.peek());
      this.#view.overlays.add(this.#skeleton.object);
    } else {
      this.bone.value = null;
    }
    this.#view.invalidate();
  }

  /**
   * Shows the ghost, a skeleton in the pose of a second animation at the same playback time.
   * `echo`: sampler of this animation; null to hide the ghost.
   */
  showGhost(echo: BoneSampler | null): void {
    this.#ghost?.dispose();
    this.#ghost = echo && new GhostOverlay(echo.lines.length / 2, (time, to) => echo.pose(time, to));
    if (this.#ghost) this.#view.overlays.add(this.#ghost.object);
    this.#view.invalidate();
  }

  /**
   * Shows onion skins, which are skeletons in earlier (green) and later (blue) poses of the current
   * animation. `echo`: sampler of this animation; null to hide them. `offsets`: differences to the
   * playback time in seconds.
   */
  showOnionSkins(echo: BoneSampler | null, offsets: readonly number[]): void {
    for (const { ghost } of this.#onionSkins) ghost.dispose();
    const farthest = Math.max(...offsets.map(Math.abs));
    this.#onionSkins = (echo ? offsets : []).map(offset => ({
      offset,
      ghost: new GhostOverlay(echo!.lines.length / 2, (time, to) => echo!.pose(time, to), {
        color: offset < 0 ? EARLIER : LATER,
        opacity: 0.95 - (0.6 * Math.abs(offset)) / farthest,
      }),
    }));
    for (const { ghost } of this.#onionSkins) {
      ghost.object.name = 'onion skin';
      this.#view.overlays.add(ghost.object);
    }
    this.#onionRange = { from: echo?.start ?? 0, to: echo?.duration ?? 0 };
    this.#view.invalidate();
  }

  #updateOnionSkins({ rig }: Model, time: number): void {
    const { from, to } = this.#onionRange;
    for (const { ghost, offset } of this.#onionSkins) {
      // There are no poses before the first and after the last frame.
      ghost.object.visible = time + offset >= from - SAME_TIME && time + offset <= to + SAME_TIME;
      if (ghost.object.visible) ghost.update(Math.min(Math.max(time + offset, from), to), rig.scene.matrixWorld);
    }
  }

  /**
   * Shows the trail, the path of the selected bone during an animation. `echo`: sampler of this
   * animation; null to hide the trail.
   */
  showTrail(echo: BoneSampler | null): void {
    this.#trail?.dispose();
    this.#trail = null;
    const [rig, bone] = [this.model?.rig, this.bone.peek()];
    if (echo && rig && bone) {
      const frames = Math.min(Math.max(Math.round(echo.duration * (echo.frameRate || 30)) * 2, 2), MAX_TRAIL_FRAMES);
      this.#trail = new TrailOverlay(echo.trail(rig.nodes.indexOf(bone), frames), rig.scene.matrixWorld);
      this.#view.overlays.add(this.#trail.object);
    }
    this.hasTrail.value = this.#trail !== null;
    this.#view.invalidate();
  }

  /** Shows or hides the bounding box of the bind pose. */
  showBounds(on: boolean): void {
    this.#bounds?.removeFromParent();
    this.#bounds?.dispose();
    this.#bounds = null;
    const { extent, content } = this.#view;
    if (on && extent && content) {
      this.#bounds = new Box3Helper(extent.box, new Color(0x2b9a8f));
      this.#bounds.name = 'bounds';
      this.#view.overlays.add(this.#bounds);
    }
    this.#view.invalidate();
  }

  /** Shows or hides the lines of constraints and IK handles. */
  showRigging(on: boolean): void {
    this.#rigging?.dispose();
    this.#rigging = null;
    const rig = this.model?.rig;
    if (on && rig?.rigging) {
      this.#rigging = new RiggingOverlay(rig.rigging, rig.nodes, this.#size * 0.05);
      this.#view.overlays.add(this.#rigging.object);
    }
    this.#view.invalidate();
  }

  /** Shows or hides the local axes of all bones. */
  showAxes(on: boolean): void {
    this.#axes = this.#axesOf(this.#axes, on && this.model ? jointsOf(this.model, this.recording) : [], 0.035);
  }

  /** Shows or hides the axes of the sockets that the file declares. */
  showSockets(on: boolean): void {
    this.#sockets = this.#axesOf(this.#sockets, on && this.model ? socketsOf(this.model) : [], 0.08);
  }

  #axesOf(old: AxesOverlay | null, nodes: readonly Object3D[], length: number): AxesOverlay | null {
    old?.dispose();
    const axes = nodes.length > 0 ? new AxesOverlay(nodes, this.#size * length) : null;
    if (axes) this.#view.overlays.add(axes.object);
    this.#view.invalidate();
    return axes;
  }

  /** Shows or hides names beside bones and beside sockets. */
  showNames(ofBones: boolean, ofSockets: boolean): void {
    const { model } = this;
    const sockets = new Set(model ? socketsOf(model) : []);
    this.names.show([
      ...(ofSockets ? sockets : []),
      ...(ofBones && model ? jointsOf(model, this.recording).filter(bone => !ofSockets || !sockets.has(bone)) : []),
    ]);
    this.#view.invalidate();
  }

  /** Updates the overlays. Requires up-to-date world matrices. */
  update(time: number): void {
    this.#skeleton?.update();
    this.#rigging?.update();
    this.#axes?.update();
    this.#sockets?.update();
    if (!this.model) return;
    this.#ghost?.update(time, this.model.rig.scene.matrixWorld);
    this.#updateOnionSkins(this.model, time);
  }

  /**
   * Selects the bone or mesh that the visitor clicks, and the bone next to a long press by a finger,
   * until `signal` is aborted.
   */
  listen(canvas: HTMLCanvasElement, signal: AbortSignal): void {
    const down = new Vector2();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isLong = false;
    canvas.addEventListener(
      'pointerdown',
      event => {
        down.set(event.clientX, event.clientY);
        isLong = false;
        clearTimeout(timer);
        if (event.pointerType !== 'touch' || !event.isPrimary) return;
        timer = setTimeout(() => (isLong = this.#selectNear(down)), LONG_PRESS);
      },
      { signal },
    );
    canvas.addEventListener(
      'pointermove',
      event => {
        if (down.distanceTo(new Vector2(event.clientX, event.clientY)) > FINGER_SLACK) clearTimeout(timer);
      },
      { signal },
    );
    canvas.addEventListener('pointercancel', () => clearTimeout(timer), { signal });
    canvas.addEventListener(
      'pointerup',
      event => {
        clearTimeout(timer);
        if (isLong || down.distanceTo(new Vector2(event.clientX, event.clientY)) > CLICK_DISTANCE) return;
        const at = { x: event.clientX, y: event.clientY };
        if (this.onClick(at)) return;
        const bone = this.boneAt(at);
        if (this.#skeleton) this.bone.value = bone;
        const mesh = !bone && this.picksMeshes() ? (this.hitAt(at)?.object ?? null) : null;
        if (!bone && this.picksMeshes()) this.choose(mesh);
        const picked = bone ?? mesh;
        if (picked) this.onPick(picked);
      },
      { signal },
    );
  }

  /**
   * Selects the bone whose joint is nearest to a point of the page. Returns false if none is near.
   */
  #selectNear({ x, y }: Vector2Like): boolean {
    if (!this.model) return false;
    const { left, top, width, height } = this.#host.getBoundingClientRect();
    const { active } = this.#view.cameraRig;
    const at = new Vector3();
    const distanceOf = (bone: Object3D): number => {
      bone.getWorldPosition(at).project(active);
      return Math.hypot(left + ((at.x + 1) / 2) * width - x, top + ((1 - at.y) / 2) * height - y);
    };
    const near = this.model.bones.map(bone => ({ bone, distance: distanceOf(bone) })).filter(({ distance }) => distance < FINGER_REACH);
    const nearest = near.sort((a, b) => a.distance - b.distance)[0];
    if (!nearest) return false;
    this.onLongPress();
    this.bone.value = nearest.bone;
    this.onPick(nearest.bone);
    return true;
  }

  /** Returns the visible bone at a point of the page; null if there is none. */
  boneAt({ x, y }: Vector2Like): Object3D | null {
    return this.#skeleton?.pick(this.#placeOf(x, y), this.#view.cameraRig.active) ?? null;
  }

  /** Converts page coordinates into normalized device coordinates. */
  #placeOf(x: number, y: number): Vector2 {
    const { left, top, width, height } = this.#host.getBoundingClientRect();
    return new Vector2(((x - left) / width) * 2 - 1, 1 - ((y - top) / height) * 2);
  }

  /**
   * Returns the intersection with the nearest visible mesh at a point of the page; null if there is
   * none.
   */
  hitAt({ x, y }: Vector2Like): Intersection | null {
    const { model } = this;
    if (!model) return null;
    const ray = new Raycaster();
    ray.setFromCamera(this.#placeOf(x, y), this.#view.cameraRig.active);
    const hits = ray.intersectObjects(
      [...wholeCharacter(model), ...this.secondaryModels].map(({ rig }) => rig.scene),
      true,
    );
    return hits.find(({ object }) => 'isMesh' in object && isSeen(object)) ?? null;
  }

  /**
   * Draws the names of bones and moves the label to the selected node. `width` and `height`: size
   * of the viewport in CSS pixels.
   */
  placeLabel(camera: Camera, { width, height }: View['size']): void {
    paintOnPage(this.names, camera, width, height);
    const named = this.#named.peek();
    if (!named) return;
    const at = named.getWorldPosition(new Vector3()).project(camera);
    this.label.style.transform = `translate(${((at.x + 1) / 2) * width}px, ${((1 - at.y) / 2) * height}px)`;
  }
}

/** Returns the bones of a model, or the visible hand joints of a recording. */
export const jointsOf = ({ bones }: Model, recording: RecordingOverlay | null): readonly Object3D[] =>
  bones.length > 0 ? bones : (recording?.hands ?? []).flatMap(({ hand }) => Object.values(hand.joints).filter(({ visible }) => visible));

/** Returns the sockets of a model: nodes to which other models can be attached. */
export const socketsOf = ({ rig }: Model): Object3D[] =>
  rig.file.scene!.features.flatMap(({ kind, node }) => (kind === 'socket' && node !== undefined ? (rig.nodes[node] ?? []) : []));

function isSeen(object: Object3D): boolean {
  for (let each: Object3D | null = object; each; each = each.parent) if (!each.visible) return false;
  return true;
}
