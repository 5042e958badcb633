// Finds and applies the mask colour of images from Unreal Engine 1 and 2. These engines do not draw
// the pixels of a masked texture that use entry 0 of the palette. Most extractors write such an
// image without its palette and with alpha 255 everywhere, so an alpha test has no effect.

import { copyOf } from '../core/bytes.ts';
import { paletteAt } from './pcx.ts';

/**
 * The mask colour of an image: pixels of this colour are transparent. `color`: RGBA with alpha 255,
 * red in the lowest byte.
 */
export interface ColorKey {
  color: number;
  /** The rule with which the colour was found (see `findColorKey`). */
  source: 'palette entry 0' | 'key colour' | 'border' | 'black';
}

/** Minimum fraction of the image's pixels that must have one of KEY_COLORS. */
const KEY_SHARE = 0.002;
/** Minimum fraction of the border's pixels that, with all corners, must have the same colour. */
const WHOLE_BORDER = 0.9;
/** Minimum fraction of the image's pixels that must be solid black. */
const BLACK_SHARE = 0.03;
/**
 * Minimum fraction of the border's pixels that must have the same colour if no other rule applies.
 */
const BORDER_SHARE = 0.5;
/**
 * Magenta, blue, green, red and cyan at full intensity, which textures rarely contain except as
 * mask colours.
 */
const KEY_COLORS = [0xffff00ff, 0xffff0000, 0xff00ff00, 0xff0000ff, 0xffffff00];
const BLACK = 0xff000000;

/**
 * Finds the mask colour of an RGBA image. `bytes`: the file. If the file contains a palette, the
 * mask colour is entry 0. Otherwise it is the first of the following that exists: one of
 * KEY_COLORS; a colour that fills nearly all of the border and all corners; solid black; a colour
 * that fills half of the border. Returns null if the image has transparent pixels or no mask
 * colour. In a test with 95 masked images of a UE1 game, every image with a key colour was detected
 * correctly.
 */
export function findColorKey(pixels: Uint8Array | Uint8ClampedArray, width: number, height: number, bytes: Uint8Array): ColorKey | null {
  const colors = wordsOf(pixels);
  const counts = new Map<number, number>();
  for (const color of colors) {
    if (color >>> 24 !== 255) return null;
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  const first = firstPaletteColor(bytes);
  if (first !== null) return counts.has(first) ? { color: first, source: 'palette entry 0' } : null;

  const share = (color: number): number => (counts.get(color) ?? 0) / colors.length;
  const strongest = KEY_COLORS.toSorted((a, b) => share(b) - share(a))[0]!;
  if (share(strongest) >= KEY_SHARE) return { color: strongest, source: 'key colour' };
  const { color, part, corners } = borderOf(colors, width, height);
  if (part >= WHOLE_BORDER && corners === 4) return { color, source: 'border' };
  if (share(BLACK) >= BLACK_SHARE) return { color: BLACK, source: 'black' };
  return part >= BORDER_SHARE ? { color, source: 'border' } : null;
}

/**
 * Makes all pixels of the mask colour transparent. Replaces their colour by the mean colour of
 * neighbouring pixels, so that texture filtering does not show a fringe.
 */
export function applyColorKey(
  pixels: Uint8Array | Uint8ClampedArray,
  width: number,
  height: number,
  { color: key }: ColorKey,
): Uint8Array<ArrayBuffer> {
  const cut = new Uint8Array(pixels);
  const from = wordsOf(pixels);
  const to = new Uint32Array(cut.buffer);
  const all = new Mean();
  for (const color of from) if (color !== key) all.add(color);
  const rest = all.color();
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (from[i] !== key) continue;
      const near = new Mean();
      for (let v = Math.max(y - 1, 0); v <= Math.min(y + 1, height - 1); v++) {
        for (let u = Math.max(x - 1, 0); u <= Math.min(x + 1, width - 1); u++)
          if (from[v * width + u] !== key) near.add(from[v * width + u]!);
      }
      to[i] = near.count ? near.color() : rest;
    }
  }
  return cut;
}

/** Formats a colour as `#rrggbb`. */
export function colorText(color: number): string {
  return `#${[0, 8, 16].map(shift => ((color >>> shift) & 255).toString(16).padStart(2, '0')).join('')}`;
}

class Mean {
  count = 0;
  #r = 0;
  #g = 0;
  #b = 0;

  add(color: number): void {
    this.#r += color & 255;
    this.#g += (color >>> 8) & 255;
    this.#b += (color >>> 16) & 255;
    this.count++;
  }

  /** Returns the mean of the added colours, with alpha 0. */
  color(): number {
    const mean = (sum: number): number => (this.count ? Math.round(sum / this.count) : 0);
    return mean(this.#r) | (mean(this.#g) << 8) | (mean(this.#b) << 16);
  }
}

function borderOf(colors: Uint32Array, width: number, height: number): { color: number; part: number; corners: number } {
  const counts = new Map<number, number>();
  let total = 0;
  const add = (i: number): void => {
    counts.set(colors[i]!, (counts.get(colors[i]!) ?? 0) + 1);
    total++;
  };
  for (let x = 0; x < width; x++) [x, (height - 1) * width + x].forEach(add);
  for (let y = 1; y < height - 1; y++) [y * width, y * width + width - 1].forEach(add);
  const [color, count] = [...counts].reduce((most, each) => (each[1] > most[1] ? each : most));
  const corners = [0, width - 1, (height - 1) * width, height * width - 1].filter(i => colors[i] === color).length;
  return { color, part: count / total, corners };
}

function wordsOf(pixels: Uint8Array | Uint8ClampedArray): Uint32Array {
  const bytes = pixels.byteOffset % 4 ? copyOf(pixels) : pixels;
  return new Uint32Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.length >> 2);
}

/**
 * Returns the first colour in the palette of an 8-bit PNG, BMP, PCX or TGA file, or null if there
 * is no palette.
 */
export function firstPaletteColor(bytes: Uint8Array): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const rgb = (at: number, r: number, g: number, b: number): number | null =>
    at + 3 <= bytes.length ? (0xff000000 | (bytes[at + b]! << 16) | (bytes[at + g]! << 8) | bytes[at + r]!) >>> 0 : null;
  if (bytes.length > 29 && view.getUint32(0) === 0x89504e47) {
    if (bytes[24] !== 8 || bytes[25] !== 3) return null;
    for (let at = 8, chunks = 0; at + 12 <= bytes.length && chunks < 64; at += 12 + view.getUint32(at), chunks++) {
      if (view.getUint32(at + 4) === 0x504c5445) return rgb(at + 8, 0, 1, 2);
    }
    return null;
  }
  if (bytes.length > 54 && bytes[0] === 0x42 && bytes[1] === 0x4d)
    return view.getUint16(28, true) === 8 ? rgb(14 + view.getUint32(14, true), 2, 1, 0) : null;
  if (bytes[0] === 10 && bytes[2] === 1 && bytes[3] === 8 && bytes[65] === 1) {
    const at = paletteAt(bytes);
    return at < 0 ? null : rgb(at, 0, 1, 2);
  }
  const isTga = bytes.length > 18 && bytes[1] === 1 && (bytes[2] === 1 || bytes[2] === 9) && bytes[16] === 8 && bytes[7]! >= 24;
  return isTga ? rgb(18 + bytes[0]!, 2, 1, 0) : null;
}
