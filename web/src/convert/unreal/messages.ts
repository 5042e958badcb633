// Report codes and error messages of conversion to PSK and PSA.
import { parseCodes } from '../common/codes.ts';

export const codes = parseCodes(`
NAMES_CUT | loss | names | Names that are too long for the target were shortened.
NAMES_WIDE | note | names | Names contain characters other than ASCII. Readers that treat each byte as a character show different names.
NAMES_GIVEN | note | bones | Bones without a name got one, because readers of the target find bones by name.
ROOT_ADDED | note | models | The target requires a single root bone. One was added above the bones of the source.
SCALES_BAKED | note | bones | Bones of the target have no scale in the rest pose. The scale was applied to positions and keys instead.
MESHES_MERGED | loss | meshes | The target holds a single mesh. Several meshes were merged and can only be separated by material.
POINTS_SPLIT | note | points | Points of the source with several normals were split, one for each normal.
FACES_EMPTY | note | faces | Faces with two corners at the same position were left out, because they are not visible.
MATERIAL_FILE_THERE | loss | materials | A file beside the result has the name of this material and describes another one. The textures of this material were not written.
`);

export const refusals = {
  MESH_MISSING: 'A PSK requires a mesh with faces, and the sources contain none. Add a model, or convert instances to GLB or Cast.',
  BONES_MISSING: 'A PSA requires bones, and the sources contain none. Add a model with bones, or convert to UEFormat.',
  MOTIONS_MISSING: 'A PSA requires animations, and the sources contain none. Add an animation.',
} as const;
