// What commands and panels see of the page, and what they may do.
import type { ReadonlySignal, Signal } from '@preact/signals-core';
import type { Object3D } from 'three';
import type { RigFile } from '../core/open.ts';
import type { Advice } from '../session/advice.ts';
import type { InputFile } from '../session/inputFile.ts';
import type { LibraryEntry } from '../session/library.ts';
import type { Model } from '../session/model.ts';
import type { LayeredAction, AnimationMode } from '../session/layeredAction.ts';
import type { Refusal } from '../session/problem.ts';
import type { AnimationRow } from '../session/openedFile.ts';
import type { Session } from '../session/session.ts';
import type { Action } from '../session/reduce.ts';
import type { Playback, Range } from '../view/index.ts';
import type { IconName } from './dom.ts';
import type { Guest, Held } from './entries.ts';
import type { OtherTake } from './recording/otherTake.ts';
import type { RecordingFacts } from './recording/panel.ts';
import type { ReportSection } from './panels/report.ts';
import type { SceneFacts } from './panels/scene.ts';
import type { Picking } from './picking.ts';
import type { Scenery } from './scenery.ts';
import type { Place } from './wardrobe.ts';
import type { Words } from './words/index.ts';

/** A panel of the side. */
export type PanelId = keyof Words['panels'];

export interface Page {
  readonly root: HTMLElement;
  readonly playback: Playback;
  readonly scenery: Scenery;
  readonly session: ReadonlySignal<Session>;
  /** What stands on the stage; it belongs to the session's `shown`. */
  readonly actor: ReadonlySignal<Model | null>;
  readonly played: ReadonlySignal<LayeredAction | null>;
  readonly rows: ReadonlySignal<readonly AnimationRow[]>;
  readonly advice: ReadonlySignal<readonly Advice[]>;
  readonly recorded: ReadonlySignal<RecordingFacts | null>;
  readonly scene: ReadonlySignal<SceneFacts | null>;
  /** Files with their findings, for the report. */
  readonly sections: ReadonlySignal<readonly ReportSection[]>;
  /** What happens when in what plays: notes, markers, hands; null: nothing does. */
  readonly marks: ReadonlySignal<RecordingFacts | null>;
  readonly isPlaying: ReadonlySignal<boolean>;
  /** The piece of the motion that is played; null: all of it. */
  readonly range: ReadonlySignal<Range | null>;
  /** The motion on top is added to the one below; else it is mixed in. */
  readonly isTopAdded: ReadonlySignal<boolean>;
  /** Counts up when faces have moved. */
  readonly moved: Signal<number>;
  /** The motion before or after the selected one, as listed; null where there is none. */
  neighbour: (step: number) => number | null;
  /** What the codes of findings mean; empty until the table is there. */
  readonly meanings: ReadonlySignal<ReadonlyMap<string, string>>;
  readonly theme: ReadonlySignal<'light' | 'dark'>;
  /** The panel that is looked at, where it is there. */
  readonly tab: Signal<PanelId>;
  /** What hangs on bones of the model. */
  readonly held: ReadonlySignal<readonly Held[]>;
  /** The same, and what stands beside the model. */
  readonly guests: ReadonlySignal<readonly Guest[]>;
  /** The recording that stands beside the one that plays; null: none does. */
  readonly other: ReadonlySignal<OtherTake | null>;
  /** The byte of an open file that somebody wants to see. */
  readonly looked: ReadonlySignal<{ file: RigFile; offset: number } | null>;
  /** What could not be done, until somebody has seen it. */
  readonly trouble: Signal<Refusal | null>;
  /** The start is shown: which files can be opened, and how. */
  readonly isWelcome: Signal<boolean>;
  /** The reason why the first demo of a visit is missing, '' if there is none. */
  readonly noDemo: ReadonlySignal<string>;
  /** Loads a newer release of the page; null: there is none. */
  readonly release: Signal<(() => void) | null>;
  /** The browser has taken the graphics card away. */
  readonly isLost: ReadonlySignal<boolean>;
  /** What is read aloud. */
  readonly said: ReadonlySignal<{ text: string }>;

  /** Addresses of small pictures of models. */
  readonly pictures: ReadonlySignal<ReadonlyMap<InputFile, string>>;
  /** Somebody looks at the library now. */
  wakeThumbnails(): void;
  readonly history: ReadonlySignal<readonly Session[]>;

  dispatch(action: Action): void;
  /** Another model of the library takes the stage; motions join it. */
  showEntry(entry: LibraryEntry): void;
  showNext(step: number): void;
  /** Switches parts of the character on the stage on or off. */
  switchParts(parts: readonly LibraryEntry[], isOn: boolean): Promise<void>;
  /** Puts an image on a material by hand. */
  wear(place: Place, slot: string, image: File): Promise<void>;
  /** Hangs a model of the library on a bone; null: nothing hangs there any more. */
  hang(bone: Object3D, entry: LibraryEntry | null): Promise<void>;
  /** A model of the library stands beside the one on the stage, or no longer. */
  standBeside(entry: LibraryEntry, isBeside: boolean): Promise<void>;
  /** Another recording of the library stands beside the one that plays; null: none does. */
  compareTake(entry: LibraryEntry | null): Promise<void>;
  /** The dialogs in which files are chosen. */
  readonly picking: Picking;
  undo(): void;
  /** Everything from where it came, as it is now. */
  reload(): void;
  /** Unreal's root is read like other bones, or as Unreal has it. */
  readRoot(isRootPlain: boolean): void;
  close(): void;
  /** Puts a motion on the model, −1 the rest pose. */
  select(row: number, play?: boolean): void;
  selectNext(step: number): void;
  /** The motion that was carried over from another model plays as it is: it moves what it finds by name. */
  playAsIs(): void;
  /** The additive motion that plays goes on top of the one that it was most likely made for. */
  playOnBase(): Promise<void>;
  read(reading: AnimationMode): void;
  /** A body without a motion stands and breathes. */
  setIdle(on: boolean): Promise<void>;
  lockRoot(isLocked: boolean): void;
  openDemo(id?: string): Promise<void>;
  /** Makes files of what is shown, as a GLB where nothing else is wished, and offers them with what they lose. */
  save(): Promise<void>;
  /** Asks how a picture or a film shall be, and saves it. */
  picture(): Promise<void>;
  /** Addresses that what is shown was fetched from; empty where it came from this device. */
  readonly addresses: ReadonlySignal<readonly string[]>;
  /** The address of this page with all that is open, where all of it came from addresses. */
  copyLink(): Promise<void>;
  /** A frame for other pages that shows the same, as text for their markup. */
  copyEmbed(): Promise<void>;
  /** What plays and what it is compared with change places; the time stays. */
  swapCompared(): void;
  toggleTheme(): void;
  /** In the next of the languages that it speaks. */
  speakNext(): void;
  showHelp(): void;
  lookAtByte(file: RigFile, offset: number): void;
  /** Asks before it opens an address that a file names. */
  askLink(address: string): void;
  /** Does what a key or a button of that command does. */
  run(id: Command['id']): void;
}

export interface Press {
  /** As KeyboardEvent has it, in lower case. */
  key: string;
  isShift: boolean;
}

export interface Command {
  id: keyof Words['commands'];
  keys: readonly string[];
  /** Where its button stands; without one it has none of its own. */
  place?: 'tools' | 'header' | 'files' | 'transport' | 'extras' | 'view';
  icon?: IconName | ((page: Page) => IconName);
  /** Whether it can be done now. */
  when?: (page: Page) => boolean;
  /** Whether it is on, for those that are switches. */
  isOn?: (page: Page) => boolean;
  /** Its title, where that changes with what it does next. */
  title?: (page: Page) => string;
  /** More of its title, as things stand. */
  detail?: (page: Page) => string;
  run: (page: Page, press: Press) => void;
}
