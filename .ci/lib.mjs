// Small helpers of the scripts. Node built-ins only: they run before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const inRoot = (...parts) => join(root, ...parts);

/** An expected failure whose message tells the user what to do. It is printed without a stack trace. */
export class Trouble extends Error {
  name = 'Trouble';
}

/** Full path of a program on the path (a path is returned as it is); null if there is none. */
export function which(name, path = process.env.PATH ?? '') {
  for (const folder of name.includes('/') ? [''] : path.split(delimiter).filter(Boolean)) {
    const file = folder ? join(folder, name) : name;
    try {
      accessSync(file, constants.X_OK);
      if (statSync(file).isFile()) return file;
    } catch {
      // not here
    }
  }
  return null;
}

/** Runs a program to its end; its output comes back, nothing is printed. `code` is null if it could not be started. */
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

/** Like `run` without blocking; with `show` the output goes to the terminal as it comes and is not kept. */
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

/** Under npm its own program is known; `npm` on the path is the way for a script that is started by hand. */
export const npmCommand = () => (process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm']);

/** The program of an installed package, run by this very Node: no shell, no npx. */
export const installed = name => inRoot('node_modules', '.bin', name);

export const seconds = from => `${((performance.now() - from) / 1000).toFixed(1)} s`;

/** The last lines of a program's output, for messages. */
export const tail = (text, lines = 12) => text.trimEnd().split('\n').slice(-lines).join('\n');
