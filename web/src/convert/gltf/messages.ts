// Codes and errors of conversion to GLB and glTF.
import { parseCodes } from '../common/codes.ts';

export const codes = parseCodes(`
NORMALS_REPAIRED | note | normals | Normals were normalized. Normals without a direction point up.
VERTEX_COLORS_ASIDE | note | layers | Vertex colours that do not tint the mesh were kept as custom attributes (_COLOR_0 …).
BONE_SCALE_APPROXIMATED | loss | metres | glTF inherits the scale of bones differently. Skin and bones are off by this distance.
NODE_HIDDEN | note | nodes | Hidden nodes are marked with KHR_node_visibility. Readers without that extension show them.
TEXTURE_NOT_AT_HAND | loss | textures | The model was opened by a loader of three.js, so the files of its textures are unknown. They were left out.
BLENDING_REDUCED | loss | materials | Additive or multiplicative blending became ordinary transparency.
SIDES_BOTH | loss | materials | A material that shows only back faces now shows both sides.
LIGHT_LOST | loss | lights | glTF has no area lights. They were left out.
INSTANCE_PARTS_LOST | loss | things | Animations, lights, cameras, behaviour and expressions of instanced files were left out. Their models stay in the rest pose.
FEATURE_LOST | loss | features | glTF has no constraints, physics or other behaviour. Their data was kept in extras.
EXPRESSIONS_LOST | loss | expressions | glTF has no expressions (named groups of morph weights). Their data was kept in extras.
`);

export const refusals = {
  GLB_TOO_LARGE: 'a GLB holds at most 4 GB, and this one would have {size} GB: write glTF, or choose fewer animations',
  WEBP_ENCODER_MISSING: 'encoding WebP in Node requires the package sharp: npm install sharp',
  WEBP_UNKNOWN: 'this browser cannot encode WebP',
} as const;
