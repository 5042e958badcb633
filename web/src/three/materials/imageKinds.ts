// What all decoders of images share.
import { DataTexture, LinearFilter, LinearMipmapLinearFilter } from 'three';

/** WebGL extensions that draw block-compressed textures. */
export type BlockExtension = 'WEBGL_compressed_texture_s3tc' | 'EXT_texture_compression_rgtc' | 'EXT_texture_compression_bptc';

/** An image of a kind that no GPU format or layout here fits. */
export class UnsupportedTexture extends Error {}

/** Pixels across; no GPU draws more. */
export const MAX_SIZE = 16384;

/** Pixels of four bytes each, the upper row first. */
export function dataTexture(data: Uint8Array, width: number, height: number): DataTexture {
  const texture = new DataTexture(data, width, height);
  texture.generateMipmaps = true;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.magFilter = LinearFilter;
  return texture;
}
