// Overlays that are painted over the viewport: on the page on a canvas of their own, and in saved
// pictures on the picture.
import type { Camera } from 'three';
import type { DrawOptions, View } from '../view/index.ts';

export interface PaintedOverlay {
  readonly canvas: HTMLCanvasElement;
  /** Paints the overlay. `width`, `height`: size of the picture in CSS pixels. */
  paint(context: CanvasRenderingContext2D, camera: Camera, width: number, height: number): void;
}

/** The overlays of a viewport. */
export interface OverlaySource {
  readonly view: View;
  readonly overlays: { readonly names: PaintedOverlay };
  readonly measure: { peek(): (PaintedOverlay & { update(): void }) | null };
}

/** Paints an overlay on its own canvas unless it is hidden. `width`, `height`: size of the viewport. */
export function paintOnPage(overlay: PaintedOverlay, camera: Camera, width: number, height: number): void {
  const { canvas } = overlay;
  const context = canvas.hidden ? null : canvas.getContext('2d');
  if (!context) return;
  const ratio = devicePixelRatio;
  Object.assign(canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
  context.scale(ratio, ratio);
  overlay.paint(context, camera, width, height);
}

/** Returns a function that paints the visible overlays on pictures, in the same proportion as on the page. */
export function overlayPainter({ view, overlays, measure }: OverlaySource): NonNullable<DrawOptions['paint']> {
  const { height } = view.size;
  return (context, camera) => {
    const { canvas } = context;
    const scale = canvas.height / height;
    const measured = measure.peek();
    measured?.update();
    for (const overlay of [overlays.names, measured]) {
      if (!overlay || overlay.canvas.hidden) continue;
      context.save();
      context.scale(scale, scale);
      overlay.paint(context, camera, canvas.width / scale, height);
      context.restore();
    }
  };
}
