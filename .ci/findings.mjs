// Generates findings.html, which shows docs/findings.md as a page without scripts. It is part of
// the package and of the site. Its introduction and style are in web/src/viewer/findings.html.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Trouble, inRoot } from './lib.mjs';

const escaped = text => text.replace(/[&<>"]/g, letter => `&#${letter.charCodeAt(0)};`);

/**
 * Converts Markdown to HTML. Text in backquotes becomes code. Links become plain text, because
 * their targets are not available next to the page.
 */
const proseOf = text => escaped(text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')).replace(/`([^`]*)`/g, '<code>$1</code>');

/**
 * Returns the HTML of the page. Findings with the same advice are grouped. Each finding has its
 * code as id, to which reports link.
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
