// The script of all pages of a gallery: search on the first page; animations and embed code on the
// pages of models. Texts from files are only set as text.
import { requestFailed } from '../../core/fetched.ts';
import type { RigcastViewerElement } from '../../element/index.ts';
import { badgeOf, breakable, cardFacts, numberText } from './card.ts';
import { type Query, Search } from './search.ts';
import type { Entry } from './terms.ts';

/** Filters of the first page. Those without a select element are set by links. */
const FILTER_NAMES = ['format', 'triangles', 'findings', 'skeleton', 'folder'] as const;
/** Number of results that are added at a time. */
const BATCH = 60;
/** Time in milliseconds after a key press before the search starts. */
const PAUSE = 120;

const byId = <T extends HTMLElement>(id: string): T | null => document.getElementById(id) as T | null;

function make<K extends keyof HTMLElementTagNameMap>(tag: K, className: string, text = ''): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  return element;
}

function cardOf(entry: Entry): HTMLLIElement {
  const item = make('li', 'card');
  const link = make('a', '');
  link.href = `models/${entry.slug}/`;
  const picture = make('span', 'picture');
  if (entry.hasPicture) {
    const image = make('img', '');
    Object.assign(image, { alt: '', width: 512, height: 512, loading: 'lazy', decoding: 'async' });
    image.src = `models/${entry.slug}/picture.webp`;
    picture.append(image);
  } else picture.append(make('span', 'none', 'No picture'));
  const badge = badgeOf(entry);
  if (badge) picture.append(make('span', entry.errors > 0 ? 'badge errors' : 'badge', badge));
  const name = make('span', 'name');
  const text = make('bdi', '');
  text.append(...breakable(entry.name).flatMap((piece, i) => (i > 0 ? [document.createElement('wbr'), piece] : [piece])));
  name.append(text);
  link.append(picture, name, make('span', 'facts', cardFacts(entry)));
  item.append(link);
  return item;
}

function startSearch(list: HTMLElement, input: HTMLInputElement): void {
  const state = byId('state')!;
  const chips = byId('chips')!;
  const more = byId<HTMLButtonElement>('more')!;
  const search = new Search(async name => {
    const response = await fetch(`search/${name}`);
    if (!response.ok) throw requestFailed(`search/${name}`, response);
    return new Uint8Array(await response.arrayBuffer());
  });
  const first = [...list.children];
  let results: AsyncGenerator<Entry[]> | null = null;
  let waiting: Entry[] = [];
  let isDone = false;
  let shown = 0;
  let run = 0;
  let values: Record<string, string> = {};

  const queryOf = (): Query => ({
    text: input.value,
    filters: FILTER_NAMES.flatMap(name => (values[name] ? [`${name}:${values[name]}`] : [])),
  });

  /** Adds results until `amount` more are shown or there are no more. Stops if a newer search has started. */
  async function addResults(amount: number, number: number): Promise<void> {
    const end = shown + amount;
    while (shown < end && !(isDone && waiting.length === 0)) {
      if (waiting.length === 0) {
        const next = await results!.next();
        if (number !== run) return;
        if (next.done) isDone = true;
        else waiting = next.value;
      }
      const added = waiting.slice(0, end - shown);
      waiting = waiting.slice(added.length);
      shown += added.length;
      list.append(...added.map(cardOf));
    }
    more.hidden = isDone && waiting.length === 0;
    if (shown === 0) state.textContent = 'No model matches.';
    else if (more.hidden) state.textContent = shown === 1 ? '1 model' : `${numberText(shown)} models`;
    else state.textContent = `The first ${numberText(shown)} models`;
  }

  async function update(): Promise<void> {
    const number = ++run;
    const query = queryOf();
    writeState(query.text);
    [results, waiting, isDone, shown] = [search.find(query), [], false, 0];
    const isAll = query.text.trim() === '' && query.filters.length === 0;
    try {
      if (isAll) {
        const total = await search.count();
        if (number !== run) return;
        if (list.firstElementChild !== first[0] || list.children.length !== first.length) list.replaceChildren(...first);
        shown = first.length;
        more.hidden = shown >= total;
        state.textContent = '';
        await skip(shown, number);
        return;
      }
      // Keep the earlier results until the first new ones are there, so that the page does not flicker.
      const next = await results.next();
      if (number !== run) return;
      isDone = next.done === true;
      waiting = next.done ? [] : next.value;
      list.replaceChildren();
      await addResults(BATCH, number);
    } catch {
      if (number === run) state.textContent = 'The search index cannot be loaded.';
    }
  }

  /** Skips results that are shown already, when the visitor asks for more. */
  async function skip(amount: number, number: number): Promise<void> {
    const source = results!;
    results = (async function* (): AsyncGenerator<Entry[]> {
      let rest = amount;
      for await (const entries of source) {
        if (number !== run) return;
        if (entries.length > rest) yield entries.slice(rest);
        rest = Math.max(rest - entries.length, 0);
      }
    })();
  }

  function writeState(text: string): void {
    const parameters = new URLSearchParams();
    if (text.trim() !== '') parameters.set('q', text);
    for (const name of FILTER_NAMES) if (values[name]) parameters.set(name, values[name]);
    const query = parameters.toString();
    if (query !== location.search.slice(1)) history.replaceState(null, '', query ? `?${query}` : location.pathname);
    chips.replaceChildren(...FILTER_NAMES.filter(name => values[name] && !isListed(name)).map(chipOf));
  }

  /** True if a select element has the value of the filter. */
  const isListed = (name: string): boolean => byId<HTMLSelectElement>(name)?.value === values[name];

  function chipOf(name: (typeof FILTER_NAMES)[number]): HTMLElement {
    const label = name === 'folder' ? `Folder ${values[name]}` : name === 'skeleton' ? 'One skeleton' : `${name} ${values[name]}`;
    const chip = make('button', 'chip', label);
    chip.type = 'button';
    chip.title = 'Remove this filter';
    chip.addEventListener('click', () => {
      delete values[name];
      input.focus();
      void update();
    });
    return chip;
  }

  function readState(): void {
    const parameters = new URLSearchParams(location.search);
    input.value = parameters.get('q') ?? '';
    values = {};
    for (const name of FILTER_NAMES) {
      const value = parameters.get(name);
      if (value) values[name] = value;
      const select = byId<HTMLSelectElement>(name);
      if (select) select.value = [...select.options].some(option => option.value === value) ? value! : '';
    }
  }

  let timer = 0;
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => void update(), PAUSE);
  });
  for (const name of FILTER_NAMES)
    byId<HTMLSelectElement>(name)?.addEventListener('change', ({ target }) => {
      values[name] = (target as HTMLSelectElement).value;
      void update();
    });
  more.addEventListener('click', async () => {
    const before = shown;
    await addResults(BATCH, run).catch(() => void (state.textContent = 'The search index cannot be loaded.'));
    list.children[before]?.querySelector('a')?.focus();
  });
  addEventListener('keydown', event => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || document.activeElement === input) return;
    event.preventDefault();
    input.focus();
  });
  addEventListener('popstate', () => {
    readState();
    void update();
  });
  document.querySelector('search')!.removeAttribute('hidden');
  readState();
  void update();
}

function startModel(viewer: RigcastViewerElement): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-animation]')) {
    button.hidden = false;
    button.addEventListener('click', async () => {
      const isSame = button.getAttribute('aria-pressed') === 'true';
      if (!isSame) viewer.setAttribute('animation', button.dataset.animation!);
      if (isSame && !viewer.paused) viewer.pause();
      else await viewer.play();
      viewer.scrollIntoView({ block: 'nearest' });
    });
  }
  const mark = (): void => {
    for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-animation]')) {
      const name = viewer.animations[Number(button.dataset.animation)]?.name;
      button.setAttribute('aria-pressed', String(name !== undefined && viewer.currentAnimations.includes(name)));
    }
  };
  for (const type of ['load', 'play', 'animationchange']) viewer.addEventListener(type, mark);
  const code = byId<HTMLInputElement>('embed');
  if (code) {
    // The address of the site is only known here, unless it was given on the command line.
    code.value = code.value.replace('src="embed.html"', () => `src="${new URL('embed.html', location.href).href}"`);
    byId('copy')?.addEventListener('click', async ({ target }) => {
      code.select();
      await navigator.clipboard.writeText(code.value);
      (target as HTMLElement).textContent = 'Copied';
    });
    byId('copy')!.hidden = false;
  }
}

const list = byId('results');
const input = byId<HTMLInputElement>('text');
if (list && input) startSearch(list, input);
const viewer = document.querySelector('rigcast-viewer');
if (viewer) startModel(viewer);
