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
  row('INFLUENCES_REDUCED', 'loss', 'vertices', 'Vertices have more influences than the target holds; the strongest are kept.'),
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
  row('TEXTURE_UNSUPPORTED', 'loss', 'textures', 'An image is of a kind that the target does not hold and that cannot be decoded here.'),
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
    'A texture plays a part in the material that the target does not have, or packs its channels in another way.',
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
  row('EXPRESSIONS_REDUCED', 'loss', 'bindings', 'Expressions have shapes or weights that the target does not hold.'),
  row(
    'HUMAN_BONES_LOST',
    'loss',
    'bones',
    'Bones that the source has as those of a body do not hang on each other as the target wants it.',
  ),
  row('REST_NO_T', 'loss', 'degrees', 'Readers take the pose at rest for a T: carried motions are off by what it is not.'),
  row('FACING_TURNED', 'note', 'degrees', 'The model is turned about its up axis, since the target has it face +Z.'),
  row('RIGHTS_ASSUMED', 'note', 'files', 'The source does not say all that the target asks for: what is not said is not permitted.'),
  row('LOOK_ASSUMED', 'note', 'degrees', 'The source does not say how far its eyes turn: they do so by this much.'),
  row('SPRINGS_BY_VRM', 'approximation', 'springs', 'Springs swing by the rules of VRM, which hold bones where they rest.'),
  row('TOON_NEAR', 'approximation', 'materials', 'Toon materials are those of VRM 1.0, as the viewer draws them.'),
  row('NOT_SAID', 'loss', 'things', 'The target has no word for things of this kind; they are left out.'),
  row('PROPERTIES_LOST', 'loss', 'things', 'What the source says beyond the words of all formats is left out.'),
  row('HEAD_ASSUMED', 'note', 'metres', 'Where the head was is not recorded: it looks ahead from this height.'),
  row('RAY_ASSUMED', 'note', 'hands', 'Where a hand points, and where it grips, is not recorded: both are at the wrist.'),
  row('JOINTS_FILLED', 'loss', 'joints', 'The target has all joints of a hand: those that were not seen lie at the wrist.'),
  row('INPUTS_LOST', 'loss', 'inputs', 'Inputs of a recording that are neither the left nor the right hand are left out.'),
  row('UNIT_UNSAID', 'note', 'metres', 'The target does not say its unit: a step of its numbers is so long, as it is in the source.'),
  row(
    'SPACE_UNSAID',
    'note',
    'files',
    'Numbers stay what they are, in a space that the source gives another up axis or unit than readers of the target take.',
  ),
  row('NAMES_LOST', 'loss', 'things', 'The target has no names for things of this kind.'),
  row('NAMES_CUT', 'loss', 'names', 'Names are longer than the target has room for and are cut.'),
  row('NODES_AS_BONES', 'note', 'nodes', 'The target knows bones alone: other nodes become bones.'),
  row('ROOT_ADDED', 'note', 'models', 'The target has one root that all bones hang on: a bone above those of the source is added.'),
  row('NODE_ADDED', 'note', 'nodes', 'A node of the target shows one mesh: another hangs on a node of its own.'),
  row('HIDDEN_SHOWN', 'loss', 'things', 'What is hidden cannot be marked so and is seen.'),
  row('SCALE_INHERITED', 'loss', 'bones', 'Bones below a scale take it over in another way than in the source.'),
  row('SCALES_BAKED', 'note', 'bones', 'Bones of the target rest without a scale: that of the source is in places and keys instead.'),
  row(
    'BIND_BAKED',
    'loss',
    'vertices',
    'Bones do not rest where the mesh is bound: vertices are written where they rest, and blend a little differently in motion.',
  ),
  row('MESH_SPLIT', 'note', 'materials', 'A mesh of several materials becomes a mesh for each of them.'),
  row('MESHES_MERGED', 'loss', 'meshes', 'The target has one mesh: several become one, which only their materials tell apart.'),
  row('MATERIAL_BLANK', 'note', 'meshes', 'Faces without a material get an empty one: the target has none without.'),
  row('POINTS_SPLIT', 'note', 'points', 'Points of the source that have several normals become a point for each.'),
  row('FACES_EMPTY', 'note', 'faces', 'Faces with two corners at one place, which show nothing, are left out.'),
  row('FACES_AGAINST_NORMALS', 'note', 'faces', 'Nearly all faces of a mesh are wound against its normals: readers may turn them over.'),
  row('UVS_BLANK', 'note', 'vertices', 'A mesh without UVs gets a layer of zeros, since materials hang on those.'),
  row(
    'COLORS_AS_DATA',
    'loss',
    'meshes',
    'Vertex colours that are part of the picture are written; that they are to be drawn is not said.',
  ),
  row('COLORS_ROUNDED', 'loss', 'meshes', 'Vertex colours are rounded to 256 steps.'),
  row('MORPH_NORMALS_LOST', 'loss', 'shapes', 'The normals of shapes are left out: readers make them anew.'),
  row('HAIR_REDUCED', 'loss', 'strands', 'Strands have places alone: bones that move them, their colours and UVs are left out.'),
  row(
    'MATERIAL_WORDS_LOST',
    'loss',
    'materials',
    'The target has no word for something of a material: transparency, sides, how textures are laid out or packed.',
  ),
  row('IMAGES_BY_PATH', 'note', 'images', 'The target names images by path: they have to lie where it says.'),
  row(
    'MATERIAL_FILE_THERE',
    'loss',
    'materials',
    'A file of that name speaks of another material of the name: which textures this one uses is not said.',
  ),
  row('ENCRYPTION_LEFT', 'note', 'files', 'The source is encrypted, the result is not: a new key encrypts it.'),
  row('BSON_REFUSED', 'note', 'chunks', 'What has extensions is written as JSON: readers of the target take them from nothing else.'),
  row('NOT_IN_TABLE', 'loss', 'things', 'A table has places and turns of bones; what is drawn, lights and cameras are left out.'),
  row('CLIP_UNMATCHED', 'loss', 'clips', 'A motion moves nothing that the model has.'),
  row('CLIP_EMPTY', 'loss', 'clips', 'Nothing of a motion can be said in the target.'),
  row('CLIP_RENAMED', 'note', 'clips', 'The target calls a motion as its file.'),
  row('CLIP_LEFT', 'loss', 'clips', 'A node of the target has one motion: those that move what another one does already are left out.'),
  row('CLIP_SPLIT', 'note', 'nodes', 'A motion becomes one for each node that it moves: the target has no other.'),
  row('AXES_FILLED', 'loss', 'curves', 'A curve leaves an axis as it rests, and where that is is not known: it is 0.'),
  row(
    'TRACKS_AMBIGUOUS',
    'loss',
    'tracks',
    'Several bones have the name that a curve is for, and the target tells them apart by nothing else.',
  ),
  row(
    'SHAPE_SPREAD',
    'loss',
    'tracks',
    'A curve is for the shape of one mesh; the target plays it on every mesh that has a shape of that name.',
  ),
  row(
    'CURVES_SAMPLED',
    'approximation',
    'metres',
    'Curves that are no lines between keys are sampled at every frame: the skin is off by at most this much.',
  ),
  row(
    'TURNS_CUBIC',
    'approximation',
    'degrees',
    'Turns the short way become cubic curves, with keys between far ones: they are off by at most this much.',
  ),
  row('FRAMES_FRACTIONAL', 'note', 'clips', 'Keys lie between frames; some readers of the target take whole frames alone.'),
  row(
    'OVERRIDE_REDUCED',
    'loss',
    'overrides',
    'That an override of modes reaches the bone it names cannot be said: it reaches those below.',
  ),
  row('TRACKS_UNMATCHED', 'loss', 'names', 'A motion moves what the model does not have.'),
  row('CLIP_BAKED', 'approximation', 'metres', 'Curves that glTF cannot say exactly are sampled; the skin is off by at most this much.'),
  row(
    'CLIP_ON_REST',
    'approximation',
    'tracks',
    'Differences that are meant to be played on top of another motion are put on the rest pose.',
  ),
  row('PREROLL_CUT', 'loss', 'seconds', 'What a motion does before its time 0 is cut off: the target has no negative times.'),
  row('VISIBILITY_TRACKS_LOST', 'loss', 'tracks', 'The target cannot show and hide in a motion.'),
  row('MATERIAL_TRACKS_LOST', 'loss', 'tracks', 'The target cannot animate materials.'),
  row('PROPERTY_TRACKS_LOST', 'loss', 'tracks', 'Animated properties that are no transforms are left out.'),
];
