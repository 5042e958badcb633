// Attributes that change the scene around the model: its orientation and scale, tone mapping, skybox,
// camera movements, and the interaction prompt.
import { afterEach, describe, expect, it } from 'vitest';
import { Box3, Vector3 } from 'three';
import { cdp } from 'vitest/browser';
import { en } from '../../../../web/src/element/words/en.ts';
import { add, demo, frame, inside, isShown, part } from './support.ts';

const PIP = { src: demo('Pip.psk'), files: `${demo('Pip.psa')} ${demo('Pip_D.png')}` };
type Viewer = ReturnType<typeof add>;

const media = (value: string): Promise<void> =>
  (cdp() as unknown as { send(method: string, how: object): Promise<void> }).send('Emulation.setEmulatedMedia', {
    features: [{ name: 'prefers-reduced-motion', value }],
  });

afterEach(async () => {
  document.querySelectorAll('rigcast-viewer').forEach(element => element.remove());
  await media('');
});

async function settled(element: Viewer): Promise<void> {
  const { view } = await element.ready;
  await expect.poll(async () => (await frame(), view.isDirty || view.environmentShare < 1), { timeout: 20_000 }).toBe(false);
}

async function sizeOf(element: Viewer): Promise<Vector3> {
  await settled(element);
  const { rig } = await element.ready;
  return new Box3().setFromObject(rig.scene, true).getSize(new Vector3());
}

/** Returns the colour of a pixel, given as fractions of the width and height. */
async function pixel(element: Viewer, x: number, y: number): Promise<number[]> {
  await settled(element);
  const canvas = inside<HTMLCanvasElement>(element, 'canvas');
  return [...canvas.getContext('2d')!.getImageData(Math.floor(x * canvas.width), Math.floor(y * canvas.height), 1, 1).data];
}

describe('orientation and scale', () => {
  it('rotate and scale the model, and the camera shows all of it', async () => {
    const element = add({ ...PIP, animation: '' });
    const upright = await sizeOf(element);
    const { radius } = element.getCameraOrbit()!;
    element.orientation = '0deg 90deg 0deg'; // pitch: on its face
    await frame();
    const lying = await sizeOf(element);
    expect([lying.x, lying.y, lying.z]).toEqual([upright.x, upright.z, upright.y].map(value => expect.closeTo(value, 4) as number));
    element.scale = '3';
    await frame();
    const large = await sizeOf(element);
    expect(large.y).toBeCloseTo(3 * upright.z, 3);
    element.orientation = null;
    await frame();
    expect((await sizeOf(element)).y).toBeCloseTo(3 * upright.y, 3);
    expect(element.getCameraOrbit()!.radius).toBeCloseTo(3 * radius, 2);
    element.scale = '1 2 1';
    await frame();
    const tall = await sizeOf(element);
    expect([tall.x, tall.y]).toEqual([expect.closeTo(upright.x, 4), expect.closeTo(2 * upright.y, 4)]);
    element.scale = null;
    await frame();
    expect((await sizeOf(element)).toArray()).toEqual(upright.toArray().map(value => expect.closeTo(value, 4) as number));
  });

  it('apply roll, then pitch, then yaw, before the model is shown', async () => {
    const element = add({ ...PIP, animation: '', orientation: '90deg 0deg 90deg', scale: '2 2 2' });
    const { rig } = await element.ready;
    const x = new Vector3(1, 0, 0).transformDirection(rig.scene.matrixWorld);
    expect(x.toArray()).toEqual([0, 1, 0].map(value => expect.closeTo(value, 6) as number)); // roll turns X up, yaw keeps it
    const z = new Vector3(0, 0, 1).transformDirection(rig.scene.matrixWorld);
    expect(z.toArray()).toEqual([1, 0, 0].map(value => expect.closeTo(value, 6) as number));
  });

  it('keep the animation and its time', async () => {
    const element = add({ ...PIP, animation: 'Wave', time: '0.5' });
    const { rig } = await element.ready;
    const pose = (): string => rig.nodes.flatMap(({ quaternion }) => quaternion.toArray().map(value => value.toFixed(4))).join();
    const before = pose();
    element.orientation = '0deg 0deg 90deg';
    await frame();
    await settled(element);
    expect([pose() === before, element.time, element.currentAnimations]).toEqual([true, 0.5, ['Wave']]);
  });
});

it('tone-mapping changes the picture of one element', async () => {
  const [element, other] = [add({ ...PIP, animation: '' }), add({ ...PIP, animation: '' })];
  const at = (each: Viewer): Promise<number[]> => pixel(each, 0.5, 0.6);
  const plain = await at(other);
  expect(await at(element)).toEqual(plain);
  const seen = new Set<string>();
  for (const value of ['agx', 'aces', 'reinhard', 'cineon', 'linear', 'none']) {
    element.toneMapping = value;
    await frame();
    const color = await at(element);
    seen.add(color.join());
    if (value !== 'linear' && value !== 'none') expect(color, value).not.toEqual(plain);
  }
  expect(seen.size).toBeGreaterThan(3);
  element.toneMapping = 'neutral';
  await frame();
  expect([await at(element), await at(other)]).toEqual([plain, plain]);
});

describe('skybox-image', () => {
  async function panorama(color: string): Promise<string> {
    const canvas = new OffscreenCanvas(64, 32);
    const context = canvas.getContext('2d')!;
    context.fillStyle = color;
    context.fillRect(0, 0, 64, 32);
    return URL.createObjectURL(await canvas.convertToBlob());
  }

  it('is drawn behind the model and lights it, unless environment-image does', async () => {
    const element = add({ ...PIP, animation: '', shadow: 'none' });
    const corner = (): Promise<number[]> => pixel(element, 0.02, 0.02);
    const model = (): Promise<number[]> => pixel(element, 0.5, 0.6);
    expect((await corner())[3]).toBe(0);
    element.skyboxImage = await panorama('#0000ff');
    await expect.poll(async () => (await corner())[3]).toBe(255);
    const [red, , blue] = await corner();
    expect(blue! - red!).toBeGreaterThan(100);
    const lit = await model();
    element.environmentImage = await panorama('#ffffff');
    await expect.poll(async () => (await model()).join()).not.toBe(lit.join());
    expect((await corner())[2]! - (await corner())[0]!).toBeGreaterThan(100);
    expect((await model())[0]).toBeGreaterThan(lit[0]!);
    element.skyboxImage = null;
    await expect.poll(async () => (await corner())[3]).toBe(0);
    element.environmentImage = null;
    await frame();
    await settled(element);
  });

  it('becomes the floor with skybox-height, except in pictures without the sky', async () => {
    const canvas = new OffscreenCanvas(64, 32);
    const context = canvas.getContext('2d')!;
    // Blue above, then a green band just below the horizon, and a red floor around the camera.
    for (const [color, top, bottom] of [
      ['#00f', 0, 17],
      ['#0f0', 17, 22],
      ['#f00', 22, 32],
    ] as const) {
      context.fillStyle = color;
      context.fillRect(0, top, 64, bottom - top);
    }
    for (let i = 0; i < 4; i++) {
      context.fillStyle = `rgb(0, ${i * 60}, 255)`; // each quarter of the horizon differs
      context.fillRect(i * 16, 0, 16, 17);
    }
    const element = add({ ...PIP, animation: '', shadow: 'none', 'tone-mapping': 'none', 'camera-orbit': '0deg 80deg 250%' });
    element.skyboxImage = URL.createObjectURL(await canvas.convertToBlob());
    const below = async (): Promise<number> => (await pixel(element, 0.5, 0.98))[0]!;
    await expect.poll(async () => (await pixel(element, 0.5, 0.98))[3]).toBe(255);
    const { view } = await element.ready;
    const corners = async (): Promise<number[]> => [(await pixel(element, 0.02, 0.02))[1]!, (await pixel(element, 0.98, 0.02))[1]!];
    const sky = await corners();
    const before = [await below(), view.scene.children.length];
    expect(before[0]).toBeLessThan(100); // the panorama is infinitely far away, so this is its green band
    element.skyboxHeight = '1.5m';
    await expect.poll(below, { timeout: 10_000 }).toBeGreaterThan(150);
    for (const [i, green] of (await corners()).entries()) expect(Math.abs(green - sky[i]!)).toBeLessThan(25); // the sky has the same direction
    const cutOut = await createImageBitmap(await element.toBlob({ width: 8, height: 8, isCutOut: true }));
    const picture = new OffscreenCanvas(8, 8).getContext('2d')!;
    picture.drawImage(cutOut, 0, 0);
    expect(picture.getImageData(0, 7, 1, 1).data[3]).toBe(0);
    element.skyboxHeight = null;
    await expect.poll(below).toBe(before[0]);
    expect(view.scene.children.length).toBe(before[1]);
    element.skyboxHeight = '2m';
    await expect.poll(() => view.scene.children.length).toBe(before[1]! + 1);
    element.remove();
    await frame();
    expect(view.scene.children.length).toBeLessThanOrEqual(before[1]!);
  });
});

describe('a changed camera attribute', () => {
  const orbits = async (element: Viewer, orbit: string): Promise<number[]> => {
    const seen: number[] = [];
    element.addEventListener('camerachange', ({ detail }) => seen.push(detail.orbit.theta));
    element.cameraOrbit = orbit;
    await frame();
    await settled(element);
    return seen;
  };

  it('moves the camera smoothly, on the shortest way', async () => {
    const element = add({ ...PIP, animation: '', 'camera-orbit': '170deg 75deg 2m', 'interpolation-decay': '100' });
    await settled(element);
    const seen = await orbits(element, '-170deg 75deg 2m');
    expect(seen.length).toBeGreaterThan(3);
    expect(element.getCameraOrbit()!.theta).toBeCloseTo((-170 * Math.PI) / 180, 4);
    expect(seen.every(theta => Math.abs(theta) > (165 * Math.PI) / 180)).toBe(true);
    element.fieldOfView = '20deg';
    element.cameraTarget = '0m 1m 0m';
    await frame();
    await settled(element);
    const { view } = await element.ready;
    expect([view.cameraRig.camera.fov, element.getCameraTarget()!.y]).toEqual([20, 1]);
  });

  it('moves it at once if interpolation-decay is 0 or the visitor prefers reduced motion', async () => {
    const still = add({ ...PIP, animation: '', 'camera-orbit': '0deg 75deg 2m', 'interpolation-decay': '0' });
    await settled(still);
    expect(await orbits(still, '90deg 75deg 2m')).toHaveLength(1);
    await media('reduce');
    const calm = add({ ...PIP, animation: '', 'camera-orbit': '0deg 75deg 2m' });
    await settled(calm);
    expect(await orbits(calm, '90deg 75deg 2m')).toHaveLength(1);
  });

  it('stops moving it when the visitor does', async () => {
    const element = add({ ...PIP, animation: '', 'camera-orbit': '0deg 75deg 2m', 'interpolation-decay': '1000' });
    await settled(element);
    element.cameraOrbit = '90deg 75deg 2m';
    await frame();
    await frame();
    part(element, 'viewport').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowUp', bubbles: true }));
    await settled(element);
    expect(element.getCameraOrbit()!.theta).toBeLessThan(1);
  });
});

describe('interaction-prompt', () => {
  const prompt = (element: Viewer): HTMLElement | null => element.shadowRoot!.querySelector("[part='prompt']");

  it('is shown once for some seconds', async () => {
    const element = add({ ...PIP, 'interaction-prompt': 'auto' });
    await element.ready;
    expect(prompt(element)).toBeNull();
    await expect.poll(() => prompt(element), { timeout: 10_000 }).not.toBeNull();
    expect(prompt(element)!.textContent).toBe(en.prompt);
    await expect.poll(() => isShown(prompt(element)!), { timeout: 10_000 }).toBe(true);
    element.labels = { prompt: 'Turn me' };
    expect(prompt(element)!.textContent).toBe('Turn me');
    for (const animation of prompt(element)!.getAnimations()) animation.finish(); // instead of waiting for its five seconds
    await expect.poll(() => prompt(element)).toBeNull();
    element.src = `${demo('Pip.psk')}?again`;
    await frame();
    await element.ready;
    await new Promise(resolve => setTimeout(resolve, 3000));
    expect(prompt(element)).toBeNull();
  });

  it('disappears when the visitor moves the camera, and may have other content', async () => {
    const element = add({ ...PIP, 'interaction-prompt': 'auto' });
    const own = document.createElement('b');
    own.slot = 'interaction-prompt';
    element.append(own);
    await element.ready;
    await expect.poll(() => prompt(element), { timeout: 10_000 }).not.toBeNull();
    expect(inside<HTMLSlotElement>(element, "slot[name='interaction-prompt']").assignedElements()).toEqual([own]);
    part(element, 'viewport').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }));
    await expect.poll(() => prompt(element)).toBeNull();
  });

  it('is not shown by default, with auto-rotate, without interaction, and with reduced motion', async () => {
    const elements = [
      add(PIP),
      add({ ...PIP, 'interaction-prompt': 'none' }),
      add({ ...PIP, 'interaction-prompt': 'auto', 'auto-rotate': '' }),
      add({ ...PIP, 'interaction-prompt': 'auto', interaction: 'none' }),
    ];
    await Promise.all(elements.map(element => element.ready));
    await media('reduce');
    const calm = add({ ...PIP, 'interaction-prompt': 'auto' });
    await calm.ready;
    await new Promise(resolve => setTimeout(resolve, 3500));
    expect([...elements, calm].map(prompt)).toEqual([null, null, null, null, null]);
  });
});
