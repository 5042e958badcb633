// node tests/tools/demo.mjs [FOLDER]: writes the demo files in web/src/viewer/demo. Runs the
// programs rigcast_demo and rigcast_castDemo, which `npm test -- node` builds, or those in FOLDER.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { makeLotl } from './lotl.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
export const tools = ['rigcast_demo', 'rigcast_castDemo'];
export const toolFolder = join(root, 'build/asan');
export const demoFolder = join(root, 'web/src/viewer/demo');

/** Returns the width in pixels of an image, by the name of its .rgb file. */
const widthOf = name => (name === 'Pip_D.rgb' ? 1024 : 256);

/**
 * Returns the files that the programs create, by name: models, animations, and images as raw pixels
 * (.rgb).
 */
export function makeDemo(folderOfTools = toolFolder) {
  const folder = mkdtempSync(join(tmpdir(), 'rigcast-demo-'));
  try {
    for (const tool of tools) execFileSync(join(folderOfTools, tool), [folder]);
    const made = Object.fromEntries(readdirSync(folder).map(name => [name, readFileSync(join(folder, name))]));
    return { ...made, 'Lotl.vgo': Buffer.from(makeLotl()) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Encodes 8-bit RGB pixels as PNG, without row filters because the images have areas of uniform
 * colour.
 */
export function encodePng(rgb, name) {
  const width = widthOf(name);
  const stride = width * 3;
  const height = rgb.length / stride;
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

/**
 * Returns the pixels of a PNG that `encodePng` has written. Tests compare pixels instead of files,
 * because versions of zlib may compress the same pixels to different bytes.
 */
export function decodePng(png) {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const stride = width * 3;
  const start = png.indexOf('IDAT', 0, 'latin1');
  const rows = inflateSync(png.subarray(start + 4, start + 4 + png.readUInt32BE(start - 4)));
  const rgb = Buffer.alloc(stride * height);
  for (let y = 0; y < height; ++y) rows.copy(rgb, y * stride, y * (stride + 1) + 1, (y + 1) * (stride + 1));
  return rgb;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(demoFolder, { recursive: true });
  for (const [name, bytes] of Object.entries(makeDemo(process.argv[2]))) {
    const isPicture = name.endsWith('.rgb');
    const made = isPicture ? encodePng(bytes, name) : bytes;
    const file = isPicture ? name.replace('.rgb', '.png') : name;
    writeFileSync(join(demoFolder, file), made);
    console.log(`${file}  ${made.length} bytes`);
  }
}
