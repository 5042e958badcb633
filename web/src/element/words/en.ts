// English texts of the element, by label. A page can replace each of them (property `labels`). Words
// in braces are placeholders.
import { shellWords } from './shell.ts';

export const en = {
  ...shellWords,
  toolbar: 'Model',
  play: 'Play',
  pause: 'Pause',
  animation: 'Animation',
  restPose: 'Rest pose',
  time: 'Time',
  position: '{time} of {duration} seconds',
  speed: 'Speed',
  reset: 'Reset view',
  ar: 'View in your space',
  arHint: 'Aim at the floor and tap to put the model there. Drag to rotate it.',
  arLeave: 'Leave AR',
  arFailed: 'The model could not be shown in AR.',
  prompt: 'Drag to rotate',
  download: 'Save as GLB',
  downloadFailed: 'The model could not be saved.',
  fullscreen: 'Full screen',
  leaveFullscreen: 'Leave full screen',
};

/** Texts by label. */
export type Labels = Record<keyof typeof en, string>;
