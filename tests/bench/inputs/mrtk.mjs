// Writes recordings with the conventions of the toolkit: version 1.0, linear keys of 28 bytes, both
// hands always tracked, one key per frame in every curve.

/**
 * Writes a recording of `frames` frames at 60 per second. Each of its 371 curves has one key per
 * frame, so a frame takes 10 KB.
 */
export function writeRecording(frames) {
  const joints = 27;
  const curves = [];
  const pose = seed => {
    const turn = t => 0.6 * Math.sin(0.9 * t + seed);
    for (const axis of [0, 1, 2]) curves.push(t => 0.3 * axis + 0.2 * Math.sin(t * (1 + 0.1 * axis) + seed));
    curves.push(
      t => Math.sin(turn(t) / 2),
      () => 0,
      () => 0,
      t => Math.cos(turn(t) / 2),
    );
  };
  pose(0);
  for (let i = 0; i < 4; i++) curves.push(null); // curves of "tracked" and "pinching" of both hands
  for (let i = 0; i < 2 * joints; i++) pose(0.1 * i);

  const isNone = at => at >= 11 && Math.floor((at - 11) / 7) % joints === 0; // one joint has no keys in its curves
  const counts = curves.map((curve, at) => (curve === null ? 1 : isNone(at) ? 0 : frames));
  const size = 16 + curves.reduce((sum, curve, at) => sum + 12 + counts[at] * (curve === null ? 8 : 28), 0) + 4;
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, 0x6a8faf6e0f9e42c6n, true);
  view.setInt32(8, 1, true);
  let at = 16;
  for (const [index, curve] of curves.entries()) {
    for (const value of [8, 8, counts[index]]) {
      view.setInt32(at, value, true);
      at += 4;
    }
    if (curve === null) {
      view.setFloat32(at + 4, index < 9 ? 1 : 0, true); // both hands are tracked and not pinching
      at += 8;
      continue;
    }
    for (let key = 0; key < counts[index]; key++, at += 28) {
      view.setFloat32(at, key / 60, true);
      view.setFloat32(at + 4, curve(key / 60), true);
      view.setInt32(at + 24, 3, true); // the key is linear, because the weights of both tangents are 0
    }
  }
  return bytes;
}
