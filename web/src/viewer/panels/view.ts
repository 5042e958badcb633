// Sections that change the view: shading, overlays, camera, lights and orientation. Their checkboxes
// run commands.
import { computed, effect } from '@preact/signals-core';
import { MathUtils } from 'three';
import { traitsOf } from '../../core/formats.ts';
import { displayName } from '../../session/model.ts';
import type { Background, ViewSettings, Placement } from '../../session/viewSettings.ts';
import { ENVIRONMENT_PRESETS, VIEW_MODES } from '../../view/index.ts';
import { PANORAMAS } from '../environmentSky.ts';
import { buttonsOf, checkOf } from '../buttons.ts';
import { el, fill, picked } from '../dom.ts';
import type { Command, Page } from '../page.ts';
import { words } from '../words/index.ts';
import { bookmarkControls } from './bookmarks.ts';
import { layerChecks } from './scene.ts';

const OVERLAYS = ['bones', 'names', 'axes', 'sockets', 'wire', 'grid', 'bounds', 'rigging'] as const satisfies readonly Command['id'][];
const BACKGROUNDS = ['page', 'white', 'grey', 'black', 'environment'] as const satisfies readonly Background[];
/** Maximum number of camera buttons. */
const MAX_CAMERAS = 40;

export const shadingControls = (page: Page): HTMLElement => el('div', { class: 'view' }, modes(page), bones(page), checkOf(page, 'webgpu'));

export const overlayChecks = (page: Page): HTMLElement =>
  el('div', { class: 'view' }, ...OVERLAYS.map(id => checkOf(page, id)), layerChecks(page));

export const cameraControls = (page: Page): HTMLElement =>
  el(
    'div',
    { class: 'view' },
    el('div', { class: 'actions sides' }, ...buttonsOf(page, 'view')),
    checkOf(page, 'flat'),
    slider(page, words.fieldOfView, 'fieldOfView', { min: 8, max: 100, step: 1, text: value => `${value}°` }),
    cameras(page),
    bookmarkControls(page),
  );

export const lightControls = (page: Page): HTMLElement =>
  el(
    'div',
    { class: 'view' },
    slider(page, words.exposure, 'exposure', { min: 0, max: 3, step: 0.05, text: value => value.toFixed(2) }),
    slider(page, words.lightRotation, 'lightRotation', { min: -180, max: 180, step: 5, text: value => `${value}°` }),
    environmentSelect(page),
    backgroundSelect(page),
  );

const setView = (page: Page, change: Partial<ViewSettings>): void => page.dispatch({ type: 'set-view', settings: change });

function modes(page: Page): HTMLElement {
  const buttons = VIEW_MODES.map(mode =>
    el('button', { type: 'button', class: 'mode', 'data-mode': mode, onclick: () => setView(page, { mode }) }, words.shadingModes[mode]),
  );
  effect(() => {
    const { mode } = page.session.value.viewSettings;
    const hasColors = page.viewport.appearance.colors.value.layers > 0;
    for (const button of buttons) {
      button.setAttribute('aria-pressed', String(button.dataset.mode === mode));
      button.hidden = button.dataset.mode === 'colors' && !hasColors;
    }
  });
  return el('div', { class: 'modes', role: 'group', 'aria-label': words.sections.shading }, ...buttons);
}

/**
 * Creates the list that selects a bone. The weights mode, key density, trail and camera focus use
 * the selected bone.
 */
function bones(page: Page): HTMLElement {
  const list = el('select', {
    'aria-label': words.bone,
    onchange: () => (page.viewport.overlays.bone.value = page.shownModel.peek()?.bones[Number(list.value)] ?? null),
  });
  const label = el('label', { class: 'row-of' }, el('span', {}, words.bone), picked(list));
  effect(() => {
    const all = page.shownModel.value?.bones ?? [];
    label.hidden = all.length === 0;
    fill(
      list,
      el('option', { value: -1 }, words.none),
      ...all.map((bone, at) => el('option', { value: at }, displayName(bone) || words.noName)),
    );
    list.value = String(all.indexOf(page.viewport.overlays.bone.value!));
  });
  return label;
}

interface SliderRange {
  min: number;
  max: number;
  step: number;
  text: (value: number) => string;
}

function slider(
  page: Page,
  title: string,
  key: 'fieldOfView' | 'exposure' | 'lightRotation',
  { min, max, step, text }: SliderRange,
): HTMLElement {
  const output = el('output', {});
  const input = el('input', { type: 'range', min, max, step, oninput: () => setView(page, { [key]: Number(input.value) }) });
  effect(() => {
    const value = page.session.value.viewSettings[key];
    input.value = String(value);
    input.style.setProperty('--done', `${MathUtils.inverseLerp(min, max, value) * 100}%`);
    output.value = text(value);
  });
  return el('label', { class: 'slider' }, el('span', { class: 'name' }, title), output, input);
}

/**
 * Creates buttons for the cameras of a file. Recordings have no such buttons, because a command
 * shows their camera.
 */
function cameras(page: Page): HTMLElement {
  const list = el('div', { class: 'actions', role: 'group', 'aria-label': words.cameras });
  effect(() => {
    const all = page.recorded.value ? [] : (page.shownModel.value?.file.scene?.cameras ?? []);
    list.hidden = all.length === 0;
    fill(
      list,
      ...all
        .slice(0, MAX_CAMERAS)
        .map(({ name }, row) =>
          el(
            'button',
            { type: 'button', class: 'button', onclick: () => page.viewport.cameraView.lookThroughCamera(row) },
            words.throughCamera(name || String(row + 1)),
          ),
        ),
    );
  });
  return list;
}

const UPS = ['y', 'z', 'x', '-z', '-x', '-y'] as const;
const TURNS = [0, 90, 180, 270];
const SCALES = [0.01, 0.0254, 0.1, 1, 10, 39.37, 100];

/** Creates the controls that correct a model's up axis, direction and size. */
export function orientationControls(page: Page): HTMLElement {
  const place = (change: Partial<Placement>): void => page.dispatch({ type: 'set-placement', placement: change });
  const list = (
    title: string,
    choices: readonly [value: string | number, text: string][],
    onChoose: (value: string) => void,
  ): HTMLSelectElement => {
    const made = el(
      'select',
      { 'aria-label': title, onchange: () => onChoose(made.value) },
      ...choices.map(([value, text]) => el('option', { value }, text)),
    );
    return made;
  };
  const up = list(
    words.upAxis,
    UPS.map(axis => [axis, axis.toUpperCase().replace('-', '−')]),
    value => place({ up: value as Placement['up'] }),
  );
  const yaw = list(
    words.rotation,
    TURNS.map(value => [value, `${value}°`]),
    value => place({ yaw: Number(value) }),
  );
  const scale = list(
    words.scale,
    SCALES.map(value => [value, `${value}×`]),
    value => place({ scale: Number(value) }),
  );
  const root = el('input', { type: 'checkbox', onchange: () => page.readRoot(root.checked) });
  const rootRow = el('label', { class: 'check' }, root, el('span', { class: 'name' }, words.conjugateRoot));
  const box = el(
    'div',
    { class: 'orientation' },
    ...[up, yaw, scale].map(one => el('label', { class: 'row-of' }, el('span', {}, one.getAttribute('aria-label')), picked(one))),
    rootRow,
  );
  effect(() => {
    const { placement, demo } = page.session.value;
    rootRow.hidden = demo !== null || !traitsOf(page.shownModel.value?.file.format)?.isRootAmbiguous;
    root.checked = placement.isRootConjugated;
    up.value = placement.up;
    yaw.value = String(placement.yaw);
    scale.value = String(placement.scale);
  });
  return box;
}

/** Creates the list that selects the environment: the default room, a preset or an image. */
function environmentSelect(page: Page): HTMLElement {
  const choose = (): void => {
    const image = el('input', { type: 'file', accept: PANORAMAS });
    image.onchange = () => {
      const [file] = image.files ?? [];
      if (file) setView(page, { environment: file });
    };
    image.click();
  };
  const list = el('select', {
    'aria-label': words.environment,
    onchange: () => {
      if (list.value === 'image') choose();
      else setView(page, { environment: list.value });
      show();
    },
  });
  const show = (): void => {
    const { environment: now } = page.session.peek().viewSettings;
    fill(
      list,
      ...(['room', ...ENVIRONMENT_PRESETS] as const).map(value => el('option', { value }, words.environments[value])),
      now instanceof File && el('option', { value: 'file' }, now.name),
      el('option', { value: 'image' }, words.environments.image),
    );
    list.value = now instanceof File ? 'file' : now;
  };
  const chosen = computed(() => page.session.value.viewSettings.environment);
  effect(() => {
    void chosen.value;
    show();
  });
  return el('label', { class: 'row-of' }, el('span', {}, words.environment), picked(list));
}

function backgroundSelect(page: Page): HTMLElement {
  const list = el(
    'select',
    { 'aria-label': words.background, onchange: () => setView(page, { background: list.value as Background }) },
    ...BACKGROUNDS.map(value => el('option', { value }, words.backgrounds[value])),
  );
  effect(() => {
    list.value = page.session.value.viewSettings.background;
  });
  return el('label', { class: 'row-of' }, el('span', {}, words.background), picked(list));
}
