// `npm run print`: lists the outdated generated files; the exit code is 1 if there are any. With
// `--write`, updates them. Files that C++ tables determine (tests/support/printed.cpp): findings,
// scene types and formats for TypeScript, and docs/scene.md. Files that TypeScript tables
// determine: the types of format options, and the parts of docs/ between marks such as <!-- printed:
// attributes Sources --> and <!-- /printed -->.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { printApi } from './api.mjs';
import { build } from './cpp.mjs';
import { Trouble, inRoot, run } from './lib.mjs';
import { setup } from './setup.mjs';
import { elementManual, sourceModule } from './sources.mjs';

const cell = text => text.replaceAll('|', '\\|');
const table = (head, rows) => [head, head.map(() => '---'), ...rows].map(row => `| ${row.map(cell).join(' | ')} |`).join('\n');
const code = text => (text === '' ? '' : `\`${text}\``);
const camel = name => name.replace(/-./g, found => found[1].toUpperCase());
const asSentence = text => `${text[0].toUpperCase()}${text.slice(1)}.`;
const named = (words, quote = code) => Object.entries(words).map(([name, text]) => [quote(name), text]);

/**
 * Functions that generate text for docs/, by the first word of a mark. The other words of the mark
 * are the argument of the function.
 */
const printers = {
  attributes: ({ ATTRIBUTE_MANUAL }, group) =>
    table(
      ['attribute', 'property', ''],
      Object.entries(ATTRIBUTE_MANUAL)
        .filter(([, entry]) => entry.group === group)
        .map(([name, { text }]) => [code(name), code(camel(name)), text]),
    ),
  targets: ({ TARGETS, WRITERS }) =>
    table(
      ['`to`', 'format', 'files'],
      TARGETS.map(to => [code(to), WRITERS[to].label.split(/,| \(/)[0], WRITERS[to].text]),
    ),
  conversionCodes: ({ conversionCodes }) =>
    table(
      ['code', 'kind', 'amount in', 'explanation'],
      conversionCodes.map(({ code: id, kind, unit, sentence }) => [id, kind, unit, sentence]),
    ),
  properties: ({ PROPERTIES }) =>
    table(
      ['property', ''],
      PROPERTIES.map(({ name, type, text, isReadOnly }) => [code(name), `${code(type)}${isReadOnly ? ', read-only' : ''}. ${text}`]),
    ),
  methods: ({ METHODS }) =>
    table(
      ['method', ''],
      METHODS.map(({ name, type, text }) => [code(`${name}${type.replace(/^(\(.*\)) => (.*)$/, '$1: $2')}`), text]),
    ),
  events: ({ EVENTS }) =>
    table(
      ['event', '`event.detail`', ''],
      Object.entries(EVENTS).map(([name, { detail, text }]) => [code(name), code(detail), text]),
    ),
  options: ({ formatOptionTable }, group) =>
    table(
      ['option', 'command line', 'value', ''],
      Object.entries(formatOptionTable[group]).map(([key, info]) => [
        code(key),
        code(`--${group}.${(info.flag ?? key).replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`),
        valueOf(info),
        asSentence(info.text),
      ]),
    ),
  labels: ({ en }) => table(['label', 'English text'], named(en)),
  slots: ({ SLOTS }) => table(['slot', ''], named(SLOTS)),
  parts: ({ PARTS }) => table(['part', ''], named(PARTS)),
  styles: ({ CSS_PROPERTIES }) => table(['property of CSS', ''], named(CSS_PROPERTIES)),
  states: ({ STATES }) =>
    table(
      ['state', ''],
      named(STATES, name => code(`:state(${name})`)),
    ),
};

/** Returns the possible values of a format option: its choices or, if it has none, its type. */
const valueOf = ({ type, choices }) => choices?.map(code).join(', ') ?? type;

/** Lists all findings, each with its code as a heading, so that reports can link to it. */
printers.findings = (_manual, _argument, codes) =>
  codes
    .map(
      ({ code: name, severity, sentence, advice }) =>
        `### ${name}\n\n${severity[0].toUpperCase()}${severity.slice(1)}. ${sentence}\n\nWhat helps: ${advice}`,
    )
    .join('\n\n');

const ENTRIES = {
  ...Object.fromEntries(['core', 'three', 'rig', 'convert', 'element'].map(entry => [entry, `${entry}/index.ts`])),
  react: 'react/index.ts',
  r3f: 'react/r3f.ts',
};

const marks = /(<!-- printed: (\S+)(?: ([^\n]+?))? -->\n).*?(<!-- \/printed -->)/gs;

/** Generates the pages in docs/ from the current sources. Returns [{ path, text }]. */
async function printedPages() {
  const manual = {
    ...(await elementManual()),
    ...(await sourceModule('element/words/en.ts')),
    ...(await sourceModule('core/formatOptions.ts')),
    ...(await sourceModule('convert/targets.ts')),
  };
  const apis = Object.fromEntries(await Promise.all(Object.entries(ENTRIES).map(async ([entry, file]) => [entry, await printApi(file)])));
  printers.api = (_manual, entry) => apis[entry];
  const codes = Object.values(await sourceModule('core/codeTable.ts')).find(Array.isArray);
  return readdirSync(inRoot('docs'))
    .filter(name => name.endsWith('.md'))
    .map(name => {
      const path = `docs/${name}`;
      const text = readFileSync(inRoot(path), 'utf8').replace(marks, (_all, begin, kind, argument, end) => {
        if (!printers[kind]) throw new Trouble(`${path} contains the mark "${kind}", and no printer has this name.`);
        return `${begin}\n${printers[kind](manual, argument, codes)}\n\n${end}`;
      });
      return { path, text };
    });
}

/**
 * Generates the files that the C++ tables determine, by building and running a program. Returns [{
 * path, text }].
 */
async function printedFiles() {
  await build('asan', { targets: ['rigcast_print'] });
  const { code, stdout, output } = run(inRoot('build/asan/rigcast_print'), []);
  if (code !== 0) throw new Trouble(`rigcast_print failed:\n\n${output}`);
  return Array.from(stdout.matchAll(/([^\0]*)\0([^\0]*)\0/g), ([, path, text]) => ({ path, text }));
}

/** Generates the TypeScript types of format options from their table. Returns [{ path, text }]. */
async function printedTypes() {
  const { formatOptionGroups, formatOptionTable } = await sourceModule('core/formatOptions.ts');
  const typeOf = ({ type, choices }) =>
    type === 'key' ? 'string | Uint8Array' : (choices?.map(choice => `'${choice}'`).join(' | ') ?? type);
  const groups = Object.entries(formatOptionTable).map(([group, options]) => {
    const members = Object.entries(options).map(([key, info]) => `/** ${asSentence(info.text)} */\n${key}?: ${typeOf(info)};\n`);
    return `/** ${formatOptionGroups[group]}. */\n${group}?: {\n${members.join('')}};\n`;
  });
  const path = 'web/src/core/formatOptionTypes.ts';
  const text = `// Printed from formatOptions.ts by npm run print.

/** Options of the formats, the same for \`open\`, the loader, the command line and the element. */
export interface FormatOptions {\n${groups.join('')}}\n`;
  const { format, resolveConfig } = await import('prettier'); // not yet installed when npm start loads this script
  return [{ path, text: await format(text, { ...(await resolveConfig(inRoot('package.json'))), filepath: path }) }];
}

const isCurrent = ({ path, text }) => existsSync(inRoot(path)) && readFileSync(inRoot(path), 'utf8') === text;

/**
 * Compares each generated file with the file in the repository. If `isWritten` is true, writes the
 * files that differ. Returns the paths of these files.
 */
export async function print(isWritten) {
  const outdated = [];
  // The pages are generated last, because docs/findings.md depends on the table of findings, and
  // docs/api.md on the types.
  for (const print of [printedFiles, printedTypes, printedPages]) {
    const files = (await print()).filter(file => !isCurrent(file));
    if (isWritten) for (const { path, text } of files) writeFileSync(inRoot(path), text);
    outdated.push(...files.map(({ path }) => path));
  }
  return outdated;
}

/** A step of `npm test`: throws if a generated file is outdated. */
export async function checkPrinted() {
  const outdated = await print(false);
  if (outdated.length > 0) throw new Trouble(`Outdated: ${outdated.join(', ')}. Run npm run print -- --write.`);
}

export async function main(args) {
  await setup(['native']);
  const isWritten = args.includes('--write');
  const outdated = await print(isWritten);
  for (const path of outdated) console.log(isWritten ? `${path} written` : `${path} is outdated: npm run print -- --write`);
  return outdated.length > 0 && !isWritten ? 1 : 0;
}
