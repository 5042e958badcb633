// What a panel of the side is.
import type { IconName } from '../dom.ts';
import type { Page, PanelId } from '../page.ts';

/** Panels that nobody sees at once. */
export type Later = Exclude<PanelId, 'motions'>;

export interface Badge {
  text: string;
  /** A class of its own, for what it means. */
  kind?: string;
  /** Where the text alone does not say it. */
  label?: string;
}

export interface Panel {
  id: PanelId;
  /** Stands for its title where tabs are many. */
  icon: IconName;
  /** Whether there is anything in it now. */
  when: (page: Page) => boolean;
  badge: (page: Page) => Badge | null;
  /** Makes it, and keeps it true from then on. Those that are not seen at once are fetched first. */
  mount: (page: Page) => Mounted | Promise<Mounted>;
}

export interface Mounted {
  element: HTMLElement;
  /** It is looked at now. */
  reveal?: () => void;
}
