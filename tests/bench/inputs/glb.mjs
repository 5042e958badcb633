// Writes the content of the benchmark as GLB with glTF Transform. Attributes are not interleaved,
// because GLTFLoader then reads them fastest.
import { Document, NodeIO, VertexLayout } from '@gltf-transform/core';
import { boneCount, chain, frameRate } from './content.mjs';

const io = new NodeIO().setVertexLayout(VertexLayout.SEPARATE);

/** Copies the values of points to the vertices that use the points. */
function spread(values, width, pointOfVertex) {
  const out = new values.constructor(pointOfVertex.length * width);
  pointOfVertex.forEach((point, vertex) => {
    for (let k = 0; k < width; k++) out[vertex * width + k] = values[point * width + k];
  });
  return out;
}

function skeleton(document, scene) {
  const { offsets, names } = chain();
  const bones = names.map((name, bone) => document.createNode(name).setTranslation([...offsets.subarray(bone * 3, bone * 3 + 3)]));
  bones.slice(1).forEach((node, index) => bones[index].addChild(node));
  scene.addChild(bones[0]);
  return bones;
}

export async function writeMeshGlb(tube) {
  const document = new Document();
  const buffer = document.createBuffer();
  const scene = document.createScene();
  const accessor = (type, array) => document.createAccessor().setType(type).setArray(array).setBuffer(buffer);
  const indices = tube.vertices <= 65535 ? new Uint16Array(tube.triangles) : tube.triangles;
  const primitive = document
    .createPrimitive()
    .setIndices(accessor('SCALAR', indices))
    .setAttribute('POSITION', accessor('VEC3', spread(tube.positions, 3, tube.pointOfVertex)))
    .setAttribute('NORMAL', accessor('VEC3', spread(tube.normals, 3, tube.pointOfVertex)))
    .setAttribute('TEXCOORD_0', accessor('VEC2', tube.uvs))
    .setAttribute('JOINTS_0', accessor('VEC4', spread(tube.joints, 4, tube.pointOfVertex)))
    .setAttribute('WEIGHTS_0', accessor('VEC4', spread(tube.weights, 4, tube.pointOfVertex)))
    .setMaterial(document.createMaterial('tube'));
  const bones = skeleton(document, scene);
  const inverseBinds = new Float32Array(boneCount * 16);
  const { positions } = chain();
  for (let bone = 0; bone < boneCount; bone++) {
    const [x, y, z] = positions.subarray(bone * 3, bone * 3 + 3);
    inverseBinds.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, -y, -z, 1], bone * 16);
  }
  const skin = document.createSkin().setSkeleton(bones[0]).setInverseBindMatrices(accessor('MAT4', inverseBinds));
  bones.forEach(bone => skin.addJoint(bone));
  scene.addChild(document.createNode('tube').setMesh(document.createMesh('tube').addPrimitive(primitive)).setSkin(skin));
  return Buffer.from(await io.writeBinary(document));
}

export async function writeMotionGlb(motions) {
  const document = new Document();
  const buffer = document.createBuffer();
  const bones = skeleton(document, document.createScene());
  const accessor = (type, array) => document.createAccessor().setType(type).setArray(array).setBuffer(buffer);
  for (const { name, frames, translations, rotations } of motions) {
    const animation = document.createAnimation(name);
    const times = accessor(
      'SCALAR',
      Float32Array.from({ length: frames }, (_, frame) => frame / frameRate),
    );
    bones.forEach((node, bone) => {
      for (const [path, width, values] of [
        ['translation', 3, translations],
        ['rotation', 4, rotations],
      ]) {
        const track = new Float32Array(frames * width);
        for (let frame = 0; frame < frames; frame++) {
          const key = (frame * boneCount + bone) * width;
          track.set(values.subarray(key, key + width), frame * width);
        }
        const sampler = document
          .createAnimationSampler()
          .setInput(times)
          .setOutput(accessor(width === 3 ? 'VEC3' : 'VEC4', track));
        const channel = document.createAnimationChannel().setTargetNode(node).setTargetPath(path).setSampler(sampler);
        animation.addSampler(sampler).addChannel(channel);
      }
    });
  }
  return Buffer.from(await io.writeBinary(document));
}
