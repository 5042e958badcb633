// Source of the images that models reference.

/** Finds the images that models reference by path or name. */
export interface ImageSource {
  /**
   * Returns an image, or null if it was not found. `path` in the result is the path by which the
   * converted file refers to the image (default: `name`).
   */
  image(path: string): Promise<{ name: string; bytes: Uint8Array | Blob; path?: string } | null>;
  /**
   * Returns a text file by name, or null if it was not found. Used for files that assign textures
   * to materials.
   */
  text?(name: string): Promise<string | null>;
  /**
   * Names of all available images. Textures of materials that no file assigns are chosen from these
   * names.
   */
  readonly names?: readonly string[] | null;
  /**
   * Names of the images in the folder of the model (default: `names`). If only one of these images
   * is a possible texture, it can be chosen although its name does not match.
   */
  readonly beside?: readonly string[];
}
