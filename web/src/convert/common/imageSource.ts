// Interface to find the images that models reference.
import type { NamedMaterialValues } from '../../textures/materialValues.ts';
import type { TextureChoice } from '../../textures/sources.ts';

/** Finds the images that models reference by path or name. */
export interface ImageSource {
  /**
   * Returns an image, or null if it was not found. The converted file refers to the image by the
   * `path` of the result, or by `name` if the result has no `path`.
   */
  image(path: string): Promise<{ name: string; bytes: Uint8Array | Blob; path?: string } | null>;
  /**
   * Returns the contents of a text file, or null if it was not found. The conversion uses text
   * files that assign textures to materials. `folder`: folder of the file in the project from which
   * the model was exported, if it is known. If several files have the name, the file in the most
   * similar folder is the right one.
   */
  text?(name: string, folder?: string): Promise<string | null>;
  /**
   * Names of all available images. If no file assigns textures to a material, its textures are
   * chosen by these names.
   */
  readonly names?: readonly string[] | null;
  /**
   * Names of the images in the folder of the model. The default is `names`. If exactly one
   * of these images is a candidate for a material, it is chosen even if its name does not match,
   * unless `hasOtherModels` is true.
   */
  readonly beside?: readonly string[];
  /** True if there are other models to which the images in `beside` may belong. */
  readonly hasOtherModels?: boolean;
  /** Images that were chosen for materials. They override textures that are found in other ways. */
  readonly choices?: readonly TextureChoice[];
  /** Values of materials. They replace those of a file NAME.materials.json beside the model. */
  readonly values?: readonly NamedMaterialValues[];
}
