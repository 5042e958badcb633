// Everything that the page says, in English. Another language is another file of the same keys; the compiler tells what it lacks.
import type { PartDoubt } from '../../core/characters.ts';
import type { Advice } from '../../session/advice.ts';
import type { ProgressStep } from '../../session/openResult.ts';
import type { UnopenedFile, Problem } from '../../session/problem.ts';
import type { SkippedEntry } from '../../session/notices.ts';
import { bytes, count } from '../dom.ts';
import { amountText } from '../../convert/common/units.ts';
import type { Target } from '../../convert/writers.ts';

const plural = (value: number, one: string, many = `${one}s`): string => `${count(value)} ${value === 1 ? one : many}`;
const some = (names: readonly string[]): string => names.slice(0, 3).join(', ') + (names.length > 3 ? ' …' : '');

/** Letters of an address that are shown. */
const MOST_ADDRESS = 200;

/** A card about something that could not be done: what, and what to do instead. `action`: the words of the button that helps at once. */
export interface Trouble {
  title: string;
  next: string;
  action: string;
}

type Of<Thing extends { code: string }, Code extends Thing['code']> = Extract<Thing, { code: Code }>;
/** A sentence per code, told what the thing says. */
export type Sentences<Thing extends { code: string }, Said> = { [Code in Thing['code']]: (thing: Of<Thing, Code>) => Said };

const trouble = (title: string, next: string, action = ''): Trouble => ({ title, next, action });

const methods: Record<number, string> = { 9: 'Deflate64', 12: 'BZIP2', 14: 'LZMA', 93: 'Zstandard', 95: 'XZ', 98: 'PPMd' };

const reasonLeftOut = ({ why, method }: SkippedEntry): string =>
  ({
    encrypted: 'encrypted',
    method: `compressed with ${methods[method] ?? `method ${method}`}`,
    large: 'needs ZIP64',
    damaged: 'damaged',
  })[why];

/** Files inside an archive, each with the reason why it is left out. */
const leftOut = (entries: readonly SkippedEntry[]): string => some(entries.map(entry => `${entry.name} (${reasonLeftOut(entry)})`));

const unknownFile: Record<string, string> = { EMPTY_FILE: 'is empty', ALL_ZEROS: 'is empty', HTML_PAGE: 'is a web page' };

/** What a server means, and what to do. */
function reasonOf(status: number): string {
  if (status === 404 || status === 410) return 'Its server says that there is no such file. Is the address right?';
  if (status === 401 || status === 403) return 'Its server does not give it to everybody. Sign in there, download it and drop it here.';
  return 'Its server did not give it. Try again later, or download it and drop it here.';
}

/** `meaning`: what the code of the finding means, '' where nobody says. */
const problems: Sentences<Problem, Trouble> & { damaged: (thing: Of<Problem, 'damaged'>, meaning?: string) => Trouble } = {
  'nothing-given': () => trouble('There was no file in that.', 'Drop a model, or the folder that holds it.'),
  'only-companions': ({ names }) =>
    trouble(
      names.length === 1 ? `${names[0]} is neither model nor motion.` : 'There is neither a model nor a motion among these files.',
      'If it belongs to a model, drop that now: what you gave is kept for it.',
    ),
  'needs-file': ({ name, wanted, path }) =>
    trouble(
      `${name} keeps its data in another file.`,
      `Drop “${wanted.slice(0, MOST_ADDRESS)}” here too, or choose it. ${
        path === null
          ? 'It lay in the same folder when the model was made.'
          : `The model names it as “${path.slice(0, MOST_ADDRESS)}”, which rigcast neither fetches nor looks up.`
      }`,
      'Choose that file',
    ),
  'needs-key': ({ name, wanted, isWrong, length }) =>
    trouble(
      isWrong ? `That key does not open ${name}.` : `${name} is encrypted.`,
      `${length ? `A key file has 32 bytes, that one has ${length}. ` : ''}Its key is a small file of its own, mostly named “${wanted}”. Drop it here, or choose it. Neither leaves your computer.`,
      isWrong ? 'Choose another key file' : 'Choose the key file',
    ),
  damaged: ({ name, finding, detail }, meaning: string = '') => {
    const what = meaning && detail ? `${meaning.replace(/\.$/, '')}: ${detail}.` : meaning || (detail ? `${detail}.` : 'It is damaged.');
    const next =
      finding === 'FOREIGN_LAYOUT'
        ? 'The program that wrote it departs from the format. Save it with another one, or read it by its layout: the command line and the library have an option for that.'
        : 'Was it copied or downloaded completely? Try another copy of it.';
    return trouble(`${name} could not be read.`, `${what} ${next}`);
  },
  'not-unpacked': ({ name, entries }) =>
    trouble(`Nothing in ${name} can be unpacked.`, `${leftOut(entries)}. Unpack the archive with another program and drop the files here.`),
  unknown: ({ name, cause, detail }) =>
    trouble(
      `${name} ${unknownFile[cause] ?? 'is no file that rigcast reads'}.`,
      detail || 'It is none of the formats that rigcast knows. Is it the right file?',
    ),
  'none-opens': ({ all }) =>
    trouble(`None of ${plural(all, 'file')} is a model or an animation that can be shown.`, 'Drop a model, or the folder that holds it.'),
  'bad-address': ({ text }) => trouble(`“${text.slice(0, MOST_ADDRESS)}” is no address.`, 'Drop the file on the page instead.'),
  'bad-protocol': () => trouble('Only http and https addresses can be opened.', 'Drop the file on the page instead.'),
  gone: ({ name }) => trouble(`${name} is not where it was.`, 'It was moved, renamed or deleted. Drop it again.'),
  unreachable: ({ name }) =>
    trouble(
      `${name} could not be fetched.`,
      'Its server must allow other pages to read it (CORS), and it must be reached. Download the file and drop it here.',
    ),
  'not-served': ({ name, status }) => trouble(`${name} could not be fetched (${status}).`, reasonOf(status)),
  'not-saved': ({ format, message }) =>
    trouble(`It could not be saved as ${format}.`, `${message.slice(0, 1).toUpperCase()}${message.slice(1)}. Choose another format.`),
  'not-embedded': ({ address }) =>
    trouble(
      'The embed code is copied, but embed.html does not read this address yet.',
      `Add the folder of ${address.slice(0, MOST_ADDRESS)} to the rigcast-root line of embed.html. Whoever hosts the page can do that.`,
    ),
  failed: ({ message }) => trouble('That did not work.', message),
};

/** `meaning`: what a code of a finding means, '' where nobody says. */
const advice: Sentences<Advice, string> & { damage: (thing: Of<Advice, 'damage'>, meaning?: string) => string } = {
  damage: ({ name, finding, detail, more }, meaning = '') =>
    `${name || 'This file'} is damaged, some of it is not shown: ${meaning || detail || finding}${more > 0 ? ` And ${plural(more, 'error')} more.` : ''} The Report tells where.`,
  'cut-off': ({ name, size, meshes, detail, more }) =>
    `${name || 'This file'} is cut off after ${bytes(size)}: ${meshes > 0 ? `at least ${plural(meshes, 'mesh', 'meshes')} ${meshes === 1 ? 'is' : 'are'} missing` : detail}.${more > 0 ? ` And ${plural(more, 'error')} more.` : ''} Copy or download it again; the Report tells what is lost.`,
  'motions-only': ({ name, models }) =>
    `${name} contains animations only. Drop its model${models.length > 0 ? ` (.${models.join(' or .')})` : ''} too.`,
  'nothing-recorded': ({ name }) => `Nothing was recorded in ${name}: all its curves are empty.`,
  'moves-nothing': () => 'These motions move no bone of this model: they were made for another skeleton. Drop the model they belong to.',
  'another-skeleton': ({ name, found, names }) =>
    `${name} was made for another skeleton: this model has ${count(found)} of the ${plural(names, 'bone')} that it moves. It waits in the list of motions.`,
  'comes-over': ({ name, owner }) => `${name} was made for ${owner}. Choose a motion to carry it over to this model.`,
  carried: ({ owner, by, bones }) =>
    by === 'hands'
      ? `The recorded hands move the fingers: ${plural(bones, 'bone')}.`
      : `Carried over from ${owner}: ${plural(bones, 'bone')} ${bones === 1 ? 'moves' : 'move'}, ${by === 'names' ? 'with the lengths of this model' : 'from body to body'}.`,
  'is-added': () => 'This animation looks additive, which its format cannot declare: it is added to the rest pose.',
  'looks-additive': () =>
    'This animation looks additive, and is played as stored: the body may collapse. Added to the rest pose it does not.',
  stripped: ({ name }) =>
    `${name} moves only some of the bones. If a .config lies beside it, drop that too: it says which bones keep their place.`,
  'lies-down': ({ name }) => `${name} seems to lie: its head is not above its feet.`,
  'missing-files': ({ names }) => {
    const isOne = names.length === 1;
    return `${plural(names.length, 'file')} that this world places ${isOne ? 'was' : 'were'} not there: ${some(names)}. Drop ${isOne ? 'it' : 'them'}, or the folder.`;
  },
  'missing-textures': ({ names, isAll }) =>
    `${isAll ? 'Textures were not found' : `Textures of ${some(names)} were not found`}: drop the images, or the folder with them.`,
  'unmatched-images': ({ images, materials }) =>
    `${plural(images.length, 'image')}, ${plural(materials.length, 'material')} without one: no names match. Drop ${images.length === 1 ? 'the image' : 'an image'} onto the part it belongs to, or choose a material in Inspect.`,
  'nothing-drawn': ({ name }) => `There is nothing to be drawn in ${name}.`,
  'bare-skeleton': ({ name }) => `${name} has a skeleton and no surface. Drop its model to see it dressed.`,
  'stands-still': ({ isSkeleton }) =>
    `The ${isSkeleton ? 'skeleton' : 'model'} stands still. Drop ${isSkeleton ? 'its model or motions' : 'its motions on top'} to see it move.`,
  'more-parts': ({ names }) =>
    `${plural(names.length, 'more part')} ${names.length === 1 ? 'shares' : 'share'} this skeleton: ${some(names)}.`,
  'one-of-many': ({ name, of, hasAnimations }) =>
    `${name} is one of ${plural(of, 'model')}. It came first because it has ${hasAnimations ? 'animations and ' : ''}the most vertices. Press N for the next model.`,
  'too-many-files': ({ most }) => `Only the first ${count(most)} files were looked at.`,
  'archive-left-out': ({ name, isLarge }) => `${name} was left out: it is ${isLarge ? 'too large to unpack' : 'damaged'}.`,
  'not-unpacked': ({ name, entries }) =>
    `${plural(entries.length, 'file')} in ${name} could not be unpacked: ${leftOut(entries)}. Unpack the archive with another program to open ${entries.length === 1 ? 'it' : 'them'}.`,
  'too-many-motions': ({ opened, all }) =>
    `${count(opened)} of ${plural(all, 'motion file')} are open: those that are called like a model. The others open with their models, or by a click in Files.`,
  unwanted: ({ names, areImages }) =>
    areImages
      ? `No material asks for ${some(names)}. Drop ${names.length === 1 ? 'it' : 'one of them'} on the part that shall wear it, or choose a material in Inspect.`
      : `Nothing that is open asks for ${some(names)}.`,
  'unread-motions': ({ names }) => `${plural(names.length, 'motion file')} could not be read: ${some(names)}`,
};

const partDoubts: Sentences<PartDoubt, string> = {
  'rest-differs': ({ same, common }) => `${count(same)} of ${plural(common, 'bone')} at the same position`,
  'own-animations': ({ name }) => `${name} has animations for it`,
  'own-textures': ({ name }) => `texture ${name} is named after it`,
  alternative: ({ name }) => `covers the same bones as ${name}`,
};

const steps: Sentences<ProgressStep, string> = {
  opening: ({ name }) => `Opening ${name} …`,
  'looking-at-models': ({ at, of }) => `Looking at models, ${at} of ${of} …`,
  'opening-motions': ({ at, of }) => `Opening motions, ${at} of ${of} …`,
};

/** `help`: what the help says of it, '' for what it leaves out; `label`: the words on its button, where it has some. */
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

  /** Behind the name of a file that cannot be shown. `meaning`: of the finding's code. */
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
  canvas: (name: string) => (name ? `3D view of ${name}. Drag to turn, arrow keys turn too, plus and minus zoom.` : '3D view, empty'),
  demos: 'Demos',
  demoNames: { pip: 'Pip the fox', tock: 'Tock the robot', isle: 'A small isle', lotl: 'Lotl the axolotl', hands: 'Waving hands' },
  demoKinds: { pip: 'Unreal', tock: 'Cast', isle: 'Cast, a world', lotl: 'VGO avatar', hands: 'MRTK recording' },
  demoKind: (kind: string, size: number) => `${kind}, ${bytes(size)}`,
  details: 'Details',
  largePanels: 'Large panels',
  toDark: 'Dark colours',
  toLight: 'Light colours',
  view: 'View',
  open: 'Open',
  openFiles: 'Open files',
  openAnother: 'Open another',
  hide: 'Hide this',
  close: 'Close',
  cancel: 'Cancel',
  loading: 'Loading',
  dropTitle: 'Drop it',
  dropText: 'models, motions, textures, whole folders',
  contextLost: 'The graphics card took the picture away. It comes back by itself in a moment; if not, reload the page.',
  whatWasFound: 'What was found',
  /** `meaning`: what the code of the finding means; `detail`: what this one adds. */
  found: (meaning: string, detail: string) => `${detail || meaning}`,
  atByte: (offset: number) => `, byte ${count(offset)}`,

  // While files are opened
  looking: 'Looking through the files …',
  saving: 'Making the file …',
  drawing: 'Drawing a picture …',
  filming: 'Filming …',
  pictureSize: 'Size',
  transparent: 'Transparent background',
  withFloor: 'With the floor',
  savePng: 'Save PNG',
  pictureTitle: 'Picture',
  filmTitle: 'Film',
  filmText: 'Recorded in real time, as large as the window.',
  filmMotion: 'Record animation',
  filmTurn: 'Record turntable',
  filmTooSlow: (frames: number, wanted: number) =>
    `Only ${count(frames)} of ${plural(wanted, 'frame')} could be recorded: this device draws too slowly. Make the window smaller, or record a shorter range.`,
  pictureFailed: 'The graphics card gives no picture now.',
  filmFailed: 'This browser could not make the film.',
  saveText: 'Save as text',
  saveJson: 'Save as JSON',
  linkCopied: 'The link is copied.',
  embedCopied: 'The frame is copied: paste it into the markup of a page.',
  tooMuchUnpacked: (name: string) => `${name} is too large to unpack.`,
  savedWhole: 'Nothing of the model and its motions is lost.',
  savedWithCosts: 'What is lost on the way, or kept in another form:',
  heldIsLeft: (names: string) =>
    `Not in the file: ${names}, as this format has no place for what hangs on a model. GLB, glTF and VRM have.`,
  heldIsStill: (names: string) => `In the file as it hangs, without the motion of its own bones: ${names}.`,
  companyIsLeft: (names: string) =>
    `Not in the file: ${names}, beside the model. A click in Files puts another model on the stage, to be saved itself.`,
  saveTo: 'Format',
  savedMotions: { title: 'Motions', all: 'all that suit it', selected: 'the one that is chosen', none: 'none' },
  saveSwitches: {
    meshopt: 'Compressed numbers (meshopt), for readers that know them',
    webp: 'Images as WebP, without loss',
    bson: 'BSON in the place of JSON',
    encrypted: 'Encrypted, with a new key that is saved beside it',
  },
  /** Labels of conversion targets; English is in the list of writers. */
  targets: {} as Partial<Record<Target, string>>,
  saveAll: (name: string) => `Save all of it (${name})`,
  saveFile: (name: string, size: number) => `Save ${name} (${bytes(size)})`,
  amount: (amount: number, unit: string) => amountText(amount, unit) && `(${amountText(amount, unit)})`,
  carrying: 'Carrying the motion over …',
  asItIs: 'Play it bone by bone',
  standUp: 'Stand it up',
  isWorn: (image: string, material: string) => `${image} is on ${material}.`,
  notWorn: (image: string, material: string) => `${image} could not be put on ${material}.`,
  standBeside: (name: string) => `Show ${name} beside the model`,
  isBeside: (name: string) => `${name} stands beside the model.`,
  standsNowhere: (name: string) => `${name} has nothing that could stand beside a model or hang on it.`,
  isGone: (name: string) => `${name} is gone from the stage.`,
  hangs: (model: string, bone: string) => `${model} hangs on ${bone}.`,
  addToRest: 'Add it to the rest pose',
  addToOther: 'Add it to the motion that it was made for',
  addedTo: (name: string) => `Added to ${name}.`,
  busy: 'Loading …',
  readingAgain: 'Reading the motions again …',
  reloading: 'Reading all of it again …',
  placing: (done: number, total: number) => `Placing ${count(done)} of ${plural(total, 'file')} …`,
  isSpoken: 'The page is in English.',
  languageMissing: 'That language could not be fetched.',
  demoMissing: (status: number | null) =>
    status === null ? 'The demo could not be fetched: its server cannot be reached.' : `The demo could not be fetched (${status}).`,

  /** `reason`: a sentence. */
  withoutDemo: (reason: string) => `${reason} Your own files open without it.`,

  // Said aloud
  cancelled: 'Cancelled.',
  isShown: (name: string, motions: number) => `${name} is open. ${plural(motions, 'motion')}.`,
  motionsAdded: (motions: number) => `${plural(motions, 'motion')} added.`,
  readAgain: 'Read again.',
  added: 'Added to the model.',

  // Start
  start: 'Start',
  startTitle: 'Drop a rig. Watch it move.',
  startText: 'Model, motions, textures: together, one by one, or the whole folder.',
  stays: 'Nothing leaves your computer.',
  reads: (formats: readonly string[]) =>
    `Opens ${formats.slice(0, -1).join(', ')} and ${formats.at(-1)}. Finds textures and sidecar files beside them. Nothing leaves your computer.`,
  showDemo: 'Show the demo',
  bringBack: 'Bring it back',
  openAgain: (name: string, more: number) => (more > 0 ? `${name} and ${count(more)} more again` : `${name} again`),
  lastTime: (names: readonly string[]) => `Last time: ${names.join(', ')}`,

  // Questions
  openLink: 'Open a link',
  openLinkTitle: 'Open this address?',
  openLinkText: 'The file names it. rigcast does not know where it leads.',
  openTab: 'Open in a new tab',
  doNotOpen: 'Do not open',

  sharedTitle: 'Open shared files?',
  sharedText: (names: readonly string[]) => `Another app or page has sent ${some(names)}.`,
  openShared: 'Open',
  release: 'A new version of rigcast is ready. Reloading closes the files that are open.',
  loadRelease: 'Reload',

  // Panels
  panels: {
    files: 'Files',
    recording: 'Recording',
    motions: 'Motions',
    avatar: 'Face',
    notes: 'Notes',
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
  motionCount: (own: number, all: number) =>
    own === all ? plural(all, 'motion') : `${count(own)} of ${plural(all, 'motion')} for this model`,
  models: (models: number) => `Models (${count(models)})`,
  motionFiles: (files: number) => `Motions (${count(files)})`,
  otherFiles: (files: number) => `Other files (${count(files)})`,
  searchFiles: 'Search files',
  sortBy: 'Sorted by',
  orders: { name: 'Name', size: 'Size', folder: 'Folder' },
  noFile: 'No file has that name.',
  more: (more: number) => `${count(more)} more: search for them.`,
  notOpen: (size: number) => `not open yet, ${bytes(size)}`,
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
  isClosed: 'Everything is closed. Undo brings it back.',

  // Motions
  movesNothing: 'moves nothing here',
  bonesMoved: (moved: number, bones: number) => `${count(moved)}/${plural(bones, 'bone')}`,
  forThisModel: (motions: number) => `For this model (${count(motions)})`,
  showOthers: (motions: number) => `Show ${plural(motions, 'motion')} made for others`,
  hideOthers: 'Hide motions made for others',
  otherMotions: (motions: number) => `Others (${count(motions)})`,

  bonesFound: (found: number, names: number) => `${count(found)} of ${plural(names, 'bone')} found here`,

  searchMotions: 'Search motions',
  noMotions: 'No motions yet.',
  nothingToMove: 'A motion moves bones or morphs, and this has none.',
  noMotionsText:
    'Drop a motion file on top: a .psa, .cast or .seanim, a GLB, FBX or BVH. Its bones should have the names of this model’s, or both be human bodies.',
  noModelText: 'Drop a model with its motions, or a motion alone: the skeleton of a .psa or .cast is shown.',
  noSuchMotion: 'No motion has that name.',
  motionsFound: (found: number, all: number) => `${plural(found, 'motion')} of ${all}`,
  restPose: 'Rest pose',
  asBuilt: 'as the model was built',
  noName: '(no name)',
  frames: (frames: number) => `${frames} frames`,
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
  loops: (isOn: boolean, isOfFile: boolean) => `: ${isOn ? 'over and over' : 'once'}${isOfFile ? ', as the file says' : ''}`,
  once: 'once',
  rangeEnds: { from: 'Start of what is played', to: 'End of what is played' },
  noMotion: 'no motion',
  reading: 'What it moves',
  readings: {
    auto: 'automatic',
    file: 'as the file says',
    everything: 'all, whatever a .config says',
    'rotation-only': 'rotations only',
    additive: 'added to the rest pose',
  },
  marker: (name: string, time: string) => `Marker ${name} at ${time}`,
  markers: (markers: number, from: string, to: string) => `${plural(markers, 'marker')} from ${from} to ${to}: the next one`,
  searchMoments: 'Search names',
  noSuchMoment: 'Nothing has that name.',
  notesOf: (notes: string, motion: string) => `${notes} in ${motion}`,

  // View
  drawnAs: 'Drawn as',
  modes: {
    lit: 'Lit',
    unlit: 'Unlit',
    clay: 'Clay',
    normals: 'Normals',
    uv: 'UV checker',
    colors: 'Vertex colours',
    weights: 'Bone weights',
    sections: 'Materials apart',
  },
  bone: 'Bone',
  camera: 'Camera',
  cameras: 'Cameras of the file',
  throughCamera: (name: string) => `Through ${name}`,
  fieldOfView: 'Angle of view',
  light: 'Light',
  exposure: 'Exposure',
  lightTurn: 'Turned by',
  surroundings: 'Surroundings',
  surroundingKinds: { room: 'room', studio: 'studio', day: 'day', evening: 'evening', night: 'night', image: 'a panorama …' },
  background: 'Background',
  backgrounds: { page: 'as the page', white: 'white', grey: 'grey', black: 'black', surroundings: 'the surroundings' },
  standsWrong: 'Stands wrong?',
  upAxis: 'Up in the file',
  turnedBy: 'Turned',
  scale: 'Scale',
  plainRoot: 'Root stored like other bones (Unreal)',
  rigging: 'Constraints and IK',
  riggingKinds: { ik: 'IK', constraint: 'constraint' },

  // Layers
  layers: 'How it plays',
  onTop: 'On top',
  compareWith: 'Skeleton of',
  none: 'none',
  weight: 'Weight',
  onlyBelow: 'Only below',
  allBones: 'all bones',
  topIsAdded: 'It is made of differences: they are added.',
  topIsMixed: 'It is mixed in by its weight.',
  topNeedsMotion: 'Nothing plays that it could lie on.',

  // Recordings
  recording: {
    hands: { left: 'Left hand', right: 'Right hand' },
    fingers: { thumb: 'Thumb', index: 'Index', middle: 'Middle', ring: 'Ring', pinky: 'Little' },
    bends: ['Knuckle', 'Middle', 'End'],
    notSeen: (hand: string) => `${hand}: not seen now.`,
    pinching: 'pinching',
    pinchStrength: (strength: string, millimetres: string) =>
      `Pinch strength ${strength}: thumb and index finger are ${millimetres} mm apart.`,
    apart: (whole: string, shape: string) => `${whole} mm from the other take; ${shape} mm with one wrist laid on the other.`,
    compare: 'Compare with',
    dropAnother: 'Drop another recording on the page to compare both.',
    shift: 'The other one ahead',
    ahead: (seconds: string) => `${seconds} s`,
    isNone: (name: string) => `${name} is no recording that could be compared.`,
  },
  fingertips: 'Trails of the fingertips',
  noMarkers: 'Nobody marked anything.',
  handLetters: { left: 'L', right: 'R' },
  pinch: (number: number) => `Pinch ${number}`,
  lasting: (time: string) => `for ${time}`,
  seenFor: (time: string, share: string, pieces: number) =>
    `Seen for ${time}${share}${pieces > 1 ? `, in ${plural(pieces, 'piece')}` : ''}`,
  neverSeen: 'Never seen.',
  neverPinched: 'It never pinched.',
  span: (from: string, to: string) => `${from} to ${to}`,
  /** Spans in seconds, '' for none. */
  hand: (hand: 'left' | 'right', seen: string, pinching: string) =>
    `${hand === 'left' ? 'Left' : 'Right'} hand: ${seen ? `seen ${seen} seconds` : 'never seen'}; ${pinching ? `pinching ${pinching} seconds` : 'never pinching'}`,

  // Scene
  looks: {
    sky: 'The file’s sky',
    lamps: 'The file’s lights',
    colliders: 'Outlines of colliders',
    lights: 'Outlines of lights',
    particles: 'Outlines of particle emitters',
  },
  presets: {
    neutral: 'Neutral',
    happy: 'Happy',
    angry: 'Angry',
    sad: 'Sad',
    relaxed: 'Relaxed',
    surprised: 'Surprised',
    blink: 'Blink',
    blinkLeft: 'Left eye shut',
    blinkRight: 'Right eye shut',
    aa: 'Mouth: a',
    ih: 'Mouth: i',
    ou: 'Mouth: u',
    ee: 'Mouth: e',
    oh: 'Mouth: o',
  } as Record<string, string>,
  expressions: 'Expressions',
  relax: 'Relax the face',
  avatar: {
    mix: 'Mix them',
    life: 'Alive',
    look: 'Eyes follow the pointer',
    head: 'The head goes along',
    blink: 'Blinks',
    idle: 'Breathes while nothing plays',
  },
  swinging: 'Swinging',
  springBones: 'Spring bones',
  springRules: { title: 'They swing', unity: 'as in UniVGO', vrm: 'as in VRM' },
  backToRest: 'Back to rest',
  show: 'Show',
  rightsTo: (name: string) => `Rights to ${name}`,
  rightsToQuoted: (name: string) => `Rights to “${name}”`,
  authorAndRights: 'Author and rights',
  moreRights: (more: number) => `and rights to ${count(more)} more parts`,
  asksFirst: 'Asks before it opens',
  particles: 'Particles',
  particlesText: 'They fly as the file says; the report names what of them is not played.',
  andMore: (more: number) => `and ${count(more)} more`,

  // Morphs
  searchMorphs: 'Search morphs',
  setAllToZero: 'Set all to 0',
  noMorphs: 'This model has no morph targets.',
  noSuchMorph: 'No morph has that name.',
  firstMorphs: (most: number, all: number) => `The first ${most} of ${plural(all, 'morph')}: search for the others.`,

  // Inspect
  noParts: 'Nothing to show yet.',
  triangleCount: (triangles: number) => plural(triangles, 'triangle'),
  inspect: {
    what: 'Look into',
    stage: 'What stands on the stage',
    bytesOf: (name: string) => `Bytes of ${name}`,
    search: 'Search names',
    nothingFound: 'Nothing has that name.',
    details: 'What is known of it',
    reading: 'Reading the file again …',
    noOutline: 'Of this format only what stands on the stage can be looked into.',
    fileIsGone: 'The file cannot be read any more. Drop it again.',
    groups: {
      meshes: 'Meshes',
      bones: 'Bones and nodes',
      materials: 'Materials',
      images: 'Images',
      motions: 'Motions',
      expressions: 'Expressions',
      lights: 'Lights',
      cameras: 'Cameras',
      references: 'Other files it names',
    },
    motionsOf: (name: string) => `Motions of ${name}`,
    shows: (name: string) => `Show ${name}`,
    moreProperties: 'and more',
    yes: 'yes',
    no: 'no',
    kind: 'Kind',
    name: 'Name',
    id: 'Id',
    hash: 'Hash',
    parts: 'Parts',
    bytes: (size: number) => plural(size, 'byte'),
    bytesFrom: (from: string, to: string) => `Bytes 0x${from} to 0x${to}`,
    bytesBefore: 'Bytes before',
    bytesAfter: 'Bytes after',
    showBytes: 'Show it in the file',
    hang: 'Hangs on it',
    hangText: 'It goes where this goes. GLB, glTF and VRM files of this model hold it, too.',
    boundTo: 'Bound to',
    bones: (bones: number) => plural(bones, 'bone'),
    uvSets: 'UV sets',
    colors: 'Vertex colours',
    attributes: 'Attributes',
    below: 'Below',
    placeNow: 'Position now',
    turnNow: 'Rotation now',
    scaleNow: 'Scale now',
    placeAtRest: 'Position at rest',
    turnAtRest: 'Rotation at rest',
    scaleAtRest: 'Scale at rest',
    inScene: 'In the scene',
    segmentScale: 'Refuses its parent’s scale',
    model: 'Shading',
    color: 'Colour',
    glow: 'Glow',
    slot: 'What the image is for',
    slots: {
      baseColor: 'Colour',
      normal: 'Normals',
      emissive: 'Glow',
      orm: 'Occlusion, roughness, metalness',
      roughness: 'Roughness',
      metallic: 'Metalness',
      occlusion: 'Occlusion',
      opacity: 'Opacity',
    },
    putImage: 'Put an image on it …',
    metalness: 'Metalness',
    roughness: 'Roughness',
    alpha: 'Transparency',
    alphaModes: { opaque: 'opaque', mask: 'cut out', blend: 'blended', add: 'added', multiply: 'multiplied' },
    side: 'Drawn from',
    sides: { front: 'the front', back: 'the back', both: 'both sides' },
    kept: 'Kept',
    inFile: 'in the file',
    besideFile: 'beside the file',
    frames: 'Frames',
    tracks: 'Tracks',
    moves: 'Moves',
    keys: (keys: number) => plural(keys, 'key'),
    keysLabel: 'Keys',
    curve: (what: string, keys: number) => `${what}, ${plural(keys, 'key')}`,
    interpolation: 'Between keys',
    mode: 'Mode',
    override: 'Mode override',
    overridden: (mode: string, node: string, what: string, isSelf: boolean) =>
      `${mode} for ${what} ${isSelf ? 'of and below' : 'below'} ${node}`,
    at: 'At',
    mesh: 'mesh',
    intensity: 'Intensity',
    range: 'Range',
    shines: 'Shines',
    nearFar: 'Sees from – to',
    isNeeded: 'Needed',
    isThere: 'Found',
  },

  // Report
  verdicts: {
    error: 'Something in here could not be read.',
    warning: 'Usable, with warnings.',
    info: 'In good order, with remarks.',
    ok: 'In good order.',
  },
  noReport: 'Nothing has been opened yet.',
  remarks: (remarks: number) => plural(remarks, 'remark'),
  moreFindings: 'There are more findings than are listed here.',
  finding: { here: 'Here', code: 'Code', byte: 'At byte', path: 'In', times: 'Times', help: 'What helps' },
  facts: {
    length: 'Length',
    markers: 'Markers',
    vertices: 'Vertices',
    triangles: 'Triangles',
    bones: 'Bones',
    materials: 'Materials',
    morphs: 'Morphs',
    size: 'Size',
    motions: 'Motions',
    instances: 'Instances',
    ofFiles: 'of files',
  },
  partOf: (name: string) => `Part of ${name}`,
  hangsOn: (bone: string) => `hangs on ${bone}`,
  standsBeside: 'beside the model',
  placedBy: (name: string) => `placed by ${name}`,
  motionHere: (name: string) => `this motion on this model, from ${name}`,
  rights: {
    title: 'Title',
    author: 'Author',
    organization: 'Organization',
    version: 'Version',
    createdDate: 'Made',
    updatedDate: 'Changed',
    distributionUrl: 'Published at',
    licenseUrl: 'Licence',
    copyright: 'Copyright',
    generator: 'Written by',
  },

  // Commands: their names, and what the help says of them where that is more.
  commands: {
    save: { title: 'Save as …', help: 'save what is shown as GLB, Cast and others' },
    play: { title: 'Play', help: 'play, pause' },
    stepBack: { title: 'One frame back', help: 'with Shift: ten' },
    stepOn: { title: 'One frame on', help: 'with Shift: ten' },
    toStart: { title: 'To the start', help: '' },
    toEnd: { title: 'To the end', help: '' },
    rangeFrom: { title: 'Play from here', help: 'a piece of the motion starts here' },
    rangeTo: { title: 'Play to here', help: 'a piece of the motion ends here' },
    rangeAll: { title: 'Play all of it', help: 'not only a piece' },
    unit: { title: 'Frames or seconds', help: '' },
    mode: { title: 'Drawn as', help: 'clay, normals, UV checker, weights …' },
    bounds: { title: 'Bounding box', help: '' },
    rigging: { title: 'Lines of constraints and IK', help: '' },
    front: { title: 'From the front', help: '', label: 'Front' },
    right: { title: 'From the right', help: '', label: 'Right' },
    top: { title: 'From above', help: '', label: 'Top' },
    opposite: { title: 'From the other side', help: '', label: 'Opposite' },
    focus: { title: 'Look at the bone', help: 'or at all of the model', label: 'Focus' },
    flat: { title: 'Without perspective', help: 'orthographic' },
    trail: { title: 'Way of the bone', help: 'of the bone that was clicked' },
    next: { title: 'Next motion', help: 'previous, next motion' },
    model: { title: 'Next model', help: 'next, previous model' },
    undo: { title: 'Undo', help: 'undo what was opened or closed', label: 'Undo' },
    reload: { title: 'Read again from disk', help: 'after an export: the same model and motion', label: 'Reload' },
    close: { title: 'Close all', help: '', label: 'Close all' },
    reset: { title: 'Show all of it', help: 'show all of it' },
    bones: { title: 'Skeleton', help: 'skeleton; click a bone for its name' },
    names: { title: 'Names of bones and joints', help: '' },
    axes: { title: 'Axes of bones and joints', help: 'X red, Y green, Z blue' },
    sockets: { title: 'Sockets', help: 'places for hats and weapons that the file names' },
    wire: { title: 'Wireframe', help: 'wireframe' },
    colors: { title: 'Vertex colours', help: 'vertex colours' },
    grid: { title: 'Grid', help: 'grid' },
    loop: { title: 'Loop', help: 'as the file says, over and over, or once' },
    lock: { title: 'Keep the root in place', help: 'keep the root in place' },
    trails: { title: 'Trails', help: 'recordings: trails' },
    camera: { title: 'Through the recorded camera', help: 'recordings: through the recorded camera' },
    leave: { title: 'Leave the recorded camera', help: '' },
    open: { title: 'Open files', help: 'open files', label: 'Open' },
    folder: { title: 'Open a folder', help: '', label: 'Folder' },
    picture: { title: 'Save a picture', help: 'or a film' },
    embed: { title: 'Copy a frame for a page', help: 'where all of it came from addresses' },
    swap: { title: 'Swap with the compared motion', help: '' },
    link: { title: 'Copy a link to this', help: 'where all of it came from addresses' },
    theme: { title: 'Dark or light', help: '' },
    language: { title: 'Language', help: 'English, 日本語' },
    help: { title: 'Keys and help', help: '' },
  } as CommandWords,
  colorLayer: (layer: number, layers: number) => `, layer ${layer} of ${layers}`,
  keys: 'All that can be done',
  searchCommands: 'Search',
  noSuchCommand: 'Nothing is called that.',
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
  fingers: 'Drag turns, two fingers move, pinch zooms. Tap a bone for its name.',
  mouse: 'Drag turns, right drag (or two fingers) moves, wheel or pinch zooms. With the picture focused, arrows turn and + − zoom.',
};

export type Words = typeof en;
