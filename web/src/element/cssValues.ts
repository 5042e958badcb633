// Parses colours and numbers in attributes and CSS properties.

let context: OffscreenCanvasRenderingContext2D | null = null;

/** Converts a CSS colour to `#rrggbb`. Returns null if the colour is invalid. */
export function parseColor(text: string): string | null {
  const value = text.trim();
  if (value === '' || !CSS.supports('color', value)) return null;
  context ??= new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })!;
  context.clearRect(0, 0, 1, 1);
  context.fillStyle = value;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return `#${[red, green, blue].map(part => part.toString(16).padStart(2, '0')).join('')}`;
}

/** Parses a number. Returns null if the text is not a finite number. */
export function parseNumber(text: string | null): number | null {
  const value = text === null || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : null;
}
