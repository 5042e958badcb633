// Every code of a ledger. The page on converting has the same table, which a test compares.

/**
 * loss: the target does not say what the file says. approximation: it says so within a tolerance. note: all is there, in another form or where
 * not every reader looks.
 */
export type LedgerKind = 'loss' | 'approximation' | 'note';

export interface LedgerCode {
  code: string;
  kind: LedgerKind;
  /** What `amount` counts. */
  unit: string;
  /** What it means, for people. */
  sentence: string;
}

const row = (code: string, kind: LedgerKind, unit: string, sentence: string): LedgerCode => ({ code, kind, unit, sentence });

export const ledgerCodes: readonly LedgerCode[] = [
  row('SOURCE_DAMAGED', 'loss', 'errors', 'The source itself has errors: what could not be read is not in the result.'),
  row('NEED_MISSING', 'loss', 'files', 'A file that the source asks for was not found.'),
  row('MESH_EMPTY', 'note', 'meshes', 'A mesh without vertices or faces is left out.'),
  row('NORMALS_REPAIRED', 'note', 'normals', 'Normals without the length one are made so; those without a direction point up.'),
  row('INFLUENCES_REDUCED', 'loss', 'vertices', 'Vertices have more than eight influences; the eight strongest are kept.'),
  row('UNWEIGHTED_VERTICES', 'loss', 'vertices', 'Vertices of a skinned mesh that no bone moves are given to the first bone.'),
  row('SKINNING_LINEAR', 'loss', 'vertices', 'Dual quaternion skinning becomes linear skinning, which loses volume at twisted joints.'),
  row(
    'VERTEX_COLORS_ASIDE',
    'note',
    'layers',
    'Vertex colours that are data, not looks, are kept as attributes of their own (_COLOR_0 …).',
  ),
  row(
    'BONE_SCALE_APPROXIMATED',
    'loss',
    'metres',
    'The way in which bones take over scale cannot be said in glTF: the skin is off by this much.',
  ),
  row('NODE_HIDDEN', 'note', 'nodes', 'What is hidden is marked with KHR_node_visibility; readers that do not know it show it.'),
  row('TEXTURE_MISSING', 'loss', 'textures', 'An image that the material names was not found.'),
  row(
    'TEXTURE_NOT_AT_HAND',
    'loss',
    'textures',
    "Textures of a model that three's own loaders opened are left out: only the pictures are known, not their files.",
  ),
  row('TEXTURE_GUESSED', 'note', 'textures', 'A texture was chosen by its name: nothing in or beside the file says which it is.'),
  row('TEXTURE_UNSUPPORTED', 'loss', 'textures', 'An image is of a kind that glTF does not hold and that cannot be decoded here.'),
  row(
    'TEXTURE_UNCUT',
    'loss',
    'textures',
    'An image of a masked material cannot be decoded here, so the colour that masks it, if one does, stays in it.',
  ),
  row(
    'TEXTURE_REENCODED',
    'note',
    'textures',
    'An image is stored as PNG, pixel by pixel; normals as glTF has them, and what a colour masks is transparent.',
  ),
  row(
    'TEXTURE_SLOT_LOST',
    'loss',
    'textures',
    'A texture plays a part in the material that glTF does not have, or packs its channels in another way.',
  ),
  row(
    'MATERIAL_GLOSS',
    'note',
    'materials',
    'A material that nothing gives a colour, beside others that have one, is a clear gloss (a cornea, a tear line).',
  ),
  row('BLENDING_REDUCED', 'loss', 'materials', 'Light that is added or multiplied becomes ordinary transparency.'),
  row('SIDES_BOTH', 'loss', 'materials', 'A material that shows its back alone shows both sides.'),
  row('MATERIAL_REDUCED', 'loss', 'materials', 'A toon, sky or other material of its own kind becomes a plain one.'),
  row('COLOR_CLAMPED', 'loss', 'materials', 'A colour outside of 0 to 1 is cut off.'),
  row('LIGHT_LOST', 'loss', 'lights', 'glTF has no lights with an area; they are left out.'),
  row(
    'INSTANCES_LOST',
    'loss',
    'instances',
    'Files that the source places were not found, cannot be read, place themselves or are too many: what they show is not in the result.',
  ),
  row(
    'INSTANCE_PARTS_LOST',
    'loss',
    'things',
    'Motions, lights, cameras, behaviour and expressions of files that the source places are left out: they stand at rest.',
  ),
  row(
    'FEATURE_LOST',
    'loss',
    'features',
    'Constraints, physics and other behaviour are no part of glTF; what the file says is kept in extras.',
  ),
  row(
    'EXPRESSIONS_LOST',
    'loss',
    'expressions',
    'Expressions, named groups of morph weights, are no part of glTF; what the file says is kept in extras.',
  ),
  row('NOT_IN_TABLE', 'loss', 'things', 'A table has places and turns of bones; what is drawn, lights and cameras are left out.'),
  row('CLIP_UNMATCHED', 'loss', 'clips', 'A motion moves nothing that the model has.'),
  row('CLIP_EMPTY', 'loss', 'clips', 'Nothing of a motion can be said in glTF.'),
  row('TRACKS_UNMATCHED', 'loss', 'names', 'A motion moves what the model does not have.'),
  row('CLIP_BAKED', 'approximation', 'metres', 'Curves that glTF cannot say exactly are sampled; the skin is off by at most this much.'),
  row(
    'CLIP_ON_REST',
    'approximation',
    'tracks',
    'Differences that are meant to be played on top of another motion are put on the rest pose.',
  ),
  row('PREROLL_CUT', 'loss', 'seconds', 'What a motion does before its time 0 is cut off: glTF has no negative times.'),
  row('VISIBILITY_TRACKS_LOST', 'loss', 'tracks', 'glTF cannot show and hide in a motion.'),
  row('MATERIAL_TRACKS_LOST', 'loss', 'tracks', 'glTF cannot animate materials.'),
  row('PROPERTY_TRACKS_LOST', 'loss', 'tracks', 'Animated properties that are no transforms are left out.'),
];
