// Decisions of the set-up scripts, and their answers if a machine cannot be set up. A fresh machine itself is not tested here.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { inRoot, which } from '../../.ci/lib.mjs';
import { nodeTrouble } from '../../.ci/nodeVersion.mjs';
import { npmReason, packageStamp, twice } from '../../.ci/setup.mjs';
import { canOpenBrowser } from '../../.ci/start.mjs';
import { countGoogleTest, countVitest, describeFailures } from '../../.ci/test.mjs';
import { aptReason, command, missingTools, tools } from '../../.ci/tools.mjs';

const emptyPath = mkdtempSync(join(tmpdir(), 'rigcast-path-'));
afterAll(() => rmSync(emptyPath, { recursive: true }));

describe('nodeTrouble', () => {
  it.each(['20.19.0', '20.20.2', '22.12.0', '24.1.0'])('accepts %s', version => expect(nodeTrouble(version)).toBe(''));
  it.each(['12.22.0', '18.20.8', '20.18.3', '21.7.0', '22.11.0'])('rejects %s and states the required version', version => {
    expect(nodeTrouble(version)).toBe(
      `Node ${version} is too old: Node 20.19+ or 22.12+ is needed. Get one at https://nodejs.org and run the command again.`,
    );
  });
});

describe('a machine without any npm package', () => {
  const bare = mkdtempSync(join(tmpdir(), 'rigcast-bare-'));
  afterAll(() => rmSync(bare, { recursive: true }));
  for (const path of ['.ci', 'package.json', 'docs/notices', 'tests/consumers'])
    cpSync(inRoot(path), join(bare, path), { recursive: true });
  it('can load all scripts, so that they can install them', () => {
    const files = readdirSync(inRoot('.ci')).filter(file => file.endsWith('.mjs') && file !== 'main.mjs');
    const load = `for (const file of ${JSON.stringify(files)}) await import('./.ci/' + file).catch(({ message }) => console.error(file, message));`;
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', load], { cwd: bare, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });
});

describe('missing tools', () => {
  const list = [
    { name: 'there', package: 'a', for: null, present: () => true },
    { name: 'always', package: 'b', for: null, present: () => false },
    { name: 'tests', package: 'c', for: 'test', present: () => false },
  ];
  it('requires a tool only for its purpose', () => {
    expect(missingTools([], list).map(tool => tool.package)).toEqual(['b']);
    expect(missingTools(['test'], list).map(tool => tool.package)).toEqual(['b', 'c']);
  });
  it('requires clang only for fuzzing, coverage and libc++, not for ordinary tests', () => {
    const isExtra = tool => ['fuzz', 'coverage', 'libcxx'].includes(tool.for);
    expect(tools.filter(tool => tool.package.includes('clang') && !isExtra(tool)).map(tool => tool.package)).toEqual(['clang-format']);
  });
  it('prints one command, with sudo unless run as root', () => {
    expect(command(['cmake', 'g++'], false)).toBe('sudo apt-get update && sudo apt-get install -y --no-install-recommends cmake g++');
    expect(command(['cmake'], true)).toBe('apt-get update && apt-get install -y --no-install-recommends cmake');
  });
  it('finds only executable files on PATH', () => {
    writeFileSync(join(emptyPath, 'notes'), 'text');
    symlinkSync(process.execPath, join(emptyPath, 'linked'));
    expect(which('linked', emptyPath)).toBe(join(emptyPath, 'linked'));
    expect(which('notes', emptyPath)).toBeNull();
    expect(which('linked', '')).toBeNull();
  });
  it.each([
    ['firefox', 'FIREFOX_PATH', 'firefox-esr'],
    ['webkit', 'WEBKIT_PATH', 'libwebkit2gtk-4.1-0'],
  ])('skips the tests in %s, and prints the command that installs it', (browser, variable, name) => {
    const script = `import { otherBrowser } from './.ci/test.mjs'; console.log(JSON.stringify(await otherBrowser('${browser}')))`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      env: { ...process.env, [variable]: '/nowhere' },
    });
    const { passed, failed, note } = JSON.parse(stdout);
    expect([passed, failed]).toEqual([0, 0]);
    expect(note).toMatch(new RegExp(`^not run, because ${browser} is not installed: .*apt-get install .* ${name} xvfb`));
  });
  it('prints a message without a stack trace on a machine without apt', () => {
    const result = spawnSync(process.execPath, ['.ci/main.mjs', 'setup'], {
      env: { PATH: emptyPath, CHROMIUM_PATH: '/nowhere' },
      encoding: 'utf8',
    });
    expect(result.status).toBe(1);
    expect(result.stderr).toContain('There is no apt on this machine');
    expect(result.stderr).toContain('apt-get install -y --no-install-recommends emscripten cmake ninja-build');
    expect(result.stderr).not.toMatch(/^\s+at /m);
  });
});

describe('explanations of failures', () => {
  it.each([
    ["Temporary failure resolving 'deb.debian.org'", 'connected to the network'],
    ['E: Could not get lock /var/lib/dpkg/lock-frontend', 'Another program is installing'],
    ['E: Unable to correct problems, you have held broken packages.', 'Node package from outside Debian'],
    ['E: Unable to locate package emscripten', 'does not have all packages'],
    ['No space left on device', 'disk is full'],
    ['something else', ''],
  ])('apt: %s', (output, words) => expect(aptReason(output)).toContain(words));
  it.each([
    ['npm error code EAI_AGAIN', 'connected to the network'],
    ['npm error code EUSAGE', 'do not fit together'],
    ['npm error code EACCES', 'may not be written'],
    ['something else', ''],
  ])('npm: %s', (output, words) => expect(npmReason(output)).toContain(words));
});

describe('npm ci', () => {
  const attempts = outputs => {
    let at = 0;
    const result = twice(() => ({ code: outputs[at] === '' ? 0 : 1, output: outputs[at++] }));
    return { tried: at, code: result.code };
  };
  it('is repeated only after an unknown failure', () => {
    expect(attempts([''])).toEqual({ tried: 1, code: 0 });
    expect(attempts(["npm error ENOENT: Cannot cd into 'node_modules/yargs'", ''])).toEqual({ tried: 2, code: 0 });
    expect(attempts(['odd', 'odd'])).toEqual({ tried: 2, code: 1 });
    expect(attempts(['npm error code EUSAGE', ''])).toEqual({ tried: 1, code: 1 });
  });
});

describe('stamp of the installed packages', () => {
  it('changes with lock file, Node and platform', () => {
    const stamps = [
      packageStamp('a', 'v20', 'linux'),
      packageStamp('b', 'v20', 'linux'),
      packageStamp('a', 'v22', 'linux'),
      packageStamp('a', 'v20', 'darwin'),
    ];
    expect(new Set(stamps).size).toBe(4);
    expect(packageStamp('a', 'v20', 'linux')).toBe(stamps[0]);
  });
});

describe('npm start', () => {
  it('opens a browser only if there is a screen', () => {
    expect(canOpenBrowser({ DISPLAY: ':0' }, 'linux')).toBe(true);
    expect(canOpenBrowser({}, 'linux')).toBe(false);
    expect(canOpenBrowser({ DISPLAY: ':0', CI: 'true' }, 'linux')).toBe(false);
    expect(canOpenBrowser({}, 'darwin')).toBe(true);
  });
});

describe('counting', () => {
  it('counts a report of GoogleTest, with skipped and disabled tests apart', () => {
    const xml = [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<testsuites tests="7" failures="1" disabled="1" errors="0" time="0.1" name="AllTests">',
      '  <testsuite name="A" tests="4" failures="1" disabled="0" skipped="2" errors="0"></testsuite>',
      '  <testsuite name="B" tests="3" failures="0" disabled="1" skipped="0" errors="0"></testsuite>',
      '</testsuites>',
    ].join('\n');
    expect(countGoogleTest(xml)).toEqual({ passed: 3, failed: 1, skipped: 3 });
  });
  it('counts a file that could not be loaded as a failure', () => {
    const report = {
      numPassedTests: 4,
      numFailedTests: 1,
      numPendingTests: 2,
      numTodoTests: 0,
      testResults: [
        { status: 'failed', assertionResults: [] },
        { status: 'failed', assertionResults: [{}] },
        { status: 'passed', assertionResults: [{}] },
      ],
    };
    expect(countVitest(report)).toEqual({ passed: 4, failed: 2, skipped: 2 });
  });
});

describe('failures of Vitest', () => {
  it('are described without the tests that passed', () => {
    const file = process.cwd() + '/tests/a.test.ts';
    const report = {
      testResults: [
        {
          name: file,
          status: 'failed',
          message: '',
          assertionResults: [
            { status: 'passed', fullName: 'group passes', failureMessages: [] },
            { status: 'failed', fullName: 'group fails', failureMessages: ['Error: 1 is not 2\n    at line 3'] },
          ],
        },
        { name: process.cwd() + '/tests/b.test.ts', status: 'failed', message: 'Error: no such module', assertionResults: [] },
        { name: process.cwd() + '/tests/c.test.ts', status: 'passed', message: '', assertionResults: [] },
      ],
    };
    expect(describeFailures(report)).toBe(
      'tests/a.test.ts > group fails\nError: 1 is not 2\n    at line 3\n\ntests/b.test.ts\nError: no such module',
    );
  });
});

describe('repository', () => {
  it('has no registry URL in its lock file', () => {
    expect(readFileSync('package-lock.json', 'utf8')).not.toContain('"resolved"');
  });
});
