// The page: what is open, and who learns of it. What files mean is decided in player/, what is drawn in scenery.ts; everything shown follows from signals.
import { batch, computed, effect, signal } from '@preact/signals-core';
import { codes } from '../core/codes.ts';
import { adviceFor } from '../player/advice.ts';
import { carryOver, wantsCarrying } from '../player/carrying.ts';
import { disposeModel, type Model } from '../player/model.ts';
import { PlayedMotion, type Reading } from '../player/motion.ts';
import { remembered } from '../player/history.ts';
import { type Entry, modelsIn } from '../player/library.ts';
import { join, type Opened, openEntry, openGiven, type Opening, openModel, reopen } from '../player/opening.ts';
import { Refusal } from '../player/problem.ts';
import { type Action, emptySession, isSameMotion, reduce, type Row, rowsOf, type Session, titleOf } from '../player/session.ts';
import type { Source } from '../player/source.ts';
import type { Playback, Range, RecordingOverlay, View } from '../stage/index.ts';
import { hintBar, TroubleCard, welcomeCard } from './cards.ts';
import { commands, runCommand } from './commands.ts';
import { demos } from './demos.ts';
import { askLink, showHelp } from './dialogs.ts';
import { el, fill } from './dom.ts';
import { expectFiles, listenForFiles } from './drop.ts';
import { recordingFacts, sceneFacts } from './facts.ts';
import { keepLook, keepNames, keepPlaying, marksOf, sectionsOf } from './upkeep.ts';
import { fetchAddress, fetchDemo, linkTo } from './fetching.ts';
import { type Given, MAX_FILES, unpacked } from './intake.ts';
import { onKey } from './keys.ts';
import { Loads, unlessAborted } from './loads.ts';
import type { Command, Page } from './page.ts';
import type { PanelId } from './panels/panel.ts';
import { linkOf } from './panels/link.ts';
import { showSaving, toGlb } from './saving.ts';
import { sentenceOf } from './say.ts';
import { Scenery } from './scenery.ts';
import { header, main, picker, veil } from './shell.ts';
import { Tabs } from './tabs.ts';
import { ThemeSwitch } from './theme.ts';
import { Thumbnails } from './thumbnails.ts';
import { Transport } from './timeline/transport.ts';
import { words } from './words/index.ts';

/** So many times as large or small as what stood there before: the camera goes where it is seen. */
const OTHER_SIZE = 1.5;
/** Seconds in which one motion goes over into the next. */
const FADE = 0.25;
/** In the browser's timeline, when there is a first picture. */
const SHOWN = 'rigcast-shown';
/** Addresses that are opened at once. */
const MOST_ADDRESSES = 32;

export class Viewer implements Page {
  readonly root: HTMLElement;
  readonly scenery: Scenery;
  /** Settles when what was asked for last is done. */
  idle: Promise<void> = Promise.resolve();

  readonly session = signal<Session>(emptySession);
  readonly actor = signal<Model | null>(null);
  readonly played = signal<PlayedMotion | null>(null);
  readonly meanings = signal<ReadonlyMap<string, string>>(new Map());
  readonly theme = signal<'light' | 'dark'>('light');
  readonly moved = signal(0);
  /** What was open before, for undo. */
  readonly history = signal<readonly Session[]>([]);
  readonly rows = computed(() => rowsOf(this.session.value));
  readonly recorded = computed(() => recordingFacts(this.actor.value, this.scenery));
  readonly scene = computed(() => {
    const model = this.actor.value;
    return model && !this.scenery.recording ? sceneFacts(model, this.scenery) : null;
  });
  readonly advice = computed(() => {
    void this.actor.value;
    return adviceFor(this.session.value, this.played.value, this.scenery.showsMore);
  });
  readonly sections = sectionsOf(this);
  readonly marks = marksOf(this);
  readonly isPlaying = signal(false);
  readonly range = signal<Range | null>(null);
  readonly isTopAdded = signal(false);
  readonly addresses = signal<readonly string[]>([]);
  neighbour: (step: number) => number | null = () => null;

  readonly #loads: Loads;
  readonly #thumbnails: Thumbnails;
  #listeners = new AbortController();
  #theme: ThemeSwitch;
  #tabs: Tabs;
  #transport: Transport;
  #welcome: HTMLElement;
  #trouble: TroubleCard;
  #live = el('div', { class: 'sr-only', role: 'status', 'aria-live': 'polite' });
  #lost = el('div', { class: 'card lost', role: 'alert', hidden: true }, el('p', {}, words.contextLost));
  #filePicker = picker({ multiple: true }, given => void this.take(given));
  #folderPicker = picker({ webkitdirectory: true }, given => void this.take(given));

  constructor(root: HTMLElement) {
    this.root = root;
    root.classList.add('rigcast', 'empty');
    const { signal: ended } = this.#listeners;
    const host = el('div', { class: 'canvas' });
    this.#loads = new Loads({
      draws: extension => this.scenery.painter.renderer.extensions.has(extension),
      onFailed: error => this.#refuse(error),
      onDone: () => this.view.invalidate(),
      announce: text => this.#announce(text),
    });
    this.scenery = new Scenery(root, host, {
      // What is being opened comes first: every frame takes time from it, where drawing is slow nearly all of it.
      isHeld: () => this.#loads.isBusy,
      onDrawn: () => {
        if (this.playback.playing) this.moved.value++;
      },
      onLost: isLost => (this.#lost.hidden = !isLost),
    });
    this.#thumbnails = new Thumbnails(
      this.scenery,
      () => this.#loads.isBusy,
      () => root.querySelector('.panel.files')?.checkVisibility() ?? false,
    );
    this.#theme = new ThemeSwitch(root, theme => {
      this.theme.value = theme;
      this.scenery.paint();
    });
    this.#transport = new Transport(this);
    this.#welcome = welcomeCard(this);
    this.#trouble = new TroubleCard(this);
    this.#tabs = new Tabs(this);
    const shell = { host, welcome: this.#welcome, trouble: this.#trouble.element, busy: this.#loads.card.element, lost: this.#lost };
    fill(
      root,
      header(this),
      main(this, shell),
      hintBar(this),
      this.#transport.element,
      this.#tabs.element,
      this.#live,
      veil(),
      this.#filePicker,
      this.#folderPicker,
    );
    this.playback.onChange = () => {
      this.isPlaying.value = this.playback.playing;
      this.range.value = this.playback.range;
      this.#transport.update();
    };
    keepPlaying(this, this.isTopAdded);
    keepLook(this);
    keepNames(this);
    const library = computed(() => this.session.value.library);
    effect(() => this.#thumbnails.want(library.value));
    this.scenery.listen(ended);
    listenForFiles(
      given => void this.take(given),
      isShown => void root.classList.toggle('dropping', isShown),
      ended,
    );
    window.addEventListener('keydown', event => onKey(this, event), { signal: ended });
  }

  // ---------------------------------------------------------------- opening

  /** Opens what somebody gave. A later call wins over this one. */
  take(given: Given | Promise<Given> | ((signal: AbortSignal) => Promise<Given>)): Promise<void> {
    return this.#load(words.looking, async opening => {
      // Who looks through a slow folder cannot be stopped, but need not be waited for.
      const all = await unlessAborted(Promise.resolve(typeof given === 'function' ? given(opening.signal) : given), opening.signal);
      const { files, truncated } = await unpacked(all, opening.signal);
      this.addresses.value = [];
      const opened = await openGiven(
        this.session.value,
        this.actor.value,
        files,
        truncated ? [{ code: 'too-many-files', most: MAX_FILES }] : [],
        opening,
      );
      await this.#stage(opened, opening, words.added);
    });
  }

  /** One of the list in demos.ts by its id, else the first. */
  openDemo(id?: string): Promise<void> {
    const demo = demos.find(one => one.id === id) ?? demos[0]!;
    this.addresses.value = [];
    return this.#load('', async opening =>
      this.#stage(await openModel(this.session.value, this.actor.value, await fetchDemo(demo, opening.signal), opening), opening, ''),
    );
  }

  /** Files from the network, by addresses that the visitor typed: only http and https, and only where the server allows it (CORS). */
  openAddresses(addresses: readonly string[]): Promise<void> {
    const wanted = addresses.slice(0, MOST_ADDRESSES);
    const before = this.session.value.shown;
    return this.take(async ended => ({
      files: await Promise.all(wanted.map(address => fetchAddress(address, ended))),
      truncated: false,
    })).then(() => {
      if (this.session.value.shown !== before) this.addresses.value = wanted;
    });
  }

  cancel(): void {
    this.#loads.cancel();
  }

  /** Another model of the library takes the stage; the eye and the motion stay where they suit it. */
  showEntry(entry: Entry): void {
    if (entry.given === this.session.value.shown?.given) return;
    void this.#load('', async opening =>
      this.#stage(await openEntry(this.session.value, this.actor.value, entry, opening), opening, words.added, true),
    );
  }

  showNext(step: number): void {
    const { library, shown } = this.session.value;
    const models = modelsIn(library);
    const at = models.findIndex(({ given }) => given === shown?.given);
    const next = models[(at + step + models.length) % models.length];
    if (next) this.showEntry(next);
  }

  /** What was open before the last drop, step or close. */
  undo(): void {
    const before = this.history.value.at(-1);
    if (!before) return;
    void this.#load('', async opening => {
      const opened = await reopen(before, this.actor.value, opening);
      const left = this.history.value.slice(0, -1);
      await this.#stage(opened, opening, words.undone, true);
      this.history.value = left;
    });
  }

  /** Takes everything away; undo brings it back. */
  close(): void {
    this.cancel();
    this.#remember();
    const old = this.actor.value;
    batch(() => {
      this.scenery.clear();
      this.actor.value = null;
      this.played.value = null;
      this.dispatch({ type: 'close' });
    });
    if (old) disposeModel(old);
    this.#welcome.hidden = false;
    this.#announce(words.isClosed);
  }

  /** What is open now can be had back; a demo is a click away anyhow. */
  #remember(): void {
    const { demo, shown, sources } = this.session.value;
    if (demo === null && (shown || sources.length > 0)) this.history.value = remembered(this.history.value, this.session.value);
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

  #load(text: string, work: (opening: Opening) => Promise<void>): Promise<void> {
    this.#trouble.hide();
    const told = async (opening: Opening): Promise<void> => {
      try {
        await work(opening);
      } catch (error) {
        await this.#learn().catch(() => {}); // a refusal says what was found
        throw error;
      }
    };
    return (this.idle = this.#loads.run(text, told).then(() => this.#complete()));
  }

  /** What is not needed for the first picture comes after it: panels that are not looked at yet, and what findings mean. */
  async #complete(): Promise<void> {
    // Without a network what is missing is asked for again after the next load.
    await Promise.allSettled([this.#learn(), this.#tabs.complete()]);
  }

  async #learn(): Promise<void> {
    if (this.meanings.value.size > 0) return;
    this.meanings.value = new Map((await codes()).map(({ code, sentence }) => [code, sentence]));
  }

  #refuse(error: unknown): void {
    const refusal =
      error instanceof Refusal ? error : new Refusal({ code: 'failed', message: error instanceof Error ? error.message : String(error) });
    if (refusal.action) this.dispatch(refusal.action);
    this.#announce(this.#trouble.show(refusal));
  }

  /** As `#show`, once there is what the model needs of the stage. What nobody waits for any more is thrown away. */
  async #stage(opened: Opened, { signal }: Opening, said: string, isStep = false): Promise<void> {
    const { model } = opened;
    try {
      if (model) await this.scenery.tools.prepare(model.file.scene!);
      signal.throwIfAborted();
    } catch (error) {
      if (model && model !== this.actor.value) disposeModel(model);
      throw error;
    }
    this.#show(opened, said, isStep);
  }

  /** What was opened takes the stage, or joins what stands there. `said`: aloud, where no motions came. `isStep`: the eye stays where it is. */
  #show({ action, model, fresh }: Opened, said: string, isStep = false): void {
    const before = this.session.value;
    const session = reduce(before, action);
    if (session.shown !== before.shown || session.sources !== before.sources) this.#remember();
    const old = this.actor.value;
    const { time, playing } = this.playback;
    const size = this.view.extent?.radius ?? 0;
    const isNew = model !== old || !model;
    batch(() => {
      if (isNew) this.scenery.clear();
      this.session.value = session;
      if (isNew) {
        this.actor.value = model;
        if (model) this.scenery.present(model, fresh === null && (!isStep || size === 0));
        // The eye stays unless the picture would be of nothing.
        const ratio = (this.view.extent?.radius ?? size) / size;
        if (size > 0 && (ratio > OTHER_SIZE || ratio < 1 / OTHER_SIZE)) this.scenery.resetView();
        this.#welcome.hidden = model !== null && session.demo === null;
      }
      // What plays goes on where it was, unless something better has come.
      const row = this.rows.value[session.selected];
      const isKept = fresh === null ? isStep && isSameMotion(before, session) : !(row && fresh.includes(row.source));
      this.#perform(isKept ? playing : !isStill());
      if (isKept) this.playback.seek(time);
    });
    if (fresh === null && model) {
      const areSeveral = modelsIn(session.library).length > modelsIn(before.library).length + 1;
      if (!isStep) this.#tabs.show(this.scenery.recording ? 'recording' : areSeveral ? 'files' : 'motions');
      // Drawn once before the old one is disposed of, so that what both use (shaders) need not be made again.
      this.scenery.drawNow();
      if (!old) performance.mark(SHOWN);
    }
    if (old && old !== model) disposeModel(old);
    const motions = fresh?.reduce((sum, { file }) => sum + file.scene!.clips.length, 0) ?? 0;
    if (fresh !== null) this.#announce(motions > 0 ? words.motionsAdded(motions) : said);
    else if (session.shown) this.#announce(words.isShown(session.shown.given.file.name, motionCount(this.rows.value)));
  }

  // ---------------------------------------------------------------- playing and looking

  wakeThumbnails(): void {
    this.#thumbnails.wake();
  }

  get pictures(): Thumbnails['pictures'] {
    return this.#thumbnails.pictures;
  }

  get view(): View {
    return this.scenery.view;
  }

  get playback(): Playback {
    return this.scenery.playback;
  }

  get model(): Model | null {
    return this.actor.value;
  }

  get recording(): RecordingOverlay | null {
    return this.scenery.recording;
  }

  /** Names of the motions as listed. */
  get motionNames(): string[] {
    return this.rows.value.map(titleOf);
  }

  get selected(): number {
    return this.session.value.selected;
  }

  get looksThrough(): boolean {
    return this.scenery.isThrough.value;
  }

  lookThrough(on: boolean): void {
    this.scenery.lookThrough(on);
  }

  dispatch = (action: Action): void => {
    this.session.value = reduce(this.session.value, action);
  };

  /** Does what a key or a button of that command does. */
  run(id: Command['id']): void {
    runCommand(
      this,
      commands.find(one => one.id === id)!,
    );
  }

  select(row: number, play = true): void {
    batch(() => {
      this.dispatch({ type: 'select', row });
      this.#perform(play);
    });
    const chosen = this.rows.value[row];
    if (chosen && wantsCarrying(this.session.value, chosen.source)) void this.#carry(chosen, play);
  }

  /** What was made for another model comes over from it, where that is at hand; until then, and else, it moves what it finds. */
  #carry({ source, indices }: Row, play: boolean): Promise<void> {
    return this.#load(words.carrying, async opening => {
      const carried = await carryOver(this.session.value, source, opening);
      opening.signal.throwIfAborted();
      if (carried) this.#replace(source, carried, indices, play);
    });
  }

  playAsIs(): void {
    const row = this.rows.value[this.session.value.selected];
    const carried = row?.source.carried;
    if (row && carried) this.#replace(row.source, { ...carried.original, isAsIs: true }, row.indices, this.playback.playing);
  }

  #replace(source: Source, carried: Source, indices: readonly number[], play: boolean): void {
    this.#remember();
    batch(() => {
      this.dispatch({ type: 'carry', source, carried, indices });
      this.#perform(play);
    });
    const [first] = this.advice.value;
    if (first?.code === 'carried') this.#announce(sentenceOf(first, this.meanings.value));
  }

  /** The motion of that name, where there is one. */
  selectCalled(name: string): void {
    const row = this.motionNames.indexOf(name);
    if (row >= 0 && row !== this.selected) this.select(row);
  }

  selectNext(step: number): void {
    const next = this.neighbour(step);
    if (next !== null) this.select(next);
  }

  /** Puts the selected motion on the model, from its beginning. */
  #perform(play: boolean): void {
    const model = this.actor.value;
    const { selected, reading, isRootLocked } = this.session.value;
    const row = this.rows.value[selected];
    const motion = model && row ? new PlayedMotion(model, row.source, row.indices, reading, isRootLocked) : null;
    if (model) this.scenery.play(motion, play, play && !isStill() ? FADE : 0);
    this.played.value = motion;
    this.moved.value++;
  }

  /** The same motion at the same time, as it is read or moved otherwise now. */
  #performAgain(): void {
    const { time, playing } = this.playback;
    this.#perform(playing);
    this.playback.seek(time);
  }

  read(reading: Reading): void {
    const isReadAgain = (reading === 'everything') !== (this.session.value.reading === 'everything');
    this.dispatch({ type: 'read', reading });
    if (!isReadAgain) return this.#performAgain();
    void this.#load(words.readingAgain, async opening => {
      const { shelf, notes } = this.session.value;
      const joining = { motions: [], companions: [], shelf, notes, ready: [], isReadAgain };
      await this.#stage(await join(this.session.value, this.actor.value, joining, opening), opening, words.readAgain);
    });
  }

  lockRoot(isLocked: boolean): void {
    this.dispatch({ type: 'lock-root', isLocked });
    this.scenery.lockRoot(isLocked);
    this.#performAgain();
  }

  toggleTheme(): void {
    this.#theme.toggle();
  }

  showTab(id: PanelId): void {
    this.#tabs.show(id);
  }

  showHelp(): void {
    showHelp(this);
  }

  askLink(text: string): void {
    const address = linkOf(text);
    if (address) askLink(this.root, address);
  }

  save(): Promise<void> {
    return this.#load(words.saving, async ({ signal }) => {
      const saved = await toGlb(this.session.value, signal);
      signal.throwIfAborted();
      showSaving(this.root, saved);
    });
  }

  async picture(): Promise<void> {
    const { showPictures } = await import('./pictures.ts');
    showPictures(this, (text, work) => this.#load(text, ({ signal }) => work(signal)));
  }

  async copyLink(): Promise<void> {
    const row = this.rows.value[this.session.value.selected];
    await navigator.clipboard.writeText(linkTo(this.addresses.value, row ? titleOf(row) : ''));
    this.#announce(words.linkCopied);
  }

  pickFiles(): void {
    expectFiles();
    this.#filePicker.click();
  }

  pickFolder(): void {
    this.#folderPicker.click();
  }

  // ---------------------------------------------------------------- the page

  #announce(text: string): void {
    this.#live.textContent = text;
  }
}

const isStill = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;
const motionCount = (rows: readonly Row[]): number => rows.filter(({ indices }) => indices.length === 1).length;
