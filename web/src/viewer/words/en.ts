// All English texts of the viewer. Another language is another file with the same keys; the
// compiler reports missing ones.
import type { PartDoubt } from '../../core/characters.ts';
import type { Advice } from '../../session/advice.ts';
import type { ProgressStep } from '../../session/openResult.ts';
import type { UnopenedFile, Problem } from '../../session/problem.ts';
import type { SkippedEntry } from '../../session/notices.ts';
import { bytes, count } from '../dom.ts';
import { amountText } from '../../convert/common/units.ts';
import type { Target } from '../../convert/targets.ts';

const plural = (value: number, one: string, many = `${one}s`): string => `${count(value)} ${value === 1 ? one : many}`;
/** The first three names. */
const some = (names: readonly string[]): string => names.slice(0, 3).join(', ') + (names.length > 3 ? ' …' : '');

/** Maximum number of characters of an address that are shown. */
const MOST_ADDRESS = 200;

/**
 * A card about a failure: what happened, and what to do. `action` is the label of the button that
 * helps, or ''.
 */
export interface Trouble {
  title: string;
  next: string;
  action: string;
}

type Of<Thing extends { code: string }, Code extends Thing['code']> = Extract<Thing, { code: Code }>;
/** One function per code. It receives the object with that code and returns its text. */
export type Sentences<Thing extends { code: string }, Text> = { [Code in Thing['code']]: (thing: Of<Thing, Code>) => Text };

const trouble = (title: string, next: string, action = ''): Trouble => ({ title, next, action });

const methods: Record<number, string> = { 9: 'Deflate64', 12: 'BZIP2', 14: 'LZMA', 93: 'Zstandard', 95: 'XZ', 98: 'PPMd' };

const reasonLeftOut = ({ why, method }: SkippedEntry): string =>
  ({
    encrypted: 'encrypted',
    method: `compressed with ${methods[method] ?? `method ${method}`}`,
    large: 'needs ZIP64',
    damaged: 'damaged',
  })[why];

/** Skipped files of an archive, each with its reason. */
const leftOut = (entries: readonly SkippedEntry[]): string => some(entries.map(entry => `${entry.name} (${reasonLeftOut(entry)})`));

const unknownFile: Record<string, string> = { EMPTY_FILE: 'is empty', ALL_ZEROS: 'is empty', HTML_PAGE: 'is a web page' };

/** Explains an HTTP status and what to do about it. */
function reasonOf(status: number): string {
  if (status === 404 || status === 410) return 'The file doesn’t exist on the server. Check the address.';
  if (status === 401 || status === 403) return 'The server requires you to sign in. Download the file there, then drop it here.';
  return 'The server refused the request. Try again later, or download the file and drop it here.';
}

/** `meaning` is the sentence of the finding's code, '' if there is none. */
const problems: Sentences<Problem, Trouble> & { damaged: (thing: Of<Problem, 'damaged'>, meaning?: string) => Trouble } = {
  'nothing-given': () => trouble('No files found.', 'Drop a model, or the folder that contains it.'),
  'only-companions': ({ names }) =>
    trouble(
      names.length === 1 ? `${names[0]} isn’t a model or an animation.` : 'None of these files is a model or an animation.',
      names.length === 1
        ? 'If it belongs to a model, drop the model next; this file will be kept.'
        : 'If they belong to a model, drop the model next; these files will be kept.',
    ),
  'needs-file': ({ name, wanted, path }) =>
    trouble(
      `${name} needs another file: “${wanted.slice(0, MOST_ADDRESS)}”.`,
      `Drop that file here too, or choose it. ${
        path === null
          ? 'It was originally in the same folder.'
          : `The model refers to it as “${path.slice(0, MOST_ADDRESS)}”. rigcast doesn’t load files from there.`
      }`,
      'Choose file',
    ),
  'needs-key': ({ name, wanted, isWrong, length }) =>
    trouble(
      isWrong ? `The key doesn’t open ${name}.` : `${name} is encrypted.`,
      `${length ? `A key file has 32 bytes, but that one has ${length}. ` : ''}The key is a separate small file, usually named “${wanted}”. Drop it here, or choose it. Both stay on your computer.`,
      isWrong ? 'Choose another key file' : 'Choose key file',
    ),
  damaged: ({ name, finding, detail }, meaning: string = '') => {
    const what = meaning && detail ? `${meaning.replace(/\.$/, '')}: ${detail}.` : meaning || (detail ? `${detail}.` : 'It is damaged.');
    const next =
      finding === 'FOREIGN_LAYOUT'
        ? 'The exporter didn’t follow the format. Export it with another program, or read it with the layout option of the command line or the library.'
        : 'Check that the file was copied or downloaded completely, or try another copy.';
    return trouble(`${name} can’t be read.`, `${what} ${next}`);
  },
  'not-unpacked': ({ name, entries }) =>
    trouble(
      `Nothing in ${name} can be unpacked.`,
      `${leftOut(entries)}. Unpack the archive with another program, then drop the files here.`,
    ),
  unknown: ({ name, cause, detail }) =>
    trouble(
      unknownFile[cause] ? `${name} ${unknownFile[cause]}.` : `rigcast can’t read ${name}.`,
      detail || 'Its format isn’t supported. Check that it’s the right file.',
    ),
  'none-opens': ({ all }) =>
    trouble(
      `None of ${plural(all, 'file')} is a model or an animation that can be shown.`,
      'Drop a model, or the folder that contains it.',
    ),
  'bad-address': ({ text }) => trouble(`“${text.slice(0, MOST_ADDRESS)}” isn’t a valid address.`, 'Drop the file here instead.'),
  'bad-protocol': () => trouble('Only http and https addresses can be opened.', 'Drop the file here instead.'),
  gone: ({ name }) => trouble(`${name} has moved or been deleted.`, 'Drop it again.'),
  unreachable: ({ name }) =>
    trouble(
      `${name} couldn’t be downloaded.`,
      'The server is unreachable, or it doesn’t allow other sites to read its files (CORS). Download the file yourself, then drop it here.',
    ),
  'not-served': ({ name, status }) => trouble(`${name} couldn’t be downloaded (${status}).`, reasonOf(status)),
  'not-saved': ({ format, message }) =>
    trouble(`Couldn’t save as ${format}.`, `${message.slice(0, 1).toUpperCase()}${message.slice(1)}. Choose another format.`),
  'not-embedded': ({ address }) =>
    trouble(
      'Embed code copied, but embed.html can’t load files from this address yet.',
      `Add the folder of ${address.slice(0, MOST_ADDRESS)} to the rigcast-root line of embed.html. The owner of the site can do this.`,
    ),
  failed: ({ message }) => trouble('Something went wrong.', message),
};

/** `meaning` is the sentence of the finding's code, '' if there is none. */
const advice: Sentences<Advice, string> & { damage: (thing: Of<Advice, 'damage'>, meaning?: string) => string } = {
  damage: ({ name, finding, detail, more }, meaning = '') =>
    `${name || 'This file'} is damaged; parts are missing. ${meaning || `${detail || finding}.`}${more > 0 ? ` There ${more === 1 ? 'is' : 'are'} ${plural(more, 'more error')}.` : ''} See the Report.`,
  'cut-off': ({ name, size, meshes, detail, more }) =>
    `${name || 'This file'} is cut off after ${bytes(size)}: ${meshes > 0 ? `at least ${plural(meshes, 'mesh', 'meshes')} ${meshes === 1 ? 'is' : 'are'} missing` : detail}.${more > 0 ? ` There ${more === 1 ? 'is' : 'are'} ${plural(more, 'more error')}.` : ''} Copy or download it again. See the Report for what is missing.`,
  'motions-only': ({ name, models }) =>
    `${name} contains animations only. Drop its model${models.length > 0 ? ` (.${models.join(' or .')})` : ''} too.`,
  'nothing-recorded': ({ name }) => `${name} is an empty recording: none of its curves has keys.`,
  'moves-nothing': () => 'These animations don’t match any bones in this model. Drop the model they were made for.',
  'another-skeleton': ({ name, found, names }) =>
    `${name} was made for another skeleton: this model has ${count(found)} of its ${plural(names, 'bone')}. It’s in the animation list.`,
  'comes-over': ({ name, owner }) => `${name} was made for ${owner}. Choose one of its animations to retarget it to this model.`,
  carried: ({ owner, by, bones }) =>
    by === 'hands'
      ? `The recorded hands drive this model’s fingers (${plural(bones, 'bone')}).`
      : `Retargeted from ${owner} by ${by === 'names' ? 'bone name' : 'body part'}: ${plural(bones, 'bone')} ${bones === 1 ? 'moves' : 'move'}.`,
  'is-added': () => 'This animation looks additive (its format can’t declare that), so it’s added to the rest pose.',
  'looks-additive': () =>
    'This animation looks additive but is played as stored, so the body may collapse. Add it to the rest pose instead.',
  stripped: ({ name }) =>
    `${name} animates only some of the bones. If there is a .config file beside it, drop that too: it lists the bones that keep their position.`,
  'lies-down': ({ name }) => `${name} looks like it’s lying down: its head isn’t above its feet.`,
  'missing-files': ({ names }) =>
    `${plural(names.length, 'file')} of this scene ${names.length === 1 ? 'is' : 'are'} missing: ${some(names)}. Drop ${names.length === 1 ? 'it' : 'them'}, or the folder.`,
  'missing-textures': ({ names, isAll }) =>
    `${isAll ? 'Textures' : `Textures of ${some(names)}`} not found. Drop the images, or the folder that contains them.`,
  'unmatched-images': ({ images, materials }) =>
    `${plural(images.length, 'image')} and ${plural(materials.length, 'untextured material')} have no matching names. Drop ${images.length === 1 ? 'the image' : 'an image'} onto the part it belongs to, or choose a material in Inspect.`,
  'nothing-drawn': ({ name }) => `${name} contains nothing to draw.`,
  'bare-skeleton': ({ name }) => `${name} has a skeleton but no mesh. Drop its model.`,
  'stands-still': ({ isSkeleton }) =>
    isSkeleton ? 'No animation. Drop the model or an animation of this skeleton.' : 'No animation. Drop one to see it move.',
  'more-parts': ({ names }) =>
    `${plural(names.length, 'more part')} ${names.length === 1 ? 'shares' : 'share'} this skeleton: ${some(names)}.`,
  'one-of-many': ({ name, of, hasAnimations }) =>
    `${name} is one of ${plural(of, 'model')}. It’s shown first because it has ${hasAnimations ? 'animations and ' : ''}the most vertices. Press N for the next model.`,
  'too-many-files': ({ most }) => `Only the first ${count(most)} files were scanned.`,
  'archive-left-out': ({ name, isLarge }) => `${name} was skipped: it is ${isLarge ? 'too large to unpack' : 'damaged'}.`,
  'not-unpacked': ({ name, entries }) =>
    `${plural(entries.length, 'file')} in ${name} couldn’t be unpacked: ${leftOut(entries)}. Unpack the archive with another program to open ${entries.length === 1 ? 'it' : 'them'}.`,
  'too-many-motions': ({ opened, all }) =>
    `${count(opened)} of ${plural(all, 'animation file')} are open: those named after a model. The rest open with their models, or when you click them in Files.`,
  unwanted: ({ names, areImages }) =>
    areImages
      ? `${some(names)} ${names.length === 1 ? 'isn’t' : 'aren’t'} used by any material. Drop ${names.length === 1 ? 'it' : 'one'} onto a part to apply it, or choose a material in Inspect.`
      : `No open file uses ${some(names)}.`,
  'unread-motions': ({ names }) => `${plural(names.length, 'animation file')} couldn’t be read: ${some(names)}`,
};

const partDoubts: Sentences<PartDoubt, string> = {
  'rest-differs': ({ same, common }) => `${count(same)} of ${plural(common, 'bone')} at the same position`,
  'own-animations': ({ name }) => `has its own animations: ${name}`,
  'own-textures': ({ name }) => `has its own texture: ${name}`,
  alternative: ({ name }) => `covers the same bones as ${name}`,
};

const steps: Sentences<ProgressStep, string> = {
  opening: ({ name }) => `Opening ${name} …`,
  'looking-at-models': ({ at, of }) => `Reading models, ${at} of ${of} …`,
  'opening-motions': ({ at, of }) => `Opening animations, ${at} of ${of} …`,
};

/**
 * `help` is the longer text in the command list ('' if there is none), `label` the text of the
 * button.
 */
type CommandId =
  | 'play'
  | 'stepBack'
  | 'stepOn'
  | 'toStart'
  | 'toEnd'
  | 'rangeFrom'
  | 'rangeTo'
  | 'rangeAll'
  | 'unit'
  | 'trail'
  | 'mode'
  | 'bounds'
  | 'rigging'
  | 'front'
  | 'right'
  | 'top'
  | 'opposite'
  | 'focus'
  | 'flat'
  | 'next'
  | 'model'
  | 'undo'
  | 'reload'
  | 'close'
  | 'reset'
  | 'bones'
  | 'names'
  | 'axes'
  | 'sockets'
  | 'wire'
  | 'colors'
  | 'grid'
  | 'loop'
  | 'lock'
  | 'trails'
  | 'camera'
  | 'leave'
  | 'open'
  | 'folder'
  | 'save'
  | 'theme'
  | 'language'
  | 'help'
  | 'picture'
  | 'embed'
  | 'swap'
  | 'link';
type CommandWords = Record<CommandId, { title: string; help: string; label?: string }>;

export const en = {
  problems,
  advice,
  steps,

  /**
   * Follows the name of a file that can't be shown. `meaning` is the sentence of the finding's
   * code.
   */
  closed: ({ why, finding, detail }: UnopenedFile, meaning: string) =>
    why === 'companion'
      ? 'may belong to a model.'
      : why === 'motion'
        ? 'is an animation: add its model.'
        : why === 'damaged'
          ? `can’t be read: ${detail || meaning || 'it is damaged'}`
          : `${unknownFile[finding] ?? 'isn’t in a supported format'}. ${detail}`.trim(),

  // The page
  demoTitle: (name: string) => `${name}, a demo`,
  pageTitle: (name: string) => (name ? `${name} – rigcast` : 'rigcast viewer'),
  canvas: (name: string) => (name ? `3D view of ${name}. Drag or use the arrow keys to orbit, plus and minus to zoom.` : '3D view, empty'),
  demos: 'Demos',
  demoNames: { pip: 'Pip the fox', tock: 'Tock the robot', isle: 'A small island', lotl: 'Lotl the axolotl', hands: 'Waving hands' },
  demoKinds: { pip: 'Unreal', tock: 'Cast', isle: 'Cast scene', lotl: 'VGO avatar', hands: 'MRTK recording' },
  demoKind: (kind: string, size: number) => `${kind}, ${bytes(size)}`,
  panelArea: 'Panels',
  expandPanels: 'Expand panels',
  darkTheme: 'Dark theme',
  lightTheme: 'Light theme',
  view: 'View',
  open: 'Open',
  openFiles: 'Open files',
  openAnother: 'Open another file',
  dismiss: 'Dismiss',
  close: 'Close',
  cancel: 'Cancel',
  loading: 'Loading',
  dropTitle: 'Drop to open',
  dropText: 'Models, animations, textures or whole folders',
  contextLost: 'The graphics context was lost and is being restored. If the view stays empty, reload the page.',
  whatWasFound: 'Findings',
  /** `meaning` is the sentence of the finding's code, `detail` belongs to this one finding. */
  found: (meaning: string, detail: string) => `${detail || meaning}`,
  atByte: (offset: number) => `, byte ${count(offset)}`,

  // While files are opened
  scanning: 'Scanning files …',
  saving: 'Saving …',
  rendering: 'Rendering …',
  recordingVideo: 'Recording …',
  pictureSize: 'Size',
  transparent: 'Transparent background',
  includeFloor: 'Include floor',
  savePng: 'Save PNG',
  pictureTitle: 'Picture',
  videoTitle: 'Video',
  videoText: 'Recorded in real time at the size of the window.',
  recordAnimation: 'Record animation',
  recordTurntable: 'Record turntable',
  videoTooSlow: (frames: number, wanted: number) =>
    `Only ${count(frames)} of ${plural(wanted, 'frame')} could be recorded: this device renders too slowly. Make the window smaller, or record a shorter range.`,
  pictureFailed: 'Couldn’t render the picture.',
  videoFailed: 'This browser couldn’t record the video.',
  saveText: 'Save as text',
  saveJson: 'Save as JSON',
  linkCopied: 'Link copied.',
  embedCopied: 'Embed code copied.',
  tooLargeToUnpack: (name: string) => `${name} is too large to unpack.`,
  nothingLost: 'Nothing is lost.',
  lostOrConverted: 'Lost or converted:',
  attachedOmitted: (names: string) => `Not included: ${names}. Only GLB, glTF and VRM can contain attached models.`,
  attachedNotAnimated: (names: string) => `Included without bone animation: ${names}.`,
  otherModelsOmitted: (names: string) => `Not included: ${names}. To save another model, choose it in Files first.`,
  saveFormat: 'Format',
  saveAnimations: { title: 'Animations', all: 'All matching', selected: 'Selected', none: 'None' },
  saveSwitches: {
    meshopt: 'Compress with meshopt (needs a viewer that supports it)',
    webp: 'Lossless WebP images',
    bson: 'BSON instead of JSON',
    encrypted: 'Encrypt (saves a new key file too)',
  },
  /** Labels of conversion targets. The English ones are in the list of writers. */
  targets: {} as Partial<Record<Target, string>>,
  saveAll: (name: string) => `Save all (${name})`,
  saveFile: (name: string, size: number) => `Save ${name} (${bytes(size)})`,
  amount: (amount: number, unit: string) => amountText(amount, unit) && `(${amountText(amount, unit)})`,
  retargeting: 'Retargeting …',
  playWithoutRetargeting: 'Play without retargeting',
  standUp: 'Stand it up',
  imageApplied: (image: string, material: string) => `${image} applied to ${material}.`,
  imageNotApplied: (image: string, material: string) => `${image} couldn’t be applied to ${material}.`,
  addToScene: (name: string) => `Add ${name} to the scene`,
  addedToScene: (name: string) => `${name} added to the scene.`,
  noMesh: (name: string) => `${name} has no mesh to show.`,
  modelRemoved: (name: string) => `${name} removed.`,
  modelAttached: (model: string, bone: string) => `${model} attached to ${bone}.`,
  addToRestPose: 'Add to rest pose',
  addToBase: 'Add to its base animation',
  addedTo: (name: string) => `Added to ${name}.`,
  busy: 'Loading …',
  reloadingAnimations: 'Reloading animations …',
  reloading: 'Reloading …',
  placing: (done: number, total: number) => `Placing ${count(done)} of ${plural(total, 'file')} …`,
  languageChanged: 'Language: English',
  languageFailed: 'The language couldn’t be loaded. Check your connection.',
  demoFailed: (status: number | null) =>
    status === null ? 'The demo couldn’t be loaded: its server is unreachable.' : `The demo couldn’t be loaded (${status}).`,

  /** `reason` is a whole sentence. */
  withoutDemo: (reason: string) => `${reason} You can still open your own files.`,

  // Announced to screen readers
  cancelled: 'Cancelled.',
  modelOpened: (name: string, motions: number) => `${name} opened, ${plural(motions, 'animation')}.`,
  animationsAdded: (motions: number) => `${plural(motions, 'animation')} added.`,
  reloaded: 'Reloaded.',
  addedToModel: 'Added to the model.',

  // Start
  start: 'Start',
  startTitle: 'Drop a rig. Watch it move.',
  startText: 'Drop models, animations and textures, or a whole folder.',
  /** Used by index.html. */
  stays: 'Nothing leaves your computer.',
  reads: (formats: readonly string[]) =>
    `Opens ${formats.slice(0, -1).join(', ')} and ${formats.at(-1)}. Textures and sidecar files are found automatically. Nothing leaves your computer.`,
  showDemo: 'Show demo',
  undoClose: 'Undo close',
  reopen: (name: string, more: number) => (more > 0 ? `Reopen ${name} and ${count(more)} more` : `Reopen ${name}`),
  recent: (names: readonly string[]) => `Recent: ${names.join(', ')}`,

  // Questions
  openLink: 'Open a link',
  openLinkTitle: 'Open this link?',
  openLinkText: 'This link comes from the file.',
  openTab: 'Open in new tab',

  sharedTitle: 'Open shared files?',
  sharedText: (names: readonly string[]) => `Another app or page sent ${some(names)}.`,
  openShared: 'Open',
  release: 'A new version of rigcast is available. Reloading closes all open files.',
  loadRelease: 'Reload',

  // Panels
  panels: {
    files: 'Files',
    recording: 'Recording',
    motions: 'Animations',
    avatar: 'Face',
    notes: 'Events',
    view: 'View',
    scene: 'Scene',
    morphs: 'Morphs',
    inspect: 'Inspect',
    report: 'Report',
  },
  errors: (errors: number) => plural(errors, 'error'),
  warnings: (warnings: number) => plural(warnings, 'warning'),

  // Files
  fileCount: (files: number) => plural(files, 'file'),
  animationCount: (own: number, all: number) =>
    own === all ? plural(all, 'animation') : `${count(own)} of ${plural(all, 'animation')} for this model`,
  models: (models: number) => `Models (${count(models)})`,
  animationFiles: (files: number) => `Animations (${count(files)})`,
  otherFiles: (files: number) => `Other files (${count(files)})`,
  searchFiles: 'Search files',
  sortBy: 'Sort by',
  orders: { name: 'Name', size: 'Size', folder: 'Folder' },
  noResults: 'No results.',
  more: (more: number) => `${count(more)} more. Search to narrow down.`,
  notOpen: (size: number) => `not open, ${bytes(size)}`,
  modelFacts: (bones: number, triangles: number) =>
    [bones > 0 && plural(bones, 'bone'), triangles > 0 && plural(triangles, 'triangle')].filter(Boolean).join(' · '),
  isDamaged: 'damaged',
  levels: 'Levels of detail',
  level: (level: number) => `LOD ${level}`,
  parts: 'Parts of the model',
  partDoubts,
  moreParts: (parts: number) => `${plural(parts, 'more part')} ${parts === 1 ? 'shares' : 'share'} this skeleton`,
  addParts: 'Add',
  partsAdded: (names: string) => `${names} added.`,
  partsRemoved: (names: string) => `${names} removed.`,
  undone: 'Undone.',
  isClosed: 'All files closed. Undo reopens them.',

  // Animations
  noMatchingBones: 'no matching bones',
  bonesMoved: (moved: number, bones: number) => `${count(moved)}/${plural(bones, 'bone')}`,
  forThisModel: (motions: number) => `For this model (${count(motions)})`,
  showOtherAnimations: (motions: number) =>
    motions === 1 ? 'Show 1 animation for another model' : `Show ${count(motions)} animations for other models`,
  hideOtherAnimations: 'Hide animations for other models',
  otherAnimations: (motions: number) => `Other models (${count(motions)})`,

  bonesMatching: (found: number, names: number) => `${count(found)} of ${plural(names, 'bone')} match`,

  searchAnimations: 'Search animations',
  noAnimations: 'No animations.',
  nothingToAnimate: 'This model has no bones and no morph targets to animate.',
  noAnimationsText:
    'Drop an animation file: .psa, .cast, .seanim, GLB, FBX or BVH. Its bones need the same names as this model’s, unless both are humanoid.',
  noModelText: 'Drop a model with its animations. Animations alone show the skeleton of a .psa or .cast file.',
  animationsFound: (found: number, all: number) => `${count(found)} of ${plural(all, 'animation')}`,
  restPose: 'Rest pose',
  bindPose: 'bind pose',
  noName: '(no name)',
  frames: (frames: number) => plural(frames, 'frame'),
  rate: (rate: number) => `${Number(rate.toFixed(2))} fps`,
  /** 1.25 -> "1.25 s" */
  clock: (seconds: number, digits = 2) => `${seconds.toFixed(digits)} s`,
  seconds: (seconds: number) => `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`,
  pose: 'pose',

  // Timeline
  playback: 'Playback',
  pause: 'Pause',
  time: 'Time',
  speed: 'Speed',
  frameOf: (frame: number, last: number) => `${frame} / ${last}`,
  secondOf: (time: string, duration: string) => `${time} / ${duration} s`,
  loops: (isOn: boolean, isOfFile: boolean) => `: ${isOn ? 'on' : 'off'}${isOfFile ? ', from file' : ''}`,
  once: 'once',
  rangeEnds: { from: 'Range start', to: 'Range end' },
  noAnimation: 'no animation',
  playAs: 'Play as',
  playAsChoices: {
    auto: 'Automatic',
    file: 'From file',
    everything: 'All bones (ignore .config)',
    'rotation-only': 'Rotations only',
    additive: 'Added to rest pose',
  },
  event: (name: string, time: string) => `Event ${name} at ${time}`,
  events: (markers: number, from: string, to: string) => `${plural(markers, 'event')} from ${from} to ${to}: go to the next`,
  searchEvents: 'Search events',
  eventsOf: (notes: string, motion: string) => `${notes} in ${motion}`,

  // View
  shading: 'Shading',
  shadingModes: {
    lit: 'Lit',
    unlit: 'Unlit',
    clay: 'Clay',
    normals: 'Normals',
    uv: 'UV checker',
    colors: 'Vertex colours',
    weights: 'Bone weights',
    sections: 'Material IDs',
  },
  bone: 'Bone',
  camera: 'Camera',
  cameras: 'Cameras in file',
  throughCamera: (name: string) => `View through ${name}`,
  fieldOfView: 'Field of view',
  light: 'Light',
  exposure: 'Exposure',
  lightRotation: 'Rotation',
  environment: 'Environment',
  environments: { room: 'Room', studio: 'Studio', day: 'Day', evening: 'Evening', night: 'Night', image: 'Image …' },
  background: 'Background',
  backgrounds: { page: 'Match page', white: 'White', grey: 'Grey', black: 'Black', surroundings: 'Environment' },
  orientation: 'Orientation',
  upAxis: 'Up axis',
  rotation: 'Rotation',
  scale: 'Scale',
  conjugateRoot: 'Conjugate root rotation (Unreal)',
  rigging: 'Constraints and IK',
  riggingKinds: { ik: 'IK', constraint: 'constraint' },

  // Layers
  playbackOptions: 'Playback options',
  layer: 'Layer',
  compareWith: 'Compare with',
  none: 'None',
  weight: 'Weight',
  limitTo: 'Limit to',
  allBones: 'All bones',
  layerIsAdditive: 'Additive.',
  layerIsBlended: 'Blended by weight.',
  layerNeedsAnimation: 'Play an animation first.',

  // Recordings
  recording: {
    hands: { left: 'Left hand', right: 'Right hand' },
    fingers: { thumb: 'Thumb', index: 'Index', middle: 'Middle', ring: 'Ring', pinky: 'Little' },
    bends: ['Knuckle', 'Middle', 'End'],
    notTracked: (hand: string) => `${hand}: not tracked.`,
    pinching: 'pinching',
    pinchStrength: (strength: string, millimetres: string) =>
      `Pinch strength ${strength}: thumb and index finger are ${millimetres} mm apart.`,
    difference: (whole: string, shape: string) => `${whole} mm from the other recording, ${shape} mm with wrists aligned.`,
    compare: 'Compare with',
    dropToCompare: 'Drop another recording to compare.',
    offset: 'Offset',
    offsetSeconds: (seconds: string) => `${seconds} s`,
    notARecording: (name: string) => `${name} isn’t a hand recording. Choose another file to compare.`,
  },
  fingertipTrails: 'Fingertip trails',
  noEvents: 'No events.',
  handLetters: { left: 'L', right: 'R' },
  pinch: (number: number) => `Pinch ${number}`,
  lasting: (time: string) => `for ${time}`,
  trackedFor: (time: string, share: string, pieces: number) =>
    `Tracked for ${time}${share}${pieces > 1 ? `, in ${plural(pieces, 'segment')}` : ''}`,
  neverTracked: 'Not tracked.',
  noPinches: 'No pinches.',
  span: (from: string, to: string) => `${from} to ${to}`,
  /** `seen` and `pinching` list spans in seconds, '' for none. */
  handTracked: (hand: 'left' | 'right', seen: string, pinching: string) =>
    `${hand === 'left' ? 'Left' : 'Right'} hand: ${seen ? `tracked ${seen} seconds` : 'not tracked'}; ${pinching ? `pinching ${pinching} seconds` : 'no pinches'}`,

  // Scene
  sceneSwitches: {
    sky: 'Sky from file',
    lamps: 'Lights from file',
    colliders: 'Collider outlines',
    lights: 'Light outlines',
    particles: 'Particle emitter outlines',
  },
  presets: {
    neutral: 'Neutral',
    happy: 'Happy',
    angry: 'Angry',
    sad: 'Sad',
    relaxed: 'Relaxed',
    surprised: 'Surprised',
    blink: 'Blink',
    blinkLeft: 'Wink left',
    blinkRight: 'Wink right',
    aa: 'Mouth: a',
    ih: 'Mouth: i',
    ou: 'Mouth: u',
    ee: 'Mouth: e',
    oh: 'Mouth: o',
  } as Record<string, string>,
  expressions: 'Expressions',
  resetFace: 'Reset face',
  avatar: {
    mix: 'Blend',
    life: 'Idle behaviour',
    look: 'Eyes follow pointer',
    head: 'Head follows',
    blink: 'Blink',
    idle: 'Breathe when idle',
  },
  springBones: 'Spring bones',
  simulate: 'Simulate',
  springRules: { title: 'Rules', unity: 'UniVGO', vrm: 'VRM' },
  resetSprings: 'Reset',
  show: 'Show',
  rightsTo: (name: string) => `Rights to ${name}`,
  rightsToQuoted: (name: string) => `Rights to “${name}”`,
  authorAndRights: 'Author and rights',
  moreRights: (more: number) => `and rights to ${plural(more, 'more part')}`,
  asksBeforeOpening: 'Asks before opening',
  particles: 'Particles',
  particlesText: 'Played as authored. The Report lists unsupported settings.',
  andMore: (more: number) => `and ${count(more)} more`,

  // Morphs
  searchMorphs: 'Search morphs',
  resetAll: 'Reset all',
  noMorphs: 'This model has no morph targets.',
  firstMorphs: (most: number, all: number) => `First ${count(most)} of ${plural(all, 'morph')}. Search to narrow down.`,

  // Inspect
  nothingToShow: 'Nothing to show yet.',
  triangleCount: (triangles: number) => plural(triangles, 'triangle'),
  inspect: {
    title: 'Inspect',
    scene: 'Scene',
    bytesOf: (name: string) => `Bytes of ${name}`,
    search: 'Search names',
    details: 'Properties',
    readingFile: 'Reading the file …',
    noOutline: 'The bytes of this format can’t be inspected. Choose Scene instead.',
    fileIsGone: 'The file can no longer be read. Drop it again.',
    groups: {
      meshes: 'Meshes',
      bones: 'Bones and nodes',
      materials: 'Materials',
      images: 'Images',
      motions: 'Animations',
      expressions: 'Expressions',
      lights: 'Lights',
      cameras: 'Cameras',
      references: 'Referenced files',
    },
    animationsOf: (name: string) => `Animations of ${name}`,
    shows: (name: string) => `Show ${name}`,
    more: 'and more',
    yes: 'yes',
    no: 'no',
    kind: 'Type',
    name: 'Name',
    id: 'ID',
    hash: 'Hash',
    children: 'Children',
    bytes: (size: number) => plural(size, 'byte'),
    bytesFrom: (from: string, to: string) => `Bytes 0x${from} to 0x${to}`,
    bytesBefore: 'Previous bytes',
    bytesAfter: 'Next bytes',
    showBytes: 'Show bytes',
    attach: 'Attached model',
    attachText: 'Moves with this bone. Included when you save GLB, glTF or VRM.',
    boundTo: 'Skinned to',
    bones: (bones: number) => plural(bones, 'bone'),
    uvSets: 'UV sets',
    colors: 'Vertex colours',
    attributes: 'Attributes',
    parent: 'Parent',
    localPosition: 'Local position',
    localRotation: 'Local rotation',
    localScale: 'Local scale',
    restPosition: 'Rest position',
    restRotation: 'Rest rotation',
    restScale: 'Rest scale',
    worldPosition: 'World position',
    segmentScale: 'Ignores parent scale',
    shadingModel: 'Shading model',
    color: 'Colour',
    emissive: 'Emissive',
    slot: 'Texture slot',
    slots: {
      baseColor: 'Base colour',
      normal: 'Normal',
      emissive: 'Emissive',
      orm: 'Occlusion, roughness, metallic',
      roughness: 'Roughness',
      metallic: 'Metallic',
      occlusion: 'Occlusion',
      opacity: 'Opacity',
    },
    applyImage: 'Apply image …',
    metallic: 'Metallic',
    roughness: 'Roughness',
    alpha: 'Alpha mode',
    alphaModes: { opaque: 'opaque', mask: 'mask', blend: 'blend', add: 'additive', multiply: 'multiply' },
    side: 'Sides',
    sides: { front: 'front', back: 'back', both: 'both' },
    stored: 'Stored',
    inFile: 'in the file',
    inSeparateFile: 'in a separate file',
    frames: 'Frames',
    tracks: 'Tracks',
    target: 'Target',
    keys: (keys: number) => plural(keys, 'key'),
    keyCount: 'Keys',
    curve: (what: string, keys: number) => `${what}, ${plural(keys, 'key')}`,
    interpolation: 'Interpolation',
    mode: 'Mode',
    override: 'Mode override',
    overridden: (mode: string, node: string, what: string, isSelf: boolean) =>
      `${mode} for ${what} ${isSelf ? `of ${node} and its descendants` : `of the descendants of ${node}`}`,
    node: 'Node',
    mesh: 'mesh',
    intensity: 'Intensity',
    range: 'Range',
    enabled: 'Enabled',
    nearFar: 'Near – far',
    required: 'Required',
    found: 'Found',
  },

  // Report
  verdicts: { error: 'Some data couldn’t be read.', warning: 'OK, with warnings.', info: 'OK, with notes.', ok: 'OK.' },
  noReport: 'Nothing is open.',
  notes: (remarks: number) => plural(remarks, 'note'),
  moreFindings: 'More findings aren’t listed here.',
  finding: { here: 'Detail', code: 'Code', byte: 'Byte offset', path: 'Path', times: 'Count', help: 'What to do' },
  facts: {
    length: 'Length',
    events: 'Events',
    vertices: 'Vertices',
    triangles: 'Triangles',
    bones: 'Bones',
    materials: 'Materials',
    morphs: 'Morphs',
    size: 'Size',
    animations: 'Animations',
    instances: 'Instances',
    files: 'Files',
  },
  partOf: (name: string) => `part of ${name}`,
  attachedTo: (bone: string) => `attached to ${bone}`,
  shownBeside: 'shown beside the model',
  placedBy: (name: string) => `placed by ${name}`,
  playedHere: (name: string) => `from ${name}, played on this model`,
  rights: {
    title: 'Title',
    author: 'Author',
    organization: 'Organization',
    version: 'Version',
    createdDate: 'Created',
    updatedDate: 'Modified',
    distributionUrl: 'Published at',
    licenseUrl: 'Licence',
    copyright: 'Copyright',
    generator: 'Generator',
  },

  // Commands: titles, and the longer text in the command list ('' if the title is enough).
  commands: {
    save: { title: 'Save as …', help: 'GLB, Cast and other formats' },
    play: { title: 'Play', help: 'or pause' },
    stepBack: { title: 'Previous frame', help: 'with Shift: 10 frames' },
    stepOn: { title: 'Next frame', help: 'with Shift: 10 frames' },
    toStart: { title: 'Go to start', help: '' },
    toEnd: { title: 'Go to end', help: '' },
    rangeFrom: { title: 'Set range start', help: '' },
    rangeTo: { title: 'Set range end', help: '' },
    rangeAll: { title: 'Clear range', help: '' },
    unit: { title: 'Frames or seconds', help: '' },
    mode: { title: 'Shading', help: 'clay, normals, UV checker, weights …' },
    bounds: { title: 'Bounding box', help: '' },
    rigging: { title: 'Constraints and IK', help: '' },
    front: { title: 'Front view', help: '', label: 'Front' },
    right: { title: 'Right view', help: '', label: 'Right' },
    top: { title: 'Top view', help: '', label: 'Top' },
    opposite: { title: 'Opposite view', help: '', label: 'Flip' },
    focus: { title: 'Focus bone', help: 'or the whole model', label: 'Focus' },
    flat: { title: 'Orthographic', help: '' },
    trail: { title: 'Bone trail', help: 'path of the selected bone' },
    next: { title: 'Change animation', help: 'previous, next' },
    model: { title: 'Change model', help: 'next, previous' },
    undo: { title: 'Undo', help: 'the last open or close', label: 'Undo' },
    reload: { title: 'Reload from disk', help: 'keeps the model and animation', label: 'Reload' },
    close: { title: 'Close all', help: '', label: 'Close all' },
    reset: { title: 'Frame all', help: '' },
    bones: { title: 'Skeleton', help: 'click a bone to see its name' },
    names: { title: 'Bone names', help: '' },
    axes: { title: 'Bone axes', help: 'X red, Y green, Z blue' },
    sockets: { title: 'Sockets', help: 'attachment points in the file' },
    wire: { title: 'Wireframe', help: '' },
    colors: { title: 'Vertex colours', help: '' },
    grid: { title: 'Grid', help: '' },
    loop: { title: 'Loop', help: 'from file, on or off' },
    lock: { title: 'Lock root motion', help: '' },
    trails: { title: 'Trails', help: 'in recordings' },
    camera: { title: 'Recorded camera', help: '' },
    leave: { title: 'Exit recorded camera', help: '' },
    open: { title: 'Open files', help: '', label: 'Open' },
    folder: { title: 'Open folder', help: '', label: 'Folder' },
    picture: { title: 'Save picture', help: 'or video' },
    embed: { title: 'Copy embed code', help: 'only for files opened from a URL' },
    swap: { title: 'Swap with comparison', help: '' },
    link: { title: 'Copy link', help: 'only for files opened from a URL' },
    theme: { title: 'Theme', help: 'dark or light' },
    language: { title: 'Language', help: 'English, 日本語' },
    help: { title: 'Help', help: '' },
  } as CommandWords,
  colorLayer: (layer: number, layers: number) => `, layer ${layer} of ${layers}`,
  commandsTitle: 'Commands and shortcuts',
  searchCommands: 'Search',
  keyNames: {
    ' ': 'Space',
    arrowleft: '←',
    arrowright: '→',
    arrowup: '↑',
    arrowdown: '↓',
    home: 'Home',
    end: 'End',
    escape: 'Esc',
    'ctrl+z': 'Ctrl Z',
  } as Record<string, string>,
  touchHelp: 'Drag to orbit, use two fingers to pan, pinch to zoom. Tap a bone to see its name.',
  mouseHelp: 'Drag to orbit, right-drag to pan, scroll to zoom. With the view focused, use the arrow keys to orbit and + − to zoom.',
};

export type Words = typeof en;
