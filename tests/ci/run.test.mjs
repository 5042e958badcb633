// Continuous integration runs the command of README, on a machine that has nothing yet.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { inRoot } from '../../.ci/lib.mjs';

const folder = mkdtempSync(join(tmpdir(), 'rigcast-run-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('runs npm test with an empty home and cache, and returns its exit code', () => {
  writeFileSync(
    join(folder, 'npm'),
    '#!/bin/bash\necho "$@|$(pwd)|$HOME|$(ls -A "$HOME")|$npm_config_cache|$npm_config_userconfig|$XDG_CACHE_HOME"\nexit 3\n',
  );
  chmodSync(join(folder, 'npm'), 0o755);
  const { npm_config_userconfig: _user, NPM_CONFIG_USERCONFIG: _other, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync('bash', [inRoot('.ci/run')], {
    cwd: '/',
    encoding: 'utf8',
    env: { ...env, HOME: folder, XDG_CACHE_HOME: folder, PATH: `${folder}:${process.env.PATH}` },
  });
  expect(stderr).toBe('');
  expect(status).toBe(3);
  const [args, cwd, home, held, cache, settings, xdg] = stdout.trimEnd().split('|');
  expect(args).toBe('test');
  expect(readFileSync(inRoot('README.md'), 'utf8')).toContain('| `npm test` | Runs everything');
  expect(`${cwd}/`).toBe(inRoot());
  expect(home).not.toBe(folder);
  expect(held).toBe('');
  expect(cache).toBe(`${home}/npm`);
  expect(settings).toBe(`${folder}/.npmrc`); // where npm finds its registry is the machine's
  expect(xdg).toBe('');
  expect(existsSync(home)).toBe(false);
});
