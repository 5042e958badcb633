// What is used of glTF-Transform. The build puts the library itself in this file's place, so that the package needs no other.
export {
  type Accessor,
  type Buffer as GltfBuffer,
  Document,
  Format,
  GLB_BUFFER,
  type JSONDocument,
  Logger,
  type Material as GltfMaterial,
  type Mesh as GltfMesh,
  type Node as GltfNode,
  type Skin as GltfSkin,
  type Texture as GltfTexture,
  type TextureInfo,
  WebIO,
} from '@gltf-transform/core';
export {
  EXTMeshGPUInstancing,
  EXTTextureWebP,
  KHRLightsPunctual,
  KHRMaterialsEmissiveStrength,
  KHRMaterialsIOR,
  KHRMaterialsSpecular,
  KHRMaterialsUnlit,
  KHRNodeVisibility,
  KHRTextureTransform,
  type Specular,
} from '@gltf-transform/extensions';
