// findings.html: docs/findings.md as a page of its own, without a script, in the package and beside the viewer. Reports lead to its sections, which have the codes as their names.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Trouble, inRoot } from './lib.mjs';

const style = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:44rem;margin:0 auto;padding:1.5rem;overflow-wrap:anywhere}
section{margin-top:2rem;border-top:1px solid light-dark(#ccc,#444)}
h2{margin:0;padding:.75rem 0;font:inherit;position:sticky;top:0;background:canvas}
p{margin:0;padding:.35rem .75rem;scroll-margin-top:8rem;border-radius:6px}
p:target{background:light-dark(#d5eae8,#173634)}
b{font:600 .9rem ui-monospace,monospace;display:block}`;

const escaped = text => text.replace(/[&<>"]/g, letter => `&#${letter.charCodeAt(0)};`);

/** Prose of the page: code in backquotes stays code; other pages of the documentation are not beside this one. */
const proseOf = text => escaped(text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')).replace(/`([^`]*)`/g, '<code>$1</code>');

/**
 * Codes that have the same cure stand together below it, which stays in view while they are read: half of them share a few.
 */
export function findingsPage() {
  const [head, ...rest] = readFileSync(inRoot('docs/findings.md'), 'utf8')
    .replace(/<!--.*?-->\n?/g, '')
    .replace(/\*\*(.*?)\*\*/g, '$1')
    .split(/^### /m);
  const cures = new Map();
  for (const part of rest) {
    const [, code, what, cure] = /^([A-Z0-9_]+)\n\n(.+)\n\nWhat helps: (.+)\n/.exec(part) ?? [];
    if (!code) throw new Trouble(`docs/findings.md has a section that is no finding: ${part.slice(0, 40)}`);
    cures.set(cure, [...(cures.get(cure) ?? []), `<p id=${code}><b>${code}</b>${proseOf(what)}`]);
  }
  const sections = Array.from(cures, ([cure, codes]) => `<section><h2>What helps: ${proseOf(cure)}</h2>\n${codes.join('\n')}</section>`);
  const intro = head
    .replace(/^# .*\n/, '')
    .trim()
    .split(/\n{2,}/);
  const hash = createHash('sha256').update(style).digest('base64');
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'">
<title>Findings of rigcast</title><style>${style}</style>
<h1>Findings</h1>
${intro.map(text => `<p>${proseOf(text.replaceAll('\n', ' '))}`).join('\n')}
${sections.join('\n')}
</html>
`;
}
