// <RigcastViewer> in a page, with React: hydration, listeners, properties, ref.
import { Activity, createElement, createRef, type ReactNode, StrictMode, useEffect, useRef, useState } from 'react';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ATTRIBUTES, camel } from '../../../../web/src/element/attributes.ts';
import { EVENT_NAMES } from '../../../../web/src/element/types.ts';
import { RigcastViewer, type RigcastViewerElement, type RigcastViewerProps } from '../../../../web/src/react/index.ts';
import { demo, fileOf } from '../element/support.ts';

const PIP = { src: demo('Pip.psk'), files: `${demo('Pip.psa')} ${demo('Pip_D.png')}`, style: { width: 160, height: 120 } };

let root: Root | null = null;
let place: HTMLElement;
beforeEach(() => document.body.append((place = document.createElement('div'))));
afterEach(() => {
  root?.unmount();
  root = null;
  place.remove();
  vi.restoreAllMocks();
});

const viewer = (): RigcastViewerElement => place.querySelector<RigcastViewerElement>('rigcast-viewer')!;

/** Renders a node. Resolves when its effects have run. */
async function show(node: ReactNode): Promise<void> {
  const Marked = (): ReactNode => {
    useEffect(() => resolve(), []);
    return node;
  };
  let resolve!: () => void;
  const mounted = new Promise<void>(done => (resolve = done));
  root ??= createRoot(place);
  root.render(createElement('div', { key: Math.random() }, createElement(Marked)));
  await mounted;
}

/** Shows a viewer whose props the returned function changes. */
async function showViewer(props: RigcastViewerProps): Promise<(props: RigcastViewerProps) => Promise<void>> {
  let change!: (props: RigcastViewerProps) => void;
  let updated = (): void => {};
  const Page = (): ReactNode => {
    const [now, set] = useState(props);
    change = set;
    useEffect(() => updated(), [now]);
    return createElement(RigcastViewer, now);
  };
  await show(createElement(Page));
  return next =>
    new Promise(done => {
      updated = done;
      change(next);
    });
}

const listenerOf = (name: string): string => `on${name[0]!.toUpperCase()}${name.slice(1)}`;

describe('hydration', () => {
  it('calls listeners of events after hydration, and onLoad if the model was loaded before', async () => {
    const errors = vi.spyOn(console, 'error');
    const heard: string[] = [];
    const page = createElement(RigcastViewer, {
      ...PIP,
      background: '#123456',
      onLoad: ({ detail, currentTarget }) => heard.push(`load ${detail.rig.file.name} ${(currentTarget as Element).localName}`),
      onError: ({ detail }) => heard.push(detail.message),
      onAnimationChange: ({ detail }) => heard.push(`change ${detail.names}`),
    });
    place.innerHTML = renderToString(page);
    const element = viewer();
    await element.ready;
    expect(heard).toEqual([]);
    root = hydrateRoot(place, page);
    await vi.waitFor(() => expect(heard).toEqual(['load Pip.psk rigcast-viewer']));
    expect(viewer()).toBe(element);
    element.animation = '';
    await vi.waitFor(() => expect(heard).toEqual(['load Pip.psk rigcast-viewer', 'change ']));
    expect(errors.mock.calls).toEqual([]); // no mismatch
  });

  it('calls onError if loading failed before', async () => {
    const heard: string[] = [];
    const page = createElement(RigcastViewer, {
      src: demo('missing.psk'),
      style: PIP.style,
      onError: ({ detail }) => heard.push(detail.message),
    });
    place.innerHTML = renderToString(page);
    await expect(viewer().ready).rejects.toThrow();
    root = hydrateRoot(place, page);
    await vi.waitFor(() => expect(heard).toHaveLength(1));
    expect(heard[0]).toContain('404');
  });

  it('calls onLoad once if the model is loaded after hydration, also in strict mode', async () => {
    const heard: string[] = [];
    const page = createElement(
      StrictMode,
      {},
      createElement(RigcastViewer, { ...PIP, onLoad: () => heard.push('load'), onReport: ({ detail }) => heard.push(detail.file) }),
    );
    place.innerHTML = renderToString(page);
    root = hydrateRoot(place, page);
    await viewer().ready;
    await new Promise(resolve => setTimeout(resolve, 50));
    expect(heard.toSorted()).toEqual(['Pip.psa', 'Pip.psk', 'load']);
  });
});

it('calls onLoad once if React hides the component and shows it again', async () => {
  let loads = 0;
  let setMode!: (mode: 'visible' | 'hidden') => void;
  const Page = (): ReactNode => {
    const [mode, set] = useState<'visible' | 'hidden'>('visible');
    setMode = set;
    return createElement(Activity, { mode, children: createElement(RigcastViewer, { ...PIP, onLoad: () => loads++ }) });
  };
  await show(createElement(Page));
  await vi.waitFor(() => expect(loads).toBe(1));
  setMode('hidden');
  await vi.waitFor(() => expect(viewer().checkVisibility()).toBe(false));
  setMode('visible');
  await vi.waitFor(() => expect(viewer().checkVisibility()).toBe(true));
  await new Promise(resolve => setTimeout(resolve, 50));
  expect(loads).toBe(1);
});

describe('listeners', () => {
  it('receive every event, always as the latest render declares them', async () => {
    const heard: string[] = [];
    const listeners = (count: number): RigcastViewerProps =>
      Object.fromEntries(EVENT_NAMES.map(name => [listenerOf(name), ({ type }: Event) => heard.push(`${type} ${count}`)]));
    const change = await showViewer(listeners(1));
    const fire = (): void => EVENT_NAMES.forEach(name => viewer().dispatchEvent(new CustomEvent(name.toLowerCase(), { detail: {} })));
    fire();
    expect(heard).toEqual(EVENT_NAMES.map(name => `${name.toLowerCase()} 1`));
    heard.length = 0;
    await change(listeners(2));
    fire();
    expect(heard).toEqual(EVENT_NAMES.map(name => `${name.toLowerCase()} 2`));
    heard.length = 0;
    await change({});
    fire();
    expect(heard).toEqual([]);
  });

  it('of React still work, and a removed component hears nothing', async () => {
    const heard: string[] = [];
    await showViewer({ onClick: event => heard.push(event.currentTarget.localName), onPlay: () => heard.push('play') });
    const element = viewer();
    element.click();
    expect(heard).toEqual(['rigcast-viewer']);
    await show(null);
    element.dispatchEvent(new CustomEvent('play'));
    expect(heard).toEqual(['rigcast-viewer']);
  });
});

describe('props', () => {
  it('set and remove every attribute', async () => {
    const { files: _, src: __, ...others } = ATTRIBUTES;
    const values = Object.entries(others).map(([name, syntax]) => [
      name,
      syntax === 'flag' ? true : typeof syntax === 'number' || syntax === 'start' ? 3 : Array.isArray(syntax) ? syntax[1] : 'text',
    ]);
    const change = await showViewer(Object.fromEntries(values.map(([name, value]) => [camel(name as string), value])));
    const attributes = (): string[][] =>
      Array.from(viewer().attributes, ({ name, value }) => [name, value]).filter(([name]) => name !== 'style');
    const expected = values.map(([name, value]) => [name, value === true ? '' : String(value)]);
    expect(attributes().toSorted()).toEqual(expected.toSorted());
    await change(Object.fromEntries(values.map(([name, value]) => [camel(name as string), value === true ? false : undefined])));
    expect(attributes()).toEqual([]);
  });

  it('of HTML elements and children reach the element', async () => {
    await showViewer({
      className: 'hero',
      id: 'it',
      style: { width: 160 },
      'aria-label': 'Hero',
      children: createElement('p', { slot: 'poster' }, 'soon'),
    });
    expect([viewer().className, viewer().id, viewer().style.width, viewer().ariaLabel]).toEqual(['hero', 'it', '160px', 'Hero']);
    expect(viewer().querySelector('p')!.textContent).toBe('soon');
  });

  it('files: local files load, and a new list of the same files does not load them again', async () => {
    const files = [await fileOf(demo('Pip.psk')), await fileOf(demo('Pip_D.png'))];
    let loads = 0;
    const change = await showViewer({ files: [...files], style: PIP.style, onLoad: () => loads++ });
    await vi.waitFor(() => expect(loads).toBe(1));
    await change({ files: [...files], style: PIP.style, onLoad: () => loads++ });
    await new Promise(resolve => setTimeout(resolve, 100));
    expect([loads, viewer().matches(':state(ready)')]).toEqual([1, true]);
    await change({ files: new Map(files.map(file => [file.name, file])), style: PIP.style, onLoad: () => loads++ });
    await vi.waitFor(() => expect(loads).toBe(2));
    await change({ ...PIP, onLoad: () => loads++ }); // URLs replace local files
    await vi.waitFor(() => expect([loads, viewer().animations.length]).toEqual([3, 2]));
  });

  it('fileResolver: the latest function is called, and a new one does not reload the model', async () => {
    const texture = await fileOf(demo('Pip_D.png'));
    const asked: string[] = [];
    let loads = 0;
    const props = (word: string): RigcastViewerProps => ({
      files: [model],
      style: PIP.style,
      onLoad: () => loads++,
      fileResolver: ({ kind }) => {
        asked.push(word);
        return kind === 'texture' ? texture : null;
      },
    });
    let model = await fileOf(demo('Pip.psk'));
    const change = await showViewer(props('first'));
    await vi.waitFor(() => expect(loads).toBe(1));
    expect(new Set(asked)).toEqual(new Set(['first']));
    asked.length = 0;
    await change(props('second'));
    await new Promise(resolve => setTimeout(resolve, 100));
    expect([loads, asked.length]).toEqual([1, 0]);
    model = await fileOf(demo('Pip.psk'));
    await change(props('third'));
    await vi.waitFor(() => expect(loads).toBe(2));
    expect(new Set(asked)).toEqual(new Set(['third']));
    await change({ files: [model], style: PIP.style });
    expect(viewer().fileResolver).toBeNull();
  });
});

describe('ref', () => {
  it('is the defined element when effects of the page run', async () => {
    let found: unknown = null;
    const Page = (): ReactNode => {
      const ref = useRef<RigcastViewerElement>(null);
      useEffect(() => void (found = [ref.current, typeof ref.current?.play, ref.current?.ready instanceof Promise]), []);
      return createElement(RigcastViewer, { ref });
    };
    await show(createElement(Page));
    expect(found).toEqual([viewer(), 'function', true]);
    const ref = createRef<RigcastViewerElement>();
    await show(createElement(RigcastViewer, { ref }));
    expect(ref.current).toBe(viewer());
    await show(null);
    expect(ref.current).toBeNull();
  });
});
