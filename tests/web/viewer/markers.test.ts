// The JSON file of markers.
import { expect, it } from 'vitest';
import { markersJson, MAX_MARKERS, MAX_NAME, parseMarkers } from '../../../web/src/viewer/drawer/markers.ts';

const whole = { start: 0, end: 2 };
const parse = (content: unknown): ReturnType<typeof parseMarkers> => parseMarkers(JSON.stringify(content), whole);

it('returns the markers that were written, sorted by time', () => {
  const [hit, step] = [
    { time: 1.5, name: 'hit' },
    { time: 0.25, name: 'step' },
  ];
  const text = markersJson('Walk', [hit, step]);
  expect(JSON.parse(text)).toEqual({ animation: 'Walk', markers: [step, hit] });
  expect(parseMarkers(text, whole)).toEqual([step, hit]);
});

it('omits markers outside of the animation, and shortens names', () => {
  const markers = [-1, 0, 2, 2.1].map(time => ({ time, name: 'x'.repeat(500) }));
  expect(parse({ markers })).toEqual([0, 2].map(time => ({ time, name: 'x'.repeat(MAX_NAME) })));
  expect(parse({ markers: Array.from({ length: MAX_MARKERS + 5 }, () => ({ time: 1, name: '' })) })).toHaveLength(MAX_MARKERS);
});

it.each([null, 7, [], {}, { markers: 7 }, { markers: [null] }, { markers: [{ time: '1', name: 'a' }] }, { markers: [{ time: 1 }] }])(
  'rejects the content %j',
  content => {
    expect(parse(content)).toBeNull();
  },
);

it('rejects a text that is not JSON', () => {
  expect(parseMarkers('{', whole)).toBeNull();
  expect(parseMarkers('{"markers":[{"time":1e999,"name":"a"}]}', whole)).toBeNull();
});
