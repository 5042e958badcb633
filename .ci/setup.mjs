// Sets up a machine on which only Node and git are installed. Takes a fraction of a second if
// everything else is installed too.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { build, placeWasm } from './cpp.mjs';
import { Trouble, inRoot, npmCommand, run, seconds, tail } from './lib.mjs';
import { ensureTools } from './tools.mjs';

/**
 * Returns a hash of the lock file, the Node version and the platform, which identifies the
 * installed packages.
 */
export function packageStamp(lockfile, node = process.version, platform = `${process.platform}-${process.arch}`) {
  return createHash('sha256').update(`${node}\n${platform}\n`).update(lockfile).digest('hex');
}

/**
 * Returns an explanation if the output of npm shows a known failure, and '' otherwise. The output
 * itself is always shown.
 */
export function npmReason(output) {
  if (/ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH|network/i.test(output)) {
    return 'The package registry cannot be reached: is this machine connected to the network?';
  }
  if (/EUSAGE|in sync/i.test(output))
    return 'package.json and package-lock.json do not fit together: run npm install and commit the lock file.';
  if (/ENOSPC/i.test(output)) return 'The disk is full.';
  if (/EACCES|EPERM/i.test(output)) return 'A file may not be written: does the folder belong to somebody else?';
  return '';
}

/**
 * Calls `attempt`, which runs npm. If npm fails for an unknown reason, calls it again, because npm
 * sometimes fails with an empty cache.
 */
export function twice(attempt) {
  const result = attempt();
  return result.code === 0 || npmReason(result.output) ? result : attempt();
}

export function installPackages(log = console.log) {
  const stampFile = inRoot('node_modules', '.rigcast-stamp');
  const stamp = packageStamp(readFileSync(inRoot('package-lock.json')));
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  const begin = performance.now();
  log('Installing the npm packages of the lock file …');
  const [npm, ...before] = npmCommand();
  const result = twice(() => run(npm, [...before, 'ci', '--no-audit', '--no-fund']));
  if (result.code !== 0) throw new Trouble(`npm ci failed. ${npmReason(result.output)}\n\n${tail(result.output)}`);
  writeFileSync(stampFile, stamp);
  log(`Installed in ${seconds(begin)}.`);
}

/**
 * Installs tools and packages, and builds the core. `purposes` determines which tools are installed
 * (tools.mjs).
 */
export async function setup(purposes = [], log = console.log) {
  await ensureTools(purposes, log);
  const built = build('wasm', { log }); // compiles while npm installs
  installPackages(log);
  await built;
  placeWasm();
}

export async function main() {
  const begin = performance.now();
  await setup(['native', 'test']);
  await build('asan');
  console.log(`Ready in ${seconds(begin)}.`);
}
