// The script of all pages of a gallery: search on the first page; animations and embed code on the
// pages of models. Texts from files are only set as text.
import { requestFailed } from '../../core/fetched.ts';
import type { RigcastViewerElement } from '../../element/index.ts';
import { badgeOf, breakable, cardFacts, numberText } from './card.ts';
import { ResultList } from './resultList.ts';
import { type Query, Search } from './search.ts';
import type { Entry } from './terms.ts';

/** Filters of the first page. Those without a select element are set by links. */
const FILTER_NAMES = ['format', 'triangles', 'findings', 'skeleton', 'folder'] as const;
/** Number of results that are added at a time. */
const BATCH = 60;
/** Time in milliseconds after a key press before the search starts. */
const PAUSE = 120;
const LOAD_FAILED = 'The search index cannot be loaded.';

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
  /** The results of the current search. */
  let results: ResultList | null = null;
  let values: Record<string, string> = {};

  const queryOf = (): Query => ({
    text: input.value,
    filters: FILTER_NAMES.flatMap(name => (values[name] ? [`${name}:${values[name]}`] : [])),
  });

  /**
   * Shows up to BATCH further results. The first of a search replace those of the last search as soon
   * as they are loaded, so that the page does not flicker. Stops if a newer search has started.
   */
  async function addResults(own: ResultList): Promise<void> {
    let isNew = own.shown === 0;
    const add = (entries: readonly Entry[]): void => {
      list[isNew ? 'replaceChildren' : 'append'](...entries.map(cardOf));
      isNew = false;
    };
    try {
      for await (const entries of own.next(BATCH)) {
        if (own !== results) return;
        add(entries);
      }
      if (own !== results) return;
      if (isNew) add([]);
      more.hidden = own.isComplete;
      if (own.shown === 0) state.textContent = 'No model matches.';
      else if (more.hidden) state.textContent = own.shown === 1 ? '1 model' : `${numberText(own.shown)} models`;
      else state.textContent = `The first ${numberText(own.shown)} models`;
    } catch {
      if (own === results) state.textContent = LOAD_FAILED;
    }
  }

  async function update(): Promise<void> {
    const query = queryOf();
    writeState(query.text);
    const isAll = query.text.trim() === '' && query.filters.length === 0;
    const own = (results = new ResultList(() => search.find(query), isAll ? first.length : 0));
    more.hidden = true;
    if (!isAll) return addResults(own);
    try {
      const total = await search.count();
      if (own !== results) return;
      if (list.firstElementChild !== first[0] || list.children.length !== first.length) list.replaceChildren(...first);
      more.hidden = first.length >= total;
      state.textContent = '';
    } catch {
      if (own === results) state.textContent = LOAD_FAILED;
    }
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
    const before = list.children.length;
    if (results) await addResults(results);
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
