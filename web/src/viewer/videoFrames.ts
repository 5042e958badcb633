// Counts the frames of a WebM or MP4 video that the browser has recorded.

/** Matroska elements that contain other elements. */
const WEBM_PARENTS: ReadonlySet<number> = new Set([0x18538067 /* Segment */, 0x1f43b675 /* Cluster */, 0xa0 /* BlockGroup */]);
const WEBM_FRAMES: ReadonlySet<number> = new Set([0xa3 /* SimpleBlock */, 0xa1 /* Block */]);
const MP4_PARENTS: ReadonlySet<string> = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'moof', 'traf']);

export async function framesIn(film: Blob): Promise<number> {
  const view = new DataView(await film.arrayBuffer());
  try {
    return view.byteLength >= 4 && view.getUint32(0) === 0x1a45dfa3 ? webmFrames(view) : mp4Frames(view);
  } catch (error) {
    if (error instanceof RangeError) return 0; // truncated within a header
    throw error;
  }
}

/**
 * Counts the frames of a WebM video. Parent elements are never skipped, because recorders write
 * them with unknown size.
 */
function webmFrames(view: DataView): number {
  let frames = 0;
  for (let at = 0; at < view.byteLength;) {
    const id = numberAt(view, at, false);
    const size = numberAt(view, at + id.length, true);
    at += id.length + size.length;
    if (WEBM_FRAMES.has(id.value)) frames++;
    if (!WEBM_PARENTS.has(id.value)) at += size.value;
  }
  return frames;
}

/**
 * Reads an EBML number. The number of leading zero bits in the first byte is the number of bytes
 * that follow. `isSize`: true to remove the marker bit, as for sizes.
 */
function numberAt(view: DataView, at: number, isSize: boolean): { value: number; length: number } {
  const first = view.getUint8(at);
  const length = Math.clz32(first) - 23;
  let value = isSize ? first & (0xff >> length) : first;
  for (let i = 1; i < length; i++) value = value * 256 + view.getUint8(at + i);
  return { value, length };
}

function mp4Frames(view: DataView): number {
  let frames = 0;
  for (let at = 0; at + 8 <= view.byteLength;) {
    const small = view.getUint32(at);
    const name = String.fromCharCode(...[4, 5, 6, 7].map(i => view.getUint8(at + i)));
    const header = small === 1 ? 16 : 8;
    const size = small === 1 ? Number(view.getBigUint64(at + 8)) : small || view.byteLength - at;
    // `stsz` contains the number of samples of the whole video, `trun` that of a fragment.
    if (name === 'stsz') frames += view.getUint32(at + header + 8);
    if (name === 'trun') frames += view.getUint32(at + header + 4);
    at += MP4_PARENTS.has(name) ? header : Math.max(size, header);
  }
  return frames;
}
