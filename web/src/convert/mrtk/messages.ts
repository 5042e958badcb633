// Report codes and error messages of conversion to hand recordings.
import { parseCodes } from '../common/codes.ts';

export const codes = parseCodes(`
HEAD_ASSUMED | note | metres | The position of the head was not recorded. The head was placed at this height, facing forward.
RAY_ASSUMED | note | hands | The pointing ray and the grip of a hand were not recorded. Both were placed at the wrist.
JOINTS_FILLED | loss | joints | The target requires all joints of a hand. Joints that were not tracked were placed at the wrist.
INPUTS_LOST | loss | inputs | Recorded inputs that are neither the left nor the right hand were left out.
`);

export const refusals = {
  RECORDING_MISSING: 'The sources contain no hands and no gaze. Add a recording of MRTK or IWER.',
  HANDS_MISSING: 'A recording for WebXR requires hands, and the sources contain none. Add a recording with hands.',
} as const;
