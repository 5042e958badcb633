// Accessibility of the element in both themes, checked with axe.
import axe from 'axe-core';
import { afterEach, describe, expect, it } from 'vitest';
import { cdp } from 'vitest/browser';
import { add, demo, once, part } from './support.ts';

const session = cdp() as unknown as { send(method: string, params: object): Promise<unknown> };
const theme = (value: string): Promise<unknown> =>
  session.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] });

afterEach(async () => {
  document.querySelectorAll('rigcast-viewer').forEach(element => element.remove());
  document.documentElement.removeAttribute('style');
  await theme('');
});

/** Returns violations by rule and element, including best practices and contrast. */
async function violationsOf(element: Element): Promise<string[]> {
  const { violations, passes } = await axe.run(element, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  });
  expect(passes.length).toBeGreaterThan(3);
  return violations
    .filter(({ id }) => id !== 'region') // landmarks are the task of the page
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

it('a model is printed without its controls', async () => {
  const element = add({ src: demo('Pip.psk'), controls: '', ar: '', 'interaction-prompt': 'auto' });
  await element.ready;
  const prompt = (): Element | null => element.shadowRoot!.querySelector("[part='prompt']");
  await expect.poll(prompt, { timeout: 20_000 }).not.toBeNull();
  part(element, 'ar-button').hidden = false; // this device has no AR
  const parts = ['canvas', 'controls', 'ar-button', 'prompt'];
  const shown = (): string[] => parts.filter(name => getComputedStyle(part(element, name)).display !== 'none');
  expect(shown()).toEqual(parts);
  await session.send('Emulation.setEmulatedMedia', { media: 'print' });
  expect(shown()).toEqual(['canvas']);
  await session.send('Emulation.setEmulatedMedia', { media: '' });
});

describe.each(['light', 'dark'])('in the %s theme', scheme => {
  const shown = async (attributes: Record<string, string>) => {
    await theme(scheme);
    document.documentElement.style.cssText = 'color-scheme: light dark; background: Canvas';
    const element = add(attributes);
    element.style.width = '360px';
    element.style.height = '240px';
    return element;
  };

  it('a model with toolbar, skeleton and hotspot has no violations', async () => {
    const element = await shown({ src: demo('Pip.psk'), files: demo('Pip.psa'), controls: '', alt: 'A fox' });
    const spot = document.createElement('button');
    spot.slot = 'hotspot-1';
    spot.textContent = 'Here';
    spot.dataset['position'] = '0 0 0';
    element.append(spot);
    await element.ready;
    await expect.poll(() => element.shadowRoot!.querySelector("[part='toolbar']")).not.toBeNull();
    await expect.poll(() => element.shadowRoot!.querySelector('.hotspot')).not.toBeNull();
    const ink = getComputedStyle(part(element, 'toolbar')).color;
    expect(ink).toBe(scheme === 'light' ? 'rgb(0, 0, 0)' : 'rgb(255, 255, 255)');
    expect(part(element, 'time-slider').getBoundingClientRect().width).toBeGreaterThan(90); // usable at the width of a phone
    expect(await violationsOf(element)).toEqual([]);
  });

  it('a poster as button has no violations', async () => {
    const element = await shown({ src: demo('Pip.psk'), reveal: 'interaction', poster: demo('Pip_D.png'), alt: 'A fox' });
    expect(await violationsOf(element)).toEqual([]);
  });

  it('an error message has no violations', async () => {
    const element = await shown({ src: demo('nobody.psk') });
    await once(element, 'error');
    expect(getComputedStyle(part(element, 'error')).backgroundColor).toBe(scheme === 'light' ? 'rgb(251, 233, 231)' : 'rgb(58, 29, 26)');
    expect(await violationsOf(element)).toEqual([]);
  });
});
