// Report codes of conversion to SEModel and SEAnim.
import { parseCodes } from '../common/codes.ts';

export const codes = parseCodes(`
NAMES_LOST | loss | items | The target cannot store the names of these objects.
AXES_FILLED | loss | curves | A curve does not drive all three axes, and the rest pose is unknown. The other axes were set to 0.
`);
