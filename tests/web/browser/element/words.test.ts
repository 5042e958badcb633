// Texts of the element: languages, texts of the page, and warnings for developers.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { attributeProblems } from '../../../../web/src/element/attributeCheck.ts';
import { ATTRIBUTES } from '../../../../web/src/element/attributes.ts';
import { RigcastViewerElement } from '../../../../web/src/element/index.ts';
import { en, type Labels } from '../../../../web/src/element/words/en.ts';
import { ja } from '../../../../web/src/element/words/ja.ts';
import { MODEL_VIEWER_ATTRIBUTES } from '../../../support/modelViewerAttributes.ts';
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
    download: name("[part='download-button']"),
    fullscreen: name("[part='fullscreen-button']"),
  };
}

/** The texts of a table that `textsOf` reads, at a time of 0 seconds. */
function expected(words: Labels, element: Viewer): Partial<Labels> {
  const {
    show: _,
    error: _e,
    unavailable: _u,
    retry: _r,
    leaveFullscreen: _l,
    downloadFailed: _d,
    prompt: _p,
    ar: _a,
    arHint: _h,
    arLeave: _v,
    arFailed: _f,
    play,
    pause,
    position,
    ...others
  } = words;
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

describe('warnings', () => {
  const warningsOf = async (attributes: Record<string, string>): Promise<string[]> => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const element = add({ src: demo('Pip.psk'), ...attributes });
    await element.ready;
    const messages = warned.mock.calls.map(([message]) => String(message).replace('<rigcast-viewer> ', ''));
    warned.mockClear();
    element.remove();
    return messages;
  };

  it('name the attributes whose value is invalid, and what is expected', async () => {
    expect(
      await warningsOf({
        'camera-orbit': '45 75 2',
        'max-camera-orbit': 'auto auto 50%',
        'camera-target': '0 1 2ft',
        'field-of-view': '30',
        view: 'frnt',
        loop: 'twice',
        speed: 'fast',
        time: 'noon',
        shadow: '2',
        background: 'url(x)',
        autoplay: 'false',
        'allow-origins': 'cdn.example',
        expression: 'blink:soon',
        orientation: '90deg 0deg',
        scale: '1 2',
      }),
    ).toEqual([
      'camera-orbit="45 75 2": two angles and a distance are expected, such as 30deg 75deg 105%.',
      'max-camera-orbit="auto auto 50%": two angles and a distance are expected, such as 30deg 75deg 2m.',
      'camera-target="0 1 2ft": three lengths are expected, such as 0m 1m 0m.',
      'field-of-view="30": an angle is expected, such as 30deg.',
      'view="frnt": one of front, back, left, right, side, top, file, recorded is expected.',
      'loop="twice": one of repeat, pingpong, none, file is expected.',
      'speed="fast": a number is expected.',
      'time="noon": a number is expected.',
      'shadow="2": a number from 0 to 1, or none, is expected.',
      'background="url(x)": a CSS colour is expected.',
      'autoplay="false": every value turns this on. Remove the attribute to turn it off.',
      'allow-origins="cdn.example": origins such as https://cdn.example, separated by spaces, are expected.',
      'expression="blink:soon": names with weights are expected, such as blink:1 aa:0.4.',
      'orientation="90deg 0deg": three angles are expected: roll, pitch and yaw, such as 0deg -90deg 0deg.',
      'scale="1 2": one factor or three, other than 0, are expected, such as 2 or 1 2 1.',
      'There is no expression “blink”.',
    ]);
    expect(await warningsOf({ scale: '1 0 1' })).toEqual([
      'scale="1 0 1": one factor or three, other than 0, are expected, such as 2 or 1 2 1.',
    ]);
  });

  it('name attributes of model-viewer and misspelt names', async () => {
    expect(
      await warningsOf({
        'camera-controls': '',
        'animation-name': 'Run',
        'shadow-softness': '1',
        'auto-play': '',
        exposre: '2',
        'camera-orbti': '0deg',
      }),
    ).toEqual([
      'camera-controls: rigcast-viewer has no such attribute. Visitors can always move the camera, unless interaction="none" is set.',
      'animation-name="Run": rigcast-viewer has no such attribute. Use animation.',
      'shadow-softness="1": rigcast-viewer has no such attribute. It is not supported.',
      'auto-play: rigcast-viewer has no such attribute. Did you mean autoplay?',
      'exposre="2": rigcast-viewer has no such attribute. Did you mean exposure?',
      'camera-orbti="0deg": rigcast-viewer has no such attribute. Did you mean camera-orbit?',
    ]);
  });

  it.each(MODEL_VIEWER_ATTRIBUTES.filter(name => !(name in ATTRIBUTES)))('name the attribute %s of model-viewer', name => {
    const element = document.createElement('rigcast-viewer');
    element.setAttribute(name, '');
    expect(attributeProblems(element)).toEqual([expect.stringContaining(`${name}: rigcast-viewer has no such attribute. `)]);
  });

  it('are not logged for valid values and for attributes that other scripts use', async () => {
    expect(
      await warningsOf({
        'camera-orbit': 'auto 75deg 105%',
        'camera-target': '0 1.5m auto',
        'min-field-of-view': '20deg',
        'min-camera-orbit': '-1rad 0 50cm',
        speed: '-0.5',
        animation: 'Wave',
        shadow: 'none',
        background: '#fff',
        'allow-origins': 'https://cdn.example',
        autoplay: 'true',
        controls: 'controls',
        loop: '',
        title: 'Fox',
        class: 'models',
        role: 'figure',
        slot: 'x',
        part: 'y',
        'data-time': 'z',
        'aria-label': 'Fox',
        itemprop: 'model',
        'v-cloak': '',
        onclick: '',
      }),
    ).toEqual(['There is no animation “Wave”.']);
  });

  it('name an element without a height, unless it is hidden', async () => {
    const message = 'Nothing is visible, because the element has no width or no height. A height in percent needs a parent with a height.';
    expect(await warningsOf({ loading: 'eager', style: 'display: none' })).toEqual([]);
    expect(await warningsOf({ style: 'width: 100%; height: 100%' })).toEqual([message]);
  });

  it('are logged once per page, also after a change', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const elements = [add({ ...PIP, loop: 'thrice' }), add({ ...PIP, loop: 'thrice' })];
    await Promise.all(elements.map(({ ready }) => ready));
    elements[0]!.loop = 'four times';
    await frame();
    expect(warned.mock.calls.map(([message]) => String(message).slice(0, 40))).toEqual([
      '<rigcast-viewer> loop="thrice": one of r',
      '<rigcast-viewer> loop="four times": one ',
    ]);
  });
});
