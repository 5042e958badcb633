// The parts of glTF-Transform that rigcast uses. The build inlines them, so that the package does
// not depend on the library.
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
  VertexLayout,
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
