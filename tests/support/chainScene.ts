// A scene for tests: ten bones along +Y with a distance of 0.2 between them, and a ribbon whose
// vertices follow many bones.
import type { Mesh, RigScene } from '../../web/src/core/types.ts';
import { armScene } from './armScene.ts';

const BONES = 10;
const ROWS = 25;
const STEP = 0.2;

/**
 * Builds the scene. `influences`: how many of the nearest bones a vertex follows; nearer bones have
 * larger weights.
 */
export function chainScene(influences: number, skinning: Mesh['skinning'] = 'linear'): RigScene {
  const base = armScene();
  const count = 2 * ROWS;
  const positions: number[] = [];
  const indices: number[] = [];
  const all: { joint: number; weight: number }[][] = [];
  for (let row = 0; row < ROWS; row++) {
    const y = (row / (ROWS - 1)) * STEP * BONES;
    positions.push(-0.3, y, 0, 0.3, y, 0);
    const near = Array.from({ length: BONES }, (_, joint) => ({ joint, weight: Math.exp(-Math.abs(y - STEP * (joint + 0.5)) / 0.6) }))
      .sort((a, b) => b.weight - a.weight || a.joint - b.joint)
      .slice(0, influences);
    const sum = near.reduce((total, { weight }) => total + weight, 0);
    const ofRow = near.map(({ joint, weight }) => ({ joint, weight: weight / sum }));
    all.push(ofRow, ofRow);
    const a = 2 * row;
    if (row + 1 < ROWS) indices.push(a, a + 1, a + 3, a, a + 3, a + 2);
  }
  const four = all
    .map(list => list.slice(0, 4))
    .map(list => {
      const sum = list.reduce((total, { weight }) => total + weight, 0);
      return Array.from({ length: 4 }, (_, k) => ({ joint: list[k]?.joint ?? 0, weight: (list[k]?.weight ?? 0) / sum }));
    });
  const offsets = [0];
  for (const list of all) offsets.push(offsets.at(-1)! + list.length);
  const mesh: Mesh = {
    name: 'ribbon',
    topology: 'triangles',
    vertexCount: count,
    positions: Float32Array.from(positions),
    normals: Float32Array.from(positions, (_, i) => Number(i % 3 === 2)),
    uvs: [],
    colors: [],
    colorsAreMaterial: false,
    joints: Uint16Array.from(four.flat(), ({ joint }) => joint),
    weights: Float32Array.from(four.flat(), ({ weight }) => weight),
    ...(influences > 4 && {
      influenceOffsets: Uint32Array.from(offsets),
      influenceJoints: Uint16Array.from(all.flat(), ({ joint }) => joint),
      influenceWeights: Float32Array.from(all.flat(), ({ weight }) => weight),
    }),
    maxInfluences: influences,
    skinning,
    indices: Uint16Array.from(indices),
    sourceVertexCount: count,
    groups: [{ start: 0, count: indices.length, material: 0 }],
    morphs: [],
    min: [-0.3, 0, 0],
    max: [0.3, STEP * BONES, 0],
    center: [0, (STEP * BONES) / 2, 0],
    radius: 1.1,
  };
  const nodes = BONES + 1;
  const repeat = (...values: number[]) => Float32Array.from({ length: nodes * values.length }, (_, i) => values[i % values.length]!);
  return {
    ...base,
    asset: { name: 'chain', metresPerUnit: 1 },
    scaleInheritance: 'matrix',
    nodes: {
      length: nodes,
      names: ['', ...Array.from({ length: BONES }, (_, i) => `bone${i}`)],
      parents: Int32Array.from({ length: nodes }, (_, i) => i - 1),
      translations: Float32Array.from({ length: 3 * nodes }, (_, i) => (i > 5 && i % 3 === 1 ? STEP : 0)),
      rotations: repeat(0, 0, 0, 1),
      scales: repeat(1, 1, 1),
      bones: Int32Array.from({ length: nodes }, (_, i) => i - 1),
      visible: new Uint8Array(nodes).fill(1),
      segmentScaleCompensate: new Uint8Array(nodes),
      properties: new Map(),
    },
    meshes: [mesh],
    skins: [
      {
        name: '',
        joints: Uint32Array.from({ length: BONES }, (_, i) => i + 1),
        inverseBindMatrices: Float32Array.from(
          Array.from({ length: BONES }, (_, j) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -STEP * j, 0, 1]).flat(),
        ),
        jointBoxes: Float32Array.from(Array.from({ length: BONES }, (_, j) => [-0.3, -STEP * j, 0, 0.3, STEP * (BONES - j), 0]).flat()),
      },
    ],
    materials: [{ ...base.materials[0]!, name: 'Ribbon', color: [1, 1, 1, 1], model: 'unlit', side: 'both' }],
    clips: [],
    features: [],
  };
}
