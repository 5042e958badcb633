// Tests the pages of a gallery without a browser.
import { expect, test } from 'vitest';
import { type ModelPage, modelPage } from '../../../web/src/cli/gallery/modelPage.ts';

const made = { name: 'hero.glb', byteLength: 1, reason: '', losses: [] };
const page: ModelPage = {
  slug: 'hero',
  title: 'hero',
  facts: {
    file: 'hero.psk',
    format: 'psk',
    byteLength: 1,
    meshes: [],
    vertices: 0,
    triangles: 0,
    instances: 0,
    bones: [],
    skeleton: '',
    morphs: [],
    materials: [],
    animations: [],
    isBody: false,
    notBody: null,
    reports: [],
  },
  files: [{ path: 'hero.psk', byteLength: 1 }],
  picture: made,
  glb: made,
  vrm: null,
  site: 'Models',
  url: null,
  codes: new Map(),
};

test('names what a download lacks, as text', () => {
  const losses = [
    { code: 'FEATURE_LOST', path: 'gaze', amount: 1, detail: '' },
    { code: 'FEATURE_LOST', path: '<img src=x>', amount: 2, detail: '' },
    { code: 'MATERIAL_REDUCED', path: 'Skin', amount: 1, detail: 'mtoon' },
  ];
  const text = modelPage({ ...page, glb: { ...made, losses } });
  for (const detail of ['gaze (1 feature)', '&lt;img src=x&gt; (2 features)', 'Skin: mtoon (1 material)'])
    expect(text).toContain(`<bdi>${detail}</bdi>`);
  expect(text).not.toContain('<img src=x>');
});
