// Builds the C++ code. A build folder is configured once, and each build runs ninja, which takes
// 0.1 s if nothing has changed. The output of the compiler is shown only if it fails.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { Trouble, inRoot, root, run, seconds, start, tail, which } from './lib.mjs';
import { clangRuntime } from './tools.mjs';

// Environment variables for Emscripten, which needs the package acorn. Debian installs acorn in a
// folder that only Debian's own Node searches.
const wasmEnv = { NODE_PATH: [process.env.NODE_PATH, '/usr/share/nodejs'].filter(Boolean).join(':') };

// clang compiles as fast with -O2 as with -O1, which inlines nothing.
const withClang = ['-DCMAKE_CXX_COMPILER=clang++', '-DCMAKE_CXX_FLAGS_DEBUG=-O2 -g1'];

export const flavours = {
  wasm: { env: wasmEnv, configure: ['emcmake', 'cmake'], options: [] },
  // The wasm module for Node, with the assertions of the core and Emscripten's checks of every
  // memory access
  checked: {
    env: wasmEnv,
    configure: ['emcmake', 'cmake'],
    options: ['-DRIGCAST_CHECKED=ON', '-DCMAKE_BUILD_TYPE=Debug', '-DCMAKE_CXX_FLAGS_DEBUG=-O1'],
  },
  native: { configure: ['cmake'], options: [] },
  // -O1 compiles fast, and stack traces still show the source line
  asan: {
    configure: ['cmake'],
    options: ['-DRIGCAST_SANITIZE=ON', '-DCMAKE_BUILD_TYPE=Debug', '-DCMAKE_CXX_FLAGS_DEBUG=-O1 -g1'],
    isClangPreferred: true, // with sanitizers, g++ compiles the tests half as fast
  },
  // A native build with libc++, the standard library of the wasm build, which moves strings as
  // bytes
  libcxx: {
    configure: ['cmake'],
    options: ['-DRIGCAST_LIBCXX=ON', '-DCMAKE_CXX_COMPILER=clang++', '-DCMAKE_BUILD_TYPE=Debug', '-DCMAKE_CXX_FLAGS_DEBUG=-O1 -g1'],
  },
  coverage: {
    configure: ['cmake'],
    options: [
      '-DCMAKE_CXX_COMPILER=clang++',
      '-DCMAKE_BUILD_TYPE=Debug',
      '-DCMAKE_CXX_FLAGS_DEBUG=-O1 -fprofile-instr-generate -fcoverage-mapping',
    ],
  },
  fuzz: {
    configure: ['cmake'],
    options: ['-DRIGCAST_FUZZ=ON', '-DCMAKE_CXX_COMPILER=clang++', '-DCMAKE_BUILD_TYPE=Debug', '-DCMAKE_CXX_FLAGS_DEBUG=-O1 -g1'],
  },
};

/**
 * Returns true if a build folder was configured for this checkout. A build folder that was copied
 * or moved can't be used.
 */
function isConfigured(folder) {
  if (!existsSync(`${folder}/build.ninja`)) return false;
  const home = /^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$/m.exec(readFileSync(`${folder}/CMakeCache.txt`, 'utf8'))?.[1];
  return home !== undefined && existsSync(home) && statSync(home).ino === statSync(root).ino;
}

/**
 * Builds one flavour of the C++ code in build/<flavour>. `targets` are names of ninja targets; by
 * default, all targets are built.
 */
export async function build(flavour, { targets = [], log = console.log } = {}) {
  const { env, configure, options, isClangPreferred } = flavours[flavour];
  const folder = inRoot('build', flavour);
  const begin = performance.now();
  if (!isConfigured(folder)) {
    rmSync(folder, { recursive: true, force: true });
    log(`Building the C++ core (${flavour}) …`);
    const [command, ...before] = configure;
    const clang = isClangPreferred && which('clang++') && clangRuntime() ? withClang : [];
    const configured = run(command, [...before, '-S', root, '-B', folder, '-G', 'Ninja', ...options, ...clang], { env });
    if (configured.code !== 0) {
      rmSync(folder, { recursive: true, force: true });
      throw new Trouble(`CMake could not configure the ${flavour} build:\n\n${tail(configured.output, 30)}`);
    }
  }
  const built = await start('ninja', ['-C', folder, ...targets], { env });
  if (built.code !== 0) throw new Trouble(`The ${flavour} build of the C++ core failed:\n\n${tail(built.output, 80)}`);
  return seconds(begin);
}

/**
 * Runs the native tests in parallel, in one process per CPU core. Resolves with the exit code, the
 * output and the XML report of each process. If a process ends early, its report is missing.
 */
export function runNativeTests(flavour, { env = {}, timeout } = {}) {
  const folder = inRoot('build', flavour);
  const count = availableParallelism();
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const path = `${folder}/tests-${index}.xml`;
      rmSync(path, { force: true });
      const shard = { GTEST_TOTAL_SHARDS: String(count), GTEST_SHARD_INDEX: String(index) };
      const result = await start(`${folder}/rigcast_tests`, ['--gtest_brief=1', `--gtest_output=xml:${path}`], {
        env: { ...shard, ...env },
        timeout,
      });
      return { ...result, report: existsSync(path) ? readFileSync(path, 'utf8') : undefined };
    }),
  );
}

const placed = name => inRoot('web/src/core/wasm', name);

/**
 * Returns the names of the wasm modules of a flavour: one that reads every format, and one for each
 * family of formats. The flavour `checked` has only the first.
 */
export const moduleNames = (flavour = 'wasm') =>
  readdirSync(inRoot('build', flavour))
    .filter(file => file.endsWith('.wasm'))
    .map(file => file.slice(0, -'.wasm'.length));

/**
 * Copies the wasm modules and their shared glue code to the folder from which the TypeScript code
 * loads them. If a flavour has no module for a family of formats, the module that reads every
 * format replaces it.
 */
export function placeWasm(flavour = 'wasm') {
  const built = name => inRoot('build', flavour, name);
  if (!existsSync(built('rigcast.wasm'))) return;
  const glueOf = name => readFileSync(built(`${name}.mjs`), 'utf8').replace(`"${name}.wasm"`, '"rigcast.wasm"');
  const glue = glueOf('rigcast');
  for (const name of moduleNames()) {
    const from = existsSync(built(`${name}.wasm`)) ? name : 'rigcast';
    if (glueOf(from) !== glue)
      throw new Trouble(`The glue of ${name}.wasm is not that of rigcast.wasm: they no longer import and export the same.`);
    writeIfChanged(placed(`${name}.wasm`), readFileSync(built(`${from}.wasm`)));
  }
  writeIfChanged(placed('rigcast.mjs'), Buffer.from(glue));
}

function writeIfChanged(to, bytes) {
  if (existsSync(to) && bytes.equals(readFileSync(to))) return;
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, bytes);
}
