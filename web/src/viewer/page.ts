// Interface of the page for commands and panels, implemented by `Viewer`. It avoids circular
// imports, because `viewer.ts` imports commands and panels.
import type { ReadonlySignal, Signal } from '@preact/signals-core';
import type { Object3D } from 'three';
import type { RigFile } from '../core/open.ts';
import type { BoneMap } from '../rig/boneMap.ts';
import type { ClipEdits } from '../rig/clipEdits.ts';
import type { Advice } from '../session/advice.ts';
import type { ImageAssignment } from '../session/imageAssignments.ts';
import type { InputFile } from '../session/inputFile.ts';
import type { LibraryEntry } from '../session/library.ts';
import type { Model } from '../session/model.ts';
import type { LayeredAction, AnimationMode } from '../session/layeredAction.ts';
import type { OpeningContext } from '../session/openResult.ts';
import type { Refusal } from '../session/problem.ts';
import type { AnimationRow } from '../session/openedFile.ts';
import type { Session } from '../session/session.ts';
import type { Action } from '../session/reduce.ts';
import type { Playback, Range } from '../view/index.ts';
import type { IconName } from './dom.ts';
import type { Bookmarks } from './bookmarks.ts';
import type { SecondaryModel, AttachedModel } from './entries.ts';
import type { ComparedRecording } from './recording/comparedRecording.ts';
import type { RecordingFacts } from './recording/panel.ts';
import type { ReportSection } from './panels/report.ts';
import type { SaveChoice } from './saveChoice.ts';
import type { SceneFacts } from './sceneFacts.ts';
import type { FilePicker } from './filePicker.ts';
import type { PanelLayout, SectionId } from './panelLayout.ts';
import type { Viewport } from './viewport.ts';
import type { NamedMaterialValues } from '../textures/materialValues.ts';
import type { MaterialRef } from './textureOverrides.ts';
import type { Words } from './words/index.ts';

/** Identifies a side panel. */
export type PanelId = keyof Words['panels'];

/**
 * Content of the drawer: keys (dope sheet), curves, layers, the bone map of a retargeted animation,
 * plots of recorded hands, edits and checks of the animation, or the visitor's markers.
 */
export type DrawerView = keyof Words['drawer']['views'];

/** Provides contexts for files that are read without the progress card. */
export interface BackgroundLoads {
  inBackground(signal: AbortSignal): OpeningContext;
}

export interface Page {
  readonly root: HTMLElement;
  readonly playback: Playback;
  readonly viewport: Viewport;
  readonly session: ReadonlySignal<Session>;
  /** The shown model. Its data in the session is `session.shown`. */
  readonly shownModel: ReadonlySignal<Model | null>;
  readonly played: ReadonlySignal<LayeredAction | null>;
  readonly rows: ReadonlySignal<readonly AnimationRow[]>;
  /** True if the visitor has edited the selected animation. */
  readonly isEdited: ReadonlySignal<boolean>;
  readonly advice: ReadonlySignal<readonly Advice[]>;
  readonly recorded: ReadonlySignal<RecordingFacts | null>;
  readonly scene: ReadonlySignal<SceneFacts | null>;
  /** Sections of the report panel, one per file. */
  readonly sections: ReadonlySignal<readonly ReportSection[]>;
  /** Animation events and hand tracking of the current animation; null if there are none. */
  readonly events: ReadonlySignal<RecordingFacts | null>;
  readonly isPlaying: ReadonlySignal<boolean>;
  /** Playback range; null if the whole animation is played. */
  readonly range: ReadonlySignal<Range | null>;
  /** True if the top layer is added to the animation below it; false if the two are blended. */
  readonly isTopAdditive: ReadonlySignal<boolean>;
  /** Incremented when the pose or the weight of a morph target has changed. */
  readonly poseVersion: Signal<number>;
  /**
   * Returns the row of the animation that is `step` rows after the selected one in the list; null
   * if there is none.
   */
  neighbour: (step: number) => number | null;
  /** Explanations of findings, by finding code. Empty until they are loaded. */
  readonly meanings: ReadonlySignal<ReadonlyMap<string, string>>;
  readonly theme: ReadonlySignal<'light' | 'dark'>;
  /** The side panel that the visitor has selected. */
  readonly tab: Signal<PanelId>;
  /** Size of the side panels, and which sections are expanded. */
  readonly layout: PanelLayout;
  /** True while the drawer below the viewport is open. */
  readonly isDrawerOpen: Signal<boolean>;
  readonly drawerView: Signal<DrawerView>;
  readonly loads: BackgroundLoads;
  /** True while the library covers the viewport. */
  readonly isLibraryOpen: Signal<boolean>;
  /** Models attached to bones of the shown model. */
  readonly attached: ReadonlySignal<readonly AttachedModel[]>;
  /** All secondary models: those attached to bones and those beside the shown model. */
  readonly secondaryModels: ReadonlySignal<readonly SecondaryModel[]>;
  /** Recording that is compared with the current recording; null if there is none. */
  readonly other: ReadonlySignal<ComparedRecording | null>;
  /** Byte of an open file that the inspector shows; null for none. */
  readonly byteSelection: ReadonlySignal<{ file: RigFile; offset: number } | null>;
  /** The last error; null after the visitor has closed the error card. */
  readonly refusal: Signal<Refusal | null>;
  /** True while the welcome card is open. */
  readonly isWelcome: Signal<boolean>;
  /** Reason why the first demo could not be loaded; '' if it was loaded. */
  readonly demoError: ReadonlySignal<string>;
  /** Function that loads a new release of the page; null if there is no new release. */
  readonly release: Signal<(() => void) | null>;
  /** True while the WebGL context is lost. */
  readonly isLost: ReadonlySignal<boolean>;
  /** Text that screen readers announce. */
  readonly announcement: ReadonlySignal<{ text: string }>;

  /** Object URLs of the thumbnails of models; '' if a thumbnail could not be drawn. */
  readonly pictures: ReadonlySignal<ReadonlyMap<InputFile, string>>;
  /** Number of textures of each model that has a thumbnail. */
  readonly textureCounts: ReadonlySignal<ReadonlyMap<InputFile, number>>;
  /** Continues to draw thumbnails. Call this when the list of files becomes visible or scrolls. */
  resumeThumbnails(): void;
  readonly history: ReadonlySignal<readonly Session[]>;

  dispatch(action: Action): void;
  /** Calls `use` when the keys of an animation are read. Reads them first if its file is read in parts. */
  withKeys(row: AnimationRow | null, use: () => void): void;
  /**
   * Shows another model of the library, or adds an animation file of the library to the shown
   * model.
   */
  showEntry(entry: LibraryEntry): void;
  showNext(step: number): void;
  /** Shows or hides parts of the current character. */
  switchParts(parts: readonly LibraryEntry[], isOn: boolean): Promise<void>;
  /** Assigns an image to a slot of a material. */
  assignTexture(place: MaterialRef, slot: string, image: File): Promise<void>;
  /** Assigns an image of the opened files to a material by its name. */
  assignImage(assignment: ImageAssignment, image: File): Promise<void>;
  /** Replaces all assigned images and builds the shown model again. */
  setAssignments(imageAssignments: readonly ImageAssignment[]): Promise<void>;
  /** Sets the values of all materials of a model, as one step of the undo history. `path`: path of the model's file. */
  setMaterialValues(path: string, values: readonly NamedMaterialValues[]): void;
  /** Draws values of materials without storing them. */
  previewMaterialValues(path: string, values: readonly NamedMaterialValues[]): void;
  /** Opens the dialog that assigns images to materials. */
  matchImages(): Promise<void>;
  /**
   * Attaches a model of the library to a bone. `entry`: the model; null to remove the attached
   * model.
   */
  attach(bone: Object3D, entry: LibraryEntry | null): Promise<void>;
  /** Shows or hides a model of the library beside the shown model. */
  showBeside(entry: LibraryEntry, isBeside: boolean): Promise<void>;
  /**
   * Compares the current recording with another recording of the library. `entry`: the other
   * recording; null to end the comparison.
   */
  compareRecording(entry: LibraryEntry | null): Promise<void>;
  /** File and folder dialogs. */
  readonly filePicker: FilePicker;
  undo(): void;
  /** Reads all files again from their folder or URL. */
  reload(): void;
  /** Sets the convention for the root bone of Unreal files and reads all files again. */
  readRoot(isRootConjugated: boolean): void;
  close(): void;
  /** Plays the animation of a row in the list; row −1 shows the bind pose. */
  select(row: number, play?: boolean): void;
  selectNext(step: number): void;
  /**
   * Plays the current animation without retargeting. Its tracks then animate the nodes with
   * matching names.
   */
  playUnretargeted(): void;
  /**
   * Retargets the current animation by its bone map, even if it plays without retargeting or if the
   * skeletons have too little in common.
   */
  retargetSelected(): Promise<void>;
  /** Replaces the bone map of the current animation, which is retargeted, and keeps playing. */
  setBoneMap(pairs: BoneMap): Promise<void>;
  /** Replaces the edits of the current animation, which keeps playing. */
  editSelected(edits: ClipEdits): Promise<void>;
  /** Uses the edits of the current animation, except its range, for all animations of the model. */
  editAll(): void;
  /** Plays the current additive animation on top of the most likely base animation. */
  playOnBase(): Promise<void>;
  /** Sets how animations are interpreted. Reads files again if necessary. */
  setAnimationMode(mode: AnimationMode): void;
  /**
   * Turns the idle animation on or off. The idle animation plays while no other animation is
   * selected.
   */
  setIdle(on: boolean): Promise<void>;
  lockRoot(isLocked: boolean): void;
  openDemo(id?: string): Promise<void>;
  /** Converts the current content and opens the save dialog. `choice`: initial choice (default: all animations as GLB). */
  save(choice?: Partial<SaveChoice>): Promise<void>;
  /** Opens the dialog for pictures and videos. */
  picture(): Promise<void>;
  /** URLs of the open files; empty if any file was opened from this device. */
  readonly addresses: ReadonlySignal<readonly string[]>;
  /** Opens the dialog with a link and code that show the same files elsewhere. */
  share(): Promise<void>;
  /**
   * Swaps the current animation and the animation that it is compared with. Keeps the playback
   * time.
   */
  swapCompared(): void;
  toggleTheme(): void;
  /** Switches the page to the next language. */
  switchLanguage(): void;
  /** Turns WebGPU on or off. */
  switchRenderer(): void;
  showHelp(): Promise<void>;
  /** Camera views that the visitor has saved; null until their module is loaded, after the first model. */
  readonly bookmarks: ReadonlySignal<Bookmarks | null>;
  /** Saves the view of the camera under a name. */
  saveView(name: string): void;
  /** Moves the camera to a saved view. `at`: index in the list of the shown model. */
  showView(at: number): void;
  /** True while files of the open folder are read again after a change. */
  readonly isWatching: ReadonlySignal<boolean>;
  /** Starts or stops watching the open folder. */
  toggleWatch(): void;
  /** Shows a section of a side panel. */
  showSection(id: SectionId): void;
  showByte(file: RigFile, offset: number): void;
  /** Asks the visitor before opening a URL that comes from a file. */
  askLink(address: string): Promise<void>;
  /** Makes screen readers announce a text. */
  announce(text: string): void;
  /** Runs a command. */
  run(id: Command['id']): void;
}

export interface KeyPress {
  /** Value of `KeyboardEvent.key` that runs the command, in lower case. */
  key: string;
  isShift: boolean;
}

export interface Command {
  id: keyof Words['commands'];
  /** Group in the help dialog. */
  group: keyof Words['commandGroups'];
  keys: readonly string[];
  /** Group that contains the button of the command; undefined if there is no button. */
  place?: 'tools' | 'header' | 'files' | 'transport' | 'extras' | 'view';
  icon?: IconName | ((page: Page) => IconName);
  /** Returns true if the device and the browser support the command. Undefined if all do. */
  isSupported?: (page: Page) => boolean;
  /** Returns true if the command can run in the current state of the page. Undefined if it always can. */
  when?: (page: Page) => boolean;
  /**
   * Returns true if the setting that the command toggles is on. Undefined for commands that toggle
   * nothing.
   */
  isOn?: (page: Page) => boolean;
  /**
   * Returns the title of the command. Undefined if the title does not depend on the state of the
   * page.
   */
  title?: (page: Page) => string;
  /** Returns a text that is appended to the title. */
  detail?: (page: Page) => string;
  run: (page: Page, press: KeyPress) => void;
}
