// The documentation of <rigcast-viewer> apart from its attributes, which attributes.ts documents. Pages never load this file.
import type { RigcastViewerEvents } from './types.ts';

/** The element in one sentence. */
export const DESCRIPTION = 'A 3D model with its animations.';

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
