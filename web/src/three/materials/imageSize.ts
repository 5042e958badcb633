// Reads the size of an image from its header, without decoding the image.

/**
 * Returns the number of pixels (width times height) of a PNG, JPEG or WebP; 0 for other formats.
 */
export function pixelsOf(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength < 30) return 0;
  if (view.getUint32(0) === 0x89_50_4e_47) return view.getUint32(16) * view.getUint32(20);
  if (view.getUint16(0) === 0xff_d8) return ofJpeg(view);
  return view.getUint32(0) === 0x52_49_46_46 && view.getUint32(8) === 0x57_45_42_50 ? ofWebp(view) : 0;
}

/** Returns the number of pixels that the first frame header (SOF) of a JPEG declares. */
function ofJpeg(view: DataView): number {
  for (let at = 2; at + 9 <= view.byteLength && view.getUint8(at) === 0xff;) {
    const kind = view.getUint8(at + 1);
    const isFrame = kind >= 0xc0 && kind <= 0xcf && kind !== 0xc4 && kind !== 0xc8 && kind !== 0xcc;
    if (isFrame) return view.getUint16(at + 5) * view.getUint16(at + 7);
    at += kind === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return 0;
}

function ofWebp(view: DataView): number {
  const kind = view.getUint32(12);
  const u24 = (at: number): number => view.getUint16(at, true) + 65_536 * view.getUint8(at + 2);
  if (kind === 0x56_50_38_58) return (u24(24) + 1) * (u24(27) + 1); // VP8X
  if (kind === 0x56_50_38_20) return (view.getUint16(26, true) & 0x3f_ff) * (view.getUint16(28, true) & 0x3f_ff); // VP8
  const sizes = view.getUint32(21, true); // VP8L stores width and height with 14 bits each
  return kind === 0x56_50_38_4c ? ((sizes & 0x3f_ff) + 1) * (((sizes >>> 14) & 0x3f_ff) + 1) : 0;
}
