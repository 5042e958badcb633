// Codes and errors of conversion to recordings.
import { parseCodes } from '../common/codes.ts';

export const codes = parseCodes(`
HEAD_ASSUMED | note | metres | The position of the head was not recorded. It looks straight ahead from this height.
RAY_ASSUMED | note | hands | The pointing ray and the grip of a hand were not recorded. Both start at the wrist.
JOINTS_FILLED | loss | joints | The target requires all joints of a hand. Joints that were not tracked are at the wrist.
INPUTS_LOST | loss | inputs | Recorded inputs that are neither the left nor the right hand were left out.
`);

export const refusals = {
  RECORDING_MISSING: 'the sources contain no hands and no gaze: open a recording of MRTK or IWER',
  HANDS_MISSING: 'a recording for WebXR requires hands, and the sources contain none',
} as const;
