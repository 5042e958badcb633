// Helper functions of the scripts. They import only modules of Node, because the scripts run before
// any package is installed.
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const inRoot = (...parts) => join(root, ...parts);

/**
 * An error with a message for the user: what happened, and what to do. It is printed without a
 * stack trace.
 */
export class Trouble extends Error {
  name = 'Trouble';
}

/**
 * Returns the full path of a program on PATH, or null if there is no such program. An absolute path
 * is returned unchanged.
 */
export function which(name, path = process.env.PATH ?? '') {
  for (const folder of name.includes('/') ? [''] : path.split(delimiter).filter(Boolean)) {
    const file = folder ? join(folder, name) : name;
    try {
      accessSync(file, constants.X_OK);
      if (statSync(file).isFile()) return file;
    } catch {
      // not in this folder
    }
  }
  return null;
}

/**
 * Runs a program and waits for it. Returns its output and exit code; `code` is null if it could not
 * be started.
 */
export function run(command, args, { env, cwd = root, timeout } = {}) {
  const result = spawnSync(command, args, {
    cwd,
    timeout,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const output = `${result.stdout ?? ''}${result.stderr ?? ''}${result.error ? result.error.message : ''}`;
  return { code: result.status, stdout: result.stdout ?? '', output };
}

/**
 * Runs a program like `run`, but asynchronously. If `show` is true, its output is printed instead
 * of returned. `timeout` is the time in seconds after which the program is ended.
 */
export function start(command, args, { env, cwd = root, show = false, started, timeout } = {}) {
  return new Promise(resolve => {
    const child = spawn(command, args, {
      cwd,
      timeout: timeout && timeout * 1000,
      env: { ...process.env, ...env },
      stdio: show ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
    });
    started?.(child);
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', text => (output += text));
    child.stderr?.setEncoding('utf8').on('data', text => (output += text));
    child.on('error', error => resolve({ code: null, output: output + error.message }));
    child.on('close', (code, signal) => resolve({ code, output: signal ? `${output}\nended by ${signal}` : output }));
  });
}

/**
 * Returns the command that runs npm: the npm that has started this script or, if the script was
 * started by hand, `npm` on PATH.
 */
export const npmCommand = () => (process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm']);

/** Returns the path of a program that belongs to an installed npm package. */
export const installed = name => inRoot('node_modules', '.bin', name);

export const seconds = from => `${((performance.now() - from) / 1000).toFixed(1)} s`;

/** Returns the last lines of a program's output, for error messages. */
export const tail = (text, lines = 12) => text.trimEnd().split('\n').slice(-lines).join('\n');
