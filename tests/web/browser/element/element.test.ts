// <rigcast-viewer> as a page uses it: sources, animations, camera, events, lifecycle.
import type { DataTexture, MeshStandardMaterial } from 'three';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { RigcastViewerElement } from '../../../../web/src/element/index.ts';
import { SharedRenderer } from '../../../../web/src/view/sharedRenderer.ts';
import { fmodelExport, PACKAGES } from '../../../support/fmodelExport.ts';
import { add, at, demo, drawn, fileOf, frame, inside, isShown, once, part } from './support.ts';

const PIP = { src: demo('Pip.psk'), files: `${demo('Pip.psa')} ${demo('Pip_D.png')}` };

afterEach(() => {
  document.querySelectorAll('rigcast-viewer').forEach(element => element.remove());
  vi.restoreAllMocks();
});

const bones = ({ rig }: Awaited<RigcastViewerElement['ready']>): string =>
  rig.nodes
    .map(({ quaternion }) =>
      quaternion
        .toArray()
        .map(value => value.toFixed(4))
        .join(),
    )
    .join(' ');

describe('loading', () => {
  it('shows a model with texture and animations, and fires load', async () => {
    const element = add({ ...PIP, alt: 'A fox', poster: demo('Pip_D.png') });
    const progress: number[] = [];
    element.addEventListener('progress', ({ detail }) => progress.push(detail.fraction));
    const reports: string[] = [];
    element.addEventListener('report', ({ detail }) => reports.push(`${detail.file} ${detail.report.errors}`));
    expect(isShown(part(element, 'poster'))).toBe(true);
    const loaded = once(element, 'load');
    const { rig, view } = await element.ready;
    expect(await loaded).toEqual({ rig, view });
    expect(view.content).toBe(rig.scene);
    expect(rig.report.items.filter(({ code }) => code === 'TEXTURE_MISSING')).toEqual([]);
    expect(progress.at(-1)).toBe(1);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    expect(reports.toSorted()).toEqual(['Pip.psa 0', 'Pip.psk 0']);
    await expect.poll(() => drawn(element), { timeout: 20_000 }).toBeGreaterThan(0.05);
    await expect.poll(() => isShown(part(element, 'poster'))).toBe(false);
    expect(part(element, 'viewport').getAttribute('aria-label')).toBe('A fox');
    expect(element.matches(':state(ready)')).toBe(true);
    expect(element.animations.length).toBeGreaterThan(0);
    const [first] = element.animations;
    expect(first).toMatchObject({ index: 0, matched: first!.bones });
    expect(first!.duration).toBeGreaterThan(0);
  });

  it('shows local files, classified by their content', async () => {
    const element = add();
    element.files = [await fileOf(demo('Pip.psa')), await fileOf(demo('Pip_D.png')), await fileOf(demo('Pip.psk'))];
    const { rig } = await element.ready;
    expect(rig.file.name).toBe('Pip.psk');
    expect(rig.report.items.filter(({ code }) => code === 'TEXTURE_MISSING')).toEqual([]);
    expect(element.currentAnimations).toHaveLength(1);
  });

  it('accepts a manifest, or a folder with a manifest', async () => {
    const element = add({ files: at('tests/web/browser/element/folder/') });
    const { rig } = await element.ready;
    expect(rig.file.name).toBe('arm.psk');
    element.files = at('tests/web/browser/element/folder/manifest.json');
    expect((await element.ready).rig.file.name).toBe('arm.psk');
  });

  it('finds materials beside the folder of the model if a manifest lists them, first those of its own package', async () => {
    const files = fmodelExport();
    const root = at('made/');
    const { fetch } = window;
    const fetched = vi.spyOn(window, 'fetch').mockImplementation((address, init) => {
      const url = address instanceof Request ? address.url : String(address);
      if (!url.startsWith(root)) return fetch.call(window, address, init);
      const path = decodeURIComponent(url.slice(root.length));
      if (path === 'manifest.json') return Promise.resolve(Response.json([...files.keys()]));
      const bytes = files.get(path);
      return Promise.resolve(bytes ? new Response(bytes) : new Response('', { status: 404 }));
    });
    const colorOf = async (element: RigcastViewerElement): Promise<unknown> => {
      const { rig } = await element.ready;
      const { map, roughness, metalness } = rig.materialsOf(0)[0] as MeshStandardMaterial;
      return [
        [...((map as DataTexture).image.data as Uint8Array).subarray(0, 3)],
        roughness,
        metalness,
        rig.report.items.map(({ code }) => code),
      ];
    };
    for (const [name, color] of Object.entries(PACKAGES)) {
      const path = `Exports/Content/${name}/Meshes/SK_${name}.psk`;
      const remote = add({ src: root + path, files: `${root}manifest.json` });
      expect(await colorOf(remote)).toEqual([color, 0.25, 1, []]);
      const local = add({ src: path });
      local.files = new Map(Array.from(files, ([key, bytes]) => [key, new Blob([bytes])]));
      expect(await colorOf(local)).toEqual([color, 0.25, 1, []]);
    }
    fetched.mockRestore();
  });

  it('shows another model when the source changes, and frees the old one', async () => {
    const element = add(PIP);
    const first = await element.ready;
    const freed = vi.spyOn(first.rig, 'dispose');
    element.removeAttribute('files');
    element.src = demo('Tock.cast');
    await frame();
    const second = await element.ready;
    expect(second.rig.file.name).toBe('Tock.cast');
    expect(second.view).toBe(first.view);
    expect(freed).toHaveBeenCalledOnce();
    await expect.poll(() => drawn(element), { timeout: 20_000 }).toBeGreaterThan(0.03);
  });

  it('shows an error message, and removes it after the next successful load', async () => {
    const element = add({ src: demo('nobody.psk') });
    const { message } = await once<{ message: string }>(element, 'error');
    await expect(element.ready).rejects.toThrow(message);
    expect(isShown(part(element, 'error'))).toBe(true);
    expect(inside(element, "[part='error'] span").textContent).toBe('The model could not be loaded.');
    expect(element.matches(':state(error)')).toBe(true);
    element.src = PIP.src;
    await frame();
    await element.ready;
    expect(isShown(part(element, 'error'))).toBe(false);
  });

  it('shows a model even if an animation file cannot be read', async () => {
    const element = add({ src: PIP.src, files: `${demo('nobody.psa')} ${demo('Pip.psa')}` });
    const failed = once<{ message: string }>(element, 'error');
    await element.ready;
    expect((await failed).message).toContain('nobody.psa');
    expect(element.animations.length).toBeGreaterThan(0);
    expect(isShown(part(element, 'error'))).toBe(false);
  });
});

describe('playback', () => {
  it('shows the first frame of the default animation until play is called', async () => {
    const element = add(PIP);
    const ready = await element.ready;
    expect([element.paused, element.time, element.currentAnimations]).toEqual([true, 0, [element.animations[0]!.name]]);
    const before = bones(ready);
    const fired: string[] = [];
    for (const type of ['play', 'pause', 'timeupdate'] as const) element.addEventListener(type, () => fired.push(type));
    await element.play();
    expect(element.matches(':state(playing)')).toBe(true);
    await expect.poll(() => element.time, { timeout: 20_000 }).toBeGreaterThan(0);
    element.pause();
    expect(bones(ready)).not.toBe(before);
    expect([fired[0], fired.at(-2), fired.at(-1)]).toEqual(['play', 'pause', 'timeupdate']);
    expect(element.matches(':state(playing)')).toBe(false);
  });

  it('starts with autoplay, unless the visitor prefers reduced motion', async () => {
    const element = add({ ...PIP, autoplay: '' });
    await element.ready;
    expect(element.paused).toBe(matchMedia('(prefers-reduced-motion: reduce)').matches);
    await expect.poll(() => element.time, { timeout: 20_000 }).toBeGreaterThan(0);
  });

  it('applies time and frame before and after loading', async () => {
    const element = add({ ...PIP, time: '0.25' });
    const ready = await element.ready;
    expect(element.time).toBeCloseTo(0.25);
    const early = bones(ready);
    element.seek(0.5);
    expect(bones(ready)).not.toBe(early);
    const { frameRate } = element.animations[0]!;
    element.frame = 3;
    expect(element.time).toBeCloseTo(3 / frameRate);
    element.setAttribute('time', '0.125');
    await frame();
    expect(element.time).toBeCloseTo(0.125);
    element.time = 0.25;
    expect(bones(ready)).toBe(early);
    element.seek(1e9);
    expect(element.time).toBe(element.duration);
  });

  it('selects an animation by name or number, layers, or the rest pose', async () => {
    const element = add({ ...PIP, animation: '' });
    const ready = await element.ready;
    const rest = bones(ready);
    expect([element.currentAnimations, element.duration]).toEqual([[], 0]);
    const names = element.animations.map(({ name }) => name);
    const changed = once<{ names: string[] }>(element, 'animationchange');
    element.animation = names[0]!;
    expect((await changed).names).toEqual([names[0]]);
    element.seek(element.duration / 3);
    const moved = bones(ready);
    expect(moved).not.toBe(rest);
    element.animation = '0';
    await frame();
    expect([element.currentAnimations, element.time]).toEqual([[names[0]], 0]);
    element.animation = JSON.stringify([names[0], names.at(-1)]);
    await frame();
    expect(element.currentAnimations).toEqual([names[0], names.at(-1)]);
    element.animation = [names.at(-1)!, names[0]!];
    await frame();
    expect(element.currentAnimations).toEqual([names.at(-1), names[0]]);
    expect(element.getAttribute('animation')).toBe(JSON.stringify([names.at(-1), names[0]]));
    element.animation = [];
    await frame();
    expect([element.currentAnimations, bones(ready)]).toEqual([[], rest]);
    element.animation = 'no such animation';
    expect((await once<{ message: string }>(element, 'error')).message).toContain('no such animation');
    expect(bones(ready)).toBe(rest);
  });

  it('ends without a loop, and starts again on play', async () => {
    const element = add({ ...PIP, loop: 'none', speed: '8' });
    await element.ready;
    const ended = once(element, 'ended');
    await element.play();
    await ended;
    expect([element.ended, element.paused, element.time]).toEqual([true, true, element.duration]);
    await element.play();
    expect([element.ended, element.paused]).toEqual([false, false]);
    expect(element.time).toBeLessThan(element.duration);
  });

  it('cross-fades between animations', async () => {
    const element = add({ ...PIP, fade: '1.5' });
    const ready = await element.ready;
    element.seek(element.duration / 2);
    const before = bones(ready);
    element.animation = '';
    await expect.poll(() => bones(ready), { timeout: 20_000 }).not.toBe(before);
    const between = bones(ready);
    await expect.poll(() => ready.view.isDirty, { timeout: 20_000 }).toBe(false);
    expect(bones(ready)).not.toBe(between);
    expect(ready.rig.nodes.map(({ position }) => position.x)).toEqual(
      Array.from(ready.rig.nodes, (_, row) => expect.closeTo(ready.rig.file.scene!.nodes.translations[3 * row]!, 5) as number),
    );
  });
});

describe('camera', () => {
  it('accepts the camera syntax of model-viewer', async () => {
    const element = add({
      ...PIP,
      'camera-orbit': '90deg 60deg 2m',
      'camera-target': '0m 50cm auto',
      'field-of-view': '20deg',
      'interpolation-decay': '0',
    });
    const { view } = await element.ready;
    const orbit = element.getCameraOrbit()!;
    expect([orbit.theta, orbit.phi, orbit.radius]).toEqual([Math.PI / 2, Math.PI / 3, 2].map(value => expect.closeTo(value, 4) as number));
    expect(element.getCameraTarget()).toMatchObject({ x: expect.closeTo(0, 4) as number, y: expect.closeTo(0.5, 4) as number });
    expect(view.cameraRig.camera.fov).toBeCloseTo(20);
    element.cameraOrbit = 'auto auto 200%';
    await frame();
    const far = element.getCameraOrbit()!.radius;
    element.cameraOrbit = 'auto auto 100%';
    await frame();
    expect(far / element.getCameraOrbit()!.radius).toBeCloseTo(2, 3);
    const again = String(element.getCameraOrbit());
    element.cameraOrbit = again;
    await frame();
    expect(String(element.getCameraOrbit())).toBe(again);
  });

  it('shows named views, rotates by keys and resets', async () => {
    const element = add({ ...PIP, view: 'front', 'interpolation-decay': '0' });
    await element.ready;
    const front = element.getCameraOrbit()!;
    expect(front.phi).toBeCloseTo(Math.PI / 2, 3);
    element.view = 'side';
    await frame();
    expect(Math.abs(element.getCameraOrbit()!.theta - front.theta)).toBeCloseTo(Math.PI / 2, 3);
    const viewportElement = part(element, 'viewport');
    const changed = once(element, 'camerachange');
    viewportElement.focus();
    viewportElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true, composed: true, cancelable: true }));
    await changed;
    expect(Math.abs(element.getCameraOrbit()!.theta - front.theta)).not.toBeCloseTo(Math.PI / 2, 3);
    element.resetView();
    expect(Math.abs(element.getCameraOrbit()!.theta - front.theta)).toBeCloseTo(Math.PI / 2, 3);
  });

  it('leaves wheel and vertical touch to the page until the element has the focus', async () => {
    const element = add(PIP);
    const { view } = await element.ready;
    await view.cameraRig.enableControls();
    const viewportElement = part(element, 'viewport');
    const wheel = (init: WheelEventInit = {}): boolean => {
      const event = new WheelEvent('wheel', { deltaY: 100, bubbles: true, composed: true, cancelable: true, ...init });
      viewportElement.dispatchEvent(event);
      return event.defaultPrevented;
    };
    expect(getComputedStyle(viewportElement).touchAction).toBe('pan-y');
    expect(wheel()).toBe(false);
    expect(wheel({ ctrlKey: true })).toBe(true);
    viewportElement.focus();
    expect(wheel()).toBe(true);
    viewportElement.blur();
    expect(wheel()).toBe(false);
    element.interaction = 'always';
    await frame();
    expect([wheel(), getComputedStyle(viewportElement).touchAction]).toEqual([true, 'none']);
    element.interaction = 'none';
    await frame();
    expect([wheel({ ctrlKey: true }), getComputedStyle(viewportElement).touchAction, viewportElement.tabIndex]).toEqual([
      false,
      'auto',
      -1,
    ]);
  });
});

it('a drag that starts before the controls are ready rotates the model when they are', async () => {
  const element = add(PIP);
  const { view } = await element.ready;
  const viewportElement = part(element, 'viewport');
  viewportElement.setPointerCapture = viewportElement.releasePointerCapture = () => {}; // the simulated pointer can't be captured
  const pointer = (type: string, clientX: number): boolean =>
    viewportElement.dispatchEvent(new PointerEvent(type, { pointerId: 7, button: 0, clientX, clientY: 60, bubbles: true, composed: true }));
  const listening = view.cameraRig.enableControls();
  pointer('pointerdown', 80);
  const before = element.getCameraOrbit()!.theta;
  await listening;
  pointer('pointermove', 40);
  await expect.poll(() => Math.abs(element.getCameraOrbit()!.theta - before), { timeout: 20_000 }).toBeGreaterThan(0.1);
  pointer('pointerup', 40);
  expect([view.cameraRig.isUntouched, getComputedStyle(viewportElement).touchAction]).toEqual([false, 'pan-y']);
});

describe('lifecycle', () => {
  it('loads when it is visible or requested', async () => {
    const far = document.createElement('div');
    far.style.cssText = 'position: absolute; top: 9000px';
    document.body.append(far);
    const lazy = add(PIP, far);
    const eager = add({ ...PIP, loading: 'eager' }, far);
    await eager.ready;
    expect(lazy.matches(':state(loading)')).toBe(false);
    void lazy.play();
    await lazy.ready;
    expect(lazy.paused).toBe(false);
    far.remove();
  });

  it('loads after a click with reveal=interaction', async () => {
    const element = add({ ...PIP, reveal: 'interaction', alt: 'A fox' });
    for (let i = 0; i < 5; i++) await frame();
    expect(element.matches(':state(loading)')).toBe(false);
    const poster = part(element, 'poster');
    expect([poster.tagName, poster.getAttribute('aria-label')]).toEqual(['BUTTON', 'Show A fox']);
    poster.click();
    await element.ready;
  });

  it('fetches no code before the pointer enters and no model before the click', async () => {
    const page = document.createElement('iframe');
    // Uses a new page, because the page of the tests has already loaded the modules.
    page.srcdoc = `<script>
        performance.setResourceTimingBufferSize(5000);
        globalThis.__vitest_browser_runner__ = { wrapDynamicImport: load => load() };
      </script>
      <script type="module" src="${at('web/src/element/index.ts')}"></script>
      <rigcast-viewer src="${PIP.src}" reveal="interaction"></rigcast-viewer>`;
    document.body.append(page);
    await once(page, 'load');
    const requestedFiles = (...names: string[]): boolean[] => {
      const entries = page.contentWindow!.performance.getEntriesByType('resource');
      return names.map(name => entries.some(entry => entry.name.includes(name)));
    };
    const element = page.contentDocument!.querySelector('rigcast-viewer')!;
    const poster = element.shadowRoot!.querySelector('button')!;
    for (let i = 0; i < 5; i++) await frame();
    expect(requestedFiles('/element/element.ts', '/element/presenter.ts', '/unreal.wasm')).toEqual([true, false, false]);
    poster.dispatchEvent(new PointerEvent('pointerenter'));
    await expect
      .poll(() => requestedFiles('/element/presenter.ts', '/unreal.wasm', '/worker.'), { timeout: 20_000 })
      .toEqual([true, true, true]);
    const isAt = (state: string): boolean => element.matches(`:state(${state})`);
    expect([isAt('loading'), isAt('ready')]).toEqual([false, false]);
    poster.click();
    expect(isAt('loading')).toBe(true);
    await expect.poll(() => isAt('ready'), { timeout: 20_000 }).toBe(true);
    page.remove();
  });

  it('compiles its shaders before the first frame', async () => {
    const element = add(PIP);
    const shown = once(element, 'load');
    const programs = () => SharedRenderer.shared().renderer.info.programs as unknown as { type: string }[];
    const skins = (): number => programs().filter(({ type }) => type === 'MeshStandardMaterial').length;
    await shown;
    const before = skins();
    expect(before).toBeGreaterThan(0);
    await expect.poll(() => drawn(element), { timeout: 20_000 }).toBeGreaterThan(0.05);
    expect(skins()).toBe(before);
  });

  it('keeps the model when it is moved and frees it when it is removed', async () => {
    const element = add(PIP);
    const { rig } = await element.ready;
    const freed = vi.spyOn(rig, 'dispose');
    const other = document.createElement('div');
    document.body.append(other);
    other.append(element);
    await frame();
    expect((await element.ready).rig).toBe(rig);
    expect(freed).not.toHaveBeenCalled();
    other.remove();
    await frame();
    expect(freed).toHaveBeenCalledOnce();
    expect([element.animations, element.duration]).toEqual([[], 0]);
    document.body.append(element);
    expect((await element.ready).rig).not.toBe(rig);
  });

  it('discards a load after a newer one or after removal', async () => {
    const element = add({ src: demo('Pip.psk') });
    await frame();
    const first = element.ready;
    element.src = demo('Tock.cast');
    expect((await element.ready).rig.file.name).toBe('Tock.cast');
    expect((await first).rig.file.name).toBe('Tock.cast');
    element.src = demo('Pip.psk');
    await frame();
    const last = element.ready;
    element.remove();
    await expect(last).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('does not fire load if a listener has started another load', async () => {
    const element = add({ src: demo('Pip.psk') });
    const stale = element.ready;
    const shown: string[] = [];
    element.addEventListener('load', ({ detail }) => shown.push(detail.rig.file.name!));
    element.addEventListener('report', () => element.setAttribute('src', demo('Tock.cast')), { once: true });
    await expect(stale).rejects.toMatchObject({ name: 'AbortError' });
    await element.ready;
    expect(shown).toEqual(['Tock.cast']);
    expect(element.matches(':state(ready)')).toBe(true);
  });

  it('applies properties that were set before it was defined', async () => {
    const element = document.createElement('rigcast-viewer');
    // The page sets properties before the element is defined.
    Object.defineProperty(element, 'src', { value: PIP.src, writable: true, configurable: true, enumerable: true });
    document.body.append(element);
    expect(element.getAttribute('src')).toBe(PIP.src);
    expect(Object.hasOwn(element, 'src')).toBe(false);
    await element.ready;
  });
});

describe('untrusted files', () => {
  it('a manifest cannot list files outside its folder', async () => {
    const fetched = vi.spyOn(window, 'fetch');
    const element = add({ src: PIP.src, files: at('tests/web/browser/element/evil/') });
    const fired: string[] = [];
    element.addEventListener('error', ({ detail }) => fired.push(detail.message));
    await element.ready;
    const folder = at('tests/web/browser/element/evil/');
    const requestedFiles = fetched.mock.calls.map(
      ([address]) => new URL(String(address instanceof Request ? address.url : address), document.baseURI).href,
    );
    expect(requestedFiles).toContain(`${folder}manifest.json`);
    for (const address of requestedFiles)
      expect([folder, at('web/src/viewer/demo/')].some(allowed => address.startsWith(allowed))).toBe(true);
    expect(performance.getEntriesByType('resource').filter(({ name }) => name.includes('elsewhere.example'))).toEqual([]);
    expect(fired.filter(message => message.includes('elsewhere.example'))).toEqual([
      expect.stringContaining('outside its folder') as string,
    ]);
    expect(element.shadowRoot!.querySelector('img[src="x"]')).toBeNull();
  });

  it('the background accepts only colours', async () => {
    const element = add({ background: 'url(https://elsewhere.example/x.png)' });
    expect(getComputedStyle(element).backgroundImage).toBe('none');
    element.background = 'rgb(1, 2, 3)';
    await frame();
    expect(getComputedStyle(element).backgroundColor).toBe('rgb(1, 2, 3)');
  });
});

describe('the toolbar', () => {
  it('selects, plays, seeks and resets with accessible names', async () => {
    const element = add({ ...PIP, controls: '' });
    await element.ready;
    await expect.poll(() => element.shadowRoot!.querySelector("[part='toolbar']")).not.toBeNull();
    const bar = part(element, 'toolbar').getBoundingClientRect();
    expect(part(element, 'canvas').getBoundingClientRect().bottom).toBeLessThanOrEqual(bar.top);
    const menu = part(element, 'animation-menu') as HTMLSelectElement;
    expect([...menu.options].map(({ text }) => text)).toEqual(['Rest pose', ...element.animations.map(({ name }) => name)]);
    expect(menu.value).toBe(element.currentAnimations[0]);
    const named = [...element.shadowRoot!.querySelectorAll("[part='toolbar'] :is(button, select, input):not([hidden])")];
    expect(named.map(each => each.getAttribute('aria-label'))).toEqual(['Play', 'Animation', 'Time', 'Speed', 'Reset view', 'Full screen']);
    const scrub = inside<HTMLInputElement>(element, 'input');
    scrub.value = '500';
    scrub.dispatchEvent(new Event('input'));
    expect(element.time).toBeCloseTo(element.duration / 2);
    const play = part(element, 'play-button');
    play.click();
    await expect.poll(() => element.paused).toBe(false);
    expect(play.getAttribute('aria-label')).toBe('Pause');
    play.click();
    expect(element.paused).toBe(true);
    menu.value = '';
    menu.dispatchEvent(new Event('change'));
    await frame();
    expect(element.currentAnimations).toEqual([]);
    element.controls = false;
    await frame();
    expect(element.shadowRoot!.querySelector("[part='toolbar']")).toBeNull();
  });
});

describe('pictures and picking', () => {
  it('renders pictures of any size and picks a point of the picture', async () => {
    const element = add(PIP);
    await element.ready;
    await expect.poll(() => drawn(element), { timeout: 20_000 }).toBeGreaterThan(0.05);
    const bitmap = await createImageBitmap(await element.toBlob({ width: 64, height: 48 }));
    expect([bitmap.width, bitmap.height]).toEqual([64, 48]);
    const { left, top, width, height } = element.getBoundingClientRect();
    const picked = element.pick(left + width / 2, top + height / 2)!;
    expect(picked.bone).not.toBe('');
    expect(element.pick(left + 1, top + 1)).toBeNull();
  });
});
