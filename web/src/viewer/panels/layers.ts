// Controls below the list of animations: interpretation of the animation, top layer and ghost.
import { effect } from '@preact/signals-core';
import type { AnimationMode } from '../../session/layeredAction.ts';
import { titleOf } from '../../session/animationRows.ts';
import type { AnimationRow } from '../../session/openedFile.ts';
import { el, fill, picked } from '../dom.ts';
import type { Page } from '../page.ts';
import { words } from '../words/index.ts';

/** Maximum number of animations in a drop-down list. */
const MAX_ROWS = 1000;

export function layerBox(page: Page): HTMLElement {
  const top = chooser(words.layer, row => {
    const { overlay: before } = page.session.peek();
    page.dispatch({ type: 'set-overlay', overlay: row && { ...row, weight: before?.weight ?? 1, rootBone: before?.rootBone ?? '' } });
  });
  const ghost = chooser(words.compareWith, row => page.dispatch({ type: 'set-ghost', ghost: row }));
  const note = el('p', { class: 'quiet' });
  const {
    label: weights,
    input: weight,
    output,
  } = slider(value => {
    const { overlay: now } = page.session.peek();
    if (now) page.dispatch({ type: 'set-overlay', overlay: { ...now, weight: value } });
  });
  const below = el('select', {
    'aria-label': words.limitTo,
    onchange: () => {
      const { overlay: now } = page.session.peek();
      if (now) page.dispatch({ type: 'set-overlay', overlay: { ...now, rootBone: below.value } });
    },
  });
  const mask = el('label', { class: 'row-of' }, el('span', {}, words.limitTo), picked(below));
  const swap = el(
    'button',
    { type: 'button', class: 'plain', onclick: () => page.run('swap') },
    words.commands.swap.title,
    el('kbd', {}, 'A'),
  );
  const mode = modeSelect(page);
  const box = el(
    'details',
    { class: 'layers' },
    el('summary', {}, words.playbackOptions),
    mode,
    top.label,
    weights,
    mask,
    note,
    ghost.label,
    swap,
  );
  effect(() => {
    const rows = page.rows.value;
    box.hidden = rows.length === 0 || page.recorded.value !== null;
    top.label.hidden = ghost.label.hidden = rows.length < 2;
    if (box.hidden) return;
    top.set(rows);
    ghost.set(rows);
  });
  effect(() => {
    const names = page.shownModel.value?.bones.map(({ userData, name }) => String(userData['name'] ?? name)) ?? [];
    fill(below, el('option', { value: '' }, words.allBones), ...names.map(name => el('option', { value: name }, words.boneAndBelow(name))));
  });
  effect(() => {
    const { overlay: now, ghost: other } = page.session.value;
    const rows = page.rows.value;
    top.select(rows, now);
    ghost.select(rows, other);
    swap.hidden = other === null;
    weights.hidden = mask.hidden = note.hidden = now === null;
    weight.value = String(now?.weight ?? 1);
    weight.style.setProperty('--done', `${(now?.weight ?? 1) * 100}%`);
    output.value = (now?.weight ?? 1).toFixed(2);
    below.value = now?.rootBone ?? '';
    note.textContent =
      page.played.value === null ? words.layerNeedsAnimation : page.isTopAdditive.value ? words.layerIsAdditive : words.layerIsBlended;
  });
  return box;
}

/** Creates the list that selects how animations are interpreted. */
function modeSelect(page: Page): HTMLElement {
  const choices = ['auto', 'file', 'everything', 'rotation-only', 'additive'] as const satisfies readonly AnimationMode[];
  const list = el(
    'select',
    { 'aria-label': words.playAs, onchange: () => page.setAnimationMode(list.value as AnimationMode) },
    ...choices.map(value => el('option', { value }, words.playAsChoices[value])),
  );
  effect(() => {
    list.value = page.session.value.animationMode;
  });
  return el('label', { class: 'row-of' }, el('span', {}, words.playAs), picked(list));
}

function slider(onInput: (value: number) => void): { label: HTMLElement; input: HTMLInputElement; output: HTMLOutputElement } {
  const output = el('output', {});
  const input = el('input', { type: 'range', min: 0, max: 1, step: 0.01, oninput: () => onInput(Number(input.value)) });
  return { label: el('label', { class: 'slider' }, el('span', { class: 'name' }, words.weight), output, input), input, output };
}

interface Chooser {
  label: HTMLElement;
  set(rows: readonly AnimationRow[]): void;
  select(rows: readonly AnimationRow[], chosen: Pick<AnimationRow, 'source' | 'indices'> | null): void;
}

/** Creates a list that selects an animation or none. */
function chooser(title: string, onChoose: (row: AnimationRow | null) => void): Chooser {
  let rows: readonly AnimationRow[] = [];
  const list = el('select', { 'aria-label': title, onchange: () => onChoose(rows[Number(list.value)] ?? null) });
  return {
    label: el('label', { class: 'row-of' }, el('span', {}, title), picked(list)),
    set(all) {
      rows = all;
      fill(
        list,
        el('option', { value: -1 }, words.none),
        ...all.slice(0, MAX_ROWS).map((row, at) => el('option', { value: at }, titleOf(row) || words.noName)),
      );
    },
    select(all, chosen) {
      const at = chosen
        ? all.findIndex(({ source, indices }) => source === chosen.source && String(indices) === String(chosen.indices))
        : -1;
      list.value = String(at);
    },
  };
}
