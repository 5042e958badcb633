// What shines around and is reflected: the room, or a sky that a file brings along. Made once per painter; a sky's is freed with the last view that
// shows it, the room's, which takes long to make, with the painter.

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

/** A sky: a scene to be drawn into a cube, `size` pixels a face. */
export interface Sky {
  readonly scene: Scene;
  readonly size: number;
  /** It shines and is reflected, but is not seen behind everything. */
  readonly isUnseen?: boolean;
}

/** Those that the stage draws itself (surroundings.ts), but for the room. */
export const SURROUNDINGS = ['studio', 'day', 'evening', 'night'] as const;
export type Surroundings = (typeof SURROUNDINGS)[number];

interface Made {
  environment: { texture: Texture; dispose(): void };
  /** What is seen behind everything; null: the page. */
  cube: WebGLCubeRenderTarget | null;
  users: Set<object>;
}

export class Environments {
  /** By the sky; null: the room. */
  readonly #made = new Map<Sky | null, Made>();

  /** What `scene` shows and reflects is that sky, or the room, from now on. Cheap where it does already. */
  dress(renderer: WebGLRenderer, scene: Scene, sky: Sky | null): void {
    let made = this.#made.get(sky);
    if (!made?.users.has(scene)) {
      this.release(scene);
      if (!made) this.#made.set(sky, (made = sky ? ofSky(renderer, sky) : ofRoom(renderer)));
      made.users.add(scene);
    }
    scene.background = made.cube?.texture ?? null;
    scene.environment = made.environment.texture;
  }

  /** The scene shows it no longer. */
  release(scene: Scene): void {
    for (const [sky, made] of this.#made) {
      if (!made.users.delete(scene)) continue;
      scene.background = null;
      scene.environment = null;
      if (made.users.size === 0 && sky) {
        dispose(made);
        this.#made.delete(sky);
      }
    }
  }

  /** After the context was lost: all are made anew when they are next shown. */
  clear(): void {
    for (const made of this.#made.values()) dispose(made);
    this.#made.clear();
  }
}

function dispose({ environment, cube }: Made): void {
  environment.dispose();
  cube?.dispose();
}

function ofRoom(renderer: WebGLRenderer): Made {
  const generator = new PMREMGenerator(renderer);
  const room = new RoomEnvironment();
  const environment = generator.fromScene(room, 0.04);
  room.dispose();
  generator.dispose();
  return { environment, cube: null, users: new Set() };
}

function ofSky(renderer: WebGLRenderer, { scene, size, isUnseen }: Sky): Made {
  const generator = new PMREMGenerator(renderer);
  const cube = new WebGLCubeRenderTarget(size, { type: HalfFloatType, generateMipmaps: true, minFilter: LinearMipmapLinearFilter });
  new CubeCamera(0.1, 10, cube).update(renderer, scene);
  const environment = generator.fromCubemap(cube.texture);
  generator.dispose();
  if (isUnseen) cube.dispose();
  return { environment, cube: isUnseen ? null : cube, users: new Set() };
}
