// Environment maps of the default room and of skies. Each map is created once per renderer. The map
// of a sky is disposed with the last scene that uses it. The map of the room is kept until the
// renderer is disposed, because its creation is slow.

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
import { RoomEnvironment } from 'three/examples/jsm/environments/RoomEnvironment.js';

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
  users: Set<object>;
}

export class Environments {
  /** Environment maps by sky. The key of the default room is null. */
  readonly #maps = new Map<Sky | null, EnvironmentMap>();

  /**
   * Sets background and environment map of `scene`. `sky`: the sky to use; null for the default
   * room. Does nothing if `scene` already uses this sky.
   */
  apply(renderer: WebGLRenderer, scene: Scene, sky: Sky | null): void {
    let made = this.#maps.get(sky);
    if (!made?.users.has(scene)) {
      this.release(scene);
      if (!made) this.#maps.set(sky, (made = sky ? skyMap(renderer, sky) : roomMap(renderer)));
      made.users.add(scene);
    }
    scene.background = made.cube?.texture ?? null;
    scene.environment = made.environment.texture;
  }

  /** Removes background and environment map from a scene. */
  release(scene: Scene): void {
    for (const [sky, made] of this.#maps) {
      if (!made.users.delete(scene)) continue;
      scene.background = null;
      scene.environment = null;
      if (made.users.size === 0 && sky) {
        dispose(made);
        this.#maps.delete(sky);
      }
    }
  }

  /**
   * Disposes all maps, which are created again when they are next used. Call this when the WebGL
   * context was lost.
   */
  clear(): void {
    for (const made of this.#maps.values()) dispose(made);
    this.#maps.clear();
  }
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
