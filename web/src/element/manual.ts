// Documentation of <rigcast-viewer>, except its attributes, which are documented in attributes.ts.
// Used by the documentation scripts; pages never load this file.
import type { RigcastViewerEvents } from './types.ts';

/** One-sentence summary of the element. */
export const DESCRIPTION = 'A 3D model with its animations.';

export interface Member {
  name: string;
  type: string;
  text: string;
}

/** Properties that do not reflect an attribute. */
export const PROPERTIES: readonly (Member & { isReadOnly: boolean })[] = [
  {
    name: 'ready',
    type: 'Promise<RigcastViewerReady>',
    isReadOnly: true,
    text: 'Resolves with the rig and its view when the model and all its textures and animations are loaded. Rejects if loading fails.',
  },
  {
    name: 'fileResolver',
    type: 'FileResolver | null',
    isReadOnly: false,
    text: 'A function of the page that returns files by name. Called for keys and side files before they are fetched, and for textures that were not found.',
  },
  {
    name: 'labels',
    type: 'Partial<Labels>',
    isReadOnly: false,
    text: "Texts that replace the built-in ones, such as `{ play: 'Start' }`. `RigcastViewerElement.labels` sets them for all elements that are added afterwards.",
  },
  {
    name: 'animations',
    type: 'readonly AnimationInfo[]',
    isReadOnly: true,
    text: 'The animations of all files. Animations of the model are first.',
  },
  {
    name: 'currentAnimations',
    type: 'readonly string[]',
    isReadOnly: true,
    text: 'Names of the selected animations, from the bottom layer to the top.',
  },
  {
    name: 'availableVariants',
    type: 'readonly string[]',
    isReadOnly: true,
    text: 'Names of the material variants of a glTF file, for the attribute `variant-name`.',
  },
  { name: 'duration', type: 'number', isReadOnly: true, text: 'Duration of the selected animation in seconds, or 0 if there is none.' },
  { name: 'paused', type: 'boolean', isReadOnly: true, text: 'True if playback is paused.' },
  { name: 'ended', type: 'boolean', isReadOnly: true, text: 'True if playback has reached the end and does not loop.' },
];

export const METHODS: readonly Member[] = [
  { name: 'play', type: '() => Promise<void>', text: 'Starts playback. Loads the model first if necessary.' },
  { name: 'pause', type: '() => void', text: 'Pauses playback.' },
  { name: 'seek', type: '(seconds: number) => void', text: 'Moves playback to a time in seconds.' },
  { name: 'resetView', type: '() => void', text: 'Resets the camera to the view of the attributes, or to a view of the whole model.' },
  {
    name: 'getCameraOrbit',
    type: '() => CameraOrbit | null',
    text: 'Returns the position of the camera around its target: `{ theta, phi, radius }` in radians and metres. `toString()` returns a value for `camera-orbit`.',
  },
  {
    name: 'getCameraTarget',
    type: '() => { x: number; y: number; z: number } | null',
    text: 'Returns the target of the camera in metres.',
  },
  {
    name: 'pick',
    type: '(x: number, y: number) => PickResult | null',
    text: 'Returns the model, mesh, bone and position at a point of the window (`clientX`, `clientY`).',
  },
  {
    name: 'toBlob',
    type: '(options?: PictureOptions) => Promise<Blob>',
    text: 'Renders the current frame to an image, in its final light. Options: `{ width, height, mime, quality, background }`.',
  },
  {
    name: 'toVideo',
    type: '(options?: VideoOptions) => Promise<Blob>',
    text: 'Renders the selected animation to an MP4, WebM or GIF file, or to numbered PNG pictures in a ZIP archive. Each frame is drawn for its exact time. Playback is paused. Options: `{ format, width, height, frameRate, turn, isHeld, background, isTransparent, signal, onFrame }`; with `turn`, the camera moves around the model once in this number of seconds.',
  },
  {
    name: 'exportGlb',
    type: '() => Promise<ExportedModel>',
    text: 'Converts the model with all its animations to GLB. Returns `{ name, blob, report }`; `report` lists what the file cannot store, as that of `convert`. A model that is a GLB already is returned unchanged, unless `files` adds animations to it.',
  },
  {
    name: 'exportUsdz',
    type: '() => Promise<ExportedModel>',
    text: 'Writes the shown pose as USDZ, which iPhones and iPads open in Quick Look. Returns `{ name, blob, report }`; `report` lists what is lost, such as animations and skeleton.',
  },
];

/** Type of `event.detail` and description of each event. */
export const EVENTS: Readonly<Record<keyof RigcastViewerEvents, { detail: string; text: string }>> = {
  firstframe: { detail: '', text: 'Fired when the first frame of a model is drawn. Its textures and animations may still be loading.' },
  load: { detail: '{ rig, view }', text: 'Fired when the model and all its textures and animations are loaded.' },
  progress: {
    detail: '{ fraction, loaded, total }',
    text: 'Fired while files load. `fraction` is from 0 to 1. `loaded` is the number of bytes of all files; `total` is null while the size of a file is unknown.',
  },
  error: {
    detail: '{ message, error, report }',
    text: 'Fired when loading fails, or when an animation file or an attribute is invalid. In the second case the model stays visible.',
  },
  report: { detail: '{ file, report }', text: 'Fired once for each file that was read.' },
  play: { detail: '', text: 'Fired when playback starts.' },
  pause: { detail: '', text: 'Fired when playback pauses.' },
  ended: { detail: '', text: 'Fired when playback reaches the end and does not loop.' },
  ratechange: { detail: '', text: 'Fired when `speed` changes.' },
  timeupdate: { detail: '{ time }', text: 'Fired up to four times per second during playback, and when playback stops or seeks.' },
  animationchange: { detail: '{ names }', text: 'Fired when other animations are selected.' },
  animationevent: {
    detail: '{ name, time, animation }',
    text: 'Fired when playback passes an animation event, such as a footstep. No event is skipped, even after a long frame.',
  },
  arstatus: {
    detail: '{ status }',
    text: 'Fired when AR changes. `session-started`: the model is shown with WebXR, or the app of the device was opened. `object-placed`: the visitor has put the model on a floor (WebXR). `not-presenting`: AR with WebXR has ended. `failed`: AR could not start.',
  },
  camerachange: { detail: '{ orbit, target, fieldOfView }', text: 'Fired when the camera moves.' },
};

export const SLOTS: Readonly<Record<string, string>> = {
  poster: 'Replaces the poster.',
  progress: 'Replaces the progress bar.',
  error: 'Replaces the error message and its button.',
  toolbar: 'Replaces the toolbar.',
  'ar-button': 'Replaces the content of the AR button.',
  'interaction-prompt': 'Replaces icon and text of the interaction prompt.',
  hotspot:
    'A label in the scene. Its slot name begins with `hotspot`, such as `hotspot-hand`. It follows a bone (`data-bone="hand_r"`), with an offset in the local axes of the bone (`data-offset="0 10cm 0"`), or stays at a point (`data-position="0m 1.5m 0m"`). With `data-normal="0m 0m 1m"` it fades and ignores clicks while the normal points away from the camera. The normal is in the local axes of the bone if there is one.',
};

export const PARTS: Readonly<Record<string, string>> = {
  viewport: 'Area that receives pointer input.',
  canvas: 'The rendered picture.',
  poster: 'The poster, which is shown until the first frame is drawn.',
  'poster-image': 'Image of the poster.',
  progress: 'The progress display, which is shown if loading takes longer than a second.',
  'progress-bar': 'Bar of the progress display.',
  error: 'Error message.',
  'retry-button': 'Button in the error message that loads the model again.',
  hotspots: 'Container of the hotspots.',
  controls: 'Container of the toolbar.',
  toolbar: 'The toolbar.',
  'play-button': 'Play and pause button.',
  'animation-menu': 'Menu of animations.',
  'time-slider': 'Time slider.',
  'event-marker': 'Marker of an animation event on the time slider.',
  'time-display': 'Time as a number.',
  'speed-menu': 'Menu of speeds.',
  'reset-button': 'Button that resets the camera.',
  'ar-button': 'Button that shows the model in AR.',
  'ar-overlay': 'Text and button over the camera picture of a phone, during AR with WebXR.',
  prompt: 'The interaction prompt.',
  'download-button': 'Button that saves the model as GLB.',
  'fullscreen-button': 'Full-screen button.',
};

export const CSS_PROPERTIES: Readonly<Record<string, string>> = {
  '--rigcast-background': 'Background colour.',
  '--rigcast-accent': 'Colour of progress bar, time slider and focus outlines.',
  '--rigcast-grid': 'Colour of the floor grid.',
  '--rigcast-grid-opacity': 'Opacity of the floor grid, 0 to 1.',
  '--rigcast-shadow-opacity': 'Opacity of the shadow, 0 to 1.',
  '--rigcast-hotspot-opacity': 'Opacity of hotspots that face away from the camera, 0 to 1.',
  '--rigcast-skin': 'Colour of recorded hands.',
  '--rigcast-toolbar-background': 'Background colour of the toolbar.',
  '--rigcast-toolbar-color': 'Text and icon colour of the toolbar.',
  '--rigcast-error-background': 'Background colour of the error message.',
  '--rigcast-error-color': 'Text colour of the error message.',
};

export const STATES: Readonly<Record<string, string>> = {
  loading: 'A model is being loaded.',
  ready: 'The model is loaded.',
  playing: 'An animation is playing.',
  error: 'Loading has failed.',
  lost: 'The graphics context is lost.',
};
