// The page. Creates the parts of the page and forwards requests from commands and panels to them.
// The state is in state.ts.
import { computed, signal } from '@preact/signals-core';
import type { Object3D, Vector2Like } from 'three';
import type { RigFile } from '../core/open.ts';
import type { BoneMap } from '../rig/boneMap.ts';
import type { ClipEdits } from '../rig/clipEdits.ts';
import type { ImageAssignment } from '../session/imageAssignments.ts';
import { disposeModel, displayName, type Model } from '../session/model.ts';
import { type LibraryEntry, modelsIn } from '../session/library.ts';
import type { AnimationMode } from '../session/layeredAction.ts';
import { titleOf } from '../session/animationRows.ts';
import { type RecordingOverlay, SharedRenderer } from '../view/index.ts';
import type { Bookmark, Bookmarks } from './bookmarks.ts';
import { hintBar } from './cards.ts';
import { commands, runCommand } from './commands.ts';
import { el, fill } from './dom.ts';
import { listenForFiles } from './drop.ts';
import { onKey } from './keys.ts';
import { nextLanguage } from './language.ts';
import { Opener, type FileSource } from './opener.ts';
import type { Command, Page } from './page.ts';
import type { SectionId } from './panelLayout.ts';
import { panels } from './panels/index.ts';
import { linkOf } from './panels/link.ts';
import type { AnimationRow } from '../session/openedFile.ts';
import { PlaybackController } from './playbackController.ts';
import { FilePicker } from './filePicker.ts';
import { announcer, header, main, dropOverlay } from './shell.ts';
import { deferredEffect } from './deferred.ts';
import { State } from './state.ts';
import { Drawer } from './drawer/drawer.ts';
import { Tabs } from './tabs.ts';
import { Exporter } from './exporter.ts';
import { ThemeSwitch } from './theme.ts';
import type { Thumbnails } from './thumbnails.ts';
import { Transport } from './timeline/transport.ts';
import { syncLibrary, syncViewSettings, syncRecentNames, syncAssignments, syncMaterialValues, syncBoneMaps, syncPlayback } from './sync.ts';
import type { NamedMaterialValues } from '../textures/materialValues.ts';
import type { MaterialRef } from './textureOverrides.ts';
import type { SaveChoice } from './saveChoice.ts';
import type { Watch } from './watch.ts';
import { words } from './words/index.ts';

export class Viewer extends State implements Page {
  readonly theme = signal<'light' | 'dark'>('light');
  neighbour: (step: number) => number | null = () => null;
  /** Called when the visitor selects another language. The owner must recreate the page. */
  onLanguageChange: (language: string) => void = () => {};
  /** Called when the visitor turns WebGPU on or off. The owner must recreate the page. */
  onRendererChange: (isWebGPU: boolean) => void = () => {};

  readonly filePicker = new FilePicker(incoming => void this.open(incoming));
  readonly bookmarks = signal<Bookmarks | null>(null);
  /** Watches files; null until its module is loaded. */
  #watch: Watch | null = null;
  readonly #playbackController = new PlaybackController(this);
  readonly #opener = new Opener(this, this.#playbackController);
  readonly #exporter = new Exporter(this);
  readonly #tabs: Tabs;
  /** Draws thumbnails; null until there are several models. */
  #thumbnails: Thumbnails | null = null;
  readonly #theme: ThemeSwitch;

  /** `sharedRenderer`: draws the page, which disposes it. */
  constructor(root: HTMLElement, sharedRenderer = new SharedRenderer()) {
    root.classList.add('rigcast', 'empty');
    const host = el('div', { class: 'canvas' });
    super(root, host, sharedRenderer);
    this.#theme = new ThemeSwitch(root, theme => {
      this.theme.value = theme;
      this.viewport.applyTheme();
    });
    const transport = new Transport(this);
    const drawer = new Drawer(this);
    const tabs = (this.#tabs = new Tabs(this));
    this.deferredLoads.push(
      () => tabs.complete(),
      () => this.filePicker.complete(),
      async () => void (await this.loadBookmarks()),
      async () => void (await this.#loadWatch()),
      () => this.viewport.view.cameraRig.enableControls(),
    );
    fill(
      root,
      header(this),
      main(this, host, this.loads.card.element),
      hintBar(this),
      transport.element,
      drawer.element,
      tabs.element,
      announcer(this),
      dropOverlay(),
      ...Object.values(this.filePicker.inputs),
    );
    this.playback.onChange = () => {
      this.isPlaying.value = this.playback.playing;
      this.range.value = this.playback.range;
      transport.update();
      drawer.update();
    };
    this.#keep();
    this.#listen();
  }

  /** Starts the effects that keep playback, view settings, recent names and thumbnails in sync. */
  #keep(): void {
    syncPlayback(this, this.isTopAdditive);
    syncViewSettings(this);
    syncRecentNames(this);
    syncAssignments(this);
    syncMaterialValues(this);
    syncBoneMaps(this);
    const library = computed(() => this.session.value.library);
    const assignments = computed(() => this.session.value.imageAssignments);
    const values = computed(() => this.session.value.materialValues);
    const placement = computed(() => this.session.value.placement);
    deferredEffect(() => {
      void [assignments.value, values.value, placement.value];
      if (this.#thumbnails) this.#thumbnails.setLibrary(library.value, this.session.peek());
      else if (modelsIn(library.value).length > 1) void this.#loadThumbnails();
    });
    syncLibrary(this, async () => {
      const { LibraryView } = await import('./library/view.ts');
      return new LibraryView(this, this.ended.signal);
    });
  }

  #listen(): void {
    const { signal: ended } = this.ended;
    this.viewport.overlays.picksMeshes = () => this.layout.isOpen.peek() && this.tab.peek() === 'details';
    this.viewport.overlays.onLongPress = () => this.dispatch({ type: 'set-view', settings: { bones: true } });
    this.viewport.overlays.onPick = picked => this.announce(words.selected(displayName(picked)));
    this.viewport.overlays.listen(this.viewport.sharedRenderer.canvas, ended);
    listenForFiles(
      (incoming, at) => void this.open(incoming, at),
      isShown => void this.root.classList.toggle('dropping', isShown),
      ended,
    );
    window.addEventListener('keydown', event => onKey(this, event), { signal: ended });
  }

  dispose(): void {
    this.cancel();
    this.ended.abort();
    this.#watch?.stop();
    this.#opener.dispose();
    this.#thumbnails?.dispose();
    const old = this.shownModel.value;
    this.viewport.dispose();
    if (old) disposeModel(old);
    this.#theme.dispose();
    this.root.replaceChildren();
  }

  // ---------------------------------------------------------------- open files

  /** Opens files. `at`: position of a drop in CSS pixels. */
  open(source: FileSource, at?: Vector2Like): Promise<void> {
    return this.#opener.open(source, at);
  }

  openDemo(id?: string, isAsked?: boolean): Promise<void> {
    return this.#opener.openDemo(id, isAsked);
  }

  openAddresses(addresses: readonly string[]): Promise<boolean> {
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

  assignTexture(place: MaterialRef, slot: string, image: File): Promise<void> {
    return this.#opener.textureAssigner.assignTexture(place, slot, image);
  }

  assignImage(assignment: ImageAssignment, image: File): Promise<void> {
    return this.#opener.textureAssigner.assign(assignment, image);
  }

  setAssignments(imageAssignments: readonly ImageAssignment[]): Promise<void> {
    return this.#opener.setAssignments(imageAssignments);
  }

  async loadBookmarks(): Promise<Bookmarks> {
    const { Bookmarks: BookmarksOf } = await import('./bookmarks.ts');
    return (this.bookmarks.value ??= new BookmarksOf());
  }

  saveView(name: string): void {
    const input = this.shownModel.peek()?.input;
    if (!input) return;
    const { isOrthographic } = this.session.peek().viewSettings;
    this.bookmarks.peek()?.add(input, { ...this.viewport.cameraView.pose, name, isOrthographic });
    this.announce(words.bookmarks.saved(name));
  }

  showView(at: number): void {
    const input = this.shownModel.peek()?.input;
    const view = input && this.bookmarks.peek()?.of(input)[at];
    if (!view) return;
    this.showPose(view);
    this.announce(words.bookmarks.shown(view.name));
  }

  showPose({ isOrthographic, position, target, fieldOfView }: Bookmark): void {
    this.dispatch({ type: 'set-view', settings: { isOrthographic, fieldOfView } });
    this.viewport.cameraView.moveTo({ position, target, fieldOfView });
  }

  async #loadThumbnails(): Promise<void> {
    const { Thumbnails: ThumbnailsOf } = await import('./thumbnails.ts');
    if (this.ended.signal.aborted) return;
    this.#thumbnails ??= new ThumbnailsOf(
      this,
      () => this.loads.isBusy || this.root.querySelector('dialog[open]') !== null,
      () => this.playback.playing && !this.isLibraryOpen.peek(),
      () => this.root.querySelector(this.isLibraryOpen.peek() ? '.library-items' : '.files'),
    );
    this.#thumbnails.setLibrary(this.session.peek().library, this.session.peek());
  }

  toggleWatch(): void {
    void this.#loadWatch().then(watch => watch.toggle());
  }

  async #loadWatch(): Promise<Watch> {
    const { Watch: WatchOf } = await import('./watch.ts');
    return (this.#watch ??= new WatchOf(this, this));
  }

  setMaterialValues(path: string, values: readonly NamedMaterialValues[]): void {
    this.remember(true);
    this.dispatch({ type: 'set-material-values', path, values });
  }

  previewMaterialValues(path: string, values: readonly NamedMaterialValues[]): void {
    for (const { rig, input } of this.allModels) if (input.path === path) rig.materialValues = values;
    this.viewport.appearance.updateMaterials();
  }

  async matchImages(): Promise<void> {
    const { showMatching } = await import('./matching/dialog.ts');
    showMatching(this);
  }

  attach(bone: Object3D, entry: LibraryEntry | null): Promise<void> {
    return this.#opener.secondaryModels.attach(bone, entry);
  }

  showBeside(entry: LibraryEntry, isBeside: boolean): Promise<void> {
    return this.#opener.secondaryModels.showBeside(entry, isBeside);
  }

  compareRecording(entry: LibraryEntry | null): Promise<void> {
    return this.#opener.compareRecording(entry);
  }

  undo(): void {
    this.#opener.undo();
  }

  reload(): void {
    this.#opener.reload();
  }

  readRoot(isRootConjugated: boolean): void {
    this.#opener.readRoot(isRootConjugated);
  }

  close(): void {
    this.#opener.close();
  }

  setAnimationMode(mode: AnimationMode): void {
    this.#opener.setAnimationMode(mode);
  }

  cancel(): void {
    this.loads.cancel();
  }

  get model(): Model | null {
    return this.shownModel.value;
  }

  get recording(): RecordingOverlay | null {
    return this.viewport.recording;
  }

  // ---------------------------------------------------------------- playback

  select(row: number, play?: boolean): void {
    this.#playbackController.select(row, play);
  }

  selectByTitle(name: string): void {
    this.#playbackController.selectByTitle(name);
  }

  withKeys(row: AnimationRow | null, use: () => void): void {
    this.#playbackController.withKeys(row, use);
  }

  selectNext(step: number): void {
    const next = this.neighbour(step);
    if (next !== null) this.select(next);
  }

  swapCompared(): void {
    this.#playbackController.swap();
  }

  playUnretargeted(): void {
    this.#playbackController.playUnretargeted();
  }

  retargetSelected(): Promise<void> {
    return this.#playbackController.retargetSelected();
  }

  editSelected(edits: ClipEdits): Promise<void> {
    return this.#playbackController.editSelected(edits);
  }

  editAll(): void {
    this.#playbackController.editAll();
  }

  setBoneMap(pairs: BoneMap): Promise<void> {
    return this.#playbackController.setBoneMap(pairs);
  }

  playOnBase(): Promise<void> {
    return this.#playbackController.playOnBase();
  }

  setIdle(on: boolean): Promise<void> {
    return this.#playbackController.setIdle(on);
  }

  lockRoot(isLocked: boolean): void {
    this.#playbackController.lockRoot(isLocked);
  }

  /** Titles of all animations, in list order. */
  get animationNames(): string[] {
    return this.rows.value.map(titleOf);
  }

  get selected(): number {
    return this.session.value.selected;
  }

  // ---------------------------------------------------------------- the page

  lookThrough(on: boolean): void {
    this.viewport.cameraView.lookThrough(on);
  }

  resumeThumbnails(): void {
    this.#thumbnails?.resume();
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

  switchLanguage(): void {
    this.onLanguageChange(nextLanguage());
  }

  switchRenderer(): void {
    this.onRendererChange(!this.viewport.sharedRenderer.isWebGPU);
  }

  showSection(id: SectionId): void {
    const panel = panels.find(({ sections }) => sections.some(section => section.id === id))!;
    this.tab.value = panel.id;
    this.layout.isOpen.value = true;
    this.layout.expand(id, true);
    void this.#tabs.scrollTo(id);
  }

  showByte(file: RigFile, offset: number): void {
    this.byteSelection.value = { file, offset };
    this.showSection('inspect');
  }

  async showHelp(): Promise<void> {
    const { showHelp } = await import('./dialogs.ts');
    showHelp(this);
  }

  async askLink(text: string): Promise<void> {
    const { askLink } = await import('./dialogs.ts');
    const address = linkOf(text);
    if (address) askLink(this.root, address);
  }

  /**
   * Asks the visitor whether to open files that another site has shared. Resolves with true if the
   * visitor agrees.
   */
  async askShared(names: readonly string[]): Promise<boolean> {
    if (names.length === 0) return true;
    const { askShared } = await import('./dialogs.ts');
    return askShared(this.root, names);
  }

  // ---------------------------------------------------------------- export

  save(choice?: Partial<SaveChoice>): Promise<void> {
    return this.#exporter.save(choice);
  }

  picture(): Promise<void> {
    return this.#exporter.picture();
  }

  share(): Promise<void> {
    return this.#exporter.share();
  }
}
