// Where the images come from that a model names.

/** Finds images by the path or name that a file spells. What a source does not give is not looked for anywhere else. */
export interface ImageSource {
  /** `path`: how a result names an image that it does not hold, if not by `name`. */
  image(path: string): Promise<{ name: string; bytes: Uint8Array | Blob; path?: string } | null>;
  /** A text file of that name, for what lies beside a model and says which textures its materials use. Without it none is looked for. */
  text?(name: string): Promise<string | null>;
  /** All image names there are, so that materials that nothing speaks of are dressed by name. */
  readonly names?: readonly string[] | null;
  /** Those in the folder of the model; default: all. One of them may be used because no other is left. */
  readonly beside?: readonly string[];
}
