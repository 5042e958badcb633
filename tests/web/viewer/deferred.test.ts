// Deferred effects run in later tasks, all other effects immediately.
import { signal } from '@preact/signals-core';
import { expect, test } from 'vitest';
import { batchDeferred, deferredEffect } from '../../../web/src/viewer/deferred.ts';

test('what somebody does is shown at once', () => {
  const [isOpen, name] = [signal(false), signal('Fox')];
  const shown: string[] = [];
  deferredEffect(() => void shown.push(isOpen.value ? name.value : 'closed'));
  name.value = 'Owl';
  isOpen.value = true;
  name.value = 'Bear';
  expect(shown).toEqual(['closed', 'Owl', 'Bear']);
});

test('what comes calmly is shown when that is done, many changes as one', async () => {
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

test('each panel has a task of its own', async () => {
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

test('what fails on the way does not put off everything after it', () => {
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
