// Splitter between viewport and panels: changes the width of the panels, or the height of the sheet
// in narrow windows.
import { effect } from '@preact/signals-core';
import { el } from './dom.ts';
import type { PanelLayout } from './panelLayout.ts';
import { words } from './words/index.ts';

/** Minimum size of the panels in CSS pixels. A drag to less than half of it closes them. */
const MIN = { width: 300, height: 180 };
/** Maximum size, as a fraction of the window. */
const MAX = { width: 0.6, height: 0.7 };
/** Change of the size by an arrow key, in CSS pixels. */
const STEP = 16;
/** Distance that the pointer must move before a press becomes a drag, in CSS pixels. */
const SLACK = 4;

/** `side`: element whose size changes. Its CSS clamps the size to the same limits. */
export function splitterOf(layout: PanelLayout, side: HTMLElement): HTMLElement {
  /** Axis along which the size changes. */
  const axis = (): 'width' | 'height' => (layout.isSheet.peek() ? 'height' : 'width');
  const maximum = (): number => Math.max(MIN[axis()], Math.round(MAX[axis()] * (axis() === 'width' ? innerWidth : innerHeight)));
  const size = (): number => Math.round(side.getBoundingClientRect()[axis()]);
  const set = (value: number | null): void => {
    const clamped = value && Math.round(Math.min(Math.max(value, MIN[axis()]), maximum()));
    layout.isOpen.value = true;
    layout.sizes.value = { ...layout.sizes.peek(), [axis()]: clamped };
  };

  let drag: { from: number; size: number; isMoved: boolean } | null = null;
  const along = (event: PointerEvent): number => (axis() === 'width' ? event.clientX : event.clientY);
  const end = (): void => void (drag = null);
  const keys: Record<string, () => void> = {
    ArrowLeft: () => set(size() + STEP),
    ArrowUp: () => set(size() + STEP),
    ArrowRight: () => set(size() - STEP),
    ArrowDown: () => set(size() - STEP),
    Home: () => set(MIN[axis()]),
    End: () => set(maximum()),
    Enter: () => (layout.isOpen.value = false),
  };
  const element = el('div', {
    class: 'splitter',
    role: 'separator',
    tabindex: 0,
    'aria-label': words.resizePanels,
    title: words.resizePanels,
    'aria-controls': 'side',
    onpointerdown: (event: PointerEvent) => {
      drag = { from: along(event), size: size(), isMoved: false };
      element.setPointerCapture(event.pointerId);
    },
    onpointermove: (event: PointerEvent) => {
      if (!drag) return;
      const moved = drag.from - along(event);
      drag.isMoved ||= Math.abs(moved) > SLACK;
      if (!drag.isMoved) return;
      const wanted = drag.size + moved;
      if (wanted < MIN[axis()] / 2) layout.isOpen.value = false;
      else set(wanted);
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
    element.setAttribute('aria-valuemin', String(MIN[axis()]));
    element.setAttribute('aria-valuemax', String(maximum()));
    element.setAttribute('aria-valuenow', String(Math.min(Math.max(size(), MIN[axis()]), maximum())));
  };
  effect(() => {
    const { width, height } = layout.sizes.value;
    element.setAttribute('aria-orientation', layout.isSheet.value ? 'horizontal' : 'vertical');
    const style = side.style;
    if (width === null) style.removeProperty('--width');
    else style.setProperty('--width', `${width}px`);
    if (height === null) style.removeProperty('--height');
    else style.setProperty('--height', `${height}px`);
    report();
  });
  new ResizeObserver(report).observe(side);
  return element;
}
