// Elements that cover a part of the viewport.
import type { View } from '../view/index.ts';

/**
 * Minimum size of the free area, as a fraction of the viewport's width or height. A smaller area
 * would make the model invisible in tiny viewports.
 */
const MIN_FREE = 0.3;

/**
 * Keeps the content of a view clear of elements above it. For each of these elements, one edge of
 * the viewport gets an inset. The edges are chosen together, so that the largest square remains free.
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
    const edges: Edges[] = [];
    for (const cover of this.#all) {
      const { width, top, right, bottom, left } = cover.getBoundingClientRect();
      if (width > 0) edges.push({ top: bottom - area.top, right: area.right - left, bottom: area.bottom - top, left: right - area.left });
    }
    const { top, right, bottom, left } = bestInsets(edges, area);
    const [across, down] = [fractions(left, right, area.width), fractions(top, bottom, area.height)];
    this.#view.cameraRig.insets = { top: down[0], right: across[1], bottom: down[1], left: across[0] };
  }
}

/** Distances from the edges of the viewport in pixels. */
type Edges = Record<'top' | 'right' | 'bottom' | 'left', number>;

/**
 * Returns the insets that leave the largest free square. `covers`: for each element, the inset of
 * each edge that would keep the content clear of this element.
 */
function bestInsets(covers: readonly Edges[], { width, height }: { width: number; height: number }): Edges {
  const size = ({ top, right, bottom, left }: Edges): number => {
    const [free, across] = [width - left - right, height - top - bottom];
    // The area decides between equal squares.
    return Math.min(free, across) + 1e-9 * free * across;
  };
  let options: Edges[] = [{ top: 0, right: 0, bottom: 0, left: 0 }];
  for (const cover of covers) {
    options = options.flatMap(insets =>
      (['top', 'right', 'bottom', 'left'] as const).map(side => ({ ...insets, [side]: Math.max(insets[side], cover[side]) })),
    );
  }
  return options.reduce((best, one) => (size(one) > size(best) ? one : best));
}

/** Returns two opposite insets as fractions of a length, reduced so that `MIN_FREE` remains. */
function fractions(start: number, end: number, length: number): [start: number, end: number] {
  const scale = Math.min(1, ((1 - MIN_FREE) * length) / (start + end || 1)) / length;
  return [start * scale, end * scale];
}
