// Content of the drawer: tools, ruler and rows, or a form. Loaded when the drawer is first opened.
import { effect } from '@preact/signals-core';
import { deferredEffect } from '../deferred.ts';
import { el, fill, icon, iconButton, picked } from '../dom.ts';
import { isBoneMap } from '../droppedBoneMap.ts';
import type { DrawerView, Page } from '../page.ts';
import { words } from '../words/index.ts';
import { BoneMapView } from './boneMapView.ts';
import { BONE_CHANNELS } from './curveBands.ts';
import { DrawerState, VIEWS } from './drawerState.ts';
import { editView } from './editView.ts';
import { HandView } from './handView.ts';
import { layerView } from './layerView.ts';
import { addMarker, importMarkers, markerView } from './markerView.ts';
import { Sheet } from './sheet.ts';
import { isMoving, type RowFilter } from './sheetRows.ts';
import { isZoomed, moved, revealed, timeAt, wholeAxis, xOf, zoomed } from './timeAxis.ts';
import { TimeHead } from './timeHead.ts';

/** Change of the visible time by a zoom button. */
const ZOOM = 1.5;
/** Change of the visible time per pixel of the mouse wheel. */
const WHEEL = 1.002;

export class Editor {
  readonly element: HTMLElement;
  readonly #page: Page;
  readonly #boneMap: BoneMapView;
  readonly #hands: HandView;
  readonly #state: DrawerState;
  readonly #sheet: Sheet;
  readonly #head: TimeHead;
  readonly #playTime = el('span', {});
  readonly #playHead = el('div', { class: 'playhead' }, this.#playTime);
  readonly #area: HTMLElement;
  /** Content of the views without a time axis. */
  readonly #forms: Readonly<Partial<Record<DrawerView, HTMLElement>>>;
  readonly #empty = el('p', { class: 'quiet drawer-empty' }, words.drawer.noAnimation);
  readonly #summary = el('span', { class: 'quiet drawer-summary' });

  constructor(page: Page) {
    this.#page = page;
    this.#state = new DrawerState(page);
    this.#boneMap = new BoneMapView(page);
    const seek = (time: number): void => {
      page.playback.pause();
      page.playback.seek(time);
    };
    this.#sheet = new Sheet(this.#state, seek);
    this.#head = new TimeHead(this.#state, seek);
    this.#area = el(
      'div',
      { class: 'drawer-area' },
      el('div', { class: 'drawer-corner' }, this.#summary),
      this.#head.element,
      this.#sheet.element,
      this.#sheet.legends,
      el('div', { class: 'playhead-area', 'aria-hidden': 'true' }, this.#playHead),
    );
    this.#hands = new HandView(page, seek);
    this.#forms = {
      layers: layerView(page),
      bones: this.#boneMap.element,
      hands: this.#hands.element,
      edit: editView(this.#state, seek),
      markers: markerView(this.#state, seek),
    };
    this.#area.addEventListener('wheel', event => this.#wheel(event), { passive: false });
    this.element = el(
      'div',
      { class: 'drawer-content', onkeydown: (event: KeyboardEvent) => this.#key(event), ondrop: (event: DragEvent) => this.#drop(event) },
      this.#tools(),
      this.#area,
      ...Object.values(this.#forms),
      this.#empty,
    );
    effect(() => void (this.element.dataset['view'] = this.#state.view.value));
    new ResizeObserver(() => this.#resize()).observe(this.#sheet.element);
    this.#follow();
  }

  /** Moves the play head. This runs in each frame. */
  update(): void {
    const { time, playing } = this.#page.playback;
    if (playing) this.#state.axis.value = revealed(this.#state.axis.peek(), time);
    const { rate } = this.#state;
    const text = rate === 1 ? time.toFixed(2) : String(Math.round(time * rate));
    if (this.#playTime.textContent !== text) this.#playTime.textContent = text;
    this.#sheet.update(time);
    this.#hands.update();
    this.#playHead.style.transform = `translateX(${xOf(this.#state.axis.peek(), time)}px)`;
  }

  #follow(): void {
    const state = this.#state;
    effect(() => {
      if (!isOffered(state.view.value, this.#page.recorded.value !== null)) state.view.value = 'keys';
    });
    deferredEffect(() => {
      const played = this.#page.played.value;
      state.axis.value = wholeAxis(played?.start ?? 0, played?.duration ?? 0, this.#sheet.width);
    });
    deferredEffect(() => {
      const played = this.#page.played.value;
      const { value: view } = state.view;
      this.#area.hidden = played === null || view in this.#forms;
      for (const [name, form] of Object.entries(this.#forms)) form.hidden = played === null || view !== name;
      this.#empty.hidden = played !== null;
    });
    effect(() => {
      void this.#page.theme.value;
      this.#sheet.forgetColors();
    });
    deferredEffect(() => {
      void this.#page.theme.value;
      void this.#page.range.value;
      void state.axis.value;
      this.#sheet.render();
      this.update();
    });
    deferredEffect(() => {
      const rows = state.targets.value.filter(({ tracks }) => tracks.length > 0);
      this.#summary.textContent = words.drawer.summary(rows.filter(isMoving).length, rows.length);
      this.#summary.title = this.#summary.textContent;
    });
    effect(() => state.follow());
    effect(() => {
      void state.active.value;
      this.#sheet.reveal();
    });
  }

  #tools(): HTMLElement {
    const state = this.#state;
    const search = el('input', {
      type: 'search',
      placeholder: words.drawer.search,
      'aria-label': words.drawer.search,
      autocomplete: 'off',
      spellcheck: 'false',
      oninput: () => (state.search.value = search.value),
    });
    const filter = el(
      'select',
      { 'aria-label': words.drawer.show, onchange: () => (state.filter.value = filter.value as RowFilter) },
      ...(['moving', 'keyed', 'chosen', 'all'] as const).map(value => el('option', { value }, words.drawer.filters[value])),
    );
    const channels = el(
      'button',
      { type: 'button', class: 'plain', onclick: () => (state.hasChannels.value = !state.hasChannels.value) },
      words.drawer.hasChannels,
    );
    effect(() => {
      channels.setAttribute('aria-pressed', String(state.hasChannels.value));
      channels.hidden = state.view.value !== 'keys';
    });
    const curveChannels = BONE_CHANNELS.map(channel => {
      const toggle = el(
        'button',
        { type: 'button', class: 'plain', onclick: () => state.toggleChannel(channel) },
        words.drawer.channels[channel] ?? channel,
      );
      effect(() => {
        toggle.setAttribute('aria-pressed', String(state.channels.value.has(channel)));
        toggle.hidden = state.view.value !== 'curves';
      });
      return toggle;
    });
    const fit = el('button', { type: 'button', class: 'plain of-rows', onclick: () => this.#fit() }, words.drawer.fit);
    effect(() => void (fit.disabled = !isZoomed(state.axis.value)));
    return el(
      'div',
      { class: 'drawer-tools' },
      this.#views(),
      this.#viewList(),
      el('div', { class: 'search of-rows' }, icon('search'), search),
      el('span', { class: 'of-rows' }, picked(filter)),
      channels,
      ...curveChannels,
      this.#boneMap.tools,
      el('span', { class: 'drawer-gap' }),
      iconButton('minus', words.drawer.zoomOut, () => this.#zoom(ZOOM), { class: 'icon-button of-rows' }),
      iconButton('plus', words.drawer.zoomIn, () => this.#zoom(1 / ZOOM), { class: 'icon-button of-rows' }),
      fit,
      iconButton('close', words.close, () => this.#page.run('drawer')),
    );
  }

  /** Creates the switch between the views. */
  #views(): HTMLElement {
    const state = this.#state;
    const choice = (view: DrawerView): HTMLElement => {
      const input = el('input', { type: 'radio', name: 'drawer-view', onchange: () => state.show(view) });
      effect(() => void (input.checked = state.view.value === view));
      const label = el('label', {}, input, el('span', {}, words.drawer.views[view]));
      effect(() => void (label.hidden = !isOffered(view, this.#page.recorded.value !== null)));
      return label;
    };
    return el('div', { class: 'switch', role: 'radiogroup', 'aria-label': words.drawer.view }, ...VIEWS.map(choice));
  }

  /** Creates the list of the views, which replaces the switch in compact windows. */
  #viewList(): HTMLElement {
    const state = this.#state;
    const list = el('select', { 'aria-label': words.drawer.view, onchange: () => state.show(list.value as DrawerView) });
    effect(() => {
      const isRecording = this.#page.recorded.value !== null;
      const offered = VIEWS.filter(view => isOffered(view, isRecording));
      fill(list, ...offered.map(value => el('option', { value }, words.drawer.views[value])));
      list.value = state.view.value;
    });
    return el('span', { class: 'views' }, picked(list));
  }

  #zoom(factor: number, fixed = this.#page.playback.time): void {
    this.#state.axis.value = zoomed(this.#state.axis.value, factor, fixed);
  }

  #fit(): void {
    const { start, end, width } = this.#state.axis.value;
    this.#state.axis.value = wholeAxis(start, end, width);
  }

  #resize(): void {
    const { width } = this.#sheet;
    // The ruler is as wide as the canvas, which is narrower than the drawer if there is a scroll bar.
    this.#area.style.setProperty('--time-width', `${width}px`);
    this.#state.axis.value = { ...this.#state.axis.value, width };
  }

  /** Zooms with Ctrl and scrolls with Shift, or if the wheel moves horizontally. */
  #wheel(event: WheelEvent): void {
    const axis = this.#state.axis.value;
    const x = event.clientX - this.#head.element.getBoundingClientRect().left;
    const along = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
    if (event.ctrlKey || event.metaKey) this.#zoom(WHEEL ** event.deltaY, timeAt(axis, x));
    else if (Math.abs(along) > Math.abs(event.shiftKey ? 0 : event.deltaY))
      this.#state.axis.value = moved(axis, timeAt(axis, x + along) - timeAt(axis, x));
    else return;
    event.preventDefault();
  }

  /** Imports the markers or the bone map of a dropped JSON file, and shows their view. */
  #drop(event: DragEvent): void {
    const [file, ...others] = event.dataTransfer?.files ?? [];
    if (!file || others.length > 0 || !/\.json$/i.test(file.name)) return;
    event.preventDefault();
    void this.#import(file);
  }

  async #import(file: File): Promise<void> {
    const isMap = await isBoneMap(file);
    if (this.#page.recorded.peek() === null) this.#state.show(isMap ? 'bones' : 'markers');
    await (isMap ? this.#boneMap.load(file) : importMarkers(this.#state, file));
  }

  #key(event: KeyboardEvent): void {
    const { tagName } = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || tagName === 'INPUT' || tagName === 'SELECT') return;
    if (event.key === '+' || event.key === '=') this.#zoom(1 / ZOOM);
    else if (event.key === '-') this.#zoom(ZOOM);
    else if (event.key === '0') this.#fit();
    else if (event.key === 'm') addMarker(this.#state);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Returns true if a view is offered for recordings of hands, or for other animations. */
const isOffered = (view: DrawerView, isRecording: boolean): boolean => (view === 'hands' ? isRecording : view !== 'bones' || !isRecording);
