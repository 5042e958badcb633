// Codes of the conversion report that several targets use. Codes that a single target uses are in
// the folder of that target.

/**
 * Kind of an entry in the conversion report:
 * - loss: data of the source is missing from the result
 * - guess: the source is ambiguous, and the result contains the more likely interpretation
 * - approximation: the result differs from the source by a measured error
 * - note: the result contains the data in another form, or in a form that some importers ignore
 */
export type ConversionKind = 'loss' | 'guess' | 'approximation' | 'note';

export interface ConversionCode {
  code: string;
  kind: ConversionKind;
  /** Unit of the amount: the name of the counted objects, or a unit of measure. */
  unit: string;
  /** Explanation of the code for users. */
  sentence: string;
}

/** Rows of report codes by their code. */
export type CodeTable = ReadonlyMap<string, ConversionCode>;

export const codeTable = (rows: readonly ConversionCode[]): CodeTable => new Map(rows.map(row => [row.code, row]));

/** Parses a text table that has one code per line and vertical bars between the cells. */
export function parseCodes(table: string): ConversionCode[] {
  return table
    .trim()
    .split('\n')
    .map(line => {
      const [code = '', kind = '', unit = '', sentence = ''] = line.split(' | ');
      return { code, kind: kind as ConversionKind, unit, sentence };
    });
}

export const sharedCodes = parseCodes(`
SOURCE_DAMAGED | loss | errors | The source has errors. Its unreadable parts are missing from the result.
NEED_MISSING | loss | files | A file that the source requires was not found. Add it to the sources.
MODELS_MERGED | note | models | Models were merged. Bones with the same name became one bone.
MERGED_REST | note | bones | Bones have another rest pose than in the model with which theirs was merged. The meshes follow the rest pose of that model.
SKELETON_UNUSED | note | files | A file contains only a skeleton. It was not used, because models have their own skeletons.
LEVELS_REPEATED | note | levels | A merged model has fewer levels of detail than another one. Its next finer level was repeated, so that it does not disappear at a distance.
MESH_EMPTY | note | meshes | A mesh without vertices or faces was left out.
INFLUENCES_NOT_READ | loss | vertices | The loader of three.js reads at most four bone influences per vertex of an FBX. Weaker influences are missing from the result.
INFLUENCES_REDUCED | loss | vertices | Vertices have more bone influences than the target allows. The strongest are kept.
UNWEIGHTED_VERTICES | loss | vertices | Vertices of a skinned mesh without bone influences were attached to the first bone.
SKINNING_LINEAR | loss | vertices | Dual quaternion skinning became linear skinning, which loses volume at twisted joints.
TEXTURE_MISSING | loss | textures | An image that a material references was not found.
TEXTURES_NONE | note | materials | The model has no textures: neither its file nor the files beside it reference any.
TEXTURE_GUESSED | note | textures | A texture was chosen by its name, because no file assigns one.
TEXTURE_UNSUPPORTED | loss | textures | An image could not be decoded, and the target does not support its format.
TEXTURE_UNCUT | loss | textures | The image of a masked material could not be decoded. If one of its colours marks transparent areas, they stay opaque.
TEXTURE_REENCODED | note | textures | The pixels of an image had to change, so it was stored as lossless PNG: flipped normals, packed channels or a mask colour made transparent.
TEXTURE_SLOT_LOST | loss | textures | The target has no slot for a texture of the material, or packs its channels differently.
MATERIAL_GLOSS | note | materials | A material without a base colour texture was saved as a transparent, glossy surface (like a cornea), because other materials have such a texture.
MATERIAL_REDUCED | loss | materials | A toon, sky or other special material became a standard material. Effects such as a clear coat were left out.
MATERIAL_VALUES_INVALID | loss | files | A file with values of materials (NAME.materials.json) is invalid. It was ignored.
MATERIAL_VALUES_LOST | loss | materials | The materials of the source are copied unchanged, because the target has the same format. Values that were set for them were left out.
COLOR_CLAMPED | loss | materials | A colour component outside 0 to 1 was clamped.
INSTANCES_LOST | loss | instances | Instances were left out. Their file is missing or unreadable or contains itself, there are too many instances, or the target cannot store them.
INSTANCES_TURNED | note | instances | A file with instances states another up axis than the scene. The instances were rotated by the difference.
CLIP_RETARGETED | note | animations | An animation was made for another skeleton and was retargeted to the model.
CLIP_NOT_RETARGETED | loss | animations | An animation was made for another skeleton, which shares neither enough bones nor a body with the model. Only tracks of bones with the same names move the model, and they may have another unit or other axes.
BONE_MAP_UNKNOWN | loss | bones | The bone map contains names of bones that neither the model nor the animation has. Their pairs were ignored.
BONE_MAP_UNUSED | loss | animations | An animation has no skeleton, so the bone map was not applied to it.
CLIP_UNIT_INFERRED | guess | animations | An animation without a skeleton was converted to the unit of the model. Its unit was inferred from the lengths of bones.
CLIP_LENGTHS_DIFFER | loss | bones | An animation without a skeleton has far longer or shorter bones than the model, probably because of another unit. Its positions were written unchanged.
FINGERS_LEFT | loss | bones | Fingers are named by numbers, and their positions don't show which one is the thumb. They are not part of the humanoid.
FINGERS_INFERRED | guess | bones | Fingers are named by numbers. The thumb was inferred from the positions of the bones.
HUMAN_BONES_LOST | loss | bones | Humanoid bones were left out, because the target requires other bones or another hierarchy.
REST_NO_T | loss | degrees | The rest pose is not the T-pose that readers expect. Retargeted animations are off by this angle.
NOT_SAID | loss | items | The target cannot store this. It was left out.
PROPERTIES_LOST | loss | items | Custom properties of the source were left out.
UNIT_UNSAID | note | metres | The target does not store a unit. One unit of the result has this length, as in the source.
SPACE_UNSAID | note | files | Coordinates were not converted. The source has another up axis or unit than readers of the target expect.
NUMBERS_REPAIRED | loss | numbers | Numbers that are too large for the target, or for its unit, were replaced by 0.
NORMALS_COMPUTED | note | meshes | The source has no normals. Normals computed from its faces were written.
NODES_RENAMED | note | nodes | Nodes that became bones were renamed, because another bone had the same name.
NODES_AS_BONES | note | nodes | The target has no nodes other than bones. All nodes became bones.
HIDDEN_SHOWN | loss | items | The target cannot store visibility. Hidden parts of the source are visible in the result.
SCALE_INHERITED | loss | bones | In the target, children of a scaled bone inherit its scale differently than in the source.
SCALE_EVENED | loss | metres | The target cannot scale bones differently per axis. The rest pose is exact. In animations the skin is off by at most this distance.
BIND_BAKED | loss | vertices | The rest pose differs from the bind pose. Vertices were written in the rest pose and deform slightly differently in animations.
MESH_SPLIT | note | materials | A mesh with several materials was split into one mesh per material.
MATERIAL_BLANK | note | meshes | Faces without a material got an empty one, because the target requires a material.
UVS_BLANK | note | vertices | A mesh without UVs got a UV layer of zeros, because the target requires one.
COLORS_AS_DATA | loss | meshes | Vertex colours that tint the mesh were written as data. Readers of the target may not show them.
COLORS_ROUNDED | loss | meshes | Vertex colours were rounded to 256 steps.
MATERIAL_WORDS_LOST | loss | materials | The target cannot store some settings of a material: transparency, visible sides, texture layout or packing.
IMAGES_BY_PATH | note | images | The target references images by path. Keep them at these paths.
FILE_REPLACED | note | files | A file with the same name and other contents was replaced.
BACKGROUND_DARK | note | pictures | The model only adds light to what is behind it, so that it is invisible on white. The picture has a dark background.
LINK_FOLLOWED | note | files | A source is a link. The file that it points to was converted.
CLIP_UNMATCHED | loss | clips | An animation was left out, because it moves no part of the model.
CLIP_EMPTY | loss | clips | An animation was left out, because the target cannot store any of its curves.
WORK_LIMIT | loss | clips | An animation would exceed the limit of the conversion. The animation was left out or sampled more coarsely. Raise the limit to keep it unchanged.
CLIP_RENAMED | note | clips | An animation was renamed to the name of its file, or to a unique name.
TRACKS_AMBIGUOUS | loss | tracks | The target can only animate the first of several bones with the same name. The curves of the other bones were left out.
SHAPE_SPREAD | loss | tracks | A curve drives a morph target of one mesh. The target applies the curve to every mesh with a morph target of this name.
CURVES_SAMPLED | approximation | metres | Curves that are not linear between keys were sampled at every frame. The skin is off by at most this distance.
FRAMES_FRACTIONAL | note | clips | Some keys are between two frames. Some readers of the target only accept whole frames.
OVERRIDE_REDUCED | loss | overrides | A mode override applies to a bone and its descendants. In the target it only applies to the descendants.
TRACKS_UNMATCHED | loss | names | Curves drive bones or morph targets that the model does not have. These curves were left out.
CLIP_BAKED | approximation | metres | Curves that the target cannot store exactly were sampled. Skin and bones are off by at most this distance.
CLIP_ON_REST | approximation | tracks | Additive curves were added to the rest pose.
ADDITIVE_GUESSED | guess | bones | An animation looks additive, but its file does not reliably declare this. Its keys were added to the rest pose.
MODES_ASSUMED | note | clips | Without a model, rigcast cannot detect whether an animation is additive. Its keys were written as absolute values.
MODES_UNDECLARED | note | clips | Absolute keys look additive, and the target cannot declare that they are absolute. Readers may guess wrong.
CLIP_NOT_FOUND | loss | clips | The model has no animation with this name or number, although it was chosen.
LOOP_TRIMMED | note | seconds | An animation was trimmed to its best loop or to a range, as requested. The rest was left out.
LOOP_BLENDED | approximation | degrees | The end of a loop was blended into its start. Before the blend, bones differed by this angle on average.
LOOP_NOT_FOUND | note | clips | An animation rotates no bones or is too short, so it has no loop. It was left unchanged.
TRAVEL_REMOVED | note | metres | The distance that an animation travels was removed, as requested.
TRAVEL_GUESSED | guess | metres | An animation played in place. The body now travels at the speed at which its feet move over the ground.
GROUND_UNKNOWN | note | clips | No travel was added to an animation, because the model has no feet or the body turns.
TURN_REMOVED | note | degrees | The angle that an animation turns the body was removed, as requested.
ROOT_UNKNOWN | note | clips | The bone that moves the whole body is unknown, so travel and turn of an animation were kept.
PREROLL_CUT | loss | seconds | The part of an animation before time 0 was cut off, because the target has no negative times.
VISIBILITY_TRACKS_LOST | loss | tracks | The target cannot animate visibility.
MATERIAL_TRACKS_LOST | loss | tracks | The target cannot animate materials.
PROPERTY_TRACKS_LOST | loss | tracks | Animated properties other than transforms were left out.
`);
