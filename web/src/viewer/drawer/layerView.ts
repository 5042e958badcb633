// Layers of the current animation as rows: the animation, the layer on top of it, the animation
// that it is compared with, and onion skins.
import { computed, effect } from '@preact/signals-core';
import { clipsOf, titleOf } from '../../session/animationRows.ts';
import { type AnimationMode, isDeclaredAdditive, type OverlayLayer, overlayOf } from '../../session/layeredAction.ts';
import type { AnimationRow } from '../../session/openedFile.ts';
import type { ViewSettings } from '../../session/viewSettings.ts';
import { el, fill, picked } from '../dom.ts';
import type { Page } from '../page.ts';
import { words } from '../words/index.ts';

/** Maximum number of animations in a drop-down list. */
const MAX_ROWS = 1000;
/** Selectable numbers of onion skins, before and after the current pose. */
const ONION_SKINS = [1, 2, 3, 5];
/** Maximum number of frames between two onion skins. */
const MAX_STEP = 100;
/** Maximum duration of a fade in seconds. */
const MAX_FADE = 10;

/** Creates the rows. Recordings have no layers, because their curves are not bound to bones. */
export function layerView(page: Page): HTMLElement {
  const name = el('b', { class: 'layer-name' });
  const others = [layerRow(page), comparedRow(page)];
  const rows = el('div', {}, rowOf(words.layers.animation, name, modeSelect(page)), ...others, onionRow(page));
  const recording = el('p', { class: 'quiet drawer-empty' }, words.layers.noLayers);
  effect(() => {
    name.textContent = page.played.value?.name || words.noName;
    recording.hidden = page.recorded.value === null;
    rows.hidden = !recording.hidden;
    for (const other of others) other.hidden = page.rows.value.length < 2;
  });
  return el('div', { class: 'layer-rows' }, rows, recording);
}

/** Creates a row with a title and controls. */
export const rowOf = (title: string, ...children: (HTMLElement | false)[]): HTMLElement =>
  el('div', { class: 'layer-row', role: 'group', 'aria-label': title }, el('span', { class: 'layer-title' }, title), ...children);

/** Creates a control with a label on its left. */
const labelled = (label: string, control: HTMLElement, ...more: HTMLElement[]): HTMLElement =>
  el('label', { class: 'layer-control' }, el('span', {}, label), control, ...more);

/** Creates the row of the layer: animation, weight, affected bones, additive, fade. */
function layerRow(page: Page): HTMLElement {
  const top = computed(() => page.session.value.overlay);
  const change = (changed: Partial<OverlayLayer>): void => {
    if (top.value) page.dispatch({ type: 'set-overlay', overlay: { ...top.value, ...changed } });
  };
  const animation = animationSelect(page, words.layers.layer, top, row =>
    page.withKeys(row, () =>
      page.dispatch({
        type: 'set-overlay',
        overlay: row && { ...(top.value ?? overlayOf(row)), source: row.source, indices: row.indices, isAdditive: null },
      }),
    ),
  );
  const output = el('output', {});
  const weight = el('input', { type: 'range', min: 0, max: 1, step: 0.01, oninput: () => change({ weight: Number(weight.value) }) });
  const bones = el('select', { 'aria-label': words.layers.bones, onchange: () => change({ rootBone: bones.value }) });
  const additive = el('input', { type: 'checkbox', onchange: () => change({ isAdditive: additive.checked }) });
  const additiveLabel = el('label', { class: 'layer-control' }, additive, el('span', {}, words.layers.additive));
  const fade = el('input', {
    type: 'number',
    min: 0,
    max: MAX_FADE,
    step: 0.1,
    onchange: () => change({ fade: Math.min(Math.max(Number(fade.value) || 0, 0), MAX_FADE) }),
  });
  const fadeLabel = labelled(words.layers.fade, fade, el('span', { class: 'quiet' }, 's'));
  fadeLabel.title = words.layers.fadeText;
  const settings = el(
    'div',
    { class: 'layer-settings' },
    labelled(words.layers.weight, weight, output),
    labelled(words.layers.bones, picked(bones)),
    additiveLabel,
    fadeLabel,
  );
  const note = el('p', { class: 'quiet layer-note' });
  effect(() => {
    const names = page.shownModel.value?.bones.map(({ userData, name }) => String(userData['name'] ?? name)) ?? [];
    fill(
      bones,
      el('option', { value: '' }, words.layers.allBones),
      ...names.map(name => el('option', { value: name }, words.layers.boneAndBelow(name))),
    );
    bones.value = top.peek()?.rootBone ?? '';
  });
  effect(() => {
    const now = top.value;
    const isDeclared = now !== null && isDeclaredAdditive(clipsOf(now));
    settings.hidden = now === null;
    note.textContent =
      now === null
        ? words.layers.layerText
        : isDeclared
          ? words.layers.isDeclaredAdditive
          : page.isTopAdditive.value
            ? words.layers.isAdditive
            : words.layers.isBlended;
    if (now === null) return;
    weight.value = String(now.weight);
    weight.style.setProperty('--done', `${now.weight * 100}%`);
    output.value = now.weight.toFixed(2);
    bones.value = now.rootBone;
    additive.checked = page.isTopAdditive.value;
    additive.disabled = isDeclared;
    fade.value = String(now.fade);
  });
  return rowOf(words.layers.layer, animation, settings, note);
}

/** Creates the row of the animation that the current one is compared with. */
function comparedRow(page: Page): HTMLElement {
  const ghost = computed(() => page.session.value.ghost);
  const swap = el(
    'button',
    { type: 'button', class: 'plain', onclick: () => page.run('swap') },
    words.commands.swap.title,
    ' ',
    el('kbd', {}, 'A'),
  );
  const note = el('p', { class: 'quiet layer-note' }, words.layers.comparedText);
  effect(() => {
    swap.hidden = ghost.value === null;
    note.hidden = ghost.value !== null;
  });
  const animation = animationSelect(page, words.layers.compareWith, ghost, row =>
    page.withKeys(row, () => page.dispatch({ type: 'set-ghost', ghost: row })),
  );
  return rowOf(words.layers.compareWith, animation, swap, note);
}

/** Creates the row of the onion skins: number and distance. */
function onionRow(page: Page): HTMLElement {
  const change = (settings: Partial<ViewSettings>): void => page.dispatch({ type: 'set-view', settings });
  const poses = el(
    'select',
    { 'aria-label': words.layers.onionSkins, onchange: () => change({ onionSkins: Number(poses.value) }) },
    el('option', { value: 0 }, words.none),
    ...ONION_SKINS.map(value => el('option', { value }, words.layers.beforeAndAfter(value))),
  );
  const step = el('input', {
    type: 'number',
    min: 1,
    max: MAX_STEP,
    step: 1,
    onchange: () => change({ onionStep: Math.min(Math.max(Math.round(Number(step.value)) || 1, 1), MAX_STEP) }),
  });
  const distance = labelled(words.layers.every, step, el('span', { class: 'quiet' }, words.layers.frames));
  const note = el('p', { class: 'quiet layer-note' });
  effect(() => {
    const { viewSettings, overlay } = page.session.value;
    poses.value = String(viewSettings.onionSkins);
    step.value = String(viewSettings.onionStep);
    distance.hidden = viewSettings.onionSkins === 0;
    note.textContent = overlay ? words.layers.onionWithoutLayer : words.layers.onionText;
  });
  return rowOf(words.layers.onionSkins, picked(poses), distance, note);
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
  return labelled(words.playAs, picked(list));
}

/** Creates a list that selects an animation or none. `chosen`: the selected animation. */
function animationSelect(
  page: Page,
  title: string,
  chosen: { readonly value: Pick<AnimationRow, 'source' | 'indices'> | null },
  onChoose: (row: AnimationRow | null) => void,
): HTMLElement {
  const list = el('select', { 'aria-label': title, onchange: () => onChoose(page.rows.value[Number(list.value)] ?? null) });
  effect(() => {
    const rows = page.rows.value.slice(0, MAX_ROWS);
    fill(
      list,
      el('option', { value: -1 }, words.none),
      ...rows.map((row, at) => el('option', { value: at }, titleOf(row) || words.noName)),
    );
  });
  effect(() => {
    const now = chosen.value;
    const at = page.rows.value.findIndex(({ source, indices }) => source === now?.source && String(indices) === String(now.indices));
    list.value = String(at);
  });
  return picked(list);
}
