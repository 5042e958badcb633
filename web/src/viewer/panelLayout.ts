// Layout of the side panels and the drawer: their sizes, and which sections are expanded. Kept on
// this device.
import { effect, signal } from '@preact/signals-core';
import type { Words } from './words/index.ts';

/** Identifies a section of a side panel. */
export type SectionId = keyof Words['sections'];

const KEY = 'rigcast.panels';

/** Windows in which the panels are closed initially, so that the viewport has all the space. */
const COMPACT = '(max-width: 760px), (max-height: 480px)';
/** Compact windows in which the panels are a sheet below the viewport. */
const SHEET = '(max-width: 760px) and (min-height: 481px), (max-width: 559px)';

/** Sizes in CSS pixels; null for the default. */
export interface PanelSizes {
  /** Width of the side panels beside the viewport. */
  width: number | null;
  /** Height of the sheet below the viewport. */
  height: number | null;
  /** Height of the drawer. */
  drawer: number | null;
}

export class PanelLayout {
  /** True while the selected panel is visible; false if only the tabs are visible. */
  readonly isOpen = signal(true);
  readonly isCompact = signal(false);
  /** True if the panels are a sheet below the viewport, false if they are beside it. */
  readonly isSheet = signal(false);
  readonly sizes = signal<PanelSizes>({ width: null, height: null, drawer: null });
  /** Sections that the visitor has expanded (true) or collapsed (false). */
  readonly expanded = signal<ReadonlyMap<SectionId, boolean>>(new Map());

  /** `signal`: ends the updates when it is aborted. */
  constructor(ended: AbortSignal) {
    this.#load();
    const follow = (query: string, onChange: (matches: boolean) => void): void => {
      const media = matchMedia(query);
      media.addEventListener('change', () => onChange(media.matches), { signal: ended });
      onChange(media.matches);
    };
    follow(COMPACT, matches => {
      this.isCompact.value = matches;
      this.isOpen.value = !matches;
    });
    follow(SHEET, matches => (this.isSheet.value = matches));
    const end = effect(() => this.#store());
    ended.addEventListener('abort', end);
  }

  expand(id: SectionId, isExpanded: boolean): void {
    this.expanded.value = new Map(this.expanded.peek()).set(id, isExpanded);
  }

  #load(): void {
    try {
      const { width, height, drawer, expanded } = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, unknown>;
      const size = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null);
      this.sizes.value = { width: size(width), height: size(height), drawer: size(drawer) };
      const entries = typeof expanded === 'object' && expanded ? Object.entries(expanded) : [];
      this.expanded.value = new Map(entries.filter(([, isExpanded]) => typeof isExpanded === 'boolean') as [SectionId, boolean][]);
    } catch {
      // If storage is forbidden or its content is invalid, the defaults apply.
    }
  }

  #store(): void {
    const text = JSON.stringify({ ...this.sizes.value, expanded: Object.fromEntries(this.expanded.value) });
    try {
      localStorage.setItem(KEY, text);
    } catch {
      // Storage can be forbidden or full. The layout then lasts until the page is closed.
    }
  }
}
