// Report codes and error messages of conversion to VRM.
import { parseCodes } from '../common/codes.ts';

export const codes = parseCodes(`
EXPRESSIONS_REDUCED | loss | bindings | Expressions use morph targets or weights that the target cannot store. Those were left out.
FACING_TURNED | note | degrees | The model was rotated about its up axis, because the target requires it to face +Z.
RIGHTS_ASSUMED | note | files | The source does not declare all permissions that the target requires. Undeclared permissions were set to "not permitted".
LOOK_ASSUMED | note | degrees | The source does not declare how far the eyes rotate. This angle was written as the limit.
SPRINGS_BY_VRM | approximation | springs | Spring bones move by the rules of VRM, which pull bones back to the rest pose.
TOON_NEAR | approximation | materials | Toon materials became those of VRM 1.0, as the viewer draws them.
`);

export const refusals = {
  BODY_INCOMPLETE: 'VRM requires a humanoid skeleton, and this one has no {bones}. Use a humanoid model.',
} as const;
