// What the parts of the page share: what is open, what stands on the stage, what is under way. Everything shown follows from these signals.
import { computed, signal } from '@preact/signals-core';
import type { RigFile } from '../core/open.ts';
import { adviceFor } from '../session/advice.ts';
import { withStep } from '../session/history.ts';
import { type Model, wholeCharacter } from '../session/model.ts';
import type { LayeredAction } from '../session/layeredAction.ts';
import type { OpeningContext } from '../session/openResult.ts';
import { Refusal } from '../session/problem.ts';
import { rowsOf } from '../session/animationRows.ts';
import { emptySession, type Session } from '../session/session.ts';
import { type Action, reduce } from '../session/reduce.ts';
import type { Playback, Range, View } from '../view/index.ts';
import { recordingFacts, sceneFacts } from './facts.ts';
import type { Guest, Held } from './entries.ts';
import { Loads } from './loads.ts';
import type { PanelId } from './page.ts';
import type { OtherTake } from './recording/otherTake.ts';
import { troubleOf } from './say.ts';
import { Scenery } from './scenery.ts';
import { marksOf, sectionsOf } from './upkeep.ts';
import { findingMeanings } from './words/index.ts';

export class State {
  readonly root: HTMLElement;
  readonly scenery: Scenery;
  readonly loads: Loads;
  /** Settles when what was asked for last is done. */
  idle: Promise<void> = Promise.resolve();
  /** What no first picture needs, fetched after each load until it is there. */
  readonly later: (() => Promise<void>)[] = [() => this.#learn()];

  readonly session = signal<Session>(emptySession);
  readonly actor = signal<Model | null>(null);
  readonly played = signal<LayeredAction | null>(null);
  readonly meanings = signal<ReadonlyMap<string, string>>(new Map());
  readonly moved = signal(0);
  /** The time that was drawn last. */
  #seen = 0;
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

  readonly tab = signal<PanelId>('motions');
  /** What hangs on bones of the model. */
  readonly held = signal<readonly Held[]>([]);
  /** What stands beside it, in a line. */
  readonly company = signal<readonly Model[]>([]);
  readonly guests = computed<readonly Guest[]>(() => [
    ...this.held.value.map(({ model, bone }) => ({ model, bone })),
    ...this.company.value.map(model => ({ model, bone: null })),
  ]);
  /** What stands beside the recording that plays. */
  readonly other = signal<OtherTake | null>(null);
  readonly looked = signal<{ file: RigFile; offset: number } | null>(null);
  /** The reason why the first demo of a visit is missing, '' if there is none. */
  readonly noDemo = signal('');
  /** Loads a newer release of the page; null: there is none. */
  readonly release = signal<(() => void) | null>(null);
  readonly isWelcome = signal(true);
  readonly trouble = signal<Refusal | null>(null);
  readonly isLost = signal(false);
  /** What is read aloud; a new object each time, as the same words may be said again. */
  readonly said = signal({ text: '' });

  /** `root` has the page's colours, `host` takes the picture. */
  constructor(root: HTMLElement, host: HTMLElement) {
    this.root = root;
    this.loads = new Loads({
      draws: extension => this.scenery.sharedRenderer.renderer.extensions.has(extension),
      onFailed: error => this.#refuse(error),
      onDone: () => this.view.invalidate(),
      announce: text => this.announce(text),
    });
    this.scenery = new Scenery(root, host, {
      // What is being opened comes first: every frame takes time from it, where drawing is slow nearly all of it.
      isHeld: () => this.loads.isBusy,
      onDrawn: () => {
        if (!this.playback.playing && this.playback.time === this.#seen) return;
        this.#seen = this.playback.time;
        this.moved.value++;
      },
      onLost: isLost => (this.isLost.value = isLost),
    });
  }

  get view(): View {
    return this.scenery.view;
  }

  /** All files that stand on the stage: of the model, and of what came to it. */
  get everybody(): readonly Model[] {
    const { actor, guests } = this;
    return actor.value ? [...wholeCharacter(actor.value), ...guests.value.map(({ model }) => model)] : [];
  }

  get playback(): Playback {
    return this.scenery.playback;
  }

  dispatch = (action: Action): void => {
    this.session.value = reduce(this.session.value, action);
  };

  /** What is open now can be had back; a demo is a click away anyhow, but not what has been done to it. */
  remember(isDoneTo = false): void {
    const { demo, shown, animationFiles } = this.session.value;
    if ((demo === null || isDoneTo) && (shown || animationFiles.length > 0))
      this.history.value = withStep(this.history.value, this.session.value);
  }

  announce(text: string): void {
    this.said.value = { text };
  }

  /** Work that people wait for, and see: `text` says what is being done. A later call ends an earlier one. */
  load(text: string, work: (opening: OpeningContext) => Promise<void>): Promise<void> {
    this.trouble.value = null;
    const told = async (opening: OpeningContext): Promise<void> => {
      try {
        await work(opening);
      } catch (error) {
        await this.#learn().catch(() => {}); // a refusal says what was found
        throw error;
      }
    };
    return (this.idle = this.loads.run(text, told).then(() => this.#complete()));
  }

  /** Without a network what is missing is asked for again after the next load. */
  async #complete(): Promise<void> {
    await Promise.allSettled(this.later.map(fetched => fetched()));
  }

  /** What findings mean. */
  async #learn(): Promise<void> {
    if (this.meanings.value.size > 0) return;
    this.meanings.value = await findingMeanings();
  }

  #refuse(error: unknown): void {
    const refusal =
      error instanceof Refusal ? error : new Refusal({ code: 'failed', message: error instanceof Error ? error.message : String(error) });
    if (refusal.action) this.dispatch(refusal.action);
    this.trouble.value = refusal;
    const { title, next } = troubleOf(refusal.problem, this.meanings.peek());
    this.announce(`${title} ${next}`);
  }
}
