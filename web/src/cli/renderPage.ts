// Runs in the page that `rigcast render` opens: shows a model with the element, and sends its
// picture to the server.
import type { Material } from 'three';
import { RigcastError } from '../core/error.ts';
import { DARK_BACKGROUND, isEmptyPicture } from '../encode/emptyPicture.ts';
import type { RigcastViewerElement } from '../element/index.ts';
import type { PageAnswer, PageTask } from './renderTask.ts';

declare global {
  /** Called by the child process. */
  var rigcastRender: typeof render;
}

/** The element of the last task. */
let previous: RigcastViewerElement | null = null;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Renders one task. The element is outside the viewport, so it never draws frames of its own: these
 * would advance spring bones by the time that the computer needs.
 */
export async function render(task: PageTask): Promise<PageAnswer> {
  const { attributes, width, height } = task;
  const answer: PageAnswer = { errors: [], reports: [], isDark: false, isLost: false };
  const element = document.createElement('rigcast-viewer');
  Object.assign(element.style, {
    position: 'fixed',
    right: 'calc(100% + 1000px)',
    width: `${width}px`,
    height: `${height}px`,
    display: 'block',
  });
  const all = { ...attributes, src: task.src, files: task.files.join(' '), loading: 'eager', 'max-files': '10000' };
  for (const [name, value] of Object.entries({ ...all, 'allow-origins': location.origin })) element.setAttribute(name, value);
  element.addEventListener('error', ({ detail }) => void answer.errors.push(detail.message));
  element.addEventListener('report', ({ detail }) => void answer.reports.push(detail));
  element.fileResolver = async ({ kind, name }) => {
    if (kind === 'texture' || kind === 'material') return null; // the manifest lists them
    const response = await fetch(`${task.companions}?${new URLSearchParams({ kind, name })}`);
    return response.ok ? response.blob() : null;
  };
  document.body.append(element);
  try {
    await element.ready;
    const problem = problemOf(element, task);
    if (problem !== null) answer.errors.push(problem);
    if (answer.errors.length > 0) return answer;
    answer.isDark = task.mayBeDark && (await onlyAddsLight(element));
    const look = answer.isDark ? { ...task, background: DARK_BACKGROUND } : task;
    const picture = await (task.isVideo ? videoOf(element, look) : pictureOf(element, look));
    if (answer.errors.length === 0) await fetch(task.result, { method: 'POST', body: picture });
  } catch (error) {
    if (!answer.errors.includes(messageOf(error))) answer.errors.push(messageOf(error));
  } finally {
    answer.isLost = element.matches(':state(lost)');
    // Kept until the next model is drawn, because similar materials then share compiled shaders. This
    // halves the time of a picture without a graphics card.
    previous?.remove();
    previous = element;
  }
  return answer;
}

globalThis.rigcastRender = render;

/** Returns why the options do not fit the animations of the model, or null. */
function problemOf(element: RigcastViewerElement, { attributes, isVideo, turn }: PageTask): string | null {
  const { currentAnimations, duration } = element;
  const { time, frame } = attributes;
  if (isVideo && turn === 0 && duration === 0) return 'the model has no animation; give one, or use --turntable';
  if (time === undefined && frame === undefined) return null;
  const flag = time === undefined ? '--frame' : '--time';
  if (currentAnimations.length === 0) return `the model has no animation, so ${flag} has no effect`;
  const playing = element.animations.filter(({ name }) => currentAnimations.includes(name));
  if (frame !== undefined && playing.every(({ frameRate }) => frameRate === 0)) return 'the animation has no frames; use --time';
  return null;
}

/** Width of the pictures that show whether a model only adds light, in pixels. */
const PROBE_WIDTH = 256;
/** Difference to the background above which a pixel is lit, of 255. */
const MIN_CHANGE = 8;

/** Value of `NormalBlending` of three.js, which this module does not import. `NoBlending` is 0. */
const NORMAL_BLENDING = 1;

/** Returns true if no material of the model covers what is behind it. */
async function hasNoOpaqueMaterial(element: RigcastViewerElement): Promise<boolean> {
  const materials: Material[] = [];
  (await element.ready).rig.scene.traverse(object => {
    const { material = [] } = object as { material?: Material | Material[] };
    materials.push(...[material].flat());
  });
  return materials.length > 0 && materials.every(({ blending }) => blending > NORMAL_BLENDING);
}

/** Returns true if the model is visible on a dark background, but not in a transparent picture. */
async function onlyAddsLight(element: RigcastViewerElement): Promise<boolean> {
  if (!(await hasNoOpaqueMaterial(element))) return false; // most models: no picture is drawn to find out
  const [shadow, hasGround] = [element.getAttribute('shadow'), element.hasAttribute('ground')];
  element.setAttribute('shadow', 'none');
  element.toggleAttribute('ground', false);
  try {
    const probe = async (look: { isCutOut: true } | { background: string }): Promise<OffscreenCanvasRenderingContext2D> => {
      const image = await createImageBitmap(await element.toBlob({ width: PROBE_WIDTH, ...look }));
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d', { willReadFrequently: true })!;
      context.drawImage(image, 0, 0);
      return context;
    };
    if (!isEmptyPicture(await probe({ isCutOut: true }))) return false;
    const lit = await probe({ background: DARK_BACKGROUND });
    // Pixels that equal the background become black.
    lit.globalCompositeOperation = 'difference';
    lit.fillStyle = DARK_BACKGROUND;
    lit.fillRect(0, 0, lit.canvas.width, lit.canvas.height);
    const { data } = lit.getImageData(0, 0, lit.canvas.width, lit.canvas.height);
    return data.some((value, at) => at % 4 !== 3 && value > MIN_CHANGE);
  } finally {
    if (shadow === null) element.removeAttribute('shadow');
    else element.setAttribute('shadow', shadow);
    element.toggleAttribute('ground', hasGround);
  }
}

async function pictureOf(element: RigcastViewerElement, { width, height, background, format }: PageTask): Promise<Blob> {
  const mime = `image/${format}`;
  const look = background === null ? { isCutOut: true } : { background };
  const picture = await element.toBlob({ width, height, mime, ...(format === 'webp' && { quality: 0.9 }), ...look });
  if (picture.type !== mime) throw new RigcastError('PICTURE_FAILED', `the browser cannot encode ${format}`);
  return picture;
}

function videoOf(element: RigcastViewerElement, task: PageTask): Promise<Blob> {
  const { width, height, background, turn, frameRate, attributes } = task;
  return element.toVideo({
    format: task.format === 'webp' ? 'png' : task.format,
    width,
    height,
    ...(background === null ? { isTransparent: true } : { background }),
    ...(turn > 0 && { turn }),
    ...(frameRate && { frameRate }),
    isHeld: attributes.time !== undefined || attributes.frame !== undefined,
    onFrame: () => void fetch(task.progress, { method: 'POST' }),
  });
}
