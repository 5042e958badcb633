// Codes of conversion to SEModel and SEAnim.
import { parseCodes } from '../common/codes.ts';

export const codes = parseCodes(`
NAMES_LOST | loss | things | The target has no names for things of this kind.
AXES_FILLED | loss | curves | A curve does not drive an axis whose rest value is unknown. It was set to 0.
`);
