// Types and limits shared by all image decoders.
import { DataTexture, LinearFilter, LinearMipmapLinearFilter } from 'three';

/** WebGL extensions for compressed textures. */
export type BlockExtension = 'WEBGL_compressed_texture_s3tc' | 'EXT_texture_compression_rgtc' | 'EXT_texture_compression_bptc';

/** Maximum width and height of images, in pixels. */
export const MAX_SIZE = 16384;

/** Creates a texture from RGBA pixels, whose first row is the top row. */
export function dataTexture(data: Uint8Array, width: number, height: number): DataTexture {
  const texture = new DataTexture(data, width, height);
  texture.generateMipmaps = true;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.magFilter = LinearFilter;
  return texture;
}
