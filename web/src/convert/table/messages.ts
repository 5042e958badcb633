// Report codes of conversion to tables.
import { parseCodes } from '../common/codes.ts';

export const codes = parseCodes(`
NOT_IN_TABLE | loss | items | A table holds positions and rotations only. Meshes, lights and cameras were left out.
`);
