// Codes and errors of conversion to PSK and PSA.
import { parseCodes } from '../common/codes.ts';

export const codes = parseCodes(`
NAMES_CUT | loss | names | Names that are too long for the target were shortened.
NAMES_WIDE | note | names | Names have characters outside of ASCII. Readers that take each byte as a character show other names.
NAMES_GIVEN | note | bones | Bones without a name got one, because readers of the target find bones by name.
ROOT_ADDED | note | models | The target requires a single root bone. One was added above the bones of the source.
SCALES_BAKED | note | bones | Bones of the target have no scale in the rest pose. It was applied to positions and keys instead.
MESHES_MERGED | loss | meshes | The target holds a single mesh. Several meshes became one and can be separated by material only.
POINTS_SPLIT | note | points | Points of the source with several normals were split, one for each normal.
FACES_EMPTY | note | faces | Faces with two corners at the same position were left out, because they are not visible.
MATERIAL_FILE_THERE | loss | materials | A file with the name of the material describes another material. The textures of this one were not written.
`);

export const refusals = {
  MESH_MISSING: 'a PSK requires a mesh, and the sources contain none',
  MOTIONS_MISSING: 'a PSA requires animations, and the sources contain none',
} as const;
