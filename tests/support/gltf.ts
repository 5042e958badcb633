// Checks glTF files with two independent readers: the Khronos validator, and three.js's GLTFLoader,
// which computes vertex positions for comparison.
import { AnimationMixer, type BufferAttribute, LoopOnce, Matrix4, type Mesh, type Object3D, SkinnedMesh, Texture, Vector3 } from 'three';
import { type GLTF, GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { validateBytes } from 'gltf-validator';

/** Returns the errors and warnings of the Khronos validator, one line each. */
export async function complaints(bytes: Uint8Array): Promise<string[]> {
  const { issues } = await validateBytes(bytes, { maxIssues: 100 });
  return issues.messages.filter(({ severity }) => severity < 2).map(({ code, message, pointer }) => `${code} ${pointer ?? ''} ${message}`);
}

/**
 * Reads a GLB with three.js's GLTFLoader. Textures are blank, because Node cannot decode images.
 */
export async function readGlb(bytes: Uint8Array): Promise<GLTF> {
  const loader = new GLTFLoader();
  loader.register(() => ({ name: 'blank', loadTexture: async () => new Texture() }));
  return loader.parseAsync(bytes.slice().buffer, '');
}

/** Returns a glTF with one triangle. `uri`: name of its buffer of 36 bytes, the positions. */
export const triangleGltf = (uri: string): string =>
  JSON.stringify({
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ name: 'triangle', mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] }],
    bufferViews: [{ buffer: 0, byteLength: 36 }],
    buffers: [{ uri, byteLength: 36 }],
  });

interface Json {
  nodes?: { name?: string; mesh?: number }[];
}

/**
 * Returns the rendered objects with their node names, in file order. For a mesh with several
 * materials, returns only the first object, which has all vertices.
 */
export async function drawnObjects(gltf: GLTF): Promise<{ name: string; mesh: Mesh }[]> {
  const { nodes = [] } = gltf.parser.json as Json;
  const drawn: { name: string; mesh: Mesh }[] = [];
  for (const [i, { name = '', mesh }] of nodes.entries()) {
    if (mesh === undefined) continue;
    const object = (await gltf.parser.getDependency('node', i)) as Object3D;
    const first = 'geometry' in object ? object : object.children.find(child => 'geometry' in child);
    drawn.push({ name, mesh: first as Mesh });
  }
  return drawn;
}

const mixers = new WeakMap<GLTF, AnimationMixer>();

/**
 * Poses the scene at a time of an animation. Nodes without tracks keep the transforms that they
 * have in the file.
 */
export function poseAt(gltf: GLTF, animation: number, time: number): void {
  let mixer = mixers.get(gltf);
  if (!mixer) mixers.set(gltf, (mixer = new AnimationMixer(gltf.scene)));
  mixer.stopAllAction(); // restores what the previous action has changed
  const clip = gltf.animations[animation];
  if (clip) {
    const action = mixer.clipAction(clip).reset().setLoop(LoopOnce, 1).play();
    action.clampWhenFinished = true;
    mixer.setTime(time);
  }
  gltf.scene.updateMatrixWorld(true);
}

const bone = new Matrix4();
const point = new Vector3();

/**
 * Returns the world positions of all vertices of a mesh. Uses up to eight influences per vertex, as
 * the glTF specification allows; three.js's materials use only four.
 */
export function gltfPositions(mesh: Mesh): Float64Array {
  const count = mesh.geometry.getAttribute('position').count;
  const result = new Float64Array(3 * count);
  const { joints_1: joints, weights_1: weights } = mesh.geometry.attributes as Record<string, BufferAttribute | undefined>;
  for (let v = 0; v < count; v++) {
    if (mesh instanceof SkinnedMesh && joints && weights) skin(mesh, v, joints, weights);
    else if (mesh.isMesh) mesh.getVertexPosition(v, point).applyMatrix4(mesh.matrixWorld);
    else point.fromBufferAttribute(mesh.geometry.getAttribute('position'), v).applyMatrix4(mesh.matrixWorld); // lines
    point.toArray(result, 3 * v);
  }
  return result;
}

function skin(mesh: SkinnedMesh, v: number, joints: BufferAttribute, weights: BufferAttribute): void {
  const { skinIndex, skinWeight, position } = mesh.geometry.attributes as Record<string, BufferAttribute>;
  const sum = new Vector3();
  let rest = 1;
  for (let k = 0; k < 4; k++) rest -= weights.getComponent(v, k);
  for (let k = 0; k < 8; k++) {
    // three.js normalizes the first four weights so that their sum is 1
    const weight = k < 4 ? rest * (skinWeight?.getComponent(v, k) ?? 0) : weights.getComponent(v, k - 4);
    const joint = k < 4 ? (skinIndex?.getComponent(v, k) ?? 0) : joints.getComponent(v, k - 4);
    const { bones, boneInverses } = mesh.skeleton;
    if (!weight || !bones[joint] || !boneInverses[joint] || !position) continue;
    bone.multiplyMatrices(bones[joint].matrixWorld, boneInverses[joint]);
    sum.addScaledVector(point.fromBufferAttribute(position, v).applyMatrix4(bone), weight);
  }
  point.copy(sum);
}
