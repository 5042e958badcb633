// Reads the VRM extensions of a glTF that three.js has loaded: humanoid bones, look-at settings and
// expressions, and the nodes of VRM animations that store expressions and gaze. Indices in the file
// may be out of range.
import { numberIn, textIn, member, listIn, numbersIn } from '../core/properties.ts';
import type { Expression, ExpressionBinding, Feature, Properties, PropertyValue } from '../core/types.ts';
import type { Object3D } from 'three';
import type { FaceNode } from './clips.ts';
import type { ImportedScene } from './scene.ts';

/** Maps nodes and meshes of the glTF to rows of the scene. */
export interface VrmRows {
  /** Returns the row of a glTF node in `scene.nodes`; -1 if there is none. */
  node(index: number): number;
  /**
   * Returns the rows in `scene.renderers` that draw the mesh of a glTF node.
   */
  ofNode(index: number): readonly number[];
  /** Returns the rows in `scene.renderers` that draw a glTF mesh, for all nodes that use it. */
  ofMesh(index: number): readonly number[];
}

export interface VrmFacts {
  features: Feature[];
  expressions: Expression[];
  /** Nodes that store facial animation, by row in `scene.nodes`. */
  faces: Map<number, FaceNode>;
  /** Rows of the bones that a VRM animation declares. Its file has no skin that would list them. */
  bones: number[];
}

/**
 * Members of GLTFLoader's parser: the JSON, and the glTF indices of each object (`associations`).
 */
export interface GltfParser {
  json: unknown;
  associations: ReadonlyMap<object, object>;
}

/**
 * Reads the VRM extensions of a glTF that GLTFLoader has loaded. Returns null if there are none.
 */
export function factsOfGltf({ json, associations }: GltfParser, imported: ImportedScene): VrmFacts | null {
  return vrmFacts(json, rowsIn(imported, associations));
}

/**
 * Maps the nodes and meshes of the glTF to rows, by means of the objects that the loader created.
 */
export function rowsIn({ objects, drawn }: ImportedScene, made: GltfParser['associations']): VrmRows {
  const placeOf = (object: Object3D | null): { nodes?: number; meshes?: number } => (object && made.get(object)) ?? {};
  // GLTFLoader converts a mesh with several materials to a group of child objects.
  const isNode = (object: Object3D | null, index: number): boolean => placeOf(object).nodes === index;
  const rowsOf = (is: (object: Object3D) => boolean): number[] => drawn.flatMap((object, row) => (is(object) ? [row] : []));
  return {
    node: index => objects.findIndex(object => isNode(object, index)),
    ofNode: index => rowsOf(object => isNode(object, index) || isNode(object.parent, index)),
    ofMesh: index => rowsOf(object => placeOf(object).meshes === index),
  };
}

/** Reads the VRM extensions in the JSON of a glTF. Returns null if there are none. */
export function vrmFacts(json: unknown, rows: VrmRows): VrmFacts | null {
  const extensions = member(json as PropertyValue, 'extensions');
  const [vrm0, vrm1, animation] = ['VRM', 'VRMC_vrm', 'VRMC_vrm_animation'].map(name => member(extensions, name));
  if (animation) return vrmAnimationFacts(animation, rows);
  if (vrm1) return vrm1Facts(vrm1, rows);
  return vrm0 ? vrm0Facts(vrm0, rows) : null;
}

const entriesOf = (value: PropertyValue | undefined): [string, PropertyValue][] =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (Object.entries(value) as [string, PropertyValue][]) : [];

function humanoidOf(bones: readonly (readonly [string, number])[], rows: VrmRows): Feature {
  const found = bones.map(([name, node]) => [name, rows.node(node)] as const).filter(([, row]) => row > 0);
  return { kind: 'humanoid', name: '', properties: { bones: Object.fromEntries(found) } };
}

const nodeOf = (value: PropertyValue | undefined): number => numberIn(value, 'node', -1);

// ---------------------------------------------------------------- VRM 1.0

const VIEWS = ['auto', 'both', 'thirdPersonOnly', 'firstPersonOnly'];

function vrm1Facts(vrm: PropertyValue, rows: VrmRows): VrmFacts {
  const bones = entriesOf(member(member(vrm, 'humanoid'), 'humanBones')).map(([name, bone]) => [name, nodeOf(bone)] as const);
  const features = [humanoidOf(bones, rows)];
  const look = member(vrm, 'lookAt');
  if (look)
    features.push(
      lookAtOf(textIn(look, 'type'), numbersIn(look, 'offsetFromHeadBone', [0, 0, 0]), name =>
        rangeOf(member(look, `rangeMap${name}`), 'inputMaxValue', 'outputScale'),
      ),
    );
  for (const note of listIn(member(vrm, 'firstPerson'), 'meshAnnotations'))
    features.push(...firstPersonFeatures(rows.ofNode(nodeOf(note)), textIn(note, 'type')));
  const all = member(vrm, 'expressions');
  const presets = entriesOf(member(all, 'preset'));
  const expressions = [...presets, ...entriesOf(member(all, 'custom'))].map(([name, each], i): Expression => {
    features.push(...overridesOf(name, each));
    const bindings = listIn(each, 'morphTargetBinds').flatMap(bind => bindingsOf(rows.ofNode(nodeOf(bind)), bind, 1));
    return { name, ...(i < presets.length && { preset: name }), bindings };
  });
  return { features, expressions, faces: new Map(), bones: [] };
}

function overridesOf(name: string, each: PropertyValue): Feature[] {
  const override = (of: string): string => textIn(each, `override${of}`);
  const properties: Properties = {
    blink: override('Blink'),
    look: override('LookAt'),
    mouth: override('Mouth'),
    isBinary: member(each, 'isBinary') === true ? 1 : 0,
  };
  const isPlain =
    properties['isBinary'] === 0 && ['blink', 'look', 'mouth'].every(part => properties[part] === '' || properties[part] === 'none');
  return isPlain ? [] : [{ kind: 'expressionOverride', name, properties }];
}

function bindingsOf(renderers: readonly number[], bind: PropertyValue, full: number): ExpressionBinding[] {
  const morph = numberIn(bind, 'index', -1);
  const weight = numberIn(bind, 'weight', 0) / full;
  return morph >= 0 && Number.isInteger(morph) ? renderers.map(renderer => ({ renderer, morph, weight })) : [];
}

const firstPersonFeatures = (renderers: readonly number[], view: string): Feature[] =>
  VIEWS.includes(view) ? renderers.map(renderer => ({ kind: 'firstPerson', name: '', properties: { renderer, view } })) : [];

type Range = [input: number, output: number] | null;

function rangeOf(value: PropertyValue | undefined, input: string, output: string): Range {
  const [from, to] = [numberIn(value, input, NaN), numberIn(value, output, NaN)];
  return from >= 0 && to >= 0 ? [from, to] : null;
}

function lookAtOf(type: string, offset: number[], range: (name: string) => Range): Feature {
  const properties: Properties = { type, offset };
  for (const [own, name] of [
    ['inner', 'HorizontalInner'],
    ['outer', 'HorizontalOuter'],
    ['up', 'VerticalUp'],
    ['down', 'VerticalDown'],
  ] as const) {
    const found = range(name);
    if (found) properties[own] = found;
  }
  return { kind: 'lookAt', name: '', properties };
}

// ---------------------------------------------------------------- VRM 0.x

/** Preset names of expressions in VRM 1.0, by their names in VRM 0.x. */
const PRESETS: Readonly<Record<string, string>> = {
  a: 'aa',
  i: 'ih',
  u: 'ou',
  e: 'ee',
  o: 'oh',
  joy: 'happy',
  sorrow: 'sad',
  fun: 'relaxed',
  blink_l: 'blinkLeft',
  blink_r: 'blinkRight',
  lookup: 'lookUp',
  lookdown: 'lookDown',
  lookleft: 'lookLeft',
  lookright: 'lookRight',
  neutral: 'neutral',
  angry: 'angry',
  blink: 'blink',
};

/**
 * Converts names of thumb bones to VRM 1.0: VRM 0.x calls the metacarpal bone proximal, and the
 * proximal bone intermediate.
 */
const renameThumb = (name: string): string =>
  name.replace(/ThumbProximal$/, 'ThumbMetacarpal').replace(/ThumbIntermediate$/, 'ThumbProximal');

function vrm0Facts(vrm: PropertyValue, rows: VrmRows): VrmFacts {
  const bones = listIn(member(vrm, 'humanoid'), 'humanBones').map(bone => [renameThumb(textIn(bone, 'bone')), nodeOf(bone)] as const);
  const features = [humanoidOf(bones, rows)];
  const person = member(vrm, 'firstPerson');
  if (person) {
    const offset = member(person, 'firstPersonBoneOffset');
    const type = textIn(person, 'lookAtTypeName') === 'BlendShape' ? 'expression' : 'bone';
    const [x, y, z] = [numberIn(offset, 'x', 0), numberIn(offset, 'y', 0.06), numberIn(offset, 'z', 0)];
    features.push(lookAtOf(type, [x, y, -z], name => rangeOf(member(person, `lookAt${name}`), 'xRange', 'yRange')));
    for (const note of listIn(person, 'meshAnnotations')) {
      const flag = textIn(note, 'firstPersonFlag');
      features.push(...firstPersonFeatures(rows.ofMesh(numberIn(note, 'mesh', -1)), flag.charAt(0).toLowerCase() + flag.slice(1)));
    }
  }
  const groups = listIn(member(vrm, 'blendShapeMaster'), 'blendShapeGroups');
  const expressions = groups.map((group): Expression => {
    const name = textIn(group, 'name');
    const declared = textIn(group, 'presetName').toLowerCase();
    const preset = Object.hasOwn(PRESETS, declared) ? PRESETS[declared] : undefined;
    const bindings = listIn(group, 'binds').flatMap(bind => bindingsOf(rows.ofMesh(numberIn(bind, 'mesh', -1)), bind, 100));
    features.push(...overridesOf(name, { isBinary: member(group, 'isBinary') === true }));
    return { name, ...(preset && { preset }), bindings };
  });
  return { features, expressions, faces: new Map(), bones: [] };
}

// ---------------------------------------------------------------- VRM animation

function vrmAnimationFacts(animation: PropertyValue, rows: VrmRows): VrmFacts {
  const bones = entriesOf(member(member(animation, 'humanoid'), 'humanBones')).map(([name, bone]) => [name, nodeOf(bone)] as const);
  const faces: VrmFacts['faces'] = new Map();
  const all = member(animation, 'expressions');
  for (const [name, each] of [...entriesOf(member(all, 'preset')), ...entriesOf(member(all, 'custom'))]) {
    const node = rows.node(nodeOf(each));
    if (node > 0) faces.set(node, { path: 'expression', name });
  }
  const gaze = rows.node(nodeOf(member(animation, 'lookAt')));
  if (gaze > 0) faces.set(gaze, { path: 'look', name: 'look' });
  return {
    features: [humanoidOf(bones, rows)],
    expressions: [],
    faces,
    bones: bones.map(([, node]) => rows.node(node)).filter(row => row > 0),
  };
}
