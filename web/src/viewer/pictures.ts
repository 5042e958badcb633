// Saves pictures and videos of the viewport.
import type { Viewport } from './viewport.ts';
import type { Page } from './page.ts';
import { el, picked } from './dom.ts';
import { download } from './download.ts';
import { framesIn } from './videoFrames.ts';
import { words } from './words/index.ts';
import { RigcastError } from '../core/error.ts';

/** Duration of a turntable video in seconds. */
const TURNTABLE_SECONDS = 6;
const FRAME_RATE = 30;
/**
 * Minimum frame rate of a recorded video in frames per second. Videos with a lower frame rate are
 * rejected.
 */
const MIN_FRAMES_PER_SECOND = 5;
/** Bit rate of videos in bits per second. */
const BITS_PER_SECOND = 12e6;
/**
 * Delay before a recording is stopped, in milliseconds. The recorder receives the last frame during
 * this time.
 */
const RECORDER_DELAY = 250;
const SCALES = [1, 2, 3, 4];

export interface PictureChoice {
  /** Size of the picture, as a multiple of the size of the viewport. */
  scale: number;
  isTransparent: boolean;
  hasFloor: boolean;
}

/** Draws a picture of the viewport. Resolves with null if that fails. */
export async function pictureOf(
  viewport: Viewport,
  background: string,
  { scale, isTransparent, hasFloor }: PictureChoice,
): Promise<Blob | null> {
  const { view, sharedRenderer } = viewport;
  const { object } = view.ground;
  const wasVisible = object.visible;
  object.visible = wasVisible && hasFloor;
  try {
    return await sharedRenderer.toBlob(view, {
      width: view.size.width * scale,
      height: view.size.height * scale,
      ...(isTransparent ? { isCutOut: true } : { background }),
    });
  } finally {
    object.visible = wasVisible;
    view.invalidate();
  }
}

const VIDEO_TYPES = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm', 'video/mp4'];

/** Returns a video type that the browser can record; null if there is none. */
export const videoType = (): string | null =>
  typeof MediaRecorder === 'undefined' ? null : (VIDEO_TYPES.find(type => MediaRecorder.isTypeSupported(type)) ?? null);

/**
 * Records one loop of the animation, or a turntable, in real time. Throws `Error` if too few frames
 * were recorded.
 */
export async function recordVideo(page: Page, background: string, type: string, isTurntable: boolean, signal: AbortSignal): Promise<Blob> {
  const { viewport, playback } = page;
  const { canvas } = viewport.sharedRenderer;
  const { from, to } = playback.range ?? { from: playback.start, to: playback.duration };
  const seconds = isTurntable ? TURNTABLE_SECONDS : (to - from) / playback.speed;
  const target = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height });
  const context = target.getContext('2d')!;
  const stream = target.captureStream(FRAME_RATE);
  const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: BITS_PER_SECOND });
  const parts: Blob[] = [];
  recorder.ondataavailable = ({ data }) => void parts.push(data);
  const ended = new Promise<void>((resolve, reject) => {
    recorder.onstop = () => resolve();
    recorder.onerror = () => reject(new RigcastError('VIDEO_FAILED', words.videoFailed));
  });
  const { time, playing } = playback;
  playback.pause();
  recorder.start();
  try {
    let last = performance.now();
    for (let at = 0; at < seconds;) {
      const now = await nextFrame();
      const step = Math.min((now - last) / 1000, seconds - at);
      last = now;
      signal.throwIfAborted();
      at += step;
      if (isTurntable) viewport.view.cameraRig.orbitBy((step / TURNTABLE_SECONDS) * 2 * Math.PI, 0);
      if (!isTurntable || playing)
        playback.seek(isTurntable ? (time + at * playback.speed) % (playback.duration || 1) : from + at * playback.speed);
      viewport.drawNow(step);
      context.fillStyle = background;
      context.fillRect(0, 0, target.width, target.height);
      context.drawImage(canvas, 0, 0, target.width, target.height);
    }
    // Wait until the recorder has received the last frames.
    await new Promise(resolve => setTimeout(resolve, RECORDER_DELAY));
  } finally {
    recorder.stop();
    await ended;
    for (const track of stream.getTracks()) track.stop();
    playback.seek(time);
    if (playing) playback.play();
  }
  const blob = new Blob(parts, { type });
  const frames = await framesIn(blob);
  if (frames < Math.max(2, MIN_FRAMES_PER_SECOND * seconds))
    throw new RigcastError('VIDEO_TOO_SLOW', words.videoTooSlow(frames, Math.max(2, Math.round(FRAME_RATE * seconds))));
  return blob;
}

const nextFrame = (): Promise<number> => new Promise(resolve => requestAnimationFrame(() => resolve(performance.now())));

/** Shows the dialog for pictures and videos. */
export function showPictures(page: Page, load: (text: string, work: (signal: AbortSignal) => Promise<void>) => Promise<void>): void {
  const { session, root, viewport } = page;
  const { shown, viewSettings } = session.value;
  const name = (shown?.input.file.name ?? 'rigcast').replace(/\.[^.]*$/, '');
  const background =
    viewSettings.background === 'page' || viewSettings.background === 'environment'
      ? getComputedStyle(root).getPropertyValue('--viewport-1').trim() || '#ffffff'
      : viewSettings.background;
  const scale = el(
    'select',
    { 'aria-label': words.pictureSize },
    ...SCALES.map(value => el('option', { value, selected: value === 2 }, `${value}×`)),
  );
  const transparent = el('input', { type: 'checkbox', checked: viewSettings.background !== 'environment' });
  const floor = el('input', { type: 'checkbox' });
  const type = videoType();
  const save = (): void => {
    dialog.close();
    const choice = { scale: Number(scale.value), isTransparent: transparent.checked, hasFloor: floor.checked };
    void load(words.rendering, async () => {
      const blob = await pictureOf(viewport, background, choice);
      if (!blob) throw new RigcastError('PICTURE_FAILED', words.pictureFailed);
      download(`${name}.png`, blob);
    });
  };
  const record = (isTurntable: boolean): void => {
    dialog.close();
    void load(words.recordingVideo, async signal => {
      const blob = await recordVideo(page, background, type!, isTurntable, signal);
      download(`${name}${isTurntable ? '-turn' : ''}.${type!.includes('mp4') ? 'mp4' : 'webm'}`, blob);
    });
  };
  const hasAnimation = page.playback.duration > 0;
  const dialog = el(
    'dialog',
    { class: 'picture', 'aria-label': words.commands.picture.title },
    el('h2', {}, words.commands.picture.title),
    el(
      'section',
      { 'aria-label': words.pictureTitle },
      el('h3', {}, words.pictureTitle),
      el('label', { class: 'row-of' }, el('span', {}, words.pictureSize), picked(scale)),
      el('label', { class: 'check' }, transparent, el('span', { class: 'name' }, words.transparent)),
      el('label', { class: 'check' }, floor, el('span', { class: 'name' }, words.includeFloor)),
      el('button', { type: 'button', class: 'button primary', onclick: save }, words.savePng),
    ),
    type !== null &&
      el(
        'section',
        { 'aria-label': words.videoTitle },
        el('h3', {}, words.videoTitle),
        el('p', { class: 'quiet' }, words.videoText),
        el('button', { type: 'button', class: 'button', disabled: !hasAnimation, onclick: () => record(false) }, words.recordAnimation),
        el('button', { type: 'button', class: 'button', onclick: () => record(true) }, words.recordTurntable),
      ),
    el('div', { class: 'actions' }, el('button', { type: 'button', class: 'plain', onclick: () => dialog.close() }, words.close)),
  );
  dialog.addEventListener('close', () => dialog.remove());
  root.append(dialog);
  dialog.showModal();
}
