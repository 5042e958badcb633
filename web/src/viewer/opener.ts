// Opens and closes content: the visitor's files, URLs, demos, library entries and earlier sessions.
import { batch } from '@preact/signals-core';
import type { Vector2Like } from 'three';
import { extensionOf } from '../core/paths.ts';
import type { BoneMap } from '../rig/boneMap.ts';
import { withOnlyBoneMap } from '../session/boneMaps.ts';
import { type InputFile, isLocal } from '../session/inputFile.ts';
import { type LibraryEntry, modelsIn } from '../session/library.ts';
import { disposeModel, type Model } from '../session/model.ts';
import type { AnimationMode } from '../session/layeredAction.ts';
import type { ImageAssignment } from '../session/imageAssignments.ts';
import { join } from '../session/join.ts';
import type { OpenResult, OpeningContext } from '../session/openResult.ts';
import { FEW_MODELS, rebuildWithParts, openLibraryEntry, openInputs, openModel, restoreModel } from '../session/openModel.ts';
import { withChoices } from '../session/parts.ts';
import { Refusal } from '../session/problem.ts';
import { isSameAnimation, rowsOf } from '../session/animationRows.ts';
import type { Notice } from '../session/notices.ts';
import type { Session } from '../session/session.ts';
import { reduce } from '../session/reduce.ts';
import { comparedColors } from './colors.ts';
import { demos } from './demos.ts';
import { TextureAssigner } from './textureAssigner.ts';
import { prefetchReaders } from './drop.ts';
import { fetchAddress, fetchDemo } from './fetching.ts';
import { SecondaryModels } from './secondaryModels.ts';
import { LibraryReader } from './libraryReader.ts';
import { type IncomingFiles, MAX_FILES, unpacked } from './incomingFiles.ts';
import { unlessAborted } from './loads.ts';
import { prefersReducedMotion, type PlaybackController } from './playbackController.ts';
import { animationCounts, sentenceOf } from './sentences.ts';
import { batchDeferred, defer } from './deferred.ts';
import type { State } from './state.ts';
import type { ComparedRecording } from './recording/comparedRecording.ts';
import { words } from './words/index.ts';

/** Name of the performance mark that is set when the first picture is drawn. */
const FIRST_PICTURE_MARK = 'rigcast-shown';
/** Maximum number of URLs that are opened together. */
const MAX_ADDRESSES = 32;

/** Files, a promise of files, or a function that provides a promise of files. */
export type FileSource = IncomingFiles | Promise<IncomingFiles> | ((signal: AbortSignal) => Promise<IncomingFiles>);

export class Opener {
  readonly #state: State;
  readonly #playbackController: PlaybackController;
  readonly secondaryModels: SecondaryModels;
  readonly textureAssigner: TextureAssigner;
  readonly #libraryReader: LibraryReader;

  constructor(state: State, playbackController: PlaybackController) {
    this.#state = state;
    this.#playbackController = playbackController;
    this.textureAssigner = new TextureAssigner(state);
    this.secondaryModels = new SecondaryModels(state);
    this.#libraryReader = new LibraryReader(state, playbackController, (opened, opening) =>
      this.#prepareAndShow(opened, opening, '', true),
    );
  }

  get #session(): Session {
    return this.#state.session.value;
  }

  get #model(): Model | null {
    return this.#state.shownModel.value;
  }

  /**
   * Opens files. A later load cancels this one. `at`: position of a drop in CSS pixels. `addresses`:
   * URLs of the files.
   */
  open(source: FileSource, at?: Vector2Like, addresses: readonly string[] = []): Promise<void> {
    return this.#state.load(words.scanning, async opening => {
      // Listing the files of a folder cannot be aborted, so stop waiting for it.
      const all = await unlessAborted(Promise.resolve(typeof source === 'function' ? source(opening.signal) : source), opening.signal);
      const { files: dropped, truncated, notes: leftOut = [], handles = [] } = await unpacked(all, opening.signal);
      const hasJson = dropped.some(({ file }) => extensionOf(file.name) === 'json');
      const { files, boneMap } = hasJson
        ? await (await import('./droppedBoneMap.ts')).withoutBoneMaps(dropped)
        : { files: dropped, boneMap: null };
      if (boneMap && files.length === 0) return this.#useBoneMap(boneMap, opening, true);
      prefetchReaders(files.map(({ file }) => file.name));
      const [only, ...others] = files;
      // A single Radiance image becomes the environment, since no supported format has HDR
      // textures.
      if (only && others.length === 0 && isLocal(only) && extensionOf(only.file.name) === 'hdr')
        return this.#state.dispatch({ type: 'set-view', settings: { environment: only.file } });
      const notes = [...(truncated ? [{ code: 'too-many-files' as const, maxFiles: MAX_FILES }] : []), ...leftOut];
      const assign = at ? await this.textureAssigner.prepareAssignment(files, at) : null;
      // Files are never added to a demo. An image that is dropped on a material of a demo is only
      // assigned to this material.
      if (!assign || this.#session.demo === null)
        await this.#prepareAndShow(await this.#openFiles(files, notes, opening), opening, words.addedToModel, false, addresses);
      await assign?.();
      if (boneMap) await this.#useBoneMap(boneMap, opening, false);
      else await this.#playbackController.applyBoneMap(opening);
      this.#libraryReader.start();
      if (handles.length > 0) this.#state.openHandles.value = handles;
      if (handles.length > 0) void import('./fileHandles.ts').then(({ keepHandles }) => keepHandles(handles)).catch(() => {});
    });
  }

  /** Uses a dropped bone map for the animations of the shown model. `isAlone`: true if no other file was dropped. */
  async #useBoneMap({ name, pairs }: { name: string; pairs: BoneMap }, opening: OpeningContext, isAlone: boolean): Promise<void> {
    const { shown, boneMaps } = this.#session;
    if (!shown) throw new Refusal({ code: 'failed', message: words.boneMap.needsModel(name) });
    if (isAlone) this.#state.remember(true);
    await this.#playbackController.setAllBoneMaps(withOnlyBoneMap(boneMaps, shown.input.path, pairs), opening);
    this.#state.announce(words.boneMap.loaded(pairs.length));
  }

  /**
   * Opens the visitor's files. If none of several files can be shown, the error lists all of them.
   */
  async #openFiles(files: readonly InputFile[], notes: readonly Notice[], opening: OpeningContext): Promise<OpenResult> {
    try {
      return await openInputs(this.#session, this.#model, files, notes, opening);
    } catch (error) {
      if (!(error instanceof Refusal) || files.length < 2 || !['damaged', 'unknown'].includes(error.problem.code)) throw error;
      const { explainRefusal } = await import('../session/explainRefusal.ts');
      throw await explainRefusal(files, error, opening);
    }
  }

  /**
   * Opens a demo. `id`: the demo to open; the first one by default. `isAsked`: false if the demo
   * was opened automatically at the start; if it can't be fetched, the welcome card then shows the
   * reason.
   */
  openDemo(id?: string, isAsked = true): Promise<void> {
    const demo = demos.find(one => one.id === id) ?? demos[0]!;
    prefetchReaders([demo.model.name]);
    return this.#state.load('', async opening => {
      const wanted = await fetchDemo(demo, opening.signal).catch((error: unknown) => {
        if (isAsked || opening.signal.aborted) throw error;
        const isKnownReason = error instanceof Refusal && error.problem.code === 'failed';
        this.#state.demoError.value = isKnownReason ? error.problem.message : words.demoFailed(null);
        return null;
      });
      if (wanted) this.#state.demoError.value = '';
      if (wanted) await this.#prepareAndShow(await openModel(this.#session, this.#model, wanted, opening), opening, '', false, []);
    });
  }

  /**
   * Opens files from http or https URLs that the visitor enters. Servers of other sites must allow
   * this (CORS). Resolves with true if their model is shown, and with false if the load failed or
   * other files were opened in the meantime.
   */
  async openAddresses(addresses: readonly string[]): Promise<boolean> {
    const wanted = addresses.slice(0, MAX_ADDRESSES);
    const fetched = async (ended: AbortSignal): Promise<IncomingFiles> => ({
      files: await Promise.all(wanted.map(address => fetchAddress(address, ended))),
      truncated: false,
    });
    await this.open(fetched, undefined, wanted);
    return this.#state.addresses.value === wanted;
  }

  /**
   * Shows another model of the library. Keeps the camera and the animation if they fit that model.
   * An animation file is added to the shown model.
   */
  showEntry(entry: LibraryEntry): void {
    this.#state.isLibraryOpen.value = false;
    if (entry.input === this.#session.shown?.input) return;
    if (entry.role === 'animation') return void this.#openAnimationFile(entry);
    void this.#state.load('', async opening =>
      this.#prepareAndShow(await openLibraryEntry(this.#session, this.#model, entry, opening), opening, words.addedToModel, true).then(() =>
        this.#playbackController.applyBoneMap(opening),
      ),
    );
  }

  /** Adds an animation file of the library to the shown model. */
  #openAnimationFile({ input }: LibraryEntry): Promise<void> {
    return this.#state.load('', async opening => {
      const { companionFiles, notices } = this.#session;
      const joining = { animations: [input], companions: [], companionFiles, notices, openedAnimations: [] };
      await this.#prepareAndShow(await join(this.#session, this.#model, joining, opening), opening, words.addedToModel);
    });
  }

  /** Shows the next or previous model of the library, wrapping around. `step`: 1 or −1. */
  showNext(step: number): void {
    const { library, shown } = this.#session;
    const models = modelsIn(library);
    const at = models.findIndex(({ input }) => input === shown?.input);
    const next = models[(at + step + models.length) % models.length];
    if (next) this.showEntry(next);
  }

  /** Shows or hides parts of the current character. Playback continues. */
  switchParts(parts: readonly LibraryEntry[], isOn: boolean): Promise<void> {
    return this.#state.load('', async opening => {
      const { shown, partChoices } = this.#session;
      if (!shown || parts.length === 0) return;
      const newer = parts.map(({ input }) => ({ lead: shown.input.path, part: input.path, isOn }));
      const opened = await rebuildWithParts(this.#session, shown, withChoices(partChoices, newer), opening);
      await this.#prepareAndShow(opened, opening, '', true);
      const names = parts.map(({ input }) => input.file.name).join(', ');
      this.#state.announce(isOn ? words.partsAdded(names) : words.partsRemoved(names));
    });
  }

  /** Restores the previous session of the undo history. */
  undo(): void {
    const { history } = this.#state;
    const before = history.value.at(-1);
    if (!before) return;
    void this.#state.load('', async opening => {
      // If the texture overrides differ, the model must be built again.
      const standing = before.imageAssignments === this.#session.imageAssignments ? this.#model : null;
      const opened = await restoreModel(before, standing, opening);
      const left = history.value.slice(0, -1);
      await this.#prepareAndShow(opened, opening, words.undone, true);
      history.value = left;
    });
  }

  /**
   * Replaces all images that the visitor has assigned to materials, and builds the shown model again
   * with them.
   */
  setAssignments(imageAssignments: readonly ImageAssignment[]): Promise<void> {
    return this.#state.load('', async opening => {
      this.#state.remember(true);
      await this.#prepareAndShow(await restoreModel({ ...this.#session, imageAssignments }, null, opening), opening, '', true);
    });
  }

  /** Reads all files again from their folder or URL. Keeps camera, animation and time. */
  reload(): void {
    void this.#state.load(words.reloading, async opening => {
      const { reload: renew } = await import('../session/reload.ts');
      await this.#prepareAndShow(await renew(this.#session, this.#model, opening), opening, words.reloaded, true);
    });
  }

  /**
   * Sets the convention for the root bone of Unreal files and reads all files again. Keeps
   * animation and time. `isRootConjugated`: value of the option `conjugateRoot`.
   */
  readRoot(isRootConjugated: boolean): void {
    const { dispatch } = this.#state;
    void this.#state.load(words.reloading, async opening => {
      const { reload: renew } = await import('../session/reload.ts');
      const wanted = { ...this.#session, placement: { ...this.#session.placement, isRootConjugated } };
      await this.#prepareAndShow(await renew(wanted, this.#model, opening), opening, words.reloaded, true);
      dispatch({ type: 'set-placement', placement: { isRootConjugated } });
      this.#state.viewport.viewFromFront();
    });
  }

  /**
   * Compares the current recording with another recording of the library. `entry`: the other
   * recording; null to end the comparison.
   */
  compareRecording(entry: LibraryEntry | null): Promise<void> {
    const host = this.#model;
    return this.#state.load('', async opening => {
      const { openRecording } = await import('./recording/comparedRecording.ts');
      const made = entry && (await openRecording(entry, opening, comparedColors(this.#state.root)));
      if (this.#model !== host || opening.signal.aborted) return made?.dispose();
      if (entry && !made) throw new Refusal({ code: 'failed', message: words.recording.notARecording(entry.input.file.name) });
      this.#setOther(made);
    });
  }

  #setOther(next: ComparedRecording | null): void {
    const { other, viewport } = this.#state;
    const old = other.peek();
    viewport.beside = next;
    other.value = next;
    old?.dispose();
  }

  /** Removes the secondary models and the compared recording. */
  #clearAround(): void {
    this.#setOther(null);
    this.secondaryModels.clear();
  }

  dispose(): void {
    this.#libraryReader.stop();
  }

  /** Closes all files. `undo` opens them again. */
  close(): void {
    const { loads, viewport, shownModel, played, dispatch, isWelcome } = this.#state;
    loads.cancel();
    this.#libraryReader.stop();
    this.#state.remember();
    const old = this.#model;
    batch(() => {
      viewport.clear();
      shownModel.value = null;
      played.value = null;
      dispatch({ type: 'close' });
      this.#state.openHandles.value = [];
      isWelcome.value = true;
    });
    this.#clearAround();
    if (old) disposeModel(old);
    this.#state.announce(words.isClosed);
  }

  /**
   * Sets how animations are interpreted. Reads files again if the change affects whether their
   * .config files are applied.
   */
  setAnimationMode(animationMode: AnimationMode): void {
    const rereadsAnimations = (animationMode === 'everything') !== (this.#session.animationMode === 'everything');
    this.#state.dispatch({ type: 'set-animation-mode', animationMode });
    if (!rereadsAnimations) return this.#playbackController.replaySelected();
    void this.#state.load(words.reloadingAnimations, async opening => {
      const { companionFiles, notices } = this.#session;
      const joining = { animations: [], companions: [], companionFiles, notices, openedAnimations: [], rereadsAnimations };
      await this.#prepareAndShow(await join(this.#session, this.#model, joining, opening), opening, words.reloaded);
    });
  }

  /**
   * Prepares the viewport for a model, then shows it. Disposes the model if the load was cancelled.
   * `addresses`: URLs of the opened files; undefined if the files of the page have not changed.
   */
  async #prepareAndShow(
    opened: OpenResult,
    opening: OpeningContext,
    announcement: string,
    isStep = false,
    addresses?: readonly string[],
  ): Promise<void> {
    const { model } = opened;
    try {
      if (model) await this.#state.viewport.prepare(model);
      const next = reduce(this.#session, opened.action);
      const row = rowsOf(next)[next.selected];
      if (row) await this.#playbackController.readKeys(row, opening);
      opening.signal.throwIfAborted();
    } catch (error) {
      if (model && model !== this.#model) disposeModel(model);
      throw error;
    }
    const before = this.#session.shown;
    const updated = this.#show(opened, announcement, isStep);
    // A share link contains the files of the shown model only if all of them are from URLs.
    if (addresses) this.#state.addresses.value = this.#session.shown === before ? [] : addresses;
    await updated;
    if (!model || this.#model !== model) return;
    await this.secondaryModels.keep(model, this.#session, opening);
  }

  /**
   * Shows an opened model, or adds an opened animation file. `announcement`: text for screen
   * readers if an opened file contains no animations. `isStep`: true to keep the camera. Resolves
   * when the panels have been updated.
   */
  #show(opened: OpenResult, announcement: string, isStep: boolean): Promise<void> {
    const { model, added, action } = opened;
    const { viewport, rows, tab, playback, isLibraryOpen } = this.#state;
    const before = this.#session;
    const session = reduce(before, action);
    if (session.shown !== before.shown || session.animationFiles !== before.animationFiles) this.#state.remember();
    const old = this.#model;
    const { time, playing } = playback;
    const isNew = added === null && model !== null;
    const shown = batchDeferred(() => {
      this.#replace(opened, session, isStep);
      // Playback continues at the current time, unless a new animation was selected.
      const row = rows.value[session.selected];
      const isKept = added === null ? isStep && isSameAnimation(before, session) : !(row && added.includes(row.source));
      this.#playbackController.playSelected(isKept ? playing : !prefersReducedMotion());
      if (isKept) playback.seek(time);
      const areSeveral = modelsIn(session.library).length > modelsIn(before.library).length + 1;
      if (isNew && !isStep) tab.value = areSeveral ? 'files' : 'animations';
      if (isNew && !isStep) isLibraryOpen.value = modelsIn(session.library).length > modelsIn(before.library).length + FEW_MODELS;
      if (!old || old === model) return;
      this.#clearAround();
      defer(() => disposeModel(old));
    });
    // Draw the first picture of the page immediately, before anything else is fetched. Later models
    // are drawn in the next frame, to keep this task short.
    if (isNew && !old) {
      viewport.drawNow();
      performance.mark(FIRST_PICTURE_MARK);
    }
    const addedClips = added?.reduce((sum, { file }) => sum + file.scene!.clips.length, 0) ?? 0;
    const unwanted = session.notices.find(({ code }) => code === 'unused-companions');
    const joined = unwanted ? sentenceOf(unwanted, this.#state.meanings.value) : announcement;
    if (added !== null) this.#state.announce(addedClips > 0 ? words.animationsAdded(addedClips) : joined);
    else if (session.shown) this.#state.announce(words.modelOpened(session.shown.input.file.name, animationCounts(session).own));
    return shown;
  }

  /** Replaces the session and, if it changed, the model in the viewport. */
  #replace({ model, added }: OpenResult, next: Session, isStep: boolean): void {
    const { viewport, session, shownModel, isWelcome } = this.#state;
    const isNew = model !== this.#model || !model;
    if (isNew) viewport.clear();
    session.value = next;
    if (!isNew) return;
    shownModel.value = model;
    // When the visitor steps through the library, the camera is kept if the next model fits the
    // view.
    if (model) viewport.present(model, added === null && !isStep);
    if (model && !viewport.view.cameraRig.fitsContent) viewport.cameraView.reset();
    // Keep the welcome card closed if the visitor has dismissed it.
    isWelcome.value = model === null || (next.demo !== null && isWelcome.peek());
  }
}
