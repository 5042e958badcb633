// All English texts of the viewer. Each other language has a file with the same keys. The compiler
// reports missing keys.
import type { PartDoubt } from '../../core/characters.ts';
import type { Advice } from '../../session/advice.ts';
import type { ProgressStep } from '../../session/openResult.ts';
import type { UnopenedFile, Problem } from '../../session/problem.ts';
import type { SkippedEntry } from '../../session/notices.ts';
import { bytes, count } from '../dom.ts';
import { amountText } from '../../convert/common/units.ts';
import type { Target } from '../../convert/targets.ts';

const plural = (value: number, one: string, many = `${one}s`): string => `${count(value)} ${value === 1 ? one : many}`;
/** Joins the first three names and appends the number of the others. */
const some = (names: readonly string[]): string =>
  names.slice(0, 3).join(', ') + (names.length > 3 ? ` and ${count(names.length - 3)} more` : '');

/** Maximum number of characters of a URL that are shown. */
const MAX_ADDRESS = 200;

/**
 * Texts of an error card: what happened (`title`) and what to do (`next`). `action`: label of the
 * button that helps; '' if there is none.
 */
export interface Trouble {
  title: string;
  next: string;
  action: string;
}

type Of<Thing extends { code: string }, Code extends Thing['code']> = Extract<Thing, { code: Code }>;
/** One function per code. Each function receives an object with its code and returns the text. */
export type Sentences<Thing extends { code: string }, Text> = { [Code in Thing['code']]: (thing: Of<Thing, Code>) => Text };

const trouble = (title: string, next: string, action = ''): Trouble => ({ title, next, action });

const methods: Record<number, string> = { 9: 'Deflate64', 12: 'BZIP2', 14: 'LZMA', 93: 'Zstandard', 95: 'XZ', 98: 'PPMd' };

const reasonLeftOut = ({ why, method }: SkippedEntry): string =>
  ({
    encrypted: 'encrypted',
    method: `compressed with ${methods[method] ?? `method ${method}`}`,
    large: 'requires ZIP64 support',
    damaged: 'damaged',
  })[why];

/** Lists the skipped files of an archive with the reasons. */
const leftOut = (entries: readonly SkippedEntry[]): string => some(entries.map(entry => `${entry.name} (${reasonLeftOut(entry)})`));

const unknownFile: Record<string, string> = { EMPTY_FILE: 'is empty', ALL_ZEROS: 'is empty', HTML_PAGE: 'is a web page' };

/** Returns an explanation of an HTTP status, with an instruction. */
function reasonOf(status: number): string {
  if (status === 404 || status === 410) return 'The file doesn’t exist on the server. Check the address.';
  if (status === 401 || status === 403) return 'The server requires you to sign in. Download the file there, then open it here.';
  return 'The server refused the request. Try again later, or download the file and open it here.';
}

/**
 * Texts of error cards, by code of the problem. `meaning`: explanation of the finding; '' if there
 * is none.
 */
const problems: Sentences<Problem, Trouble> & { damaged: (thing: Of<Problem, 'damaged'>, meaning?: string) => Trouble } = {
  'no-files': () => trouble('No files found.', 'Open a model, or the folder that contains it.'),
  'only-companions': ({ names }) =>
    trouble(
      names.length === 1 ? `${names[0]} isn’t a model or an animation.` : 'None of these files is a model or an animation.',
      names.length === 1
        ? 'If it belongs to a model, open the model next; this file will be kept.'
        : 'If they belong to a model, open the model next; these files will be kept.',
    ),
  'needs-file': ({ name, wanted, path }) =>
    trouble(
      `${name} needs another file: “${wanted.slice(0, MAX_ADDRESS)}”.`,
      `Drop that file here too, or choose it. ${
        path === null
          ? 'It was originally in the same folder.'
          : `The model refers to it by the path “${path.slice(0, MAX_ADDRESS)}”, which a web page can’t open.`
      }`,
      'Choose file',
    ),
  'needs-key': ({ name, wanted, isWrong, length }) =>
    trouble(
      isWrong ? `This key can’t decrypt ${name}.` : `${name} is encrypted.`,
      `${length ? `A key file has 32 bytes, but this one has ${length}. ` : ''}The key is a separate small file, usually named “${wanted}”. Drop it here, or choose it. The model and the key stay on your device.`,
      isWrong ? 'Choose another key file' : 'Choose key file',
    ),
  damaged: ({ name, finding, detail }, meaning: string = '') => {
    const what = meaning && detail ? `${meaning.replace(/\.$/, '')}: ${detail}.` : meaning || (detail ? `${detail}.` : 'It is damaged.');
    const next =
      finding === 'FOREIGN_LAYOUT'
        ? 'The program that wrote the file didn’t follow the format. Export the file with another program, or open it with the layout option of the rigcast command line.'
        : 'Check that the file was copied or downloaded completely, or try another copy.';
    return trouble(`${name} can’t be read.`, `${what} ${next}`);
  },
  'not-unpacked': ({ name, entries }) =>
    trouble(`rigcast can’t unpack ${name}.`, `Skipped: ${leftOut(entries)}. Unpack the archive with another program, then open the files.`),
  unknown: ({ name, cause, detail }) =>
    trouble(
      unknownFile[cause] ? `${name} ${unknownFile[cause]}.` : `rigcast can’t read ${name}.`,
      detail || 'Its format isn’t supported. Check that it’s the right file.',
    ),
  'none-readable': ({ all }) =>
    trouble(`rigcast can’t show any of these ${plural(all, 'file')}.`, 'Open a model, or the folder that contains it.'),
  'invalid-url': ({ text }) => trouble(`“${text.slice(0, MAX_ADDRESS)}” isn’t a valid address.`, 'Open the file instead.'),
  'unsupported-protocol': () => trouble('Only http and https addresses can be opened.', 'Open the file instead.'),
  'file-missing': ({ name }) => trouble(`${name} was moved or deleted.`, 'Open the file again.'),
  unreachable: ({ name }) =>
    trouble(
      `${name} couldn’t be downloaded.`,
      'The server is unreachable, or it doesn’t allow other sites to read its files (CORS). Download the file yourself, then open it here.',
    ),
  'download-failed': ({ name, status }) => trouble(`${name} couldn’t be downloaded (HTTP ${status}).`, reasonOf(status)),
  'save-failed': ({ format, message }) =>
    trouble(
      `Couldn’t save as ${format}.`,
      `${message.slice(0, 1).toUpperCase()}${message.slice(1).replace(/\.$/, '')}. Choose another format.`,
    ),
  failed: ({ message }) => trouble('Something went wrong.', message),
};

/** Pieces of advice, by code. `meaning`: explanation of the finding; '' if there is none. */
const advice: Sentences<Advice, string> & { damage: (thing: Of<Advice, 'damage'>, meaning?: string) => string } = {
  damage: ({ name, finding, detail, more }, meaning = '') =>
    `${name || 'This file'} is damaged, so parts are missing. ${meaning || `${detail || finding}.`}${more > 0 ? ` There ${more === 1 ? 'is' : 'are'} ${plural(more, 'more error')}.` : ''} See the Report for details.`,
  truncated: ({ name, size, meshes, more }) =>
    `${name || 'This file'} is incomplete: it ends after ${bytes(size)}${meshes > 0 ? `, and at least ${plural(meshes, 'mesh', 'meshes')} ${meshes === 1 ? 'is' : 'are'} missing` : ''}.${more > 0 ? ` There ${more === 1 ? 'is' : 'are'} ${plural(more, 'more error')}.` : ''} Copy or download the file again. The Report lists what is missing.`,
  'animations-only': ({ name, models }) =>
    `${name} contains only animations. Open their model${models.length > 0 ? ` (.${models.join(' or .')})` : ''} too.`,
  'empty-recording': ({ name }) => `${name} is an empty recording: its curves have no keys.`,
  'no-matching-bones': () =>
    'These animations don’t match any bones in this model. If both are humanoid, select one in Animations to retarget it. Otherwise, open the model they were made for.',
  'different-skeleton': ({ name, found, names }) =>
    `${name} was made for another skeleton: this model has only ${count(found)} of its ${plural(names, 'bone')}. You can still play it from the Animations list.`,
  retargetable: ({ name, madeFor }) =>
    `${name} was made for ${madeFor}. To retarget one of its animations to this model, select it in Animations.`,
  retargeted: ({ madeFor, method, bones }) =>
    method === 'hands'
      ? `The recorded hands drive this model’s fingers (${plural(bones, 'bone')}).`
      : method === 'none'
        ? `This animation was made for ${madeFor}. No bones could be paired: choose them in the bone map.`
        : `This animation was made for ${madeFor} and is retargeted by ${method === 'names' ? 'bone name' : 'body part'} (${plural(bones, 'bone')}).`,
  'treated-as-additive': () =>
    'This animation seems to be additive, so it’s played on top of the rest pose. Its format can’t mark additive animations.',
  'looks-additive': () => 'This animation seems to be additive. Played as a normal animation, it may make the model collapse.',
  'missing-tracks': ({ name }) =>
    `${name} seems to have no keys for some bones, so the model may collapse. If a .config file was exported with it, open that file too.`,
  'lying-down': ({ name }) => `${name} seems to be lying down: its head isn’t above its feet.`,
  'missing-files': ({ names }) =>
    `${plural(names.length, 'file')} of this scene ${names.length === 1 ? 'is' : 'are'} missing: ${some(names)}. Open ${names.length === 1 ? 'it' : 'them'}, or the folder that contains ${names.length === 1 ? 'it' : 'them'}.`,
  'missing-textures': ({ names, isAll }) =>
    `The textures ${isAll ? 'of this model' : `of ${some(names)}`} weren’t found. Open the images, or the folder that contains them.`,
  'unmatched-images': ({ images, materials }) =>
    `${plural(images.length, 'image')} not used, ${plural(materials.length, 'material')} without a texture. Their names don’t match.`,
  'nothing-to-draw': ({ name }) => `${name} contains nothing that can be shown.`,
  'skeleton-only': ({ name }) => `${name} has a skeleton but no mesh. Open the model that belongs to it.`,
  'no-animations': ({ isSkeleton }) =>
    isSkeleton
      ? 'This skeleton has no animation. Open an animation, or the model.'
      : 'This model has no animation. Open one to see it move.',
  'available-parts': ({ names }) =>
    `${plural(names.length, 'other file')} ${names.length === 1 ? 'has' : 'have'} the same skeleton and may be part of this model: ${some(names)}.`,
  'several-models': ({ name, of, reason }) =>
    `You opened ${plural(of, 'model')}. ${name} is shown first${reason === 'animations' ? ' because the animations fit it best' : reason === 'vertices' ? ' because it has the most vertices' : ''}. To show another one, choose it under Files or press N.`,
  'too-many-files': ({ maxFiles }) => `Only the first ${count(maxFiles)} files were scanned.`,
  'archive-skipped': ({ name, isLarge }) => `${name} was skipped because it’s ${isLarge ? 'too large to unpack' : 'damaged'}.`,
  'not-unpacked': ({ name, entries }) =>
    `${plural(entries.length, 'file')} in ${name} couldn’t be unpacked: ${leftOut(entries)}. To open ${entries.length === 1 ? 'the file' : 'these files'}, unpack the archive with another program.`,
  'too-many-animations': ({ opened, all }) =>
    `Only ${count(opened)} of ${plural(all, 'animation file')} are open: those whose names resemble the model’s. To open another one, click it in Files.`,
  'unused-companions': ({ names, areImages }) =>
    areImages
      ? `No material uses ${some(names)}. Match the images with materials, or drop one onto the model.`
      : `No open file uses ${some(names)}.`,
  'unreadable-animations': ({ names }) => `${plural(names.length, 'animation file')} couldn’t be read: ${some(names)}.`,
};

const partDoubts: Sentences<PartDoubt, string> = {
  'rest-differs': ({ same, common }) => `only ${count(same)} of ${plural(common, 'shared bone')} have the same position`,
  'own-animations': ({ name }) => `has its own animations: ${name}`,
  'own-textures': ({ name }) => `has its own texture: ${name}`,
  alternative: ({ name }) => `may replace ${name}: both cover the same bones`,
};

const steps: Sentences<ProgressStep, string> = {
  opening: ({ name }) => `Opening ${name} …`,
  'reading-models': ({ at, of }) => `Reading model ${at} of ${of} …`,
  'opening-animations': ({ at, of }) => `Opening animation file ${at} of ${of} …`,
  'reading-keys': ({ at, of }) => `Downloading animation ${at} of ${of} …`,
};

/**
 * Ids of the commands. In their texts, `help` is the longer text in the command list ('' if there
 * is none), and `label` is the text of the button.
 */
type CommandId =
  | 'play'
  | 'library'
  | 'stepBack'
  | 'stepOn'
  | 'toStart'
  | 'toEnd'
  | 'rangeFrom'
  | 'rangeTo'
  | 'rangeAll'
  | 'unit'
  | 'trail'
  | 'drawer'
  | 'boneMap'
  | 'trim'
  | 'resetEdits'
  | 'mode'
  | 'bounds'
  | 'rigging'
  | 'front'
  | 'right'
  | 'top'
  | 'opposite'
  | 'focus'
  | 'flat'
  | 'webgpu'
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
  | 'swap'
  | 'match'
  | 'measure'
  | 'vr'
  | 'ar'
  | 'fly'
  | 'bookmark'
  | 'watch'
  | 'share';
type CommandWords = Record<CommandId, { title: string; help: string; label?: string }>;

export const en = {
  problems,
  advice,
  steps,

  /**
   * Reason why a file can't be shown. The text follows the name of the file. `meaning`: explanation
   * of the finding.
   */
  closed: ({ why, finding, detail }: UnopenedFile, meaning: string) =>
    why === 'companion'
      ? 'isn’t a model. It may belong to one.'
      : why === 'animation'
        ? 'is an animation. Open its model too.'
        : why === 'damaged'
          ? `can’t be read: ${detail || meaning || 'it is damaged'}`
          : `${unknownFile[finding] ?? 'isn’t in a supported format'}. ${detail}`.trim(),

  // The page
  demoTitle: (name: string) => `Demo: ${name}`,
  pageTitle: (name: string) => (name ? `${name} – rigcast` : 'rigcast viewer'),
  canvas: (name: string) =>
    name ? `3D view of ${name}. Drag or use Alt with the arrow keys to orbit, plus and minus to zoom.` : '3D view, empty',
  demos: 'Demos',
  demoNames: { pip: 'Pip the fox', tock: 'Tock the robot', isle: 'A small island', lotl: 'Lotl the axolotl', hands: 'Waving hands' },
  demoKinds: { pip: 'Unreal', tock: 'Cast', isle: 'Cast scene', lotl: 'VGO avatar', hands: 'MRTK recording' },
  demoKind: (kind: string, size: number) => `${kind}, ${bytes(size)}`,
  panelArea: 'Panels',
  resizePanels: 'Resize panels',
  darkTheme: 'Dark theme',
  lightTheme: 'Light theme',
  view: 'View',
  pageCommands: 'Commands',
  menu: 'Menu',
  openFiles: 'Open files',
  openAnother: 'Open another file',
  adviceArea: 'Advice',
  dismiss: 'Dismiss',
  close: 'Close',
  cancel: 'Cancel',
  loading: 'Loading',
  dropTitle: 'Drop to open',
  dropText: 'Models, animations, textures or whole folders',
  contextLost: 'The browser lost access to the graphics card and is restoring the view. If it stays empty, reload the page.',
  whatWasFound: 'Findings',
  /** `meaning`: explanation of the finding code. `detail`: text about this finding. */
  found: (meaning: string, detail: string) => `${detail || meaning}`,
  atByte: (offset: number) => `, byte ${count(offset)}`,

  // While files are opened
  scanning: 'Scanning files …',
  saving: 'Saving …',
  rendering: 'Rendering …',
  transparent: 'Transparent background',
  includeFloor: 'Include floor',
  savePng: 'Save PNG',
  pictureFailed: 'Couldn’t render the picture.',
  capture: {
    kind: 'Picture or video',
    picture: 'Picture',
    video: 'Video',
    pixelsOf: (width: number, height: number) => `${width} × ${height} pixels`,
  },
  video: {
    title: 'Save video',
    content: 'Content',
    contents: { animation: 'Animation', turntable: 'Turntable', both: 'Animation and turntable' },
    range: 'Range',
    ranges: { selected: 'Selected range', whole: 'Whole animation' },
    turnSeconds: 'Turn in seconds',
    format: 'Format',
    formats: { mp4: 'MP4 (H.264)', webm: 'WebM', gif: 'Animated GIF', png: 'PNG pictures in a ZIP file' },
    noEncoder: 'This browser can’t encode MP4 or WebM in this size. Choose GIF or PNG pictures.',
    noMp4: 'This browser can’t encode MP4 in this size.',
    noWebm: 'This browser can’t encode WebM in this size.',
    frameRate: 'Frames per second',
    size: 'Size',
    viewSize: (size: string) => `${size} (3D view)`,
    customSize: 'Custom',
    pixels: 'Pixels',
    width: 'Width in pixels',
    height: 'Height in pixels',
    summary: (frames: number, seconds: number, width: number, height: number) =>
      `${plural(frames, 'frame')}, ${seconds.toFixed(2)} seconds, ${width} × ${height} pixels`,
    tooLong: (frames: number, limit: number) =>
      `The video would have ${plural(frames, 'frame')}; the limit is ${count(limit)}. Choose a lower frame rate or a shorter range.`,
    render: 'Render video',
    frame: (index: number, of: number) => `Frame ${count(index)} of ${count(of)}`,
    ready: 'The video is ready.',
    failed: (reason: string) => `Couldn’t render the video: ${reason}`,
    back: 'Change settings',
  },
  saveText: 'Save as text',
  saveJson: 'Save as JSON',
  share: {
    localText: 'Other people can’t open files on your device. Upload the files to a web server, then enter their addresses.',
    demoText: 'This is a demo. To share a model of your own, upload its files to a web server, then enter their addresses.',
    modelAddress: 'Address of the model',
    otherAddresses: 'Addresses of animations and textures, separated by spaces',
    invalidAddress: 'Enter complete addresses that begin with https:// or http://.',
    kind: 'Share as',
    includeView: 'Include the current view',
    includeSaved: (views: number) => `Include ${plural(views, 'saved view')}`,
    kinds: { link: 'Link', iframe: 'HTML: iframe', tag: 'HTML: <rigcast-viewer>', markdown: 'Markdown' },
    hints: {
      link: 'Opens the files in this viewer.',
      iframe: 'For wikis, forums and other pages that allow frames but no scripts.',
      tag: 'For your own web page. The server of the files and this server must allow other sites to read them (CORS).',
      markdown: 'A link to this viewer, for README files, forums and chats.',
    },
    code: 'Text to share',
    copy: 'Copy',
    copied: 'Copied.',
    copyFailed: 'The browser doesn’t allow copying here. Copy the selected text yourself.',
    unreadable: (address: string) =>
      `${address} couldn’t be read. Check the address. Its server must allow other sites to read its files (CORS).`,
    embeddingNotAllowed: (address: string) =>
      `This frame can’t load the files yet: it only loads files from folders that its owner allows. The owner can add the folder of ${address} to the rigcast-root line of embed.html.`,
  },
  tooLargeToUnpack: (name: string) => `${name} is too large to unpack.`,
  nothingLost: 'Nothing is lost when saving.',
  lostOrConverted: 'Lost or changed when saving:',
  attachedOmitted: (names: string) => `Not included: ${names}. Only GLB, glTF and VRM can contain attached models.`,
  attachedNotAnimated: (names: string) => `Included, but without bone animation: ${names}.`,
  otherModelsOmitted: (names: string) =>
    `Not included: ${names}. Only the main model is saved. To save another one, select it in Files first.`,
  saveFormat: 'Format',
  saveAnimations: { title: 'Animations', all: 'All for this model', selected: 'Selected', none: 'None' },
  /** `names`: names of the animations. */
  savesEdits: (names: string) => `Saved with your edits: ${names}.`,
  saveSwitches: {
    merge: 'Merge all parts into one file with one skeleton',
    meshopt: 'Compress with meshopt (not every program can open it)',
    webp: 'Convert images to lossless WebP',
    bson: 'Write BSON instead of JSON',
    'root-bone': 'Add a root bone if there are no bones (for Unreal Engine 3)',
    v10: 'Write version 10 (few programs can open it)',
    gzip: 'Compress with GZIP',
    encrypted: 'Encrypt (also saves a new key file)',
  },
  /**
   * Labels of conversion targets. Empty in English, because the list of writers contains the
   * English labels.
   */
  targets: {} as Partial<Record<Target, string>>,
  /** Programs that read each format of the save dialog. */
  readers: {
    glb: 'One file for Blender, Unreal, Godot, three.js and most viewers.',
    gltf: 'The same as GLB in several files, which can be edited separately.',
    vrm: 'For avatar apps that read VRM 1.0.',
    cast: 'For the Cast add-ons of Blender and Maya.',
    se: 'For the SE add-ons of Blender and Maya.',
    psk: 'For the PSK add-on of Blender and the ActorX importer of 3ds Max.',
    psa: 'For the PSK add-on of Blender and the ActorX importer of 3ds Max.',
    uemodel: 'For the UEFormat add-on of Blender.',
    vgo: 'For UniVGO in Unity.',
    mrtk: 'For the input playback of MRTK in Unity.',
    iwer: 'For WebXR pages in a browser without a headset.',
    csv: 'For spreadsheets and Python.',
    json: 'For programs of your own.',
  },
  savedFile: (name: string) => `Saved ${name} to your downloads.`,
  saveAll: (name: string) => `Save all as ${name}`,
  saveFile: (name: string, size: number) => `Save ${name} (${bytes(size)})`,
  amount: (amount: number, unit: string) => amountText(amount, unit) && `(${amountText(amount, unit)})`,
  retargeting: 'Retargeting …',
  readingKeys: 'Downloading the animation …',
  playWithoutRetargeting: 'Play without retargeting',
  standUp: 'Rotate upright',
  matching: {
    title: 'Match images',
    button: 'Match …',
    about: 'Choose a texture slot, then its image. The model changes at once.',
    slots: 'Texture slots',
    images: 'Images',
    search: 'Search images',
    allImages: 'Show images in use too',
    noImages: 'All images are in use.',
    none: 'No image',
    fromFile: 'From the file',
    used: 'in use',
    notDrawn: 'no preview',
    triangles: (triangles: number) => plural(triangles, 'triangle'),
    imageFor: (slot: string, material: string) => `${slot} of ${material}`,
    suggested: { name: 'Suggested by name', size: 'Suggested by size' },
    apply: 'Apply',
    applyTo: (image: string, slot: string, material: string) => `Apply ${image} to ${slot} of ${material}`,
    applyAll: (suggestions: number) => `Apply ${plural(suggestions, 'suggestion')}`,
    remove: (image: string, slot: string) => `Remove ${image} from ${slot}`,
    addSlot: 'Add slot …',
    addSlotTo: (material: string) => `Add slot to ${material}`,
    shared: 'Use for all models in this folder that have these material names',
    channels: ['Red', 'Green', 'Blue', 'Alpha'],
    contents: { '-': 'Not used', o: 'Occlusion', r: 'Roughness', g: 'Gloss', m: 'Metallic' },
    slotNames: {
      baseColor: 'Base colour',
      normal: 'Normal',
      emissive: 'Emissive',
      packed: 'Packed channels',
      metallic: 'Metallic',
      roughness: 'Roughness',
      gloss: 'Gloss',
      occlusion: 'Occlusion',
      opacity: 'Opacity',
    },
  },
  imageApplied: (image: string, material: string) => `${image} applied to ${material}.`,
  imageNotApplied: (image: string, material: string) => `${image} couldn’t be applied to ${material}.`,
  addToScene: (name: string) => `Add ${name} to the scene`,
  addedToScene: (name: string) => `${name} added to the scene.`,
  noMesh: (name: string) => `${name} has no mesh to show.`,
  selected: (name: string) => `${name} selected.`,
  modelRemoved: (name: string) => `${name} removed from the scene.`,
  modelAttached: (model: string, bone: string) => `${model} attached to ${bone}.`,
  addToRestPose: 'Add to rest pose',
  addToBase: 'Add to base animation',
  addedTo: (name: string) => `Playing on top of ${name}.`,
  busy: 'Loading …',
  reloadingAnimations: 'Reloading animations …',
  reloading: 'Reloading …',
  placing: (done: number, total: number) => `Loading file ${count(done)} of ${count(total)} of the scene …`,
  languageChanged: 'Language: English',
  webgpuOn: 'WebGPU draws the picture.',
  webgpuOff: 'WebGL draws the picture.',
  noWebGPU: 'WebGPU isn’t available in this browser. WebGL draws the picture.',
  languageFailed: 'The language couldn’t be loaded. Check your connection.',
  demoFailed: (status: number | null) =>
    status === null ? 'The demo couldn’t be loaded because the server is unreachable.' : `The demo couldn’t be loaded (HTTP ${status}).`,

  /** `reason`: a complete sentence. */
  withoutDemo: (reason: string) => `${reason} You can still open your own files.`,

  // Announced to screen readers
  cancelled: 'Cancelled.',
  modelOpened: (name: string, animations: number) => `Opened ${name} with ${plural(animations, 'animation')}.`,
  animationsAdded: (animations: number) => `${plural(animations, 'animation')} added.`,
  reloaded: 'Reloaded.',
  addedToModel: 'Files added to the model.',

  // Start
  start: 'Welcome',
  startTitle: 'Drop a rig. Watch it move.',
  startText: 'Drop models, animations and textures, or a whole folder.',
  touchStartTitle: 'Open a rig. Watch it move.',
  touchStartText: 'Open models, animations and textures together, or a whole folder.',
  /** Used by index.html. */
  stays: 'Your files stay on your device.',
  reads: (formats: readonly string[]) =>
    `Opens ${formats.slice(0, -1).join(', ')} and ${formats.at(-1)}. Textures and sidecar files are found automatically. Your files stay on your device.`,
  showDemo: 'Show demo',
  undoClose: 'Undo close',
  reopen: (name: string, more: number) => (more > 0 ? `Reopen ${name} and ${count(more)} more` : `Reopen ${name}`),
  recent: (names: readonly string[]) => `Recent: ${names.join(', ')}`,

  // Questions
  openLink: 'Open a link',
  openLinkTitle: 'Open this link?',
  openLinkText: 'The link comes from the open file, not from rigcast.',
  openTab: 'Open in new tab',

  sharedTitle: 'Open shared files?',
  sharedText: (names: readonly string[]) => `Another app or page sent ${some(names)}.`,
  openShared: 'Open',
  release: 'A new version of rigcast is available. Reloading closes all open files.',
  loadRelease: 'Reload',

  // Panels
  panels: { files: 'Files', animations: 'Animations', look: 'Look', details: 'Details' },
  /** Headings of the help dialog. */
  commandGroups: { playback: 'Playback', camera: 'Camera', look: 'Look', files: 'Files', page: 'Page' },
  /** Texts of panels without content. */
  emptyPanels: {
    files: 'Files that you open are listed here.',
    animations: 'Animations of the open files are listed here.',
    look: 'Open a model to change how it looks.',
    details: 'Open a model to inspect it.',
  },
  sections: {
    files: 'Files',
    animations: 'Animations',
    recording: 'Recording',
    poses: 'Hand poses',
    blends: 'Poses',
    events: 'Events',
    tracking: 'Hand tracking',
    avatar: 'Face',
    shading: 'Shading',
    materials: 'Materials',
    show: 'Show',
    camera: 'Camera',
    light: 'Light and background',
    springs: 'Spring bones',
    rigging: 'Constraints and IK',
    particles: 'Particles',
    orientation: 'Orientation',
    inspect: 'Inspect',
    measure: 'Measure',
    morphs: 'Morph targets',
    rights: 'Author and licence',
    report: 'Report',
  },
  errors: (errors: number) => plural(errors, 'error'),
  warnings: (warnings: number) => plural(warnings, 'warning'),

  // Files
  fileCount: (files: number) => plural(files, 'file'),
  animationCount: (own: number, all: number) =>
    own === all ? plural(all, 'animation') : `${count(own)} of ${plural(all, 'animation')} match this model`,
  models: (models: number) => `Models (${count(models)})`,
  animationFiles: (files: number) => `Animations (${count(files)})`,
  otherFiles: (files: number) => `Other files (${count(files)})`,
  library: {
    title: 'Library',
    back: 'Back to model',
    found: (found: number, all: number) => (found === all ? plural(all, 'model') : `${count(found)} of ${plural(all, 'model')}`),
    filter: 'Filter models',
    format: 'Format',
    allFormats: 'All formats',
    skeleton: 'Skeleton',
    allSkeletons: 'All skeletons',
    skeletonOf: (root: string, bones: number, models: number) => `${root} · ${plural(bones, 'bone')} (${count(models)})`,
    starred: 'Only models with a star',
    star: (name: string) => `Star ${name}`,
    columns: { name: 'Name', bones: 'Bones', triangles: 'Triangles', animations: 'Animations', textures: 'Textures', date: 'Date' },
    ascending: 'Ascending',
    descending: 'Descending',
    tiles: 'Show as tiles',
    list: 'Show as list',
  },
  convertFolder: {
    title: 'Convert folder',
    button: 'Convert folder …',
    about: (models: number, animations: number) =>
      `${plural(models, 'model')}, ${plural(animations, 'animation file')}. Each model is saved with the animations that match it.`,
    intoFolder: 'Save to folder …',
    intoZip: 'Save as ZIP',
    reading: (at: number, of: number) => `Reading file ${count(at)} of ${count(of)} …`,
    converting: (at: number, of: number) => `Converting ${count(at)} of ${count(of)} …`,
    done: (converted: number, failed: number, isCancelled: boolean) =>
      `${isCancelled ? 'Cancelled. ' : ''}${plural(converted, 'file')} converted${failed > 0 ? `, ${count(failed)} not converted` : ''}.`,
    savedIn: (folder: string) => `Saved in ${folder}.`,
    notConverted: (files: number) => `Not converted (${count(files)})`,
    losses: (losses: number) => `Losses and notes (${count(losses)})`,
    unreadable: 'The file can’t be read.',
    unused: {
      unmatched: 'No model matches this animation.',
      'without-skeleton': 'This file contains animations but no skeleton. Add the model that they were made for.',
      empty: 'The file contains neither a model nor an animation.',
    },
  },
  searchFiles: 'Search files',
  sortBy: 'Sort by',
  orders: { name: 'Name', size: 'Size', folder: 'Folder' },
  noResults: 'No results.',
  more: (more: number) => `${count(more)} more. Search to find them.`,
  notOpen: (size: number) => `not open, ${bytes(size)}`,
  modelFacts: (bones: number, triangles: number) =>
    [bones > 0 && plural(bones, 'bone'), triangles > 0 && plural(triangles, 'triangle')].filter(Boolean).join(' · '),
  isDamaged: 'damaged',
  levels: 'Level of detail',
  level: (level: number) => `LOD ${level}`,
  parts: 'Model parts',
  partDoubts,
  moreParts: (parts: number) => `${plural(parts, 'possible part')} with the same skeleton`,
  addParts: 'Add to model',
  partsAdded: (names: string) => `${names} added to the model.`,
  partsRemoved: (names: string) => `${names} removed from the model.`,
  undone: 'Undone.',
  isClosed: 'All files closed. To reopen them, choose Undo.',

  // Animations
  noMatchingBones: 'no matching bones',
  bonesMoved: (moved: number, bones: number) => `${count(moved)} of ${plural(bones, 'bone')}`,
  forThisModel: (animations: number) => `For this model (${count(animations)})`,
  showOtherAnimations: (animations: number) =>
    animations === 1 ? 'Show 1 animation for another model' : `Show ${count(animations)} animations for other models`,
  hideOtherAnimations: 'Hide animations for other models',
  otherAnimations: (animations: number) => `For other models (${count(animations)})`,

  bonesMatching: (found: number, names: number) => `${count(found)} of ${plural(names, 'bone')} match`,

  searchAnimations: 'Search animations',
  noAnimations: 'No animations yet.',
  nothingToAnimate: 'This model has no bones and no morph targets to animate.',
  onlyMorphsToAnimate: 'This model has no bones. Animations can only change its morph targets.',
  noAnimationsText:
    'Open an animation file: .psa, .cast, .seanim, .ueanim, .uepose, GLB, FBX or BVH. Its bones must have the same names as the bones of this model, unless both are humanoid.',
  noModelText: 'Open a model and its animations. Without a model, rigcast can show the skeleton of .psa and .cast animations.',
  animationsFound: (found: number, all: number) => `${count(found)} of ${plural(all, 'animation')}`,
  restPose: 'Rest pose',
  bindPose: 'bind pose',
  noName: '(no name)',
  frames: (frames: number) => plural(frames, 'frame'),
  rate: (rate: number) => `${Number(rate.toFixed(2))} fps`,
  /** 1.25 -> "1.25 s" */
  clock: (seconds: number, digits = 2) => `${seconds.toFixed(digits)} s`,
  seconds: (seconds: number) => `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`,
  pose: '1 frame',

  // Timeline
  playback: 'Playback',
  pause: 'Pause',
  time: 'Time',
  speed: 'Speed',
  frameOf: (frame: number, last: number) => `${frame} / ${last}`,
  secondOf: (time: string, duration: string) => `${time} / ${duration} s`,
  loops: (isOn: boolean, isOfFile: boolean) => `: ${isOn ? 'on' : 'off'}${isOfFile ? ', as in the file' : ''}`,
  once: 'plays once',
  rangeEnds: { from: 'Range start', to: 'Range end' },
  noAnimation: 'no animation',
  playAs: 'Play as',
  playAsChoices: {
    auto: 'Automatic',
    file: 'From the file',
    everything: 'All bones (ignore .config)',
    'rotation-only': 'Rotations only',
    additive: 'Additive (on rest pose)',
  },
  event: (name: string, time: string) => `Event ${name} at ${time}`,
  events: (events: number, from: string, to: string) => `${count(events)} events between ${from} and ${to}: go to the next`,
  searchEvents: 'Search events',
  eventsOf: (events: number, animation: string) => `${plural(events, 'event')} in ${animation}`,

  // Drawer
  drawer: {
    title: 'Timeline',
    resize: 'Resize timeline',
    view: 'View of the timeline',
    views: { keys: 'Keys', curves: 'Curves', layers: 'Layers', bones: 'Bone map', hands: 'Hands', edit: 'Edit', markers: 'Markers' },
    noAnimation: 'Select an animation to see its keys, curves and layers, and to edit it.',
    rows: 'Bones and their keys',
    keys: (keys: number, times: string, isFrames: boolean) =>
      keys === 0 ? 'no keys' : `${plural(keys, 'key')} at ${isFrames ? 'frames' : 'seconds'} ${times}`,
    frame: (frame: string) => `frame ${frame}`,
    noMoreKeys: 'No more keys.',
    summary: (moving: number, keyed: number) => `${count(moving)} of ${count(keyed)} move`,
    search: 'Search bones',
    show: 'Rows',
    filters: { moving: 'Moving bones', keyed: 'Bones with keys', chosen: 'Selected bones', all: 'All bones' },
    hasChannels: 'Channels',
    channels: {
      translation: 'Location',
      rotation: 'Rotation',
      scale: 'Scale',
      weight: 'Weight',
      visible: 'Visibility',
      shown: 'Visibility',
      property: 'Property',
      material: 'Material',
    } as Record<string, string>,
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    fit: 'Fit',
    chooseForCurves: 'Select bones to see their curves. Ctrl or Shift selects several.',
    noCurves: 'The selected bones have no keys in these channels.',
    hiddenCurves: (tracks: number) => `${plural(tracks, 'more curve')} not shown. Select fewer bones.`,
    comparedDashed: 'dashed: compared animation',
  },

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
  cameras: 'Cameras in file',
  throughCamera: (name: string) => `View through ${name}`,
  fieldOfView: 'Field of view',
  materials: {
    material: 'Material',
    changed: 'changed',
    values: {
      color: 'Base colour',
      metallic: 'Metallic',
      roughness: 'Roughness',
      alphaMode: 'Alpha mode',
      opacity: 'Opacity',
      alphaCutoff: 'Alpha cutoff',
      uvSet: 'UV set',
      doubleSided: 'Double-sided',
    },
    alphaModes: { opaque: 'Opaque', mask: 'Mask', blend: 'Blend' },
    uvSet: (number: number) => `Set ${count(number)}`,
    reset: (value: string) => `Reset: ${value}`,
    resetMaterial: 'Reset material',
    save: 'Save values …',
    load: 'Load values …',
    about: 'Save values as a file and keep it beside the model. The viewer, the element and the command line then use it.',
    loaded: (name: string) => `Values of ${name} applied.`,
    invalid: (name: string) => `${name} contains no valid material values.`,
  },
  measure: {
    from: 'From',
    to: 'To',
    surface: 'Point on the surface',
    hint: 'Click two points of the model, or choose two bones.',
    ended: 'Measuring ended.',
    clear: 'Clear',
    units: 'units',
    inFile: (metres: string, own: string) => `${metres} (${own} in the file)`,
  },
  bookmarks: {
    title: 'Saved views',
    name: 'Name of the view',
    save: 'Save view',
    numbered: (number: number) => `View ${count(number)}`,
    saved: (name: string) => `${name} saved.`,
    shown: (name: string) => name,
    remove: (name: string) => `Delete ${name}`,
    removed: (name: string) => `${name} deleted.`,
  },
  fly: {
    help: 'Fly with W, A, S, D, down with Q, up with E. Shift is faster. Drag or use the arrow keys to look around. Esc exits.',
    ended: 'Fly mode ended.',
    exit: 'Exit fly mode',
    moves: { KeyW: 'Forward', KeyS: 'Back', KeyA: 'Left', KeyD: 'Right', KeyE: 'Up', KeyQ: 'Down' },
  },
  immersive: {
    vr: 'The model is in the headset. Trigger or pinch: play and pause. Thumbstick: turn around the model, step closer or back.',
    ar: 'Aim at the floor and tap to put the model there. Drag to rotate it.',
    failed: 'VR or AR could not start. Check that the device is ready and that the page may use it.',
    leave: 'Leave',
  },
  watch: {
    started: (name: string) => `Watching ${name}. Changed files are reloaded.`,
    ended: 'Watching ended.',
    unavailable: 'This browser can’t watch folders. Use Chrome or Edge on a computer.',
  },
  exposure: 'Exposure',
  lightRotation: 'Rotation',
  environment: 'Environment',
  environments: { room: 'Room', studio: 'Studio', day: 'Day', evening: 'Evening', night: 'Night', image: 'Image …' },
  background: 'Background',
  backgrounds: { page: 'Match page', white: 'White', grey: 'Grey', black: 'Black', environment: 'Environment' },
  upAxis: 'Up axis',
  rotation: 'Rotation',
  scale: 'Scale',
  conjugateRoot: 'Conjugate root rotation (Unreal)',
  riggingKinds: { ik: 'IK', constraint: 'constraint' },

  // Layers
  none: 'None',
  weight: 'Weight',
  layers: {
    animation: 'Animation',
    layer: 'Layer',
    compareWith: 'Compare with',
    weight: 'Weight',
    bones: 'Bones',
    allBones: 'All bones',
    boneAndBelow: (name: string) => `${name} and its children`,
    additive: 'Additive',
    fade: 'Fade',
    fadeText: 'Fades the layer in at the start of the animation, and out at its end.',
    layerText: 'Plays a second animation on top, for example on the upper body only.',
    isAdditive: 'The layer is added to the animation.',
    isDeclaredAdditive: 'The layer is added to the animation, as its file declares.',
    isBlended: 'The layer is blended with the animation according to its weight.',
    comparedText: 'Shows the bones of a second animation in pink, and its curves as dashed lines.',
    onionSkins: 'Onion skins',
    beforeAndAfter: (poses: number) => `${count(poses)} before and after`,
    every: 'every',
    frames: 'frames',
    onionText: 'Shows the bones in earlier poses in green, and in later poses in blue.',
    onionWithoutLayer: 'Shows the bones in earlier poses in green, and in later poses in blue, without the layer.',
    noLayers: 'Recordings have no layers.',
  },
  markers: {
    title: 'Markers',
    add: 'Add at current time',
    save: 'Export JSON',
    load: 'Import JSON …',
    none: 'No markers yet. Add one at the current time (key M), or import a JSON file.',
    newName: (number: number) => `Marker ${number}`,
    at: (time: string) => `Marker at ${time}`,
    nameAt: (time: string) => `Name of the marker at ${time}`,
    added: (time: string) => `Marker at ${time} added.`,
    remove: (time: string) => `Delete marker at ${time}`,
    removed: (time: string) => `Marker at ${time} deleted.`,
    loaded: (markers: number) => `${plural(markers, 'marker')} imported.`,
    notLoaded: (name: string) => `${name} contains no markers.`,
  },
  boneMap: {
    title: 'Bone map',
    columns: ['Bone of the model', 'Moved by', 'Found by', 'Actions'],
    filters: { all: 'All bones', paired: 'Paired', unpaired: 'Not paired', changed: 'Set manually' },
    summary: (paired: number, all: number, method: string) =>
      `${count(paired)} of ${count(all)} paired${
        { names: ' by bone name', body: ' by body part', hands: ' by recorded joint', none: '' }[method] ?? ''
      }`,
    foundBy: { stated: 'Set manually', name: 'Same name', part: 'Body part', position: 'Position', joint: 'Recorded joint' },
    foundAs: {
      part: (part: string) => `Body part: ${part}`,
      position: (part: string) => `Position along the body: ${part}`,
      joint: (part: string) => `Recorded joint: ${part}`,
    },
    unpaired: 'Not paired',
    unused: 'Moves no bone',
    restPose: 'Rest pose',
    choose: 'Choose …',
    chooseSource: (target: string) => `Bone that moves ${target}`,
    chooseTarget: (source: string) => `Bone that ${source} moves`,
    sourceOf: (target: string, source: string) => `${target} is moved by: ${source}`,
    clear: (target: string) => `Clear ${target}`,
    reset: (target: string) => `Reset ${target}`,
    resetAll: 'Reset all',
    resetDone: 'Bone map reset.',
    wasReset: (target: string) => `${target} reset.`,
    loaded: (pairs: number) => `Bone map with ${plural(pairs, 'pair')} imported.`,
    tooLarge: 'The file is too large for a bone map.',
    unknown: (names: string, more: number) =>
      `The bone map has names that do not exist here: ${names}${more > 0 ? ` and ${count(more)} more` : ''}`,
    notRetargeted: 'This animation is not retargeted. Its curves move the bones with the same names.',
    retarget: 'Retarget',
    noSkeleton: 'The skeleton of this animation is unknown. Add the model that it was made for.',
    needsModel: (name: string) => `${name} is a bone map. Open a model and its animations first.`,
  },
  // Edits of the current animation, in the drawer
  edit: {
    edited: 'edited',
    /** Announced after an edit. */
    changed: (name: string, seconds: string) => `Playing ${name}, ${seconds}.`,
    editedName: (name: string) => `${name} (edited)`,
    about: 'Edits play at once, and are saved with the animation.',
    notEditable: 'Recordings and animations that play together can’t be edited.',
    range: 'Range',
    rangeText: (from: string, to: string, isFrames: boolean) => (isFrames ? `Frames ${from} to ${to}` : `${from} to ${to} s`),
    setRange: 'Set a range with [ and ] or the buttons above, or find the best loop.',
    findLoop: 'Find loop',
    noLoop: 'No loop was found, because the animation rotates no bones or is too short.',
    loop: 'Loop',
    closeLoop: 'Close loop',
    travel: 'Movement',
    travels: { file: 'From file', 'in-place': 'In place', 'root-motion': 'Root motion' },
    lockHeading: 'Lock heading',
    feet: 'Feet',
    changes: 'Changes',
    nothingChanged: 'The edits change nothing.',
    applyToAll: 'Apply to all animations',
    appliedToAll: (others: number) => `The edits apply to ${plural(others, 'more animation')}.`,
  },

  checks: {
    measuring: 'Measuring …',
    noLoop: 'Only single animations of bones can be checked.',
    matches: 'The last frame matches the first, so the animation loops without a jump.',
    differs: (place: string, turn: string) => `The animation jumps when it loops: ${[place, turn].filter(Boolean).join(', and ')}.`,
    apart: (bone: string, distance: string) => `${bone} by ${distance}`,
    turned: (bone: string, degrees: string) => `${bone} turns by ${degrees}°`,
    travels: (distance: string, degrees: string) =>
      `From the first frame to the last, the body moves ${distance} over the ground and turns by ${degrees}°.`,
    noFeet: 'Feet are measured only in models with a humanoid skeleton.',
    noContacts: 'No foot touches the ground.',
    noSlide: (distance: string) => `No foot slides more than ${distance} while it is on the ground.`,
    slides: (sliding: number, contacts: number) =>
      `A foot slides in ${count(sliding)} of ${plural(contacts, 'ground contact')}. Select one to see it:`,
    slide: (foot: 'left' | 'right', distance: string, from: string, to: string, isFrames: boolean) =>
      `${foot === 'left' ? 'Left' : 'Right'} foot ${distance}, ${isFrames ? `frames ${from} to ${to}` : `${from} to ${to} s`}`,
  },

  // Metadata of VRM, in the words of its specification
  vrm: {
    title: 'Title, author, licence and thumbnail',
    about: 'Others see these values when they use the avatar. Permissions that the file does not declare have the most restrictive value.',
    permissions: 'Permissions',
    apply: 'Apply',
    notApplied: 'Apply the changes before you save.',
    thumbnail: 'Thumbnail',
    takeThumbnail: 'Use current view as thumbnail',
    removeThumbnail: 'Remove thumbnail',
    fields: {
      name: 'Title',
      version: 'Version',
      authors: 'Authors (one per line)',
      copyrightInformation: 'Copyright information',
      contactInformation: 'Contact information',
      references: 'References (one per line)',
      thirdPartyLicenses: 'Third-party licences',
      licenseUrl: 'Licence URL',
      otherLicenseUrl: 'Other licence URL',
      avatarPermission: 'Permission to perform',
      commercialUsage: 'Commercial usage',
      creditNotation: 'Credit notation',
      modification: 'Modification',
      allowRedistribution: 'Redistribution',
      allowExcessivelyViolentUsage: 'Excessively violent usage',
      allowExcessivelySexualUsage: 'Excessively sexual usage',
      allowPoliticalOrReligiousUsage: 'Political or religious usage',
      allowAntisocialOrHateUsage: 'Antisocial or hate usage',
    },
    values: {
      onlyAuthor: 'Only author',
      onlySeparatelyLicensedPerson: 'Only separately licensed person',
      everyone: 'Everyone',
      personalNonProfit: 'Personal, non-profit',
      personalProfit: 'Personal, profit',
      corporation: 'Corporation',
      required: 'Required',
      unnecessary: 'Unnecessary',
      prohibited: 'Prohibited',
      allowModification: 'Allow modification',
      allowModificationRedistribution: 'Allow modification and its redistribution',
      false: 'Not allowed',
      true: 'Allowed',
    } as Record<string, string>,
  },

  // Plots of recorded hands
  hands: {
    about: 'Click a plot to go to that time. Gaps: the hand was not tracked.',
    pinch: 'Pinch strength',
    bend: 'Bend of a joint',
    finger: 'Finger',
    joint: 'Joint',
    save: 'Export CSV',
  },

  // Recordings
  recording: {
    bendTitle: (hand: string) => `${hand}: bend of the joints (0° is straight)`,
    hands: { left: 'Left hand', right: 'Right hand' },
    fingers: { thumb: 'Thumb', index: 'Index', middle: 'Middle', ring: 'Ring', pinky: 'Little' },
    bends: ['Knuckle', 'Middle joint', 'End joint'],
    notTracked: (hand: string) => `${hand}: not tracked.`,
    pinching: 'pinching',
    pinchStrength: (strength: string, millimetres: string) =>
      `Pinch strength ${strength}: thumb and index finger are ${millimetres} mm apart.`,
    difference: (whole: string, shape: string) =>
      `Distance to the other recording: ${whole} mm on average, ${shape} mm with aligned wrists.`,
    compare: 'Compare with',
    compareWith: (name: string) => `Compare with ${name}`,
    dropToCompare: 'To compare, open another recording.',
    comparedColor: 'The other recording is purple.',
    offset: 'Time offset',
    offsetSeconds: (seconds: string) => `${seconds} s`,
    notARecording: (name: string) => `${name} isn’t a hand recording. To compare, choose another file.`,
  },
  noEvents: 'No events.',
  handLetters: { left: 'L', right: 'R' },
  pinch: (number: number) => `Pinch ${number}`,
  lasting: (time: string) => `for ${time}`,
  trackedFor: (time: string, share: string, pieces: number) =>
    `Tracked for ${time}${share}${pieces > 1 ? `, in ${plural(pieces, 'segment')}` : ''}`,
  neverTracked: 'Not tracked.',
  noPinches: 'No pinches.',
  span: (from: string, to: string) => `${from} to ${to}`,
  /** `seen` and `pinching`: lists of time spans in seconds; '' if there are none. */
  handTracked: (hand: 'left' | 'right', seen: string, pinching: string) =>
    `${hand === 'left' ? 'Left' : 'Right'} hand: ${seen ? `tracked ${seen} seconds` : 'not tracked'}; ${pinching ? `pinching ${pinching} seconds` : 'no pinches'}`,

  // Scene
  sceneSwitches: {
    sky: 'Sky from file',
    fileLights: 'Lights from file',
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
    mix: 'Blend expressions',
    idleBehaviour: 'Idle behaviour',
    look: 'Eyes follow pointer',
    head: 'Head follows pointer',
    blink: 'Blinking',
    idle: 'Breathing when idle',
  },
  simulate: 'Simulate',
  springRules: { title: 'Simulation rules', unity: 'UniVGO', vrm: 'VRM' },
  resetSprings: 'Reset spring bones',
  rightsTo: (name: string) => `Licence of ${name}`,
  rightsToQuoted: (name: string) => `Licence of “${name}”`,
  moreRights: (more: number) => `and licences of ${plural(more, 'more part')}`,
  asksBeforeOpening: 'Open link (asks first)',
  particlesText: 'Particles play with the settings of the file. The Report lists settings that aren’t supported.',
  andMore: (more: number) => `and ${count(more)} more`,

  // Morphs
  searchMorphs: 'Search morphs',
  searchPoses: 'Search poses',
  firstPoses: (most: number, all: number) => `First ${count(most)} of ${plural(all, 'pose')}. Search to find the others.`,
  resetAll: 'Reset all',
  firstMorphs: (most: number, all: number) => `First ${count(most)} of ${plural(all, 'morph')}. Search to find the others.`,

  // Inspect
  nothingToShow: 'Nothing to show yet.',
  triangleCount: (triangles: number) => plural(triangles, 'triangle'),
  inspect: {
    title: 'Inspect',
    scene: 'Scene',
    bytesOf: (name: string) => `Bytes of ${name}`,
    search: 'Search by name',
    details: 'Properties',
    readingFile: 'Reading the file …',
    noOutline: 'rigcast can’t show the bytes of this format. Choose Scene instead.',
    fileIsGone: 'The file can no longer be read. Open the file again.',
    groups: {
      meshes: 'Meshes',
      bones: 'Bones and nodes',
      materials: 'Materials',
      images: 'Images',
      animations: 'Animations',
      expressions: 'Expressions',
      lights: 'Lights',
      cameras: 'Cameras',
      references: 'Referenced files',
    },
    animationsOf: (name: string) => `Animations of ${name}`,
    shows: (name: string) => `Show ${name}`,
    more: 'more properties not listed',
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
    attachText: 'The attached model moves with this bone. It is included when you save as GLB, glTF or VRM.',
    boundTo: 'Skinned to',
    bones: (bones: number) => plural(bones, 'bone'),
    uvSets: 'UV sets',
    colors: 'Vertex colours',
    attributes: 'Attributes',
    parent: 'Parent',
    length: 'Length',
    lengthTo: (length: string, child: string) => `${length} to ${child}`,
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
    keysUnread: 'Not downloaded yet. Play the animation to read its keys.',
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
  verdicts: {
    error: 'Some data couldn’t be read.',
    warning: 'Read with warnings.',
    info: 'Read without problems.',
    ok: 'Read without problems.',
  },
  noReport: 'No file is open.',
  notes: (remarks: number) => plural(remarks, 'note'),
  moreFindings: 'Some findings aren’t listed.',
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
  placedBy: (name: string) => `used by the scene ${name}`,
  playedHere: (name: string) => `animation of ${name}, played on this model`,
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
    library: { title: 'Library', help: 'all models of the opened files' },
    save: { title: 'Save as …', help: 'GLB, Cast and other formats' },
    play: { title: 'Play', help: 'or pause' },
    stepBack: { title: 'Previous frame', help: 'with Shift: 10 frames' },
    stepOn: { title: 'Next frame', help: 'with Shift: 10 frames' },
    toStart: { title: 'Go to start', help: '' },
    toEnd: { title: 'Go to end', help: '' },
    rangeFrom: { title: 'Set range start', help: '' },
    rangeTo: { title: 'Set range end', help: '' },
    rangeAll: { title: 'Clear range', help: '' },
    unit: { title: 'Toggle time unit', help: 'frames or seconds' },
    mode: { title: 'Change shading', help: 'lit, clay, normals, UV checker …' },
    bounds: { title: 'Bounding box', help: '' },
    rigging: { title: 'Constraints and IK', help: '' },
    front: { title: 'Front view', help: '', label: 'Front' },
    right: { title: 'Right view', help: '', label: 'Right' },
    top: { title: 'Top view', help: '', label: 'Top' },
    opposite: { title: 'Opposite view', help: '', label: 'Flip' },
    focus: { title: 'Focus bone', help: 'or the whole model', label: 'Focus' },
    flat: { title: 'Orthographic view', help: '' },
    trail: { title: 'Bone trail', help: 'path of the selected bone' },
    next: { title: 'Change animation', help: 'previous, next' },
    model: { title: 'Change model', help: 'next, previous' },
    undo: { title: 'Undo', help: 'the last open, close or material change', label: 'Undo' },
    reload: { title: 'Reload from disk', help: 'keeps the model and animation', label: 'Reload' },
    close: { title: 'Close all', help: '', label: 'Close all' },
    reset: { title: 'Frame all', help: 'shows the whole model' },
    bones: { title: 'Skeleton', help: 'click a bone to see its name' },
    names: { title: 'Bone names', help: '' },
    axes: { title: 'Bone axes', help: 'X red, Y green, Z blue' },
    sockets: { title: 'Sockets', help: 'attachment points in the file' },
    wire: { title: 'Wireframe', help: '' },
    colors: { title: 'Vertex colours', help: '' },
    grid: { title: 'Grid', help: '' },
    trim: { title: 'Trim to range', help: 'the selected animation' },
    resetEdits: { title: 'Reset edits', help: 'of the selected animation' },
    drawer: { title: 'Timeline', help: 'keys, curves, layers, edits and checks, below the view', label: 'Timeline' },
    boneMap: { title: 'Bone map', help: 'of a retargeted animation' },
    loop: { title: 'Loop', help: 'on, off, or as in the file' },
    lock: { title: 'Lock root motion', help: 'keeps the model in place' },
    trails: { title: 'Fingertip trails', help: 'in recordings' },
    camera: { title: 'Recorded camera', help: 'in recordings' },
    leave: { title: 'Exit recorded camera', help: 'also fly mode and measuring' },
    open: { title: 'Open files', help: '', label: 'Open' },
    folder: { title: 'Open folder', help: '', label: 'Folder' },
    picture: { title: 'Save picture or video', help: '' },
    swap: { title: 'Swap compared animations', help: '' },
    measure: { title: 'Measure', help: 'distance between two points' },
    vr: { title: 'Show in VR', help: 'the model in its real size, in a headset' },
    ar: { title: 'Show in your room (AR)', help: 'the model in its real size, in front of the camera' },
    fly: { title: 'Fly', label: 'Fly', help: 'move with W, A, S, D, Q and E' },
    bookmark: { title: 'Show saved view', help: 'saved views 1 to 9' },
    watch: { title: 'Watch folder', label: 'Watch folder', help: 'reload files after a change' },
    match: { title: 'Match images …', help: 'assign images to materials' },
    share: { title: 'Share …', help: 'link, or code for a web page' },
    theme: { title: 'Theme', help: 'dark or light' },
    language: { title: 'Language', help: 'English, 日本語' },
    webgpu: { title: 'Draw with WebGPU', help: 'instead of WebGL' },
    help: { title: 'Help', help: '' },
  } as CommandWords,
  colorLayer: (layer: number, layers: number) => `, layer ${layer} of ${layers}`,
  commandsTitle: 'Commands and shortcuts',
  touchCommandsTitle: 'Commands',
  searchCommands: 'Search commands',
  shiftAnd: (key: string) => `Shift ${key}`,
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
  touchHelp: 'Drag to orbit, use two fingers to pan, pinch to zoom. Touch and hold a bone to select it.',
  mouseHelp: 'Drag to orbit, right-drag to pan, scroll to zoom. Or use Alt with the arrow keys to orbit, and + and − to zoom.',
};

export type Words = typeof en;
