// The words for all that <rigcast-viewer> has: tables of its documentation, `customElements.json` for editors, types for frameworks, and so are made of them,
// with what syntax.ts says of their values. No page loads this file.
import type { AttributeName } from './attributes.ts';
import { ATTRIBUTE_SYNTAX, type AttributeSyntax } from './syntax.ts';
import type { RigcastViewerEvents } from './types.ts';

export interface AttributeManual extends AttributeSyntax {
  group: 'Sources' | 'Motion' | 'Camera' | 'Look' | 'Loading';
  text: string;
}

/** The element in one sentence. */
export const DESCRIPTION = 'A 3D model with its animations.';

const ATTRIBUTE_WORDS: Record<AttributeName, Pick<AttributeManual, 'group' | 'text'>> = {
  src: { group: 'Sources', text: 'Address of the model.' },
  files: {
    group: 'Sources',
    text: 'Addresses of what belongs to it, separated by spaces: motions, textures, side files, keys. The name and content of a file decide what it is for. An address that ends in `manifest.json` is a manifest; one that ends in `/` is the folder of one. Without `src` the first world among them is shown, or the first model if there is no world. The property also takes files in hand: a list of `File`s, or a `Map` of names or paths to `Blob`s; they take the place of the attribute.',
  },
  credentials: { group: 'Sources', text: '`include`: cookies are sent to other origins, too. `omit`: to none. Default `same-origin`.' },
  'allow-origins': {
    group: 'Sources',
    text: 'Origins that a manifest may name, separated by spaces. Default: none; whatever it names lies below its own folder, or is left out.',
  },
  'max-files': {
    group: 'Sources',
    text: 'The number of listed files that are fetched beside the model, six at a time. Default 300: those whose names are most like the name of the model. Textures have a limit of their own, 512.',
  },
  'format-options': { group: 'Sources', text: 'JSON: the `formatOptions` of `open`.' },
  motion: {
    group: 'Motion',
    text: 'A name, a number, or several of them as layers: the later ones go on top, additive ones are added (`Run, Wave` or `["Run", "Wave"]`). Empty: the rest pose. Default: the animations that the file starts by itself, else one of the model’s own: an idle animation by its name, else a walk or run, else the longest loop; none under half a second.',
  },
  additive: {
    group: 'Motion',
    text: '`as-stated`: keys are played as the file states them; `rest`: they are added to the rest pose. Default `detect`: as stated, except that keys which look additive are added to the rest pose if their format cannot declare that (PSA).',
  },
  autoplay: { group: 'Motion', text: 'Plays as soon as it is there; not where the visitor wants less movement.' },
  loop: {
    group: 'Motion',
    text: '`repeat`; `pingpong`: back and forth; `none`: once; `file`: as the file says. Default: again and again, back and forth where the file says so.',
  },
  speed: { group: 'Motion', text: 'Factor; negative: backwards. Default 1.' },
  fade: { group: 'Motion', text: 'Seconds from one motion to the next. Default 0.' },
  time: { group: 'Motion', text: 'Where it begins, in seconds. The property: where it is; setting it goes there.' },
  frame: { group: 'Motion', text: 'The same in frames, counted from 0, of motions that have frames.' },
  'camera-orbit': {
    group: 'Camera',
    text: 'Angle around the model, angle from straight above, distance: `30deg 75deg 105%`, in `deg` or `rad`, `m`, `cm`, `mm` or `%` of the distance from which all is seen; `auto`.',
  },
  'camera-target': { group: 'Camera', text: 'What it looks at: `0m 1m 0m`, each may be `auto`.' },
  'field-of-view': { group: 'Camera', text: '`30deg` or `auto` (32 degrees), vertical.' },
  'min-camera-orbit': { group: 'Camera', text: 'Least angles and distance, in the same words; a distance in metres.' },
  'max-camera-orbit': { group: 'Camera', text: 'Greatest angles and distance.' },
  'min-field-of-view': {
    group: 'Camera',
    text: 'Least `field-of-view`. A visitor’s zoom moves the camera, and leaves the angle as it is.',
  },
  'max-field-of-view': { group: 'Camera', text: 'Greatest `field-of-view`.' },
  view: {
    group: 'Camera',
    text: '`front`, `back`, `left`, `right`, `side`, `top`; `file`: through the first camera of the file; `recorded`: through the eyes of a recording. `camera-orbit` goes before the first six.',
  },
  'auto-rotate': {
    group: 'Camera',
    text: 'Turns by itself, and waits three seconds after the visitor has turned it; not where the visitor wants less movement.',
  },
  interaction: {
    group: 'Camera',
    text: '`auto`: a wheel scrolls the page, and zooms with Ctrl or while the picture has the focus; a finger scrolls up and down and turns sideways. `always`: wheel and fingers are the model’s. `none`: nothing is.',
  },
  'environment-image': {
    group: 'Look',
    text: 'Address of a panorama (equirectangular; Radiance `.hdr`, or an image of the browser’s) that shines and is reflected in place of the built-in room and of a sky of the file.',
  },
  exposure: { group: 'Look', text: 'Factor of all light. Default 1.' },
  background: { group: 'Look', text: 'A colour of CSS.' },
  shadow: { group: 'Look', text: '`none`, or how dark it is, 0 to 1.' },
  ground: { group: 'Look', text: 'A grid on the floor.' },
  skeleton: { group: 'Look', text: 'The bones, drawn through the skin; those of a file without a surface are drawn in any case.' },
  expression: { group: 'Look', text: 'Expressions of a face, by name: `blink:1 aa:0.4`.' },
  alt: { group: 'Loading', text: 'What a screen reader says.' },
  poster: { group: 'Loading', text: 'An image until the first picture is drawn.' },
  loading: { group: 'Loading', text: '`lazy` (default): nothing is fetched before the element is nearly seen. `eager`: at once.' },
  reveal: {
    group: 'Loading',
    text: '`interaction`: the poster is a button, with a sign in its middle unless the slot has a poster, and no model is fetched before it is pressed; what reads and draws it is when the pointer or the focus comes.',
  },
  controls: { group: 'Loading', text: 'A tool bar: play, motion, time, speed, reset, full screen.' },
};

/** By attribute, in the order of the documentation. */
export const ATTRIBUTE_MANUAL = Object.fromEntries(
  (Object.keys(ATTRIBUTE_WORDS) as AttributeName[]).map(name => [name, { ...ATTRIBUTE_SYNTAX[name], ...ATTRIBUTE_WORDS[name] }]),
) as unknown as Record<AttributeName, AttributeManual>;

export interface Member {
  name: string;
  type: string;
  text: string;
}

/** Properties without an attribute. */
export const PROPERTIES: readonly (Member & { isReadOnly: boolean })[] = [
  {
    name: 'ready',
    type: 'Promise<RigcastViewerReady>',
    isReadOnly: true,
    text: 'The rig and its view, when what the attributes name is loaded.',
  },
  {
    name: 'supply',
    type: 'Supply | null',
    isReadOnly: false,
    text: 'Gives files that a model wants, by name: keys and side files before they are looked for, textures that were not found.',
  },
  { name: 'motions', type: 'readonly MotionInfo[]', isReadOnly: true, text: 'The motions of all files, those of the model first.' },
  {
    name: 'current',
    type: 'readonly string[]',
    isReadOnly: true,
    text: 'Names of the motions that are on the model, the lowest layer first.',
  },
  { name: 'duration', type: 'number', isReadOnly: true, text: 'Seconds; 0 without a motion.' },
  { name: 'paused', type: 'boolean', isReadOnly: true, text: 'As of HTMLMediaElement.' },
  { name: 'ended', type: 'boolean', isReadOnly: true, text: 'It has reached its end and does not begin anew.' },
];

export const METHODS: readonly Member[] = [
  { name: 'play', type: '() => Promise<void>', text: 'Plays, and loads before that what nobody has seen yet.' },
  { name: 'pause', type: '() => void', text: 'Stops where it is.' },
  { name: 'seek', type: '(seconds: number) => void', text: 'Goes to a time.' },
  { name: 'resetView', type: '() => void', text: 'Looks from where the attributes say, or at the whole model, again.' },
  {
    name: 'getCameraOrbit',
    type: '() => CameraOrbit | null',
    text: 'Where the camera is: `{ theta, phi, radius }` in radians and metres, as text what `camera-orbit` takes.',
  },
  { name: 'getCameraTarget', type: '() => { x: number; y: number; z: number } | null', text: 'What it looks at, metres.' },
  {
    name: 'pick',
    type: '(x: number, y: number) => Picked | null',
    text: 'The mesh, the bone and the place under a point of the window (`clientX`, `clientY`).',
  },
  {
    name: 'toBlob',
    type: '(options?: PictureOptions) => Promise<Blob>',
    text: 'A picture as it is now: `{ width, height, mime, quality, background }`.',
  },
];

/** What `event.detail` of each event is. */
export const EVENTS: Readonly<Record<keyof RigcastViewerEvents, { detail: string; text: string }>> = {
  load: { detail: '{ rig, view }', text: 'What the attributes name is loaded.' },
  progress: { detail: '{ fraction, loaded, total }', text: '`fraction` from 0 to 1.' },
  error: {
    detail: '{ message, error, report }',
    text: 'What went wrong; the model stays where only a motion beside it, or a name of one, is wrong.',
  },
  report: { detail: '{ file, report }', text: 'For each file that was read.' },
  play: { detail: '', text: 'It plays now.' },
  pause: { detail: '', text: 'It stands now.' },
  ended: { detail: '', text: 'It has come to its end and does not begin anew.' },
  ratechange: { detail: '', text: '`speed` is another one.' },
  timeupdate: { detail: '{ time }', text: 'Up to four times a second while it plays, and when it stops or its time is set.' },
  motionchange: { detail: '{ names }', text: 'Other motions are on the model.' },
  motionevent: {
    detail: '{ name, time, motion }',
    text: 'A note track or marker was passed: one event each time, in order, also when a frame takes long.',
  },
  camerachange: { detail: '{ orbit, target, fieldOfView }', text: 'The camera stands elsewhere.' },
};

export const SLOTS: Readonly<Record<string, string>> = {
  poster: 'In place of the poster.',
  progress: 'In place of the bar of progress.',
  error: 'In place of the sentence that says what went wrong.',
  toolbar: 'In place of the tool bar.',
  hotspot:
    'Any name that begins with `hotspot`: stands at a bone (`data-bone="hand_r"`, and `data-offset="0 10cm 0"` in the bone’s own axes) and follows it while it moves, or at a point (`data-position="0m 1.5m 0m"`). With `data-normal="0m 0m 1m"` (at a bone: in its axes) it fades, and is not to be clicked, while that direction points away from the camera.',
};

export const PARTS: Readonly<Record<string, string>> = {
  stage: 'What the visitor drags on.',
  canvas: 'The picture.',
  poster: 'What is seen until the first picture is drawn.',
  'poster-image': 'Its image.',
  progress: 'Shown while something loads.',
  'progress-bar': 'Its bar.',
  error: 'What went wrong, in words.',
  hotspots: 'What holds the hotspots.',
  controls: 'What holds the tool bar.',
  toolbar: 'The tool bar.',
  'play-button': 'Play and pause.',
  'motion-menu': 'The motions.',
  scrub: 'The time.',
  mark: 'An event of a motion on it.',
  clock: 'The time in numbers.',
  'speed-menu': 'The speed.',
  'reset-button': 'Looks at the whole model again.',
  'fullscreen-button': 'Full screen.',
};

export const CSS_PROPERTIES: Readonly<Record<string, string>> = {
  '--rigcast-background': 'Colour behind the model.',
  '--rigcast-accent': 'Colour of bars and of the focus.',
  '--rigcast-grid': 'Colour of the floor’s grid.',
  '--rigcast-grid-opacity': '0 to 1.',
  '--rigcast-shadow-opacity': '0 to 1.',
  '--rigcast-hotspot-opacity': 'Of hotspots that face away, 0 to 1.',
  '--rigcast-skin': 'Colour of recorded hands.',
  '--rigcast-toolbar-background': 'Colour of the tool bar.',
  '--rigcast-toolbar-color': 'Colour of what is on it.',
  '--rigcast-error-background': 'Colour behind what went wrong.',
  '--rigcast-error-color': 'Colour of its words.',
};

export const STATES: Readonly<Record<string, string>> = {
  loading: 'Something is loaded.',
  ready: 'It is there.',
  playing: 'It plays.',
  error: 'It could not be loaded.',
  lost: 'The graphics context is gone for a moment.',
};
