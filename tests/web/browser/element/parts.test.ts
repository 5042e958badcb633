// The interface of <rigcast-viewer> for style sheets and visitors: every CSS part and property, the
// toolbar, camera limits.
import { afterEach, describe, expect, it } from 'vitest';
import { CSS_PROPERTIES, PARTS, STATES } from '../../../../web/src/element/manual.ts';
import { add, at, demo, drawn, frame, inside, isShown, once, part } from './support.ts';

const PIP = { src: demo('Pip.psk'), files: `${demo('Pip.psa')} ${demo('Pip_D.png')}` };
/** A model whose animation has events. */
const NOTES = { src: at('tests/data/cast/everything.cast') };

const sheet = document.createElement('style');
document.head.append(sheet);

afterEach(() => {
  sheet.textContent = '';
  document.querySelectorAll('rigcast-viewer').forEach(element => element.remove());
});

type Viewer = ReturnType<typeof add>;

const settled = async (element: Viewer): Promise<void> => {
  const { view } = await element.ready;
  await expect.poll(async () => (await frame(), view.isDirty || view.environmentShare < 1), { timeout: 20_000 }).toBe(false);
};

/** Returns the mean red, green and blue of the drawn pixels, and the fraction of drawn pixels. */
async function mean(element: Viewer): Promise<number[]> {
  await settled(element);
  const canvas = inside<HTMLCanvasElement>(element, 'canvas');
  const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
  const sum = [0, 0, 0, 0];
  for (let i = 0; i < data.length; i++) sum[i % 4]! += data[i]!;
  return [...sum.slice(0, 3).map(value => value / sum[3]!), sum[3]!];
}

it('a style sheet can select every part', async () => {
  sheet.textContent = Object.keys(PARTS)
    .map((name, i) => `rigcast-viewer::part(${name}) { outline: ${i + 1}px solid rgb(1, 2, 3) }`)
    .join('\n');
  const element = add({ ...NOTES, controls: '', download: '', ar: '', 'interaction-prompt': 'auto', poster: demo('Pip_D.png') });
  element.style.width = '600px';
  await element.ready;
  const motion = element.animations.find(({ events }) => events.length > 0)!;
  element.animation = JSON.stringify([motion.name]);
  await expect.poll(() => element.shadowRoot!.querySelectorAll("[part='event-marker']").length).toBe(motion.events.length);
  const missing = (): string[] => Object.keys(PARTS).filter(name => !element.shadowRoot!.querySelector(`[part='${name}']`));
  await expect.poll(missing, { timeout: 20_000 }).toEqual([]);
  const widths = Object.keys(PARTS).map(name => getComputedStyle(part(element, name)).outlineWidth);
  expect(widths).toEqual(Object.keys(PARTS).map((_, i) => `${i + 1}px`));
});

it('the progress bar appears a second after loading starts', () => {
  const progress = part(add({}), 'progress');
  progress.hidden = false;
  const [appearance] = progress.getAnimations();
  appearance!.pause();
  const visibility = [999, 1001].map(time => {
    appearance!.currentTime = time;
    return getComputedStyle(progress).visibility;
  });
  expect(visibility).toEqual(['hidden', 'visible']);
});

describe('CSS properties', () => {
  const tried = new Set<string>();
  const style = (name: string, value: string): void => {
    tried.add(name);
    sheet.textContent += `rigcast-viewer { ${name}: ${value} }\n`;
  };

  it('colour background, toolbar, progress bar and error', async () => {
    style('--rigcast-background', 'rgb(9, 8, 7)');
    style('--rigcast-accent', 'rgb(1, 2, 3)');
    style('--rigcast-toolbar-background', 'rgb(4, 5, 6)');
    style('--rigcast-toolbar-color', 'rgb(250, 251, 252)');
    style('--rigcast-error-background', 'rgb(20, 0, 0)');
    style('--rigcast-error-color', 'rgb(255, 200, 200)');
    const element = add({ ...PIP, controls: '' });
    await element.ready;
    await expect.poll(() => element.shadowRoot!.querySelector("[part='toolbar']")).not.toBeNull();
    const color = (name: string): string => getComputedStyle(part(element, name)).color;
    const ground = (name: string): string => getComputedStyle(part(element, name)).backgroundColor;
    expect([getComputedStyle(element).backgroundColor, ground('progress-bar')]).toEqual(['rgb(9, 8, 7)', 'rgb(1, 2, 3)']);
    expect([ground('toolbar'), color('toolbar'), color('play-button')]).toEqual([
      'rgb(4, 5, 6)',
      'rgb(250, 251, 252)',
      'rgb(250, 251, 252)',
    ]);
    expect([ground('error'), color('error')]).toEqual(['rgb(20, 0, 0)', 'rgb(255, 200, 200)']);
  });

  it('colour the floor grid and its shadow', async () => {
    const floor = async (): Promise<number[]> => {
      const element = add({ src: demo('Pip.psk'), ground: '', shadow: 'none', 'camera-orbit': '0deg 60deg 300%' });
      const found = await mean(element);
      element.remove();
      return found;
    };
    style('--rigcast-grid', 'rgb(0, 0, 255)');
    const blue = await floor();
    style('--rigcast-grid', 'rgb(255, 0, 0)');
    const red = await floor();
    expect([red[0]! > blue[0]! + 0.02, red[2]! < blue[2]! - 0.02]).toEqual([true, true]);
    style('--rigcast-grid-opacity', '0');
    expect((await floor())[3]).toBeLessThan(red[3]! * 0.9);
    const shadow = async (): Promise<number> => {
      const element = add({ src: demo('Pip.psk'), 'camera-orbit': '0deg 40deg 200%' });
      const [, , , all] = await mean(element);
      element.remove();
      return all!;
    };
    style('--rigcast-shadow-opacity', '0');
    const without = await shadow();
    style('--rigcast-shadow-opacity', '1');
    expect(await shadow()).toBeGreaterThan(without * 1.02);
  });

  it('colour recorded hands', async () => {
    const hands = async (color: string): Promise<number[]> => {
      style('--rigcast-skin', color);
      const element = add({ src: demo('wavingHands.bin'), time: '1', shadow: 'none' });
      await expect.poll(() => drawn(element), { timeout: 20_000 }).toBeGreaterThan(0.002);
      const found = await mean(element);
      element.remove();
      return found;
    };
    const [red, green] = [await hands('rgb(255, 0, 0)'), await hands('rgb(0, 255, 0)')];
    expect([red[0]! > green[0]!, green[1]! > red[1]!]).toEqual([true, true]);
  });

  it('fade hotspots that face away', async () => {
    style('--rigcast-hotspot-opacity', '0.125');
    const element = add({ ...PIP, 'camera-orbit': '0deg 90deg auto' });
    const label = document.createElement('b');
    label.slot = 'hotspot-1';
    Object.assign(label.dataset, { position: '0m 50cm 0m', normal: '0m 0m -1m' });
    element.append(label);
    await element.ready;
    const opacity = (): string => getComputedStyle(inside(element, '.hotspot')).opacity;
    await expect.poll(() => element.shadowRoot!.querySelector('.hotspot')).not.toBeNull();
    await expect.poll(opacity).toBe('0.125');
    label.dataset['normal'] = '0m 0m 1m';
    await expect.poll(opacity).toBe('1');
  });

  it('are all tested here', () => expect([...tried].toSorted()).toEqual(Object.keys(CSS_PROPERTIES).toSorted()));
});

it('a style sheet can select every state', async () => {
  sheet.textContent = Object.keys(STATES)
    .map((name, i) => `rigcast-viewer:state(${name}) { z-index: ${i + 1} }`)
    .join('\n');
  const element = add({ ...PIP, autoplay: '' });
  element.style.position = 'relative';
  const depth = (): number => Number(getComputedStyle(element).zIndex) - 1;
  const names = Object.keys(STATES);
  const loading: number[] = [];
  element.addEventListener('progress', () => loading.push(depth()));
  await element.ready;
  expect(loading).toContain(names.indexOf('loading'));
  expect(depth()).toBe(names.indexOf('playing'));
  element.pause();
  expect(depth()).toBe(names.indexOf('ready'));
  element.src = demo('nobody.psk');
  await once(element, 'error');
  expect(depth()).toBe(names.indexOf('error'));
});

describe('the toolbar', () => {
  const wide = async (attributes: Record<string, string>): Promise<Viewer> => {
    const element = add({ ...attributes, controls: '' });
    element.style.width = '600px';
    await element.ready;
    await expect.poll(() => element.shadowRoot!.querySelector("[part='toolbar']")).not.toBeNull();
    return element;
  };

  it('sets the speed, shows the time and event markers, and resets the camera', async () => {
    const element = await wide(NOTES);
    const motion = element.animations.find(({ events }) => events.some(({ time }) => time > 0))!;
    element.animation = JSON.stringify([motion.name]);
    await frame();
    const speed = part(element, 'speed-menu') as HTMLSelectElement;
    const changed = once(element, 'ratechange');
    speed.value = '2';
    speed.dispatchEvent(new Event('change'));
    await changed;
    expect([element.speed, element.getAttribute('speed'), speed.value]).toEqual([2, '2', '2']);
    element.seek(element.duration);
    const length = element.duration.toFixed(1);
    expect(part(element, 'time-display').textContent).toBe(`${length} / ${length} s`);
    const marks = [...element.shadowRoot!.querySelectorAll<HTMLElement>("[part='event-marker']")];
    expect(marks.map(({ title }) => title)).toEqual(motion.events.map(({ name }) => name));
    const before = String(element.getCameraOrbit());
    const { view } = await element.ready;
    view.cameraRig.orbitBy(1, 0);
    expect(String(element.getCameraOrbit())).not.toBe(before);
    part(element, 'reset-button').click();
    expect(String(element.getCameraOrbit())).toBe(before);
  });

  it('hides controls without room or without an animation', async () => {
    const element = await wide(PIP);
    const shown = (...names: string[]): boolean[] => names.map(name => isShown(part(element, name)));
    expect(shown('animation-menu', 'time-slider', 'time-display', 'speed-menu', 'reset-button')).toEqual([true, true, true, true, true]);
    element.style.width = '380px';
    expect(shown('time-slider', 'time-display', 'speed-menu')).toEqual([true, false, true]);
    element.style.width = '300px';
    expect(shown('time-slider', 'speed-menu', 'reset-button')).toEqual([true, false, true]);
    element.style.width = '200px';
    expect(shown('play-button', 'time-slider', 'animation-menu', 'reset-button')).toEqual([true, true, false, false]);
    element.style.width = '600px';
    element.animation = '';
    await expect.poll(() => shown('play-button', 'animation-menu', 'time-slider', 'time-display')).toEqual([true, true, false, false]);
    element.files = null;
    await once(element, 'load');
    expect(shown('play-button', 'animation-menu', 'reset-button')).toEqual([false, false, true]);
  });
});

describe('the camera', () => {
  const degrees = (radians: number): number => (radians * 180) / Math.PI;

  it('stays within its limits for attributes and input', async () => {
    const element = add({
      ...PIP,
      'interpolation-decay': '0',
      'camera-orbit': '120deg 20deg 9m',
      'min-camera-orbit': '-30deg 60deg 1.5m',
      'max-camera-orbit': '45deg 80deg 4m',
    });
    const { view } = await element.ready;
    const orbit = (): number[] => {
      const { theta, phi, radius } = element.getCameraOrbit()!;
      return [degrees(theta), degrees(phi), radius].map(value => Number(value.toFixed(3)));
    };
    expect(orbit()).toEqual([45, 60, 4]);
    view.cameraRig.orbitBy(-3, 2, 0.01);
    await frame();
    expect(orbit()).toEqual([-30, 80, 1.5]);
    await view.cameraRig.enableControls();
    view.cameraRig.orbitBy(3, -2, 100);
    await frame();
    expect(orbit()).toEqual([45, 60, 4]);
    element.minCameraOrbit = 'auto 30deg auto';
    await frame();
    expect(orbit()[1]).toBe(30);
  });

  it('shows each named view', async () => {
    const element = add({ ...PIP, animation: '', 'interpolation-decay': '0' });
    await element.ready;
    const angles = async (view: string | null): Promise<number[]> => {
      element.view = view;
      await frame();
      const { theta, phi } = element.getCameraOrbit()!;
      return [Math.round(degrees(theta) + 360) % 360, Math.round(degrees(phi))];
    };
    const [front] = await angles('front');
    const from = (turn: number): number => (front! + turn + 360) % 360;
    expect(await angles('back')).toEqual([from(180), 90]);
    expect(await angles('left')).toEqual([from(90), 90]);
    expect(await angles('right')).toEqual([from(-90), 90]);
    expect(await angles('side')).toEqual([from(90), 90]);
    expect((await angles('top'))[1]).toBeLessThan(2);
    expect((await angles(null))[1]).toBeLessThan(90);
  });
});

it('a flag property accepts an empty text, which frameworks set', () => {
  const element = add();
  Object.assign(element, { autoplay: '', controls: true, ground: false });
  expect(['autoplay', 'controls', 'ground'].map(name => element.hasAttribute(name))).toEqual([true, true, false]);
});
