// node tests/tools/demo.mjs: makes web/src/viewer/demo anew with the native build's rigcast_demo.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const root = fileURLToPath(new URL('../..', import.meta.url));
export const tool = join(root, 'build/native/rigcast_demo');
export const demoFolder = join(root, 'web/src/viewer/demo');
export const width = 1024;
export const height = 512;

/** What the tool makes, as buffers by file name. */
export function makeDemo(program = tool) {
  const folder = mkdtempSync(join(tmpdir(), 'rigcast-demo-'));
  try {
    execFileSync(program, [folder]);
    return Object.fromEntries(['Pip.psk', 'Pip.psa', 'Pip_D.rgb'].map(name => [name, readFileSync(join(folder, name))]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Eight-bit RGB without row filters: the picture is flat colours. */
export function encodePng(rgb) {
  const stride = width * 3;
  const rows = Buffer.alloc((stride + 1) * height);
  for (let y = 0; y < height; ++y) rgb.copy(rows, y * (stride + 1) + 1, y * stride, (y + 1) * stride);
  const chunk = (kind, data) => {
    const out = Buffer.alloc(12 + data.length);
    out.writeUInt32BE(data.length, 0);
    out.write(kind, 4, 'latin1');
    data.copy(out, 8);
    out.writeUInt32BE(crc32(out.subarray(4, 8 + data.length)), 8 + data.length);
    return out;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(rows, { level: 9 })), chunk('IEND', Buffer.alloc(0))]);
}

/** The pixels of a PNG that `encodePng` made. Its packed bytes may differ from one zlib to another, the pixels may not. */
export function decodePng(png) {
  const start = png.indexOf('IDAT', 0, 'latin1');
  const rows = inflateSync(png.subarray(start + 4, start + 4 + png.readUInt32BE(start - 4)));
  const stride = width * 3;
  const rgb = Buffer.alloc(stride * height);
  for (let y = 0; y < height; ++y) rows.copy(rgb, y * stride, y * (stride + 1) + 1, (y + 1) * (stride + 1));
  return rgb;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const made = makeDemo(process.argv[2]);
  mkdirSync(demoFolder, { recursive: true });
  const files = { 'Pip.psk': made['Pip.psk'], 'Pip.psa': made['Pip.psa'], 'Pip_D.png': encodePng(made['Pip_D.rgb']) };
  for (const [name, bytes] of Object.entries(files)) {
    writeFileSync(join(demoFolder, name), bytes);
    console.log(`${name}  ${bytes.length} bytes`);
  }
}
