// Codes and errors of conversion to Cast.
import { parseCodes } from '../common/codes.ts';

export const codes = parseCodes(`
FACES_AGAINST_NORMALS | note | faces | Nearly all faces of a mesh point against its normals. Readers may flip them.
MORPH_NORMALS_LOST | loss | shapes | The normals of morph targets were left out. Readers compute others.
HAIR_REDUCED | loss | strands | Hair strands keep their positions only. Their bones, colours and UVs were left out.
`);

export const refusals = { CAST_TOO_LARGE: 'a Cast file holds at most 4 GB, and this one would have {size} GB' } as const;
