// Finds Chromium or a browser that is based on it, and starts it.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { isFolder } from './files.ts';
import { UsageError } from './usage.ts';

/** Names of the programs on PATH. */
const PROGRAMS = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser', 'microsoft-edge'];

/** Paths at which the installers of Chrome, Chromium and Edge place the browser. */
function installedPaths(): string[] {
  const { platform, env } = process;
  if (platform === 'win32')
    return [env.LOCALAPPDATA, env.PROGRAMFILES, env['PROGRAMFILES(X86)']].flatMap(folder =>
      folder ? ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'].map(path => join(folder, path)) : [],
    );
  if (platform === 'darwin')
    return ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(name => `/Applications/${name}.app/Contents/MacOS/${name}`);
  return ['/opt/google/chrome/chrome', '/opt/microsoft/msedge/msedge', '/snap/bin/chromium'];
}

/**
 * Returns the path of the browser: that of `--browser` or of the environment variable CHROMIUM_PATH,
 * otherwise that of an installed browser. Throws a UsageError if there is none.
 */
export function findBrowser(given: string | undefined): string {
  const named = given ?? (process.env.CHROMIUM_PATH || undefined);
  if (named !== undefined) {
    if (existsSync(named) && !isFolder(named)) return named;
    const reason = isFolder(named) ? 'is a folder; give the path of the program' : 'no such file';
    throw new UsageError(`${given === undefined ? 'CHROMIUM_PATH' : '--browser'} ${named}: ${reason}`);
  }
  const onPath = (process.env.PATH ?? '').split(delimiter).flatMap(folder => (folder ? PROGRAMS.map(name => join(folder, name)) : []));
  const found = [...installedPaths(), ...onPath].find(path => existsSync(path));
  if (found === undefined)
    throw new UsageError('no browser found: install Chrome, Chromium or Edge, or give the path of one with --browser or CHROMIUM_PATH');
  return found;
}

/** Throws a UsageError if playwright-core, which controls the browser, is not installed. */
export function requirePlaywright(): void {
  try {
    import.meta.resolve('playwright-core');
  } catch {
    throw new UsageError('rigcast render needs playwright-core: run npm install playwright-core');
  }
}

/** Starts the browser without a window. */
export async function launchBrowser(path: string): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  const isRoot = process.getuid?.() === 0; // as in most containers, where the sandbox is not available
  try {
    return await chromium.launch({ executablePath: path, args: isRoot ? ['--no-sandbox'] : [] });
  } catch (error) {
    const why = (error as Error).message.split('\n', 1)[0]!.replace(/^browserType\.launch: /, '');
    throw new UsageError(`the browser ${path} did not start (${why})`);
  }
}
