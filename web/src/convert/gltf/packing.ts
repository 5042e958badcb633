/**
 * Compression of GLB and glTF. Readers need decoders for it: three.js, Babylon.js and Blender have
 * them.
 */
export interface GltfPacking {
  /** EXT_meshopt_compression. Lossless. */
  meshopt?: boolean;
  /**
   * Lossless WebP images. Browsers encode them; Node requires the package `sharp`, which has to be
   * installed.
   */
  webp?: boolean;
}
