// findings.html: docs/findings.md as one page without scripts, in the package and beside the
// viewer. Its text and style are in web/src/viewer/findings.html.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Trouble, inRoot } from './lib.mjs';

const escaped = text => text.replace(/[&<>"]/g, letter => `&#${letter.charCodeAt(0)};`);

/**
 * Markdown to HTML: keeps code in backquotes and drops links, which lead to pages that are not
 * beside this one.
 */
const proseOf = text => escaped(text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')).replace(/`([^`]*)`/g, '<code>$1</code>');

/**
 * Groups the findings by advice, since many share it. Each has its code as id, to which reports
 * link.
 */
export function findingsPage() {
  const [head, ...rest] = readFileSync(inRoot('docs/findings.md'), 'utf8')
    .replace(/<!--.*?-->\n?/g, '')
    .replace(/\*\*(.*?)\*\*/g, '$1')
    .split(/^### /m);
  const groups = new Map();
  for (const part of rest) {
    const [, code, meaning, advice] = /^([A-Z0-9_]+)\n\n(.+)\n\n(.+)\n/.exec(part) ?? [];
    if (!code) throw new Trouble(`docs/findings.md has a section that is not a finding: ${part.slice(0, 40)}`);
    groups.set(advice, [...(groups.get(advice) ?? []), `<p id=${code}><b>${code}</b>${proseOf(meaning)}`]);
  }
  const [, ...intro] = head.trim().split(/\n{2,}/);
  const paragraphs = intro.map(text => `<p>${proseOf(text.replaceAll('\n', ' '))}`);
  const sections = Array.from(groups, ([advice, codes]) => `<section><h2>${proseOf(advice)}</h2>\n${codes.join('\n')}</section>`);
  const template = readFileSync(inRoot('web/src/viewer/findings.html'), 'utf8');
  const style = /<style>([^]*)<\/style>/.exec(template)[1];
  return template
    .replace('{style}', `sha256-${createHash('sha256').update(style).digest('base64')}`)
    .replace('{findings}', () => [...paragraphs, ...sections].join('\n'));
}
