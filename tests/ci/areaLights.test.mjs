// The tables of area lights in bundles are those of three, with 16 bits.
import { HalfFloatType, UniformsLib } from 'three';
import { RectAreaLightUniformsLib as ofThree } from 'three/addons/lights/RectAreaLightUniformsLib.js';
import { expect, it } from 'vitest';
import { areaTables, hasAreaTables } from '../../.ci/areaLights.mjs';

it('area lights have the tables that three makes of its own, texel by texel', async () => {
  expect(hasAreaTables(import.meta.resolve('three/addons/lights/RectAreaLightUniformsLib.js'))).toBe(true);
  ofThree.init();
  const wanted = { 1: UniformsLib.LTC_HALF_1, 2: UniformsLib.LTC_HALF_2 };
  const code = (await areaTables()).replace("'three'", JSON.stringify(import.meta.resolve('three')));
  const { RectAreaLightUniformsLib: ours } = await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`);
  await ours.init();
  for (const which of [1, 2]) {
    const made = UniformsLib[`LTC_HALF_${which}`];
    expect(made).not.toBe(wanted[which]);
    expect(made.image).toEqual(wanted[which].image);
    expect(made.type).toBe(HalfFloatType);
    for (const key of ['format', 'mapping', 'wrapS', 'wrapT', 'magFilter', 'minFilter', 'anisotropy', 'version', 'flipY'])
      expect([key, made[key]]).toEqual([key, wanted[which][key]]);
    expect(UniformsLib[`LTC_FLOAT_${which}`]).toBe(made);
  }
  expect(code.length).toBeLessThan(40_000);
});
