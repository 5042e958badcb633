// `npm run docs`: the parts of docs/ that are printed from the sources, between marks like <!-- printed: attributes Sources --> and <!-- /printed -->.
// With --write into the pages; without, it says which are old. With --run all blocks of code are run (blocks.mjs).
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printApi } from './api.mjs';
import { Trouble, inRoot } from './lib.mjs';
import { attributeManual } from './manifest.mjs';

/** A module of web/src, without its types. */
export async function sourceModule(file) {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [inRoot('web/src', file)],
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'error',
    plugins: [{ name: 'lazy', setup: lazyOutside }],
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

/** Leaves out what a module imports lazily. */
const lazyOutside = build => build.onResolve({ filter: /./ }, ({ kind }) => (kind === 'dynamic-import' ? { external: true } : null));

const cell = text => text.replaceAll('|', '\\|');
const table = (head, rows) => [head, head.map(() => '---'), ...rows].map(row => `| ${row.map(cell).join(' | ')} |`).join('\n');
const code = text => (text === '' ? '' : `\`${text}\``);
const camel = name => name.replace(/-./g, found => found[1].toUpperCase());
const named = (words, quote = code) => Object.entries(words).map(([name, text]) => [quote(name), text]);

/** What can be printed, by its name; the rest of a mark is its argument. */
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
        code(`--${group}.${key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`),
        valueOf(info),
        `${info.text[0].toUpperCase()}${info.text.slice(1)}.`,
      ]),
    ),
  slots: ({ SLOTS }) => table(['slot', ''], named(SLOTS)),
  parts: ({ PARTS }) => table(['part', ''], named(PARTS)),
  styles: ({ CSS_PROPERTIES }) => table(['property of CSS', ''], named(CSS_PROPERTIES)),
  states: ({ STATES }) =>
    table(
      ['state', ''],
      named(STATES, name => code(`:state(${name})`)),
    ),
};

/** Of a format option: numbers, switches and keys by their type, choices one by one. */
const valueOf = ({ type, choices }) => choices?.map(code).join(', ') ?? type;

/** A heading per code, so that a report can link to it. */
printers.findings = (_manual, _argument, codes) =>
  codes
    .map(
      ({ code: name, severity, sentence, advice }) =>
        `### ${name}\n\n${severity[0].toUpperCase()}${severity.slice(1)}. ${sentence}\n\nWhat helps: ${advice}`,
    )
    .join('\n\n');

const ENTRIES = ['core', 'three', 'rig', 'convert'];

const marks = /(<!-- printed: (\S+)(?: ([^\n]+?))? -->\n).*?(<!-- \/printed -->)/gs;

/** The documentation of the element, its attributes included. */
export async function elementManual() {
  const { ATTRIBUTES } = await sourceModule('element/attributes.ts');
  const ATTRIBUTE_MANUAL = attributeManual(ATTRIBUTES, readFileSync(inRoot('web/src/element/attributes.ts'), 'utf8'));
  return { ...(await sourceModule('element/manual.ts')), ATTRIBUTE_MANUAL };
}

/** Pages of docs/ as they should be: [path, text now, text printed]. */
export async function printedPages() {
  const manual = {
    ...(await elementManual()),
    ...(await sourceModule('core/formatOptions.ts')),
    ...(await sourceModule('convert/writers.ts')),
  };
  const apis = Object.fromEntries(await Promise.all(ENTRIES.map(async entry => [entry, await printApi(entry)])));
  printers.api = (_manual, entry) => apis[entry];
  const codes = Object.values(await sourceModule('core/codeTable.ts')).find(Array.isArray);
  return readdirSync(inRoot('docs'))
    .filter(name => name.endsWith('.md'))
    .map(name => {
      const path = `docs/${name}`;
      const now = readFileSync(inRoot(path), 'utf8');
      const printed = now.replace(marks, (_all, begin, kind, argument, end) => {
        if (!printers[kind]) throw new Trouble(`${path} asks for ${kind}, which nothing prints.`);
        return `${begin}\n${printers[kind](manual, argument, codes)}\n\n${end}`;
      });
      return { path, now, printed };
    });
}

/** All blocks of code against what `npm run build` made; of one page where its path is given. */
async function runAgainstDist(only) {
  const { runBlocks } = await import('./blocks.mjs');
  const folder = mkdtempSync(join(tmpdir(), 'rigcast-docs-'));
  try {
    mkdirSync(join(folder, 'node_modules/rigcast'), { recursive: true });
    cpSync(inRoot('package.json'), join(folder, 'node_modules/rigcast/package.json'));
    cpSync(inRoot('dist'), join(folder, 'node_modules/rigcast/dist'), { recursive: true, filter: path => !/dist[/\\]site/.test(path) });
    return await runBlocks(folder, only);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export async function main(args) {
  if (args.includes('--run')) return void console.log(await runAgainstDist(args[args.indexOf('--run') + 1]));
  const old = (await printedPages()).filter(({ now, printed }) => now !== printed);
  for (const { path, printed } of old) {
    if (args.includes('--write')) writeFileSync(inRoot(path), printed);
    console.log(`${path} ${args.includes('--write') ? 'is printed anew' : 'is older than the sources: npm run docs -- --write'}`);
  }
  return old.length > 0 && !args.includes('--write') ? 1 : 0;
}
