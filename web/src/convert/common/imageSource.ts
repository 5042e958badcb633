// Source of the images that models reference.

/** Finds the images that models reference by path or name. */
export interface ImageSource {
  /**
   * Returns an image; null if it was not found. `path` of the result: path that the converted file
   * references the image by. Default: `name`.
   */
  image(path: string): Promise<{ name: string; bytes: Uint8Array | Blob; path?: string } | null>;
  /**
   * Returns a text file by name; null if it was not found. Used for files that assign textures to
   * materials.
   */
  text?(name: string): Promise<string | null>;
  /** Names of all available images, to guess textures by name if no file assigns them. */
  readonly names?: readonly string[] | null;
  /**
   * Names of the images in the folder of the model. A texture may be chosen because it is the only
   * candidate in this list. Default: `names`.
   */
  readonly beside?: readonly string[];
}
