// Report codes and error messages of conversion to Cast.
import { parseCodes } from '../common/codes.ts';

export const codes = parseCodes(`
FACES_AGAINST_NORMALS | note | faces | Nearly all faces of a mesh point against its normals. Readers may flip them.
MORPH_NORMALS_LOST | loss | shapes | The normals of morph targets were left out. Readers compute new ones.
HAIR_REDUCED | loss | strands | Only the positions of hair strands were written. Their bones, colours and UVs were left out.
`);

export const refusals = {
  CAST_TOO_LARGE: 'A Cast file holds at most 4 GB, and this one would have {size} GB. Choose fewer animations or a smaller model.',
} as const;
