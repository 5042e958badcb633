// Decides which light the views of a renderer have. With a graphics card, each view is lit by its
// environment. Without one, generating the environment of the room takes seconds. Views then appear
// in analytic light (roomLight.ts) and fade to the environment, which is generated when the page is
// idle.

import type { WebGLRenderer } from 'three';
import { driverFinished, Environments } from './environment.ts';
import { idle } from './frameLoop.ts';
import { isSoftware } from './software.ts';
import type { View } from './view.ts';

/** Duration of the fade to the environment, in seconds. */
const FADE = 0.3;
/** Minimum time by which one frame advances the fade, in seconds. */
const FADE_STEP = 1 / 30;

export class LightTransition {
  readonly #views: () => Iterable<View>;
  readonly #environments = new Environments();
  readonly #reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
  #isSoftware: boolean | null = null;
  /** True while the environment of the room is generated or this is planned. */
  #isGenerating = false;

  /** `views`: returns the views of the renderer. */
  constructor(views: () => Iterable<View>) {
    this.#views = views;
  }

  /**
   * Sets the light of a view. `wanted`: `final` to light it by its environment from now on, without
   * a fade, which generates the environment if necessary; `available` to use the environment only if
   * this takes no time; `fading` to keep a fade that has begun.
   */
  light(renderer: WebGLRenderer, view: View, wanted: 'final' | 'available' | 'fading' = 'fading'): void {
    this.#isSoftware ??= isSoftware(renderer.getContext());
    const { environmentShare } = view;
    if (!this.#environments.apply(renderer, view.scene, view.sky, this.#isSoftware && wanted !== 'final')) view.environmentShare = 0;
    else if (wanted !== 'fading' || this.#reducedMotion.matches) view.environmentShare = 1;
    if (wanted === 'final' && environmentShare < 1) view.request();
  }

  /**
   * Continues the fade of a view to its environment, or plans to generate the environment. Call this
   * in each frame. `seconds`: time since the last frame.
   */
  advance(renderer: WebGLRenderer, view: View, seconds: number): void {
    this.light(renderer, view);
    if (view.environmentShare === 1) return;
    if (view.scene.environment) {
      view.environmentShare += Math.max(seconds, FADE_STEP) / FADE;
      if (view.environmentShare < 1) view.request();
    } else if (view.content && !this.#isGenerating) {
      this.#isGenerating = true;
      void this.#generate(renderer).finally(() => (this.#isGenerating = false));
    }
  }

  /** Generates the environment of the room, unless no view needs it any more. */
  async #generate(renderer: WebGLRenderer): Promise<void> {
    // Otherwise, the first picture would appear after the environment was generated.
    await driverFinished(renderer);
    await idle();
    if (renderer.getContext().isContextLost() || this.#waiting.length === 0) return;
    await this.#environments.generateRoom(renderer, environment => {
      for (const { scene, cameraRig } of this.#waiting) {
        scene.environment = environment;
        renderer.compile(scene, cameraRig.active);
        scene.environment = null;
      }
    });
    for (const view of this.#waiting) view.request();
  }

  /** Views that are shown without the environment of the room. */
  get #waiting(): View[] {
    return [...this.#views()].filter(({ sky, environmentShare }) => sky === null && environmentShare === 0);
  }

  /** Removes the environment from a view. */
  release({ scene }: View): void {
    this.#environments.release(scene);
  }

  /** Disposes all environments. They are generated again when they are next used. */
  clear(): void {
    this.#environments.clear();
  }
}
