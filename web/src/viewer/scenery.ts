// What stands on the stage: the model, its overlays and looks. The rest of the page calls this instead of the stage.
import { effect, signal } from '@preact/signals-core';
import { Group, Vector2, Vector3 } from 'three';
import { facingOf } from '../core/facing.ts';
import { isBare, type Model, nameOf, wholeOf } from '../player/model.ts';
import { PlayedMotion } from '../player/motion.ts';
import {
  firstLook,
  fitShadows,
  GizmoOverlay,
  hasVertexColors,
  Playback,
  type RecordingColors,
  RecordingOverlay,
  recordingView,
  setVertexColors,
  setWireframe,
  SkeletonOverlay,
  Stage,
  vertexColorsShown,
} from '../stage/index.ts';
import { el } from './dom.ts';
import type { Look } from './panels/scene.ts';

/** Which way a model looks is taken for known from this certainty on. */
const SURE = 0.5;
/** A pointer that moves farther was dragged; pixels. */
const CLICK = 4;

export interface SceneryEvents {
  /** Whether time stands still now. */
  isHeld: () => boolean;
  /** A frame has been drawn. */
  onDrawn: () => void;
  /** The graphics context was taken away, or came back. */
  onLost: (isLost: boolean) => void;
}

export class Scenery {
  readonly stage: Stage;
  readonly playback = new Playback();
  /** The stage looks through a recorded camera. */
  readonly isThrough = signal(false);
  /** Layers of vertex colours, and the one that is shown; null: none. */
  readonly colors = signal<{ layer: number | null; layers: number }>({ layer: null, layers: 0 });
  readonly label = el('div', { class: 'bone-label', hidden: true });
  #root: HTMLElement;
  #host: HTMLElement;
  #model: Model | null = null;
  #skeleton: SkeletonOverlay | null = null;
  #recording: RecordingOverlay | null = null;
  #gizmos: GizmoOverlay | null = null;
  #isRootLocked = false;
  #trails = false;
  /** The time has jumped: what fades or trails behind starts anew. */
  #jumped = false;
  #shownTime = 0;

  /** `root` has the page's colours. */
  constructor(root: HTMLElement, host: HTMLElement, { isHeld, onDrawn, onLost }: SceneryEvents) {
    this.#root = root;
    this.#host = host;
    this.stage = new Stage(host, {
      tick: seconds => !isHeld() && this.#tick(seconds),
      posed: seconds => this.#posed(seconds),
      drawn: () => {
        this.#placeLabel();
        onDrawn();
      },
      context: onLost,
    });
    this.stage.canvas.setAttribute('role', 'img');
    this.stage.followed = () =>
      this.#model?.bones[0] && !this.#isRootLocked ? this.#model.bones[0].getWorldPosition(new Vector3()).setY(0) : null;
    this.playback.onPose = () => {
      this.#jumped = true;
      this.stage.invalidate();
    };
    effect(() => {
      const isThrough = this.isThrough.value;
      if (this.#recording) this.#recording.gizmos = !isThrough;
    });
  }

  get recording(): RecordingOverlay | null {
    return this.#recording;
  }

  get gizmos(): GizmoOverlay | null {
    return this.#gizmos;
  }

  /** Something is drawn that is no surface of the model's: hands, outlines or a sky. */
  get showsMore(): boolean {
    return this.#recording !== null || this.#gizmos !== null || Boolean(this.#model?.sky);
  }

  // ---------------------------------------------------------------- who stands there

  /** Puts a model on the empty stage; a recording gets its hands, head and gaze. `frame`: the camera is put in place, too. */
  present(model: Model, frame: boolean): void {
    this.#model = model;
    const { rig, file, isAvatar, lamps, sky } = model;
    if (isAvatar) rig.scene.rotation.y = Math.PI; // it looks at us
    rig.springs?.turnWorld(rig.scene.quaternion);
    rig.scene.updateMatrixWorld(true);
    rig.springs?.reset();
    this.stage.lighting = lamps.length > 0 ? 'content' : flatOrStudio(model);
    this.stage.sky = isAvatar ? null : sky;
    this.#recording = RecordingOverlay.of(rig, this.#recordingColors());
    this.colors.value = {
      layer: vertexColorsShown(rig.scene) ? 0 : null,
      layers: hasVertexColors(rig.scene) ? Math.max(rig.colorLayers, 1) : 0,
    };
    if (!this.#recording) {
      const facing = facingOf(file.scene!.nodes, [0, 1, 0]);
      const forward = facing && facing.certainty >= SURE ? new Vector3(...facing.forward).applyQuaternion(rig.scene.quaternion) : undefined;
      const whole = model.pieces.length > 0 ? new Group().add(...wholeOf(model).map(one => one.rig.scene)) : rig.scene;
      this.#show(() => this.stage.show(whole, frame, { direction: firstLook(forward) }));
      if (this.stage.extent) fitShadows(lamps, this.stage.extent.box);
      this.#gizmos = GizmoOverlay.of(file.scene!, rig.nodes, (this.stage.extent?.radius ?? 1) * 0.12);
      if (this.#gizmos) this.stage.overlays.add(this.#gizmos.object);
      return;
    }
    this.#recording.trails = this.#trails;
    const both = new Group().add(rig.scene, this.#recording.object);
    const played = file.scene!.clips.length > 0 ? new PlayedMotion(model, { given: model.given, file }, [0], 'file', false) : null;
    const view = recordingView(rig, played?.duration ?? 0, time => played?.seek(time));
    played?.stop();
    this.#show(() => this.stage.show(both, frame, view));
  }

  /** The stage is empty. Whoever owns the model disposes of it. */
  clear(): void {
    this.#model = null;
    this.playback.select(null);
    this.showBones(false);
    this.#recording?.dispose();
    this.#recording = null;
    this.#gizmos?.dispose();
    this.#gizmos = null;
    this.stage.sky = null;
    this.stage.lighting = 'studio';
    this.colors.value = { layer: null, layers: 0 };
    this.#show(() => this.stage.show(null));
  }

  /** The stage forgets through whose eyes it looked. */
  #show(show: () => void): void {
    show();
    this.isThrough.value = this.stage.eye !== null;
  }

  /** A motion of the model; null: the rest pose. */
  play(motion: PlayedMotion | null, isPlaying: boolean): void {
    this.playback.select(motion, isPlaying);
    if (!this.#recording) this.stage.frame(motion);
    this.settle();
  }

  // ---------------------------------------------------------------- how it looks

  showBones(on: boolean): void {
    this.#skeleton?.dispose();
    this.#skeleton = null;
    this.label.hidden = true;
    const model = this.#model;
    if (model && model.bones.length > 0 && (on || isBare(model))) {
      this.#skeleton = new SkeletonOverlay(model.bones, (this.stage.extent?.radius ?? 1) * 0.06);
      this.stage.overlays.add(this.#skeleton.object);
    }
    this.stage.invalidate();
  }

  showWire(on: boolean): void {
    for (const { rig } of this.#model ? wholeOf(this.#model) : []) setWireframe(rig.scene, on);
    this.stage.invalidate();
  }

  showGrid(on: boolean): void {
    this.stage.ground.gridVisible = on;
    this.stage.invalidate();
  }

  showTrails(on: boolean): void {
    this.#trails = on;
    if (this.#recording) this.#recording.trails = on;
    this.stage.invalidate();
  }

  /** One layer of vertex colours after the other, then none. */
  nextColors(): void {
    const { layer, layers } = this.colors.value;
    const rig = this.#model?.rig;
    if (!rig || layers === 0) return;
    const next = layer === null ? 0 : layer + 1;
    const isShown = next < rig.colorLayers;
    if (isShown) rig.showColorLayer(next);
    setVertexColors(rig.scene, isShown);
    this.colors.value = { layer: isShown ? next : null, layers };
    this.stage.invalidate();
  }

  /** The file's sky or lights, or outlines of what has no surface. */
  showLook(look: Look, on: boolean): void {
    if (!this.#model) return;
    const { lamps, sky } = this.#model;
    if (look === 'sky') {
      this.stage.sky = on ? sky : null;
    } else if (look === 'lamps') {
      for (const lamp of lamps) lamp.visible = on;
      this.stage.lighting = on ? 'content' : flatOrStudio(this.#model);
    } else {
      this.#gizmos?.show(look, on);
    }
    this.stage.invalidate();
  }

  /** Spring bones on or off. */
  swing(on: boolean): void {
    const springs = this.#model?.rig.springs;
    if (!springs) return;
    springs.isOn = on;
    this.stage.invalidate();
  }

  /** Spring bones go back to rest. */
  settle(): void {
    this.#model?.rig.springs?.reset();
    this.stage.invalidate();
  }

  /** The eye follows the root of the skeleton unless it is kept in place. */
  lockRoot(isLocked: boolean): void {
    this.#isRootLocked = isLocked;
  }

  /** The picture as the recorded head saw it, or the visitor's own again. */
  lookThrough(on: boolean): void {
    this.stage.eye = on ? (this.#recording?.camera ?? null) : null;
    this.isThrough.value = this.stage.eye !== null;
    this.stage.invalidate();
  }

  resetView(): void {
    this.stage.resetView();
    this.isThrough.value = false;
  }

  /** The page's colours have changed. */
  paint(): void {
    const style = getComputedStyle(this.#root);
    const value = (name: string): string => style.getPropertyValue(name).trim();
    this.#recording?.setColors(this.#recordingColors());
    this.stage.setColors({
      grid: value('--grid') || '#888888',
      gridOpacity: Number(value('--grid-opacity') || 0.4),
      shadowOpacity: Number(value('--shadow-opacity') || 0.4),
    });
  }

  #recordingColors(): RecordingColors {
    const style = getComputedStyle(this.#root);
    const value = (name: string, other: string): string => style.getPropertyValue(name).trim() || other;
    return {
      skin: value('--skin', '#e6cfc0'),
      pinch: value('--pinch', '#0fa89f'),
      camera: value('--camera', '#6b7078'),
      gaze: value('--gaze', '#d9822b'),
    };
  }

  // ---------------------------------------------------------------- frames and clicks

  #tick(seconds: number): boolean {
    const isPlaying = this.playback.tick(seconds);
    let isMoving = false;
    for (const { rig } of this.#model ? wholeOf(this.#model) : []) isMoving = rig.live(seconds) || isMoving;
    return isPlaying || isMoving;
  }

  #posed(seconds: number): boolean {
    this.#skeleton?.update();
    this.#gizmos?.update();
    if (!this.#recording) return false;
    const { time } = this.playback;
    const isJump = this.#jumped || time < this.#shownTime;
    this.#jumped = false;
    this.#shownTime = time;
    if (!isJump) return this.#recording.update(seconds);
    this.#recording.settle();
    return false;
  }

  #placeLabel(): void {
    const bone = this.#skeleton?.selected;
    if (!bone) return;
    const at = bone.getWorldPosition(new Vector3()).project(this.stage.view);
    this.label.style.transform = `translate(${((at.x + 1) / 2) * this.#host.clientWidth}px, ${((1 - at.y) / 2) * this.#host.clientHeight}px)`;
  }

  /** A click that is not a drag chooses a bone. */
  listen(signal: AbortSignal): void {
    const { canvas } = this.stage;
    const down = new Vector2();
    canvas.addEventListener('pointerdown', event => down.set(event.clientX, event.clientY), { signal });
    canvas.addEventListener(
      'pointerup',
      event => {
        if (!this.#skeleton || down.distanceTo(new Vector2(event.clientX, event.clientY)) > CLICK) return;
        const box = canvas.getBoundingClientRect();
        const bone = this.#skeleton.pick(
          new Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2),
          this.stage.view,
        );
        this.#skeleton.select(bone);
        this.label.hidden = bone === null;
        this.label.textContent = bone ? nameOf(bone) : '';
        this.stage.invalidate();
      },
      { signal },
    );
  }

  dispose(): void {
    this.clear();
    this.stage.dispose();
  }
}

/** Flat shaders know no surroundings. */
function flatOrStudio({ file }: Model): 'toon' | 'studio' {
  return file.scene!.materials.some(({ model }) => model === 'mtoon' || model === 'liltoon') ? 'toon' : 'studio';
}
