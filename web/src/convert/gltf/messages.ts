// Report codes and error messages of conversion to GLB and glTF.
import { parseCodes } from '../common/codes.ts';

export const codes = parseCodes(`
NORMALS_REPAIRED | note | normals | Normals were scaled to length 1. Normals of length 0 were replaced by the up direction.
VERTEX_COLORS_ASIDE | note | layers | Vertex colours that do not tint the mesh were kept as custom attributes (_COLOR_0 …).
BONE_SCALE_APPROXIMATED | loss | metres | Bones of glTF inherit scale differently from those of the source. Skin and bones are off by at most this distance.
NODE_HIDDEN | note | nodes | Hidden nodes are marked with KHR_node_visibility. Readers without that extension show them.
TEXTURE_NOT_AT_HAND | loss | textures | The model was opened by a loader of three.js, so the files of its textures are unknown. They were left out.
TEXTURE_UV_MISSING | loss | textures | The texture uses a UV set that a mesh does not have. It was left out of the material of that mesh, because glTF does not allow it.
BLENDING_REDUCED | loss | materials | Additive or multiplicative blending became ordinary transparency.
SIDES_BOTH | loss | materials | A material that shows only back faces now shows both sides.
LIGHT_LOST | loss | lights | glTF has no area lights. They were left out.
INSTANCE_PARTS_LOST | loss | items | Animations, lights, cameras, physics and expressions of instanced files were left out. Models of these files stay in the rest pose.
FEATURE_LOST | loss | features | glTF cannot store this feature, for example constraints, physics, particles or a sky. Its data was kept in extras.
EXPRESSIONS_LOST | loss | expressions | glTF has no expressions (named groups of morph weights). Their data was kept in extras.
`);

export const refusals = {
  GLB_TOO_LARGE: 'A GLB holds at most 4 GB, and this one would have {size} GB. Write glTF, or choose fewer animations.',
  WEBP_ENCODER_MISSING: 'WebP images can only be encoded in Node with the package sharp. Run npm install sharp.',
  WEBP_UNKNOWN: 'This browser cannot encode WebP images. Turn WebP off, or use another browser.',
} as const;
