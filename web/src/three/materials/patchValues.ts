// Describes what each shader patch draws. GLSL (in this folder) and nodes (webgpu/materialNodes.ts) are
// built from the same description.
import type { Texture } from 'three';
import type { Channel, Packing } from '../../textures/slots.ts';

/** Channels from which roughness, metalness and occlusion are read. */
export interface ChannelPatch extends Packing {
  /** True if the roughness channel contains gloss, which is one minus roughness. */
  invert?: boolean;
  /** If present, the roughness texture contains smoothness. */
  smoothness?: Smoothness;
  /** Factor for smoothness if the alpha channel of the base texture contains smoothness. */
  baseSmoothness?: number;
}

/** Smoothness in a texture. It is mapped to the range from `min` to `max`. */
export interface Smoothness {
  channel: Channel;
  /**
   * If present, the channel contains one minus the product of the smoothness and this divisor,
   * instead of the smoothness.
   */
  divisor?: number;
  min: number;
  max: number;
}

/** Detail maps, which are drawn over the color and the normals. */
export interface DetailPatch {
  color: Texture | null;
  normal: Texture | null;
  mask: Texture | null;
  /** Texture coordinates of the detail maps. The mask has those of the material. */
  uv: 'uv' | 'uv1';
  /** Factor by which detail colors are multiplied. */
  factor: number;
  /** Strength of the detail colors, from 0 to 1. */
  strength: number;
  /** Strength of the detail normals. */
  bumps: number;
}

/** A height map, by which texture coordinates are offset. */
export interface HeightPatch {
  texture: Texture;
  /** Maximum offset in texture coordinates. */
  height: number;
}

/** Values of the patches, by id. */
export interface PatchValues {
  channels: ChannelPatch;
  details: DetailPatch;
  parallax: HeightPatch;
  /** Texture whose red channel is multiplied with the emission. */
  emissiveMask: Texture;
  /** Channel of the specular intensity. */
  specular: 'red';
  /** Channel of the strength of anisotropy, in the direction of U. */
  anisotropy: 'red';
  /** Distance by which surfaces are moved towards the camera, as a share of the depth range of a pixel. */
  nearer: number;
  /** Name of the attribute with the color of each vertex, which is multiplied with the color. */
  attributeColor: string;
}
