// Table of all commands. Toolbar, header, keyboard shortcuts and help are built from this table.
import { modelsIn } from '../session/library.ts';
import { hasNoSurface } from '../session/model.ts';
import { isEditable } from '../session/animationEdits.ts';
import { isLooped } from '../session/animationRows.ts';
import type { LoopMode } from '../session/viewSettings.ts';
import { canReload } from '../session/session.ts';
import { isImage } from '../textures/sources.ts';
import type { ImmersiveMode } from '../view/immersiveSupport.ts';
import { VIEW_MODES, type ViewMode } from '../view/index.ts';

import { nextLanguage } from './language.ts';
import { jointsOf, socketsOf } from './overlays.ts';
import type { Command, Page, KeyPress } from './page.ts';
import { endAfter, startBefore, trimToRange } from './playbackRange.ts';
import { languages, words } from './words/index.ts';

export const button: KeyPress = { key: '', isShift: false };

/** Returns true if the model has bones but no meshes. The bones of such a model can't be hidden. */
const isBonesOnly = ({ shownModel }: Page): boolean =>
  shownModel.value !== null && shownModel.value.bones.length > 0 && hasNoSurface(shownModel.value);

const hasModel = ({ shownModel }: Page): boolean => shownModel.value !== null;
const hasJoints = ({ shownModel, viewport }: Page): boolean =>
  shownModel.value !== null && jointsOf(shownModel.value, viewport.recording).length > 0;
/** Returns true if images were opened together with the model. */
const hasImages = ({ shownModel, session }: Page): boolean =>
  shownModel.value !== null && session.value.companionFiles.list().some(({ file }) => isImage(file.name));
const supports =
  (mode: ImmersiveMode) =>
  ({ viewport }: Page): boolean =>
    viewport.immersive.modes.value.includes(mode);
const hasBones = ({ shownModel }: Page): boolean => (shownModel.value?.bones.length ?? 0) > 0;

const isMeasuring = ({ viewport }: Page): boolean => viewport.measure.value?.isOn.value ?? false;
const isFlying = ({ viewport }: Page): boolean => viewport.fly.value?.isOn.value ?? false;

const toggle =
  (key: 'bounds' | 'rigging' | 'isOrthographic' | 'boneNames' | 'axes' | 'sockets') =>
  ({ session, dispatch }: Page): void =>
    dispatch({ type: 'set-view', settings: { [key]: !session.value.viewSettings[key] } });

/** Shows the next layer of vertex colours. After the last layer, returns to the lit mode. */
function nextColors({ session, viewport, dispatch }: Page): void {
  const { layer, layers } = viewport.appearance.colors.value;
  const isShown = session.value.viewSettings.mode === 'colors';
  if (isShown && layer + 1 < layers) viewport.appearance.showColorLayer(layer + 1);
  else dispatch({ type: 'set-view', settings: { mode: isShown ? 'lit' : 'colors' } });
}

const hasDuration = ({ played }: Page): boolean => (played.value?.duration ?? 0) > 0;

const NEXT_LOOP: Record<LoopMode, LoopMode> = { on: 'once', once: 'file', file: 'on' };
const isLooping = ({ session, played, recorded }: Page): boolean => isLooped(session.value.loopMode, played.value, recorded.value !== null);

/** All commands, in the order of the help dialog. */
export const commands: readonly Command[] = [
  {
    id: 'stepBack',
    group: 'playback',
    keys: ['arrowleft', ','],
    place: 'transport',
    icon: 'back',
    when: hasDuration,
    run: ({ playback }, { isShift }) => playback.step(isShift ? -10 : -1),
  },
  {
    id: 'play',
    group: 'playback',
    keys: [' '],
    place: 'transport',
    icon: ({ isPlaying }) => (isPlaying.value ? 'pause' : 'play'),
    when: hasDuration,
    title: ({ isPlaying }) => (isPlaying.value ? words.pause : words.commands.play.title),
    run: ({ playback }) => playback.toggle(),
  },
  {
    id: 'stepOn',
    group: 'playback',
    keys: ['arrowright', '.'],
    place: 'transport',
    icon: 'forward',
    when: hasDuration,
    run: ({ playback }, { isShift }) => playback.step(isShift ? 10 : 1),
  },
  {
    id: 'toStart',
    group: 'playback',
    keys: ['home'],
    when: hasDuration,
    run: ({ playback }) => playback.seek(playback.range?.from ?? playback.start),
  },
  {
    id: 'toEnd',
    group: 'playback',
    keys: ['end'],
    when: hasDuration,
    run: ({ playback }) => playback.seek(playback.range?.to ?? playback.duration),
  },
  {
    id: 'rangeFrom',
    group: 'playback',
    keys: ['['],
    place: 'extras',
    icon: 'from',
    when: hasDuration,
    isOn: ({ range }) => range.value !== null,
    run: ({ playback }) => (playback.range = { from: playback.time, to: endAfter(playback) }),
  },
  {
    id: 'rangeTo',
    group: 'playback',
    keys: [']'],
    place: 'extras',
    icon: 'to',
    when: hasDuration,
    isOn: ({ range }) => range.value !== null,
    run: ({ playback }) => (playback.range = { from: startBefore(playback), to: playback.time }),
  },
  { id: 'swap', group: 'playback', keys: ['a'], when: ({ session }) => session.value.ghost !== null, run: page => page.swapCompared() },
  {
    id: 'rangeAll',
    group: 'playback',
    keys: ['\\'],
    when: ({ range }) => range.value !== null,
    run: ({ playback }) => (playback.range = null),
  },
  {
    id: 'trim',
    group: 'playback',
    keys: [],
    when: ({ range, recorded, rows, session }) =>
      range.value !== null && recorded.value === null && isEditable(rows.value[session.value.selected]),
    run: trimToRange,
  },
  { id: 'resetEdits', group: 'playback', keys: [], when: ({ isEdited }) => isEdited.value, run: page => void page.editSelected({}) },
  {
    id: 'unit',
    group: 'playback',
    keys: ['u'],
    when: ({ played }) => (played.value?.frameRate ?? 0) > 0,
    isOn: ({ session }) => session.value.viewSettings.timeUnit === 'seconds',
    run: ({ session, dispatch }) =>
      dispatch({ type: 'set-view', settings: { timeUnit: session.value.viewSettings.timeUnit === 'frames' ? 'seconds' : 'frames' } }),
  },
  { id: 'next', group: 'playback', keys: ['arrowup', 'arrowdown'], run: (page, { key }) => page.selectNext(key === 'arrowup' ? -1 : 1) },
  {
    id: 'model',
    group: 'files',
    keys: ['n', 'p'],
    when: ({ session }) => modelsIn(session.value.library).length > 1,
    run: (page, { key }) => page.showNext(key === 'p' ? -1 : 1),
  },
  {
    id: 'library',
    group: 'files',
    keys: ['h'],
    place: 'header',
    icon: 'tiles',
    when: ({ session }) => modelsIn(session.value.library).length > 1,
    isOn: ({ isLibraryOpen }) => isLibraryOpen.value,
    run: ({ isLibraryOpen }) => (isLibraryOpen.value = !isLibraryOpen.value),
  },
  {
    id: 'undo',
    group: 'files',
    keys: ['ctrl+z'],
    place: 'files',
    when: ({ history }) => history.value.length > 0,
    run: page => page.undo(),
  },
  {
    id: 'reload',
    group: 'files',
    keys: ['d'],
    place: 'files',
    when: ({ session }) => canReload(session.value),
    run: page => page.reload(),
  },
  { id: 'watch', group: 'files', keys: [], place: 'files', isOn: ({ isWatching }) => isWatching.value, run: page => page.toggleWatch() },
  {
    id: 'close',
    group: 'files',
    keys: [],
    place: 'files',
    when: ({ session }) => session.value.library.length > 0,
    run: page => page.close(),
  },
  { id: 'reset', group: 'camera', keys: ['r'], place: 'tools', icon: 'reset', run: ({ viewport }) => viewport.cameraView.reset() },
  {
    id: 'bones',
    group: 'look',
    keys: ['b'],
    place: 'tools',
    icon: 'bones',
    when: page => hasBones(page) && !isBonesOnly(page),
    isOn: page => page.session.value.viewSettings.bones || isBonesOnly(page),
    run: ({ session, dispatch }) => dispatch({ type: 'set-view', settings: { bones: !session.value.viewSettings.bones } }),
  },
  {
    id: 'wire',
    group: 'look',
    keys: ['w'],
    place: 'tools',
    icon: 'wire',
    when: ({ recorded }) => recorded.value === null,
    isOn: ({ session }) => session.value.viewSettings.wireframe,
    run: ({ session, dispatch }) => dispatch({ type: 'set-view', settings: { wireframe: !session.value.viewSettings.wireframe } }),
  },
  {
    id: 'colors',
    group: 'look',
    keys: ['c'],
    place: 'tools',
    icon: 'colors',
    when: ({ viewport }) => viewport.appearance.colors.value.layers > 0,
    isOn: ({ session }) => session.value.viewSettings.mode === 'colors',
    detail: ({ viewport, session }) => {
      const { layer, layers } = viewport.appearance.colors.value;
      return session.value.viewSettings.mode === 'colors' && layers > 1 ? words.colorLayer(layer + 1, layers) : '';
    },
    run: nextColors,
  },
  {
    id: 'mode',
    group: 'look',
    keys: ['m'],
    detail: ({ session }) => `: ${words.shadingModes[session.value.viewSettings.mode as ViewMode]}`,
    run: ({ session, viewport, dispatch }) => {
      const offered = VIEW_MODES.filter(mode => mode !== 'colors' || viewport.appearance.colors.value.layers > 0);
      const at = offered.indexOf(session.value.viewSettings.mode as ViewMode);
      dispatch({ type: 'set-view', settings: { mode: offered[(at + 1) % offered.length]! } });
    },
  },
  {
    id: 'bounds',
    group: 'look',
    keys: ['x'],
    when: hasModel,
    isOn: ({ session }) => session.value.viewSettings.bounds,
    run: toggle('bounds'),
  },
  {
    id: 'rigging',
    group: 'look',
    keys: ['i'],
    when: ({ shownModel }) => Boolean(shownModel.value?.rig.rigging),
    isOn: ({ session }) => session.value.viewSettings.rigging,
    run: toggle('rigging'),
  },
  {
    id: 'names',
    group: 'look',
    keys: [],
    when: hasJoints,
    isOn: ({ session }) => session.value.viewSettings.boneNames,
    run: toggle('boneNames'),
  },
  { id: 'axes', group: 'look', keys: [], when: hasJoints, isOn: ({ session }) => session.value.viewSettings.axes, run: toggle('axes') },
  {
    id: 'sockets',
    group: 'look',
    keys: [],
    when: ({ shownModel }) => shownModel.value !== null && socketsOf(shownModel.value).length > 0,
    isOn: ({ session }) => session.value.viewSettings.sockets,
    run: toggle('sockets'),
  },
  {
    id: 'front',
    group: 'camera',
    keys: ['1'],
    place: 'view',
    when: hasModel,
    run: ({ viewport }) => viewport.cameraView.lookFrom('front'),
  },
  {
    id: 'right',
    group: 'camera',
    keys: ['3'],
    place: 'view',
    when: hasModel,
    run: ({ viewport }) => viewport.cameraView.lookFrom('right'),
  },
  { id: 'top', group: 'camera', keys: ['7'], place: 'view', when: hasModel, run: ({ viewport }) => viewport.cameraView.lookFrom('top') },
  {
    id: 'opposite',
    group: 'camera',
    keys: ['9'],
    place: 'view',
    when: hasModel,
    run: ({ viewport }) => viewport.cameraView.lookFrom('opposite'),
  },
  {
    id: 'focus',
    group: 'camera',
    keys: ['f'],
    place: 'view',
    when: hasModel,
    run: ({ viewport }) => viewport.cameraView.focus(viewport.overlays.bone.value),
  },
  {
    id: 'fly',
    group: 'camera',
    keys: ['z'],
    place: 'view',
    when: hasModel,
    isOn: isFlying,
    run: page => void import('./flyMode.ts').then(({ toggleFly }) => toggleFly(page)),
  },
  {
    id: 'bookmark',
    group: 'camera',
    keys: Array.from({ length: 9 }, (_, at) => `shift+${at + 1}`),
    when: page => hasModel(page) && (page.bookmarks.value?.of(page.shownModel.value!.input) ?? []).length > 0,
    run: (page, { key }) => page.showView(key ? Number(key.at(-1)) - 1 : 0),
  },
  {
    id: 'flat',
    group: 'camera',
    keys: ['5'],
    when: hasModel,
    isOn: ({ session }) => session.value.viewSettings.isOrthographic,
    run: toggle('isOrthographic'),
  },
  {
    id: 'trail',
    group: 'look',
    keys: ['y'],
    when: ({ viewport, played }) => viewport.overlays.bone.value !== null && played.value !== null,
    isOn: ({ viewport }) => viewport.overlays.hasTrail.value,
    run: ({ viewport: { overlays, action }, shownModel }) =>
      overlays.showTrail(!overlays.hasTrail.value && action && shownModel.value ? action.createBoneSampler(shownModel.value) : null),
  },
  {
    id: 'grid',
    group: 'look',
    keys: ['g'],
    place: 'tools',
    icon: 'grid',
    isOn: ({ session }) => session.value.viewSettings.grid,
    run: ({ session, dispatch }) => dispatch({ type: 'set-view', settings: { grid: !session.value.viewSettings.grid } }),
  },
  {
    id: 'drawer',
    group: 'playback',
    keys: ['q'],
    place: 'extras',
    icon: 'keys',
    isOn: ({ isDrawerOpen }) => isDrawerOpen.value,
    run: ({ isDrawerOpen }) => (isDrawerOpen.value = !isDrawerOpen.value),
  },
  {
    id: 'boneMap',
    group: 'playback',
    keys: [],
    when: ({ rows, session }) => rows.value[session.value.selected]?.source.retargeted !== undefined,
    run: ({ isDrawerOpen, drawerView }) => {
      drawerView.value = 'bones';
      isDrawerOpen.value = true;
    },
  },
  {
    id: 'loop',
    group: 'playback',
    keys: ['l'],
    place: 'extras',
    icon: page => (isLooping(page) ? 'loop' : 'once'),
    isOn: isLooping,
    detail: page => words.loops(isLooping(page), page.session.value.loopMode === 'file'),
    run: ({ session, dispatch }) => dispatch({ type: 'set-loop-mode', loopMode: NEXT_LOOP[session.value.loopMode] }),
  },
  {
    id: 'lock',
    group: 'playback',
    keys: ['k'],
    place: 'extras',
    icon: 'lock',
    when: ({ rows, recorded }) => rows.value.length > 0 && recorded.value === null,
    isOn: ({ session }) => session.value.isRootLocked,
    run: page => page.lockRoot(!page.session.value.isRootLocked),
  },
  {
    id: 'trails',
    group: 'look',
    keys: ['t'],
    when: ({ recorded }) => recorded.value !== null,
    run: ({ session, dispatch }) => dispatch({ type: 'set-view', settings: { trails: !session.value.viewSettings.trails } }),
  },
  {
    id: 'measure',
    group: 'look',
    keys: ['j'],
    when: hasModel,
    isOn: isMeasuring,
    run: page => void import('./measuring.ts').then(({ toggleMeasure }) => toggleMeasure(page)),
  },
  {
    id: 'vr',
    group: 'camera',
    keys: [],
    place: 'tools',
    icon: 'vr',
    isSupported: supports('vr'),
    when: hasModel,
    isOn: ({ viewport }) => viewport.immersive.shown.value === 'vr',
    run: ({ viewport }) => void viewport.immersive.toggle('vr'),
  },
  {
    id: 'ar',
    group: 'camera',
    keys: [],
    place: 'tools',
    icon: 'ar',
    isSupported: supports('ar'),
    when: hasModel,
    isOn: ({ viewport }) => viewport.immersive.shown.value === 'ar',
    run: ({ viewport }) => void viewport.immersive.toggle('ar'),
  },
  {
    id: 'camera',
    group: 'camera',
    keys: ['v'],
    run: ({ viewport }) => viewport.cameraView.lookThrough(!viewport.cameraView.isThroughCamera.value),
  },
  {
    id: 'leave',
    group: 'camera',
    keys: ['escape'],
    when: page => page.viewport.cameraView.isThroughCamera.value || isMeasuring(page) || isFlying(page),
    run: page => {
      const { fly, measure, cameraView } = page.viewport;
      if (isFlying(page)) fly.value!.isOn.value = false;
      else if (cameraView.isThroughCamera.value) cameraView.lookThrough(false);
      else measure.value!.isOn.value = false;
    },
  },
  { id: 'open', group: 'files', keys: ['o'], place: 'header', icon: 'file', run: page => page.filePicker.pick('files') },
  { id: 'folder', group: 'files', keys: [], place: 'header', icon: 'folder', run: page => page.filePicker.pick('folder') },
  {
    id: 'save',
    group: 'files',
    keys: ['s'],
    place: 'header',
    icon: 'save',
    when: ({ shownModel }) => shownModel.value !== null,
    run: page => void page.save(),
  },
  { id: 'match', group: 'files', keys: [], when: hasImages, run: page => void page.matchImages() },
  { id: 'picture', group: 'files', keys: ['e'], place: 'header', icon: 'camera', when: hasModel, run: page => void page.picture() },
  { id: 'share', group: 'files', keys: [], place: 'header', icon: 'share', when: hasModel, run: page => void page.share() },
  {
    id: 'theme',
    group: 'page',
    keys: [],
    place: 'header',
    icon: ({ theme }) => (theme.value === 'dark' ? 'sun' : 'moon'),
    title: ({ theme }) => (theme.value === 'dark' ? words.lightTheme : words.darkTheme),
    run: page => page.toggleTheme(),
  },
  {
    id: 'language',
    group: 'page',
    keys: [],
    place: 'header',
    icon: 'language',
    detail: () => `: ${languages[nextLanguage()]}`,
    run: page => page.switchLanguage(),
  },
  {
    id: 'webgpu',
    group: 'page',
    keys: [],
    isSupported: () => 'gpu' in navigator,
    isOn: ({ viewport }) => viewport.sharedRenderer.isWebGPU,
    run: page => page.switchRenderer(),
  },
  { id: 'help', group: 'page', keys: ['?'], place: 'header', icon: 'help', run: page => void page.showHelp() },
];

/** Returns the displayed name of a key. On Apple devices, ⌘ replaces Ctrl. */
export function keyName(key: string): string {
  if (key.startsWith('ctrl+') && /Mac|iP(hone|ad|od)/.test(navigator.platform)) return `⌘${key.slice(5).toUpperCase()}`;
  if (key.startsWith('shift+')) return words.shiftAnd(key.slice(6));
  return words.keyNames[key] ?? key.toUpperCase();
}

/** Returns the title of a command with its keys, for example "Next frame (→, .)". */
export function titleOf({ id, keys, title, detail }: Command, page: Page): string {
  const names = keys.map(keyName).join(', ');
  return `${nameOf({ id, title, detail }, page)}${names && ` (${names})`}`;
}

/** Returns the title of a command without its keys. */
export const nameOf = ({ id, title, detail }: Pick<Command, 'id' | 'title' | 'detail'>, page: Page): string =>
  `${title?.(page) ?? words.commands[id].title}${detail?.(page) ?? ''}`;

/** Returns true if the device supports a command and it can run now. */
export const isAvailable = (page: Page, { isSupported, when }: Command): boolean => (isSupported?.(page) ?? true) && (when?.(page) ?? true);

/** Runs a command if it is available. */
export function runCommand(page: Page, command: Command, press: KeyPress = button): void {
  if (isAvailable(page, command)) command.run(page, press);
}
