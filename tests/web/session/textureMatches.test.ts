// Suggestions of images for materials whose names match no image.
import type { MeshStandardMaterial } from 'three';
import { describe, expect, test } from 'vitest';
import type { InputFile } from '../../../web/src/session/inputFile.ts';
import { suggestImages } from '../../../web/src/session/textureMatches.ts';
import { makePsk } from '../../support/actorx.ts';
import { tga } from '../../support/images.ts';
import { TestSession } from './support.ts';

const suggested = (materials: Record<string, number>, images: Record<string, number>, model = 'hero.psk'): string[] =>
  suggestImages(
    Object.entries(materials).map(([name, triangles]) => ({ name, triangles })),
    Object.entries(images).map(([path, size]) => ({ path, size })),
    model,
  ).map(({ material, slot, image, by }) => `${image} → ${material} ${slot}, ${by}`);

describe('suggested images', () => {
  test('have similar names, whatever their prefixes and suffixes are', () => {
    expect(suggested({ Upper_Body_MAT: 9, MI_Face: 5 }, { 'tex/T_Face_Old_D.png': 1, 'tex/body_diffuse.tga': 2 })).toEqual([
      'tex/body_diffuse.tga → Upper_Body_MAT baseColor, name',
      'tex/T_Face_Old_D.png → MI_Face baseColor, name',
    ]);
  });

  test('are paired by size if names are equally similar', () => {
    expect(suggested({ Body_A: 5, Body_B: 9 }, { 'body_small_D.png': 1, 'body_large_D.png': 2 })).toEqual([
      'body_large_D.png → Body_B baseColor, name',
      'body_small_D.png → Body_A baseColor, name',
    ]);
  });

  test('are paired by size alone only if as many images as materials remain', () => {
    expect(suggested({ Torso: 5, Face: 9 }, { 'x.png': 1, 'y.png': 2 })).toEqual([
      'y.png → Face baseColor, size',
      'x.png → Torso baseColor, size',
    ]);
    expect(suggested({ Torso: 5, Face: 9 }, { 'x.png': 1, 'y.png': 2, 'z.png': 3 })).toEqual([]);
  });

  test('may have the name of the model', () => {
    expect(suggested({ Material0: 5 }, { 'Hero_D.png': 1, 'wolf.png': 2 })).toEqual(['Hero_D.png → Material0 baseColor, name']);
  });

  test('of other slots follow the base colour image', () => {
    expect(
      suggested({ Torso: 5, Face: 9 }, { 'big_D.png': 2, 'tiny_D.png': 1, 'tiny_N.png': 1, 'big_ORM.png': 1, 'else_N.png': 1 }),
    ).toEqual([
      'big_D.png → Face baseColor, size',
      'tiny_D.png → Torso baseColor, size',
      'tiny_N.png → Torso normal, name',
      'big_ORM.png → Face orm, name',
    ]);
  });
});

test('an assigned image is drawn and is no longer unused when the model is opened', async () => {
  const inputFile = (path: string, bytes: Uint8Array): InputFile => ({
    path,
    file: new File([bytes as Uint8Array<ArrayBuffer>], path.split('/').at(-1)!),
  });
  const picture = tga(1, 1, () => [1, 2, 3, 255]);
  const page = new TestSession();
  page.dispatch({
    type: 'assign-image',
    assignment: { path: 'game/a/other.psk', isShared: true, material: 'Torso', slot: 'baseColor', image: 'game/tex/skin.tga' },
  });
  await page.drop([
    inputFile('game/b/hero.psk', makePsk({ side: 6, materials: ['Torso', 'Face'] })),
    ...['game/tex/skin.tga', 'game/tex/more.tga', 'game/tex/most.tga'].map(path => inputFile(path, picture)),
  ]);
  const maps = [0, 1].map(row => (page.model!.rig.materialsOf(row)[0] as MeshStandardMaterial).map?.name);
  expect(maps).toEqual(['skin.tga', undefined]);
  expect(page.session.shown!.untexturedMaterials).toEqual(['Face']);
  expect(page.session.shown!.unusedImages).toEqual(['more.tga', 'most.tga']);
});
