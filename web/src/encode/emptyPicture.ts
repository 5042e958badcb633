// Detects pictures of models that only add light to what is behind them, such as rays of light.
// They are invisible on white and in a transparent picture.

/** Background for a model that only adds light, as a CSS colour. */
export const DARK_BACKGROUND = '#17181b';

/** A picture is empty if less than this share of its pixels is visible. */
const MIN_VISIBLE = 0.001;
/** Alpha above which a pixel is visible. */
const MIN_ALPHA = 8;

/** Returns true if nearly all pixels of a picture with a transparent background are transparent. */
export function isEmptyPicture(context: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D): boolean {
  const { data } = context.getImageData(0, 0, context.canvas.width, context.canvas.height);
  let visible = 0;
  for (let at = 3; at < data.length; at += 4) if (data[at]! > MIN_ALPHA) ++visible;
  return visible < (MIN_VISIBLE * data.length) / 4;
}
