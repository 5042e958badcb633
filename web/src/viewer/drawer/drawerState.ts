// State of the drawer: the listed rows, the chosen rows and the visible time.
import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals-core';
import type { DrawerView, Page } from '../page.ts';
import { words } from '../words/index.ts';
import { bindOptionsOf } from '../../session/clipAction.ts';
import { clipsOf, titleOf } from '../../session/animationRows.ts';
import { BONE_CHANNELS, type BoneChannel } from './curveBands.ts';
import { type Marker, sorted } from './markers.ts';
import { listedRows, type RowFilter, rowId, type SheetRow, targetRows } from './sheetRows.ts';
import { type TimeAxis, wholeAxis } from './timeAxis.ts';

/** Views of the drawer, in display order. */
export const VIEWS = ['keys', 'curves', 'layers', 'bones', 'hands', 'edit', 'markers'] as const satisfies readonly DrawerView[];

export class DrawerState {
  readonly view: Signal<DrawerView>;
  readonly filter = signal<RowFilter>('moving');
  readonly search = signal('');
  readonly hasChannels = signal(false);
  /** Identifiers of the chosen rows. */
  readonly chosen = signal<ReadonlySet<string>>(new Set());
  /** Identifier of the row that the keyboard moves; '' for none. */
  readonly active = signal('');
  /** Channels of bones whose curves are shown. */
  readonly channels = signal<ReadonlySet<string>>(new Set(BONE_CHANNELS));
  readonly axis = signal<TimeAxis>(wholeAxis(0, 1, 0));
  /** One row per target of the current animation. Empty while no model is shown. */
  readonly targets: ReadonlySignal<readonly SheetRow[]>;
  readonly rows: ReadonlySignal<readonly SheetRow[]>;
  /** Rows of the animation that the current one is compared with, by identifier. */
  readonly compared: ReadonlySignal<ReadonlyMap<string, SheetRow>>;
  /** The visitor's markers in the current animation, sorted by time. */
  readonly markers: ReadonlySignal<readonly Marker[]>;
  readonly page: Page;
  /** Markers by file path and title of the animation. */
  readonly #allMarkers = signal<ReadonlyMap<string, readonly Marker[]>>(new Map());
  readonly #animationId: ReadonlySignal<string>;

  constructor(page: Page) {
    this.page = page;
    this.view = page.drawerView;
    this.#animationId = computed(() => {
      const row = page.rows.value[page.session.value.selected];
      return row ? `${row.source.input.path}\n${titleOf(row)}` : '';
    });
    this.markers = computed(() => this.#allMarkers.value.get(this.#animationId.value) ?? []);
    this.targets = computed(() => {
      const [model, played] = [page.shownModel.value, page.played.value];
      if (!model || !played) return [];
      const tracks = played.clips.flatMap(({ bound }) => [...(bound?.tracks ?? [])]);
      return targetRows(model.rig.file.scene!, tracks);
    });
    const ghost = computed(() => page.session.value.ghost);
    const animationMode = computed(() => page.session.value.animationMode);
    const isRootLocked = computed(() => page.session.value.isRootLocked);
    this.compared = computed(() => {
      const [model, row] = [page.shownModel.value, ghost.value];
      if (!model || !row) return new Map();
      const { clips } = model.rig.bind(clipsOf(row), bindOptionsOf(animationMode.value, isRootLocked.value));
      const tracks = clips.flatMap(({ bound }) => [...(bound?.tracks ?? [])]);
      return new Map(targetRows(model.rig.file.scene!, tracks).map(each => [each.id, each]));
    });
    this.rows = computed(() =>
      listedRows(this.targets.value, {
        filter: this.filter.value,
        search: this.search.value,
        hasChannels: this.hasChannels.value && this.view.value === 'keys',
        chosen: this.chosen.value,
      }),
    );
  }

  /** Identifier of the target of the active row; '' for none. */
  get activeTarget(): string {
    const row = this.rows.value.find(({ id }) => id === this.active.value);
    return row ? targetOf(row) : this.active.value;
  }

  /** Frames per second of the ruler; 1 if it shows seconds. */
  get rate(): number {
    const { session, played } = this.page;
    const { frameRate = 0 } = played.value ?? {};
    return session.value.viewSettings.timeUnit === 'frames' && frameRate > 0 ? frameRate : 1;
  }

  /** Returns a time (in seconds) as a number in the unit of the ruler. */
  timeText(time: number): string {
    return this.rate === 1 ? time.toFixed(2) : String(Number((time * this.rate).toFixed(2)));
  }

  /** Returns a time (in seconds) with its unit: "frame 12" or "0.40 s". */
  timeLabel(time: number): string {
    return this.rate === 1 ? words.clock(time) : words.drawer.frame(this.timeText(time));
  }

  /** Returns a range (in seconds) with its unit. */
  rangeText(from: number, to: number): string {
    return words.edit.rangeText(this.timeText(from), this.timeText(to), this.rate !== 1);
  }

  /** Chooses a row, and selects its bone in the viewport. */
  choose(row: SheetRow): void {
    const { shownModel, viewport } = this.page;
    this.active.value = row.id;
    this.chosen.value = new Set([targetOf(row)]);
    const object = shownModel.value?.rig.nodes[row.node];
    if (object) viewport.overlays.choose(object);
  }

  /** Adds a row to the chosen rows, or removes it. */
  toggle(row: SheetRow): void {
    const chosen = new Set(this.chosen.value);
    if (!chosen.delete(targetOf(row))) chosen.add(targetOf(row));
    this.active.value = row.id;
    this.chosen.value = chosen;
  }

  /** Chooses all listed rows from the active one to `row`. */
  chooseUpTo(row: SheetRow): void {
    const rows = this.rows.value;
    const ends = [rows.findIndex(({ id }) => id === this.active.value), rows.indexOf(row)].map(at => Math.max(at, 0));
    this.chosen.value = new Set(rows.slice(Math.min(...ends), Math.max(...ends) + 1).map(targetOf));
  }

  /** Chooses the row of the bone that was selected in the viewport. */
  follow(): void {
    const bone = this.page.viewport.overlays.bone.value;
    const node = bone ? (this.page.shownModel.value?.rig.nodes.indexOf(bone) ?? -1) : -1;
    if (node < 0 || this.chosen.peek().has(rowId(node))) return;
    this.chosen.value = new Set([rowId(node)]);
    this.active.value = rowId(node);
  }

  /** Changes the content of the drawer. Curves need at least one chosen row. */
  show(view: DrawerView): void {
    this.view.value = view;
    const [first] = this.rows.value;
    if (view === 'curves' && this.chosen.value.size === 0 && first) this.choose(first);
  }

  /** Shows or hides the curves of a channel. */
  toggleChannel(channel: BoneChannel): void {
    const channels = new Set(this.channels.value);
    if (!channels.delete(channel)) channels.add(channel);
    this.channels.value = channels;
  }

  /** Replaces the markers in the current animation. */
  setMarkers(markers: readonly Marker[]): void {
    this.#allMarkers.value = new Map(this.#allMarkers.value).set(this.#animationId.value, sorted(markers));
  }

  isChosen(row: SheetRow): boolean {
    return this.chosen.value.has(targetOf(row));
  }
}

/** Returns the identifier of the target of a row, which is the row itself unless it is a channel. */
const targetOf = ({ id, node, channel }: SheetRow): string => (channel ? (node >= 0 ? rowId(node) : id.replace(/ \d+$/, '')) : id);
