// State that the parts of the page share, as signals. Everything visible is derived from these
// signals.
import { computed, signal } from '@preact/signals-core';
import type { RigFile } from '../core/open.ts';
import { adviceFor } from '../session/advice.ts';
import { isEdited } from '../session/animationEdits.ts';
import { withStep } from '../session/history.ts';
import type { InputFile } from '../session/inputFile.ts';
import { type Model, wholeCharacter } from '../session/model.ts';
import type { LayeredAction } from '../session/layeredAction.ts';
import type { OpeningContext } from '../session/openResult.ts';
import { Refusal } from '../session/problem.ts';
import { rowsOf } from '../session/animationRows.ts';
import { emptySession, type Session } from '../session/session.ts';
import { type Action, reduce } from '../session/reduce.ts';
import type { Playback, Range, SharedRenderer, View } from '../view/index.ts';
import { recordingFacts, sceneFacts } from './facts.ts';
import type { SecondaryModel, AttachedModel } from './entries.ts';
import { keptAssignments } from './keptAssignments.ts';
import { keptValues } from './keptValues.ts';
import { keptBoneMaps } from './keptBoneMaps.ts';
import { Loads } from './loads.ts';
import type { DrawerView, PanelId } from './page.ts';
import { PanelLayout } from './panelLayout.ts';
import type { ComparedRecording } from './recording/comparedRecording.ts';
import { problemText } from './sentences.ts';
import { Viewport } from './viewport.ts';
import { timelineEventsOf, reportSectionsOf } from './sync.ts';
import { findingMeanings } from './words/index.ts';

export class State {
  readonly root: HTMLElement;
  readonly viewport: Viewport;
  readonly loads: Loads;
  /** Promise that settles when the latest load has ended. */
  idle: Promise<void> = Promise.resolve();
  /**
   * Functions that load modules that are not needed for the first picture. They run after each load
   * and do nothing if their module is already loaded.
   */
  readonly deferredLoads: (() => Promise<void>)[] = [() => this.#loadMeanings()];

  readonly session = signal<Session>({
    ...emptySession,
    imageAssignments: keptAssignments(),
    materialValues: keptValues(),
    boneMaps: keptBoneMaps(),
  });
  readonly shownModel = signal<Model | null>(null);
  readonly played = signal<LayeredAction | null>(null);
  readonly meanings = signal<ReadonlyMap<string, string>>(new Map());
  readonly poseVersion = signal(0);
  /** Playback time of the last drawn frame, in seconds. */
  #drawnTime = 0;
  /** Earlier sessions, for undo. */
  readonly history = signal<readonly Session[]>([]);
  readonly rows = computed(() => rowsOf(this.session.value));
  readonly isEdited = computed(() => isEdited(this.session.value.animationEdits, this.rows.value[this.session.value.selected]));
  readonly recorded = computed(() => recordingFacts(this.shownModel.value, this.viewport));
  readonly scene = computed(() => {
    const model = this.shownModel.value;
    return model && !this.viewport.recording ? sceneFacts(model, this.viewport) : null;
  });
  readonly advice = computed(() => {
    void this.shownModel.value;
    return adviceFor(this.session.value, this.played.value, this.viewport.showsMore);
  });
  readonly sections = reportSectionsOf(this);
  readonly events = timelineEventsOf(this);
  readonly isPlaying = signal(false);
  readonly range = signal<Range | null>(null);
  readonly isTopAdditive = signal(false);
  readonly addresses = signal<readonly string[]>([]);
  readonly isWatching = signal(false);
  /** File handles of the open files; empty if the browser has not provided any. */
  readonly openHandles = signal<readonly FileSystemHandle[]>([]);

  readonly tab = signal<PanelId>('animations');
  /** Aborted when the page is disposed. */
  protected readonly ended = new AbortController();
  readonly layout = new PanelLayout(this.ended.signal);
  readonly isDrawerOpen = signal(false);
  readonly drawerView = signal<DrawerView>('keys');
  readonly isLibraryOpen = signal(false);
  readonly pictures = signal<ReadonlyMap<InputFile, string>>(new Map());
  readonly textureCounts = signal<ReadonlyMap<InputFile, number>>(new Map());
  /** Models attached to bones of the shown model. */
  readonly attached = signal<readonly AttachedModel[]>([]);
  /** Models beside the shown model, in the order in which they were added. */
  readonly sideBySide = signal<readonly Model[]>([]);
  readonly secondaryModels = computed<readonly SecondaryModel[]>(() => [
    ...this.attached.value.map(({ model, bone }) => ({ model, bone })),
    ...this.sideBySide.value.map(model => ({ model, bone: null })),
  ]);
  /** Recording that is compared with the current recording; null if there is none. */
  readonly other = signal<ComparedRecording | null>(null);
  readonly byteSelection = signal<{ file: RigFile; offset: number } | null>(null);
  /** Reason why the first demo could not be loaded; '' if there is no such error. */
  readonly demoError = signal('');
  /** Function that loads a new release of the page; null if there is no new release. */
  readonly release = signal<(() => void) | null>(null);
  readonly isWelcome = signal(true);
  readonly refusal = signal<Refusal | null>(null);
  readonly isLost = signal(false);
  /**
   * Text that screen readers announce. Each announcement is a new object, so that the same text can
   * be announced again.
   */
  readonly announcement = signal({ text: '' });

  /** `root`: element with the page's CSS variables. `host`: parent of the canvas, which is that of `sharedRenderer`. */
  constructor(root: HTMLElement, host: HTMLElement, sharedRenderer: SharedRenderer) {
    this.root = root;
    this.loads = new Loads({
      graphics: sharedRenderer,
      choices: () => {
        const { imageAssignments, materialValues } = this.session.peek();
        return { imageAssignments, materialValues };
      },
      onFailed: error => this.#onFailure(error),
      onDone: () => this.view.invalidate(),
      announce: text => this.announce(text),
    });
    this.viewport = new Viewport(root, host, sharedRenderer, {
      // Playback pauses during a load, because drawing frames would slow the load down, and while the
      // library covers the viewport.
      isPaused: () => this.loads.isBusy || this.isLibraryOpen.peek(),
      onDrawn: () => {
        if (!this.playback.playing && this.playback.time === this.#drawnTime) return;
        this.#drawnTime = this.playback.time;
        this.poseVersion.value++;
      },
      onLost: isLost => (this.isLost.value = isLost),
    });
  }

  get view(): View {
    return this.viewport.view;
  }

  /** All models in the viewport: the shown model, its parts and the secondary models. */
  get allModels(): readonly Model[] {
    const { shownModel, secondaryModels } = this;
    return shownModel.value ? [...wholeCharacter(shownModel.value), ...secondaryModels.value.map(({ model }) => model)] : [];
  }

  get playback(): Playback {
    return this.viewport.playback;
  }

  dispatch = (action: Action): void => {
    this.session.value = reduce(this.session.value, action);
  };

  /**
   * Adds the current session to the undo history. A demo is added only if `isModified` is true,
   * because an unmodified demo can be opened again.
   */
  remember(isModified = false): void {
    const { demo, shown, animationFiles } = this.session.value;
    if ((demo === null || isModified) && (shown || animationFiles.length > 0))
      this.history.value = withStep(this.history.value, this.session.value);
  }

  announce(text: string): void {
    this.announcement.value = { text };
  }

  /**
   * Runs `work` as a load, which the next load cancels. `text`: initial text of the progress card;
   * null if `work` shows its own progress.
   */
  load(text: string | null, work: (opening: OpeningContext) => Promise<void>): Promise<void> {
    this.refusal.value = null;
    const guarded = async (opening: OpeningContext): Promise<void> => {
      try {
        await work(opening);
      } catch (error) {
        await this.#loadMeanings().catch(() => {}); // the error card explains findings
        throw error;
      }
    };
    return (this.idle = this.loads.run(text, guarded).then(() => this.#runDeferredLoads()));
  }

  /**
   * Loads the deferred modules. A module that can't be loaded is requested again after the next
   * load.
   */
  async #runDeferredLoads(): Promise<void> {
    await Promise.allSettled(this.deferredLoads.map(fetched => fetched()));
  }

  /** Loads the explanations of finding codes. */
  async #loadMeanings(): Promise<void> {
    if (this.meanings.value.size > 0) return;
    this.meanings.value = await findingMeanings();
  }

  #onFailure(error: unknown): void {
    const refusal =
      error instanceof Refusal ? error : new Refusal({ code: 'failed', message: error instanceof Error ? error.message : String(error) });
    if (refusal.action) this.dispatch(refusal.action);
    this.refusal.value = refusal;
    const { title, next } = problemText(refusal.problem, this.meanings.peek());
    this.announce(`${title} ${next}`);
  }
}
