// `npm start`: sets up the machine, then serves the viewer with Vite's dev server.
import { spawn } from 'node:child_process';
import { which } from './lib.mjs';
import { setup } from './setup.mjs';

/** Returns true if the machine has a screen, so that a browser can be opened. */
export function canOpenBrowser(env = process.env, platform = process.platform) {
  return !env.CI && (platform === 'darwin' || platform === 'win32' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY));
}

function openBrowser(url) {
  const opener = which('xdg-open') ?? which('open');
  if (opener)
    spawn(opener, [url], { stdio: 'ignore', detached: true })
      .on('error', () => {})
      .unref();
}

export async function main() {
  await setup();
  const { createServer } = await import('vite');
  const server = await createServer({ logLevel: 'warn' });
  await server.listen();
  const url = server.resolvedUrls.local[0];
  console.log(`\nThe rigcast viewer is at ${url}, ten small examples are at ${url}examples/\nCtrl+C ends it.\n`);
  if (canOpenBrowser()) openBrowser(url);
  const end = () => server.close().finally(() => process.exit(0));
  process.once('SIGINT', end).once('SIGTERM', end);
  await new Promise(() => {});
}
