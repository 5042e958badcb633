// Unity's skyboxes are drawn so that every image appears in the direction in which Unity's tools
// capture it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PerspectiveCamera, WebGLRenderer, WebGLRenderTarget } from 'three';
import { emptyReport } from '../../../../web/src/core/report.ts';
import { loadSkybox } from '../../../../web/src/three/materials/skybox.ts';
import { armScene } from '../../../support/armScene.ts';
import { unityMaterial } from '../../../support/avatarScene.ts';

/**
 * Directions of the cameras that capture the faces, by Unity's names: rotation down and to the
 * right from +z, degrees.
 */
const CAMERAS = { Left: [0, 90], Right: [0, -90], Up: [-90, 0], Down: [90, 0], Front: [0, 0], Back: [0, 180] } as const;
type Face = keyof typeof CAMERAS;
const FACES = Object.keys(CAMERAS) as Face[]; // +x −x +y −y +z −z
const SIDE = 16;

let renderer: WebGLRenderer;
beforeAll(() => void (renderer = new WebGLRenderer({ canvas: document.createElement('canvas') })));
afterAll(() => renderer.dispose());

/**
 * Returns a unique color for each quarter of each face: top left, top right, bottom left, bottom
 * right.
 */
function colorOf(face: Face, quarter: number): [number, number, number] {
  const code = 4 * FACES.indexOf(face) + quarter;
  const level = (value: number): number => [0, 188, 255][value]!;
  return [level(Math.floor(code / 9)), level(Math.floor(code / 3) % 3), level(code % 3)];
}

function paint(context: OffscreenCanvasRenderingContext2D, face: Face, column = 0, row = 0, turned = false): void {
  for (let quarter = 0; quarter < 4; quarter++) {
    const [r, g, b] = colorOf(face, turned ? 3 - quarter : quarter);
    context.fillStyle = `rgb(${r} ${g} ${b})`;
    context.fillRect((2 * column + (quarter % 2)) * (SIDE / 2), (2 * row + Math.floor(quarter / 2)) * (SIDE / 2), SIDE / 2, SIDE / 2);
  }
}

/** Paints a face with its first color in row 0, and with its second in row 1. */
function paintPlain(context: OffscreenCanvasRenderingContext2D, face: Face, column: number, row: number): void {
  const [r, g, b] = colorOf(face, row);
  context.fillStyle = `rgb(${r} ${g} ${b})`;
  context.fillRect(column * SIDE, row * SIDE, SIDE, SIDE);
}

async function picture(columns: number, rows: number, draw: (context: OffscreenCanvasRenderingContext2D) => void): Promise<Uint8Array> {
  const canvas = new OffscreenCanvas(columns * SIDE, rows * SIDE);
  draw(canvas.getContext('2d')!);
  return new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer());
}

async function sky(shader: string, pictures: Record<string, Uint8Array>, numbers: Record<string, number> = {}) {
  const names = Object.keys(pictures);
  const material = unityMaterial(
    'sky',
    'skybox',
    shader,
    { floatProperties: numbers },
    { slots: names.map((source, texture) => ({ slot: source, source, texture })) },
  );
  const texture = {
    srgb: true,
    offset: [0, 0],
    scale: [1, 1],
    uvSet: 0,
    wrapU: 'repeat',
    wrapV: 'repeat',
    filter: 'linear',
    name: '',
  } as const;
  const scene = armScene({
    materials: [material],
    textures: names.map((_, image) => ({ ...texture, image, offset: [0, 0], scale: [1, 1] })),
    images: names.map(name => ({ name, path: '', mimeType: 'image/png', bytes: pictures[name]! })),
    features: [{ kind: 'skybox', node: 0, name: '', properties: { enabled: true, materialIndex: 0 } }],
  });
  const report = emptyReport();
  const made = await loadSkybox(scene, report);
  expect(report.items).toEqual([]);
  return made!;
}

/**
 * Returns the drawn and the expected linear colors at the centres of the four quarters of a face,
 * divided by 32.
 */
function look(made: { scene: Parameters<WebGLRenderer['render']>[0] }, face: Face): { seen: number[][]; wanted: number[][] } {
  const target = new WebGLRenderTarget(SIDE, SIDE);
  const camera = new PerspectiveCamera(90, 1, 0.1, 10);
  const [down, right] = CAMERAS[face];
  camera.rotation.set((-down * Math.PI) / 180, (-right * Math.PI) / 180, 0, 'YXZ'); // Unity rotates in the opposite direction
  renderer.setRenderTarget(target);
  renderer.render(made.scene, camera);
  const pixels = new Uint8Array(4 * SIDE * SIDE);
  renderer.readRenderTargetPixels(target, 0, 0, SIDE, SIDE, pixels);
  renderer.setRenderTarget(null);
  target.dispose();
  const near = SIDE / 4;
  const far = SIDE - near;
  const at = (x: number, y: number): number[] =>
    Array.from(pixels.subarray(4 * (x + y * SIDE)).subarray(0, 3), value => Math.round(value / 32)); // rows are stored bottom-up
  // With a tint of 50 % grey, the factor is slightly less than 1, because Unity multiplies by 2 to
  // the power of 2.2.
  const linear = (value: number): number => Math.round(((value === 188 ? 0.5029 : value / 255) * 0.9835 * 255) / 32);
  return {
    seen: [at(near, far), at(far, far), at(near, near), at(far, near)],
    wanted: [0, 1, 2, 3].map(quarter => colorOf(face, quarter).map(linear)),
  };
}

describe('a skybox of six images', () => {
  it('draws each image on its face', async () => {
    const pictures: Record<string, Uint8Array> = {};
    for (const face of FACES) pictures[`_${face}Tex`] = await picture(1, 1, context => paint(context, face));
    const made = await sky('Skybox/6 Sided', pictures);
    for (const face of FACES) {
      const { seen, wanted } = look(made, face);
      expect(seen, face).toEqual(wanted);
    }
    made.dispose();
  });

  it('follows its rotation', async () => {
    const pictures: Record<string, Uint8Array> = {};
    for (const face of FACES) pictures[`_${face}Tex`] = await picture(1, 1, context => paint(context, face));
    const made = await sky('Skybox/6 Sided', pictures, { _Rotation: 90 });
    expect(look(made, 'Right').seen).toEqual(look(await sky('Skybox/6 Sided', pictures), 'Front').seen);
    made.dispose();
  });
});

describe('a skybox of six frames in one image', () => {
  const cross = { Up: [1, 0], Right: [0, 1], Front: [1, 1], Left: [2, 1], Down: [1, 2] } as const;
  it.each<[string, number, number, Partial<Record<Face, readonly [number, number]>>]>([
    ['a row', 6, 1, Object.fromEntries(FACES.map((face, i) => [face, [i, 0]]))],
    ['a column', 1, 6, Object.fromEntries(FACES.map((face, i) => [face, [0, i]]))],
    ['a cross', 4, 3, { ...cross, Back: [3, 1] }],
    ['an upright cross', 3, 4, { ...cross, Back: [1, 3] }],
  ])('in the layout %s', async (_, columns, rows, places) => {
    const bytes = await picture(columns, rows, context => {
      for (const [face, [column, row]] of Object.entries(places)) paint(context, face as Face, column, row, rows === 4 && face === 'Back');
    });
    const made = await sky('Skybox/Panoramic', { _MainTex: bytes }, { _Mapping: 0 });
    for (const face of FACES) {
      const { seen, wanted } = look(made, face);
      expect(seen, face).toEqual(wanted);
    }
    made.dispose();
  });
});

describe('a panorama', () => {
  it('starts at −x, with +z at a quarter and +x in the middle', async () => {
    const columns = ['Back', 'Front', 'Left', 'Right'] as const; // each covers 90 degrees, in the colors of the face with this name
    const bytes = await picture(4, 2, context =>
      columns.forEach((face, column) => [0, 1].forEach(row => paintPlain(context, face, column, row))),
    );
    const made = await sky('Skybox/Panoramic', { _MainTex: bytes }, { _Mapping: 1 });
    const plain = (face: Face, row: number): number[] => look(made, face).wanted[row]!;
    for (const [seen, left, right] of [
      ['Front', 0, 1],
      ['Left', 1, 2],
      ['Back', 2, 3],
      ['Right', 3, 0],
    ] as const) {
      expect(look(made, seen).seen, seen).toEqual([0, 1].flatMap(row => [plain(columns[left], row), plain(columns[right], row)]));
    }
    made.dispose();
  });
});
