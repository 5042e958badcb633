// The place where a rig stands: renderer, camera, light and floor. Draws only when something has changed.

import {
  type Box3,
  Color,
  CubeCamera,
  DirectionalLight,
  HalfFloatType,
  HemisphereLight,
  LinearMipmapLinearFilter,
  MathUtils,
  NeutralToneMapping,
  Object3D,
  PerspectiveCamera,
  PMREMGenerator,
  Scene,
  SRGBColorSpace,
  type Texture,
  Vector3,
  WebGLCubeRenderTarget,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { RoomEnvironment } from 'three/examples/jsm/environments/RoomEnvironment.js';
import { boxWhile, depthRange, distanceToFit, extentIn, extentOf, firstLook, gridCell, type Extent } from './framing.ts';
import type { Motion } from './playback.ts';
import { Ground } from './ground.ts';

export interface StageColors {
  grid: string;
  gridOpacity: number;
  shadowOpacity: number;
}

export interface StageEvents {
  /** Before every drawn frame, with the seconds since the last one; true: moving, draw the next one too. */
  tick?(seconds: number): boolean;
  /** Everything stands where this frame shows it: overlays follow now. True: still changing, draw the next one too. */
  posed?(seconds: number): boolean;
  /** After every drawn frame. */
  drawn?(): void;
  /** The graphics context was taken away, or came back. */
  context?(lost: boolean): void;
}

/**
 * What lights the content. studio: the stage's own lamps. toon: the same, turned to what flat shaders need, which know no surroundings. content: what
 * shines in the content itself, and a little from all around.
 */
export type Lighting = 'studio' | 'toon' | 'content';

const LIGHTING: Record<Lighting, { key: number; rim: number; around: number; room: number; sky: number }> = {
  studio: { key: 1.7, rim: 0.9, around: 0.35, room: 0.55, sky: 0.8 },
  toon: { key: 2.5, rim: 0.7, around: 1, room: 0.35, sky: 0.6 },
  content: { key: 0, rim: 0, around: 0.25, room: 0.25, sky: 1 },
};

/** A sky: a scene to be drawn into a cube, `size` pixels a face. */
export interface Sky {
  readonly scene: Scene;
  readonly size: number;
}

/** Somebody else's eyes: how they see, before the picture is fitted into the stage. */
interface Eye {
  camera: PerspectiveCamera;
  /** Half of its height and width, a metre away. */
  halfHeight: number;
  halfWidth: number;
}

/** Room around what a recorded camera saw. */
export const EYE_MARGIN = 1.35;

const ORIGIN = new Vector3();
/** A motion may leave the frame by this share of the model's size before the camera steps back. */
const SLACK = 0.15;

export class Stage {
  readonly host: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  readonly renderer: WebGLRenderer;
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(32, 1, 0.01, 100);
  readonly controls: OrbitControls;
  readonly ground = new Ground();
  /** Overlays live here: they cast no shadow and are drawn last. */
  readonly overlays = new Object3D();
  extent: Extent | null = null;
  /** The point the camera keeps to while the model walks; null: it stays where it is. */
  followed: (() => Vector3 | null) | null = null;

  #events: StageEvents;
  #content: Object3D | null = null;
  #eye: Eye | null = null;
  #look = firstLook();
  /** What a motion takes up where that is more than the model at rest, told from what the eye follows. */
  #framed: Extent | null = null;
  /** Where what the eye follows is at rest. */
  #home = new Vector3();
  #margin: number | undefined;
  #environment: Texture | null = null;
  #lighting: Lighting = 'studio';
  #lamps: { key: DirectionalLight; rim: DirectionalLight; around: HemisphereLight };
  #sky: Sky | null = null;
  #skyCube: WebGLCubeRenderTarget | null = null;
  #frame = 0;
  #last = 0;
  #dirty = true;
  /** The floor shows the shadow of what stood there before. */
  #isShadowOld = true;
  #lost = false;
  #disposed = false;
  #observer: ResizeObserver;
  #lastFollowed = new Vector3();
  #maxPixelRatio: number;
  /** Nobody has moved the camera since it was put in place: it may be put in place again when the window changes. */
  #untouched = true;
  #abort = new AbortController();

  constructor(host: HTMLElement, events: StageEvents = {}, maxPixelRatio = 2) {
    this.host = host;
    this.#events = events;
    this.#maxPixelRatio = maxPixelRatio;
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true, powerPreference: 'high-performance' });
    this.renderer.outputColorSpace = SRGBColorSpace;
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.setClearColor(new Color(0x000000), 0);
    this.renderer.shadowMap.enabled = true; // the content's own lights may cast some
    this.canvas = this.renderer.domElement;
    this.canvas.tabIndex = 0;
    host.append(this.canvas);

    this.overlays.name = 'overlays';
    const key = new DirectionalLight(0xffffff);
    key.position.set(2.2, 4, 3.4);
    const rim = new DirectionalLight(0xdfe9ff);
    rim.position.set(-3, 3, -4);
    const around = new HemisphereLight(0xffffff, 0x8f8a80);
    this.#lamps = { key, rim, around };
    this.scene.add(key, rim, around, this.ground.object, this.overlays);
    this.#light();
    this.#dim();

    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enableDamping = !matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.controls.dampingFactor = 0.09;
    this.controls.addEventListener('change', () => this.#request());
    this.controls.addEventListener('start', () => (this.#untouched = false));
    this.camera.position.copy(firstLook()).multiplyScalar(5);

    this.#observer = new ResizeObserver(() => this.#resize());
    this.#observer.observe(host);
    const { signal } = this.#abort;
    this.canvas.addEventListener(
      'webglcontextlost',
      event => {
        event.preventDefault();
        this.#lost = true;
        this.#events.context?.(true);
      },
      { signal },
    );
    this.canvas.addEventListener(
      'webglcontextrestored',
      () => {
        this.#lost = false;
        this.#light();
        this.#events.context?.(false);
        this.invalidate();
      },
      { signal },
    );
    document.addEventListener(
      'visibilitychange',
      () => {
        if (!document.hidden) this.invalidate();
      },
      { signal },
    );
    this.#resize();
  }

  /**
   * Replaces what is shown; the old content is only taken away, its owner disposes of it. `view` says from where it is looked at and what room it
   * takes, for content that does not tell by itself.
   */
  show(content: Object3D | null, frame = true, view?: { direction: Vector3; box?: Box3; margin?: number }): void {
    this.eye = null;
    this.#look = view?.direction ?? firstLook();
    this.#margin = view?.margin;
    this.#framed = null;
    if (this.#content) this.scene.remove(this.#content);
    this.#content = content;
    if (content) {
      this.scene.add(content);
      this.extent = view?.box ? extentIn(view.box) : extentOf(content);
      const { box, center, radius } = this.extent;
      // Characters stand on 0 even when a toe dips below it; what floats or was cut off (a head, a hat) gets the floor under itself.
      const height = Math.abs(box.min.y) < radius * 0.08 ? 0 : box.min.y;
      this.ground.place(center, height, radius, gridCell(radius));
      this.#home.copy(this.followed?.() ?? ORIGIN);
      if (frame) this.resetView();
    } else {
      this.extent = null;
    }
    this.ground.object.visible = content !== null;
    this.invalidate();
  }

  get lighting(): Lighting {
    return this.#lighting;
  }

  set lighting(lighting: Lighting) {
    this.#lighting = lighting;
    this.#dim();
    this.invalidate();
  }

  get sky(): Sky | null {
    return this.#sky;
  }

  /** A sky behind everything, which is also what shines around and what surfaces reflect; null: the plain page. Its owner disposes of it. */
  set sky(sky: Sky | null) {
    if (sky === this.#sky) return;
    this.#sky = sky;
    this.#light();
    this.#dim();
    this.invalidate();
  }

  get content(): Object3D | null {
    return this.#content;
  }

  /** The camera that draws: the visitor's own, or the one they look through. */
  get view(): PerspectiveCamera {
    return this.#eye?.camera ?? this.camera;
  }

  get eye(): PerspectiveCamera | null {
    return this.#eye?.camera ?? null;
  }

  /** Looks through another camera, whose owner moves it; null: through the visitor's own again, where it was. */
  set eye(camera: PerspectiveCamera | null) {
    if (camera === this.eye) return;
    if (camera) {
      const halfHeight = Math.tan(MathUtils.degToRad(camera.fov) / 2);
      this.#eye = { camera, halfHeight, halfWidth: halfHeight * camera.aspect };
    } else {
      // As it was given: it may be asked for again.
      const { camera: old, halfHeight, halfWidth } = this.#eye!;
      old.fov = MathUtils.radToDeg(Math.atan(halfHeight) * 2);
      old.aspect = halfWidth / halfHeight;
      old.updateProjectionMatrix();
      this.#eye = null;
    }
    this.controls.enabled = camera === null;
    this.#fitEye();
    this.invalidate();
  }

  /**
   * What shall be in the picture from now on: the model, and all that a motion makes of it. The camera steps back where that does not fit, unless
   * somebody has moved it. Null: the model at rest.
   */
  frame(motion: Motion | null): void {
    const { extent } = this;
    if (!extent || !this.#content) return;
    const rest = extent.box.clone();
    if (this.followed?.()) rest.translate(this.#home.clone().negate());
    const box = motion ? boxWhile(this.#content, motion, () => this.followed?.() ?? null) : rest;
    const isIn = (frame: Box3): boolean =>
      frame
        .clone()
        .expandByScalar(extent.radius * SLACK)
        .containsBox(box);
    const hasRoom = isIn(this.#framed?.box ?? rest);
    this.#framed = box.isEmpty() || isIn(rest) ? null : extentIn(box.union(rest));
    if (this.#untouched && !hasRoom) this.resetView();
  }

  /** Looks at the whole model again, from where it is best seen. */
  resetView(direction: Vector3 = this.#look): void {
    this.eye = null;
    if (!this.extent) return;
    const { radius } = this.extent;
    const seen = this.#framed ?? this.extent;
    const center = seen.center.clone();
    const distance = distanceToFit(seen, direction, this.camera, this.#margin);
    this.controls.minDistance = radius * 0.05;
    this.controls.maxDistance = Math.max(radius * 25, distance * 2);
    const followed = this.followed?.();
    if (followed) {
      // It may have walked on since.
      center.add(followed);
      if (!this.#framed) center.sub(this.#home);
      this.#lastFollowed.copy(followed);
    }
    this.controls.target.copy(center);
    this.camera.position.copy(center).addScaledVector(direction, distance);
    this.#untouched = true;
    this.#adjustDepth();
    this.controls.update();
    this.invalidate();
  }

  /** Turns and zooms from the keyboard: radians and a factor. */
  orbit(azimuth: number, polar: number, zoom = 1): void {
    if (this.#eye) return;
    const arm = this.camera.position.clone().sub(this.controls.target);
    const length = Math.min(Math.max(arm.length() * zoom, this.controls.minDistance), this.controls.maxDistance);
    const theta = Math.atan2(arm.x, arm.z) + azimuth;
    const phi = Math.min(Math.max(Math.acos(Math.min(Math.max(arm.y / arm.length(), -1), 1)) + polar, 0.02), Math.PI - 0.02);
    this.#untouched = false;
    this.camera.position.setFromSphericalCoords(length, phi, theta).add(this.controls.target);
    this.controls.update();
    this.#request();
  }

  setColors(colors: StageColors): void {
    this.ground.setColors(new Color(colors.grid), colors.gridOpacity, colors.shadowOpacity);
    this.invalidate();
  }

  /** Something has changed: draw a frame. */
  invalidate(): void {
    this.#isShadowOld = true;
    this.#request();
  }

  /** Draw a frame: what is shown stands as it stood, but the eye has moved. */
  #request(): void {
    this.#dirty = true;
    if (this.#frame === 0 && !this.#disposed) this.#frame = requestAnimationFrame(now => this.#step(now));
  }

  /** Draws now, outside of the loop (pictures, tests). */
  drawNow(seconds = 0): void {
    this.#isShadowOld = true;
    this.#draw(seconds);
  }

  dispose(): void {
    this.#disposed = true;
    cancelAnimationFrame(this.#frame);
    this.#abort.abort();
    this.#observer.disconnect();
    this.controls.dispose();
    this.ground.dispose();
    this.#environment?.dispose();
    this.#skyCube?.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
    this.canvas.remove();
  }

  #step(now: number): void {
    this.#frame = 0;
    if (this.#lost || this.#disposed || document.hidden) {
      this.#last = 0;
      return;
    }
    const seconds = this.#last === 0 ? 0 : Math.min((now - this.#last) / 1000, 0.1);
    this.#last = now;
    this.#dirty = false;
    if (this.#draw(seconds)) this.invalidate();
    else if (this.#dirty) this.#request();
    else this.#last = 0;
  }

  #draw(seconds: number): boolean {
    if (this.#lost) return false;
    let moving = this.#events.tick?.(seconds) ?? false;
    const followed = this.followed?.();
    if (followed) {
      const step = followed.clone().sub(this.#lastFollowed);
      this.#lastFollowed.copy(followed);
      if (step.lengthSq() > 0 && Number.isFinite(step.lengthSq())) {
        this.controls.target.add(step);
        this.camera.position.add(step);
        if (this.extent) this.ground.follow(this.extent.center.clone().setX(followed.x).setZ(followed.z));
      }
    }
    if (!this.#eye) this.controls.update();
    this.#adjustDepth();
    this.scene.updateMatrixWorld();
    moving = (this.#events.posed?.(seconds) ?? false) || moving;
    if (this.#content && (moving || this.#isShadowOld)) this.ground.update(this.renderer, this.scene, [this.overlays]);
    this.#isShadowOld = false;
    this.renderer.render(this.scene, this.view);
    this.#events.drawn?.();
    return moving;
  }

  #adjustDepth(): void {
    const radius = Math.max(this.extent?.radius ?? 1, this.#framed?.radius ?? 0);
    const { near, far } = depthRange(this.camera.position.distanceTo(this.controls.target), radius);
    if (Math.abs(near - this.camera.near) > near * 0.01 || Math.abs(far - this.camera.far) > far * 0.01) {
      this.camera.near = near;
      this.camera.far = far;
      this.camera.updateProjectionMatrix();
    }
  }

  /** All that the recorded camera saw fits into the stage, whatever its shape. */
  #fitEye(): void {
    if (!this.#eye) return;
    const { camera, halfHeight, halfWidth } = this.#eye;
    camera.aspect = this.camera.aspect;
    camera.fov = MathUtils.radToDeg(2 * Math.atan(Math.max(halfHeight, halfWidth / camera.aspect) * EYE_MARGIN));
    camera.updateProjectionMatrix();
  }

  #light(): void {
    this.#environment?.dispose();
    this.#skyCube?.dispose();
    this.#skyCube = null;
    const generator = new PMREMGenerator(this.renderer);
    if (this.#sky) {
      this.#skyCube = new WebGLCubeRenderTarget(this.#sky.size, {
        type: HalfFloatType,
        generateMipmaps: true,
        minFilter: LinearMipmapLinearFilter,
      });
      new CubeCamera(0.1, 10, this.#skyCube).update(this.renderer, this.#sky.scene);
      this.#environment = generator.fromCubemap(this.#skyCube.texture).texture;
    } else {
      const room = new RoomEnvironment();
      this.#environment = generator.fromScene(room, 0.04).texture;
      room.dispose();
    }
    this.scene.background = this.#skyCube?.texture ?? null;
    this.scene.environment = this.#environment;
    generator.dispose();
  }

  #dim(): void {
    const { key, rim, around, room, sky } = LIGHTING[this.#lighting];
    this.#lamps.key.intensity = key;
    this.#lamps.rim.intensity = rim;
    this.#lamps.around.intensity = around;
    this.scene.environmentIntensity = this.#sky ? sky : room;
  }

  #resize(): void {
    const width = Math.max(this.host.clientWidth, 1);
    const height = Math.max(this.host.clientHeight, 1);
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, this.#maxPixelRatio));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (this.#untouched && !this.#eye) this.resetView();
    this.#fitEye();
    this.invalidate();
  }
}
