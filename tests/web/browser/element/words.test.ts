// Texts of the element: languages, and texts of the page.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { RigcastViewerElement } from '../../../../web/src/element/index.ts';
import { en, type Labels } from '../../../../web/src/element/words/en.ts';
import { ja } from '../../../../web/src/element/words/ja.ts';
import { add, demo, frame, inside, once, part } from './support.ts';

afterEach(() => {
  RigcastViewerElement.labels = {};
  document.documentElement.removeAttribute('lang');
  document.querySelectorAll('rigcast-viewer, .page').forEach(each => each.remove());
  vi.restoreAllMocks();
});

const PIP = { src: demo('Pip.psk'), files: `${demo('Pip.psa')} ${demo('Pip_D.png')}` };
type Viewer = ReturnType<typeof add>;

/** Reads the texts that an element with a toolbar shows now. */
function textsOf(element: Viewer): Partial<Labels> {
  const name = (selector: string): string => inside(element, selector).getAttribute('aria-label')!;
  return {
    model: part(element, 'viewport').getAttribute('aria-roledescription')!,
    loading: name("[part='progress']"),
    toolbar: name("[part='toolbar']"),
    [element.paused ? 'play' : 'pause']: name("[part='play-button']"),
    animation: name("[part='animation-menu']"),
    restPose: inside(element, "[part='animation-menu'] option").textContent!,
    time: name("[part='time-slider'] input"),
    position: inside(element, "[part='time-slider'] input").getAttribute('aria-valuetext')!,
    speed: name("[part='speed-menu']"),
    reset: name("[part='reset-button']"),
    fullscreen: name("[part='fullscreen-button']"),
  };
}

/** The texts of a table that `textsOf` reads, at a time of 0 seconds. */
function expected(words: Labels, element: Viewer): Partial<Labels> {
  const { show: _, error: _e, unavailable: _u, retry: _r, leaveFullscreen: _l, play, pause, position, ...others } = words;
  const numbers = { time: element.time.toFixed(1), duration: element.duration.toFixed(1) };
  return {
    ...others,
    ...(element.paused ? { play } : { pause }),
    position: position.replace('{time}', numbers.time).replace('{duration}', numbers.duration),
  };
}

async function withToolbar(parent?: Element): Promise<Viewer> {
  const element = add({ ...PIP, controls: '' }, parent);
  element.style.width = '600px';
  await element.ready;
  await expect.poll(() => element.shadowRoot!.querySelector("[part='toolbar']")).not.toBeNull();
  return element;
}

function page(lang: string): HTMLElement {
  const made = document.createElement('div');
  made.className = 'page';
  made.lang = lang;
  document.body.append(made);
  return made;
}

describe('the language', () => {
  it('is that of the nearest element with lang, and follows its changes', async () => {
    const around = page('ja-JP');
    const element = await withToolbar(around);
    await expect.poll(() => textsOf(element)).toEqual(expected(ja, element));
    around.lang = 'en';
    await expect.poll(() => textsOf(element)).toEqual(expected(en, element));
    document.documentElement.lang = 'ja';
    await frame();
    expect(textsOf(element)).toEqual(expected(en, element));
    around.removeAttribute('lang');
    await expect.poll(() => textsOf(element)).toEqual(expected(ja, element));
    element.lang = 'de'; // not available
    await expect.poll(() => textsOf(element)).toEqual(expected(en, element));
  });

  it('is found and followed through a shadow tree', async () => {
    const host = page('ja');
    const inner = document.createElement('p');
    host.attachShadow({ mode: 'open' }).append(inner);
    const element = await withToolbar(inner);
    await expect.poll(() => textsOf(element)).toEqual(expected(ja, element));
    inner.lang = 'en';
    await expect.poll(() => textsOf(element)).toEqual(expected(en, element));
  });

  it('has a text for every label', () => expect(Object.keys(ja)).toEqual(Object.keys(en)));
});

describe('labels', () => {
  const all = Object.fromEntries(Object.keys(en).map(label => [label, `My ${label} {name}{time}/{duration}`])) as unknown as Labels;

  it('replace every text', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const element = await withToolbar();
    element.labels = all;
    const numbers = (text: string): string =>
      text.replace('{time}/{duration}', `${element.time.toFixed(1)}/${element.duration.toFixed(1)}`);
    expect(textsOf(element)).toMatchObject({ ...expected(all, element), position: numbers(all.position) });
    await element.play();
    await expect.poll(() => part(element, 'play-button').title).toBe(all.pause);
    const poster = add({ ...PIP, reveal: 'interaction', alt: 'A $& fox' });
    poster.labels = all;
    expect(part(poster, 'poster').getAttribute('aria-label')).toBe('My show A $& fox{time}/{duration}');
    const broken = add({ src: demo('nobody.psk') });
    broken.labels = all;
    await once(broken, 'error');
    expect([...part(broken, 'error').querySelectorAll('span, button')].map(each => each.textContent)).toEqual([all.error, all.retry]);
    vi.spyOn(document, 'fullscreenElement', 'get').mockReturnValue(element);
    document.dispatchEvent(new Event('fullscreenchange'));
    expect(part(element, 'fullscreen-button').title).toBe(all.leaveFullscreen);
  });

  it('of the class apply to all elements, labels of an element take priority, and missing ones stay', async () => {
    RigcastViewerElement.labels = { play: 'Start', reset: 'Home' };
    const element = await withToolbar();
    const title = (name: string): string => part(element, name).title;
    expect([title('play-button'), title('reset-button'), title('speed-menu')]).toEqual(['Start', 'Home', en.speed]);
    element.labels = { play: 'Go' };
    expect([title('play-button'), title('reset-button')]).toEqual(['Go', 'Home']);
    RigcastViewerElement.labels = {};
    element.labels = null;
    expect([element.labels, title('play-button'), title('reset-button')]).toEqual([{}, en.play, en.reset]);
  });

  it('may be set before the element is defined', () => {
    const element = document.createElement('rigcast-viewer');
    Object.defineProperty(element, 'labels', { value: { model: 'Fox' }, configurable: true, writable: true, enumerable: true });
    document.body.append(element);
    expect(part(element, 'viewport').getAttribute('aria-label')).toBe('Fox');
  });
});
