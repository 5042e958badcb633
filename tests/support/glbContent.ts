// Reads the JSON of a GLB and the bytes of its images.

interface Slot {
  index: number;
}

export interface GlbMaterial {
  name: string;
  doubleSided?: boolean;
  alphaMode?: string;
  alphaCutoff?: number;
  pbrMetallicRoughness: { baseColorTexture?: Slot; metallicRoughnessTexture?: Slot; baseColorFactor?: number[]; roughnessFactor?: number };
  normalTexture?: Slot;
  emissiveTexture?: Slot;
  occlusionTexture?: Slot;
  extensions?: { KHR_materials_specular?: { specularColorTexture?: Slot }; KHR_materials_unlit?: object };
}

/** Parsed JSON of a GLB. Lists that the GLB omits are empty. */
export interface GlbJson {
  materials: GlbMaterial[];
  textures: { name?: string; source: number }[];
  images: { name?: string; bufferView: number; mimeType: string }[];
  bufferViews: { byteOffset?: number; byteLength: number }[];
}

export function contentOf(glb: Uint8Array): { json: GlbJson; image(index: number): Uint8Array } {
  const buffer = Buffer.from(glb);
  const end = 20 + buffer.readUInt32LE(12);
  const none = { materials: [], textures: [], images: [], bufferViews: [] };
  const json = { ...none, ...(JSON.parse(buffer.subarray(20, end).toString()) as Partial<GlbJson>) };
  const image = (index: number): Uint8Array => {
    const { byteOffset = 0, byteLength } = json.bufferViews[json.images[index]?.bufferView ?? -1] ?? { byteLength: 0 };
    return buffer.subarray(end + 8 + byteOffset, end + 8 + byteOffset + byteLength);
  };
  return { json, image };
}
