// Camera views in links to the viewer: the current view (parameter `camera`) and saved views
// (parameters `view`). A view is written as position, target, field of view in degrees, 1 if it is
// orthographic, and its name, separated by commas.
import type { ReadonlySignal } from '@preact/signals-core';
import type { InputFile } from '../session/inputFile.ts';
import { type Bookmark, type Bookmarks, isBookmark, MAX_BOOKMARKS } from './bookmarks.ts';

/** Views of a model for a link. */
export interface LinkedViews {
  /** The current view; null to leave it out. */
  current: Bookmark | null;
  saved: readonly Bookmark[];
}

interface ViewedPage {
  readonly shownModel: ReadonlySignal<{ readonly input: InputFile } | null>;
  loadBookmarks(): Promise<Bookmarks>;
  showPose(view: Bookmark): void;
}

/** Maximum number of characters of a view. */
const MAX_LENGTH = 400;
const DIGITS = 5;

export function viewText({ name, position, target, fieldOfView, isOrthographic }: Bookmark): string {
  const numbers = [...position, ...target, fieldOfView, Number(isOrthographic)];
  return [...numbers.map(value => Number(value.toPrecision(DIGITS))), name].join(',');
}

/** Returns the view of a text; null if the text is not a view. */
export function viewIn(text: string): Bookmark | null {
  if (text.length > MAX_LENGTH) return null;
  const words = text.split(',');
  if (words.length < 9) return null;
  const [x, y, z, tx, ty, tz, fieldOfView, orthographic] = words.slice(0, 8).map(word => (word.trim() === '' ? Number.NaN : Number(word)));
  const view = {
    name: words.slice(8).join(','),
    position: [x, y, z],
    target: [tx, ty, tz],
    fieldOfView,
    isOrthographic: orthographic === 1,
  };
  return isBookmark(view) ? view : null;
}

/** Adds views to a link. */
export function addViews(link: URLSearchParams, { current, saved }: LinkedViews): void {
  if (current) link.set('camera', viewText(current));
  for (const view of saved) link.append('view', viewText(view));
}

/**
 * Shows the view of a link, and adds its saved views to those of the shown model. Views that the
 * visitor has saved under the same name are kept.
 */
export async function takeViews(viewer: ViewedPage, link: URLSearchParams): Promise<void> {
  const input = viewer.shownModel.peek()?.input;
  if (!input) return;
  const views = link
    .getAll('view')
    .slice(0, MAX_BOOKMARKS)
    .flatMap(text => viewIn(text) ?? []);
  const current = viewIn(link.get('camera') ?? '');
  if (current) viewer.showPose(current);
  const bookmarks = await viewer.loadBookmarks();
  for (const view of views) if (!bookmarks.of(input).some(({ name }) => name === view.name)) bookmarks.add(input, view);
}
