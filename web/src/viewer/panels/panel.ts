// Types for side panels.
import type { IconName } from '../dom.ts';
import type { Page, PanelId } from '../page.ts';

/** Panels that are loaded on demand, because they are not visible initially. */
export type LazyPanel = Exclude<PanelId, 'animations'>;

export interface Badge {
  text: string;
  /** Additional CSS class of the badge. */
  kind?: string;
  /** Accessible name of the badge, if its text alone is unclear. */
  label?: string;
}

export interface Panel {
  id: PanelId;
  /** Icon of the tab, which replaces the title if there are many tabs. */
  icon: IconName;
  /** Returns true if the panel is available. */
  when: (page: Page) => boolean;
  badge: (page: Page) => Badge | null;
  /** Creates the panel. Afterwards, the panel updates itself. */
  mount: (page: Page) => Mounted | Promise<Mounted>;
}

export interface Mounted {
  element: HTMLElement;
  /** Called when the panel becomes visible. */
  reveal?: () => void;
}
