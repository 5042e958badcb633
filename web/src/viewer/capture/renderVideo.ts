// Renders a video of the viewport: poses and draws each frame for its exact time, then encodes it.
import { RigcastError } from '../../core/error.ts';
import { encodeFrames, type EncodeOptions, type VideoFormat } from '../../encode/encodeFrames.ts';
import { animationFrames, type FrameTime, type PlayedPart, turntableFrames } from '../../encode/frameTimes.ts';
import { overlayPainter } from '../overlayCanvas.ts';
import type { Page } from '../page.ts';
import { words } from '../words/index.ts';

export const VIDEO_CONTENTS = ['animation', 'turntable', 'both'] as const;

/** `both`: the animation loops while the camera orbits the model. */
export type VideoContent = (typeof VIDEO_CONTENTS)[number];

export interface VideoChoice {
  content: VideoContent;
  /** True to play only the selected range of the animation. */
  isRange: boolean;
  /** Duration of a turn of the camera in seconds. */
  turnSeconds: number;
  format: VideoFormat;
  frameRate: number;
  /** Size in pixels. */
  width: number;
  height: number;
  isTransparent: boolean;
  hasFloor: boolean;
}

/** Returns the part of the current animation that a video plays; null if there is no animation. */
export function partOf({ playback }: Pick<Page, 'playback'>, isRange: boolean): PlayedPart | null {
  if (playback.duration <= 0) return null;
  const { from, to } = (isRange ? playback.range : null) ?? { from: playback.start, to: playback.duration };
  return { from, to, speed: playback.speed || 1 };
}

/** Returns the frames of a video. */
export function framesOf(page: Pick<Page, 'playback'>, { content, isRange, turnSeconds, frameRate }: VideoChoice): FrameTime[] {
  const part = content === 'turntable' ? null : partOf(page, isRange);
  return content === 'animation' && part ? animationFrames(part, frameRate) : turntableFrames(turnSeconds, frameRate, part);
}

/**
 * Renders a video. `background`: background colour of opaque videos. `canvas`: canvas on which the
 * frames are drawn. Rejects with the signal's reason if it is aborted. The page is restored in any
 * case.
 */
export async function renderVideo(
  { viewport, playback, session }: Page,
  choice: VideoChoice,
  background: string,
  canvas: HTMLCanvasElement,
  options: EncodeOptions,
): Promise<Blob> {
  const { view, sharedRenderer } = viewport;
  const { ground } = view;
  const { format, width, height, frameRate, isTransparent } = choice;
  const { action, time, playing } = playback;
  const times = framesOf({ playback }, choice);
  const name = (session.value.shown?.input.file.name ?? 'rigcast').replace(/\.[^.]*$/, '');
  const hadFloor = ground.object.visible;
  canvas.width = width;
  canvas.height = height;
  const paint = overlayPainter(viewport);
  const draw = (index: number, context: CanvasRenderingContext2D): void => {
    const { time: at, turn } = times[index]!;
    if (at !== null) playback.seek(at);
    // Spring bones start from the animated pose, so that equal choices produce equal videos.
    if (index === 0) viewport.settle();
    else viewport.advance(1 / frameRate);
    const look = isTransparent ? { isCutOut: true } : { background };
    if (!sharedRenderer.drawPicture(view, context, { ...look, turn, paint })) throw new RigcastError('VIDEO_FAILED', words.contextLost);
  };
  playback.pause();
  // The page must not draw frames of its own, because they would advance spring bones.
  view.isVisible = false;
  sharedRenderer.canvas.style.visibility = 'hidden';
  ground.object.visible = hadFloor && choice.hasFloor;
  try {
    return await encodeFrames(format, { canvas, frameRate, count: times.length, isTransparent, name, draw }, options);
  } finally {
    sharedRenderer.canvas.style.visibility = '';
    ground.object.visible = hadFloor;
    view.isVisible = true;
    // Another model may have been opened in the meantime.
    if (playback.action === action) {
      playback.seek(time);
      if (playing) playback.play();
    }
    viewport.settle();
  }
}
