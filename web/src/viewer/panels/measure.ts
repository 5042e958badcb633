// Section that measures the distance between two points of the model.
import { effect } from '@preact/signals-core';
import { displayName } from '../../session/model.ts';
import { checkOf } from '../buttons.ts';
import { el, fill, picked } from '../dom.ts';
import { pointOnBone } from '../measure.ts';
import { measureOf } from '../measuring.ts';
import type { Page } from '../page.ts';
import { words } from '../words/index.ts';

/** Value of the option for a point on the surface. */
const SURFACE = 'surface';

export function measureControls(page: Page): HTMLElement {
  const measure = measureOf(page);
  const text = words.measure;
  const lists = [text.from, text.to].map((label, at) => {
    const list = el('select', {
      'aria-label': label,
      onchange: () => {
        const bone = page.shownModel.peek()?.bones[Number(list.value)];
        if (list.value !== SURFACE) measure.set(at, bone ? pointOnBone(bone) : null);
        page.viewport.view.invalidate();
      },
    });
    return list;
  });
  const result = el('p', { class: 'measured', role: 'status' });
  const clear = el(
    'button',
    {
      type: 'button',
      class: 'button',
      onclick: () => {
        measure.clear();
        page.viewport.view.invalidate();
      },
    },
    text.clear,
  );
  effect(() => {
    const bones = page.shownModel.value?.bones ?? [];
    const points = measure.points.value;
    lists.forEach((list, at) => {
      const point = points[at] ?? null;
      fill(
        list,
        el('option', { value: -1 }, words.none),
        point && !point.bone && el('option', { value: SURFACE }, text.surface),
        ...bones.map((bone, row) => el('option', { value: row }, displayName(bone) || words.noName)),
      );
      list.value = point ? (point.bone ? String(bones.indexOf(point.bone)) : SURFACE) : '-1';
    });
    clear.disabled = points.every(point => point === null);
  });
  effect(() => {
    result.textContent = measure.text.value || text.hint;
    result.classList.toggle('note', measure.text.value === '');
  });
  return el(
    'div',
    { class: 'view' },
    checkOf(page, 'measure'),
    ...lists.map(list => el('label', { class: 'row-of' }, el('span', {}, list.getAttribute('aria-label')), picked(list))),
    result,
    el('div', { class: 'actions' }, clear),
  );
}
