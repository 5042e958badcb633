// Environment maps: the default room, or a sky. Created once per renderer. A sky's map is disposed
// with the last scene that uses it; the room's, which takes long to create, with the renderer.

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

/** A scene that is rendered into a cube map, `size` pixels per face. */
export interface Sky {
  readonly scene: Scene;
  readonly size: number;
  /** The sky lights the content and is reflected, but is not drawn as background. */
  readonly isLightingOnly?: boolean;
}

/** Built-in skies (environmentPresets.ts). */
export const ENVIRONMENT_PRESETS = ['studio', 'day', 'evening', 'night'] as const;
export type EnvironmentPreset = (typeof ENVIRONMENT_PRESETS)[number];

interface EnvironmentMap {
  environment: { texture: Texture; dispose(): void };
  /** Visible background; null for none. */
  cube: WebGLCubeRenderTarget | null;
  users: Set<object>;
}

export class Environments {
  /** Key: the sky, or null for the room. */
  readonly #maps = new Map<Sky | null, EnvironmentMap>();

  /**
   * Sets background and environment map of `scene` to a sky, or to the room if `sky` is null. Cheap
   * if they are already set.
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

  /** Disposes all maps after the context was lost. They are created again when next used. */
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

function skyMap(renderer: WebGLRenderer, { scene, size, isLightingOnly: isUnseen }: Sky): EnvironmentMap {
  const generator = new PMREMGenerator(renderer);
  const cube = new WebGLCubeRenderTarget(size, { type: HalfFloatType, generateMipmaps: true, minFilter: LinearMipmapLinearFilter });
  new CubeCamera(0.1, 10, cube).update(renderer, scene);
  const environment = generator.fromCubemap(cube.texture);
  generator.dispose();
  if (isUnseen) cube.dispose();
  return { environment, cube: isUnseen ? null : cube, users: new Set() };
}
