// Writes the content of the benchmark as PSK and PSA with the conventions of UE Viewer and
// CUE4Parse: Z up, centimetres, clockwise faces, conjugated quaternions except for the first bone,
// weights and normals per point.
import { boneCount, chain, frameRate } from './content.mjs';

const headVersion = 20100422;

/** A file that is written chunk by chunk into one buffer. */
class Chunks {
  constructor(byteLength) {
    this.buffer = Buffer.alloc(byteLength);
    this.view = new DataView(this.buffer.buffer, this.buffer.byteOffset, byteLength);
    this.at = 0;
  }

  /**
   * Writes the header of a chunk, and calls `fill` with the data view and the offset of each
   * record.
   */
  chunk(id, size, count, fill = () => {}, typeFlag = 0) {
    this.text(id, this.at, 20);
    [typeFlag, size, count].forEach((value, index) => this.view.setInt32(this.at + 20 + index * 4, value, true));
    this.at += 32;
    for (let record = 0; record < count; record++, this.at += size) fill(this.view, this.at, record);
  }

  text(value, at, size) {
    this.buffer.write(value, at, size, 'latin1');
  }
}

const setFloats = (view, at, ...values) => values.forEach((value, index) => view.setFloat32(at + index * 4, value, true));
const setPoint = (view, at, values, index, scale) => {
  view.setFloat32(at, values[index * 3] * scale, true);
  view.setFloat32(at + 4, -values[index * 3 + 2] * scale, true);
  view.setFloat32(at + 8, values[index * 3 + 1] * scale, true);
};

const chunkBytes = (...chunks) => chunks.reduce((sum, [size, count]) => sum + 32 + size * count, 0);

function writeBones(chunks, id) {
  const { offsets, names } = chain();
  chunks.chunk(id, 120, boneCount, (view, at, bone) => {
    chunks.text(names[bone], at, 64);
    view.setInt32(at + 68, bone < boneCount - 1 ? 1 : 0, true);
    view.setInt32(at + 72, Math.max(bone - 1, 0), true);
    setFloats(view, at + 76, 0, 0, 0, 1);
    setPoint(view, at + 92, offsets, bone, 100);
  });
}

/**
 * Writes the result of `tube` (content.mjs) as PSK, or as PSKX if it has more than 65,536 wedges.
 */
export function writePsk(tube) {
  const { points, vertices, positions, normals, joints, weights, pointOfVertex, uvs, triangles } = tube;
  const faces = triangles.length / 3;
  const wide = vertices > 65536;
  const faceSize = wide ? 18 : 12;
  const chunks = new Chunks(
    chunkBytes([0, 0], [12, points], [16, vertices], [faceSize, faces], [88, 1], [120, boneCount], [12, points * 4], [12, points]),
  );
  chunks.chunk('ACTRHEAD', 0, 0, undefined, headVersion);
  chunks.chunk('PNTS0000', 12, points, (view, at, point) => setPoint(view, at, positions, point, 100));
  chunks.chunk('VTXW0000', 16, vertices, (view, at, vertex) => {
    if (points <= 65536) view.setUint16(at, pointOfVertex[vertex], true);
    else view.setUint32(at, pointOfVertex[vertex], true);
    view.setFloat32(at + 4, uvs[vertex * 2], true);
    view.setFloat32(at + 8, uvs[vertex * 2 + 1], true);
  });
  chunks.chunk(wide ? 'FACE3200' : 'FACE0000', faceSize, faces, (view, at, face) => {
    for (let corner = 0; corner < 3; corner++) {
      const wedge = triangles[face * 3 + 2 - corner];
      if (wide) view.setUint32(at + corner * 4, wedge, true);
      else view.setUint16(at + corner * 2, wedge, true);
    }
    view.setUint32(at + faceSize - 4, 1, true);
  });
  chunks.chunk('MATT0000', 88, 1, (view, at) => chunks.text('tube', at, 64));
  writeBones(chunks, 'REFSKELT');
  chunks.chunk('RAWWEIGHTS', 12, points * 4, (view, at, record) => {
    view.setFloat32(at, weights[record], true);
    view.setInt32(at + 4, record >> 2, true);
    view.setInt32(at + 8, joints[record], true);
  });
  chunks.chunk('VTXNORMS', 12, points, (view, at, point) => setPoint(view, at, normals, point, 1));
  return chunks.buffer;
}

/** Writes the result of `motions` (content.mjs) as one PSA. */
export function writePsa(motions) {
  const keysOf = motion => motion.frames * boneCount;
  const keys = motions.reduce((sum, motion) => sum + keysOf(motion), 0);
  const chunks = new Chunks(chunkBytes([0, 0], [120, boneCount], [168, motions.length], [32, keys], [16, 0]));
  chunks.chunk('ANIMHEAD', 0, 0, undefined, headVersion);
  writeBones(chunks, 'BONENAMES');
  let firstFrame = 0;
  chunks.chunk('ANIMINFO', 168, motions.length, (view, at, index) => {
    const motion = motions[index];
    chunks.text(motion.name, at, 64);
    chunks.text('None', at + 64, 64);
    [boneCount, 0, 0, keysOf(motion)].forEach((value, field) => view.setInt32(at + 128 + field * 4, value, true));
    setFloats(view, at + 144, 1, motion.frames, frameRate);
    [0, firstFrame, motion.frames].forEach((value, field) => view.setInt32(at + 156 + field * 4, value, true));
    firstFrame += motion.frames;
  });
  let motion = 0;
  let start = 0;
  chunks.chunk('ANIMKEYS', 32, keys, (view, at, record) => {
    if (record - start === keysOf(motions[motion])) start += keysOf(motions[motion++]);
    const key = record - start;
    const { translations, rotations } = motions[motion];
    const sign = key % boneCount === 0 ? 1 : -1;
    setPoint(view, at, translations, key, 100);
    view.setFloat32(at + 12, sign * rotations[key * 4], true);
    view.setFloat32(at + 16, sign * -rotations[key * 4 + 2], true);
    view.setFloat32(at + 20, sign * rotations[key * 4 + 1], true);
    view.setFloat32(at + 24, rotations[key * 4 + 3], true);
    view.setFloat32(at + 28, 1, true);
  });
  chunks.chunk('SCALEKEYS', 16, 0);
  return chunks.buffer;
}
