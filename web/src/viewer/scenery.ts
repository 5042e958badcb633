// What stands on the stage: the model, its overlays and looks. The rest of the page calls this instead of the stage.
import { effect, signal } from '@preact/signals-core';
import { type Object3D, Vector2, Vector3 } from 'three';
import type { Echo } from '../player/echo.ts';
import { isBare, type Model, nameOf, wholeOf } from '../player/model.ts';
import { PlayedMotion } from '../player/motion.ts';
import {
  GhostOverlay,
  GizmoOverlay,
  hasVertexColors,
  isRecording,
  Painter,
  plainLighting,
  Playback,
  present,
  type RecordingColors,
  RecordingOverlay,
  recordingView,
  setVertexColors,
  setWireframe,
  SkeletonOverlay,
  TrailOverlay,
  vertexColorsShown,
  View,
} from '../stage/index.ts';
import { el } from './dom.ts';
import type { Look } from './panels/scene.ts';

/** Of a trail. */
const MOST_MOMENTS = 1200;
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
  /** What is seen, and who draws it: its canvas is the page's stage. */
  readonly view: View;
  readonly painter = new Painter();
  readonly playback = new Playback();
  /** The stage looks through a recorded camera. */
  readonly isThrough = signal(false);
  /** Layers of vertex colours, and the one that is shown; null: none. */
  readonly colors = signal<{ layer: number | null; layers: number }>({ layer: null, layers: 0 });
  /** The bone that somebody has chosen. */
  readonly bone = signal<Object3D | null>(null);
  /** The way of that bone is drawn. */
  readonly hasTrail = signal(false);
  readonly label = el('div', { class: 'bone-label', hidden: true });
  #root: HTMLElement;
  #host: HTMLElement;
  #model: Model | null = null;
  #skeleton: SkeletonOverlay | null = null;
  #recording: RecordingOverlay | null = null;
  #gizmos: GizmoOverlay | null = null;
  #ghost: GhostOverlay | null = null;
  #trail: TrailOverlay | null = null;
  #motion: PlayedMotion | null = null;
  #isRootLocked = false;
  #trails = false;
  /** The time has jumped: what fades or trails behind starts anew. */
  #jumped = false;
  #shownTime = 0;
  readonly #observer = new ResizeObserver(() => this.#resize());

  /** `root` has the page's colours. */
  constructor(root: HTMLElement, host: HTMLElement, { isHeld, onDrawn, onLost }: SceneryEvents) {
    this.#root = root;
    this.#host = host;
    const { canvas } = this.painter;
    this.view = new View(canvas, {
      tick: seconds => !isHeld() && this.#tick(seconds),
      posed: seconds => this.#posed(seconds),
      drawn: () => {
        this.#placeLabel();
        onDrawn();
      },
      context: onLost,
    });
    canvas.tabIndex = 0;
    canvas.setAttribute('role', 'img');
    host.append(canvas);
    this.painter.add(this.view, null);
    this.#observer.observe(host);
    this.#resize();
    this.view.rig.followed = () =>
      this.#model?.bones[0] && !this.#isRootLocked ? this.#model.bones[0].getWorldPosition(new Vector3()).setY(0) : null;
    this.playback.onPose = () => {
      this.#jumped = true;
      this.view.invalidate();
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
    const { rig, file, sky, pieces } = model;
    const scene = file.scene!;
    const first =
      isRecording(scene) && scene.clips.length > 0 ? new PlayedMotion(model, { given: model.given, file }, [0], 'file', false) : null;
    const subject = { rig, others: pieces.map(piece => piece.rig), sky, colors: this.#recordingColors(), first, frame };
    const { recording } = present(this.view, subject, { RecordingOverlay, recordingView });
    first?.stop();
    this.isThrough.value = false;
    this.#recording = recording;
    this.colors.value = {
      layer: vertexColorsShown(rig.scene) ? 0 : null,
      layers: hasVertexColors(rig.scene) ? Math.max(rig.colorLayers, 1) : 0,
    };
    if (recording) {
      recording.trails = this.#trails;
      return;
    }
    this.#gizmos = GizmoOverlay.of(scene, rig.nodes, (this.view.extent?.radius ?? 1) * 0.12);
    if (this.#gizmos) this.view.overlays.add(this.#gizmos.object);
  }

  /** The stage is empty. Whoever owns the model disposes of it. */
  clear(): void {
    this.#model = null;
    this.#motion = null;
    this.bone.value = null;
    this.showGhost(null);
    this.showTrail(false);
    this.playback.select(null);
    this.showBones(false);
    this.#recording?.dispose();
    this.#recording = null;
    this.#gizmos?.dispose();
    this.#gizmos = null;
    this.view.sky = null;
    this.view.lighting = 'studio';
    this.colors.value = { layer: null, layers: 0 };
    this.view.show(null);
    this.isThrough.value = false;
  }

  /** A motion of the model; null: the rest pose. What stood there goes over into it within `fade` seconds. */
  play(motion: PlayedMotion | null, isPlaying: boolean, fade: number): void {
    const begin = fade > 0 ? motion?.fadeIn(fade) : undefined;
    this.#motion = motion;
    this.playback.select(motion, isPlaying);
    if (!this.#recording) this.view.rig.frame(motion);
    begin?.();
    this.settle();
  }

  // ---------------------------------------------------------------- how it looks

  showBones(on: boolean): void {
    this.#skeleton?.dispose();
    this.#skeleton = null;
    const model = this.#model;
    if (model && model.bones.length > 0 && (on || isBare(model))) {
      this.#skeleton = new SkeletonOverlay(model.bones, (this.view.extent?.radius ?? 1) * 0.06);
      this.#skeleton.select(this.bone.peek());
      this.view.overlays.add(this.#skeleton.object);
    }
    if (!this.#skeleton) this.selectBone(null);
    this.view.invalidate();
  }

  /** Null: none. */
  selectBone(bone: Object3D | null): void {
    this.bone.value = bone;
    this.#skeleton?.select(bone);
    this.label.hidden = bone === null;
    this.label.textContent = bone ? nameOf(bone) : '';
    this.view.invalidate();
  }

  /** The skeleton of another motion beside what plays, at the same time; null: none. */
  showGhost(echo: Echo | null): void {
    this.#ghost?.dispose();
    this.#ghost = echo && new GhostOverlay(echo.lines.length / 2, (time, to) => echo.pose(time, to));
    if (this.#ghost) this.view.overlays.add(this.#ghost.object);
    this.view.invalidate();
  }

  /** The way of the chosen bone through what plays. */
  showTrail(on: boolean): void {
    this.#trail?.dispose();
    this.#trail = null;
    const [model, bone] = [this.#model, this.bone.peek()];
    const echo = on && model && bone ? this.#motion?.echo(model) : undefined;
    if (echo) {
      const moments = Math.min(Math.max(Math.round(echo.duration * (echo.frameRate || 30)) * 2, 2), MOST_MOMENTS);
      this.#trail = new TrailOverlay(echo.trail(model!.rig.nodes.indexOf(bone!), moments), model!.rig.scene.matrixWorld);
      this.view.overlays.add(this.#trail.object);
    }
    this.hasTrail.value = this.#trail !== null;
    this.view.invalidate();
  }

  showWire(on: boolean): void {
    for (const { rig } of this.#model ? wholeOf(this.#model) : []) setWireframe(rig.scene, on);
    this.view.invalidate();
  }

  showGrid(on: boolean): void {
    this.view.ground.gridVisible = on;
    this.view.invalidate();
  }

  showTrails(on: boolean): void {
    this.#trails = on;
    if (this.#recording) this.#recording.trails = on;
    this.view.invalidate();
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
    this.view.invalidate();
  }

  /** The file's sky or lights, or outlines of what has no surface. */
  showLook(look: Look, on: boolean): void {
    if (!this.#model) return;
    if (look === 'sky') {
      this.view.sky = on ? this.#model.sky : null;
    } else if (look === 'lamps') {
      for (const lamp of this.#model.lamps) lamp.visible = on;
      this.view.lighting = on ? 'content' : plainLighting(this.#model.file.scene!);
    } else {
      this.#gizmos?.show(look, on);
    }
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

  /** The eye follows the root of the skeleton unless it is kept in place. */
  lockRoot(isLocked: boolean): void {
    this.#isRootLocked = isLocked;
  }

  /** The picture as the recorded head saw it, or the visitor's own again. */
  lookThrough(on: boolean): void {
    this.view.rig.eye = on ? (this.#recording?.camera ?? null) : null;
    this.isThrough.value = this.view.rig.eye !== null;
    this.view.invalidate();
  }

  resetView(): void {
    this.view.rig.reset();
    this.isThrough.value = false;
  }

  /** The page's colours have changed. */
  paint(): void {
    const style = getComputedStyle(this.#root);
    const value = (name: string): string => style.getPropertyValue(name).trim();
    this.#recording?.setColors(this.#recordingColors());
    this.view.setColors({
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
    let isMoving = this.#motion?.isFading ?? false;
    // Time stands still, but not what goes over into the motion.
    if (isMoving && !isPlaying) this.#motion!.seek(this.playback.time, seconds);
    for (const { rig } of this.#model ? wholeOf(this.#model) : []) isMoving = rig.live(seconds) || isMoving;
    return isPlaying || isMoving;
  }

  #posed(seconds: number): boolean {
    this.#skeleton?.update();
    this.#gizmos?.update();
    if (this.#model) this.#ghost?.update(this.playback.time, this.#model.rig.scene.matrixWorld);
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
    const bone = this.bone.peek();
    if (!bone) return;
    const at = bone.getWorldPosition(new Vector3()).project(this.view.rig.active);
    this.label.style.transform = `translate(${((at.x + 1) / 2) * this.#host.clientWidth}px, ${((1 - at.y) / 2) * this.#host.clientHeight}px)`;
  }

  /** A click that is not a drag chooses a bone. */
  listen(signal: AbortSignal): void {
    const { canvas } = this.painter;
    const down = new Vector2();
    canvas.addEventListener('pointerdown', event => down.set(event.clientX, event.clientY), { signal });
    canvas.addEventListener(
      'pointerup',
      event => {
        if (!this.#skeleton || down.distanceTo(new Vector2(event.clientX, event.clientY)) > CLICK) return;
        const box = canvas.getBoundingClientRect();
        const bone = this.#skeleton.pick(
          new Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2),
          this.view.rig.active,
        );
        this.selectBone(bone);
      },
      { signal },
    );
  }

  #resize(): void {
    this.view.setSize(this.#host.clientWidth, this.#host.clientHeight);
  }

  /** Draws now, outside of the loop. */
  drawNow(seconds = 0): void {
    this.painter.drawNow(this.view, seconds);
  }

  dispose(): void {
    this.#observer.disconnect();
    this.clear();
    this.view.dispose();
    this.painter.dispose();
  }
}
