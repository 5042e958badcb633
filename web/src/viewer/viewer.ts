// The page: its parts, and which of them does what commands and panels ask for. What is open is said in state.ts.
import { computed, signal } from '@preact/signals-core';
import type { Object3D, Vector2Like } from 'three';
import type { RigFile } from '../core/open.ts';
import { disposeModel, type Model } from '../session/model.ts';
import type { LibraryEntry } from '../session/library.ts';
import type { AnimationMode } from '../session/layeredAction.ts';
import { titleOf } from '../session/animationRows.ts';
import type { RecordingOverlay } from '../view/index.ts';
import { hintBar } from './cards.ts';
import { commands, runCommand } from './commands.ts';
import { askLink, askShared, showHelp } from './dialogs.ts';
import { el, fill } from './dom.ts';
import { listenForFiles } from './drop.ts';
import { onKey } from './keys.ts';
import { nextLanguage } from './language.ts';
import { Opener, type Giving } from './opener.ts';
import type { Command, Page, PanelId } from './page.ts';
import { linkOf } from './panels/link.ts';
import { Performer } from './performer.ts';
import { Picking } from './picking.ts';
import { announcer, header, main, veil } from './shell.ts';
import { effectSoon } from './soon.ts';
import { State } from './state.ts';
import { Tabs } from './tabs.ts';
import { Taking } from './taking.ts';
import { ThemeSwitch } from './theme.ts';
import { Thumbnails } from './thumbnails.ts';
import { Transport } from './timeline/transport.ts';
import { keepLook, keepNames, keepPlaying } from './upkeep.ts';
import type { Place } from './wardrobe.ts';
import type { SaveWish } from './wish.ts';

export class Viewer extends State implements Page {
  readonly theme = signal<'light' | 'dark'>('light');
  neighbour: (step: number) => number | null = () => null;
  /** Somebody wants the page in another language: who made it makes it anew. */
  onSpeak: (language: string) => void = () => {};

  readonly picking = new Picking(given => void this.take(given));
  readonly #performer = new Performer(this);
  readonly #opener = new Opener(this, this.#performer);
  readonly #taking = new Taking(this);
  readonly #thumbnails: Thumbnails;
  readonly #listeners = new AbortController();
  readonly #theme: ThemeSwitch;

  constructor(root: HTMLElement) {
    root.classList.add('rigcast', 'empty');
    const host = el('div', { class: 'canvas' });
    super(root, host);
    this.#thumbnails = new Thumbnails(
      this.scenery,
      () => this.loads.isBusy,
      () => root.querySelector('.panel.files'),
    );
    this.#theme = new ThemeSwitch(root, theme => {
      this.theme.value = theme;
      this.scenery.paint();
    });
    const transport = new Transport(this);
    const tabs = new Tabs(this);
    this.later.push(
      () => tabs.complete(),
      () => this.picking.complete(),
      () => this.scenery.view.cameraRig.enableControls(),
    );
    fill(
      root,
      header(this),
      main(this, host, this.loads.card.element),
      hintBar(this),
      transport.element,
      tabs.element,
      announcer(this),
      veil(),
      ...Object.values(this.picking.inputs),
    );
    this.playback.onChange = () => {
      this.isPlaying.value = this.playback.playing;
      this.range.value = this.playback.range;
      transport.update();
    };
    this.#keep();
    this.#listen();
  }

  /** What follows from the session goes its way from now on. */
  #keep(): void {
    keepPlaying(this, this.isTopAdded);
    keepLook(this);
    keepNames(this);
    const library = computed(() => this.session.value.library);
    effectSoon(() => this.#thumbnails.want(library.value));
  }

  #listen(): void {
    const { signal: ended } = this.#listeners;
    this.scenery.overlays.picksMeshes = () => this.tab.peek() === 'inspect';
    this.scenery.overlays.listen(this.scenery.sharedRenderer.canvas, ended);
    listenForFiles(
      (given, at) => void this.take(given, at),
      isShown => void this.root.classList.toggle('dropping', isShown),
      ended,
    );
    window.addEventListener('keydown', event => onKey(this, event), { signal: ended });
  }

  dispose(): void {
    this.cancel();
    this.#listeners.abort();
    this.#thumbnails.dispose();
    const old = this.actor.value;
    this.scenery.dispose();
    if (old) disposeModel(old);
    this.#theme.dispose();
    this.root.replaceChildren();
  }

  // ---------------------------------------------------------------- what is open

  /** `at`: where it was dropped, in pixels of the page. */
  take(given: Giving, at?: Vector2Like): Promise<void> {
    return this.#opener.take(given, at);
  }

  openDemo(id?: string, isAsked?: boolean): Promise<void> {
    return this.#opener.openDemo(id, isAsked);
  }

  openAddresses(addresses: readonly string[]): Promise<void> {
    return this.#opener.openAddresses(addresses);
  }

  showEntry(entry: LibraryEntry): void {
    this.#opener.showEntry(entry);
  }

  showNext(step: number): void {
    this.#opener.showNext(step);
  }

  switchParts(parts: readonly LibraryEntry[], isOn: boolean): Promise<void> {
    return this.#opener.switchParts(parts, isOn);
  }

  wear(place: Place, slot: string, image: File): Promise<void> {
    return this.#opener.dresser.wear(place, slot, image);
  }

  hang(bone: Object3D, entry: LibraryEntry | null): Promise<void> {
    return this.#opener.extras.hang(bone, entry);
  }

  standBeside(entry: LibraryEntry, isBeside: boolean): Promise<void> {
    return this.#opener.extras.standBeside(entry, isBeside);
  }

  compareTake(entry: LibraryEntry | null): Promise<void> {
    return this.#opener.compareTake(entry);
  }

  undo(): void {
    this.#opener.undo();
  }

  reload(): void {
    this.#opener.reload();
  }

  readRoot(isRootPlain: boolean): void {
    this.#opener.readRoot(isRootPlain);
  }

  close(): void {
    this.#opener.close();
  }

  read(reading: AnimationMode): void {
    this.#opener.read(reading);
  }

  cancel(): void {
    this.loads.cancel();
  }

  get model(): Model | null {
    return this.actor.value;
  }

  get recording(): RecordingOverlay | null {
    return this.scenery.recording;
  }

  // ---------------------------------------------------------------- what plays

  select(row: number, play?: boolean): void {
    this.#performer.select(row, play);
  }

  selectCalled(name: string): void {
    this.#performer.selectCalled(name);
  }

  selectNext(step: number): void {
    const next = this.neighbour(step);
    if (next !== null) this.select(next);
  }

  swapCompared(): void {
    this.#performer.swap();
  }

  playAsIs(): void {
    this.#performer.playAsIs();
  }

  playOnBase(): Promise<void> {
    return this.#performer.playOnBase();
  }

  setIdle(on: boolean): Promise<void> {
    return this.#performer.setIdle(on);
  }

  lockRoot(isLocked: boolean): void {
    this.#performer.lockRoot(isLocked);
  }

  /** Names of the motions as listed. */
  get motionNames(): string[] {
    return this.rows.value.map(titleOf);
  }

  get selected(): number {
    return this.session.value.selected;
  }

  // ---------------------------------------------------------------- the page

  lookThrough(on: boolean): void {
    this.scenery.eye.lookThrough(on);
  }

  wakeThumbnails(): void {
    this.#thumbnails.wake();
  }

  get pictures(): Thumbnails['pictures'] {
    return this.#thumbnails.pictures;
  }

  run(id: Command['id']): void {
    runCommand(
      this,
      commands.find(one => one.id === id)!,
    );
  }

  toggleTheme(): void {
    this.#theme.toggle();
  }

  speakNext(): void {
    this.onSpeak(nextLanguage());
  }

  showTab(id: PanelId): void {
    this.tab.value = id;
  }

  lookAtByte(file: RigFile, offset: number): void {
    this.looked.value = { file, offset };
    this.tab.value = 'inspect';
  }

  showHelp(): void {
    showHelp(this);
  }

  askLink(text: string): void {
    const address = linkOf(text);
    if (address) askLink(this.root, address);
  }

  /** Asks the user before files that another site sent are opened. Resolves with the answer. */
  askShared(names: readonly string[]): Promise<boolean> {
    return names.length === 0 ? Promise.resolve(true) : askShared(this.root, names);
  }

  // ---------------------------------------------------------------- what is taken away

  save(wish?: Partial<SaveWish>): Promise<void> {
    return this.#taking.save(wish);
  }

  picture(): Promise<void> {
    return this.#taking.picture();
  }

  copyEmbed(): Promise<void> {
    return this.#taking.copyEmbed();
  }

  copyLink(): Promise<void> {
    return this.#taking.copyLink();
  }
}
