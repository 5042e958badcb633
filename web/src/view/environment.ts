// Environment maps of the default room and of skies. Each map is created once per renderer. The map
// of a sky is disposed with the last scene that uses it. The map of the room is kept until the
// renderer is disposed, because its creation is slow: without a graphics card, it takes seconds.
// `generateRoom` creates this map after scenes were shown without it.

import {
  CubeCamera,
  HalfFloatType,
  LinearMipmapLinearFilter,
  PMREMGenerator,
  type Scene,
  type Texture,
  WebGLCubeRenderTarget,
  type WebGLRenderer,
} from 'three';
import { RoomEnvironment } from 'three/addons/environments/RoomEnvironment.js';

/** A scene that is rendered into a cube map. `size`: width of a face in pixels. */
export interface Sky {
  readonly scene: Scene;
  readonly size: number;
  /** True if the sky only lights the content and is reflected, but is not drawn as background. */
  readonly isLightingOnly?: boolean;
  /** Sky that lights the content and is reflected in place of this one, which is only drawn. */
  readonly lighting?: Sky;
}

/** Names of the built-in skies (see environmentPresets.ts). */
export const ENVIRONMENT_PRESETS = ['studio', 'day', 'evening', 'night'] as const;
export type EnvironmentPreset = (typeof ENVIRONMENT_PRESETS)[number];

interface EnvironmentMap {
  environment: { texture: Texture; dispose(): void };
  /** Cube map of the visible background; null if there is none. */
  cube: WebGLCubeRenderTarget | null;
  users: Set<Scene>;
}

export class Environments {
  /** Environment maps by sky. The key of the default room is null. */
  readonly #maps = new Map<Sky | null, EnvironmentMap>();
  /** Map of the room that `generateRoom` has not finished yet. */
  #unfinished: EnvironmentMap | null = null;

  /**
   * Sets background and environment map of `scene`. `sky`: the sky to use; null for the default
   * room. Does nothing if `scene` already uses this sky. `mayWait`: true to leave the scene without
   * an environment map if that of the room is not finished. Returns false in this case.
   */
  apply(renderer: WebGLRenderer, scene: Scene, sky: Sky | null, mayWait: boolean): boolean {
    let made = this.#maps.get(sky);
    if (mayWait && sky === null && (!made || made === this.#unfinished)) {
      this.release(scene);
      return false;
    }
    if (sky === null) this.#unfinished = null; // a scene uses the map from now on
    if (!made?.users.has(scene)) {
      this.release(scene);
      if (!made) this.#maps.set(sky, (made = sky ? skyMap(renderer, sky) : roomMap(renderer)));
      made.users.add(scene);
    }
    scene.background = made.cube?.texture ?? null;
    scene.environment = made.environment.texture;
    return true;
  }

  /**
   * Creates the map of the room, if there is none, and calls `compile` with it. Resolves when the
   * graphics driver has finished both.
   */
  async generateRoom(renderer: WebGLRenderer, compile: (environment: Texture) => void): Promise<void> {
    if (this.#maps.has(null)) return;
    const made = (this.#unfinished = roomMap(renderer));
    this.#maps.set(null, made);
    compile(made.environment.texture);
    await driverFinished(renderer);
    if (this.#unfinished === made) this.#unfinished = null;
  }

  /** Removes background and environment map from a scene. */
  release(scene: Scene): void {
    for (const [sky, made] of this.#maps) {
      if (!made.users.delete(scene)) continue;
      removeFrom(scene);
      if (made.users.size === 0 && sky) {
        dispose(made);
        this.#maps.delete(sky);
      }
    }
  }

  /**
   * Removes all maps from their scenes and disposes them. They are created again when they are next
   * used. Call this when the WebGL context was lost.
   */
  clear(): void {
    for (const made of this.#maps.values()) {
      for (const scene of made.users) removeFrom(scene);
      dispose(made);
    }
    this.#maps.clear();
    this.#unfinished = null;
  }
}

/** Resolves when the graphics driver has executed all commands so far, or the context is lost. */
export async function driverFinished(renderer: WebGLRenderer): Promise<void> {
  const gl = renderer.getContext() as WebGL2RenderingContext;
  const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
  gl.flush();
  // A fence is no longer valid after the context was lost, even if it has been restored.
  while (fence && gl.isSync(fence) && gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED)
    await new Promise(resolve => setTimeout(resolve, 10));
  gl.deleteSync(fence);
}

function removeFrom(scene: Scene): void {
  scene.background = null;
  scene.environment = null;
}

function dispose({ environment, cube }: EnvironmentMap): void {
  environment.dispose();
  cube?.dispose();
}

function roomMap(renderer: WebGLRenderer): EnvironmentMap {
  const generator = new PMREMGenerator(renderer);
  const room = new RoomEnvironment();
  const environment = generator.fromScene(room, 0.04);
  room.dispose();
  generator.dispose();
  return { environment, cube: null, users: new Set() };
}

function skyMap(renderer: WebGLRenderer, sky: Sky): EnvironmentMap {
  const { isLightingOnly: isUnseen, lighting = sky } = sky;
  const generator = new PMREMGenerator(renderer);
  const cube = cubeOf(renderer, lighting);
  const environment = generator.fromCubemap(cube.texture);
  generator.dispose();
  if (isUnseen || lighting !== sky) cube.dispose();
  return { environment, cube: isUnseen ? null : lighting === sky ? cube : cubeOf(renderer, sky), users: new Set() };
}

function cubeOf(renderer: WebGLRenderer, { scene, size }: Sky): WebGLCubeRenderTarget {
  const cube = new WebGLCubeRenderTarget(size, { type: HalfFloatType, generateMipmaps: true, minFilter: LinearMipmapLinearFilter });
  new CubeCamera(0.1, 10, cube).update(renderer, scene);
  return cube;
}
