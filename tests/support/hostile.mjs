// Builds small files that are expensive to read, for cost tests and `npm run bench -- hostile`. The
// parameter `n` sets the size of a file.
import { VgoResource, encodeVgo } from './vgoFile.mjs';

const text = new TextEncoder();

export function join(parts) {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

// ------------------------------------------------------------------------------------------------
// PSK and PSA

/**
 * Builds a PSK or PSA chunk. `size`: bytes per record. `count`: number of records. `fill(view,
 * offset, i)` writes record i.
 */
function chunk(id, size, count, fill = () => {}) {
  const bytes = new Uint8Array(32 + size * count);
  const view = new DataView(bytes.buffer);
  bytes.set(text.encode(id));
  view.setInt32(20, 20100422, true);
  view.setInt32(24, size, true);
  view.setInt32(28, count, true);
  for (let i = 0; i < count; i++) fill(view, 32 + i * size, i);
  return bytes;
}

const name = (view, at, words) => new Uint8Array(view.buffer, at, words.length).set(text.encode(words));

function bonesChunk(id, count, parentOf) {
  return chunk(id, 120, count, (view, at, i) => {
    name(view, at, `b${i}`);
    view.setInt32(at + 72, parentOf(i), true);
    view.setFloat32(at + 76 + 12, 1, true);
  });
}

/**
 * Builds a PSK with three points, n + 2 wedges and n faces; n of the wedges refer to point 0.
 * `bones`: number of bones. They form a chain; if `flat` is true, they are all children of the
 * first bone. `weights`: [weight, bone] pairs, all for point 0. `morphs`: number of deltas of each
 * morph target, all for point 0.
 */
function star(n, { bones = 1, flat = false, weights = [[1, 0]], morphs = [] } = {}) {
  const wide = n + 2 > 65536;
  const deltas = morphs.reduce((sum, count) => sum + count, 0);
  const faces = wide
    ? chunk('FACE3200', 18, n, (view, at, i) => [i, n, n + 1].forEach((wedge, k) => view.setUint32(at + 4 * k, wedge, true)))
    : chunk('FACE0000', 12, n, (view, at, i) => [i, n, n + 1].forEach((wedge, k) => view.setUint16(at + 2 * k, wedge, true)));
  return join([
    chunk('ACTRHEAD', 0, 0),
    chunk('PNTS0000', 12, 3, (view, at, i) => {
      view.setFloat32(at, i === 1 ? 10 : 0, true);
      view.setFloat32(at + 4, i === 2 ? 10 : 0, true);
    }),
    chunk('VTXW0000', 16, n + 2, (view, at, i) => {
      view.setUint16(at, i < n ? 0 : i - n + 1, true);
      view.setFloat32(at + 4, i / 65536, true); // keeps n different vertices
    }),
    faces,
    chunk('MATT0000', 88, 1, (view, at) => name(view, at, 'm')),
    bonesChunk('REFSKELT', bones, i => (flat ? 0 : Math.max(0, i - 1))),
    chunk('RAWWEIGHTS', 12, weights.length, (view, at, i) => {
      view.setFloat32(at, weights[i][0], true);
      view.setInt32(at + 8, weights[i][1], true);
    }),
    ...(morphs.length === 0
      ? []
      : [
          chunk('MRPHINFO', 68, morphs.length, (view, at, i) => {
            name(view, at, `t${i}`);
            view.setInt32(at + 64, morphs[i], true);
          }),
          chunk('MRPHDATA', 28, deltas, (view, at, i) => view.setFloat32(at, i + 1, true)),
        ]),
  ]);
}

const weightsOf = (n, bones) => Array.from({ length: n }, (_, i) => [0.1 + (i % 3), i % bones]);

function psaOfCurves(n) {
  const curves = Array.from({ length: n - 1 }, () => chunk('same:CUR', 128 + 77 * 4, 1, (view, at) => name(view, at, 'c')));
  return join([
    chunk('ANIMHEAD', 0, 0),
    bonesChunk('BONENAMES', 1, () => 0),
    chunk('ANIMINFO', 168, n, (view, at, i) => {
      name(view, at, 'same');
      view.setInt32(at + 128, 1, true); // number of tracks
      view.setFloat32(at + 152, 30, true);
      view.setInt32(at + 160, i, true);
      view.setInt32(at + 164, 1, true);
    }),
    chunk('ANIMKEYS', 32, n, (view, at) => view.setFloat32(at + 24, 1, true)),
    ...curves,
  ]);
}

/**
 * Builds a PSK of a square grid with `side`² points. Each point has one wedge and one weight; each
 * cell consists of two triangles.
 */
function grid(side) {
  const points = side * side;
  const squares = (side - 1) * (side - 1);
  const corner = (square, k) => Math.floor(square / (side - 1)) * side + (square % (side - 1)) + [0, 1, side, 1, side + 1, side][k];
  return join([
    chunk('ACTRHEAD', 0, 0),
    chunk('PNTS0000', 12, points, (view, at, i) => {
      view.setFloat32(at, i % side, true);
      view.setFloat32(at + 4, Math.floor(i / side), true);
    }),
    chunk('VTXW0000', 16, points, (view, at, i) => view.setUint16(at, i, true)),
    chunk('FACE0000', 12, 2 * squares, (view, at, i) =>
      [0, 1, 2].forEach(k => view.setUint16(at + 2 * k, corner(i >> 1, 3 * (i & 1) + k), true)),
    ),
    chunk('MATT0000', 88, 1, (view, at) => name(view, at, 'm')),
    bonesChunk('REFSKELT', 8, i => Math.max(0, i - 1)),
    chunk('RAWWEIGHTS', 12, points, (view, at, i) => {
      view.setFloat32(at, 1, true);
      view.setInt32(at + 4, i, true);
      view.setInt32(at + 8, i % 8, true);
    }),
  ]);
}

/** Builds a PSA with one sequence of eight bones, which have `n` keys in total. */
function psaOfKeys(n) {
  return join([
    chunk('ANIMHEAD', 0, 0),
    bonesChunk('BONENAMES', 8, i => Math.max(0, i - 1)),
    chunk('ANIMINFO', 168, 1, (view, at) => {
      name(view, at, 'move');
      view.setInt32(at + 128, 8, true);
      view.setFloat32(at + 152, 30, true);
      view.setInt32(at + 164, n / 8, true);
    }),
    chunk('ANIMKEYS', 32, n, (view, at, i) => {
      view.setFloat32(at, i % 7, true);
      view.setFloat32(at + 24, 1, true);
    }),
  ]);
}

// ------------------------------------------------------------------------------------------------
// Cast

let nextHash = 1n;
const typed = {
  s: words => text.encode(`${words}\0`),
  i: list => bytesOf(Uint32Array.from(list)),
  f: list => bytesOf(Float32Array.from(list)),
  '3v': list => bytesOf(Float32Array.from(list)),
  '4v': list => bytesOf(Float32Array.from(list)),
  l: value => bytesOf(BigUint64Array.of(value)),
};
const bytesOf = array => new Uint8Array(array.buffer);

/**
 * Builds a Cast node. `properties`: {name: [type, value]}. Other nodes refer to it by the `hash` of
 * the result.
 */
function cast(id, properties = {}, ...children) {
  const parts = Object.entries(properties).map(([key, [type, value]]) => {
    const payload = typed[type](value);
    const head = new DataView(new ArrayBuffer(8));
    name(head, 0, type);
    head.setUint16(2, key.length, true);
    head.setUint32(4, typeof value === 'object' ? value.length / (Number(/^\d/.exec(type)) || 1) : 1, true);
    return join([bytesOf(new Uint8Array(head.buffer)), text.encode(key), payload]);
  });
  const content = join([...parts, ...children.map(child => child.bytes)]);
  const head = new DataView(new ArrayBuffer(24));
  const hash = nextHash++;
  name(head, 0, id);
  head.setUint32(4, 24 + content.length, true);
  head.setBigUint64(8, hash, true);
  head.setUint32(16, parts.length, true);
  head.setUint32(20, children.length, true);
  return { bytes: join([bytesOf(new Uint8Array(head.buffer)), content]), hash };
}

const castFile = (...children) => join([bytesOf(Uint32Array.of(0x74736163, 1, 1, 0)), cast('root', {}, ...children).bytes]);

/** Returns `n` names whose FNV-1a hashes fall into only 64 of 2^17 buckets of a hash table. */
export function floodedNames(n) {
  const slotOf = words => {
    let hash = 2166136261;
    for (let i = 0; i < words.length; i++) hash = Math.imul(hash ^ words.charCodeAt(i), 16777619) >>> 0;
    return ((hash ^ (hash >>> 16)) >>> 0) & (2 ** 17 - 1);
  };
  const names = [];
  for (let i = 1; names.length < n; i++) if (slotOf(i.toString(36)) < 64) names.push(i.toString(36));
  return names;
}

const castBones = names =>
  castFile(cast('modl', { n: ['s', 'm'] }, cast('skel', {}, ...names.map(words => cast('bone', { n: ['s', words], p: ['i', [0]] })))));

/** Returns positions and triangle indices of a strip with `n` vertices. */
const strip = n => ({
  positions: Float32Array.from({ length: 3 * n }, (_, i) => [i >> 2, i & 1, 0][i % 3]),
  indices: Uint32Array.from({ length: 3 * (n - 2) }, (_, i) => Math.floor(i / 3) + (i % 3)),
});

function castGrid(n) {
  const { positions, indices } = strip(n);
  return castFile(cast('modl', { n: ['s', 'm'] }, cast('mesh', { n: ['s', 'x'], vp: ['3v', positions], f: ['i', indices] })));
}

function castMaterials(n) {
  const materials = Array.from({ length: n }, () => cast('matl', { n: ['s', 'x'], t: ['s', 'pbr'] }));
  const meshes = materials.map(({ hash }) =>
    cast('mesh', { n: ['s', 'x'], vp: ['3v', [0, 0, 0, 1, 0, 0, 0, 1, 0]], f: ['i', [0, 1, 2]], m: ['l', hash] }),
  );
  return castFile(cast('modl', { n: ['s', 'm'] }, ...materials, ...meshes));
}

const range = (n, make) => Array.from({ length: n }, (_, i) => make(i));
const castBone = (words, parent) =>
  cast('bone', { n: ['s', words], p: ['i', [parent >>> 0]], lp: ['3v', [0, 1, 0]], lr: ['4v', [0, 0, 0, 1]] });
const castCurve = (target, kind, frames, values) =>
  cast('curv', { nn: ['s', target], kp: ['s', kind], kb: ['i', frames], kv: ['f', values], m: ['s', 'absolute'] });
const castTriangle = (words = 't') => cast('mesh', { n: ['s', words], vp: ['3v', [0, 0, 0, 1, 0, 0, 0, 1, 0]], f: ['i', [0, 1, 2]] });
const castMotion = (words, ...curves) => cast('anim', { n: ['s', words], fr: ['f', [30]] }, ...curves);
const castModel = (...children) => cast('modl', { n: ['s', 'm'] }, ...children);

/**
 * Builds a Cast file with `n` bones. `clips`: number of animations, each of which animates all
 * bones. Each curve has two keys, at frame 0 and at frame `last`. `kind`: property that the curves
 * animate; Euler angles (`rx`) are expensive, because interpolating them isn't equivalent to a
 * slerp of the keys.
 */
function castFar(n, clips = 1, kind = 'tx', last = 1_000_000) {
  const skeleton = cast('skel', {}, ...range(n, i => castBone(`b${i}`, i === 0 ? -1 : 0)));
  const motions = range(clips, c => castMotion(`c${c}`, ...range(n, i => castCurve(`b${i}`, kind, [0, last], [0, 1]))));
  return castFile(castModel(skeleton, castTriangle()), ...motions);
}

/** Builds a Cast file with one animation, which has `n` events. `words`: name of all events. */
function castEvents(n, words) {
  const frames = range(n, i => i);
  return castFile(
    castModel(cast('skel', {}, castBone('b', -1))),
    cast('anim', { fr: ['f', [30]] }, castCurve('b', 'tx', [0, 1], [0, 1]), cast('ntif', { n: ['s', words], kb: ['i', frames] })),
  );
}

/**
 * Builds a Cast file with a chain of `n` bones. If `isBound` is true, each bone has a constraint.
 */
function castChain(n, isBound) {
  const bones = range(n, i => castBone(`b${i}`, i - 1));
  const constraints = bones.map((bone, i) => cast('cnst', { ct: ['s', 'pt'], cb: ['l', bone.hash], tb: ['l', bones[n - 1 - i].hash] }));
  return castFile(castModel(cast('skel', {}, ...bones, ...(isBound ? constraints : []))));
}

/**
 * Builds a Cast file with `n` models. Each has two bones, a constraint, a material and a triangle.
 */
function castModels(n) {
  const models = range(n, i => {
    const [bone, other] = [castBone(`a${i}`, -1), castBone(`b${i}`, 0)];
    const material = cast('matl', { n: ['s', `m${i}`], t: ['s', 'pbr'] });
    const skeleton = cast('skel', {}, bone, other, cast('cnst', { ct: ['s', 'pt'], cb: ['l', other.hash], tb: ['l', bone.hash] }));
    const mesh = cast('mesh', { n: ['s', 't'], vp: ['3v', [0, 0, 0, 1, 0, 0, 0, 1, 0]], f: ['i', [0, 1, 2]], m: ['l', material.hash] });
    return cast('modl', { n: ['s', `m${i}`] }, skeleton, material, mesh);
  });
  return castFile(...models);
}

/**
 * Builds a Cast file with a mesh of `n` vertices and `n` morph targets, each of which moves one
 * vertex.
 */
function castShapes(n) {
  const { positions, indices } = strip(n);
  const mesh = cast('mesh', { n: ['s', 'x'], vp: ['3v', positions], f: ['i', indices] });
  const shapes = range(n, i => cast('blsh', { n: ['s', `s${i}`], b: ['l', mesh.hash], vi: ['i', [i]], vp: ['3v', [1, 1, 1]] }));
  return castFile(castModel(mesh, ...shapes));
}

/** Builds a Cast file with `n` bones and `n` animations, each of which animates one bone. */
function castClips(n) {
  const skeleton = cast('skel', {}, ...range(n, i => castBone(`b${i}`, i === 0 ? -1 : 0)));
  return castFile(castModel(skeleton, castTriangle()), ...range(n, i => castMotion(`c${i}`, castCurve(`b${i}`, 'tx', [0, 1], [0, 1]))));
}

const castCurvesOfOneAxis = n =>
  castFile(castModel(cast('skel', {}, castBone('b', -1))), castMotion('c', ...range(n, i => castCurve('b', 'tx', [i, i + 1], [0, i]))));

const castLongName = n =>
  castFile(
    castModel(
      cast('matl', { n: ['s', 'x'.repeat(n)], t: ['s', 'pbr'] }),
      cast('skel', {}, castBone('y'.repeat(n), -1)),
      castTriangle('z'.repeat(n)),
    ),
  );

// ------------------------------------------------------------------------------------------------
// MRTK

/**
 * Builds an MRTK recording in format version 1.0. It has curves of the head, of states, and of 27
 * joints per hand. `count`: keys per curve. `seconds`: time between two keys.
 */
function mrtkOf(count, seconds) {
  const header = new DataView(new ArrayBuffer(16));
  header.setBigUint64(0, 0x6a8faf6e0f9e42c6n, true);
  header.setInt32(8, 1, true);
  const curves = range(7 + 4 + 2 * 27 * 7, i => {
    const isState = i >= 7 && i < 11;
    const size = isState ? 8 : 28;
    const view = new DataView(new ArrayBuffer(12 + count * size));
    [8, 8, count].forEach((word, k) => view.setInt32(4 * k, word, true));
    for (let k = 0; k < count; k++) {
      const at = 12 + size * k;
      const numbers = [k * seconds, isState ? 1 : k % 2, 1, 1, 0.3, 0.3].slice(0, isState ? 2 : 6);
      numbers.forEach((value, c) => view.setFloat32(at + 4 * c, value, true));
      if (!isState) view.setInt32(at + 24, 3, true);
    }
    return new Uint8Array(view.buffer);
  });
  return join([new Uint8Array(header.buffer), ...curves, new Uint8Array(4)]);
}

// ------------------------------------------------------------------------------------------------
// VGO

const unit = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
const assetInfo = { generator: { name: 'rigcast tests', version: '1' } };
const floats = 0x50;

/** Returns a sparse VGO accessor that contains only zeros and needs no data. */
const sparseZeros = (dataType, count) => ({
  kind: 3,
  byteOffset: 0,
  byteLength: 0,
  dataType,
  count,
  sparseType: 1,
  sparseCount: 0,
  sparseIndexDataType: 0x20,
  sparseValueDataType: dataType,
  sparseValueByteOffset: 0,
});

/** Builds a VGO file from its layout. All nodes have identity transforms. */
export const vgoOfLayout = layout => vgo(layout);

function vgo(layout, resource = new VgoResource()) {
  resource.add(Float32Array.from(layout.nodes.flatMap(() => unit)), 'mat4', 2);
  return encodeVgo({ assetInfo, layout, resource });
}

/**
 * Returns `n` VGO nodes: node 0 is the root, and all others are its children. `each(i)` returns
 * additional members of node i.
 */
const flat = (n, each) =>
  Array.from({ length: n }, (_, i) => ({
    name: `n${i}`,
    ...(i === 0 && { isRoot: true, children: Array.from({ length: n - 1 }, (_, k) => k + 1) }),
    ...each(i),
  }));

const keysOf = (count, seconds) => Array.from({ length: count }, (_, k) => ({ time: k * seconds, value: k % 3 }));
const clipOf = (propertyName, keyframes) => ({
  name: 'c',
  curveBindings: [{ type: 'Transform', propertyName, animationCurve: { keys: keyframes } }],
});
const zeros = n => Array.from({ length: n }, () => 0);

function vgoSparseMeshes(n) {
  const resource = new VgoResource();
  resource.accessors.push(sparseZeros(0x1350, 5_000_000));
  return vgo(
    { nodes: [{ name: 'r', isRoot: true }], meshes: Array.from({ length: n }, () => ({ attributes: { POSITION: 0 }, subMeshes: [-1] })) },
    resource,
  );
}

function vgoSparseAccessors(n) {
  const resource = new VgoResource();
  for (let i = 0; i < n; i++) resource.accessors.push(sparseZeros(floats, 16_000_000));
  return vgo({ nodes: [{ name: 'r', isRoot: true }] }, resource);
}

/**
 * Builds a VGO file whose layout is stored as BSON. It contains one node and a binary value of `n`
 * bytes.
 */
function vgoBsonBinary(n) {
  const resource = new VgoResource();
  resource.add(Float32Array.from(unit), 'mat4', 2);
  const element = (type, key, payload) => join([Uint8Array.of(type), text.encode(`${key}\0`), payload]);
  const document = (...elements) => join([bytesOf(Int32Array.of(5 + join(elements).length)), ...elements, Uint8Array.of(0)]);
  const root = document(element(8, 'isRoot', Uint8Array.of(1)), element(2, 'name', join([bytesOf(Int32Array.of(2)), text.encode('r\0')])));
  const binary = join([bytesOf(Int32Array.of(n)), Uint8Array.of(0), new Uint8Array(n)]);
  const layoutBson = document(
    element(4, 'nodes', document(element(3, '0', root))),
    element(3, 'extensions', document(element(5, 'x', binary))),
  );
  return encodeVgo({ assetInfo, layoutBson, resource });
}

/**
 * Builds a VGO file with `n` nodes that render the same skinned triangle. The skin has `n` joints
 * and no bind matrices. If `apart` is true, each node has a different position.
 */
function vgoSkinJoints(n, apart = false) {
  const resource = new VgoResource();
  const attributes = {
    POSITION: resource.add(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), 'vec3'),
    JOINTS_0: resource.add(new Uint8Array(12), 'joints', 4),
    WEIGHTS_0: resource.add(Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0), 'vec4', 4),
  };
  const meshes = [{ name: 'm', attributes, subMeshes: [resource.add(Uint16Array.of(0, 1, 2), 'u16')] }];
  const skins = [{ joints: Array.from({ length: n }, (_, i) => i) }];
  const nodes = flat(n, () => ({ mesh: 0, skin: 0, meshRenderer: { mesh: 0, materials: [] } }));
  const places = nodes.flatMap((_, i) => [...unit.slice(0, 12), apart ? i : 0, 0, 0, 1]);
  resource.add(Float32Array.from(places), 'mat4', 2);
  return encodeVgo({ assetInfo, layout: { nodes, meshes, skins }, resource });
}

function vgoGrid(n) {
  const resource = new VgoResource();
  const { positions, indices } = strip(n);
  const meshes = [{ name: 'm', attributes: { POSITION: resource.add(positions, 'vec3') }, subMeshes: [resource.add(indices, 'u32')] }];
  return vgo({ nodes: [{ name: 'r', isRoot: true, mesh: 0, meshRenderer: { mesh: 0, materials: [] } }], meshes }, resource);
}

/**
 * Builds a VGO file with `n` nodes that all refer to one object with `n` members. `list`: name of
 * the list that contains the object. `use`: members of a node by which it refers to the object.
 */
const wide = (n, list, use) =>
  vgo({ nodes: flat(n, () => use), [list]: [Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i.toString(36)}`, 0]))] });

/**
 * Builds a VGO file with `n` nodes that share one mesh and, as in format versions up to 2.4, refer
 * to it without a renderer. `members`: additional members of the mesh.
 */
function vgoSharedMesh(n, members) {
  const resource = new VgoResource();
  const attributes = { POSITION: resource.add(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), 'vec3') };
  const meshes = [{ attributes, subMeshes: [resource.add(Uint16Array.of(0, 1, 2), 'u16')], ...members }];
  return vgo({ nodes: flat(n, () => ({ mesh: 0 })), meshes }, resource);
}

/**
 * Builds a VGO file with a mesh of `n` vertices. It is rendered by n / 2 nodes, each with a
 * different skin.
 */
function vgoSkinsOfOneMesh(n) {
  const resource = new VgoResource();
  const attributes = {
    POSITION: resource.add(
      Float32Array.from({ length: 3 * n }, (_, i) => i % 7),
      'vec3',
    ),
    JOINTS_0: resource.add(new Uint8Array(4 * n), 'joints', 4),
    WEIGHTS_0: resource.add(
      Float32Array.from({ length: 4 * n }, (_, i) => (i % 4 ? 0 : 1)),
      'vec4',
      4,
    ),
  };
  const meshes = [{ attributes, subMeshes: [resource.add(Uint16Array.of(0, 1, 2), 'u16')] }];
  const inverseBindMatrices = resource.add(Float32Array.from(unit), 'mat4', 3);
  const nodes = flat(n >> 1, i => ({ mesh: 0, skin: i, meshRenderer: { mesh: 0, materials: [] } }));
  return vgo({ nodes, meshes, skins: nodes.map(() => ({ joints: [0], inverseBindMatrices })) }, resource);
}

/**
 * Builds a VGO file with a texture that contains a list of `n` numbers. It is used by `n` materials
 * with different texture transforms.
 */
const vgoPlacedTextures = n =>
  vgo({
    nodes: [{ isRoot: true }],
    textures: [{ zzz: zeros(n) }],
    materials: Array.from({ length: n }, (_, i) => ({
      textureIndexProperties: { _MainTex: 0 },
      textureScaleProperties: { _MainTex: [2, i + 2] },
    })),
  });

/**
 * Builds a VGO file with a chain of `n` nodes, each with a light. All lights are off because the
 * first node is inactive.
 */
const vgoDarkChain = n =>
  vgo({
    nodes: Array.from({ length: n }, (_, i) => ({ isRoot: i === 0, isActive: i > 0, light: 0, children: i + 1 < n ? [i + 1] : [] })),
    lights: [{ type: 1, intensity: 1000 }],
  });

/**
 * Builds a Cast file whose material has `n` slots. All refer to the node `target`; without
 * `target`, to a node that doesn't exist.
 */
function castSlots(n, target) {
  const slots = Array.from({ length: n }, (_, i) => [`s${i.toString(36)}`, ['l', [target?.hash ?? 7n]]]);
  return castFile(cast('modl', { n: ['s', 'm'] }, cast('matl', Object.fromEntries(slots), ...(target ? [target] : []))));
}

/** Builds a Cast file with `n` constraints of one bone, whose name has 20 n characters. */
function castLongBone(n) {
  const one = cast('bone', { n: ['s', 'x'.repeat(20 * n)], p: ['i', [0xffffffff]] });
  const constraints = Array.from({ length: n }, () => cast('cnst', { cb: ['l', [one.hash]], tb: ['l', [one.hash]], ct: ['s', 'pt'] }));
  return castFile(cast('modl', { n: ['s', 'm'] }, cast('skel', {}, one, ...constraints)));
}

/**
 * Builds a PSA with `n` sequences of one frame, and its .config file, which removes one track of
 * each sequence.
 */
const psaOfRemovals = n => ({
  name: 'x.psa',
  bytes: join([
    chunk('ANIMHEAD', 0, 0),
    bonesChunk('BONENAMES', 1, () => 0),
    chunk('ANIMINFO', 168, n, (view, at, i) => {
      name(view, at, `s${i}`);
      view.setInt32(at + 128, 1, true);
      view.setFloat32(at + 152, 30, true);
      view.setInt32(at + 164, 1, true);
    }),
    chunk('ANIMKEYS', 32, n, (view, at) => view.setFloat32(at + 24, 1, true)),
  ]),
  supplied: [['config', 'x.config', `[RemoveTracks]\n${Array.from({ length: n }, (_, i) => `s${i}.0=all\n`).join('')}`]],
});

const shared = (n, list, use) => vgo({ nodes: flat(n, () => use), [list]: [{ name: 'c', zzz: zeros(n) }] });
const extensions = x => vgo({ nodes: [{ name: 'r', isRoot: true }], extensions: { x } });

// ------------------------------------------------------------------------------------------------
// SEModel and SEAnim

const words = (...list) => bytesOf(Uint32Array.from(list));
const float32s = (...list) => bytesOf(Float32Array.from(list));

const width = largest => (largest <= 0xff ? 1 : largest <= 0xffff ? 2 : 4);
const index = (value, size) => bytesOf(Uint32Array.of(value)).slice(0, size);

/**
 * Builds a SEModel with a chain of bones and one triangle. `names`: names of the bones. `weights`:
 * number of influences per vertex.
 */
function seModelOf(names, weights) {
  const n = names.length;
  return join([
    text.encode('SEModel'),
    Uint8Array.of(1, 0, 20, 0, 3, 2, 8),
    words(n, 1, 0),
    new Uint8Array(3),
    ...names.map(each => text.encode(`${each}\0`)),
    ...names.map((_, i) => join([new Uint8Array(1), words(i - 1), float32s(0, 0, 1, 0, 0, 0, 1)])),
    Uint8Array.of(0, 0, weights),
    words(3, 1),
    float32s(0, 0, 0, 1, 0, 0, 0, 1, 0),
    ...Array.from({ length: 3 * weights }, (_, i) => join([index(i % n, width(n)), float32s(1)])),
    Uint8Array.of(0, 1, 2),
  ]);
}

/**
 * Builds a SEModel with `n` meshes. Each has 255 material layers, which all use the same material
 * with a long name.
 */
const seModelOfLayers = n =>
  join([
    text.encode('SEModel'),
    Uint8Array.of(1, 0, 20, 0, 6, 0, 1),
    words(0, n, 1),
    new Uint8Array(3),
    ...Array.from({ length: n }, () =>
      join([
        Uint8Array.of(0, 255, 0),
        words(3, 1),
        float32s(0, 0, 0, 1, 0, 0, 0, 1, 0),
        new Uint8Array(3 * 255 * 8),
        Uint8Array.of(0, 1, 2),
        new Uint8Array(4 * 255),
      ]),
    ),
    text.encode(`${'x'.repeat(4000 * n)}\0`),
    Uint8Array.of(0),
  ]);

/**
 * Builds a SEAnim. `names`: names of the animated bones. Each bone has one key, at a different
 * time; the first 255 bones also have a modifier.
 */
function seAnimOf(names) {
  const n = names.length;
  const wide = width(n);
  return join([
    text.encode('SEAnim'),
    Uint8Array.of(1, 0, 28, 0, 0, 0, 1 | 64, 0, 0, 0),
    float32s(30),
    words(n, n),
    Uint8Array.of(Math.min(n, 255), 0, 0, 0),
    words(n),
    ...names.map(each => text.encode(`${each}\0`)),
    ...names.slice(0, 255).map((_, i) => join([index(i, wide), Uint8Array.of(2)])),
    ...names.map((_, i) => join([new Uint8Array(1), index(1, wide), index(i, wide), float32s(1, 2, 3)])),
    ...names.map((_, i) => join([index(n - 1 - i, wide), Uint8Array.of(0)])),
  ]);
}

const plainNames = n => Array.from({ length: n }, (_, i) => `b${i}`);

// ------------------------------------------------------------------------------------------------
// UEFormat and map lists

const string = words => join([bytesOf(Uint32Array.of(words.length)), text.encode(words)]);
const ueChunk = (name, items) => {
  const payload = join(items);
  return join([string(name), words(items.length, payload.length), payload]);
};
const ueFile = (identifier, version, ...chunks) =>
  join([text.encode('UEFORMAT'), string(identifier), Uint8Array.of(version), string(''), Uint8Array.of(0), ...chunks]);

/** Builds `n` poses. `keys`: number of keys of each pose, which all move the same bone. */
const uePosesOf = (n, keys) =>
  ueFile(
    'UEPOSE',
    9,
    ueChunk(
      'POSES',
      Array.from({ length: n }, () =>
        join([
          string(''),
          words(keys),
          ...Array.from({ length: keys }, () => join([string('b'), float32s(1, 1, 1, 0, 0, 0, 1, 1, 1, 1)])),
          words(0),
        ]),
      ),
    ),
  );

const ueTriangle = ueFile(
  'UEMODEL',
  0,
  ueChunk('VERTICES', [float32s(0, 0, 0), float32s(1, 0, 0), float32s(0, 1, 0)]),
  ueChunk('INDICES', [words(0), words(1), words(2)]),
);
const ueBones = names =>
  ueChunk(
    'BONES',
    names.map((name, i) => join([string(name), words(i - 1), float32s(0, 0, 1, 0, 0, 0, 1)])),
  );

/** Builds a triangle with bones in a chain. `parts`: further parts of the mesh. */
const ueModelOf = (names, ...parts) =>
  ueFile(
    'UEMODEL',
    0,
    ueChunk('VERTICES', [float32s(0, 0, 0), float32s(1, 0, 0), float32s(0, 1, 0)]),
    ueChunk('INDICES', [words(0), words(1), words(2)]),
    ...parts,
    ueBones(names),
  );

/** `n` influences on one vertex. */
const ueInfluences = (n, bones) =>
  ueChunk(
    'WEIGHTS',
    Array.from({ length: n }, (_, i) => join([Uint8Array.of((i % bones) & 255, (i % bones) >> 8), words(0), float32s(1)])),
  );

/** `n` morph targets that move one vertex. */
const ueMorphs = n =>
  ueChunk(
    'MORPHTARGETS',
    Array.from({ length: n }, () => join([string(''), words(1), float32s(1, 0, 0, 0, 0, 0), words(0)])),
  );

/** Builds a model with `n` empty levels of detail. */
const ueLevelsOf = n =>
  ueFile(
    'UEMODEL',
    9,
    ueChunk(
      'LODS',
      Array.from({ length: n }, () => join([string(''), words(0)])),
    ),
  );

/** Builds an animation. Each track has `keys` keys, in descending order. */
const ueAnimOf = (names, keys) =>
  ueFile(
    'UEANIM',
    5,
    join([words(2), float32s(30)]),
    ueChunk(
      'TRACKS',
      names.map(name =>
        join([
          string(name),
          words(keys),
          ...Array.from({ length: keys }, (_, i) => join([words(2 * (keys - i)), float32s(i, 0, 0)])),
          words(0, 0),
        ]),
      ),
    ),
  );

const ueCurvesOf = n =>
  ueFile(
    'UEANIM',
    5,
    join([words(2), float32s(30)]),
    ueChunk(
      'CURVES',
      Array.from({ length: n }, () => join([string('c'), words(1, 0), float32s(1)])),
    ),
  );

const ueWorldOf = (models, actors) =>
  ueFile(
    'UEWORLD',
    0,
    ueChunk(
      'MESHES',
      Array.from({ length: models }, (_, i) => join([words(i, ueTriangle.length), ueTriangle])),
    ),
    ueChunk(
      'ACTORS',
      Array.from({ length: actors }, (_, i) => join([words(i % models), string(''), float32s(0, 0, 0, 0, 0, 0, 1, 1, 1)])),
    ),
  );

const mprtOf = names =>
  join([
    text.encode('mprt'),
    words(3, names.length),
    ...names.map(each => join([text.encode(`${each}\0`), float32s(0, 0, 0, 0, 0, 0, 1)])),
  ]);

const namedOf = (name, make) => n => ({ name, bytes: make(n) });
const pskOf = make => n => ({ name: 'x.psk', bytes: make(n) });
const psaOf = make => n => ({ name: 'x.psa', bytes: make(n) });
const castOf = make => n => ({ name: 'x.cast', bytes: make(n) });
const seOf = (ending, make) => n => ({ name: `x.${ending}`, bytes: make(n) });
const binOf = make => n => ({ name: 'x.bin', bytes: make(n) });
const vgoOf = make => n => ({ name: 'x.vgo', bytes: make(n) });

/**
 * Files that are expensive to open. `make(n)` builds a file. `n`: size for which time is measured.
 * `few`: size for which, and for twice of which, steps of the work budget are counted. `task`: what
 * is measured: opening the file (default), reading its outline, or also creating three.js objects.
 */
export const hostile = [
  { what: 'psk-weights-on-one-point', few: 250, n: 8000, make: pskOf(n => star(n, { bones: 64, weights: weightsOf(n, 64) })) },
  {
    what: 'psk-weights-many-bones',
    few: 250,
    n: 4000,
    make: pskOf(n => star(n, { bones: n, flat: true, weights: weightsOf(n, n) })),
    isProduct: true,
  },
  { what: 'psk-morph-on-one-point', few: 250, n: 8000, make: pskOf(n => star(n, { morphs: [n] })) },
  {
    what: 'psk-many-morphs-on-one-point',
    few: 250,
    n: 4000,
    make: pskOf(n => star(n, { morphs: Array.from({ length: n }, () => 1) })),
    isProduct: true,
  },
  { what: 'psa-curves', few: 250, n: 8000, make: psaOf(psaOfCurves) },
  { what: 'cast-flooded-names', few: 1000, n: 30000, make: castOf(n => castBones(floodedNames(n))) },
  { what: 'cast-materials', few: 250, n: 16000, make: castOf(castMaterials), task: 'objects' },
  { what: 'semodel-flooded-names', few: 1000, n: 30000, make: seOf('semodel', n => seModelOf(floodedNames(n), 1)) },
  { what: 'semodel-weights', few: 1000, n: 30000, make: seOf('semodel', n => seModelOf(plainNames(n), 255)) },
  { what: 'seanim-flooded-names', few: 1000, n: 30000, make: seOf('seanim', n => seAnimOf(floodedNames(n))) },
  { what: 'uemodel-flooded-names', few: 1000, n: 30000, make: namedOf('x.uemodel', n => ueModelOf(floodedNames(n))) },
  {
    what: 'uemodel-weights-on-one-vertex',
    few: 1000,
    n: 80000,
    make: namedOf('x.uemodel', n => ueModelOf(plainNames(64), ueInfluences(n, 64))),
  },
  {
    what: 'uemodel-weights-many-bones',
    few: 1000,
    n: 20000,
    make: namedOf('x.uemodel', n => ueModelOf(plainNames(n), ueInfluences(n, n))),
  },
  { what: 'uemodel-morphs-on-one-vertex', few: 1000, n: 40000, make: namedOf('x.uemodel', n => ueModelOf(['b'], ueMorphs(n))) },
  { what: 'uemodel-levels', few: 1000, n: 80000, make: namedOf('x.uemodel', ueLevelsOf) },
  { what: 'uemodel-levels-outline', few: 1000, n: 80000, make: namedOf('x.uemodel', ueLevelsOf), task: 'outline' },
  { what: 'ueanim-flooded-names', few: 1000, n: 30000, make: namedOf('x.ueanim', n => ueAnimOf(floodedNames(n), 1)) },
  {
    what: 'ueanim-one-name',
    few: 1000,
    n: 80000,
    make: namedOf('x.ueanim', n =>
      ueAnimOf(
        Array.from({ length: n }, () => 'b'),
        1,
      ),
    ),
  },
  { what: 'ueanim-descending-keys', few: 1000, n: 80000, make: namedOf('x.ueanim', n => ueAnimOf(['b'], n)) },
  { what: 'ueanim-curves', few: 1000, n: 80000, make: namedOf('x.ueanim', ueCurvesOf) },
  { what: 'uepose-empty', few: 1000, n: 80000, make: namedOf('x.uepose', n => uePosesOf(n, 0)) },
  { what: 'uepose-keys', few: 1000, n: 20000, make: namedOf('x.uepose', n => uePosesOf(1, n)) },
  { what: 'uepose-outline', few: 1000, n: 80000, make: namedOf('x.uepose', n => uePosesOf(n, 0)), task: 'outline' },
  { what: 'ueworld-models', few: 250, n: 5000, make: namedOf('x.ueworld', n => ueWorldOf(n, 1)) },
  { what: 'ueworld-actors', few: 1000, n: 20000, make: namedOf('x.ueworld', n => ueWorldOf(1, n)), task: 'objects' },
  { what: 'mprt-flooded-names', few: 1000, n: 30000, make: namedOf('x.mprt', n => mprtOf(floodedNames(n))) },
  { what: 'mprt-one-model', few: 1000, n: 30000, make: namedOf('x.mprt', n => mprtOf(Array.from({ length: n }, () => 'a'))) },
  { what: 'vgo-json-zeros', few: 2000, n: 8_000_000, make: vgoOf(n => extensions(zeros(n + 1))) },
  { what: 'vgo-json-empty-lists', few: 2000, n: 4_000_000, make: vgoOf(n => extensions(Array.from({ length: n }, () => []))) },
  { what: 'vgo-json-empty-objects', few: 2000, n: 4_000_000, make: vgoOf(n => extensions(Array.from({ length: n }, () => ({})))) },
  { what: 'vgo-json-short-lists', few: 2000, n: 1_000_000, make: vgoOf(n => extensions(Array.from({ length: n }, () => [0, 0, 0]))) },
  {
    what: 'vgo-json-members',
    few: 2000,
    n: 1_000_000,
    make: vgoOf(n => extensions(Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i.toString(36)}`, 0])))),
  },
  { what: 'vgo-sparse-accessors', few: 2, n: 16, make: vgoOf(vgoSparseAccessors), task: 'outline' },
  { what: 'vgo-sparse-meshes', few: 2, n: 16, make: vgoOf(vgoSparseMeshes) },
  {
    what: 'vgo-shared-clip',
    few: 250,
    n: 4000,
    make: vgoOf(n =>
      vgo({ nodes: flat(n, () => ({ animation: { clipIndex: 0 } })), animationClips: [clipOf('m_LocalPosition.x', keysOf(n, 1))] }),
    ),
  },
  {
    what: 'vgo-euler',
    few: 250,
    n: 4000,
    make: vgoOf(n =>
      vgo({
        nodes: [{ name: 'r', isRoot: true, animation: { clipIndex: 0 } }],
        animationClips: [clipOf('localEulerAnglesRaw.x', keysOf(n, 17))],
      }),
    ),
  },
  {
    what: 'vgo-shared-euler',
    few: 40,
    n: 160,
    make: vgoOf(n =>
      vgo({ nodes: flat(n, () => ({ animation: { clipIndex: 0 } })), animationClips: [clipOf('localEulerAnglesRaw.x', keysOf(n, 17))] }),
    ),
  },
  { what: 'vgo-skin-joints', few: 200, n: 2000, make: vgoOf(n => vgoSkinJoints(n)) },
  { what: 'vgo-skin-places', few: 200, n: 2000, make: vgoOf(n => vgoSkinJoints(n, true)), isProduct: true },
  { what: 'vgo-bson-binary', few: 2000, n: 8_000_000, make: vgoOf(vgoBsonBinary) },
  { what: 'vgo-shared-light', few: 200, n: 2000, make: vgoOf(n => shared(n, 'lights', { light: 0 })), isProduct: true },
  { what: 'vgo-shared-cloth', few: 200, n: 2000, make: vgoOf(n => shared(n, 'clothes', { cloth: 0 })) },
  { what: 'vgo-shared-particle', few: 200, n: 2000, make: vgoOf(n => shared(n, 'particles', { particle: 0 })) },
  { what: 'vgo-wide-light', few: 1000, n: 10000, make: vgoOf(n => wide(n, 'lights', { light: 0 })), isProduct: true },
  { what: 'vgo-wide-particle', few: 1000, n: 10000, make: vgoOf(n => wide(n, 'particles', { particle: 0 })) },
  { what: 'vgo-wide-cloth', few: 1000, n: 10000, make: vgoOf(n => wide(n, 'clothes', { cloth: 0 })) },
  { what: 'vgo-wide-collider', few: 1000, n: 10000, make: vgoOf(n => wide(n, 'colliders', { colliders: [0] })) },
  {
    what: 'vgo-wide-mesh',
    few: 1000,
    n: 10000,
    make: vgoOf(n => vgoSharedMesh(n, Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i.toString(36)}`, 0])))),
  },
  {
    what: 'vgo-shared-presets',
    few: 500,
    n: 10000,
    make: vgoOf(n => vgoSharedMesh(n, { blendShapePresets: Array.from({ length: n }, () => ({})) })),
  },
  {
    what: 'vgo-long-preset',
    few: 500,
    n: 10000,
    make: vgoOf(n => vgoSharedMesh(n, { blendShapePresets: [{ name: 'x'.repeat(20 * n) }] })),
  },
  {
    what: 'vgo-long-particle',
    few: 500,
    n: 10000,
    make: vgoOf(n => vgo({ nodes: flat(n, () => ({ particle: 0 })), particles: [{ name: 'x'.repeat(20 * n) }] })),
  },
  {
    what: 'vgo-shared-bindings',
    few: 200,
    n: 4000,
    isProduct: true,
    make: vgoOf(n =>
      vgo({
        nodes: flat(n, () => ({ animation: { clipIndex: 0 } })),
        animationClips: [
          { curveBindings: Array.from({ length: n }, (_, i) => ({ type: 'a', propertyName: `b${i}`, animationCurve: { keys: [{}] } })) },
        ],
      }),
    ),
  },
  { what: 'vgo-placed-textures', few: 200, n: 10000, make: vgoOf(vgoPlacedTextures), isProduct: true },
  { what: 'vgo-skins-of-one-mesh', few: 200, n: 8000, make: vgoOf(vgoSkinsOfOneMesh), isProduct: true },
  { what: 'semodel-layer-names', few: 10, n: 100, make: seOf('semodel', seModelOfLayers), isProduct: true },
  { what: 'vgo-dark-chain', few: 500, n: 8000, make: vgoOf(vgoDarkChain) },
  { what: 'cast-slots-one-file', few: 500, n: 25000, make: castOf(n => castSlots(n, cast('file', { p: ['s', 'x'.repeat(20 * n)] }))) },
  { what: 'cast-slots-missing', few: 1000, n: 50000, make: castOf(n => castSlots(n)) },
  { what: 'cast-long-bone', few: 300, n: 10000, make: castOf(castLongBone), isProduct: true },
  { what: 'psa-removals', few: 1000, n: 4000, make: psaOfRemovals },
  { what: 'vgo-shared-collider', few: 200, n: 2000, make: vgoOf(n => shared(n, 'colliders', { colliders: [0] })) },
];

const chain = n =>
  vgo({ nodes: range(n, i => ({ name: `n${i}`, ...(i === 0 && { isRoot: true }), ...(i < n - 1 && { children: [i + 1] }) })) });

/** Files that are expensive to convert. `to`: conversion targets that are measured. */
export const hostileToConvert = [
  { what: 'cast-far', few: 4, n: 60, make: castOf(n => castFar(n)), to: ['csv', 'json', 'psa'] },
  { what: 'cast-far-clips', few: 8, n: 60, make: castOf(n => castFar(1, n)), to: ['csv', 'json', 'psa'] },
  { what: 'cast-far-turns', few: 4, n: 60, make: castOf(n => castFar(n, 1, 'rx')), to: ['cast', 'se', 'glb', 'vgo'] },
  { what: 'cast-turns', few: 200, n: 16_000, make: castOf(n => castFar(n, 1, 'rx', 1)), to: ['cast', 'se', 'glb'] },
  { what: 'cast-events', few: 1000, n: 64_000, make: castOf(n => castEvents(n, 'x')), to: ['cast', 'se', 'glb'] },
  { what: 'cast-events-long-name', few: 2000, n: 16_000, make: castOf(n => castEvents(n, 'x'.repeat(n))), to: ['cast', 'se', 'glb'] },
  { what: 'cast-chain', few: 500, n: 8000, make: castOf(n => castChain(n, false)), to: ['glb', 'cast', 'csv', 'vgo'] },
  { what: 'cast-constraints', few: 250, n: 8000, make: castOf(n => castChain(n, true)), to: ['glb', 'cast'] },
  { what: 'cast-models', few: 100, n: 4000, make: castOf(castModels), to: ['cast', 'psk', 'se', 'glb'] },
  { what: 'cast-shapes', few: 200, n: 4000, make: castOf(castShapes), to: ['glb', 'psk', 'vgo', 'cast'] },
  { what: 'cast-clips', few: 100, n: 2000, make: castOf(castClips), to: ['glb', 'psa', 'se', 'csv', 'vgo'] },
  { what: 'cast-curves-of-one-axis', few: 500, n: 16_000, make: castOf(castCurvesOfOneAxis), to: ['se', 'cast', 'glb'] },
  { what: 'cast-long-name', few: 10_000, n: 3_000_000, make: castOf(castLongName), to: ['psk', 'se', 'glb'] },
  { what: 'vgo-chain', few: 500, n: 16_000, make: vgoOf(chain), to: ['glb', 'csv', 'vgo'] },
  { what: 'vgo-flat', few: 500, n: 32_000, make: vgoOf(n => vgo({ nodes: flat(n, () => ({})) })), to: ['glb', 'cast', 'csv'] },
  { what: 'mrtk-far', few: 3600, n: 86_400, make: binOf(n => mrtkOf(2, n)), to: ['glb', 'mrtk', 'iwer', 'csv', 'cast'] },
];

/**
 * Files of `hostile` that are also expensive to convert. `to`: conversion targets that are
 * measured.
 */
export const costly = [
  { what: 'vgo-shared-clip', n: 2000, to: ['cast', 'se', 'csv', 'glb', 'psa'] },
  { what: 'vgo-euler', n: 2000, to: ['csv', 'psa'] },
  { what: 'vgo-shared-euler', n: 80, to: ['glb', 'cast', 'se', 'csv', 'psa'] },
  { what: 'vgo-skin-joints', n: 1000, to: ['cast', 'psk', 'se', 'glb'] },
  { what: 'psk-weights-many-bones', n: 2000, to: ['psk', 'cast', 'glb'] },
  { what: 'psk-many-morphs-on-one-point', n: 2000, to: ['psk', 'cast', 'glb'] },
].map(row => ({ ...hostile.find(({ what }) => what === row.what), ...row }));

// ------------------------------------------------------------------------------------------------
// GLB

/**
 * Builds a GLB with one mesh, whose three vertices have no data. `members`: nodes and other members
 * of the JSON, which replace the defaults.
 */
function glbOf(members) {
  const json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: members.nodes.length > 0 && members.isTree ? [0] : members.nodes.map((_, i) => i) }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    accessors: [{ componentType: 5126, count: 3, type: 'VEC3' }],
    ...members,
  };
  const words = text.encode(JSON.stringify(json));
  const header = new Uint32Array([0x46_54_6c_67, 2, 20 + 4 * Math.ceil(words.length / 4), 4 * Math.ceil(words.length / 4), 0x4e_4f_53_4a]);
  return join([bytesOf(header), words, new Uint8Array(-words.length & 3).fill(0x20)]);
}

const glbZeros = count => [{ componentType: 5126, count, type: 'VEC3' }];
const glbRow = (what, n, make) => ({ what, n, task: 'imported', make: count => ({ name: 'x.glb', bytes: glbOf(make(count)) }) });

/** Expensive files that are opened with one of three.js's loaders. */
export const hostileImports = [
  glbRow('glb-zeros', 40_000_000, n => ({ accessors: glbZeros(n), nodes: [{ mesh: 0 }] })),
  glbRow('glb-shared-zeros', 300, n => ({
    accessors: glbZeros(1_000_000),
    meshes: range(n, () => ({ primitives: [{ attributes: { POSITION: 0 } }] })),
    nodes: range(n, mesh => ({ mesh })),
  })),
  glbRow('glb-chain', 20_000, n => ({ isTree: true, nodes: range(n, i => (i < n - 1 ? { children: [i + 1] } : {})) })),
  glbRow('glb-nodes', 200_000, n => ({ nodes: range(n, () => ({ mesh: 0 })) })),
  glbRow('glb-forest', 4000, n => ({ accessors: glbZeros(300), nodes: range(n, () => ({ mesh: 0 })) })),
];

/** Ordinary files with which expensive files are compared, at least one per format. */
export const honest = [
  { what: 'psk', n: 180, make: pskOf(grid) },
  { what: 'psa', n: 32000, make: psaOf(psaOfKeys) },
  { what: 'cast', n: 64000, make: castOf(castGrid) },
  { what: 'semodel', n: 2000, make: seOf('semodel', n => seModelOf(plainNames(n), 4)) },
  { what: 'seanim', n: 8000, make: seOf('seanim', n => seAnimOf(plainNames(n))) },
  { what: 'vgo', n: 64000, make: vgoOf(vgoGrid) },
  { what: 'mrtk', n: 100, make: binOf(n => mrtkOf(n, 1 / 60)) },
];
