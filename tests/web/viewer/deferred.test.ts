// Tests that deferred effects run in later tasks and all other effects run immediately.
import { signal } from '@preact/signals-core';
import { expect, test } from 'vitest';
import { batchDeferred, deferredEffect } from '../../../web/src/viewer/deferred.ts';

test('runs deferred effects immediately outside of a deferred batch', () => {
  const [isOpen, name] = [signal(false), signal('Fox')];
  const shown: string[] = [];
  deferredEffect(() => void shown.push(isOpen.value ? name.value : 'closed'));
  name.value = 'Owl';
  isOpen.value = true;
  name.value = 'Bear';
  expect(shown).toEqual(['closed', 'Owl', 'Bear']);
});

test('runs an effect once after a deferred batch with several changes', async () => {
  const [isOpen, name] = [signal(true), signal('Fox')];
  const shown: string[] = [];
  deferredEffect(() => void shown.push(isOpen.value ? name.value : 'closed'));
  const done = batchDeferred(() => {
    name.value = 'Owl';
    name.value = 'Bear';
  });
  expect(shown).toEqual(['Fox']);
  name.value = 'Lynx';
  await done;
  expect(shown).toEqual(['Fox', 'Lynx']);
  name.value = 'Hare';
  expect(shown).toEqual(['Fox', 'Lynx', 'Hare']);
});

test('runs each deferred effect in a task of its own', async () => {
  const size = signal(1);
  const order: string[] = [];
  const note = (): void => {
    order.push('shown');
    queueMicrotask(() => order.push('end of the task'));
  };
  for (let i = 0; i < 2; i++) deferredEffect(() => void (size.value > 1 && note()));
  await batchDeferred(() => (size.value = 2));
  expect(order).toEqual(['shown', 'end of the task', 'shown', 'end of the task']);
});

test('runs later effects immediately after a batch has failed', () => {
  const size = signal(1);
  const shown: number[] = [];
  deferredEffect(() => void shown.push(size.value));
  expect(() =>
    batchDeferred(() => {
      throw new Error('no model');
    }),
  ).toThrow('no model');
  size.value = 2;
  expect(shown).toEqual([1, 2]);
});
