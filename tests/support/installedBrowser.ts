// A browser provider of Vitest for Firefox and WebKit of the system, as Playwright can only control its
// own builds of them. Tests don't need to be controlled: their page runs them and reports the results
// over a WebSocket, so it is enough to start the browser with the URL of the page.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineBrowserProvider } from '@vitest/browser';
import type { BrowserProviderOption } from 'vitest/node';
import { programs } from '../../.ci/installedBrowsers.mjs';

/** Preferences of Firefox: WebGL without a graphics card, and no pages besides that of the tests. */
const preferences = {
  'webgl.force-enabled': true,
  'gfx.webrender.software': true,
  'webgl.disable-fail-if-major-performance-caveat': true,
  'webgl.out-of-process': false,
  'security.sandbox.content.level': 0,
  'browser.aboutwelcome.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.sessionstore.resume_from_crash': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'datareporting.policy.dataSubmissionEnabled': false,
  'app.normandy.enabled': false,
  'app.update.auto': false,
  'media.autoplay.default': 0,
};

/** Functions that prepare a new profile folder and return the arguments of the browser. */
const prepare = {
  firefox(profile: string): string[] {
    const lines = Object.entries(preferences).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`);
    writeFileSync(join(profile, 'user.js'), `${lines.join('\n')}\n`);
    return ['--no-remote', '--profile', profile, '--width', '1280', '--height', '800'];
  },
  webkit: (): string[] => ['--geometry=1280x800'],
};

class InstalledBrowser {
  readonly name = 'installed';
  readonly supportsParallelism = false;
  readonly #browser: keyof typeof prepare;
  #process: ChildProcess | null = null;
  #profile = '';

  constructor(browser: keyof typeof prepare) {
    this.#browser = browser;
  }

  getCommandsContext(): Record<string, unknown> {
    return {};
  }

  async openPage(_session: string, url: string): Promise<void> {
    await this.close();
    this.#profile = mkdtempSync(join(tmpdir(), 'rigcast-browser-'));
    const browser = [programs[this.#browser], ...prepare[this.#browser](this.#profile), url];
    // A virtual screen, because Firefox has no WebGL without a screen, and WebKit needs one.
    this.#process = spawn('xvfb-run', ['-a', '-s', '-screen 0 1280x800x24', ...browser], {
      stdio: 'ignore',
      detached: true, // a process group, because xvfb-run starts other processes
      env: { ...process.env, HOME: this.#profile, LIBGL_ALWAYS_SOFTWARE: '1' },
    });
  }

  async close(): Promise<void> {
    const child = this.#process;
    this.#process = null;
    if (!child) return;
    if (child.exitCode === null) {
      process.kill(-child.pid!, 'SIGTERM');
      await once(child, 'exit');
    }
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

export const installedBrowser = (browser: keyof typeof prepare): BrowserProviderOption =>
  defineBrowserProvider({ name: 'installed', supportedBrowser: [browser], providerFactory: () => new InstalledBrowser(browser) });
