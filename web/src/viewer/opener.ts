// How anything comes onto the stage and leaves it: files that somebody gives, addresses, demos, models of the library, what was open before.
import { batch } from '@preact/signals-core';
import type { Vector2Like } from 'three';
import { extensionOf } from '../core/paths.ts';
import type { InputFile } from '../session/inputFile.ts';
import { type LibraryEntry, modelsIn } from '../session/library.ts';
import { disposeModel, type Model } from '../session/model.ts';
import type { AnimationMode } from '../session/layeredAction.ts';
import { join } from '../session/join.ts';
import type { OpenResult, OpeningContext } from '../session/openResult.ts';
import { rebuildWithParts, openEntry, openInputs, openModel, restoreModel } from '../session/openModel.ts';
import { withChoices } from '../session/parts.ts';
import { Refusal } from '../session/problem.ts';
import { isSameAnimation } from '../session/animationRows.ts';
import type { Notice } from '../session/notices.ts';
import type { Session } from '../session/session.ts';
import { reduce } from '../session/reduce.ts';
import { otherColors } from './colors.ts';
import { demos } from './demos.ts';
import { Dresser } from './dresser.ts';
import { expectFiles } from './drop.ts';
import { fetchAddress, fetchDemo } from './fetching.ts';
import { Extras } from './extras.ts';
import { type Given, MAX_FILES, unpacked } from './intake.ts';
import { unlessAborted } from './loads.ts';
import { isStill, type Performer } from './performer.ts';
import { motionCounts, sentenceOf } from './say.ts';
import { changeCalmly, soon } from './soon.ts';
import type { State } from './state.ts';
import type { OtherTake } from './recording/otherTake.ts';
import { words } from './words/index.ts';

/** In the browser's timeline, when there is a first picture. */
const SHOWN = 'rigcast-shown';
/** Addresses that are opened at once. */
const MOST_ADDRESSES = 32;

/** What somebody gives, now or when it is there. */
export type Giving = Given | Promise<Given> | ((signal: AbortSignal) => Promise<Given>);

export class Opener {
  readonly #state: State;
  readonly #performer: Performer;
  readonly extras: Extras;
  readonly dresser: Dresser;

  constructor(state: State, performer: Performer) {
    this.#state = state;
    this.#performer = performer;
    this.dresser = new Dresser(state);
    this.extras = new Extras(state, this.dresser);
  }

  get #session(): Session {
    return this.#state.session.value;
  }

  get #model(): Model | null {
    return this.#state.actor.value;
  }

  /** Opens what somebody gave. A later call wins over this one. `at`: where it was dropped, in pixels of the page. */
  take(given: Giving, at?: Vector2Like): Promise<void> {
    return this.#state.load(words.looking, async opening => {
      // Who looks through a slow folder cannot be stopped, but need not be waited for.
      const all = await unlessAborted(Promise.resolve(typeof given === 'function' ? given(opening.signal) : given), opening.signal);
      const { files, truncated, notes: leftOut = [], handles = [] } = await unpacked(all, opening.signal);
      expectFiles(files.map(({ file }) => file.name));
      const [only, ...others] = files;
      // A Radiance image is no texture of any format here: it is light.
      if (only && others.length === 0 && extensionOf(only.file.name) === 'hdr')
        return this.#state.dispatch({ type: 'set-view', settings: { environment: only.file } });
      this.#state.addresses.value = [];
      const notes = [...(truncated ? [{ code: 'too-many-files' as const, most: MAX_FILES }] : []), ...leftOut];
      const put = at ? await this.dresser.putting(files, at) : null;
      // Files do not join a demo; an image can be put on it all the same.
      if (!put || this.#session.demo === null) await this.#stage(await this.#openGiven(files, notes, opening), opening, words.added);
      await put?.();
      if (handles.length > 0) void import('./handles.ts').then(({ keepHandles }) => keepHandles(handles)).catch(() => {});
    });
  }

  /** As `openGiven`. If nothing can be shown, the refusal is about all files instead of the first one. */
  async #openGiven(files: readonly InputFile[], notes: readonly Notice[], opening: OpeningContext): Promise<OpenResult> {
    try {
      return await openInputs(this.#session, this.#model, files, notes, opening);
    } catch (error) {
      if (!(error instanceof Refusal) || files.length < 2 || !['damaged', 'unknown'].includes(error.problem.code)) throw error;
      const { explainRefusal: noneOpens } = await import('../session/explainRefusal.ts');
      throw await noneOpens(files, error, opening);
    }
  }

  /** One of the list in demos.ts by its id, else the first. If the first demo of a visit cannot be fetched, the start card says why. */
  openDemo(id?: string, isAsked = true): Promise<void> {
    const demo = demos.find(one => one.id === id) ?? demos[0]!;
    this.#state.addresses.value = [];
    expectFiles([demo.model.name]);
    return this.#state.load('', async opening => {
      const wanted = await fetchDemo(demo, opening.signal).catch((error: unknown) => {
        if (isAsked || opening.signal.aborted) throw error;
        const isTold = error instanceof Refusal && error.problem.code === 'failed';
        this.#state.noDemo.value = isTold ? error.problem.message : words.demoMissing(null);
        return null;
      });
      if (wanted) this.#state.noDemo.value = '';
      if (wanted) await this.#stage(await openModel(this.#session, this.#model, wanted, opening), opening, '');
    });
  }

  /** Files from the network, by addresses that the visitor typed: only http and https, and only where the server allows it (CORS). */
  async openAddresses(addresses: readonly string[]): Promise<void> {
    const wanted = addresses.slice(0, MOST_ADDRESSES);
    const before = this.#session.shown;
    await this.take(async ended => ({ files: await Promise.all(wanted.map(address => fetchAddress(address, ended))), truncated: false }));
    if (this.#session.shown !== before) this.#state.addresses.value = wanted;
  }

  /** Another model of the library takes the stage, and the eye and the motion stay where they suit it; motions join what stands there. */
  showEntry(entry: LibraryEntry): void {
    if (entry.given === this.#session.shown?.given) return;
    if (entry.role === 'motion') return void this.#openMotions(entry);
    void this.#state.load('', async opening =>
      this.#stage(await openEntry(this.#session, this.#model, entry, opening), opening, words.added, true),
    );
  }

  /** A file of motions that was not opened with the others. */
  #openMotions({ given }: LibraryEntry): Promise<void> {
    return this.#state.load('', async opening => {
      const { companionFiles, notices } = this.#session;
      const joining = { animations: [given], companions: [], companionFiles, notices, ready: [] };
      await this.#stage(await join(this.#session, this.#model, joining, opening), opening, words.added);
    });
  }

  /** The model after or before it in the library, in a ring. */
  showNext(step: number): void {
    const { library, shown } = this.#session;
    const models = modelsIn(library);
    const at = models.findIndex(({ given }) => given === shown?.given);
    const next = models[(at + step + models.length) % models.length];
    if (next) this.showEntry(next);
  }

  /** Switches parts of the character on the stage on or off; what plays goes on. */
  switchParts(parts: readonly LibraryEntry[], isOn: boolean): Promise<void> {
    return this.#state.load('', async opening => {
      const { shown, partChoices } = this.#session;
      if (!shown || parts.length === 0) return;
      const newer = parts.map(({ given }) => ({ lead: shown.given.path, part: given.path, isOn }));
      const opened = await rebuildWithParts(this.#session, shown, withChoices(partChoices, newer), opening);
      await this.#stage(opened, opening, '', true);
      const names = parts.map(({ given }) => given.file.name).join(', ');
      this.#state.announce(isOn ? words.partsAdded(names) : words.partsRemoved(names));
    });
  }

  /** What was open before the last drop, step or close. */
  undo(): void {
    const { history } = this.#state;
    const before = history.value.at(-1);
    if (!before) return;
    void this.#state.load('', async opening => {
      // What wears something else now is built anew.
      const standing = before.imageAssignments === this.#session.imageAssignments ? this.#model : null;
      const opened = await restoreModel(before, standing, opening);
      const left = history.value.slice(0, -1);
      await this.#stage(opened, opening, words.undone, true);
      history.value = left;
    });
  }

  /** Everything from where it came, as it is now; the eye, the motion and its time stay. */
  reload(): void {
    const { addresses } = this.#state;
    const kept = addresses.value;
    void this.#state.load(words.reloading, async opening => {
      const { reload: renew } = await import('../session/reload.ts');
      await this.#stage(await renew(this.#session, this.#model, opening), opening, words.readAgain, true);
      addresses.value = kept;
    });
  }

  /** Unreal's root is read like other bones, or as Unreal has it: everything is read again, and the motion and its time stay. */
  readRoot(isRootPlain: boolean): void {
    const { addresses, dispatch } = this.#state;
    const kept = addresses.value;
    void this.#state.load(words.reloading, async opening => {
      const { reload: renew } = await import('../session/reload.ts');
      const wanted = { ...this.#session, placement: { ...this.#session.placement, isRootPlain } };
      await this.#stage(await renew(wanted, this.#model, opening), opening, words.readAgain, true);
      dispatch({ type: 'set-placement', placement: { isRootConjugated: isRootPlain } });
      this.#state.scenery.lookAtFront();
      addresses.value = kept;
    });
  }

  /** Another recording of the library stands beside the one that plays; null: none does. */
  compareTake(entry: LibraryEntry | null): Promise<void> {
    const host = this.#model;
    return this.#state.load('', async opening => {
      const { openTake } = await import('./recording/otherTake.ts');
      const made = entry && (await openTake(entry, opening, otherColors(this.#state.root)));
      if (this.#model !== host || opening.signal.aborted) return made?.dispose();
      if (entry && !made) throw new Refusal({ code: 'failed', message: words.recording.isNone(entry.given.file.name) });
      this.#setOther(made);
    });
  }

  #setOther(next: OtherTake | null): void {
    const { other, scenery } = this.#state;
    const old = other.peek();
    scenery.beside = next;
    other.value = next;
    old?.dispose();
  }

  /** What stands beside the model or hangs on it goes with it. */
  #clearAround(): void {
    this.#setOther(null);
    this.extras.clear();
  }

  /** Takes everything away; undo brings it back. */
  close(): void {
    const { loads, scenery, actor, played, dispatch, isWelcome } = this.#state;
    loads.cancel();
    this.#state.remember();
    const old = this.#model;
    batch(() => {
      scenery.clear();
      actor.value = null;
      played.value = null;
      dispatch({ type: 'close' });
      isWelcome.value = true;
    });
    this.#clearAround();
    if (old) disposeModel(old);
    this.#state.announce(words.isClosed);
  }

  /** How motions are read; from their files again, where that heeds a .config or does no more. */
  read(animationMode: AnimationMode): void {
    const isReadAgain = (animationMode === 'everything') !== (this.#session.animationMode === 'everything');
    this.#state.dispatch({ type: 'set-animation-mode', animationMode });
    if (!isReadAgain) return this.#performer.performAgain();
    void this.#state.load(words.readingAgain, async opening => {
      const { companionFiles, notices } = this.#session;
      const joining = { animations: [], companions: [], companionFiles, notices, ready: [], isReadAgain };
      await this.#stage(await join(this.#session, this.#model, joining, opening), opening, words.readAgain);
    });
  }

  /** As `#show`, once there is what the model needs of the stage. What nobody waits for any more is thrown away. */
  async #stage(opened: OpenResult, opening: OpeningContext, said: string, isStep = false): Promise<void> {
    const { model } = opened;
    try {
      if (model) await this.#state.scenery.prepare(model);
      opening.signal.throwIfAborted();
    } catch (error) {
      if (model && model !== this.#model) disposeModel(model);
      throw error;
    }
    await this.#show(opened, said, isStep);
    if (!model || this.#model !== model) return;
    await this.extras.keep(model, this.#session, opening);
    await this.dresser.dress(model);
  }

  /**
   * What was opened takes the stage, or joins what stands there. `said`: aloud, where no motions came. `isStep`: the eye stays where it is. Resolves when
   * panels show it, too.
   */
  #show(opened: OpenResult, said: string, isStep: boolean): Promise<void> {
    const { model, added, action } = opened;
    const { scenery, rows, tab, playback } = this.#state;
    const before = this.#session;
    const session = reduce(before, action);
    if (session.shown !== before.shown || session.animationFiles !== before.animationFiles) this.#state.remember();
    const old = this.#model;
    const { time, playing } = playback;
    const isNew = added === null && model !== null;
    const shown = changeCalmly(() => {
      this.#replace(opened, session, isStep);
      // What plays goes on where it was, unless something better has come.
      const row = rows.value[session.selected];
      const isKept = added === null ? isStep && isSameAnimation(before, session) : !(row && added.includes(row.source));
      this.#performer.perform(isKept ? playing : !isStill());
      if (isKept) playback.seek(time);
      const areSeveral = modelsIn(session.library).length > modelsIn(before.library).length + 1;
      if (isNew && !isStep) tab.value = scenery.recording ? 'recording' : areSeveral ? 'files' : 'motions';
      if (!old || old === model) return;
      this.#clearAround();
      soon(() => disposeModel(old));
    });
    // A page's first picture goes before all that is fetched after it; others are drawn in the next frame, so that this task is short.
    if (isNew && !old) {
      scenery.drawNow();
      performance.mark(SHOWN);
    }
    const motions = added?.reduce((sum, { file }) => sum + file.scene!.clips.length, 0) ?? 0;
    const unwanted = session.notices.find(({ code }) => code === 'unwanted');
    const joined = unwanted ? sentenceOf(unwanted, this.#state.meanings.value) : said;
    if (added !== null) this.#state.announce(motions > 0 ? words.motionsAdded(motions) : joined);
    else if (session.shown) this.#state.announce(words.isShown(session.shown.given.file.name, motionCounts(session).own));
    return shown;
  }

  /** The session that the page has from now on, and its model on the stage. */
  #replace({ model, added }: OpenResult, next: Session, isStep: boolean): void {
    const { scenery, session, actor, isWelcome } = this.#state;
    const isNew = model !== this.#model || !model;
    if (isNew) scenery.clear();
    session.value = next;
    if (!isNew) return;
    actor.value = model;
    // A step through the list keeps the camera if the next model fits into its picture.
    if (model) scenery.present(model, added === null && !isStep);
    if (model && !scenery.view.cameraRig.fitsContent) scenery.eye.reset();
    // Who has closed it does not want it back with the next demo.
    isWelcome.value = model === null || (next.demo !== null && isWelcome.peek());
  }
}
