// Splitters, which change the size of the panels and of the drawer by pointer and keyboard. Sizes are
// kept in the layout.
import { effect } from '@preact/signals-core';
import { el } from './dom.ts';
import type { PanelLayout, PanelSizes } from './panelLayout.ts';

interface Limits {
  axis: 'width' | 'height';
  /** Minimum in CSS pixels. A drag to less than half of it closes the panel. */
  minimum: number;
  /** Maximum as a fraction of the window. */
  share(): number;
}

/** Limits of each size. The style sheets have the same limits. */
const LIMITS: Readonly<Record<keyof PanelSizes, Limits>> = {
  width: { axis: 'width', minimum: 300, share: () => 0.6 },
  height: { axis: 'height', minimum: 180, share: () => 0.7 },
  drawer: { axis: 'height', minimum: 150, share: () => (innerHeight > 480 ? 0.7 : 0.5) },
};
/** Change of the size by an arrow key and by Page Up or Page Down, in CSS pixels. */
const STEP = 16;
const PAGE = 5 * STEP;
/** Distance that the pointer must move before a press becomes a drag, in CSS pixels. */
const SLACK = 4;

export interface SplitterOptions {
  label: string;
  /** The size that changes. It can depend on signals. */
  key(): keyof PanelSizes;
  close(): void;
}

/**
 * Creates the splitter at the left or upper edge of `sized`. The size is available to style sheets
 * as the custom property with the name of its key; without a value, the default applies.
 */
export function splitterOf(layout: PanelLayout, sized: HTMLElement, { label, key, close }: SplitterOptions): HTMLElement {
  const limits = (): Limits => LIMITS[key()];
  const maximum = (): number => {
    const { axis, minimum, share } = limits();
    return Math.max(minimum, Math.round(share() * (axis === 'width' ? innerWidth : innerHeight)));
  };
  const size = (): number => Math.round(sized.getBoundingClientRect()[limits().axis]);
  const clamped = (value: number): number => Math.round(Math.min(Math.max(value, limits().minimum), maximum()));
  const set = (value: number | null): void => {
    layout.sizes.value = { ...layout.sizes.peek(), [key()]: value === null ? null : clamped(value) };
  };

  let drag: { from: number; size: number; isMoved: boolean } | null = null;
  const along = (event: PointerEvent): number => (limits().axis === 'width' ? event.clientX : event.clientY);
  const end = (): void => void (drag = null);
  const keys: Record<string, () => void> = {
    ArrowLeft: () => set(size() + STEP),
    ArrowUp: () => set(size() + STEP),
    ArrowRight: () => set(size() - STEP),
    ArrowDown: () => set(size() - STEP),
    PageUp: () => set(size() + PAGE),
    PageDown: () => set(size() - PAGE),
    Home: () => set(0),
    End: () => set(Infinity),
    Enter: close,
  };
  const element = el('div', {
    class: 'splitter',
    role: 'separator',
    tabindex: 0,
    'aria-label': label,
    title: label,
    'aria-controls': sized.id,
    onpointerdown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      drag = { from: along(event), size: size(), isMoved: false };
      element.setPointerCapture(event.pointerId);
    },
    onpointermove: (event: PointerEvent) => {
      if (!drag) return;
      const moved = drag.from - along(event);
      drag.isMoved ||= Math.abs(moved) > SLACK;
      if (!drag.isMoved) return;
      const wanted = drag.size + moved;
      if (wanted >= limits().minimum / 2) return set(wanted);
      end();
      close();
    },
    onpointerup: end,
    onpointercancel: end,
    ondblclick: () => set(null),
    onkeydown: (event: KeyboardEvent) => {
      const act = event.altKey || event.ctrlKey || event.metaKey ? undefined : keys[event.key];
      if (!act) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    },
  });
  const report = (): void => {
    element.setAttribute('aria-valuemin', String(limits().minimum));
    element.setAttribute('aria-valuemax', String(maximum()));
    element.setAttribute('aria-valuenow', String(clamped(size())));
  };
  effect(() => {
    const sizes = layout.sizes.value;
    element.setAttribute('aria-orientation', limits().axis === 'width' ? 'vertical' : 'horizontal');
    for (const [name, value] of Object.entries(sizes) as [keyof PanelSizes, number | null][])
      if (value === null) sized.style.removeProperty(`--${name}`);
      else sized.style.setProperty(`--${name}`, `${value}px`);
    report();
  });
  new ResizeObserver(report).observe(sized);
  return element;
}
