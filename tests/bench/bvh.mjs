// Writes BVH files for benchmarks.
import { Euler, Quaternion, Vector3 } from 'three';
import { Animator, bind, humanoidOf, Layer } from '../../dist/rig/index.js';

const RATE = 30;
const CENTIMETRES = 100;

/**
 * Returns a clip of a humanoid scene as a BVH file, with the root at the origin in the rest pose, as
 * in most BVH files. Bones without a body part are left out.
 */
export function bvhOf(scene, clip) {
  const humanoid = humanoidOf(scene);
  const { parents, names } = scene.nodes;
  const rows = [...new Set([...humanoid.bones.values(), ...humanoid.spine])].sort((a, b) => a - b);
  const hips = humanoid.bones.get('hips');
  const animator = new Animator(scene);
  const placeOf = row => new Vector3().fromArray(animator.world.matrices, 16 * row + 12);
  const rotationOf = row => {
    const [x, y, z] = [0, 4, 8].map(at => new Vector3().fromArray(animator.world.matrices, 16 * row + at).normalize());
    const w = new Quaternion();
    return w.setFromRotationMatrix({ elements: [...x.toArray(), 0, ...y.toArray(), 0, ...z.toArray(), 0, 0, 0, 0, 1] });
  };
  const evaluate = () => animator.world.update(animator.evaluate());
  evaluate();
  const rest = new Map(rows.map(row => [row, { place: placeOf(row), inverse: rotationOf(row).invert() }]));
  const parentOf = row => {
    let at = parents[row];
    while (at >= 0 && !rest.has(at)) at = parents[at];
    return at;
  };
  const order = [];
  const write = row => {
    order.push(row);
    const offset =
      row === hips
        ? new Vector3()
        : rest
            .get(row)
            .place.clone()
            .sub(rest.get(parentOf(row)).place);
    const children = rows.filter(each => each !== hips && parentOf(each) === row);
    const numbers = offset
      .multiplyScalar(CENTIMETRES)
      .toArray()
      .map(value => value.toFixed(6))
      .join(' ');
    const channels = `${row === hips ? '6 Xposition Yposition Zposition' : '3'} Zrotation Xrotation Yrotation`;
    const below = children.length > 0 ? children.map(write).join('') : 'End Site\n{\nOFFSET 0 3 0\n}\n';
    return `${row === hips ? 'ROOT' : 'JOINT'} ${names[row].replace(/\s/g, '_')}\n{\nOFFSET ${numbers}\nCHANNELS ${channels}\n${below}}\n`;
  };
  const hierarchy = write(hips);
  const layer = new Layer(animator.shape, bind(clip, scene).tracks);
  animator.layers.push(layer);
  const frames = Array.from({ length: Math.round(clip.duration * RATE) + 1 }, (_, frame) => {
    layer.time = frame / RATE;
    evaluate();
    const world = new Map(order.map(row => [row, rotationOf(row).multiply(rest.get(row).inverse)]));
    return order.flatMap(row => {
      const above = world.get(parentOf(row));
      const local = above ? above.clone().invert().multiply(world.get(row)) : world.get(row);
      const { x, y, z } = new Euler().setFromQuaternion(local, 'ZXY');
      const angles = [z, x, y].map(angle => (angle * 180) / Math.PI);
      return row === hips ? [...placeOf(row).multiplyScalar(CENTIMETRES).toArray(), ...angles] : angles;
    });
  });
  const lines = frames.map(values => values.map(value => value.toFixed(6)).join(' ')).join('\n');
  return new TextEncoder().encode(`HIERARCHY\n${hierarchy}MOTION\nFrames: ${frames.length}\nFrame Time: ${1 / RATE}\n${lines}\n`);
}
