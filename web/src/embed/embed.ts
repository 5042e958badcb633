// embed.html: a page with one element, configured by the query of its address.
import '../element/index.ts';
import { parametersOf } from './parameters.ts';

const { attributes, problems } = parametersOf(location.search, {
  base: document.baseURI,
  roots: document.querySelector<HTMLMetaElement>('meta[name=rigcast-root]')?.content.split(/\s+/).filter(Boolean) ?? ['./'],
  isColor: text => CSS.supports('color', text),
});

const list = document.createElement('ul');
list.className = 'problems';
list.setAttribute('role', 'status');

/** Appends a message as text, with a link if there is an address. */
function showMessage(text: string, address?: string): void {
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
  // A link must not load files with the visitor's credentials.
  element.setAttribute('credentials', 'omit');
  // The element shows fatal errors itself.
  element.addEventListener('error', ({ detail }) => {
    if (!element.matches(':state(error)')) showMessage(detail.message);
    const finding = detail.report?.items.find(({ severity }) => severity === 'error');
    if (finding) showMessage(`Advice (${finding.code})`, `findings.html#${finding.code}`);
  });
  document.title = attributes.get('alt') ?? document.title;
  document.body.append(element);
} else {
  list.classList.add('empty');
  showMessage('This page shows the model at the URL in its address: embed.html?src=https://…');
}
for (const text of problems) showMessage(text);
