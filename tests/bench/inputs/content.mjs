// Content of the benchmark, independent of file formats: a wavy tube on a chain of bones, and
// animations for it. It is in scene space (Y up, metres) and the same in every run. The writers in
// this folder convert it to PSK, PSA, GLB and FBX.

export const boneCount = 128;
const boneStep = 0.02; // distance between neighbouring bones, in metres

/**
 * Returns the rest pose: a slightly curved chain along +Y whose bones have identity rotations.
 * `offsets` contains the position of each bone relative to its parent.
 */
export function chain() {
  const offsets = new Float32Array(boneCount * 3);
  const positions = new Float32Array(boneCount * 3);
  for (let bone = 1; bone < boneCount; bone++) {
    offsets[bone * 3] = 0.004 * Math.sin(bone * 0.3);
    offsets[bone * 3 + 1] = boneStep;
    for (let axis = 0; axis < 3; axis++) positions[bone * 3 + axis] = positions[bone * 3 - 3 + axis] + offsets[bone * 3 + axis];
  }
  return { offsets, positions, names: Array.from({ length: boneCount }, (_, bone) => `bone_${String(bone).padStart(3, '0')}`) };
}

/**
 * Returns a tube of `rings` × `columns` vertices. The last column has the same points as the first
 * and another u coordinate, so there are rings × (columns − 1) points. Faces are ordered ring by
 * ring, as in exported files. Each point has four influences.
 */
export function tube(rings, columns) {
  const around = columns - 1;
  const points = rings * around;
  const vertices = rings * columns;
  const positions = new Float32Array(points * 3);
  const normals = new Float32Array(points * 3);
  const joints = new Uint8Array(points * 4);
  const weights = new Float32Array(points * 4);
  const height = boneStep * (boneCount - 1);
  for (let ring = 0; ring < rings; ring++) {
    const along = ring / (rings - 1);
    const influences = ringInfluences(along);
    for (let column = 0; column < around; column++) {
      const angle = (column / around) * 2 * Math.PI;
      const point = ring * around + column;
      const radius = 0.25 + 0.03 * Math.sin(along * 40 + 3 * angle);
      const slope = 0.09 * Math.cos(along * 40 + 3 * angle); // derivative of the radius with respect to the angle
      positions.set([radius * Math.cos(angle), along * height, -radius * Math.sin(angle)], point * 3);
      const x = radius * Math.cos(angle) + slope * Math.sin(angle);
      const z = -(radius * Math.sin(angle) - slope * Math.cos(angle));
      const y = (-1.2 * Math.cos(along * 40 + 3 * angle) * radius) / height;
      const length = Math.hypot(x, y, z);
      normals.set([x / length, y / length, z / length], point * 3);
      joints.set(influences.joints, point * 4);
      weights.set(influences.weights, point * 4);
    }
  }
  const pointOfVertex = new Uint32Array(vertices);
  const uvs = new Float32Array(vertices * 2); // v points down, as in glTF
  for (let ring = 0; ring < rings; ring++) {
    for (let column = 0; column < columns; column++) {
      const vertex = ring * columns + column;
      pointOfVertex[vertex] = ring * around + (column % around);
      uvs[vertex * 2] = column / around;
      uvs[vertex * 2 + 1] = 1 - ring / (rings - 1);
    }
  }
  const triangles = new Uint32Array((rings - 1) * around * 6); // vertex indices, counter-clockwise
  let at = 0;
  for (let ring = 0; ring < rings - 1; ring++) {
    for (let column = 0; column < around; column++) {
      const low = ring * columns + column;
      const high = low + columns;
      triangles.set([low, low + 1, high, high, low + 1, high + 1], at);
      at += 6;
    }
  }
  return { points, vertices, positions, normals, joints, weights, pointOfVertex, uvs, triangles };
}

/**
 * Returns the four bones that are nearest to a position on the chain, with the largest weight
 * first. The weights sum to 1.
 */
function ringInfluences(along) {
  const place = along * (boneCount - 1);
  const first = Math.min(Math.max(Math.floor(place) - 1, 0), boneCount - 4);
  const four = [0, 1, 2, 3].map(k => ({ joint: first + k, weight: Math.exp(-((place - first - k) ** 2)) }));
  four.sort((a, b) => b.weight - a.weight || a.joint - b.joint);
  const sum = four.reduce((total, { weight }) => total + weight, 0);
  return { joints: four.map(({ joint }) => joint), weights: four.map(({ weight }) => weight / sum) };
}

/** Returns the number of rings and columns of a tube with exactly `vertices` vertices. */
export function tubeShape(vertices) {
  const columns = vertices >= 1e6 ? 1000 : vertices >= 1e5 ? 250 : 100;
  return { rings: Math.round(vertices / columns), columns };
}

export const frameRate = 30;

/**
 * Returns `clips` animations of all bones. Each key consists of a translation (3 numbers) and a
 * unit rotation (4 numbers), indexed as [clip][frame][bone]. No track is constant.
 */
export function motions(clips, frames) {
  const { offsets } = chain();
  return Array.from({ length: clips }, (_, clip) => {
    const translations = new Float32Array(frames * boneCount * 3);
    const rotations = new Float32Array(frames * boneCount * 4);
    for (let frame = 0; frame < frames; frame++) {
      for (let bone = 0; bone < boneCount; bone++) {
        const key = frame * boneCount + bone;
        const phase = (frame / frameRate) * (1 + clip * 0.05) + bone * 0.2;
        translations.set([offsets[bone * 3], offsets[bone * 3 + 1] + 0.001 * Math.sin(phase), offsets[bone * 3 + 2]], key * 3);
        const half = 0.03 * Math.sin(phase * 1.7);
        rotations.set([Math.sin(half) * 0.6, 0, Math.sin(half) * 0.8, Math.cos(half)], key * 4);
      }
    }
    return { name: `motion_${String(clip).padStart(3, '0')}`, frames, translations, rotations };
  });
}
