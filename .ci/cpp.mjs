// C++ builds. A build folder is configured once; every build runs ninja (0.1 s without changes).
// Compiler output is shown only on failure.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { Trouble, inRoot, root, run, seconds, start, tail } from './lib.mjs';

// Debian keeps Emscripten's acorn where only Debian's own Node looks for it.
const wasmEnv = { NODE_PATH: [process.env.NODE_PATH, '/usr/share/nodejs'].filter(Boolean).join(':') };

export const flavours = {
  wasm: { env: wasmEnv, configure: ['emcmake', 'cmake'], options: [] },
  // The module that Node uses, with the core's assertions and Emscripten's checks of every access
  // to memory
  checked: {
    env: wasmEnv,
    configure: ['emcmake', 'cmake'],
    options: ['-DRIGCAST_CHECKED=ON', '-DCMAKE_BUILD_TYPE=Debug', '-DCMAKE_CXX_FLAGS_DEBUG=-O1'],
  },
  native: { configure: ['cmake'], options: [] },
  // -O1: quick to compile, and stack traces still name the place
  asan: { configure: ['cmake'], options: ['-DRIGCAST_SANITIZE=ON', '-DCMAKE_BUILD_TYPE=Debug', '-DCMAKE_CXX_FLAGS_DEBUG=-O1 -g1'] },
  // The standard library of the wasm build, natively: libc++, in which strings move as bytes
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
 * True if a build folder was configured for this checkout. A folder that was copied or moved cannot
 * be used.
 */
function isConfigured(folder) {
  if (!existsSync(`${folder}/build.ninja`)) return false;
  const home = /^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$/m.exec(readFileSync(`${folder}/CMakeCache.txt`, 'utf8'))?.[1];
  return home !== undefined && existsSync(home) && statSync(home).ino === statSync(root).ino;
}

/** Builds one flavour into build/<flavour>; targets as ninja knows them, all by default. */
export async function build(flavour, { targets = [], log = console.log } = {}) {
  const { env, configure, options } = flavours[flavour];
  const folder = inRoot('build', flavour);
  const begin = performance.now();
  if (!isConfigured(folder)) {
    rmSync(folder, { recursive: true, force: true });
    log(`Building the C++ core (${flavour}) …`);
    const [command, ...before] = configure;
    const configured = run(command, [...before, '-S', root, '-B', folder, '-G', 'Ninja', ...options].filter(Boolean), { env });
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
 * Runs the native tests in one process per core, a shard of the tests in each. Resolves with the
 * exit code, output and XML report of every process; the report is missing if a process ended
 * early.
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
 * The modules of a flavour: one that reads every format, and one for each family of formats.
 * `checked` has only the first.
 */
export const moduleNames = (flavour = 'wasm') =>
  readdirSync(inRoot('build', flavour))
    .filter(file => file.endsWith('.wasm'))
    .map(file => file.slice(0, -'.wasm'.length));

/**
 * Copies the modules, and the glue code that they share, to where the TypeScript expects them. The
 * module that reads every format replaces the families that a flavour lacks.
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
