// Types of the functions of gifenc that rigcast uses. The package has no types of its own.
declare module 'gifenc' {
  type Palette = number[][];

  interface FrameOptions {
    /** RGB colours; at most 256. */
    palette: Palette;
    /** Time until the next frame in milliseconds, which is rounded to hundredths of a second. */
    delay: number;
    transparent?: boolean;
    transparentIndex?: number;
    /** Disposal method of GIF: 2 clears the picture before the next frame is drawn. */
    dispose?: number;
  }

  interface Encoder {
    /** Adds a frame. `index`: one index into the palette per pixel. */
    writeFrame(index: Uint8Array, width: number, height: number, options: FrameOptions): void;
    finish(): void;
    bytes(): Uint8Array<ArrayBuffer>;
  }

  export function GIFEncoder(): Encoder;
  /** Returns at most `maxColors` colours that suit the RGBA pixels. */
  export function quantize(rgba: Uint8Array | Uint8ClampedArray, maxColors: number): Palette;
  /** Returns the index of the nearest colour for each pixel. */
  export function applyPalette(rgba: Uint8Array | Uint8ClampedArray, palette: Palette): Uint8Array;
}
