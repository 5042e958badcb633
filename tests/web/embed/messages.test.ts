// Commands that embed.html accepts as messages, and the origins that may send them.
import { expect, it } from 'vitest';
import { commandOf, isAllowed } from '../../../web/src/embed/messages.ts';

it.each([
  [{ rigcast: 'play', extra: 1 }, { rigcast: 'play' }],
  [{ rigcast: 'connect' }, { rigcast: 'connect' }],
  [
    { rigcast: 'seek', time: 1.5 },
    { rigcast: 'seek', time: 1.5 },
  ],
  [
    { rigcast: 'animation', animation: 'Run, Wave' },
    { rigcast: 'animation', animation: 'Run, Wave' },
  ],
])('%j is a command', (data, command) => expect(commandOf(data)).toEqual(command));

it.each([null, undefined, 'play', 3, [], {}, { type: 'play' }])('%j is not addressed to the page', data =>
  expect(commandOf(data)).toBe(null),
);

it.each([
  [{ rigcast: 'seek', time: '1' }, 'seek: “time” must be a number of seconds.'],
  [{ rigcast: 'seek', time: NaN }, 'seek: “time” must be a number of seconds.'],
  [{ rigcast: 'animation', animation: 3 }, 'animation: “animation” must be a text'],
  [{ rigcast: 'animation', animation: 'x'.repeat(5000) }, 'animation: “animation” must be a text'],
  [{ rigcast: 'src', src: 'other.psk' }, 'Unknown command.'],
  [{ rigcast: ['play'] }, 'Unknown command.'],
])('%j is an invalid command', (data, message) => expect(commandOf(data)).toContain(message));

it('a page may control another one of its origin, of a listed origin, or any if the list has *', () => {
  const own = 'https://models.example';
  const wiki = 'https://wiki.example';
  expect(isAllowed(own, own, [])).toBe(true);
  expect(isAllowed(wiki, own, [])).toBe(false);
  expect(isAllowed(wiki, own, [wiki])).toBe(true);
  expect(isAllowed('https://wiki.example.evil.example', own, [wiki])).toBe(false);
  expect(isAllowed('http://wiki.example', own, [wiki])).toBe(false);
  expect(isAllowed(wiki, own, ['*'])).toBe(true);
  // Every sandboxed page has the origin `null`, so a list can't name one of them.
  expect(isAllowed('null', own, ['null', wiki])).toBe(false);
  expect(isAllowed('null', own, ['*'])).toBe(true);
});
