// Draws pictures of the viewport.
import { overlayPainter } from './overlayCanvas.ts';
import type { Viewport } from './viewport.ts';

export interface PictureChoice {
  /** Size of the picture, as a multiple of the size of the viewport. */
  scale: number;
  isTransparent: boolean;
  hasFloor: boolean;
}

/** Width and height of a thumbnail in pixels, as the VRM specification recommends. */
const THUMBNAIL = 1024;

/** Draws the middle of the viewport as a square PNG without the floor. Resolves with null if that fails. */
export async function squarePicture(viewport: Viewport): Promise<Blob | null> {
  const { object } = viewport.view.ground;
  const wasVisible = object.visible;
  object.visible = false;
  try {
    return await viewport.sharedRenderer.toBlob(viewport.view, { width: THUMBNAIL, height: THUMBNAIL, isCutOut: true });
  } finally {
    object.visible = wasVisible;
    viewport.view.invalidate();
  }
}

/** Draws a picture of the viewport, with its bone names and the measured length. Resolves with null if that fails. */
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
      paint: overlayPainter(viewport),
    });
  } finally {
    object.visible = wasVisible;
    view.invalidate();
  }
}
