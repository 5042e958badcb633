// Blended materials on a transparent canvas in front of a page.
import { type Material, Mesh, MeshBasicMaterial, OrthographicCamera, PlaneGeometry, Scene, WebGLRenderer } from 'three';
import { afterAll, expect, it } from 'vitest';
import type { Material as SceneMaterial, Properties } from '../../../../web/src/core/types.ts';
import { buildMaterial } from '../../../../web/src/three/materials/materials.ts';

const SIZE = 8;
const renderer = new WebGLRenderer({ alpha: true, antialias: false, preserveDrawingBuffer: true });
renderer.setSize(SIZE, SIZE);
renderer.setClearColor(0, 0);
afterAll(() => renderer.dispose());
const camera = new OrthographicCamera(-1, 1, 1, -1, 0.1, 10);
camera.position.z = 5;

/** Page colors of the viewer's two themes. */
const PAGES = { light: [235, 235, 235], dark: [24, 24, 27] };

function blended(alphaMode: SceneMaterial['alphaMode'], color: SceneMaterial['color'], properties?: Properties): Material {
  const source: SceneMaterial = {
    name: 'm',
    model: 'unlit',
    color,
    emissive: [0, 0, 0],
    metalness: 0,
    roughness: 1,
    alphaMode,
    alphaCutoff: 0.5,
    side: 'front',
    visible: true,
    renderOrder: 0,
    slots: [],
    ...(properties && { properties }),
  };
  return buildMaterial(source, { isStrands: false, hasColors: false, hasNormals: true, hasTangents: false });
}

/**
 * Returns the center pixel of the canvas, composited over a page color. `under` is the color of an
 * opaque object behind the material, if there is one.
 */
function seen(page: number[], material: Material, under?: number): number[] {
  const scene = new Scene();
  if (under !== undefined) {
    const below = new Mesh(new PlaneGeometry(2, 2), new MeshBasicMaterial({ color: under }));
    below.position.z = -1;
    scene.add(below);
  }
  scene.add(new Mesh(new PlaneGeometry(2, 2), material));
  renderer.render(scene, camera);
  const context = new OffscreenCanvas(SIZE, SIZE).getContext('2d')!;
  context.fillStyle = `rgb(${page.join()})`;
  context.fillRect(0, 0, SIZE, SIZE);
  context.drawImage(renderer.domElement, 0, 0);
  return [...context.getImageData(SIZE / 2, SIZE / 2, 1, 1).data.subarray(0, 3)];
}

const near = (got: number[], wanted: number[]): void =>
  got.forEach((value, i) => expect(Math.abs(value - wanted[i]!), `${got} for ${wanted}`).toBeLessThanOrEqual(2));

it.each(Object.entries(PAGES))('keeps the %s page unchanged behind black additive pixels, and brightens it by color', (_, page) => {
  near(seen(page, blended('add', [0, 0, 0, 1])), page);
  near(seen(page, blended('add', [1, 0, 0, 1])), [255, page[1]!, page[2]!]);
  near(seen(page, blended('add', [1, 0, 0, 1]), 0x00ff00), [255, 255, 0]); // opaque pixels hide the page
});

it.each(Object.entries(PAGES))('draws subtractive materials without holes to the %s page', (_, page) => {
  const subtractive = (color: SceneMaterial['color']): Material =>
    blended('blend', color, { shaderName: 'Particles/Standard Unlit', intProperties: { _Mode: 5 } });
  near(seen(page, subtractive([1, 0, 0, 1]), 0xffff00), [0, 255, 0]);
  near(seen(page, subtractive([1, 0, 0, 1])), page);
});
