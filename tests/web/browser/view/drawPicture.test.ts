// Pictures of a view in an exact size.
import { BackSide, BoxGeometry, Group, Mesh, MeshBasicMaterial } from 'three';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type DrawOptions, SharedRenderer } from '../../../../web/src/view/sharedRenderer.ts';
import { View } from '../../../../web/src/view/view.ts';

const [WIDTH, HEIGHT] = [101, 67];
const sharedRenderer = new SharedRenderer();
const view = new View(document.createElement('div'));

beforeAll(() => {
  // A small box to the right of a large one
  const content = new Group();
  const large = new Mesh(new BoxGeometry(), new MeshBasicMaterial({ color: 'blue', toneMapped: false }));
  const small = new Mesh(new BoxGeometry(0.5, 0.5, 0.5), new MeshBasicMaterial({ color: 'lime', toneMapped: false }));
  small.position.x = 1.5;
  content.add(large, small);
  view.show(content);
  view.setSize(120, 80);
  view.ground.object.visible = false;
  sharedRenderer.add(view, document.createElement('canvas'));
});
afterAll(() => {
  sharedRenderer.dispose();
  view.dispose();
});

function draw(options?: DrawOptions): ImageData {
  const context = Object.assign(document.createElement('canvas'), { width: WIDTH, height: HEIGHT }).getContext('2d')!;
  expect(sharedRenderer.drawPicture(view, context, options)).toBe(true);
  return context.getImageData(0, 0, WIDTH, HEIGHT);
}

/** Returns the mean column of the green pixels, from 0 (left) to 1 (right). */
function greenColumn({ data }: ImageData): number {
  let [sum, count] = [0, 0];
  for (let i = 0; i < WIDTH * HEIGHT; i++) {
    if (data[4 * i + 1]! < 200 || data[4 * i + 2]! > 50) continue;
    sum += i % WIDTH;
    count++;
  }
  return sum / count / WIDTH;
}

it.each([1, 1.5, 2])('fills the picture up to its last pixel with a pixel ratio of %f', ratio => {
  vi.stubGlobal('devicePixelRatio', ratio);
  // The camera is inside this box.
  const room = new Mesh(new BoxGeometry(14, 14, 14), new MeshBasicMaterial({ color: 'red', side: BackSide }));
  view.scene.add(room);
  try {
    const { data } = draw();
    expect(data.filter((value, i) => i % 4 === 3 && value < 255)).toHaveLength(0);
  } finally {
    view.scene.remove(room);
    vi.unstubAllGlobals();
  }
});

it('turns the camera for one picture', () => {
  const camera = (): number[] => [...view.cameraRig.camera.position.toArray(), ...view.cameraRig.camera.quaternion.toArray()];
  const before = camera();
  const column = greenColumn(draw());
  expect(column).toBeGreaterThan(0.6);
  expect(greenColumn(draw({ turn: Math.PI }))).toBeLessThan(0.4);
  expect(greenColumn(draw({ turn: 2 * Math.PI }))).toBeCloseTo(column, 2);
  expect(camera()).toEqual(before);
  expect(view.size).toEqual({ width: 120, height: 80 });
});

it('centres the content, also if elements cover the view', () => {
  const column = greenColumn(draw());
  const insets = { top: 0, right: 0.5, bottom: 0, left: 0 };
  view.cameraRig.insets = insets;
  expect(greenColumn(draw())).toBeCloseTo(column, 6);
  expect(view.cameraRig.insets).toBe(insets);
});
