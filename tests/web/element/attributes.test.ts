// Values of camera attributes and URLs, and the import on a server.
import { Vector3 } from 'three';
import { parseInteraction } from '../../../web/src/element/input.ts';
import { describe, expect, it } from 'vitest';
import { folderOf, parseOrigins, decodePath, parseUrl } from '../../../web/src/element/urls.ts';
import { limitsOf, cameraPlacementOf } from '../../../web/src/element/cameraAttributes.ts';

const NOTHING = { orbit: null, target: null, fieldOfView: null, minFieldOfView: null, maxFieldOfView: null, view: null };
const LOOK = new Vector3(0, 0, 1);
const place = (words: Partial<typeof NOTHING> | Record<string, string>, front = 0) =>
  cameraPlacementOf({ ...NOTHING, ...words }, LOOK, front);

describe('camera attributes', () => {
  it('accept angles, lengths and percentages', () => {
    const { direction, distance } = place({ orbit: '90deg 1.5707963rad 2.5m' });
    expect(direction!.toArray()).toEqual([1, 0, 0].map(value => expect.closeTo(value, 5) as number));
    expect(distance).toEqual({ metres: 2.5 });
    expect(place({ orbit: '0deg 75deg 105%' }).distance).toEqual({ share: 1.05 });
    expect(place({ orbit: 'auto auto 150cm' })).toEqual({ distance: { metres: 1.5 } });
    expect(place({ target: '1m 20cm 5mm' }).target!.toArray()).toEqual([1, 0.2, 0.005]);
    expect(place({ target: 'auto 1m auto' }).target!.toArray()).toEqual([Number.NaN, 1, Number.NaN]);
    expect(place({ fieldOfView: '45deg' }).fieldOfView).toBeCloseTo(45);
    expect(place({ fieldOfView: '45deg', maxFieldOfView: '40deg' }).fieldOfView).toBeCloseTo(40);
    expect(place({ fieldOfView: '10deg', minFieldOfView: '12deg', maxFieldOfView: '40deg' }).fieldOfView).toBeCloseTo(12);
    expect(place({ maxFieldOfView: '20deg' }).fieldOfView).toBeCloseTo(20);
    expect(place({ minFieldOfView: '20deg', maxFieldOfView: 'auto' }).fieldOfView).toBeUndefined();
    expect(place({ fieldOfView: '50deg', minFieldOfView: '70deg', maxFieldOfView: '40deg' }).fieldOfView).toBeCloseTo(70);
    expect(place({ fieldOfView: '200deg' }).fieldOfView).toBeUndefined();
    expect(place({ target: '0 1m 0' }).target!.toArray()).toEqual([0, 1, 0]);
    expect([place({ orbit: 'auto auto -5%' }).distance, place({ orbit: 'auto auto 0m' }).distance]).toEqual([undefined, undefined]);
  });

  it('use the default direction for a missing angle', () => {
    const { direction } = cameraPlacementOf({ ...NOTHING, orbit: '90deg' }, new Vector3(0, 0.5, Math.sqrt(0.75)), 0);
    expect(direction!.y).toBeCloseTo(0.5);
    expect(direction!.x).toBeCloseTo(Math.sqrt(0.75));
  });

  it('resolve named views from the front of the model, unless camera-orbit is set', () => {
    expect(place({ view: 'front' }, Math.PI).direction!.z).toBeCloseTo(-1);
    expect(place({ view: 'top' }).direction!.y).toBeCloseTo(1, 3);
    expect(place({ view: 'front', orbit: '90deg 90deg' }).direction!.x).toBeCloseTo(1);
  });

  it.each(['', 'auto', 'auto auto auto', 'nonsense', '1e999deg', '10 20 30', '-3m', 'calc(30deg + 1rad)', 'constructor toString'])(
    'ignore the invalid value %j',
    text => {
      const { direction, distance, target, fieldOfView } = place({ orbit: text, target: text, fieldOfView: text, view: text });
      for (const value of [...(direction?.toArray() ?? []), fieldOfView ?? 1]) expect(Number.isFinite(value)).toBe(true);
      expect([distance, target?.x ?? 0].every(value => value === undefined || value === 0 || value === -3)).toBe(true);
    },
  );

  it('accept limits in the same syntax', () => {
    expect(limitsOf('-30deg 45deg 1m', '30deg auto 300cm')).toEqual({
      azimuth: [-Math.PI / 6, Math.PI / 6].map(value => expect.closeTo(value, 5) as number),
      polar: [Math.PI / 4, Math.PI].map(value => expect.closeTo(value, 1) as number),
      distance: [1, 3],
    });
    expect(limitsOf(null, 'auto auto 50%').distance).toEqual([null, null]);
  });
});

it('reads an unknown value of interaction as auto', () => {
  expect(['auto', 'always', 'none', 'Always', '', null].map(parseInteraction)).toEqual(['auto', 'always', 'none', 'auto', 'auto', 'auto']);
});

describe('URLs', () => {
  it('return the folder of a URL, or an empty text', () => {
    expect(folderOf('https://a.example/models/hero.psk?x=/y/')).toBe('https://a.example/models/');
    expect(folderOf('blob:https://a.example/0a-1b')).toBe('');
    expect(folderOf('data:,x')).toBe('');
  });

  it('decode paths and keep invalid escapes', () => {
    expect(decodePath('/models/100%/a%20b%23c.psk')).toBe('models/100%/a b#c.psk');
    expect(decodePath('%E4.psk')).toBe('%E4.psk');
    expect(() => parseUrl('http://[', 'https://a.example/')).toThrow('“http://[” is not a valid URL.');
    expect(parseUrl('b/c.psk', 'https://a.example/x/').href).toBe('https://a.example/x/b/c.psk');
  });

  it('reduce allow-origins to origins and skip invalid words', () => {
    expect([...parseOrigins('https://a.example/x nonsense http://b.example:8080')]).toEqual(['https://a.example', 'http://b.example:8080']);
  });
});

it('can be imported on a server, without three.js and without a DOM', async () => {
  expect('customElements' in globalThis).toBe(false);
  const { RigcastViewerElement } = await import('../../../web/src/element/index.ts');
  expect(RigcastViewerElement.observedAttributes).toContain('src');
});
