// Skins vertices under WebGPURenderer, with any number of influences and with dual quaternions. The
// rules are those of build/skinningShader.ts; build/skinning.ts computes the same on the CPU.
//
// All meshes read their bones from a texture, so that meshes with different numbers of bones share a
// pipeline. three's own skinning compiles one for each number.
import { type BufferGeometry, DataTexture, FloatType, Matrix4, RGBAFormat, type Skeleton, type Texture } from 'three';
import {
  attribute,
  cross,
  dot,
  float,
  If,
  int,
  ivec2,
  length,
  Loop,
  mat3,
  mat4,
  normalLocal,
  positionLocal,
  select,
  sqrt,
  tangentLocal,
  texture,
  textureSize,
  transpose,
  uniform,
  vec3,
  vec4,
  vertexIndex,
} from 'three/tsl';
import type { Node, NodeBuilder, TextureNode } from 'three/webgpu';
import { RigSkinnedMesh } from '../build/skinned.ts';
import type { Skinning } from '../build/skinning.ts';
import { moved } from './built.ts';

type Float = Node<'float'>;
type Vec3 = Node<'vec3'>;
type Vec4 = Node<'vec4'>;
type Mat3 = Node<'mat3'>;
type Mat4 = Node<'mat4'>;

const LINEAR = { eight: false, influences: null, dual: false, scaled: false } satisfies Omit<Skinning, 'extend'>;

// Each node has its own empty texture, because three.js merges nodes whose textures are the same when
// a shader is built.
const empty = (): DataTexture => new DataTexture(new Float32Array(4), 1, 1);
const bones = /*@__PURE__*/ texture(/*@__PURE__*/ empty());
const noInfluences = /*@__PURE__*/ empty();
const influences = /*@__PURE__*/ texture(noInfluences);
const noTails = /*@__PURE__*/ empty();
/** For each vertex, the attributes of TAILS. */
const tails = /*@__PURE__*/ texture(noTails);
const bindMatrixInverse = /*@__PURE__*/ uniform(new Matrix4()).onObjectUpdate(({ object }) => (object as RigSkinnedMesh).bindMatrixInverse);
/** Before each mesh is drawn, also selects its textures and updates its skeleton. */
const bindMatrix = /*@__PURE__*/ uniform(new Matrix4()).onObjectUpdate(({ object, frameId }) => {
  const mesh = object as RigSkinnedMesh;
  bones.value = boneTexture(mesh.skeleton, frameId);
  influences.value = mesh.skinning?.influences ?? noInfluences;
  tails.value = tailTexture(mesh.geometry) ?? noTails;
  return mesh.bindMatrix;
});

const updatedIn = new WeakMap<Skeleton, number>();

/** Returns the texture of bone matrices. The skeleton is updated at most once in each frame. */
function boneTexture(skeleton: Skeleton, frame: number): Texture {
  if (!skeleton.boneTexture) skeleton.computeBoneTexture();
  if (updatedIn.get(skeleton) !== frame) skeleton.update();
  updatedIn.set(skeleton, frame);
  return skeleton.boneTexture!;
}

/**
 * Attributes that describe the influences beyond the fourth. They are read from a texture, because WebGPU
 * guarantees only eight vertex buffers, which the other attributes of a mesh can already use.
 */
const TAILS = ['skinIndex1', 'skinWeight1', 'skinRange'] as const;
/** Width of the texture, in texels. */
const ROW = 4096;
const tailOf = new WeakMap<BufferGeometry, DataTexture>();

/** Returns a texture with the attributes of TAILS that a geometry has; null if it has none of them. */
function tailTexture(geometry: BufferGeometry): DataTexture | null {
  const found = TAILS.flatMap(name => geometry.getAttribute(name) ?? []);
  if (!found[0]) return null;
  let made = tailOf.get(geometry);
  if (!made) {
    const texels = found[0].count * found.length;
    const data = new Float32Array(4 * ROW * Math.ceil(texels / ROW));
    for (const [k, attribute] of found.entries())
      for (let v = 0; v < attribute.count; v++)
        for (let c = 0; c < 4; c++) data[4 * (v * found.length + k) + c] = attribute.getComponent(v, c);
    made = new DataTexture(data, ROW, data.length / (4 * ROW), RGBAFormat, FloatType);
    made.needsUpdate = true;
    const created = made;
    geometry.addEventListener('dispose', () => {
      created.dispose();
      tailOf.delete(geometry);
    });
    tailOf.set(geometry, made);
  }
  return made;
}

/** Returns a node of the attribute `k` of the `count` attributes in the texture. */
function tailOfVertex(k: number, count: number): Vec4 {
  const at = int(vertexIndex).mul(count).add(k).toVar();
  return tails.load(ivec2(at.mod(ROW), at.div(ROW))).toVar();
}

/** Assigns the skinned position, normal and tangent. Objects that aren't skinned are not changed. */
function assignSkinned({ object, geometry }: NodeBuilder): void {
  if (!(object instanceof RigSkinnedMesh && geometry.hasAttribute('skinIndex'))) return;
  const matrix = skinMatrix(object.skinning ?? LINEAR).toVar();
  positionLocal.assign(matrix.mul(vec4(positionLocal, 1)).xyz);
  if (geometry.hasAttribute('normal')) normalLocal.assign(mat3(matrix).mul(normalLocal));
  if (geometry.hasAttribute('tangent')) tangentLocal.assign(mat3(matrix).mul(tangentLocal));
}

/** The `positionNode` of materials of skinned meshes if the page has not set one. */
const skinnedPosition = /*@__PURE__*/ moved(assignSkinned);

/** Nodes that `withSkinning` has returned, also by the node of the page that they contain. */
const skinned = /*@__PURE__*/ new WeakMap<Node, Node>([[skinnedPosition, skinnedPosition]]);

/**
 * Returns the `positionNode` of a material of a skinned mesh, also for shadow passes. `own`: the node
 * that the page has set. It reads the skinned position, like nodes of meshes that three.js skins.
 */
export function withSkinning(own: Node | null | undefined): Node {
  if (!own) return skinnedPosition;
  let made = skinned.get(own);
  if (!made) {
    made = moved(builder => {
      assignSkinned(builder);
      positionLocal.assign(vec3(own as Vec3));
    });
    skinned.set(own, made).set(made, made);
  }
  return made;
}

/** Returns a node of the matrix that blends the transforms of all influences of the vertex. */
function skinMatrix({ eight, influences: more, dual, scaled }: Omit<Skinning, 'extend'>): Mat4 {
  const blend = scaled ? scaledBlend() : dual ? dualBlend() : linearBlend();
  const indices = attribute('skinIndex');
  const weights = attribute<'vec4'>('skinWeight', 'vec4');
  const four = (joints: Node, each: Vec4): void => {
    for (const c of ['x', 'y', 'z', 'w'] as const) blend.add(int((joints as Vec4)[c]), each[c]);
  };
  if (more) {
    const range = tailOfVertex(0, 1);
    four(indices, weights.mul(range.w.oneMinus()));
    const width = widthOf(influences);
    const start = int(range.x).toVar();
    Loop({ start, end: start.add(int(range.z)), type: 'int', condition: '<' }, ({ i }) => {
      const at = int(i as unknown as Node<'int'>);
      const influence = influences.load(ivec2(at.mod(width), int(range.y).add(at.div(width)))).toVar();
      blend.add(int(influence.x), influence.y);
    });
  } else if (eight) {
    const second = tailOfVertex(1, 2);
    four(indices, weights.mul(dot(second, vec4(1)).oneMinus()));
    four(tailOfVertex(0, 2), second);
  } else {
    four(indices, weights);
  }
  return blend.end();
}

const IDENTITY = /*@__PURE__*/ mat4(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
const IDENTITY3 = /*@__PURE__*/ mat3(1, 0, 0, 0, 1, 0, 0, 0, 1);

/** Returns a column of a matrix. The declarations of three.js lack the access by index. */
function columnOf(matrix: Mat3, column: number): Vec3;
function columnOf(matrix: Mat4, column: number): Vec4;
function columnOf(matrix: Node, column: number): Node {
  return (matrix as unknown as { element(index: Node<'int'>): Node }).element(int(column));
}

const fourColumns = (column: (c: 0 | 1 | 2 | 3) => Vec4): [Vec4, Vec4, Vec4, Vec4] => [column(0), column(1), column(2), column(3)];

const widthOf = (node: TextureNode): Node<'int'> => int((textureSize(node, int(0)) as unknown as Node<'uvec2'>).x);

/** Returns a node of one of the matrices in the bone texture. */
function boneMatrix(index: Node<'int'>): Mat4 {
  const width = widthOf(bones);
  const first = index.mul(4).toVar();
  return mat4(...fourColumns(c => bones.load(ivec2(first.mod(width).add(c), first.div(width))))).toVar();
}

/** Adds up the transforms of bones in the variables of a shader. */
interface Blend {
  add(index: Node<'int'>, weight: Float): void;
  end(): Mat4;
}

function linearBlend(): Blend {
  const columns = fourColumns(() => vec4(0).toVar());
  return {
    add(index, weight) {
      const matrix = boneMatrix(index);
      columns.forEach((column, c) => column.addAssign(columnOf(matrix, c).mul(weight)));
    },
    end: () => bindMatrixInverse.mul(mat4(...columns)).mul(bindMatrix),
  };
}

/** Adds the rigid transforms of bones, without their scale. */
function dualBlend(): Blend {
  const sum = new DualSum();
  return {
    add(index, weight) {
      If(weight.notEqual(0), () => {
        const m = bindMatrixInverse.mul(boneMatrix(index)).mul(bindMatrix).toVar();
        sum.add(rotationOf(mat3(m)), columnOf(m, 3).xyz, weight);
      });
    },
    end: () => sum.matrix(),
  };
}

/**
 * Splits each bone's matrix into a scale about the bone's head, along the bone's axes at rest, and a
 * rigid transform. The scales are summed as matrices and applied first. Rest transforms are in the
 * second half of the bone texture (build/restSkeleton.ts).
 */
function scaledBlend(): Blend {
  const sum = new DualSum();
  const columns = fourColumns(() => vec4(0).toVar());
  return {
    add(index, weight) {
      If(weight.notEqual(0), () => {
        const side = widthOf(bones);
        const m = bindMatrixInverse.mul(boneMatrix(index)).toVar();
        const rest = boneMatrix(index.add(side.mul(side).div(8)));
        const turn = turnOf(mat3(m), mat3(rest));
        const head = columnOf(rest, 3).toVar();
        sum.add(rotationOf(turn), m.mul(head).xyz.sub(turn.mul(head.xyz)), weight);
        const scale = transpose(turn).mul(mat3(m)).toVar();
        for (const c of [0, 1, 2] as const) columns[c].addAssign(vec4(columnOf(scale, c), 0).mul(weight));
        columns[3].addAssign(vec4(head.xyz.sub(scale.mul(head.xyz)), 1).mul(weight));
      });
    },
    end: () => {
      const total = columns[3].w.toVar();
      const factor = select(total.equal(0), float(0), total.reciprocal()).toVar();
      const scale = fourColumns(c => select(total.equal(0), columnOf(IDENTITY, c), columns[c].mul(factor)));
      return sum
        .matrix()
        .mul(mat4(...scale))
        .mul(bindMatrix);
    },
  };
}

/** A weighted sum of dual quaternions. */
class DualSum {
  readonly #real = vec4(0).toVar();
  readonly #dual = vec4(0).toVar();
  readonly #pivot = vec4(0).toVar();

  /** Adds a rotation and a translation, in the hemisphere of the first rotation. */
  add(rotation: Vec4, translation: Vec3, weight: Float): void {
    const q = rotation.toVar();
    const t = translation.toVar();
    If(dot(this.#pivot, this.#pivot).equal(0), () => {
      this.#pivot.assign(q);
    });
    const signed = select(dot(q, this.#pivot).lessThan(0), weight.negate(), weight).toVar();
    this.#real.addAssign(q.mul(signed));
    this.#dual.addAssign(vec4(t.mul(q.w).add(cross(t, q.xyz)), dot(t, q.xyz).negate()).mul(signed.mul(0.5)));
  }

  /** Returns the matrix of the normalized sum; the identity if nothing was added. */
  matrix(): Mat4 {
    const size = length(this.#real).toVar();
    const isEmpty = size.equal(0);
    const divisor = select(isEmpty, float(1), size);
    const real = select(isEmpty, vec4(0, 0, 0, 1), this.#real.div(divisor)).toVar();
    const dual = this.#dual.div(divisor).toVar();
    const t = real.w.mul(dual.xyz).sub(dual.w.mul(real.xyz)).add(cross(real.xyz, dual.xyz)).mul(2);
    const m = matrixOf(real).toVar();
    const column = (c: number): Vec4 => vec4(columnOf(m, c), 0);
    return mat4(column(0), column(1), column(2), vec4(t, 1));
  }
}

const determinantOf = (m: Mat3): Float => dot(columnOf(m, 0), cross(columnOf(m, 1), columnOf(m, 2)));

/** Returns the same rotation as Matrix4.decompose, as x y z w. */
function rotationOf(matrix: Mat3): Vec4 {
  const sign = determinantOf(matrix).toVar();
  const column = (c: number): Vec3 => columnOf(matrix, c).normalize();
  const a = column(0)
    .mul(select(sign.lessThan(0), float(-1), float(1)))
    .toVar();
  const b = column(1).toVar();
  const c = column(2).toVar();
  const [x, y, z] = [a.x, b.y, c.z];
  const difference = vec3(b.z.sub(c.y), c.x.sub(a.z), a.y.sub(b.x)).toVar();
  const sum = vec3(c.y.add(b.z), c.x.add(a.z), b.x.add(a.y)).toVar();
  const result = vec4(0, 0, 0, 1).toVar();
  const assign = (big: Float, value: (big: Float) => Vec4): void => {
    const size = big.toVar();
    result.assign(value(size).mul(float(0.5).div(sqrt(size))));
  };
  If(sign.equal(0), () => {
    result.assign(vec4(0, 0, 0, 1));
  })
    .ElseIf(x.add(y).add(z).greaterThan(0), () => assign(x.add(y).add(z).add(1), big => vec4(difference, big)))
    .ElseIf(x.greaterThan(y).and(x.greaterThan(z)), () => assign(x.sub(y).sub(z).add(1), big => vec4(big, sum.z, sum.y, difference.x)))
    .ElseIf(y.greaterThan(z), () => assign(y.sub(x).sub(z).add(1), big => vec4(sum.z, big, sum.x, difference.y)))
    .Else(() => assign(z.sub(x).sub(y).add(1), big => vec4(sum.y, sum.x, big, difference.z)));
  return result;
}

/** Returns the rotation matrix of a unit quaternion. */
function matrixOf(q: Vec4): Mat3 {
  const a = q.xyz.mul(2).toVar();
  const s = q.xyz.mul(a).toVar();
  const w = a.mul(q.w).toVar();
  const xy = q.x.mul(a.y);
  const xz = q.x.mul(a.z);
  const yz = q.y.mul(a.z);
  const one = float(1);
  return mat3(
    vec3(one.sub(s.y).sub(s.z), xy.add(w.z), xz.sub(w.y)),
    vec3(xy.sub(w.z), one.sub(s.x).sub(s.z), yz.add(w.x)),
    vec3(xz.add(w.y), yz.sub(w.x), one.sub(s.x).sub(s.y)),
  );
}

/**
 * Returns the rotation of a matrix relative to the axes at rest. The rotation keeps the direction of
 * the Y axis.
 */
function turnOf(matrix: Mat3, rest: Mat3): Mat3 {
  const m = matrix.mul(rest).toVar();
  const sign = determinantOf(m).toVar();
  const side = select(sign.lessThan(0), float(-1), float(1)).toVar();
  const y = columnOf(m, 1).normalize().mul(side).toVar();
  const across = columnOf(m, 0).mul(side).toVar();
  const x = across
    .sub(y.mul(dot(across, y)))
    .normalize()
    .toVar();
  const turn = mat3(x, y, cross(x, y)).mul(transpose(rest)).toVar();
  const column = (c: number): Vec3 => select(sign.equal(0), columnOf(IDENTITY3, c), columnOf(turn, c));
  return mat3(column(0), column(1), column(2)).toVar();
}
