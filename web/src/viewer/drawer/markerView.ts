// List of the visitor's markers: add, rename, delete, export and import.
import { effect } from '@preact/signals-core';
import { download } from '../download.ts';
import { el, fill, iconButton } from '../dom.ts';
import { words } from '../words/index.ts';
import type { DrawerState } from './drawerState.ts';
import { type Marker, markersJson, MAX_MARKERS, MAX_NAME, MAX_SIZE, parseMarkers } from './markers.ts';
import { rowOf } from './layerView.ts';

/** Creates the list. `onSeek`: called with a time in seconds when the visitor selects a marker. */
export function markerView(state: DrawerState, onSeek: (time: number) => void): HTMLElement {
  const file = el('input', {
    type: 'file',
    accept: '.json,application/json',
    hidden: true,
    onchange: () => {
      const [chosen] = file.files ?? [];
      if (chosen) void importMarkers(state, chosen);
      file.value = '';
    },
  });
  const button = (label: string, run: () => void): HTMLButtonElement =>
    el('button', { type: 'button', class: 'plain', onclick: run }, label);
  const save = button(words.markers.save, () => {
    const name = state.page.played.value?.name || words.noName;
    download(`${name}.markers.json`, new Blob([markersJson(name, state.markers.value)], { type: 'application/json' }));
  });
  const list = el('div', { class: 'marker-list' });
  effect(() => {
    const markers = state.markers.value;
    save.disabled = markers.length === 0;
    fill(
      list,
      ...(markers.length === 0
        ? [el('p', { class: 'quiet' }, words.markers.none)]
        : markers.map(marker => markerRow(state, marker, onSeek))),
    );
  });
  return el(
    'div',
    { class: 'layer-rows' },
    rowOf(
      words.markers.title,
      el(
        'div',
        { class: 'check-buttons' },
        button(words.markers.add, () => addMarker(state)),
        save,
        button(words.markers.load, () => file.click()),
        file,
      ),
      list,
    ),
  );
}

function markerRow(state: DrawerState, marker: Marker, onSeek: (time: number) => void): HTMLElement {
  const label = state.timeLabel(marker.time);
  const name = el('input', {
    type: 'text',
    value: marker.name,
    maxlength: MAX_NAME,
    'aria-label': words.markers.nameAt(label),
    onchange: () => state.setMarkers(state.markers.value.map(each => (each === marker ? { ...marker, name: name.value.trim() } : each))),
  });
  return el(
    'div',
    { class: 'marker-row', role: 'group', 'aria-label': words.markers.at(label) },
    el('button', { type: 'button', class: 'plain', onclick: () => onSeek(marker.time) }, label),
    name,
    iconButton('close', words.markers.remove(label), () => {
      state.setMarkers(state.markers.value.filter(each => each !== marker));
      state.page.announce(words.markers.removed(label));
    }),
  );
}

/** Adds a marker at the current frame, unless there is one already. */
export function addMarker(state: DrawerState): void {
  const { time: now } = state.page.playback;
  const time = state.rate === 1 ? now : Math.round(now * state.rate) / state.rate;
  const markers = state.markers.value;
  const label = state.timeLabel(time);
  if (!state.page.played.value || markers.length >= MAX_MARKERS) return;
  if (!markers.some(each => Math.abs(each.time - time) < 1e-4))
    state.setMarkers([...markers, { time, name: words.markers.newName(markers.length + 1) }]);
  state.page.announce(words.markers.added(label));
}

/** Replaces the markers by those of a JSON file. */
export async function importMarkers(state: DrawerState, file: File): Promise<void> {
  const action = state.page.played.value;
  const markers = action && file.size <= MAX_SIZE ? parseMarkers(await file.text(), { start: action.start, end: action.duration }) : null;
  if (action !== state.page.played.value) return;
  if (markers) state.setMarkers(markers);
  state.page.announce(markers ? words.markers.loaded(markers.length) : words.markers.notLoaded(file.name));
}
