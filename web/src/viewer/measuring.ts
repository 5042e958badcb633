// Starts and stops measuring. Imported when the visitor first measures.
import { Measure } from './measure.ts';
import type { Page } from './page.ts';
import { words } from './words/index.ts';

/** Returns the measurement of a page. The first call creates it. */
export const measureOf = (page: Page): Measure => (page.viewport.measure.value ??= new Measure(page));

/** Starts to measure, or stops. */
export function toggleMeasure(page: Page): void {
  const { isOn } = measureOf(page);
  isOn.value = !isOn.value;
  if (isOn.value) page.showSection('measure');
  page.announce(isOn.value ? words.measure.hint : words.measure.ended);
}
