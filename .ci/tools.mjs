// Finds the tools besides Node that are missing. Installs them as Debian packages, or prints the
// command that installs them.
import { existsSync } from 'node:fs';
import { Trouble, run, seconds, tail, which } from './lib.mjs';

const includeFolders = ['/usr/include', '/usr/local/include', '/opt/homebrew/include'];
const program =
  (...names) =>
  () =>
    names.some(name => which(name));
const header = path => () => includeFolders.some(folder => existsSync(`${folder}/${path}`));

/**
 * Returns true if clang and its runtime libraries (libFuzzer, sanitizers) are installed. The libraries
 * are often missing, because Debian's package of clang only recommends them.
 */
export function clangRuntime() {
  if (!which('clang')) return false;
  return existsSync(run('clang', [`-print-file-name=libclang_rt.fuzzer-${archName()}.a`]).stdout.trim()) || existsSync(runtimeFolderFile());
}
const archName = () => ({ x64: 'x86_64', arm64: 'aarch64' })[process.arch] ?? process.arch;
const runtimeFolderFile = () => `${run('clang', ['-print-runtime-dir']).stdout.trim()}/libclang_rt.fuzzer-${archName()}.a`;

/** Returns true if libc++, the standard library of LLVM, is installed. */
const libcxx = () => existsSync('/usr/lib/llvm-14/include/c++/v1/vector') || existsSync('/usr/include/c++/v1/vector');

/**
 * The tools. Each has a name, a Debian package, a purpose (null if always needed), and a function
 * that returns true if the tool is installed.
 */
export const tools = [
  { name: 'Emscripten (emcc)', package: 'emscripten', for: null, present: program('emcc') },
  { name: 'CMake', package: 'cmake', for: null, present: program('cmake') },
  { name: 'Ninja', package: 'ninja-build', for: null, present: program('ninja') },
  { name: 'RapidJSON', package: 'rapidjson-dev', for: null, present: header('rapidjson/rapidjson.h') },
  { name: 'a C++ compiler', package: 'g++', for: 'native', present: program('c++', 'g++') },
  { name: 'GoogleTest', package: 'libgtest-dev', for: 'test', present: header('gtest/gtest.h') },
  { name: 'clang-format', package: 'clang-format', for: 'test', present: program('clang-format') },
  { name: 'Chromium', package: 'chromium', for: 'test', present: () => Boolean(which(process.env.CHROMIUM_PATH ?? '/usr/bin/chromium')) },
  { name: 'clang', package: 'clang', for: 'fuzz', present: program('clang') },
  { name: 'clang', package: 'clang', for: 'libcxx', present: program('clang') },
  { name: 'libc++', package: 'libc++-14-dev', for: 'libcxx', present: libcxx },
  { name: 'libc++abi', package: 'libc++abi-14-dev', for: 'libcxx', present: libcxx },
  { name: "clang's sanitizers", package: 'libclang-rt-14-dev', for: 'libcxx', present: clangRuntime },
  { name: 'clang', package: 'clang', for: 'coverage', present: program('clang') },
  { name: "clang's profiling runtime", package: 'libclang-rt-14-dev', for: 'coverage', present: clangRuntime },
  { name: 'llvm-cov', package: 'llvm', for: 'coverage', present: program('llvm-cov', 'llvm-cov-14') },
  { name: "clang's fuzzer runtime", package: 'libclang-rt-14-dev', for: 'fuzz', present: clangRuntime },
];

/**
 * Lists the missing tools. Considers the tools for the given purposes ('native', 'test', 'fuzz')
 * and those that are always needed.
 */
export const missingTools = (purposes, list = tools) =>
  list.filter(tool => (tool.for === null || purposes.includes(tool.for)) && !tool.present());

const aptOptions = [
  '-o',
  'DPkg::Lock::Timeout=300',
  '-o',
  'Acquire::Retries=1',
  '-o',
  'Acquire::http::Timeout=30',
  '-o',
  'Acquire::https::Timeout=30',
];

/** Returns the command that installs the given Debian packages. */
export function command(packages, isRoot) {
  const sudo = isRoot ? '' : 'sudo ';
  return `${sudo}apt-get update && ${sudo}apt-get install -y --no-install-recommends ${packages.join(' ')}`;
}

const heldBroken =
  "apt cannot fit Debian's packages to what is installed. The usual cause is a Node package from outside Debian: Emscripten's package needs\n" +
  "node-acorn, which accepts Debian's own nodejs only. Remove that package and install Node as an archive from https://nodejs.org, or put an\n" +
  'Emscripten of your own on the path (https://emscripten.org), then run the command again.';

/**
 * Returns an explanation if the output of apt shows a known failure, and '' otherwise. The output
 * itself is always shown.
 */
export function aptReason(output) {
  if (
    /Could not resolve|Temporary failure|Failed to fetch|Unable to fetch|Network is unreachable|Could not connect|Connection timed out/i.test(
      output,
    )
  ) {
    return 'The package server cannot be reached: is this machine connected to the network?';
  }
  if (/Could not get lock|Unable to acquire the dpkg/i.test(output)) {
    return 'Another program is installing packages at the moment: wait until it is done and run the command again.';
  }
  if (/held broken packages|unmet dependencies/i.test(output)) {
    return heldBroken;
  }
  if (/No space left/i.test(output)) return 'The disk is full: about 3 GB are needed.';
  if (/Unable to locate package|has no installation candidate/i.test(output)) {
    return 'This distribution does not have all packages; rigcast is built on Debian 12 (bookworm) or newer and its relatives.';
  }
  return '';
}

/**
 * Installs the missing tools if the user has the permissions. Otherwise, throws a Trouble with the
 * command that installs them.
 */
export async function ensureTools(purposes, log = console.log) {
  const missing = missingTools(purposes);
  if (missing.length === 0) return;
  const names = missing.map(tool => tool.name).join(', ');
  const packages = missing.map(tool => tool.package);
  const isRoot = process.getuid?.() === 0;
  const typed = `Install it and run the command again:\n\n  ${command(packages, isRoot)}`;

  if (!which('apt-get')) {
    throw new Trouble(
      `Missing: ${names}.\nThere is no apt on this machine, so it cannot be installed from here. On Debian and its relatives the command is\n\n` +
        `  ${command(packages, false)}\n\nElsewhere install the same tools by the system's own means, then run the command again.`,
    );
  }
  if (!isRoot && (!which('sudo') || run('sudo', ['-n', 'true']).code !== 0)) {
    throw new Trouble(`Missing: ${names}.\nInstalling needs root, and sudo would ask for a password here. ${typed}`);
  }

  const begin = performance.now();
  log(`Installing ${packages.join(' ')} with apt (a minute or so) …`);
  const apt = (...args) => {
    const line = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q', ...aptOptions, ...args];
    return isRoot ? run(line[0], line.slice(1)) : run('sudo', ['-n', ...line]);
  };
  const update = apt('update'); // failures are ignored, because the existing package lists are often sufficient
  const install = apt('install', '-y', '--no-install-recommends', ...packages);
  const left = missingTools(purposes);
  if (install.code !== 0 || left.length > 0) {
    const output = `${update.output}\n${install.output}`;
    const reason = aptReason(output);
    if (reason === heldBroken) throw new Trouble(`Missing: ${names}. Installing with apt failed.\n${reason}\n\n${tail(install.output)}`);
    const words =
      reason || (install.code === 0 ? `apt is done, but these are still missing: ${left.map(tool => tool.name).join(', ')}.` : '');
    throw new Trouble(`Missing: ${names}. Installing with apt failed.\n${words}\n\n${tail(install.output)}\n\n${typed}`);
  }
  log(`Installed in ${seconds(begin)}.`);
}
