// npm run bench -- convert: what converting takes, each case in a process of its own: seconds for reading and writing, megabytes of the process at its peak beside
// those of input and output. Bounds of the two large ones: 1.5 s and 10 s. `--quick`: a tenth of the sizes, without bounds.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { motions, tube } from './inputs/content.mjs';
import { writePsa, writePsk } from './inputs/unreal.mjs';

const self = fileURLToPath(import.meta.url);
const dist = new URL('../../dist/', import.meta.url);
const data = fileURLToPath(new URL('../data/', import.meta.url));
const part = process.argv.includes('--quick') ? 10 : 1;

/** Files by name, and seconds that it may take. */
const cases = {
  '1,000,000 vertices (PSK)': { bound: 1.5, make: () => ({ 'big.psk': writePsk(tube(1000 / part, 1000)) }) },
  '1,000 sequences of 128 bones (PSK and PSA)': {
    bound: 10,
    make: () => ({ 'small.psk': writePsk(tube(20, 40)), 'many.psa': writePsa(motions(1000 / part, 30)) }),
  },
};

/** In a process of its own: converts the files to a GLB. */
async function measure(paths) {
  const { open } = await import(new URL('core/index.js', dist));
  const { convert } = await import(new URL('convert/index.js', dist));
  await open(new Uint8Array(3), { worker: false }); // compiles the module
  const inputs = paths.map(path => ({ name: basename(path), bytes: readFileSync(path) }));
  const begin = performance.now();
  const files = [];
  for (const { name, bytes } of inputs) files.push(await open(bytes, { name, worker: false, tangents: true }));
  const read = performance.now();
  const { files: made } = await convert(files, { to: 'glb' });
  const sum = list => list.reduce((total, { bytes }) => total + bytes.length, 0) / 1e6;
  const peak = (process.resourceUsage().maxRSS * 1024) / 1e6;
  return { read: (read - begin) / 1000, write: (performance.now() - read) / 1000, peak, input: sum(inputs), output: sum(made) };
}

/** What the command line makes of folders as people have them, one after the other. */
function folders(temporary) {
  const from = join(temporary, 'in');
  const to = join(temporary, 'out');
  for (let i = 0; i < 100 / part; i++) cpSync(join(data, 'unreal'), join(from, String(i)), { recursive: true });
  const begin = performance.now();
  const args = [fileURLToPath(new URL('cli/main.js', dist)), 'convert', from, '-o', to, '--to', 'glb', '--jobs', '1'];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1 << 26 });
  if (status === null || status > 1) throw new Error(stderr); // 1: the folder holds damaged files, too
  const files = readdirSync(to, { recursive: true }).filter(name => name.endsWith('.glb')).length;
  console.log(
    `${((1000 * files) / (performance.now() - begin)).toFixed(0)} files per second and core, of ${files}: folders of small models and motions, command line`,
  );
}

async function main() {
  const temporary = mkdtempSync(join(tmpdir(), 'rigcast-convert-'));
  let code = 0;
  try {
    console.log('seconds (reading + writing)   MB: peak, in, out');
    for (const [what, { bound, make }] of Object.entries(cases)) {
      const paths = Object.entries(make()).map(([name, bytes]) => {
        const path = join(temporary, name);
        writeFileSync(path, bytes);
        return path;
      });
      const child = spawnSync(process.execPath, [self, '--one', ...paths], { encoding: 'utf8', maxBuffer: 1 << 26 });
      if (child.status !== 0) throw new Error(child.stderr);
      const { read, write, peak, input, output } = JSON.parse(child.stdout);
      const isSlow = part === 1 && read + write > bound;
      if (isSlow) code = 1;
      const numbers =
        `${(read + write).toFixed(2)} (${read.toFixed(2)} + ${write.toFixed(2)})`.padEnd(30) +
        [peak, input, output].map(n => n.toFixed(0)).join(', ');
      console.log(`${numbers.padEnd(52)}${what}${isSlow ? `: above ${bound} s` : ''}`);
    }
    folders(temporary);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  process.exitCode = code;
}

if (process.argv[2] === '--one') console.log(JSON.stringify(await measure(process.argv.slice(3))));
else await main();
