// `useRigcast` in a page, with React: suspense, cache, actions, errors, disposal.
import { Component, createElement, type ReactNode, StrictMode, Suspense, useState } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useRigcast, type UseRigcastOptions, type UseRigcastResult } from '../../../../web/src/react/r3f.ts';
import type { Rig } from '../../../../web/src/three/rig.ts';
import { demo } from '../element/support.ts';

const PIP = demo('Pip.psk');
const options = (): UseRigcastOptions => ({ files: ['Pip_D.png'], animations: demo('Pip.psa') });

let root: Root;
let place: HTMLElement;
beforeEach(() => {
  document.body.append((place = document.createElement('div')));
  root = createRoot(place);
});
afterEach(() => {
  root.unmount();
  place.remove();
  useRigcast.clear();
  vi.restoreAllMocks();
});

const results: UseRigcastResult[] = [];
beforeEach(() => void (results.length = 0));

/** Shows the names of the animations, and lists the result of each render. */
function Names({ url = PIP, options: given = options() }: { url?: string; options?: UseRigcastOptions }): ReactNode {
  const result = useRigcast(url, given);
  results.push(result);
  return result.names.join() || 'no animations';
}

class Boundary extends Component<{ children: ReactNode }> {
  override state = { message: '' };
  static getDerivedStateFromError = ({ message }: Error) => ({ message });
  override render = () => this.state.message || this.props.children;
}

const show = (...children: ReactNode[]): void =>
  root.render(createElement(Boundary, { key: Math.random(), children: createElement(Suspense, { fallback: 'loading' }, ...children) }));
const says = (text: string): Promise<void> => vi.waitFor(() => expect(place.textContent).toBe(text), { timeout: 20_000 });

/** Counts calls of `dispose`. */
function watchDispose(rig: Rig): () => number {
  const spy = vi.spyOn(rig, 'dispose');
  return () => spy.mock.calls.length;
}

describe('useRigcast', () => {
  it('suspends, then returns the model with its animations', async () => {
    show(createElement(Names));
    await says('loading');
    await says('Wave,Hop');
    const { rig, scene, animations, clips, names, actions } = results.at(-1)!;
    expect(scene).toBe(rig.scene);
    expect(rig.report.items.filter(({ code }) => code === 'TEXTURE_MISSING')).toEqual([]);
    expect(animations.map(({ name }) => name)).toEqual(names);
    expect(clips.map(({ animationClip }) => animationClip)).toEqual(animations);
    expect(Object.keys(actions)).toEqual(names);
  });

  it('returns the same result at each render and to each component, for equal options', async () => {
    let again!: (count: number) => void;
    const Page = (): ReactNode => {
      const [count, set] = useState(0);
      again = set;
      const equal = { loader: { strict: undefined as never, textures: true }, animations: demo('Pip.psa'), files: ['Pip_D.png'] };
      const same = { files: ['Pip_D.png'], animations: demo('Pip.psa'), loader: { textures: true } };
      return [createElement(Names, { key: 0, options: equal }), ` ${count} `, createElement(Names, { key: 1, options: same })];
    };
    show(createElement(Page));
    await says('Wave,Hop 0 Wave,Hop');
    again(1);
    await says('Wave,Hop 1 Wave,Hop');
    expect(results.length).toBeGreaterThan(3);
    expect(new Set(results).size).toBe(1);
  });

  it('loads another rig for other options', async () => {
    show(createElement(Names, { options: {} }));
    await says('no animations');
    const none = results.at(-1)!;
    expect(none.animations).toBe(none.rig.animations);
    show(createElement(Names));
    await says('Wave,Hop');
    expect(results.at(-1)!.rig).not.toBe(none.rig);
    show(createElement(Names, { options: { ...options(), loader: { companions: async () => null } } }));
    await vi.waitFor(() => expect(new Set(results.map(({ rig }) => rig)).size).toBe(3)); // functions are compared by identity
  });

  it('plays actions while the rig is updated', async () => {
    show(createElement(Names));
    await says('Wave,Hop');
    const { rig, actions } = results.at(-1)!;
    const pose = (): string => rig.nodes.map(({ quaternion }) => quaternion.toArray().join()).join(' ');
    const before = pose();
    expect(actions['Wave']).toBe(actions['Wave']);
    actions['Wave']!.play();
    rig.update(0.3);
    expect(pose()).not.toBe(before);
  });

  it('works in strict mode', async () => {
    root.render(createElement(StrictMode, {}, createElement(Suspense, { fallback: 'loading' }, createElement(Names))));
    await says('Wave,Hop');
    const disposed = watchDispose(results.at(-1)!.rig);
    useRigcast.clear(PIP);
    await new Promise(resolve => setTimeout(resolve, 50));
    expect(disposed()).toBe(0);
    root.render(null);
    await vi.waitFor(() => expect(disposed()).toBe(1));
  });
});

it('keeps a model that is cleared right after its component appears', async () => {
  const disposed = new Promise<() => number>(resolve => {
    const observer = new MutationObserver(() => {
      if (place.textContent !== 'Wave,Hop') return;
      observer.disconnect();
      resolve(watchDispose(results.at(-1)!.rig));
      useRigcast.clear(PIP);
    });
    observer.observe(place, { childList: true, subtree: true, characterData: true });
  });
  show(createElement(Names));
  await says('Wave,Hop');
  await new Promise(resolve => setTimeout(resolve, 50));
  expect((await disposed)()).toBe(0);
});

describe('useRigcast.preload', () => {
  it('loads the model once, before a component needs it', async () => {
    const fetches = vi.spyOn(globalThis, 'fetch');
    useRigcast.preload(PIP, options());
    useRigcast.preload(PIP, options());
    await vi.waitFor(() => expect(fetches.mock.calls.some(([url]) => String(url).endsWith('Pip_D.png'))).toBe(true));
    const count = fetches.mock.calls.length;
    show(createElement(Names));
    await says('Wave,Hop');
    expect(fetches.mock.calls.length).toBe(count);
  });

  it('reports an error when the component is rendered', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    useRigcast.preload(demo('missing.psk'));
    await new Promise(resolve => setTimeout(resolve, 300));
    show(createElement(Names, { url: demo('missing.psk'), options: {} }));
    await vi.waitFor(() => expect(place.textContent).toContain('404'));
  });
});

describe('useRigcast.clear', () => {
  it('disposes the rig when no component uses it, and loads the model again', async () => {
    show(createElement(Names));
    await says('Wave,Hop');
    const [{ rig }] = results as [UseRigcastResult];
    const disposed = watchDispose(rig);
    show();
    await says('');
    await new Promise(resolve => setTimeout(resolve, 50));
    expect(disposed()).toBe(0); // kept for the next component
    show(createElement(Names));
    await says('Wave,Hop');
    expect(results.at(-1)!.rig).toBe(rig);
    useRigcast.clear(demo('other.psk'));
    useRigcast.preload(PIP, options());
    const count = results.length;
    show(createElement(Names));
    await vi.waitFor(() => expect(results.length).toBeGreaterThan(count));
    expect(results.at(-1)!.rig).toBe(rig); // another URL was cleared
    useRigcast.clear(PIP);
    expect(disposed()).toBe(0); // a component still uses it
    show(createElement(Names));
    await vi.waitFor(() => expect(disposed()).toBe(1), { timeout: 20_000 });
    await says('Wave,Hop');
    expect(results.at(-1)!.rig).not.toBe(rig);
  });

  it('disposes a rig that is still loading, when it is loaded', async () => {
    const { Rig: Class } = await import('../../../../web/src/three/rig.ts');
    const dispose = vi.spyOn(Class.prototype, 'dispose');
    const tock = demo('Tock.cast'); // the rig of another test can be disposed at the same time
    useRigcast.preload(tock, { files: [] });
    useRigcast.clear(tock);
    const names = () => dispose.mock.contexts.map(each => (each as Rig).file.name);
    await vi.waitFor(() => expect(names()).toContain('Tock.cast'), { timeout: 20_000 });
  });

  it('allows another try after an error', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const missing = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('offline'));
    show(createElement(Names, { options: { loader: { worker: false } } }));
    await vi.waitFor(() => expect(place.textContent).toContain('offline'), { timeout: 20_000 });
    missing.mockRestore();
    show(createElement(Names, { options: { loader: { worker: false } } }));
    await vi.waitFor(() => expect(place.textContent).toContain('offline'));
    useRigcast.clear(PIP);
    show(createElement(Names, { options: { loader: { worker: false } } }));
    await says('no animations');
    expect(results.at(-1)!.rig.file.name).toBe('Pip.psk');
  });
});
