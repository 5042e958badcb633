// The script of embed.html, a page that contains one element. The query of the page's URL sets the
// attributes of the element.
import '../element/index.ts';
import { acceptMessages } from './messages.ts';
import { parametersOf } from './parameters.ts';

/** Returns the list in a meta element of the page; null if there is no such element. */
const listIn = (name: string): string[] | null =>
  document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content.split(/\s+/).filter(Boolean) ?? null;

const { attributes, problems, language } = parametersOf(location.search, {
  base: document.baseURI,
  roots: listIn('rigcast-root') ?? ['./'],
  isColor: text => CSS.supports('color', text),
});

// The element uses the nearest attribute `lang`.
document.documentElement.lang = language ?? navigator.language;

const list = document.createElement('ul');
list.className = 'problems';
list.setAttribute('role', 'status');
list.lang = 'en'; // the messages are for the author of the page

/** Shows a message as text or, if `url` is given, as a link. */
function showMessage(text: string, url?: string): void {
  const item = document.createElement('li');
  const content = url === undefined ? item : document.createElement('a');
  content.textContent = text;
  if (url !== undefined) {
    content.setAttribute('href', url);
    item.append(content);
  }
  list.append(item);
  if (!list.isConnected) document.body.append(list);
}

if (attributes.has('src') || attributes.has('files')) {
  const element = document.createElement('rigcast-viewer');
  for (const [name, value] of attributes) element.setAttribute(name, value);
  // Anyone can create a link to this page, so requests are sent without the visitor's cookies.
  element.setAttribute('credentials', 'omit');
  // Errors that prevent loading are shown by the element itself.
  element.addEventListener('error', ({ detail }) => {
    if (!element.matches(':state(error)')) showMessage(detail.message);
    const finding = detail.report?.items.find(({ severity }) => severity === 'error');
    if (finding) showMessage(`Advice (${finding.code})`, `findings.html#${finding.code}`);
  });
  acceptMessages(element, listIn('rigcast-parents') ?? []);
  document.title = attributes.get('alt') ?? document.title;
  document.body.append(element);
} else {
  list.classList.add('empty');
  showMessage('Add the URL of a model to the URL of this page: embed.html?src=models/hero.psk');
}
for (const text of problems) showMessage(text);
