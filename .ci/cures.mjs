// What helps against a finding, for docs/findings.md: by what can be done, since many have the same cure. The table of findings itself (wasm/core/codes.def) says what was found.

const EXPORT_AGAIN = 'The file was cut off or changed on its way: download or copy it again (binary, not as text), else export it again.';
const WRITER = 'Nothing has to be done here; whoever wrote the exporter would want to know (`rigcast inspect FILE` shows the place).';
const DAMAGED =
  'The exporter wrote something that contradicts itself, or the file was changed since. Export it again, with a newer version of the tool; `rigcast inspect FILE` shows the place.';
const NOTHING = 'Nothing: it is shown as it is meant.';
const WEBGL = 'Draw with WebGLRenderer, or use the GLB that `rigcast convert` writes of it.';
const SKELETON =
  '`rigcast match MODEL MOTION` says what fits. For another skeleton: `carrierOf` of `rigcast/rig`, `rigcast pose --of`, or the viewer, which carries motions over by itself.';

/** [what helps, codes, one or several in a text] */
const CURES = [
  [
    'See whether it is a file of one of the formats that README lists: archives are unpacked first, glTF and FBX are opened by the viewer and the element.',
    'UNKNOWN_FORMAT',
  ],
  ['Rename the file if the name is wrong; nothing else.', 'FORMAT_MISMATCH'],
  [EXPORT_AGAIN, 'EMPTY_FILE', 'ALL_ZEROS', 'TRUNCATED', 'TRAILING_BYTES', 'RESOURCE_LENGTH', 'MARKERS_MISSING'],
  [
    'The server answered with a page, mostly “not found” or a login: open the address in a browser, and look at where the file really lies and at redirects of single-page applications.',
    'HTML_PAGE',
  ],
  [
    'Raise `maxMemory`, where the machine has more; a file of a few megabytes that asks for so much is damaged or hostile.',
    'OUT_OF_MEMORY',
  ],
  ['Raise `maxWork`, where the file can be trusted.', 'WORK_LIMIT'],
  ['Please report the file, with the output of `rigcast validate FILE`.', 'INTERNAL_TRAP'],
  [
    DAMAGED,
    'NON_FINITE BAD_COUNT BAD_STRING_LENGTH BAD_CHUNK_SIZE BAD_CHUNK_HEADER RECORD_TOO_SMALL MISSING_CHUNK',
    'BAD_HEADER BAD_CHUNK_TABLE CHUNK_RANGE BAD_COMPOSER BAD_JSON BAD_LAYOUT ACCESSOR_RANGE ACCESSOR_TYPE ACCESSOR_COUNT',
    'ACCESSOR_SPARSE NODE_TRANSFORMS NO_ROOT NODE_CYCLE NODE_PARENTS NODE_NULL NODE_ORPHAN INDEX_RANGE TOP_LEVEL NODE_SIZE',
    'STRING_UNTERMINATED NESTING_TOO_DEEP LINK_UNRESOLVED VERTEX_POINT_RANGE FACE_INDEX_RANGE ATTRIBUTE_COUNT MORPH_DAMAGED',
    'MESH_UNUSABLE FACE_TAIL LAYER_COUNT HAIR_COUNT BONE_PARENT_RANGE BONE_CYCLE INFLUENCE_BONE_RANGE INFLUENCE_POINT_RANGE',
    'SOCKET_BONE_MISSING KEY_COUNT TRACK_COUNT NEGATIVE_COUNT SCALE_KEY_COUNT CURVE_MISMATCH KEY_PAIRS CURVE_EMPTY CURVE_KIND',
    'CURVE_VALUES INSTANCE_WITHOUT_FILE PROPERTY_TYPE_UNKNOWN PROPERTY_MISSING PROPERTY_TYPE STRING_COUNT',
  ],
  [
    WRITER,
    'NAME_DAMAGED RESERVED_NOT_ZERO UNKNOWN_CHUNK DUPLICATE_CHUNK COUNT_REPAIRED BYTE_ORDER_MARK CRYPT_FLAG IMAGE_TYPE',
    'PROPERTY_DUPLICATE NODE_PLACE VALUE_UNKNOWN LINK_AMBIGUOUS POINT_INDEX_16BIT FACE_DEGENERATE MATERIAL_RANGE',
    'MESH_EMPTY BONE_ORDER QUATERNION_NOT_UNIT INFLUENCE_SUM INFLUENCE_DUPLICATE SINGULAR_BIND',
    'SKELETON_DUPLICATE BONE_TRANSFORM_DISAGREES BONE_TRANSFORM_MISSING FIRST_FRAME_WRONG SEQUENCE_NAME_DUPLICATE KEY_ORDER',
    'KEYS_UNSORTED KEYS_DUPLICATE WRAP_MODE_UNKNOWN WEIGHTED_MODE_UNKNOWN WEIGHT_RANGE FLAG_NOT_CANONICAL LENGTH_NOT_MINIMAL',
  ],
  [
    NOTHING,
    'LEGACY_FORM PADDING_NOT_ZERO LIGHTS_EXPOSED LAYER_MATERIAL BONE_CHILD_COUNT SKELETON_UNUSED SCRIPT_APPLIED CURVE_REPEATED',
    'MATERIAL_DISAGREES',
    'WRAP_MODE STATE_VALUE COMPONENT_TIMES SIGN_FLIPS NEGATIVE_TIME BIND_BY_PREFIX BIND_OTHER_AXES BIND_OTHER_UNIT BIND_OTHER_POSE',
    'UNKNOWN_NODE UNKNOWN_PROPERTY MATERIAL_GLOSS',
  ],
  ['Give the file beside it: `companions` of `open`, `files` of the element, one drop in the viewer.', 'NEEDS_FILE'],
  [
    'Open it with a newer rigcast, or export it for the version that the page of its format names.',
    'UNSUPPORTED_VERSION',
    'VERSION_UNKNOWN',
  ],
  ['Look the name up in [options](options.md).', 'BAD_OPTION'],
  ['Read its values from the clip (`scene.clips`), and show them yourself.', 'CURVE_NOT_PLAYED'],
  ['Export bones with their constraint or handle, so that it names them.', 'NOT_SOLVED'],
  ['Give its key: a `.vgk` beside the file, or `companions`. Without it nobody can open the file.', 'KEY_REQUIRED'],
  ['Look at the key: whether it is the one of this file, whole, and not text around it.', 'BAD_KEY', 'DECRYPT_FAILED'],
  ['Ask for a file that UniVGO itself has written.', 'BAD_CRYPT_INFO', 'UNSUPPORTED_CRYPT'],
  [
    'Name the textures by what they are (`baseColor`, `normal` …) in materials of your own, or export with a known shader.',
    'SHADER_UNKNOWN',
  ],
  ['Make it with `await Rig.make(file)`, or let `RigcastLoader` do it.', 'MODULES_MISSING'],
  ['Bake them into bones before exporting, where they have to move.', 'NOT_SIMULATED'],
  ['Give objects with uneven scales an equal one before exporting (freeze, or apply it).', 'NODE_SHEAR'],
  ['Export the mesh again with normals, or without any: then all of them are made from the faces.', 'NORMAL_DAMAGED'],
  ['Split the mesh before exporting, or export as PSKX with 32-bit faces.', 'FACE_INDEX_WRAPPED'],
  ['Set `formatOptions.cast.winding`, where it turned what was right.', 'FACE_WINDING'],
  ['Set `formatOptions.unreal.colorOrder`, where red and blue are swapped.', 'COLOR_ORDER_GUESSED'],
  ['Give each bone a name of its own, where a motion moves the wrong one.', 'BONE_NAME_DUPLICATE'],
  ['Bind the vertices that stand still, in the tool that made the model.', 'INFLUENCE_MISSING'],
  ['Split the model: 65,536 bones are what a vertex can name.', 'TOO_MANY_BONES'],
  ['Set the speed, or the frame rate in the tool that made it.', 'FRAME_RATE'],
  ['Look whether the thing is to vanish; else export without scale keys.', 'SCALE_ZERO'],
  [
    "`bind`, `convert`, the viewer and the element add it to the rest pose; `additive: 'as-stated'` plays the keys as stored. To play it on top of another animation: `rig.bind(motion, { additive: 'layer' })`.",
    'LOOKS_ADDITIVE',
  ],
  ['Give the `.config` that the exporter wrote beside it.', 'LOOKS_STRIPPED'],
  ["`formatOptions.unreal.motion: 'everything'`, where more is to move.", 'CONFIG_APPLIED', 'PROPS_APPLIED'],
  ['Correct the line.', 'CONFIG_LINE'],
  ['Export it with its motions, or give the file that has them.', 'NO_MOTION'],
  ['Export the skeleton that the motion was made on; on a model that has the bone the curve plays.', 'CURVE_TARGET'],
  ['Set `formatOptions.cast.upAxis`.', 'UP_AXIS'],
  ['`formatOptions.mrtk.guessLayout: true` reads it by a guess; look whether it stands right.', 'FOREIGN_LAYOUT'],
  ['Remove the key: a slip of hand in the timeline of the tool, mostly.', 'TIME_SUSPICIOUS'],
  ['Record with another version of the toolkit, where the hand itself looks wrong.', 'ROTATION_W_LOST', 'TAIL_LOST', 'GAZE_COARSE'],
  ['Look at the tracking: what was not seen was not recorded.', 'TIME_JUMP', 'NOTHING_RECORDED', 'BONE_LENGTH'],
  ['Look whether the file is there, and whether you may read it.', 'IO_ERROR'],
  ['Look at the file with `rigcast pose` (glTF, GLB, VRM) or in the viewer; check glTF with the validator of Khronos.', 'OTHER_LOADER'],
  ['Raise the limit (`--timeout`), where the file can be trusted.', 'TIME_LIMIT'],
  ['Allow the worker: [policies](package.md#policies), `configure({ worker })`.', 'WORKER_REFUSED'],
  [SKELETON, 'BIND_UNMATCHED_TRACKS', 'BIND_UNTOUCHED_BONES', 'BIND_NOTHING', 'BIND_REST_UNKNOWN', 'BIND_TOO_MANY'],
  [
    'Set `formatOptions.cast.dualQuaternionScale` to `carry`, where the vertices are to grow with their bones, as in Blender.',
    'SKINNING_SCALE',
  ],
  [
    'Look at what is named: accessors without data, nodes in each other, sizes of packed arrays. The file is damaged, or made to cost much.',
    'OUT_OF_PROPORTION',
  ],
  ['Export them as meshes.', 'NOT_SHOWN'],
  [
    'Give the image beside the model: `loader.setFiles`, `rig.loadTextures`, `files` of the element, one drop in the viewer. Its name may have another ending.',
    'TEXTURE_MISSING',
  ],
  ['Give the material file (`.mat`, `.json`, `.props.txt`), where the guess is wrong.', 'TEXTURE_GUESSED'],
  ['Set `colorKey`, where something was cut out that should not be.', 'TEXTURE_KEYED'],
  ['Raise `maxTextures`, or list the files (`setFiles`), which asks for nothing that is not there.', 'TEXTURE_LIMIT'],
  ['Give it as PNG, JPEG or WebP, or as DDS of a kind that the graphics card draws.', 'TEXTURE_UNSUPPORTED', 'TEXTURE_DAMAGED'],
  [WEBGL, 'TOON_REDUCED', 'SKINNING_REDUCED', 'MATERIAL_REDUCED'],
  ['Use them in a material of your own: `material.userData` and `scene.materials` have all of them.', 'TEXTURE_UNUSED'],
  [
    'Give the file that it names: `rig.loadInstances`, `files` of the element, one drop in the viewer.',
    'INSTANCE_MISSING',
    'INSTANCE_UNREADABLE',
  ],
  ['Take the world out of itself, in the tool that made it.', 'INSTANCE_CYCLE'],
  ['Raise `maxFiles`, `maxPlaced` or `maxObjects` of `rig.loadInstances`, where the machine draws more.', 'INSTANCE_LIMIT'],
];

/** By code. */
export const cures = new Map(CURES.flatMap(([cure, ...codes]) => codes.flatMap(words => words.split(' ').map(code => [code, cure]))));
