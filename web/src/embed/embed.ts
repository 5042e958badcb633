// embed.html: the element alone on a page, as the page's address says.
import '../element/index.ts';
import { parametersOf } from './parameters.ts';

const { attributes, wrong } = parametersOf(location.search, {
  base: document.baseURI,
  roots: document.querySelector<HTMLMetaElement>('meta[name=rigcast-root]')?.content.split(/\s+/).filter(Boolean) ?? ['./'],
  isColor: text => CSS.supports('color', text),
});

const list = document.createElement('ul');
list.className = 'wrong';
list.setAttribute('role', 'status');

/** A sentence for whoever wrote the address, as text; with a place to go where there is one. */
function say(text: string, address?: string): void {
  const item = document.createElement('li');
  const words = address === undefined ? item : document.createElement('a');
  words.textContent = text;
  if (address !== undefined) {
    words.setAttribute('href', address);
    item.append(words);
  }
  list.append(item);
  if (!list.isConnected) document.body.append(list);
}

if (attributes.has('src') || attributes.has('files')) {
  const element = document.createElement('rigcast-viewer');
  for (const [name, value] of attributes) element.setAttribute(name, value);
  // A link must not read files with the visitor's rights.
  element.setAttribute('credentials', 'omit');
  // What keeps the model from being shown the element says itself.
  element.addEventListener('error', ({ detail }) => {
    if (!element.matches(':state(error)')) say(detail.message);
    const finding = detail.report?.items.find(({ severity }) => severity === 'error');
    if (finding) say(`What helps (${finding.code})`, `findings.html#${finding.code}`);
  });
  document.title = attributes.get('alt') ?? document.title;
  document.body.append(element);
} else {
  list.classList.add('empty');
  say('This page shows the model that its address names: embed.html?src=https://…');
}
for (const text of wrong) say(text);
