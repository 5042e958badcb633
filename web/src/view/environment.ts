// Environment maps of the default room and of skies. Each map is created once per renderer. The map
// of a sky is disposed with the last scene that uses it. The map of the room is kept until the
// renderer is disposed, because its creation is slow: without a graphics card, it takes seconds.
// `generateRoom` creates this map after scenes were shown without it.

import type { Scene, Texture } from 'three';
import type { Graphics, Sky, SkyMap } from './graphics.ts';

export type { Sky };

/** Names of the built-in skies (see environmentPresets.ts). */
export const ENVIRONMENT_PRESETS = ['studio', 'day', 'evening', 'night'] as const;
export type EnvironmentPreset = (typeof ENVIRONMENT_PRESETS)[number];

interface EnvironmentMap extends SkyMap {
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
  apply(graphics: Graphics, scene: Scene, sky: Sky | null, mayWait: boolean): boolean {
    let made = this.#maps.get(sky);
    if (mayWait && sky === null && (!made || made === this.#unfinished)) {
      this.release(scene);
      return false;
    }
    if (sky === null) this.#unfinished = null; // a scene uses the map from now on
    if (!made?.users.has(scene)) {
      this.release(scene);
      if (!made) this.#maps.set(sky, (made = mapOf(graphics, sky)));
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
  async generateRoom(graphics: Graphics, compile: (environment: Texture) => Promise<void>): Promise<void> {
    if (this.#maps.has(null)) return;
    const made = (this.#unfinished = mapOf(graphics, null));
    this.#maps.set(null, made);
    await compile(made.environment.texture);
    await graphics.finished();
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
   * used. Call this when the context or the device was lost.
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

function removeFrom(scene: Scene): void {
  scene.background = null;
  scene.environment = null;
}

function dispose({ environment, cube }: EnvironmentMap): void {
  environment.dispose();
  cube?.dispose();
}

function mapOf(graphics: Graphics, sky: Sky | null): EnvironmentMap {
  return { ...(sky ? graphics.skyMap(sky) : graphics.roomMap()), users: new Set() };
}
