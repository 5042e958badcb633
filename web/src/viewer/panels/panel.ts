// Types for side panels and their sections.
import type { IconName } from '../dom.ts';
import type { Page, PanelId } from '../page.ts';
import type { SectionId } from '../panelLayout.ts';

/** Sections that are loaded on demand, because they are not visible initially. */
export type LazySection = Exclude<SectionId, 'animations'>;

export interface Badge {
  text: string;
  /** Additional CSS class of the badge. */
  kind?: string;
  /** Accessible name of the badge, if its text alone is unclear. */
  label?: string;
}

export interface Panel {
  id: PanelId;
  /** Icon of the tab. */
  icon: IconName;
  badge: (page: Page) => Badge | null;
  sections: readonly Section[];
}

export interface Section {
  id: SectionId;
  /** Returns true if the section is available. */
  when: (page: Page) => boolean;
  badge?: (page: Page) => Badge | null;
  /** True if the section is collapsed until the visitor expands it. */
  isCollapsed?: boolean;
  /** True if the section takes the height that the other sections leave, and scrolls by itself. */
  fills?: boolean;
  /** Creates the content. Afterwards, the content updates itself. */
  mount: (page: Page) => Mounted | Promise<Mounted>;
}

export interface Mounted {
  element: HTMLElement;
  /** Called when the content becomes visible. */
  reveal?: () => void;
}
