// Section with the values of materials: colour, metallic, roughness, transparency, UV set and
// visible sides. Changes are drawn at once, kept on this device, and saved as a file beside the model.
import { computed, effect } from '@preact/signals-core';
import { valuesFor } from '../../session/materialValues.ts';
import { type Model, wholeCharacter } from '../../session/model.ts';
import {
  MAX_UV_SETS,
  type MaterialValueName,
  type MaterialValues,
  readMaterialValues,
  valuesFileOf,
  valuesOf,
  withValue,
  writeMaterialValues,
} from '../../textures/materialValues.ts';
import { el, fill, icon, picked } from '../dom.ts';
import { download } from '../download.ts';
import type { Page } from '../page.ts';
import { words } from '../words/index.ts';

/** Values with sliders. */
const SHARES = ['metallic', 'roughness', 'opacity', 'alphaCutoff'] as const satisfies readonly MaterialValueName[];
const ALPHA_MODES = ['opaque', 'mask', 'blend'] as const;
/** Maximum number of materials in the list. */
const MAX_MATERIALS = 500;

/** A material of the shown character. Materials with the same name in one file share their values. */
interface Entry {
  model: Model;
  /** Index into `scene.materials`. */
  row: number;
  name: string;
}

function entriesOf(model: Model | null): Entry[] {
  return (model ? wholeCharacter(model) : []).flatMap(part => {
    const names = new Set<string>();
    return part.rig.file.scene!.materials.flatMap(({ name }, row) => {
      if (names.has(name) || part.rig.materialsOf(row).length === 0) return [];
      names.add(name);
      return { model: part, row, name };
    });
  });
}

/** Returns the number of UV sets that all meshes with a material have. */
function uvSetsOf({ model, row }: Entry): number {
  const { renderers, meshes } = model.rig.file.scene!;
  const sets = renderers.flatMap(({ mesh, materials }) => {
    const { groups = [], uvs = [] } = meshes[mesh] ?? {};
    return materials?.includes(row) || groups.some(({ material }) => material === row) ? [uvs.length] : [];
  });
  return sets.length > 0 ? Math.min(MAX_UV_SETS, ...sets) : 0;
}

export function materialControls(page: Page): HTMLElement {
  const text = words.materials;
  const entries = computed(() => entriesOf(page.shownModel.value).slice(0, MAX_MATERIALS));
  let chosen: Entry | null = null;
  const current = (): Entry | null => entries.peek().find(each => each === chosen) ?? entries.peek()[0] ?? null;
  const list = el('select', { 'aria-label': text.material, onchange: () => choose(Number(list.value)) });
  const listRow = el('label', { class: 'row-of' }, el('span', {}, text.material), picked(list));
  const rows: { name: MaterialValueName; element: HTMLElement; reset: HTMLButtonElement; show: (values: MaterialValues) => boolean }[] = [];

  const choose = (at: number): void => {
    chosen = entries.peek()[at] ?? null;
    show();
  };
  /** Draws a value. `isFinal`: true to store it, as one step of the undo history. */
  const set = <Name extends MaterialValueName>(name: Name, value: MaterialValues[Name] | undefined, isFinal: boolean): void => {
    const entry = current();
    if (!entry) return;
    const { model } = entry;
    const stored = valuesFor(page.session.peek().materialValues, model.input.path) ?? model.rig.materialValues;
    const next = withValue(stored, entry.name, name, value);
    if (isFinal) page.setMaterialValues(model.input.path, next);
    else page.previewMaterialValues(model.input.path, next);
    show();
  };
  /** Adds a row with a button that resets the value. */
  const addRow = (name: MaterialValueName, control: HTMLElement, showValue: (values: MaterialValues) => boolean): void => {
    const label = text.reset(text.values[name]);
    const reset = el(
      'button',
      { type: 'button', class: 'icon-button small', 'aria-label': label, title: label, onclick: () => set(name, undefined, true) },
      icon('undo'),
    );
    rows.push({ name, element: el('div', { class: 'material-value', 'data-value': name }, control, reset), reset, show: showValue });
  };

  const color = el('input', {
    type: 'color',
    'aria-label': text.values.color,
    oninput: () => set('color', color.value, false),
    onchange: () => set('color', color.value, true),
  });
  addRow('color', el('label', { class: 'row-of' }, el('span', {}, text.values.color), color), ({ color: value }) => {
    if (value !== undefined) color.value = value;
    return value !== undefined;
  });
  const addShare = (name: (typeof SHARES)[number], isShown: (values: MaterialValues) => boolean): void => {
    const output = el('output', {});
    const input = el('input', {
      type: 'range',
      min: 0,
      max: 1,
      step: 0.01,
      oninput: () => set(name, Number(input.value), false),
      onchange: () => set(name, Number(input.value), true),
    });
    addRow(name, el('label', { class: 'slider' }, el('span', { class: 'name' }, text.values[name]), output, input), values => {
      const value = values[name];
      if (value === undefined || !isShown(values)) return false;
      input.value = String(value);
      input.style.setProperty('--done', `${value * 100}%`);
      output.value = value.toFixed(2);
      return true;
    });
  };
  const addChoice = (
    name: 'alphaMode' | 'uvSet',
    options: () => readonly (readonly [value: string, text: string])[],
    valueOf: (value: string) => MaterialValues[typeof name],
  ): void => {
    const select = el('select', { 'aria-label': text.values[name], onchange: () => set(name, valueOf(select.value), true) });
    addRow(name, el('label', { class: 'row-of' }, el('span', {}, text.values[name]), picked(select)), values => {
      const all = options();
      if (values[name] === undefined || all.length < 2) return false;
      fill(select, ...all.map(([value, label]) => el('option', { value }, label)));
      select.value = String(values[name]);
      return true;
    });
  };

  addShare('metallic', () => true);
  addShare('roughness', () => true);
  addChoice(
    'alphaMode',
    () => ALPHA_MODES.map(mode => [mode, text.alphaModes[mode]]),
    value => value as MaterialValues['alphaMode'],
  );
  addShare('opacity', ({ alphaMode }) => alphaMode !== 'opaque');
  addShare('alphaCutoff', ({ alphaMode }) => alphaMode === 'mask');
  addChoice(
    'uvSet',
    () => Array.from({ length: current() ? uvSetsOf(current()!) : 0 }, (_, at) => [String(at), text.uvSet(at + 1)]),
    Number,
  );
  const sides = el('input', { type: 'checkbox', onchange: () => set('doubleSided', sides.checked, true) });
  addRow('doubleSided', el('label', { class: 'check' }, sides, el('span', { class: 'name' }, text.values.doubleSided)), values => {
    sides.checked = values.doubleSided ?? false;
    return true;
  });

  const status = el('p', { class: 'note' });
  const button = (label: string, onclick: () => void): HTMLButtonElement =>
    el('button', { type: 'button', class: 'button', onclick }, label);
  const resetMaterial = button(text.resetMaterial, () => {
    const entry = current();
    if (!entry) return;
    page.setMaterialValues(
      entry.model.input.path,
      entry.model.rig.materialValues.filter(({ material }) => material !== entry.name),
    );
  });
  const save = button(text.save, () => {
    const model = current()?.model;
    if (model)
      download(
        valuesFileOf(model.input.file.name),
        new Blob([writeMaterialValues(model.rig.materialValues)], { type: 'application/json' }),
      );
  });
  const load = button(text.load, () => {
    const input = el('input', { type: 'file', accept: '.json' });
    input.onchange = async () => {
      const path = current()?.model.input.path;
      const [file] = input.files ?? [];
      if (path === undefined || !file) return;
      try {
        page.setMaterialValues(path, readMaterialValues(await file.text()));
        page.announce(text.loaded(file.name));
      } catch {
        status.textContent = text.invalid(file.name);
        status.hidden = false;
        page.announce(status.textContent);
      }
    };
    input.click();
  });

  const show = (): void => {
    const entry = current();
    if (!entry) return;
    const { rig } = entry.model;
    const drawn = rig.drawnValues(entry.row);
    const own = valuesOf(rig.materialValues, entry.name) ?? {};
    for (const { name, element, reset, show: showValue } of rows) {
      element.hidden = !showValue({ ...drawn, ...own });
      const isChanged = own[name] !== undefined;
      element.classList.toggle('changed', isChanged);
      // A hidden button that has the focus would lose it.
      reset.disabled = !isChanged;
    }
    const isChanged = Object.keys(own).length > 0;
    resetMaterial.disabled = !isChanged;
    save.disabled = rig.materialValues.length === 0;
  };
  const fillList = (): void => {
    const all = entries.peek();
    listRow.hidden = all.length < 2;
    fill(
      list,
      ...all.map(({ model, name }, at) => {
        const isChanged = valuesOf(model.rig.materialValues, name) !== null;
        return el('option', { value: at }, `${name || words.noName}${isChanged ? ` (${text.changed})` : ''}`);
      }),
    );
    list.value = String(Math.max(all.indexOf(current()!), 0));
  };
  effect(() => {
    void entries.value;
    void page.session.value.materialValues;
    status.hidden = true;
    fillList();
    show();
  });
  return el(
    'div',
    { class: 'view materials' },
    listRow,
    ...rows.map(({ element }) => element),
    el('div', { class: 'actions' }, resetMaterial, save, load),
    status,
    el('p', { class: 'note' }, text.about),
  );
}
