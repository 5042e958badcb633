/**
 * Compression of GLB and glTF. Importers need decoders, which three.js, Babylon.js and Blender
 * have.
 */
export interface GltfPacking {
  /** Compresses meshes and animations with EXT_meshopt_compression, without loss. */
  meshopt?: boolean;
  /**
   * Stores images as lossless WebP. Browsers have an encoder. In Node, the package `sharp` must be
   * installed.
   */
  webp?: boolean;
}
