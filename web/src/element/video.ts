// Renders videos: poses and draws each frame for its exact time, then encodes it. Imported when the
// page requests a video.
import { invalidArgument, outOfRange, RigcastError } from '../core/error.ts';
import { checkOptions } from '../core/options.ts';
import { encodeFrames, FORMAT_TRAITS, VIDEO_FORMATS } from '../encode/encodeFrames.ts';
import { animationFrames, type FrameTime, type PlayedPart, turnSeconds, turntableFrames } from '../encode/frameTimes.ts';
import type { ClipAction } from '../session/clipAction.ts';
import type { Rig } from '../three/rig.ts';
import type { SharedRenderer } from '../view/sharedRenderer.ts';
import type { View } from '../view/view.ts';
import type { ExtraModels } from './extraModels.ts';
import type { VideoOptions } from './types.ts';

/** Frames per second if the animation does not specify a frame rate. */
const FRAME_RATE = 30;

const OPTION_KINDS: Record<keyof VideoOptions, string> = {
  format: 'string',
  width: 'number',
  height: 'number',
  frameRate: 'number',
  turn: 'number',
  isHeld: 'boolean',
  background: 'string',
  isTransparent: 'boolean',
  signal: 'object',
  onFrame: 'function',
};

/** Model, view and animation of a video. */
export interface VideoScene {
  rig: Rig;
  view: View;
  sharedRenderer: SharedRenderer;
  /** The selected animation; null for the rest pose. */
  action: ClipAction | null;
  /** Playback speed as a factor. */
  speed: number;
  /** Models that are shown together with `rig`. */
  extras: Pick<ExtraModels, 'seek' | 'tick'> | null;
}

/** Returns the frames of a video. */
function framesOf(part: PlayedPart | null, { turn }: VideoOptions, frameRate: number): FrameTime[] {
  if (turn) return turntableFrames(turnSeconds(turn, part), frameRate, part);
  return part ? animationFrames(part, frameRate) : [{ time: null, turn: 0 }];
}

/**
 * Renders a video. Requires that the view is invisible, because frames of its own would advance
 * spring bones. The caller restores the pose. Rejects with the signal's reason if it is aborted,
 * with `TypeError` if the format is unknown, with `RangeError` if size or frame rate are out of range,
 * and with VIDEO_FAILED if the browser cannot encode the format.
 */
export function renderVideo(
  { rig, view, sharedRenderer, action, speed, extras }: VideoScene,
  options: VideoOptions,
  signal: AbortSignal,
): Promise<Blob> {
  checkOptions('toVideo', options, OPTION_KINDS);
  const { format = 'mp4', background, isTransparent = false, isHeld = false, onFrame = () => {} } = options;
  if (!VIDEO_FORMATS.includes(format)) throw invalidArgument(`The format “${format}” is unknown. Formats: ${VIDEO_FORMATS.join(', ')}.`);
  const traits = FORMAT_TRAITS[format];
  const part = action && !isHeld && action.duration > action.start ? { from: action.start, to: action.duration, speed: speed || 1 } : null;
  const frameRate = options.frameRate ?? Math.min((part && action?.frameRate) || FRAME_RATE, traits.maxFrameRate);
  if (!(frameRate > 0 && frameRate <= traits.maxFrameRate))
    throw outOfRange(`The frame rate of ${format} must be above 0 and at most ${traits.maxFrameRate}.`);
  const canvas = Object.assign(
    document.createElement('canvas'),
    sizeOf(view, options, traits.needsEvenSize, sharedRenderer.maxPictureSize),
  );
  const times = framesOf(part, options, frameRate);
  const isCutOut = isTransparent && traits.supportsTransparency;
  const draw = (index: number, context: CanvasRenderingContext2D): void => {
    const { time, turn } = times[index]!;
    if (time !== null) {
      action?.seek(time);
      extras?.seek(time);
    }
    // Spring bones start from the animated pose, so that equal options produce equal videos.
    if (index === 0) rig.springs?.reset();
    else {
      rig.update(1 / frameRate);
      extras?.tick(1 / frameRate, time ?? 0, 0);
    }
    const look = isCutOut ? { isCutOut } : { background: background ?? '#ffffff' };
    if (!sharedRenderer.drawPicture(view, context, { ...look, turn }))
      throw new RigcastError('VIDEO_FAILED', 'The graphics context is lost.');
  };
  const name = (rig.file.name ?? '').replace(/\.[^.]*$/, '') || 'model';
  const series = { canvas, frameRate, count: times.length, isTransparent: isCutOut, name, draw };
  return encodeFrames(format, series, { signal, onFrame: done => onFrame(done, times.length) });
}

/** Returns the size of a video in pixels; by default, the size of the view. */
function sizeOf({ size }: View, { width, height }: VideoOptions, isEven: boolean, most: number): { width: number; height: number } {
  const whole = (pixels: number): number => (isEven ? 2 * Math.round(pixels / 2) : Math.round(pixels));
  const wide = width ?? whole(height ? (height * size.width) / size.height : size.width);
  const found = { width: wide, height: height ?? whole((wide * size.height) / size.width) };
  for (const pixels of Object.values(found))
    if (!(Number.isInteger(pixels) && pixels > 0 && pixels <= most && (!isEven || pixels % 2 === 0)))
      throw outOfRange(
        `The width and height of this video must be whole${isEven ? ', even' : ''} numbers from ${isEven ? 2 : 1} to ${most}.`,
      );
  return found;
}
