// Report codes and error messages of conversion to VGO.
import { parseCodes } from '../common/codes.ts';

export const codes = parseCodes(`
NODE_ADDED | note | nodes | The target allows one mesh per node. Further meshes got nodes of their own.
ENCRYPTION_LEFT | note | files | The source is encrypted, the result is not. Set a new key to encrypt it.
BSON_REFUSED | note | chunks | Chunks with extensions were written as JSON, because readers of the target don't accept them as BSON.
CLIP_LEFT | loss | clips | The target allows one animation per node. Animations of nodes that already have one were left out.
CLIP_SPLIT | note | nodes | The target allows one node per animation. An animation was split into one for each node that it moves.
SPRINGS_BY_UNITY | approximation | springs | Spring bones move by the rules of VGO, which do not pull bones back to the rest pose.
TURNS_CUBIC | approximation | degrees | Rotations became cubic curves, with extra keys on long arcs. Rotations are off by at most this angle.
`);

export const refusals = {
  VGO_TOO_LARGE: 'A VGO holds at most 4 GB, and 2 GB of vertices and images. Choose fewer animations or a smaller model.',
} as const;
