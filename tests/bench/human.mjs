// Generates human bodies with any number of bones for benchmarks: the bones that identify a
// humanoid, and strands of hair for the others.
const FINGERS = ['Thumb', 'Index', 'Middle', 'Ring', 'Little'];

/**
 * Returns a scene with `bones` nodes, scaled by `size`. An avatar also has eyes, twenty expressions
 * and spring bones.
 */
export function humanOf({ bones: count, size = 1, isAvatar = false }) {
  const names = [];
  const parents = [];
  const places = [];
  const add = (name, parent, x, y, z) => {
    parents.push(parent);
    places.push(x * size, y * size, z * size);
    return names.push(name) - 1;
  };
  const hips = add('hips', add('', -1, 0, 0, 0), 0, 0.96, 0);
  let chest = hips;
  for (let i = 1; i <= 3; i++) chest = add(`spine${i}`, chest, 0, 0.13, 0);
  const head = add('head', add('neck', chest, 0, 0.13, 0), 0, 0.08, 0.02);
  for (const [side, sign] of [
    ['left', 1],
    ['right', -1],
  ]) {
    if (isAvatar) add(`${side}Eye`, head, sign * 0.03, 0.08, 0.08);
    const shoulder = add(`${side}Shoulder`, chest, sign * 0.04, 0.1, 0);
    const hand = add(
      `${side}Hand`,
      add(`${side}LowerArm`, add(`${side}UpperArm`, shoulder, sign * 0.14, 0, 0), sign * 0.3, 0, 0),
      sign * 0.27,
      0,
      0,
    );
    for (const [f, finger] of FINGERS.entries()) {
      let joint = hand;
      for (let i = 1; i <= 3; i++)
        joint = add(`${side}${finger}${i}`, joint, sign * (i === 1 ? 0.09 : 0.03), 0, i === 1 ? 0.04 - 0.02 * f : 0);
    }
    const foot = add(`${side}Foot`, add(`${side}LowerLeg`, add(`${side}UpperLeg`, hips, sign * 0.09, -0.02, 0), 0, -0.43, 0), 0, -0.43, 0);
    add(`${side}Toes`, foot, 0, -0.06, 0.14);
  }
  // Hair: chains of four bones that start at the head.
  const roots = [];
  while (names.length < count) {
    const isRoot = (count - names.length) % 4 === 0;
    const row = add(`hair_${names.length}`, isRoot || roots.length === 0 ? head : names.length - 1, 0, isRoot ? 0.1 : -0.08, -0.02);
    if (isRoot) roots.push(row);
  }
  const fill = (width, value) => Float32Array.from({ length: width * count }, (_, i) => value(i % width));
  const nodes = {
    length: count,
    names,
    parents: Int32Array.from(parents),
    bones: Int32Array.from({ length: count }, (_, i) => i - 1),
    translations: Float32Array.from(places),
    rotations: fill(4, c => (c === 3 ? 1 : 0)),
    scales: fill(3, () => 1),
    visible: new Uint8Array(count).fill(1),
    segmentScaleCompensate: new Uint8Array(count),
    properties: new Map(),
  };
  const settings = { enabled: true, dragForce: 0.4, stiffnessForce: 1, gravityDirection: [0, -1, 0], gravityPower: 0.3, hitRadius: 0.02 };
  const spring = {
    kind: 'springBone',
    name: '',
    node: head,
    properties: { ...settings, rootBones: roots.slice(0, 8), colliderGroups: [] },
  };
  const presets = ['blink', 'happy', 'angry', 'sad', ...Array.from({ length: 16 }, (_, i) => `e${i}`)];
  return {
    asset: { name: '', metresPerUnit: 1 },
    scaleInheritance: 'matrix',
    nodes,
    meshes: isAvatar ? [{ morphs: presets.map(name => ({ name })) }] : [],
    renderers: isAvatar ? [{ name: '', node: 0, mesh: 0, visible: true }] : [],
    skins: [],
    features: isAvatar ? [spring] : [],
    expressions: isAvatar ? presets.map((preset, morph) => ({ name: preset, preset, bindings: [{ renderer: 0, morph, weight: 1 }] })) : [],
  };
}
