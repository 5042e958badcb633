// Slots, hotspots, light, floor, bones and expressions.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SharedRenderer } from '../../../../web/src/view/sharedRenderer.ts';
import { Vector3 } from 'three';
import { add, at, demo, drawn, frame, inside, isShown, once, part } from './support.ts';

const PIP = { src: demo('Pip.psk'), files: `${demo('Pip.psa')} ${demo('Pip_D.png')}` };

afterEach(() => document.querySelectorAll('rigcast-viewer').forEach(element => element.remove()));

describe('slots', () => {
  it('replace the built-in content', async () => {
    const element = add({ ...PIP, controls: '' });
    for (const name of ['poster', 'progress', 'error', 'toolbar']) {
      const child = document.createElement('b');
      child.slot = name;
      child.textContent = name;
      element.append(child);
    }
    const of = (name: string): string | null =>
      inside<HTMLSlotElement>(element, `slot[name='${name}']`).assignedElements()[0]?.textContent ?? null;
    expect(['poster', 'progress', 'error', 'toolbar'].map(of)).toEqual(['poster', 'progress', 'error', 'toolbar']);
    await element.ready;
    await expect.poll(() => element.shadowRoot!.querySelector("[part='toolbar']")).not.toBeNull();
    expect(isShown(part(element, 'toolbar'))).toBe(false);
  });

  it('hotspots follow bones', async () => {
    const element = add(PIP);
    const label = document.createElement('b');
    label.slot = 'hotspot-1';
    label.textContent = '•';
    element.append(label);
    const { rig, view } = await element.ready;
    const bone = rig.nodes.filter(node => 'isBone' in node).at(-1)!;
    label.dataset['bone'] = bone.name.toUpperCase();
    const isThere = (): boolean => {
      const { left, top } = element.getBoundingClientRect();
      const box = label.getBoundingClientRect();
      const point = bone.getWorldPosition(new Vector3()).project(view.cameraRig.active);
      const x = left + ((point.x + 1) / 2) * 160;
      const y = top + ((1 - point.y) / 2) * 120;
      return Math.hypot((box.left + box.right) / 2 - x, (box.top + box.bottom) / 2 - y) < 2;
    };
    await expect.poll(isThere, { timeout: 20_000 }).toBe(true);
    const before = label.getBoundingClientRect().left;
    element.cameraOrbit = '120deg 60deg 100%';
    await expect.poll(() => label.getBoundingClientRect().left === before, { timeout: 20_000 }).toBe(false);
    expect(isThere()).toBe(true);
    label.dataset['bone'] = 'no such bone';
    await expect.poll(() => isShown(label)).toBe(false);
    delete label.dataset['bone'];
    label.dataset['position'] = '0m 50cm 0m';
    await expect.poll(() => isShown(label)).toBe(true);
    // A hotspot on a surface fades out while the surface faces away from the camera.
    const opacity = (): string => getComputedStyle(inside(element, '.hotspot')).opacity;
    label.dataset['normal'] = '1m 0m 0m';
    await expect.poll(opacity).toBe('1');
    label.dataset['normal'] = '-1m 0m 0m';
    await expect.poll(opacity).toBe('0.25');
    element.cameraOrbit = '-90deg 90deg 100%';
    await expect.poll(opacity, { timeout: 20_000 }).toBe('1');
    label.remove();
    await expect.poll(() => element.shadowRoot!.querySelector('.hotspot')).toBeNull();
  });
});

it('a page for model-viewer works after the tag is renamed', async () => {
  const holder = document.createElement('div');
  holder.innerHTML = `
    <model-viewer src="${at('tests/web/browser/element/folder/sail.gltf')}" alt="A sail" poster="" loading="eager" reveal="auto" camera-controls touch-action="pan-y"
      camera-orbit="30deg 75deg 4m" camera-target="0m 0.5m 0m" field-of-view="40deg" min-camera-orbit="auto auto 3m" max-camera-orbit="auto 90deg 5m" min-field-of-view="20deg"
      max-field-of-view="45deg" auto-rotate exposure="0.8" shadow-intensity="1" shadow-softness="0.5" autoplay animation-name="Rise" interaction-prompt="none" ar ar-modes="webxr scene-viewer" environment-image="neutral"
      style="width: 160px; height: 120px">
      <button slot="hotspot-top" data-position="0m 1m 0m" data-normal="0m 0m 1m">Top</button>
    </model-viewer>`.replaceAll('model-viewer', 'rigcast-viewer');
  const element = holder.querySelector('rigcast-viewer')!;
  const onError = vi.fn();
  element.addEventListener('error', onError);
  document.body.append(holder);
  const { view } = await element.ready;
  const turned = (angle: number): number => (angle * Math.PI) / 180;
  const theta = (): number => element.getCameraOrbit()!.theta;
  expect(theta()).toBeCloseTo(turned(30), 0);
  expect(element.animations.map(({ name }) => name)).toEqual(['Rise']);
  await expect.poll(() => element.time > 0, { timeout: 20_000 }).toBe(true);
  const { phi, radius } = element.getCameraOrbit()!;
  expect(phi).toBeCloseTo(turned(75));
  expect(radius).toBeCloseTo(4);
  await expect.poll(theta, { timeout: 20_000 }).toBeLessThan(turned(30)); // the camera orbits automatically
  expect([view.cameraRig.camera.fov, view.exposure]).toEqual([40, 0.8]);
  await expect.poll(() => drawn(element), { timeout: 20_000 }).toBeGreaterThan(0.005);
  await expect.poll(() => isShown(holder.querySelector('button')!), { timeout: 20_000 }).toBe(true);
  expect(part(element, 'viewport').getAttribute('aria-label')).toBe('A sail');
  expect(onError).not.toHaveBeenCalled();
  holder.remove();
});

it('adds keys that look additive to the rest pose, unless additive is as-stated', async () => {
  const element = add({ src: at('tests/data/unreal/arm.psk'), files: at('tests/data/unreal/arm-additive.psa'), animation: '0' });
  const { rig } = await element.ready;
  const bone = rig.nodes.findLast(node => 'isBone' in node)!;
  const length = (): number => bone.position.length();
  const rest = length();
  expect(rest).toBeGreaterThan(0.1);
  element.additive = 'as-stated';
  await expect.poll(length).toBeLessThan(0.5 * rest);
  element.additive = 'rest';
  await expect.poll(length).toBeCloseTo(rest, 5);
  element.additive = 'as-stated';
  await expect.poll(length).toBeLessThan(0.5 * rest);
  element.additive = null;
  await expect.poll(length).toBeCloseTo(rest, 5);
  element.remove();
});

describe('the picture', () => {
  /** Returns the mean of all channels of the picture. */
  const brightness = async (element: ReturnType<typeof add>): Promise<number> => {
    const { view } = await element.ready;
    await expect.poll(async () => (await frame(), view.isDirty || view.environmentShare < 1), { timeout: 20_000 }).toBe(false);
    const canvas = inside<HTMLCanvasElement>(element, 'canvas');
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
    return data.reduce((sum, value, i) => (i % 4 === 3 ? sum : sum + value), 0) / data.length;
  };

  it('changes with the attributes exposure, ground, shadow and skeleton', async () => {
    const element = add({ ...PIP, animation: '', shadow: 'none' });
    const plain = await brightness(element);
    const { view } = await element.ready;
    const bare = drawn(element);
    element.exposure = 2;
    await frame();
    expect(await brightness(element)).toBeGreaterThan(plain * 1.1);
    element.exposure = 1;
    await frame();
    expect(await brightness(element)).toBeCloseTo(plain);
    element.ground = true;
    await frame();
    expect(await brightness(element)).toBeGreaterThan(plain);
    element.ground = false;
    element.shadow = '1';
    await frame();
    await brightness(element);
    expect(drawn(element)).toBeGreaterThan(bare);
    element.shadow = 'none';
    element.skeleton = true;
    await expect.poll(() => view.overlays.children.length).toBe(1); // the overlay module is loaded on first use
    await frame();
    expect(await brightness(element)).not.toBeCloseTo(plain);
    element.skeleton = false;
    await frame();
    expect(view.overlays.children).toHaveLength(0);
    expect(await brightness(element)).toBeCloseTo(plain);
  });

  it('shows facial expressions', async () => {
    const element = add({ src: demo('Lotl.vgo'), expression: 'blink:1' });
    const { rig } = await element.ready;
    const [name] = rig.expressions.names.filter(each => each.toLowerCase() === 'blink');
    expect(rig.expressions.get(name!)).toBe(1);
    element.expression = null;
    await frame();
    expect(rig.expressions.get(name!)).toBe(0);
  });

  it('shows recorded hands, and the view of the recorded camera', async () => {
    const element = add({ src: demo('wavingHands.bin'), time: '1' });
    const { view } = await element.ready;
    expect(view.content!.getObjectByName('recording')).toBeDefined();
    await expect.poll(() => drawn(element), { timeout: 20_000 }).toBeGreaterThan(0.002);
    expect(view.cameraRig.externalCamera).toBeNull();
    element.view = 'recorded';
    await frame();
    expect(view.cameraRig.externalCamera).not.toBeNull();
    element.view = null;
    await frame();
    expect(view.cameraRig.externalCamera).toBeNull();
  });

  it('rotates with auto-rotate', async () => {
    const element = add({ ...PIP, 'auto-rotate': '' });
    await element.ready;
    const { theta } = element.getCameraOrbit()!;
    await expect.poll(() => Math.abs(element.getCameraOrbit()!.theta - theta), { timeout: 20_000 }).toBeGreaterThan(0.05);
    element.autoRotate = false;
    const { view } = await element.ready;
    await expect.poll(async () => (await frame(), view.isDirty || view.environmentShare < 1), { timeout: 20_000 }).toBe(false);
  });
});

it('fires animationevent at the time of the event', async () => {
  const element = add({ src: at('tests/data/cast/everything.cast') });
  await element.ready;
  const motion = element.animations.find(({ events }) => events.some(({ time }) => time > 0))!;
  element.animation = JSON.stringify([motion.name]);
  await frame();
  const fired = once<{ name: string; animation: string }>(element, 'animationevent');
  await element.play();
  const { name, animation: of } = await fired;
  expect(motion.events.map(event => event.name)).toContain(name);
  expect(of).toBe(motion.name);
});

it('removed elements leave no view in the shared renderer', () => expect(SharedRenderer.shared().size).toBe(0));
