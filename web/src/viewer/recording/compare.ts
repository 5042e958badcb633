// Controls that select a recording for comparison with the current one and shift the selected
// recording in time.
import { effect } from '@preact/signals-core';
import { type LibraryEntry, mayBeRecording, modelsIn } from '../../session/library.ts';
import { el, fill, picked } from '../dom.ts';
import type { Page } from '../page.ts';
import { words } from '../words/index.ts';

/** Maximum time offset between the two recordings in seconds. */
const MAX_OFFSET = 10;

export function compareBox(page: Page): HTMLElement {
  let others: LibraryEntry[] = [];
  const list = el('select', {
    'aria-label': words.recording.compare,
    onchange: () => void page.compareRecording(others[Number(list.value)] ?? null),
  });
  const output = el('output', {});
  const offset = el('input', {
    type: 'range',
    min: -MAX_OFFSET,
    max: MAX_OFFSET,
    step: 0.05,
    oninput: () => {
      const other = page.other.peek();
      if (!other) return;
      other.offset = Number(offset.value);
      show(other.offset);
      other.update(page.playback.time);
      page.viewport.view.invalidate();
      page.poseVersion.value++;
    },
  });
  const show = (seconds: number): void => {
    offset.value = String(seconds);
    offset.style.setProperty('--done', `${((seconds + MAX_OFFSET) / (2 * MAX_OFFSET)) * 100}%`);
    output.value = words.recording.offsetSeconds(seconds.toFixed(2));
  };
  const slider = el('label', { class: 'slider' }, el('span', { class: 'name' }, words.recording.offset), output, offset);
  const hint = el('p', { class: 'quiet' }, words.recording.dropToCompare);
  const color = el('p', { class: 'quiet' }, words.recording.comparedColor);
  const choice = el('label', { class: 'row-of' }, el('span', {}, words.recording.compare), picked(list));
  effect(() => {
    const { library, shown } = page.session.value;
    const other = page.other.value;
    others = modelsIn(library).filter(entry => entry.input !== shown?.input && mayBeRecording(entry));
    fill(list, el('option', { value: -1 }, words.none), ...others.map(({ input }, row) => el('option', { value: row }, input.file.name)));
    list.value = String(other ? others.findIndex(({ input }) => input === other.entry.input) : -1);
    choice.hidden = others.length === 0;
    hint.hidden = others.length > 0;
    slider.hidden = color.hidden = !other;
    if (other) show(other.offset);
  });
  return el('div', { class: 'compare' }, choice, hint, color, slider);
}
