// Generates docs/api.md, which lists the names, signatures and comments of everything that the
// entry points of the package export.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Trouble, inRoot } from './lib.mjs';

const modules = new Map();

/** Parses a module. Returns its text, its statements, and its declarations by name. */
async function moduleAt(path) {
  if (!modules.has(path)) {
    const { parseAstAsync } = await import('vite'); // imported on demand, because these scripts also run before Vite is installed
    const text = readFileSync(path, 'utf8');
    const { body } = await parseAstAsync(text, { lang: 'ts', astType: 'ts' });
    const declared = new Map();
    for (const statement of body) {
      const node = statement.type === 'ExportNamedDeclaration' && statement.declaration ? statement.declaration : statement;
      const names = node.declarations?.map(({ id }) => id.name) ?? (node.id ? [node.id.name] : []);
      for (const name of names) declared.set(name, { node, statement });
    }
    modules.set(path, { path, text, body, declared });
  }
  return modules.get(path);
}

/**
 * Lists the exports of an entry point in source order, each as { name, module, node, statement }:
 * the module that declares it, its declaration, and the statement of the declaration.
 */
export async function exportsOf(path) {
  const { body, declared } = await moduleAt(path);
  const found = [];
  for (const statement of body) {
    if (statement.type === 'ExportAllDeclaration') found.push(...(await exportsOf(join(dirname(path), statement.source.value))));
    if (statement.type !== 'ExportNamedDeclaration') continue;
    const from = statement.source ? join(dirname(path), statement.source.value) : path;
    for (const { local, exported } of statement.specifiers) found.push(await find(from, local.name, exported.name));
    for (const [name, each] of declared) if (each.statement === statement) found.push({ name, module: await moduleAt(path), ...each });
  }
  return found;
}

/** Returns the declaration of a name that a module declares or re-exports. */
async function find(path, local, name) {
  const found = await declaration(path, local, name);
  if (!found) throw new Trouble(`${path} exports ${name}, but no module declares it.`);
  return found;
}

async function declaration(path, local, name) {
  const module = await moduleAt(path);
  const here = module.declared.get(local);
  if (here) return { name, module, ...here };
  for (const { type, source, specifiers = [] } of module.body)
    if ((type === 'ExportNamedDeclaration' || type === 'ImportDeclaration') && source) {
      const passed = specifiers.find(each => (each.exported ?? each.local).name === local);
      if (passed) return declaration(join(dirname(path), source.value), (passed.imported ?? passed.local).name, name);
    }
  for (const { type, source } of module.body) {
    const found = type === 'ExportAllDeclaration' && (await declaration(join(dirname(path), source.value), local, name));
    if (found) return found;
  }
  return null;
}

/**
 * Returns the doc comment directly above a declaration as { text, example }: plain text, and the code
 * block of the tag `@example`, or ''. Line comments are ignored. The tags `@experimental` and
 * `@deprecated` become words.
 */
function docAbove(text, start) {
  const found = /\/\*\*((?:[^*]|\*(?!\/))*)\*\/\s*(?:export )?$/.exec(text.slice(0, start));
  const [words = '', example = ''] = found ? found[1].replace(/^\s*\* ?/gm, '').split(/^@example\n/m) : [];
  return {
    text: words
      .trim()
      .replace(/\s*\n\s*/g, ' ')
      .replace(/@(experimental|deprecated)\b/g, tag => `**${tag[1].toUpperCase()}${tag.slice(2)}.**`),
    example: example.trim(),
  };
}

const commentBefore = (text, start) => docAbove(text, start).text;

const tidy = text => text.trim().replace(/[;{\s]+$/, '');

/** Returns the signature of a function or method. */
const headOf = (text, node) => tidy(text.slice(node.start, (node.body ?? node.value?.body)?.start ?? node.end));

function membersOf(text, { body: { body } }) {
  const seen = new Set();
  return body.flatMap(member => {
    const { key, accessibility } = member;
    if (!key || key.type === 'PrivateIdentifier' || accessibility === 'private' || text.slice(key.start, key.end).startsWith('__'))
      return [];
    if (member.kind === 'constructor' && !commentBefore(text, member.start)) return [];
    const isProperty = /Property/.test(member.type) && !(member.value?.type ?? '').includes('Function');
    const head = isProperty
      ? tidy(text.slice(member.start, member.typeAnnotation?.end ?? member.value?.start ?? member.end).replace(/=\s*$/, ''))
      : headOf(text, member);
    const name = `${member.static} ${key.name}`;
    const comment = commentBefore(text, member.start);
    if (comment.includes('@internal') || (member.kind === 'set' && seen.has(name))) return [];
    seen.add(name);
    return [...(comment ? [`  /** ${comment} */`] : []), `  ${head.replace(/\n\s*/g, ' ')};`];
  });
}

/**
 * Returns the text of a declaration: the signature of a function or constant, or the members of a
 * class or type.
 */
function declarationOf({ module: { text }, node }) {
  if (/Function/.test(node.type)) return `${headOf(text, node).replace(/^async /, '')};`;
  if (node.type === 'ClassDeclaration')
    return [tidy(text.slice(node.start, node.body.start)) + ' {', ...membersOf(text, node), '}'].join('\n');
  if (node.type === 'VariableDeclaration') {
    const [{ id, init }] = node.declarations;
    const typed = id.typeAnnotation ? text.slice(id.start, id.typeAnnotation.end) : `${id.name} = ${text.slice(init.start, init.end)}`;
    return `const ${tidy(typed.length > 400 ? id.name : typed)};`;
  }
  return text.slice(node.start, node.end);
}

/**
 * Returns the section of docs/api.md about one entry point: a file in web/src, such as
 * `core/index.ts`. The entries for React list only their own names.
 */
export async function printApi(file) {
  const found = await exportsOf(inRoot('web/src', file));
  const isOwn = ({ module }) => !file.startsWith('react/') || module.path.startsWith(inRoot('web/src/react'));
  const once = found.filter((each, i) => isOwn(each) && found.findIndex(other => other.name === each.name) === i);
  return once
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
    .map(each => {
      const { text, example } = docAbove(each.module.text, each.statement.start);
      return [`### ${each.name}`, text, `\`\`\`typescript\n${declarationOf(each)}\n\`\`\``, example].filter(Boolean).join('\n\n');
    })
    .join('\n\n');
}
