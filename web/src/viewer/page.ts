// Interface of the page for commands and panels. `Viewer` implements it; the interface keeps commands
// and panels independent of `viewer.ts`, which imports them.
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
import type { SecondaryModel, AttachedModel } from './entries.ts';
import type { ComparedRecording } from './recording/comparedRecording.ts';
import type { RecordingFacts } from './recording/panel.ts';
import type { ReportSection } from './panels/report.ts';
import type { SceneFacts } from './panels/scene.ts';
import type { FilePicker } from './filePicker.ts';
import type { Viewport } from './viewport.ts';
import type { MaterialRef } from './textureOverrides.ts';
import type { Words } from './words/index.ts';

/** Identifies a side panel. */
export type PanelId = keyof Words['panels'];

export interface Page {
  readonly root: HTMLElement;
  readonly playback: Playback;
  readonly viewport: Viewport;
  readonly session: ReadonlySignal<Session>;
  /** The shown model, which belongs to `shown` of the session. */
  readonly shownModel: ReadonlySignal<Model | null>;
  readonly played: ReadonlySignal<LayeredAction | null>;
  readonly rows: ReadonlySignal<readonly AnimationRow[]>;
  readonly advice: ReadonlySignal<readonly Advice[]>;
  readonly recorded: ReadonlySignal<RecordingFacts | null>;
  readonly scene: ReadonlySignal<SceneFacts | null>;
  /** Files with their findings, for the report panel. */
  readonly sections: ReadonlySignal<readonly ReportSection[]>;
  /** Animation events and hand tracking over the current animation; null if there are none. */
  readonly events: ReadonlySignal<RecordingFacts | null>;
  readonly isPlaying: ReadonlySignal<boolean>;
  /** Part of the animation that is played; null for all of it. */
  readonly range: ReadonlySignal<Range | null>;
  /** True if the top layer is additive; false if it is blended with the animation below. */
  readonly isTopAdditive: ReadonlySignal<boolean>;
  /** Incremented whenever the pose or a morph target has changed. */
  readonly poseVersion: Signal<number>;
  /**
   * Returns the row that is `step` rows after the selected one in the list of animations, or null.
   */
  neighbour: (step: number) => number | null;
  /** Explanations by finding code; empty until the table is loaded. */
  readonly meanings: ReadonlySignal<ReadonlyMap<string, string>>;
  readonly theme: ReadonlySignal<'light' | 'dark'>;
  /** The selected side panel. Another one is shown if it is not available. */
  readonly tab: Signal<PanelId>;
  /** Models attached to bones of the shown model. */
  readonly attached: ReadonlySignal<readonly AttachedModel[]>;
  /** All secondary models: attached ones and those beside the shown model. */
  readonly secondaryModels: ReadonlySignal<readonly SecondaryModel[]>;
  /** Recording that is compared with the current one; null if there is none. */
  readonly other: ReadonlySignal<ComparedRecording | null>;
  /** Byte of an open file that the inspector should show. */
  readonly byteSelection: ReadonlySignal<{ file: RigFile; offset: number } | null>;
  /** The last error, until the visitor closes its card. */
  readonly refusal: Signal<Refusal | null>;
  /** True while the welcome card is open. */
  readonly isWelcome: Signal<boolean>;
  /** Reason why the first demo could not be loaded; '' if there is none. */
  readonly demoError: ReadonlySignal<string>;
  /** Loads the new release of the page; null if there is none. */
  readonly release: Signal<(() => void) | null>;
  /** True while the WebGL context is lost. */
  readonly isLost: ReadonlySignal<boolean>;
  /** Text for screen readers. */
  readonly announcement: ReadonlySignal<{ text: string }>;

  /** URLs of thumbnails of models. */
  readonly pictures: ReadonlySignal<ReadonlyMap<InputFile, string>>;
  /**
   * Continues to draw thumbnails. Call this when the list of files becomes visible or is scrolled.
   */
  resumeThumbnails(): void;
  readonly history: ReadonlySignal<readonly Session[]>;

  dispatch(action: Action): void;
  /** Shows another model of the library, or adds an animation file of it. */
  showEntry(entry: LibraryEntry): void;
  showNext(step: number): void;
  /** Shows or hides parts of the current character. */
  switchParts(parts: readonly LibraryEntry[], isOn: boolean): Promise<void>;
  /** Assigns an image to a slot of a material. */
  assignTexture(place: MaterialRef, slot: string, image: File): Promise<void>;
  /** Attaches a model of the library to a bone; null removes the attached one. */
  attach(bone: Object3D, entry: LibraryEntry | null): Promise<void>;
  /** Shows or hides a model of the library beside the current one. */
  showBeside(entry: LibraryEntry, isBeside: boolean): Promise<void>;
  /** Compares the current recording with another one of the library; null ends the comparison. */
  compareRecording(entry: LibraryEntry | null): Promise<void>;
  /** File and folder dialogs. */
  readonly filePicker: FilePicker;
  undo(): void;
  /** Reads all files again from their origin. */
  reload(): void;
  /** Reads the root bone of Unreal files like other bones, or as Unreal does. */
  readRoot(isRootConjugated: boolean): void;
  close(): void;
  /** Plays an animation by its row; −1 shows the bind pose. */
  select(row: number, play?: boolean): void;
  selectNext(step: number): void;
  /**
   * Plays the current animation without retargeting: its tracks move the nodes with the same names.
   */
  playUnretargeted(): void;
  /** Plays the current additive animation on top of the most likely base animation. */
  playOnBase(): Promise<void>;
  /** Sets how animations are interpreted. Reads files again if that is necessary. */
  setAnimationMode(mode: AnimationMode): void;
  /** Turns the idle animation on or off. It plays while no animation is selected. */
  setIdle(on: boolean): Promise<void>;
  lockRoot(isLocked: boolean): void;
  openDemo(id?: string): Promise<void>;
  /** Converts the current content and opens the save dialog. The default format is GLB. */
  save(): Promise<void>;
  /** Opens the dialog for pictures and videos. */
  picture(): Promise<void>;
  /** URLs of the open files; empty if any file came from this device. */
  readonly addresses: ReadonlySignal<readonly string[]>;
  /** Copies the URL that opens the same content in this page. Requires `addresses`. */
  copyLink(): Promise<void>;
  /** Copies the HTML of an iframe that shows the same content. Requires `addresses`. */
  copyEmbed(): Promise<void>;
  /** Exchanges the current animation with the one it is compared with and keeps the time. */
  swapCompared(): void;
  toggleTheme(): void;
  /** Switches to the next language. */
  switchLanguage(): void;
  showHelp(): void;
  showByte(file: RigFile, offset: number): void;
  /** Asks before opening a URL from a file. */
  askLink(address: string): void;
  /** Runs a command. */
  run(id: Command['id']): void;
}

export interface KeyPress {
  /** `key` of the KeyboardEvent, in lower case. */
  key: string;
  isShift: boolean;
}

export interface Command {
  id: keyof Words['commands'];
  keys: readonly string[];
  /** Group of the command's button; undefined if it has no button. */
  place?: 'tools' | 'header' | 'files' | 'transport' | 'extras' | 'view';
  icon?: IconName | ((page: Page) => IconName);
  /** Returns true if the command is available. Commands without `when` always are. */
  when?: (page: Page) => boolean;
  /** Returns the state of a command that switches something on and off. */
  isOn?: (page: Page) => boolean;
  /** Returns the title, if it depends on the state of the page. */
  title?: (page: Page) => string;
  /** Returns a text that is appended to the title. */
  detail?: (page: Page) => string;
  run: (page: Page, press: KeyPress) => void;
}
