// Sets up a machine that has only Node and git. Takes a fraction of a second if everything is
// installed.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { build, placeWasm } from './cpp.mjs';
import { Trouble, inRoot, npmCommand, run, seconds, tail } from './lib.mjs';
import { ensureTools } from './tools.mjs';

/**
 * Returns a hash that identifies the installed packages by lock file, Node version and platform.
 */
export function packageStamp(lockfile, node = process.version, platform = `${process.platform}-${process.arch}`) {
  return createHash('sha256').update(`${node}\n${platform}\n`).update(lockfile).digest('hex');
}

/**
 * Returns an explanation of a known failure of npm. Returns '' for other failures, because the
 * output of npm is shown in any case.
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
 * Calls `attempt`, which runs npm, and calls it again after an unknown failure, because npm
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

/** Installs tools and packages, and builds the core. `purposes` selects the tools (tools.mjs). */
export async function setup(purposes = [], log = console.log) {
  await ensureTools(purposes, log);
  installPackages(log);
  await build('wasm', { log });
  placeWasm();
}

export async function main() {
  const begin = performance.now();
  await setup(['native', 'test']);
  await build('native');
  console.log(`Ready in ${seconds(begin)}.`);
}
