// Source of the images that models reference.

/** Finds images by the path or name that a file contains. No other place is searched. */
export interface ImageSource {
  /** `path`: path to write for an image that is not embedded. Default: `name`. */
  image(path: string): Promise<{ name: string; bytes: Uint8Array | Blob; path?: string } | null>;
  /**
   * Returns a text file by name, for files beside a model that assign textures to materials. If
   * missing, no such files are read.
   */
  text?(name: string): Promise<string | null>;
  /** Names of all available images, for materials whose textures have to be guessed by name. */
  readonly names?: readonly string[] | null;
  /**
   * Names of images in the folder of the model. Default: all. One of them may be chosen because it
   * is the only candidate.
   */
  readonly beside?: readonly string[];
}
