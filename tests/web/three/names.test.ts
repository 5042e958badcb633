// Node names are valid in track names of three.js.
import { PropertyBinding } from 'three';
import { expect, it } from 'vitest';
import { nodeName } from '../../../web/src/three/names.ts';

it('follow the rules of PropertyBinding for any characters', () => {
  const all = Array.from({ length: 0x10000 }, (_, code) => `a${String.fromCharCode(code)}b`).join('');
  expect(nodeName(all)).toBe(PropertyBinding.sanitizeNodeName(all));
  expect(nodeName('Bip01 L.Hand[0]:x/y')).toBe('Bip01_LHand0xy');
});
