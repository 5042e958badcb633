// Elements that cover a part of the viewport.
import type { View } from '../view/index.ts';

/**
 * Maximum inset of an edge, as a fraction of the viewport. Larger insets would make the model
 * invisible in tiny viewports.
 */
const MAX_COVERED = 0.4;

/**
 * Keeps the content of a view clear of elements above it. For each of these elements, one edge of
 * the viewport gets an inset: the edge that leaves the largest free square.
 */
export class Covers {
  readonly #view: View;
  readonly #host: HTMLElement;
  readonly #all = new Set<HTMLElement>();
  readonly #observer = new ResizeObserver(() => this.update());

  /** `host`: element that contains the canvas of the view. */
  constructor(view: View, host: HTMLElement) {
    this.#view = view;
    this.#host = host;
    this.#observer.observe(host);
  }

  /** Adds an element, which may be hidden at times. */
  add(element: HTMLElement): void {
    this.#all.add(element);
    this.#observer.observe(element);
  }

  /** Measures the elements. Only needed if the result can't wait for the next frame. */
  update(): void {
    const area = this.#host.getBoundingClientRect();
    if (area.width === 0 || area.height === 0) return;
    const insets = { top: 0, right: 0, bottom: 0, left: 0 };
    for (const cover of this.#all) {
      const { width, top, right, bottom, left } = cover.getBoundingClientRect();
      if (width === 0) continue;
      const edges = [
        { side: 'top', taken: bottom - area.top, across: area.height, along: area.width },
        { side: 'right', taken: area.right - left, across: area.width, along: area.height },
        { side: 'bottom', taken: area.bottom - top, across: area.height, along: area.width },
        { side: 'left', taken: right - area.left, across: area.width, along: area.height },
      ] as const;
      const free = ({ taken, across, along }: (typeof edges)[number]): number =>
        Math.min(across - taken, along) + 1e-9 * (across - taken) * along;
      const { side, taken, across } = edges.reduce((best, edge) => (free(edge) > free(best) ? edge : best));
      insets[side] = Math.max(insets[side], Math.min(taken / across, MAX_COVERED));
    }
    this.#view.cameraRig.insets = insets;
  }
}
