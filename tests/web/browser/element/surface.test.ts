// Features of <rigcast-viewer> beyond showing a model: file resolver, requests, light, cameras of
// files, loops, page scrolling.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { cdp, page } from 'vitest/browser';
import type { FileRequest } from '../../../../web/src/element/index.ts';
// @ts-expect-error a plain script
import { cubeVgo as makeCube } from '../../../support/vgoFile.mjs';
import { add, at, demo, drawn, fileOf, frame, inside, once, part } from './support.ts';

const cubeVgo = makeCube as (over: object) => { bytes: Uint8Array<ArrayBuffer> };
const PIP = { src: demo('Pip.psk'), files: `${demo('Pip.psa')} ${demo('Pip_D.png')}` };

/** Returns a panorama as PNG with one color above the horizon and another below. */
async function panorama(top: string, bottom: string): Promise<string> {
  const canvas = new OffscreenCanvas(64, 32);
  const context = canvas.getContext('2d')!;
  context.fillStyle = top;
  context.fillRect(0, 0, 64, 16);
  context.fillStyle = bottom;
  context.fillRect(0, 16, 64, 16);
  return URL.createObjectURL(await canvas.convertToBlob());
}

/**
 * Returns a panorama as Radiance `.hdr`: 8 by 4 uncompressed pixels, with one colour above the
 * horizon and another below.
 */
function radiance(top: readonly number[], bottom: readonly number[]): string {
  const rows = Array.from({ length: 4 }, (_, row) => Array.from({ length: 8 }, () => (row < 2 ? top : bottom)).flat()).flat();
  const head = new TextEncoder().encode('#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 4 +X 8\n');
  return URL.createObjectURL(new Blob([head, new Uint8Array(rows)]));
}

afterEach(() => {
  document.querySelectorAll('rigcast-viewer').forEach(element => element.remove());
  vi.restoreAllMocks();
});

type Viewer = ReturnType<typeof add>;

/** Returns the mean red, green and blue of drawn pixels. */
async function color(element: Viewer): Promise<[number, number, number]> {
  const { view } = await element.ready;
  await expect.poll(async () => (await frame(), view.isDirty || view.environmentShare < 1), { timeout: 20_000 }).toBe(false);
  const canvas = inside<HTMLCanvasElement>(element, 'canvas');
  const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
  const sum = [0, 0, 0, 0];
  for (let i = 0; i < data.length; i += 4) {
    if (data[i + 3]! < 255) continue;
    sum[3]!++;
    for (let c = 0; c < 3; c++) sum[c]! += data[i + c]!;
  }
  return [sum[0]! / sum[3]!, sum[1]! / sum[3]!, sum[2]! / sum[3]!];
}

async function poseOf(element: Viewer): Promise<string> {
  const { rig } = await element.ready;
  return rig.nodes.flatMap(({ quaternion }) => quaternion.toArray().map(value => value.toFixed(4))).join();
}

describe('fileResolver', () => {
  it('provides textures that were not found', async () => {
    const element = add();
    const requests: FileRequest[] = [];
    element.fileResolver = wish => {
      requests.push(wish);
      return wish.kind === 'texture' && wish.name.startsWith('Pip_D') ? fileOf(demo('Pip_D.png')) : null;
    };
    element.files = [await fileOf(demo('Pip.psk'))];
    const { rig } = await element.ready;
    expect(requests.length).toBeGreaterThan(0);
    expect(new Set(requests.map(({ kind, name }) => `${kind} ${name}`)).size).toBe(requests.length);
    // The model contains the name of a material, but not of an image. The image is named only in
    // the material file, which the page provides.
    expect(requests.map(({ kind }) => kind)).toContain('material');
    expect(rig.report.items.map(({ code }) => code)).toContain('TEXTURE_MISSING');
    element.fileResolver = ({ kind, name }) => {
      if (kind === 'material' && name === 'Pip.mat') return new Blob(['Diffuse=Pip_D\n']);
      return kind === 'texture' && name.startsWith('Pip_D') ? fileOf(demo('Pip_D.png')) : null;
    };
    await frame();
    const again = await element.ready;
    expect(again.rig).not.toBe(rig);
    expect(again.rig.report.items.map(({ code }) => code)).not.toContain('TEXTURE_MISSING');
    const [red, , blue] = await color(element);
    expect(red).toBeGreaterThan(blue + 20); // orange, the colour of the fox
  });

  it('provides required resources before they are fetched', async () => {
    const fetched = vi.spyOn(window, 'fetch');
    const address = at('tests/data/vgo/puppet-elsewhere.bin');
    const bytes = await (await fetch(address)).arrayBuffer();
    fetched.mockClear();
    const element = add();
    const names: string[] = [];
    element.fileResolver = ({ kind, name }) => {
      names.push(`${kind} ${name}`);
      return kind === 'resource' ? bytes : undefined;
    };
    element.files = new Map([['puppet.vgo', await fileOf(at('tests/data/vgo/puppet-elsewhere.vgo'))]]);
    const { rig } = await element.ready;
    expect(rig.file.scene!.meshes.length).toBeGreaterThan(0);
    expect(names).toEqual([expect.stringMatching(/^resource .*puppet-elsewhere\.bin$/) as string]);
  });

  it('fetches files as usual after null', async () => {
    const element = add();
    element.fileResolver = () => Promise.reject(new Error('not today'));
    element.files = new Map([
      ['puppet.vgo', await fileOf(at('tests/data/vgo/puppet-elsewhere.vgo'))],
      ['data/puppet-elsewhere.bin', await fileOf(at('tests/data/vgo/puppet-elsewhere.bin'))],
    ]);
    expect((await element.ready).rig.file.scene!.meshes.length).toBeGreaterThan(0);
  });
});

describe('requests', () => {
  it('send cookies to other origins only with credentials=include', async () => {
    const fetched = vi.spyOn(window, 'fetch');
    const folder = at('tests/web/browser/element/folder/');
    const modes = (): Set<unknown> =>
      new Set(fetched.mock.calls.filter(([address]) => String(address).includes('/folder/')).map(([, init]) => init?.credentials));
    const element = add({ files: folder });
    await element.ready;
    expect(modes()).toEqual(new Set(['same-origin']));
    fetched.mockClear();
    element.credentials = 'include';
    await frame();
    await element.ready;
    expect(modes()).toEqual(new Set(['include']));
  });

  it('fetch manifest entries only from allowed origins', async () => {
    const { fetch } = window;
    const fetched = vi.spyOn(window, 'fetch');
    const requestedFiles = (): string[] =>
      fetched.mock.calls.map(([address]) => String(address)).filter(address => new URL(address, location.href).origin !== location.origin);
    const manifest = URL.createObjectURL(
      new Blob([JSON.stringify(['https://allowed.invalid/walk.psa', 'https://other.invalid/run.psa'])], { type: 'application/json' }),
    );
    // The file name in the URL identifies a manifest.
    fetched.mockImplementation((address, init) =>
      fetch.call(window, String(address).endsWith('/made/manifest.json') ? manifest : address, init),
    );
    const fired: string[] = [];
    const element = add({ src: PIP.src, files: at('made/manifest.json'), 'allow-origins': 'https://allowed.invalid', loading: 'eager' });
    element.addEventListener('error', ({ detail }) => fired.push(detail.message));
    await element.ready;
    await expect.poll(() => fired.join()).toContain('allowed.invalid/walk.psa');
    expect(requestedFiles().filter(text => text.includes('other.invalid'))).toEqual([]);
    expect(fired.join()).toContain('outside its folder that allow-origins does not permit: https://other.invalid/run.psa');
  });

  it('open at most max-files files of a list', async () => {
    const element = add({ ...PIP, 'max-files': '0' });
    const fired: string[] = [];
    element.addEventListener('error', ({ detail }) => fired.push(detail.message));
    await element.ready;
    expect(element.animations).toEqual([]);
    expect(fired.join()).toContain('because of max-files');
    element.maxFiles = 10;
    await frame();
    await element.ready;
    expect(element.animations.length).toBeGreaterThan(0);
  });

  it('apply format-options and report invalid JSON', async () => {
    const size = async (options: string | null): Promise<number> => {
      const element = add({ src: at('tests/data/unreal/arm.psk') });
      element.formatOptions = options;
      const { view } = await element.ready;
      return view.extent!.radius;
    };
    const usual = await size(null);
    expect((await size('{"unreal":{"unitScale":0.02}}')) / usual).toBeCloseTo(2, 3);
    const problems = add({ src: at('tests/data/unreal/arm.psk'), 'format-options': '[1]' });
    expect((await once<{ message: string }>(problems, 'error')).message).toContain('format-options');
    const unknown = add({ src: at('tests/data/unreal/arm.psk'), 'format-options': '{"unreal":{"size":2}}' });
    const { rig } = await unknown.ready;
    expect(rig.report.items.filter(({ code }) => code === 'BAD_OPTION').map(({ path }) => path)).toEqual(['formatOptions.unreal.size']);
  });
});

describe('environment-image', () => {
  it('lights the model, is not visible itself, and reports errors', async () => {
    const element = add({ src: PIP.src, shadow: 'none' });
    const [red, , blue] = await color(element);
    const { view } = await element.ready;
    const empty = drawn(element);
    element.environmentImage = await panorama('#f00', '#f00');
    await expect.poll(() => view.sky !== null, { timeout: 20_000 }).toBe(true);
    const lit = await color(element);
    expect(lit[0] / lit[2]).toBeGreaterThan((red / blue) * 1.05);
    expect(drawn(element)).toBeCloseTo(empty, 3); // transparent outside the model
    element.environmentImage = radiance([0, 0, 128, 130], [0, 0, 128, 130]);
    const before = view.sky;
    await expect.poll(() => view.sky === before || view.sky === null, { timeout: 20_000 }).toBe(false);
    const cold = await color(element);
    expect(cold[2] / cold[0]).toBeGreaterThan((blue / red) * 1.05);
    const failed = once<{ message: string }>(element, 'error');
    element.environmentImage = demo('Pip.psk');
    expect((await failed).message).toMatch(/Pip\.psk is not an image/);
    element.environmentImage = null;
    await expect.poll(() => view.sky, { timeout: 20_000 }).toBeNull();
    expect((await color(element))[0]).toBeCloseTo(red, 0);
  });

  it('lights from above if the panorama is bright above', async () => {
    const bottom = async (address: string): Promise<number> => {
      const element = add({ src: PIP.src, shadow: 'none', 'environment-image': address });
      const { view } = await element.ready;
      await expect.poll(() => view.sky !== null, { timeout: 20_000 }).toBe(true);
      await color(element);
      const canvas = inside<HTMLCanvasElement>(element, 'canvas');
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
      const halves = [0, 0];
      for (let i = 0; i < data.length; i += 4) if (data[i + 3] === 255) halves[i < data.length / 2 ? 0 : 1]! += data[i]! - data[i + 2]!;
      return halves[0]! - halves[1]!;
    };
    const upright = await bottom(radiance([128, 0, 0, 129], [0, 0, 128, 129]));
    const image = await bottom(await panorama('#f00', '#00f'));
    const turned = await bottom(await panorama('#00f', '#f00'));
    expect(upright).toBeGreaterThan(turned);
    expect(image).toBeGreaterThan(turned);
  });
});

describe('camera', () => {
  it('uses the recorded camera, or fires error if there is none', async () => {
    const element = add({ src: demo('wavingHands.bin'), view: 'file' });
    const { view } = await element.ready;
    expect(view.cameraRig.externalCamera).not.toBeNull();
    const other = add({ src: PIP.src });
    await other.ready;
    const failed = once<{ message: string }>(other, 'error');
    other.view = 'file';
    expect((await failed).message).toBe('The file contains no camera.');
  });

  it('keeps the field of view within its limits', async () => {
    const element = add({ src: PIP.src, 'field-of-view': '60deg', 'max-field-of-view': '40deg', 'interpolation-decay': '0' });
    const { view } = await element.ready;
    expect(view.cameraRig.camera.fov).toBeCloseTo(40);
    element.maxFieldOfView = null;
    element.minFieldOfView = '70deg';
    await frame();
    expect(view.cameraRig.camera.fov).toBeCloseTo(70);
  });
});

describe('playback', () => {
  it('plays forwards and backwards with loop=pingpong', async () => {
    const element = add({ ...PIP, loop: 'pingpong', speed: '4' });
    await element.ready;
    const times: number[] = [];
    element.addEventListener('timeupdate', ({ detail }) => times.push(detail.time));
    let turns = 0;
    let before = 0;
    let direction = 1;
    await element.play();
    await expect
      .poll(
        async () => {
          await frame();
          const { time } = element;
          if (Math.sign(time - before) === -direction) {
            turns++;
            direction = -direction;
            // A ping-pong loop reverses at its ends; a repeating loop jumps from end to start.
            expect(Math.abs(time - before)).toBeLessThan(element.duration * 0.75);
          }
          before = time;
          return turns;
        },
        { timeout: 30_000, interval: 0 },
      )
      .toBeGreaterThan(1);
  });

  it('plays backwards with a negative speed and ends at the start', async () => {
    const element = add({ ...PIP, loop: 'none', speed: '-8' });
    await element.ready;
    element.seek(element.duration / 2);
    const ended = once(element, 'ended');
    await element.play();
    await ended;
    expect([element.ended, element.paused, element.time]).toEqual([true, true, 0]);
  });

  it('repeats as the file declares with loop=file', async () => {
    // Compares a file that does not declare a loop with one that does.
    const single = add({ src: at('tests/data/se/arm.semodel'), files: at('tests/data/se/relative.seanim'), loop: 'file', speed: '8' });
    await single.ready;
    const ended = once(single, 'ended');
    await single.play();
    await ended;
    expect(single.time).toBe(single.duration);
    const again = add({ src: demo('Tock.cast'), loop: 'file', speed: '8' });
    await again.ready;
    await again.play();
    let before = 0;
    await expect
      .poll(async () => (await frame(), again.time < before || ((before = again.time), false)), { timeout: 20_000, interval: 0 })
      .toBe(true);
    expect([again.ended, again.paused]).toEqual([false, false]);
  });

  it('starts again with loop=repeat, even if the file declares ping-pong', async () => {
    const key = (time: number): object => ({ time, value: time });
    const curve = { type: 'Transform', propertyName: 'LocalPosition.y', animationCurve: { keys: [key(0), key(4)] } };
    const backAndForth = { name: 'lift', wrapMode: 4, curveBindings: [curve] };
    const nodes = [
      { name: 'root', isRoot: true, children: [1] },
      {
        name: 'cube',
        meshRenderer: { name: 'cube', mesh: 0, materials: [0] },
        animation: { name: 'a', clipIndex: 0, playAutomatically: true },
      },
    ];
    const element = add({ loop: 'repeat', speed: '4' });
    element.files = new Map([['cube.vgo', new Blob([cubeVgo({ nodes, animationClips: [backAndForth] }).bytes])]]);
    await element.ready;
    await element.play();
    /** Returns the size of the first backward jump in time, seconds. */
    const back = async (): Promise<number> => {
      let before = element.time;
      let step = 0;
      await expect
        .poll(async () => (await frame(), (step = before - element.time) > 0 || ((before = element.time), false)), {
          timeout: 20_000,
          interval: 0,
        })
        .toBe(true);
      return step;
    };
    expect(await back()).toBeGreaterThan(element.duration / 2);
    element.loop = null; // as the file declares
    expect(await back()).toBeLessThan(element.duration / 2);
  });

  it('does not autoplay, rotate or fade if the visitor prefers reduced motion', async () => {
    const session = cdp() as unknown as { send(method: string, params: object): Promise<unknown> };
    const reduce = (value: string): Promise<unknown> =>
      session.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-reduced-motion', value }] });
    await reduce('reduce');
    try {
      const element = add({ ...PIP, autoplay: '', 'auto-rotate': '', fade: '0.5' });
      const { view } = await element.ready;
      const orbit = String(element.getCameraOrbit());
      await expect.poll(async () => (await frame(), view.isDirty || view.environmentShare < 1), { timeout: 20_000 }).toBe(false);
      expect([element.paused, element.time, String(element.getCameraOrbit())]).toEqual([true, 0, orbit]);
      element.animation = '1';
      const pose = await poseOf(element);
      await expect.poll(async () => (await frame(), view.isDirty || view.environmentShare < 1), { timeout: 20_000 }).toBe(false);
      expect(await poseOf(element)).toBe(pose); // no cross-fade
      await element.play(); // as if the visitor pressed Play
      expect(element.paused).toBe(false);
    } finally {
      await reduce('');
    }
  });
});

it('toBlob uses the requested type and background', async () => {
  const element = add(PIP);
  const { view } = await element.ready;
  await expect.poll(async () => (await frame(), view.isDirty || view.environmentShare < 1), { timeout: 20_000 }).toBe(false);
  const corner = async (blob: Blob): Promise<number[]> => {
    const context = new OffscreenCanvas(1, 1).getContext('2d')!;
    context.drawImage(await createImageBitmap(blob), 0, 0);
    return Array.from(context.getImageData(0, 0, 1, 1).data);
  };
  const png = await element.toBlob({ width: 40, height: 30 });
  expect([png.type, (await corner(png))[3]]).toEqual(['image/png', 0]);
  const jpeg = await element.toBlob({ width: 40, height: 30, mime: 'image/jpeg', quality: 0.9, background: '#f00' });
  expect(jpeg.type).toBe('image/jpeg');
  const [red, green, blue, alpha] = await corner(jpeg);
  expect(red).toBeGreaterThan(240);
  expect(Math.max(green!, blue!)).toBeLessThan(20);
  expect(alpha).toBe(255);
});

it('a double click resets the camera', async () => {
  const element = add(PIP);
  await element.ready;
  const orbit = String(element.getCameraOrbit());
  const viewportElement = part(element, 'viewport');
  viewportElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft' }));
  expect(String(element.getCameraOrbit())).not.toBe(orbit);
  viewportElement.dispatchEvent(new MouseEvent('dblclick'));
  expect(String(element.getCameraOrbit())).toBe(orbit);
});

describe('the surrounding page', () => {
  it('scrolls by the wheel over the element until the element has the focus', async () => {
    const tall = document.createElement('div');
    tall.style.height = '5000px';
    const element = add(PIP, document.body);
    document.body.append(tall);
    const { view } = await element.ready;
    await view.cameraRig.enableControls();
    scrollTo(0, 0);
    const session = cdp() as unknown as { send(method: string, params: object): Promise<unknown> };
    const frameBox = window.frameElement?.getBoundingClientRect() ?? { left: 0, top: 0 };
    const wheel = async (): Promise<void> => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const [x, y] = [frameBox.left + left + width / 2, frameBox.top + top + height / 2];
      await session.send('Input.dispatchMouseEvent', { type: 'mouseWheel', x, y, deltaX: 0, deltaY: 60 });
    };
    const distance = (): number => view.cameraRig.orbit.radius;
    const far = distance();
    await wheel();
    await expect.poll(() => scrollY, { timeout: 10_000 }).toBeGreaterThan(0);
    expect(distance()).toBeCloseTo(far);
    const scrolled = scrollY;
    part(element, 'viewport').focus({ preventScroll: true });
    await wheel();
    await expect.poll(distance, { timeout: 10_000 }).not.toBeCloseTo(far, 3);
    expect(scrollY).toBe(scrolled);
    tall.remove();
  });

  it('can show the element in full screen and leave full screen', async () => {
    const element = add({ ...PIP, controls: '' });
    await element.ready;
    await expect.poll(() => element.shadowRoot!.querySelector("[part='toolbar']")).not.toBeNull();
    const button = part(element, 'fullscreen-button');
    expect(button.getAttribute('aria-label')).toBe('Full screen');
    await page.elementLocator(button).click();
    await expect.poll(() => document.fullscreenElement, { timeout: 10_000 }).toBe(element);
    await expect.poll(() => button.getAttribute('aria-label')).toBe('Leave full screen');
    expect(element.getBoundingClientRect().width).toBeCloseTo(innerWidth, -1);
    await page.elementLocator(button).click();
    await expect.poll(() => document.fullscreenElement, { timeout: 10_000 }).toBeNull();
    await expect.poll(() => button.getAttribute('aria-label')).toBe('Full screen');
  });
});
