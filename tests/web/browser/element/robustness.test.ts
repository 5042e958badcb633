// Unusual use by pages and visitors: sources that change while loading, values of the wrong type,
// files without a mesh, scrolling by touch.
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { RigcastViewerElement } from '../../../../web/src/element/index.ts';
import { SharedRenderer } from '../../../../web/src/view/sharedRenderer.ts';
import { add, at, demo, drawn, fileOf, frame, inside, isShown, once, part } from './support.ts';

const PIP = { src: demo('Pip.psk'), files: `${demo('Pip.psa')} ${demo('Pip_D.png')}` };

afterEach(() => {
  document.querySelectorAll('rigcast-viewer').forEach(element => element.remove());
  vi.restoreAllMocks();
});

const states = (element: RigcastViewerElement): string[] =>
  ['loading', 'ready', 'playing', 'error'].filter(state => element.matches(`:state(${state})`));

describe('src and files', () => {
  it('show the poster when they are removed, and the model when they are set again', async () => {
    const onError = vi.fn();
    const element = add({ src: '', poster: demo('Pip_D.png') });
    element.addEventListener('error', onError);
    element.credentials = 'same-origin'; // triggers a reload
    const { ready } = element;
    for (let i = 0; i < 3; i++) await frame();
    expect(states(element)).toEqual([]);
    element.src = PIP.src;
    const { rig } = await ready;
    const freed = vi.spyOn(rig, 'dispose');
    await expect.poll(() => isShown(part(element, 'poster')), { timeout: 20_000 }).toBe(false);
    element.removeAttribute('src');
    await expect.poll(() => isShown(part(element, 'poster')), { timeout: 20_000 }).toBe(true);
    expect([states(element), isShown(part(element, 'error'))]).toEqual([[], false]);
    expect(freed).toHaveBeenCalledOnce();
    element.files = [await fileOf(demo('Tock.cast'))];
    expect((await element.ready).rig.file.name).toBe('Tock.cast');
    Object.assign(element, { files: undefined }); // how frameworks remove a property
    await frame();
    expect([states(element), element.files]).toEqual([[], null]);
    expect(onError).not.toHaveBeenCalled();
  });

  it('may be URLs with a query', async () => {
    const element = add({ src: `${PIP.src}?v=1`, files: `${demo('Pip.psa')}?v=2 ${demo('Pip_D.png')}?v=3` });
    const { rig } = await element.ready;
    expect([rig.file.name, element.animations.length]).toEqual(['Pip.psk', 2]);
    expect(rig.report.items.map(({ code }) => code)).not.toContain('TEXTURE_MISSING');
  });

  it('are classified by content if the URL does not indicate their role', async () => {
    const blob = async (path: string): Promise<string> => URL.createObjectURL(await fileOf(at(path)));
    const element = add({ files: `${await blob('tests/data/se/absolute.seanim')} ${await blob('tests/data/se/arm.semodel')}` });
    const { rig } = await element.ready;
    expect([rig.file.format, element.animations.map(({ matched }) => matched)]).toEqual(['semodel', [3]]);
  });

  it('list animations in the order of the files, independent of arrival', async () => {
    const element = add({ src: PIP.src, files: `${demo('Pip.psa')}?delay=400 ${at('tests/data/unreal/arm-motions.psa')}` });
    await element.ready;
    expect(element.animations.map(({ name }) => name)).toEqual(['Wave', 'Hop', 'Bend', 'Walk Fwd', 'Pose']);
  });

  it('appear in the error message if they are invalid or not allowed', async () => {
    const messageOf = async (attributes: Record<string, string>): Promise<string> =>
      (await once<{ message: string }>(add(attributes), 'error')).message;
    expect(await messageOf({ src: 'http://[' })).toBe('“http://[” is not a valid URL.');
    expect(await messageOf({ ...PIP, files: 'http://[' })).toBe('“http://[” is not a valid URL.');
    expect(await messageOf({ src: 'http://127.0.0.1:1/hero.psk' })).toMatch(/^http:\/\/127\.0\.0\.1:1\/hero\.psk cannot be fetched/);
    expect(await messageOf({ src: 'http://127.0.0.1:1/hero.glb' })).toMatch(/^http:\/\/127\.0\.0\.1:1\/hero\.glb cannot be fetched/);
    const missing = demo('nobody.psa');
    expect((await messageOf({ src: PIP.src, files: missing })).split(missing)).toHaveLength(2); // named only once
  });

  it('do not report a panorama that arrives after removal', async () => {
    const element = add({ ...PIP, shadow: 'none' });
    await element.ready;
    const onError = vi.fn();
    element.addEventListener('error', onError);
    const requested = vi
      .spyOn(window, 'fetch')
      .mockImplementation(
        (_, init) =>
          new Promise((_resolve, reject) => init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason as Error))),
      );
    element.environmentImage = demo('Pip_D.png');
    await expect.poll(() => requested.mock.calls.length).toBe(1);
    element.remove();
    await frame();
    expect(requested.mock.calls[0]![1]!.signal!.aborted).toBe(true);
    expect(onError).not.toHaveBeenCalled();
  });

  it('accept only lists and Maps of files as local files', async () => {
    const element = add();
    for (const nothing of [[], new Map(), undefined]) {
      Object.assign(element, { files: nothing });
      await frame();
      expect(states(element)).toEqual([]);
    }
    for (const problems of [42, true, { name: 'hero.psk' }, ['hero.psk'], [null], new Map([['hero.psk', 1]])]) {
      const failed = once<{ message: string }>(element, 'error');
      Object.assign(element, { files: problems });
      expect((await failed).message).toMatch(/^files must be a list of File objects/);
    }
  });
});

describe('files without a mesh', () => {
  it('show their bones', async () => {
    const element = add({ src: at('tests/data/unreal/arm-motions.psa'), shadow: 'none' });
    const { view } = await element.ready;
    await expect.poll(() => drawn(element), { timeout: 20_000 }).toBeGreaterThan(0);
    expect(view.overlays.children).toHaveLength(1);
  });

  it('report that there is nothing to draw if they have no bones', async () => {
    const element = add({ src: at('tests/data/se/absolute.seanim') });
    const { message, report } = await once<{ message: string; report: object | null }>(element, 'error');
    expect(message).toBe('absolute.seanim contains animations but no model. Add the model that they were made for.');
    expect(report).not.toBeNull();
    expect(states(element)).toEqual(['error']);
  });
});

it('adds hotspots after the model, also by a change of their slot', async () => {
  const element = add(PIP);
  await element.ready;
  const spot = (): HTMLElement | null => element.shadowRoot!.querySelector('.hotspot');
  const label = document.createElement('b');
  label.dataset['position'] = '0 50cm 0';
  element.append(label);
  for (let i = 0; i < 3; i++) await frame();
  expect(spot()).toBeNull();
  label.slot = 'hotspot-1';
  await expect.poll(spot).not.toBeNull();
  expect(label.assignedSlot).not.toBeNull();
});

describe('a browser without WebGL', () => {
  it('reports it once', async () => {
    const { getContext } = HTMLCanvasElement.prototype;
    const mock = function (this: HTMLCanvasElement, kind: string, ...options: []): RenderingContext | null {
      return kind.startsWith('webgl') ? null : (getContext.call(this, kind, ...options) as RenderingContext | null);
    };
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(mock as typeof getContext);
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    const uncaught = vi.fn((event: ErrorEvent) => event.preventDefault());
    addEventListener('error', uncaught);
    SharedRenderer.shared().dispose(); // the shared renderer of earlier tests
    const element = add(PIP);
    const { message } = await once<{ message: string }>(element, 'error');
    expect(message).toBe('3D is not available: this browser does not support WebGL 2, or it is turned off.');
    for (let i = 0; i < 5; i++) await frame();
    expect(uncaught).not.toHaveBeenCalled();
    expect(logged.mock.calls.length).toBeLessThan(4); // some messages of three.js are expected
    expect(logged.mock.calls.filter(([text]) => String(text).includes(message))).toHaveLength(1);
    expect(inside(element, "[part='error'] span").textContent).toBe('3D graphics are not available in this browser.');
    expect(isShown(part(element, 'retry-button'))).toBe(false); // it would fail again
    removeEventListener('error', uncaught);
    element.remove();
    SharedRenderer.shared().dispose();
  });
});

it('rejects pictures of invalid sizes and options, and keeps the shown picture', async () => {
  const element = add(PIP);
  const { view } = await element.ready;
  const settled = (): Promise<void> => expect.poll(async () => (await frame(), view.isDirty), { timeout: 20_000 }).toBe(false);
  await expect.poll(() => drawn(element), { timeout: 20_000 }).toBeGreaterThan(0.05);
  await settled();
  const before = drawn(element);
  for (const options of [{ width: Number.NaN }, { width: 0 }, { height: -1 }, { width: 1e6, height: 10 }])
    await expect(element.toBlob(options)).rejects.toThrow(/^The width and height of a picture must be 1 to \d+ pixels\.$/);
  await expect(element.toBlob({ type: 'image/webp' } as object)).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: 'toBlob: unknown option "type" (expected one of: width, height, mime, quality, background, isCutOut)',
  });
  const corner = await createImageBitmap(await element.toBlob({ width: 8, height: 8, background: 'no colour' }));
  const context = new OffscreenCanvas(1, 1).getContext('2d')!;
  context.drawImage(corner, 0, 0);
  expect(context.getImageData(0, 0, 1, 1).data[3]).toBe(0);
  view.invalidate();
  await settled();
  expect(drawn(element)).toBeCloseTo(before, 3);
});

describe('touch', () => {
  it('does not rotate the model before the browser starts to scroll', async () => {
    const element = add(PIP);
    const { view } = await element.ready;
    await view.cameraRig.enableControls();
    view.cameraRig.controls.enableDamping = false;
    const viewportElement = part(element, 'viewport');
    viewportElement.setPointerCapture = viewportElement.releasePointerCapture = () => {}; // the simulated pointer can't be captured
    const pointer = (type: string, clientX: number, clientY: number): boolean =>
      viewportElement.dispatchEvent(
        new PointerEvent(type, { pointerId: 9, pointerType: 'touch', isPrimary: true, clientX, clientY, bubbles: true, composed: true }),
      );
    const orbit = (): string => String(element.getCameraOrbit());
    const before = orbit();
    pointer('pointerdown', 80, 80);
    for (const y of [74, 66, 50]) pointer('pointermove', 82, y);
    expect(orbit()).toBe(before);
    pointer('pointercancel', 0, 0);
    pointer('pointerdown', 80, 80);
    for (const x of [74, 66, 50]) pointer('pointermove', x, 78);
    expect(orbit()).not.toBe(before);
    pointer('pointerup', 50, 78);
    element.resetView();
    element.interaction = 'always';
    await frame();
    pointer('pointerdown', 80, 80);
    for (const y of [74, 66, 50]) pointer('pointermove', 82, y);
    expect(orbit()).not.toBe(before);
    pointer('pointerup', 82, 50);
  });
});

describe('a poster as button', () => {
  it('has a play icon unless the slot has content', async () => {
    const element = add({ ...PIP, reveal: 'interaction' });
    const sign = (): string => getComputedStyle(part(element, 'poster'), '::after').content;
    expect(sign()).toBe('""');
    const own = document.createElement('b');
    own.slot = 'poster';
    element.append(own);
    await expect.poll(sign).toBe('none');
    own.remove();
    await expect.poll(sign).toBe('""');
    part(element, 'poster').click();
    expect(sign()).toBe('none');
  });

  it('moves the focus to the viewport', async () => {
    const element = add({ ...PIP, reveal: 'interaction' });
    part(element, 'poster').focus();
    part(element, 'poster').click();
    expect(element.shadowRoot!.activeElement).toBe(part(element, 'viewport'));
    await element.ready;
    expect([element.shadowRoot!.activeElement, part(element, 'viewport').tabIndex]).toEqual([part(element, 'viewport'), 0]);
  });
});

it('keeps toolbar and messages left to right in right-to-left pages', async () => {
  const page = document.createElement('div');
  page.dir = 'rtl';
  document.body.append(page);
  const element = add({ ...PIP, controls: '' }, page);
  element.style.width = '500px';
  await element.ready;
  await expect.poll(() => element.shadowRoot!.querySelector("[part='toolbar']")).not.toBeNull();
  const left = (name: string): number => part(element, name).getBoundingClientRect().left;
  expect([left('play-button') < left('time-slider'), left('time-slider') < left('fullscreen-button')]).toEqual([true, true]);
  expect(getComputedStyle(inside(element, 'input')).direction).toBe('ltr');
  const problems = add({ src: demo('nobody.psk') }, page);
  await once(problems, 'error');
  expect(getComputedStyle(inside(problems, "[part='error'] span")).direction).toBe('ltr');
  page.remove();
});
