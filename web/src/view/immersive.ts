// Shows a view with WebXR: in a headset (VR), or over the camera picture of a phone or headset (AR).
// Content has its real size. Loaded only on devices that support it.

import { Color, Group, Mesh, MeshBasicMaterial, type Object3D, PerspectiveCamera, Quaternion, RingGeometry, Vector3 } from 'three';
import type { ImmersiveMode } from './immersiveSupport.ts';
import type { SharedRenderer } from './sharedRenderer.ts';
import type { View } from './view.ts';

export interface ImmersiveOptions {
  mode: ImmersiveMode;
  /** Returns the angle of the content's forward direction around the vertical axis, in radians. */
  front(): number;
  /**
   * Returns the recorded head, in whose place the visitor starts; null if the visitor starts in front
   * of the content.
   */
  head(): Object3D | null;
  /** Colour around the content in VR, as `#rrggbb` or an English name. Without it, the surroundings are black. */
  background?: string;
  /**
   * Element with texts and buttons that covers the camera picture of a phone. Dragging on it rotates
   * the content.
   */
  overlay?: HTMLElement;
  /** Called when the visitor presses the trigger of a controller or pinches, in VR. */
  onSelect?(): void;
  /** Called when the visitor has moved the content to a place in the room, in AR. */
  onPlaced?(): void;
  /** Called when the session has ended. */
  onEnd(): void;
}

/** Distance between the visitor and the surface of the content at the start, in metres. */
const START_DISTANCE = 1.2;
/** Distance of one step towards the content or away from it, in metres. */
const STEP = 0.5;
/** Angle by which the thumbstick turns the visitor around the content, in radians. */
const TURN = Math.PI / 6;
/** Deflection of the thumbstick that counts, and below which it is released. */
const PUSHED = 0.7;
const RELEASED = 0.3;
/** Rotation of the content while dragging on the screen, in radians per pixel. */
const DRAG_TURN = 0.01;
/** Distance in pixels above which a touch is a drag and not a tap. */
const DRAG_START = 8;
/** Maximum time by which one frame advances the content, in seconds: the headset was taken off. */
const LONGEST_FRAME = 1;

const UP = new Vector3(0, 1, 0);

/** Position and orientation of the visitor's head. */
interface HeadPose {
  position: Vector3;
  /** Rotation around the vertical axis in radians; 0 looks along −Z. */
  yaw: number;
}

/** A session of WebXR that shows one view. Create it with `Immersive.start`. */
export class Immersive {
  readonly #shared: SharedRenderer;
  readonly #view: View;
  readonly #options: ImmersiveOptions;
  readonly #session: XRSession;
  /** Returns drawing to the page. */
  readonly #release: () => void;
  /** Origin of the visitor's room in the scene. Only this object moves, never the content. */
  readonly #room = new Group();
  readonly #camera = new PerspectiveCamera();
  readonly #reticle = new Mesh(new RingGeometry(0.07, 0.09, 32).rotateX(-Math.PI / 2), new MeshBasicMaterial());
  readonly #background: Color;
  readonly #hadGrid: boolean;
  readonly #abort = new AbortController();
  #hitTest: XRHitTestSource | null = null;
  /** Content for which the visitor was placed; undefined until the first frame. */
  #placedFor: Object3D | null | undefined;
  #isStickPushed = false;
  #isDragged = false;
  #last = 0;

  /**
   * Starts a session. Call it in response to an input of the visitor. Rejects with a `DOMException`
   * if the device or the visitor refuses.
   */
  static async start(shared: SharedRenderer, view: View, options: ImmersiveOptions): Promise<Immersive> {
    const { mode, overlay } = options;
    const session = await navigator.xr!.requestSession(`immersive-${mode}`, {
      requiredFeatures: ['local-floor'],
      optionalFeatures: mode === 'ar' ? ['hit-test', 'dom-overlay'] : [],
      ...(mode === 'ar' && overlay ? { domOverlay: { root: overlay } } : {}),
    });
    const immersive = new Immersive(shared, view, options, session);
    try {
      await immersive.#begin();
    } catch (error) {
      await session.end().catch(() => {});
      throw error;
    }
    return immersive;
  }

  private constructor(shared: SharedRenderer, view: View, options: ImmersiveOptions, session: XRSession) {
    this.#shared = shared;
    this.#view = view;
    this.#options = options;
    this.#session = session;
    this.#release = shared.beginImmersive();
    this.#background = new Color(options.background ?? 'black');
    this.#hadGrid = view.ground.gridVisible;
    if (options.mode === 'ar') view.ground.gridVisible = false;
    this.#reticle.visible = false;
    this.#reticle.matrixAutoUpdate = false;
    this.#room.add(this.#camera, this.#reticle);
    view.overlays.add(this.#room); // objects in the overlays cast no shadow
    session.addEventListener('end', () => this.#end(), { once: true });
    session.addEventListener('select', () => this.#select());
    this.#turnByDragging();
  }

  /** Ends the session. It can also end by itself, for example when the visitor leaves VR. */
  async end(): Promise<void> {
    await this.#session.end().catch(() => {}); // it has already ended
  }

  async #begin(): Promise<void> {
    const { renderer } = this.#shared;
    renderer.xr.enabled = true;
    renderer.xr.setReferenceSpaceType('local-floor');
    await renderer.xr.setSession(this.#session);
    if (this.#options.mode === 'ar') this.#hitTest = await startHitTest(this.#session);
    renderer.setAnimationLoop((time, frame) => frame && this.#draw(time, frame));
  }

  #end(): void {
    const { renderer } = this.#shared;
    renderer.setAnimationLoop(null);
    renderer.xr.enabled = false;
    this.#abort.abort();
    this.#room.removeFromParent();
    this.#reticle.geometry.dispose();
    this.#reticle.material.dispose();
    this.#view.ground.gridVisible = this.#hadGrid;
    this.#release();
    this.#options.onEnd();
  }

  #draw(time: number, frame: XRFrame): void {
    const { mode } = this.#options;
    const space = this.#shared.renderer.xr.getReferenceSpace();
    const pose = space && frame.getViewerPose(space);
    if (!pose) return;
    const head = headPose(pose.transform);
    if (this.#placedFor !== this.#view.content) this.#placeVisitor(head);
    if (mode === 'vr') this.#steer(head);
    else this.#showReticle(frame, space);
    const radius = this.#view.extent?.radius ?? 1;
    this.#camera.near = 0.03;
    this.#camera.far = Math.max(radius * 40, 100);
    const seconds = this.#last === 0 ? 0 : Math.min((time - this.#last) / 1000, LONGEST_FRAME);
    this.#last = time;
    this.#shared.drawImmersive(this.#view, this.#camera, seconds, mode === 'ar' ? null : this.#background);
  }

  /**
   * Places the visitor in front of the content, on its floor, or in the place of the recorded head.
   */
  #placeVisitor({ position, yaw }: HeadPose): void {
    this.#placedFor = this.#view.content;
    const recorded = this.#options.head();
    if (recorded) {
      const wanted = headPose({
        position: recorded.getWorldPosition(new Vector3()),
        orientation: recorded.getWorldQuaternion(new Quaternion()),
      });
      this.#room.rotation.y = wanted.yaw - yaw;
      this.#room.position.copy(wanted.position).sub(position.clone().applyAxisAngle(UP, this.#room.rotation.y));
      return;
    }
    const front = this.#options.front();
    const origin = this.#origin;
    const start = origin.clone().addScaledVector(new Vector3(Math.sin(front), 0, Math.cos(front)), this.#reach + START_DISTANCE);
    this.#room.rotation.y = front - yaw;
    this.#room.position.copy(start).sub(position.clone().setY(0).applyAxisAngle(UP, this.#room.rotation.y));
  }

  /** Centre of the content on its floor. */
  get #origin(): Vector3 {
    const { extent, ground } = this.#view;
    return new Vector3(extent?.center.x ?? 0, ground.object.position.y, extent?.center.z ?? 0);
  }

  /** Half the horizontal size of the content, in metres. */
  get #reach(): number {
    const size = this.#view.extent?.box.getSize(new Vector3());
    return size ? Math.max(size.x, size.z) / 2 : 0;
  }

  /** Moves the content to a position on a surface in the room, facing the visitor. */
  #placeContent(at: Vector3, visitor: Vector3): void {
    this.#room.rotation.y = this.#options.front() - Math.atan2(visitor.x - at.x, visitor.z - at.z);
    this.#room.position.copy(this.#origin).sub(at.clone().applyAxisAngle(UP, this.#room.rotation.y));
  }

  /** Turns the visitor around the content. */
  #turn(angle: number): void {
    const origin = this.#origin;
    this.#room.rotation.y += angle;
    this.#room.position.sub(origin).applyAxisAngle(UP, angle).add(origin);
  }

  /**
   * For each push of a thumbstick, turns the visitor around the content, or moves them closer to it or
   * away from it.
   */
  #steer({ position }: HeadPose): void {
    const axes = [...this.#session.inputSources].map(({ gamepad }) => gamepad?.axes ?? []);
    // Thumbsticks are the third and fourth axis of the mapping `xr-standard`.
    const strongest = (axis: number): number =>
      axes.map(values => values[axis] ?? 0).reduce((most, value) => (Math.abs(value) > Math.abs(most) ? value : most), 0);
    const [x, y] = [strongest(2), strongest(3)];
    const push = Math.max(Math.abs(x), Math.abs(y));
    if (push < RELEASED) this.#isStickPushed = false;
    if (push < PUSHED || this.#isStickPushed) return;
    this.#isStickPushed = true;
    if (Math.abs(x) > Math.abs(y)) return this.#turn(Math.sign(x) * TURN);
    const eye = position.clone().applyAxisAngle(UP, this.#room.rotation.y).add(this.#room.position);
    const way = this.#origin.sub(eye).setY(0);
    const isCloser = y < 0; // the thumbstick is pushed forward
    if (isCloser && way.length() < STEP) return;
    this.#room.position.addScaledVector(way.normalize(), isCloser ? STEP : -STEP);
  }

  /** Shows a ring on the surface at which the visitor looks. */
  #showReticle(frame: XRFrame, space: XRReferenceSpace): void {
    const pose = this.#hitTest && frame.getHitTestResults(this.#hitTest)[0]?.getPose(space);
    this.#reticle.visible = Boolean(pose);
    if (pose) this.#reticle.matrix.fromArray(pose.transform.matrix);
  }

  #select(): void {
    if (this.#options.mode === 'vr') return this.#options.onSelect?.();
    if (this.#isDragged || !this.#reticle.visible) return;
    this.#placeContent(new Vector3().setFromMatrixPosition(this.#reticle.matrix), this.#camera.position);
    this.#options.onPlaced?.();
  }

  #turnByDragging(): void {
    const { overlay } = this.#options;
    const { signal } = this.#abort;
    let last: number | null = null;
    let distance = 0;
    overlay?.addEventListener(
      'pointerdown',
      ({ clientX }) => {
        last = clientX;
        distance = 0;
        this.#isDragged = false;
      },
      { signal },
    );
    overlay?.addEventListener(
      'pointermove',
      ({ clientX }) => {
        if (last === null) return;
        distance += Math.abs(clientX - last);
        if (distance > DRAG_START) {
          this.#isDragged = true;
          this.#turn((last - clientX) * DRAG_TURN);
        }
        last = clientX;
      },
      { signal },
    );
    for (const type of ['pointerup', 'pointercancel'] as const) overlay?.addEventListener(type, () => (last = null), { signal });
  }
}

function headPose({
  position,
  orientation,
}: {
  position: DOMPointReadOnly | Vector3;
  orientation: DOMPointReadOnly | Quaternion;
}): HeadPose {
  const { x, y, z, w } = orientation;
  const forward = new Vector3(0, 0, -1).applyQuaternion(new Quaternion(x, y, z, w));
  return { position: new Vector3(position.x, position.y, position.z), yaw: Math.atan2(-forward.x, -forward.z) };
}

/** Starts to look for surfaces before the visitor. Returns null if the device cannot do this. */
async function startHitTest(session: XRSession): Promise<XRHitTestSource | null> {
  try {
    const space = await session.requestReferenceSpace('viewer');
    return (await session.requestHitTestSource?.({ space })) ?? null;
  } catch {
    return null;
  }
}
