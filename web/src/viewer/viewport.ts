// The viewport: the shown model with its overlays, appearance and playback. Other parts of the page
// use this class instead of the modules in `view/`.
import { effect, signal } from '@preact/signals-core';
import type { Box3, Object3D } from 'three';
import type { Placement } from '../session/viewSettings.ts';
import { type Model, wholeCharacter } from '../session/model.ts';
import { LayeredAction } from '../session/layeredAction.ts';
import { restPose } from '../session/clipAction.ts';
import {
  type GizmoOverlay,
  type InitialView,
  isRecording,
  mayHaveGizmos,
  type SharedRenderer,
  Playback,
  present,
  type RecordingColors,
  type RecordingOverlay,
  View,
} from '../view/index.ts';
import { Appearance } from './appearance.ts';
import { comparedColors, groundColors, recordingColors } from './colors.ts';
import { CameraView } from './cameraView.ts';
import { Covers } from './covers.ts';
import type { Fly } from './fly.ts';
import { ImmersiveControl } from './immersive.ts';
import { paintOnPage } from './overlayCanvas.ts';
import type { Measure } from './measure.ts';
import { Overlays } from './overlays.ts';
import { ModelPlacement } from './modelPlacement.ts';
import { Tools } from './tools.ts';

export interface ViewportEvents {
  /** Returns true while playback must pause. */
  isPaused: () => boolean;
  /** Called after each drawn frame. */
  onDrawn: () => void;
  /** Called when the graphics context is lost (true) or restored (false). */
  onLost: (isLost: boolean) => void;
}

/**
 * An object that follows the playback time. `update` moves it to a time in seconds. `advance`
 * continues spring bones and similar effects for the given seconds, and returns true while they are
 * moving.
 */
export interface Follower {
  update(time: number): void;
  advance(seconds: number): boolean;
}

interface ComparedObject {
  object: Object3D;
  /** Bounds over the whole recording. */
  box: Box3;
  update(time: number): void;
  setColors(colors: RecordingColors): void;
}

export class Viewport {
  /** The 3D view, which draws to the canvas of `sharedRenderer`. */
  readonly view: View;
  readonly sharedRenderer: SharedRenderer;
  readonly playback = new Playback();
  readonly cameraView: CameraView;
  readonly covers: Covers;
  readonly #placement: ModelPlacement;
  readonly tools = new Tools();
  readonly overlays: Overlays;
  /** Measures lengths; null until the visitor first measures. */
  readonly measure = signal<Measure | null>(null);
  /** Moves the camera in fly mode; null until the visitor first flies. */
  readonly fly = signal<Fly | null>(null);
  readonly immersive: ImmersiveControl;
  readonly appearance: Appearance;
  #root: HTMLElement;
  #host: HTMLElement;
  #model: Model | null = null;
  #recording: RecordingOverlay | null = null;
  /** Bounds and initial camera direction of the current recording; null for other models. */
  #recordingView: InitialView | null = null;
  #beside: ComparedObject | null = null;
  /** Secondary models, which follow the playback time. */
  readonly followers: Follower[] = [];
  #gizmos: GizmoOverlay | null = null;
  #action: LayeredAction | null = null;
  #trails = false;
  /**
   * True if the time has jumped since the last frame. The colours of recorded hands then change
   * without a fade.
   */
  #jumped = false;
  #shownTime = 0;
  readonly #observer = new ResizeObserver(() => this.#resize());

  /** `root`: element with the page's CSS variables. */
  constructor(root: HTMLElement, host: HTMLElement, sharedRenderer: SharedRenderer, { isPaused, onDrawn, onLost }: ViewportEvents) {
    this.#root = root;
    this.sharedRenderer = sharedRenderer;
    this.immersive = new ImmersiveControl(this);
    this.#host = host;
    const { canvas } = this.sharedRenderer;
    this.view = new View(canvas, {
      tick: seconds => !isPaused() && this.#tick(seconds),
      posed: seconds => this.#posed(seconds),
      drawn: () => {
        const { active } = this.view.cameraRig;
        const { width, height } = this.view.size;
        this.overlays.placeLabel(active, this.view.size);
        const measure = this.measure.peek();
        measure?.update();
        if (measure) paintOnPage(measure, active, width, height);
        onDrawn();
      },
      context: onLost,
    });
    this.overlays = new Overlays(this.view, canvas);
    this.appearance = new Appearance(this.view, this.overlays);
    this.cameraView = new CameraView(this.view);
    this.covers = new Covers(this.view, host);
    this.#placement = new ModelPlacement(this.view, this.cameraView);
    canvas.tabIndex = 0;
    // With this role, the canvas receives all keys, for example arrow keys to orbit the camera.
    canvas.setAttribute('role', 'application');
    host.append(canvas);
    this.sharedRenderer.add(this.view, null);
    this.#observer.observe(host);
    this.#resize();
    this.playback.onPose = () => {
      this.#jumped = true;
      this.view.invalidate();
    };
    effect(() => {
      const isThroughCamera = this.cameraView.isThroughCamera.value;
      if (this.#recording) this.#recording.showsGizmos = !isThroughCamera;
      if (isThroughCamera) this.#stopFlying();
    });
  }

  get recording(): RecordingOverlay | null {
    return this.#recording;
  }

  /** Recording that is compared with the current recording; null if there is none. */
  get beside(): ComparedObject | null {
    return this.#beside;
  }

  set beside(beside: ComparedObject | null) {
    if (beside === this.#beside) return;
    this.#beside?.object.removeFromParent();
    this.#beside = beside;
    if (beside) this.view.overlays.add(beside.object);
    beside?.update(this.playback.time);
    this.#frameRecordings();
  }

  /** Frames the current recording together with the compared one. Keeps the recorded camera if it is in use. */
  #frameRecordings(): void {
    const own = this.#recordingView;
    if (!own?.box) return;
    // The margin for one recording is too small for two, which can fill opposite corners of the box.
    const both = this.#beside && { direction: own.direction, box: this.#beside.box.clone().union(own.box) };
    this.view.show(this.view.content, true, both ?? own);
    this.cameraView.lookThrough(this.cameraView.isThroughCamera.peek());
  }

  get gizmos(): GizmoOverlay | null {
    return this.#gizmos;
  }

  /** True if something other than meshes is visible: recorded hands, outlines or a sky. */
  get showsMore(): boolean {
    return this.#recording !== null || this.#gizmos !== null || Boolean(this.#model?.sky);
  }

  // ---------------------------------------------------------------- content

  /** Loads modules and compiles shaders for a model, so that `present` can show it immediately. */
  async prepare({ rig, file, parts }: Model): Promise<void> {
    await this.tools.prepare(file.scene!);
    for (const { scene } of [rig, ...parts.map(piece => piece.rig)]) {
      if (scene.parent === null) await this.sharedRenderer.prepare(this.view, scene);
    }
  }

  /**
   * Shows a model. Call `prepare` first; the viewport must be empty. For a recording, also shows
   * hands, head and gaze. `frame`: true to reset the camera.
   */
  present(model: Model, frame: boolean): void {
    this.#model = model;
    this.overlays.model = this.cameraView.model = model;
    const { rig, file, sky, parts } = model;
    const scene = file.scene!;
    const firstClip =
      isRecording(scene) && scene.clips.length > 0 ? new LayeredAction(model, { input: model.input, file }, [0], 'file', false) : null;
    const subject = { rig, otherRigs: parts.map(piece => piece.rig), sky, colors: recordingColors(this.#root), firstClip, frame };
    const { recording, initialView, front } = present(this.view, subject, this.tools.recording);
    firstClip?.stop();
    this.#recording = this.overlays.recording = recording;
    this.#recordingView = initialView;
    this.cameraView.begin(front, recording?.camera ?? null);
    if (!recording && mayHaveGizmos(scene))
      this.#gizmos = this.tools.gizmos?.of(scene, rig.nodes, (this.view.extent?.radius ?? 1) * 0.12) ?? null;
    if (this.#gizmos) this.view.overlays.add(this.#gizmos.object);
    this.appearance.begin(model, this.#gizmos);
  }

  /**
   * Applies a placement (up axis, rotation, scale) to the model. Frames the model if the placement
   * has changed.
   */
  place(placement: Placement): void {
    if (this.#model && !this.#recording && this.#placement.place(this.#model.rig, placement)) this.frame();
  }

  /**
   * Frames the model after its orientation has changed, from the front if its forward direction is
   * known.
   */
  viewFromFront(): void {
    if (this.#model) this.#placement.viewFromFront(this.#model.rig);
    this.frame();
  }

  /** Empties the viewport. The owner of the model must dispose it. */
  clear(): void {
    this.#model = this.cameraView.model = null;
    this.#action = null;
    this.overlays.clear();
    this.measure.peek()?.clear();
    this.#stopFlying();
    this.playback.select(null);
    this.#recording?.dispose();
    this.#recording = this.overlays.recording = this.#recordingView = null;
    this.beside = null;
    this.#gizmos?.dispose();
    this.#gizmos = null;
    this.#placement.reset();
    this.appearance.begin(null, null);
    this.view.show(null);
    this.cameraView.clear();
  }

  /** The current animation; null for the bind pose. */
  get action(): LayeredAction | null {
    return this.#action;
  }

  /** Cross-fades to an animation over `fade` seconds; null shows the bind pose. */
  play(action: LayeredAction | null, isPlaying: boolean, fade: number): void {
    const begin = fade > 0 ? action?.prepareCrossFade(fade) : undefined;
    this.#action = action;
    this.playback.select(action, isPlaying);
    if (!this.#recording) this.view.cameraRig.frame(action);
    begin?.();
    if (!action) this.#rest();
    this.settle();
  }

  /** Frames the content. Call this after secondary models were added or removed. */
  frame(): void {
    this.view.cameraRig.frame(this.#action);
    this.view.invalidate();
  }

  /** Evaluates the pose again. Call this after a constraint or IK handle was turned on or off. */
  solve(): void {
    if (this.#action) this.playback.seek(this.playback.time);
    else this.#rest();
    this.view.invalidate();
  }

  #rest(): void {
    if (this.#model) restPose(wholeCharacter(this.#model).map(({ rig }) => rig));
  }

  // ---------------------------------------------------------------- animation and colours

  showTrails(on: boolean): void {
    this.#trails = on;
    this.view.invalidate();
  }

  /** Turns spring bones on or off. */
  enableSprings(on: boolean): void {
    const springs = this.#model?.rig.springs;
    if (!springs) return;
    springs.isOn = on;
    this.view.invalidate();
  }

  /** Resets spring bones to the animated pose. */
  settle(): void {
    this.#model?.rig.springs?.reset();
    this.view.invalidate();
  }

  /** Applies the colours of the current theme. */
  applyTheme(): void {
    this.#recording?.setColors(recordingColors(this.#root));
    this.#beside?.setColors(comparedColors(this.#root));
    this.view.setColors(groundColors(this.#root));
  }

  // ---------------------------------------------------------------- frames

  #tick(seconds: number): boolean {
    const isPlaying = this.playback.tick(seconds);
    let isMoving = this.#action?.isFading ?? false;
    // A cross-fade continues while playback is paused.
    if (isMoving && !isPlaying) this.#action!.seek(this.playback.time, seconds);
    isMoving = this.advance(seconds) || isMoving;
    isMoving = this.fly.peek()?.tick(seconds) || isMoving;
    return isPlaying || isMoving;
  }

  /**
   * Advances spring bones and similar effects by `seconds`, without playback. Returns true while
   * they are moving.
   */
  advance(seconds: number): boolean {
    let isMoving = false;
    for (const { rig } of this.#model ? wholeCharacter(this.#model) : []) isMoving = rig.update(seconds) || isMoving;
    for (const follower of this.followers) isMoving = follower.advance(seconds) || isMoving;
    return isMoving;
  }

  #posed(seconds: number): boolean {
    this.overlays.update(this.playback.time);
    this.#gizmos?.update();
    this.cameraView.update();
    this.#beside?.update(this.playback.time);
    for (const follower of this.followers) follower.update(this.playback.time);
    if (!this.#recording) return false;
    const { time } = this.playback;
    this.#recording.showTrails(this.#trails ? time : null);
    const isJump = this.#jumped || time < this.#shownTime;
    this.#jumped = false;
    this.#shownTime = time;
    if (!isJump) return this.#recording.update(seconds);
    this.#recording.settle();
    return false;
  }

  #resize(): void {
    this.view.setSize(this.#host.clientWidth, this.#host.clientHeight);
  }

  #stopFlying(): void {
    const fly = this.fly.peek();
    if (fly) fly.isOn.value = false;
  }

  /** Draws immediately instead of in the next frame. */
  drawNow(seconds = 0): void {
    this.sharedRenderer.drawNow(this.view, seconds);
  }

  dispose(): void {
    this.immersive.dispose();
    this.fly.peek()?.dispose();
    this.#observer.disconnect();
    this.clear();
    this.view.dispose();
    this.sharedRenderer.dispose();
  }
}
