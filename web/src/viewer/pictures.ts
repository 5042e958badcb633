// Draws pictures of the viewport.
import type { Viewport } from './viewport.ts';

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
