// What stands on the stage: the model, its overlays, how it looks and moves. The rest of the page calls this instead of the stage.
import { effect } from '@preact/signals-core';
import type { Object3D } from 'three';
import type { Placement } from '../session/viewSettings.ts';
import { type Model, wholeCharacter } from '../session/model.ts';
import { LayeredAction } from '../session/layeredAction.ts';
import { restPose } from '../session/clipAction.ts';
import {
  type GizmoOverlay,
  isRecording,
  mayHaveGizmos,
  SharedRenderer,
  Playback,
  present,
  type RecordingOverlay,
  View,
} from '../view/index.ts';
import { Appearance } from './appearance.ts';
import { groundColors, recordingColors } from './colors.ts';
import { Eye } from './eye.ts';
import { Overlays } from './overlays.ts';
import { Placing } from './placing.ts';
import { Tools } from './tools.ts';

export interface SceneryEvents {
  /** Whether time stands still now. */
  isHeld: () => boolean;
  /** A frame has been drawn. */
  onDrawn: () => void;
  /** The graphics context was taken away, or came back. */
  onLost: (isLost: boolean) => void;
}

/** What moves with the model. `live`: whether it goes on by itself. */
export interface Follower {
  update(time: number): void;
  live(seconds: number): boolean;
}

interface Beside {
  object: Object3D;
  update(time: number): void;
}

export class Scenery {
  /** What is seen, and who draws it: its canvas is the page's stage. */
  readonly view: View;
  readonly sharedRenderer = new SharedRenderer();
  readonly playback = new Playback();
  readonly eye: Eye;
  readonly #placing: Placing;
  readonly tools = new Tools();
  readonly overlays: Overlays;
  readonly appearance: Appearance;
  #root: HTMLElement;
  #host: HTMLElement;
  #model: Model | null = null;
  #recording: RecordingOverlay | null = null;
  #beside: Beside | null = null;
  /** Other models on the stage, which move with the one that plays. */
  readonly followers: Follower[] = [];
  #gizmos: GizmoOverlay | null = null;
  #motion: LayeredAction | null = null;
  #trails = false;
  /** The time has jumped: fading colours of hands start anew. */
  #jumped = false;
  #shownTime = 0;
  readonly #observer = new ResizeObserver(() => this.#resize());

  /** `root` has the page's colours. */
  constructor(root: HTMLElement, host: HTMLElement, { isHeld, onDrawn, onLost }: SceneryEvents) {
    this.#root = root;
    this.#host = host;
    const { canvas } = this.sharedRenderer;
    this.view = new View(canvas, {
      tick: seconds => !isHeld() && this.#tick(seconds),
      posed: seconds => this.#posed(seconds),
      drawn: () => {
        this.overlays.placeLabel(this.view.cameraRig.active, this.view.size);
        onDrawn();
      },
      context: onLost,
    });
    this.overlays = new Overlays(this.view, canvas);
    this.appearance = new Appearance(this.view, this.overlays);
    this.eye = new Eye(this.view);
    this.#placing = new Placing(this.view, this.eye);
    canvas.tabIndex = 0;
    // Its keys are its own: arrows turn it.
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
      const isThrough = this.eye.isThrough.value;
      if (this.#recording) this.#recording.showsGizmos = !isThrough;
    });
  }

  get recording(): RecordingOverlay | null {
    return this.#recording;
  }

  /** Another take, which follows the time of the one that plays. */
  get beside(): Beside | null {
    return this.#beside;
  }

  set beside(beside: Beside | null) {
    this.#beside?.object.removeFromParent();
    this.#beside = beside;
    if (beside) this.view.overlays.add(beside.object);
    beside?.update(this.playback.time);
    this.view.invalidate();
  }

  get gizmos(): GizmoOverlay | null {
    return this.#gizmos;
  }

  /** Something is drawn that is no surface of the model's: hands, outlines or a sky. */
  get showsMore(): boolean {
    return this.#recording !== null || this.#gizmos !== null || Boolean(this.#model?.sky);
  }

  // ---------------------------------------------------------------- who stands there

  /** Fetches and makes what drawing the model takes, so that it appears at once when it takes the stage. */
  async prepare({ rig, file, pieces }: Model): Promise<void> {
    await this.tools.prepare(file.scene!);
    for (const { scene } of [rig, ...pieces.map(piece => piece.rig)]) {
      if (scene.parent === null) await this.sharedRenderer.prepare(this.view, scene);
    }
  }

  /** Puts a model on the empty stage, for which `tools` are prepared; a recording gets its hands, head and gaze. `frame`: the camera is put in place, too. */
  present(model: Model, frame: boolean): void {
    this.#model = model;
    this.overlays.model = this.eye.model = model;
    const { rig, file, sky, pieces } = model;
    const scene = file.scene!;
    const firstClip =
      isRecording(scene) && scene.clips.length > 0 ? new LayeredAction(model, { given: model.given, file }, [0], 'file', false) : null;
    const subject = { rig, otherRigs: pieces.map(piece => piece.rig), sky, colors: recordingColors(this.#root), firstClip, frame };
    const { recording, front } = present(this.view, subject, this.tools.recording);
    firstClip?.stop();
    this.#recording = recording;
    this.eye.begin(front, recording?.camera ?? null);
    if (!recording && mayHaveGizmos(scene))
      this.#gizmos = this.tools.gizmos?.of(scene, rig.nodes, (this.view.extent?.radius ?? 1) * 0.12) ?? null;
    if (this.#gizmos) this.view.overlays.add(this.#gizmos.object);
    this.appearance.begin(model, this.#gizmos);
  }

  /** Puts the model otherwise than its file says, and looks at it anew. */
  place(placement: Placement): void {
    if (this.#model && !this.#recording && this.#placing.place(this.#model.rig, placement)) this.frame();
  }

  /** Looks anew at a model that stands otherwise now, from its front where that is known. */
  lookAtFront(): void {
    if (this.#model) this.#placing.lookAtFront(this.#model.rig);
    this.frame();
  }

  /** The stage is empty. Whoever owns the model disposes of it. */
  clear(): void {
    this.#model = this.eye.model = null;
    this.#motion = null;
    this.overlays.clear();
    this.playback.select(null);
    this.#recording?.dispose();
    this.#recording = null;
    this.#gizmos?.dispose();
    this.#gizmos = null;
    this.#placing.reset();
    this.appearance.begin(null, null);
    this.view.show(null);
    this.eye.clear();
  }

  /** What plays; null: the rest pose. */
  get motion(): LayeredAction | null {
    return this.#motion;
  }

  /** A motion of the model; null: the rest pose. What stood there goes over into it within `fade` seconds. */
  play(motion: LayeredAction | null, isPlaying: boolean, fade: number): void {
    const begin = fade > 0 ? motion?.prepareCrossFade(fade) : undefined;
    this.#motion = motion;
    this.playback.select(motion, isPlaying);
    if (!this.#recording) this.view.cameraRig.frame(motion);
    begin?.();
    if (!motion) this.#rest();
    this.settle();
  }

  /** Other models have come or gone: there is room in the picture for all of them. */
  frame(): void {
    this.view.cameraRig.frame(this.#motion);
    this.view.invalidate();
  }

  /** What follows and reaches does so anew: one of them was switched. */
  solve(): void {
    if (this.#motion) this.playback.seek(this.playback.time);
    else this.#rest();
    this.view.invalidate();
  }

  #rest(): void {
    if (this.#model) restPose(wholeCharacter(this.#model).map(({ rig }) => rig));
  }

  // ---------------------------------------------------------------- how it moves, and the page's colours

  showTrails(on: boolean): void {
    this.#trails = on;
    this.view.invalidate();
  }

  /** Spring bones on or off. */
  swing(on: boolean): void {
    const springs = this.#model?.rig.springs;
    if (!springs) return;
    springs.isOn = on;
    this.view.invalidate();
  }

  /** Spring bones go back to rest. */
  settle(): void {
    this.#model?.rig.springs?.reset();
    this.view.invalidate();
  }

  /** The page's colours have changed. */
  paint(): void {
    this.#recording?.setColors(recordingColors(this.#root));
    this.view.setColors(groundColors(this.#root));
  }

  // ---------------------------------------------------------------- frames

  #tick(seconds: number): boolean {
    const isPlaying = this.playback.tick(seconds);
    let isMoving = this.#motion?.isFading ?? false;
    // Time stands still, but not what goes over into the motion.
    if (isMoving && !isPlaying) this.#motion!.seek(this.playback.time, seconds);
    for (const { rig } of this.#model ? wholeCharacter(this.#model) : []) isMoving = rig.live(seconds) || isMoving;
    for (const follower of this.followers) isMoving = follower.live(seconds) || isMoving;
    return isPlaying || isMoving;
  }

  #posed(seconds: number): boolean {
    this.overlays.update(this.playback.time);
    this.#gizmos?.update();
    this.eye.update();
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

  /** Draws now, outside of the loop. */
  drawNow(seconds = 0): void {
    this.sharedRenderer.drawNow(this.view, seconds);
  }

  dispose(): void {
    this.#observer.disconnect();
    this.clear();
    this.view.dispose();
    this.sharedRenderer.dispose();
  }
}
