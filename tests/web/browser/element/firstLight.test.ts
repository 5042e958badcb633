// Without a graphics card, elements appear before the environment of the page is generated. These
// tests have a page of their own, because the environment is generated once per page.
import { expect, it, vi } from 'vitest';
import { PMREMGenerator } from 'three';
import { add, demo, once } from './support.ts';

it('appears before the environment, which is generated once, although an element is removed before', async () => {
  const made = vi.spyOn(PMREMGenerator.prototype, 'fromScene');
  const removed = add({ src: demo('Tock.cast') });
  await once(removed, 'firstframe');
  expect(made).not.toHaveBeenCalled();
  removed.remove();
  const element = add({ src: demo('Tock.cast') });
  const { view } = await element.ready;
  await element.toBlob();
  expect(view.environmentShare).toBe(1);
  await expect.poll(() => view.isDirty).toBe(false);
  expect(view.scene.environment).not.toBeNull();
  expect(made).toHaveBeenCalledTimes(1);
  element.remove();
});
