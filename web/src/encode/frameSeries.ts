// Interfaces between the code that draws frames and the encoders.

/** A series of frames that becomes a file. */
export interface FrameSeries {
  /** Canvas for the frames. Its width and height are those of the result, in pixels. */
  readonly canvas: HTMLCanvasElement;
  /** Frames per second. */
  readonly frameRate: number;
  /** Number of frames. */
  readonly count: number;
  /** True to keep transparent pixels, if the format supports them. */
  readonly isTransparent: boolean;
  /** Base name of the numbered pictures in an archive. */
  readonly name: string;
  /** Draws a frame. The canvas is empty at this time. */
  draw(index: number, context: CanvasRenderingContext2D): void;
}

/** Encodes the pictures of a canvas one after another. */
export interface FrameEncoder {
  /**
   * Encodes the picture on the canvas as frame `index`. Resolves when the encoder is ready for the
   * next frame.
   */
  add(index: number, context: CanvasRenderingContext2D): Promise<void>;
  /** Returns the file. Rejects if a frame is missing. */
  finish(): Promise<Blob>;
  /** Releases the encoder. Call this instead of `finish`. */
  cancel(): Promise<void>;
}
