// Many views share one WebGL context.
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { BoxGeometry, DoubleSide, Mesh, MeshBasicMaterial, PlaneGeometry, Scene } from 'three';
import { SharedRenderer } from '../../../../web/src/view/sharedRenderer.ts';
import { RenderScale } from '../../../../web/src/view/renderScale.ts';
import { shadowSize } from '../../../../web/src/view/shadows.ts';
import { View, type ViewEvents } from '../../../../web/src/view/view.ts';

const COLORS = ['#ff0000', '#00ff00', '#0000ff', '#ffff00', '#ff00ff'];

// Shared by all tests, because its environment map is created slowly.
const sharedRenderer = new SharedRenderer();
let shown: { view: View; canvas: HTMLCanvasElement; box: Mesh<BoxGeometry, MeshBasicMaterial> }[] = [];

function add(color: string, width = 120, height = 80, events: ViewEvents = {}) {
  const canvas = document.createElement('canvas');
  document.body.append(canvas);
  const view = new View(canvas, events);
  const box = new Mesh(new BoxGeometry(), new MeshBasicMaterial({ color, toneMapped: false }));
  view.show(box);
  view.setSize(width, height);
  sharedRenderer.add(view, canvas);
  const one = { view, canvas, box };
  shown.push(one);
  return one;
}

/** Returns the RGB color at the centre of a canvas. */
function middle(canvas: HTMLCanvasElement): number[] {
  const { width, height } = canvas;
  return [
    ...canvas
      .getContext('2d')!
      .getImageData(width >> 1, height >> 1, 1, 1)
      .data.subarray(0, 3),
  ];
}

const frame = (): Promise<unknown> => new Promise(resolve => requestAnimationFrame(resolve));

/** Resolves when no view needs a frame, and all visible views are lit by their environment. */
async function settled(): Promise<void> {
  const isWaiting = ({ view }: (typeof shown)[number]): boolean => view.isVisible && (view.isDirty || view.environmentShare < 1);
  await expect.poll(async () => (await frame(), shown.some(isWaiting)), { timeout: 20_000 }).toBe(false);
}

afterEach(() => {
  for (const { view, canvas, box } of shown) {
    sharedRenderer.remove(view);
    view.dispose();
    canvas.remove();
    box.geometry.dispose();
    box.material.dispose();
  }
  shown = [];
  vi.restoreAllMocks();
});

afterAll(() => sharedRenderer.dispose());

describe('a shared renderer', () => {
  it('draws each view into its own canvas and size, with one context created when the first is visible', async () => {
    const contexts = vi.spyOn(HTMLCanvasElement.prototype, 'getContext');
    const asked = (): number => contexts.mock.calls.filter(([kind]) => kind.startsWith('webgl')).length;
    COLORS.forEach((color, i) => (add(color, 60 + 40 * i, 120 - 20 * i).view.isVisible = false));
    for (let i = 0; i < 4; i++) await frame();
    expect([asked(), sharedRenderer.hasContext]).toEqual([0, false]);
    for (const { view } of shown) view.isVisible = true;
    await settled();
    expect([asked(), sharedRenderer.hasContext]).toEqual([1, true]);
    const ratio = Math.min(devicePixelRatio, 2);
    shown.forEach(({ canvas, view }, i) => {
      expect([canvas.width, canvas.height]).toEqual([Math.floor(view.size.width * ratio), Math.floor(view.size.height * ratio)]);
      const wanted = [1, 3, 5].map(at => parseInt(COLORS[i]!.slice(at, at + 2), 16));
      middle(canvas).forEach((value, channel) => expect(Math.abs(value - wanted[channel]!)).toBeLessThan(3));
      expect(canvas.getContext('2d')!.getImageData(0, 0, 1, 1).data[3]).toBe(0);
    });
  });

  it('draws only views that are visible and have changed', async () => {
    const [first, second, third] = COLORS.map(color => add(color));
    await settled();
    const { frames } = sharedRenderer;
    for (let i = 0; i < 3; i++) await frame();
    expect(sharedRenderer.frames).toBe(frames);
    second!.view.isVisible = false;
    first!.view.invalidate();
    second!.view.invalidate();
    await settled();
    expect(sharedRenderer.frames).toBe(frames + 1);
    third!.box.material.color.set('#ffffff');
    second!.box.material.color.set('#ffffff');
    second!.view.isVisible = true;
    await settled();
    expect(sharedRenderer.frames).toBe(frames + 2);
    expect(middle(second!.canvas)).toEqual([255, 255, 255]);
    expect(middle(third!.canvas)).toEqual([0, 0, 255]);
  });

  describe('with a view that shows its canvas', () => {
    /**
     * Returns two RGB colors of the next frame on screen: at the bottom left, where small views are
     * drawn, and at the centre.
     */
    async function seen(): Promise<number[][]> {
      await frame();
      const copy = document.createElement('canvas');
      [copy.width, copy.height] = [sharedRenderer.canvas.width, sharedRenderer.canvas.height];
      const context = copy.getContext('2d')!;
      context.drawImage(sharedRenderer.canvas, 0, 0);
      const at = 30 * Math.min(devicePixelRatio, 2);
      return [[...context.getImageData(at, copy.height - at, 1, 1).data.subarray(0, 3)], middle(copy)];
    }

    it('never shows the picture of another view there', async () => {
      const own = add('#00ff00');
      sharedRenderer.add(own.view, null);
      const other = add('#ff0000', 60, 60);
      other.view.isVisible = false;
      await settled();
      const picture = sharedRenderer.toBlob(other.view);
      const [corner, center] = await seen();
      expect([corner![0]! < 50, center]).toEqual([true, [0, 255, 0]]);
      expect(await picture).not.toBeNull();
    });

    it('draws that view even if another one uses all of the frame time', async () => {
      const own = add('#00ff00');
      sharedRenderer.add(own.view, null);
      const slow = add('#ff0000', 60, 60, {
        tick: () => {
          for (const end = performance.now() + 20; performance.now() < end;);
          return false;
        },
      });
      await settled();
      slow.view.invalidate();
      const [corner, center] = await seen();
      expect([corner![0]! < 50, center]).toEqual([true, [0, 255, 0]]);
      expect(middle(slow.canvas)).toEqual([255, 0, 0]);
    });

    it('keeps the canvas size when a small picture of the view is taken', async () => {
      const own = add('#00ff00');
      sharedRenderer.add(own.view, null);
      await settled();
      const { width } = sharedRenderer.canvas;
      const picture = sharedRenderer.toBlob(own.view, { width: 20, height: 20 });
      expect(sharedRenderer.canvas.width).toBe(width);
      const image = await createImageBitmap((await picture)!);
      expect([image.width, image.height]).toEqual([20, 20]);
    });
  });

  it('keeps drawing while something moves, with separate seconds per view', async () => {
    let count = 0;
    let seconds = 0;
    add('#ff0000', 60, 60, { tick: step => ((seconds += step), ++count < 5) });
    add('#00ff00');
    await expect.poll(() => count, { timeout: 20_000 }).toBe(5);
    await settled();
    expect(count).toBe(5);
    expect(seconds).toBeGreaterThan(0);
  });

  it('draws the other views if one fails', async () => {
    const failed = vi.fn((event: ErrorEvent) => event.preventDefault());
    addEventListener('error', failed);
    const bad = add('#ff0000', 60, 60, {
      tick: () => {
        throw new Error('a broken view');
      },
    });
    const good = add('#00ff00');
    await expect.poll(() => middle(good.canvas), { timeout: 20_000 }).toEqual([0, 255, 0]);
    expect(bad.canvas.width).not.toBe(0);
    removeEventListener('error', failed);
  });

  it('creates one room environment, and keeps a sky while a view uses it', async () => {
    const [first, second] = [add('#ff0000'), add('#00ff00')];
    await settled();
    const room = first.view.scene.environment;
    expect(second.view.scene.environment).toBe(room);
    const { memory } = sharedRenderer.renderer.info;
    const { textures } = memory;
    const sky = { scene: new Scene(), size: 32 };
    first.view.sky = second.view.sky = sky;
    await settled();
    expect(first.view.scene.background).not.toBeNull();
    expect(second.view.scene.environment).toBe(first.view.scene.environment);
    expect(first.view.scene.environment).not.toBe(room);
    first.view.sky = null;
    await settled();
    expect(first.view.scene.background).toBeNull();
    second.view.sky = null;
    await settled();
    expect(memory.textures).toBe(textures);
  });

  it('draws all views again after the context was lost', async () => {
    const lost: boolean[][] = [[], []];
    lost.forEach((list, i) => add(COLORS[i]!, 60, 60, { context: on => void list.push(on) }));
    await settled();
    const extension = sharedRenderer.renderer.getContext().getExtension('WEBGL_lose_context')!;
    extension.loseContext();
    await expect.poll(() => sharedRenderer.isLost, { timeout: 20_000 }).toBe(true);
    shown.forEach(({ canvas }) => (canvas.width = 1));
    extension.restoreContext();
    await expect.poll(() => sharedRenderer.isLost, { timeout: 20_000 }).toBe(false);
    await settled();
    expect(lost).toEqual([
      [true, false],
      [true, false],
    ]);
    expect(middle(shown[0]!.canvas)).toEqual([255, 0, 0]);
    expect(middle(shown[1]!.canvas)).toEqual([0, 255, 0]);
  });

  it('keeps no references to removed views', async () => {
    add('#ff0000');
    await settled();
    const { memory } = sharedRenderer.renderer.info;
    const once = async (): Promise<void> => {
      const { view, canvas, box } = add('#00ff00');
      await settled();
      sharedRenderer.remove(view);
      view.dispose();
      canvas.remove();
      box.geometry.dispose();
      box.material.dispose();
      shown.pop();
    };
    await once();
    const { geometries, textures } = memory;
    for (let i = 0; i < 5; i++) await once();
    expect(memory).toEqual({ geometries, textures });
    expect(sharedRenderer.size).toBe(1);
  });

  it('takes pictures of any size and background, and leaves the view unchanged', async () => {
    const { view, canvas } = add('#ff0000');
    await settled();
    const distance = view.cameraRig.orbit.radius;
    const pixels = async (
      options: Parameters<SharedRenderer['toBlob']>[1],
    ): Promise<{ size: number[]; at(x: number, y: number): number[] }> => {
      const bitmap = await createImageBitmap((await sharedRenderer.toBlob(view, options))!);
      const { width, height } = bitmap;
      const context = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d')!;
      context.drawImage(bitmap, 0, 0);
      return { size: [width, height], at: (x, y) => [...context.getImageData(x, y, 1, 1).data] };
    };
    const large = await pixels({ width: 300, height: 200 });
    expect(large.size).toEqual([300, 200]);
    expect(large.at(150, 100)).toEqual([255, 0, 0, 255]);
    expect(large.at(0, 0)[3]).toBe(0);
    const white = await pixels({ width: 30, background: 'white' });
    expect(white.size).toEqual([30, 20]);
    expect(white.at(0, 0)).toEqual([255, 255, 255, 255]);
    expect(view.size).toEqual({ width: 120, height: 80 });
    expect(view.cameraRig.orbit.radius).toBeCloseTo(distance);
    await settled();
    expect(middle(canvas)).toEqual([255, 0, 0]);
  });

  it('draws the shadows of small views in few pixels, and again after a view was resized', async () => {
    const small = add('#ff0000', 100, 80).view;
    const large = add('#00ff00', 400, 300).view;
    const drawn = vi.spyOn(small.ground, 'update');
    const shows = [small, large].map(({ ground }) => vi.spyOn(ground, 'show'));
    await settled();
    const sizes = (): (number | undefined)[] => shows.map(({ mock }) => (mock.lastCall![0]!.texture.image as ImageData).width);
    expect(sizes()).toEqual([64, 256]);
    drawn.mockClear();
    small.setSize(400, 300);
    await settled();
    expect([sizes(), drawn.mock.calls.length]).toEqual([[256, 256], 1]);
    small.setSize(100, 80);
    await settled();
    expect([sizes(), drawn.mock.calls.length]).toEqual([[64, 256], 2]);
    // A window on another screen can have other pixels. The first shadow is out of date when it returns.
    const ratio = vi.spyOn(window, 'devicePixelRatio', 'get').mockReturnValue(2);
    small.invalidate();
    await settled();
    expect([sizes()[0], drawn.mock.calls.length]).toEqual([128, 3]);
    ratio.mockRestore();
    small.request();
    await settled();
    expect([sizes()[0], drawn.mock.calls.length]).toEqual([64, 4]);
    expect([1, 120, 200, 300, 5000].map(shadowSize)).toEqual([64, 64, 128, 256, 256]);
  });

  it('draws a flat model in the plane of the floor without stripes of its shadow', async () => {
    const { view, canvas } = add('#0000ff', 240, 160);
    const plane = new PlaneGeometry(1.3, 0.9, 3, 2).rotateX(-Math.PI / 2).translate(0.31, 0.07, 0.17);
    const flat = new Mesh(plane, new MeshBasicMaterial({ color: '#0000ff', side: DoubleSide, toneMapped: false }));
    view.show(flat);
    for (const tilt of [0, 0.35, -0.5, 0.3]) {
      view.cameraRig.orbitBy(0.4, tilt);
      view.invalidate();
      await settled();
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
      const blues = [...data].filter((_, at) => at % 4 === 2 && data[at + 1] === 255);
      expect(blues.length).toBeGreaterThan(500);
      expect(blues.filter(blue => blue < 250)).toEqual([]);
    }
    plane.dispose();
    flat.material.dispose();
  });

  it('frees shaders of content that was removed before it was drawn', async () => {
    const { view } = add('#ff0000');
    await settled();
    const context = sharedRenderer.renderer.getContext() as WebGL2RenderingContext;
    const [made, freed] = [vi.spyOn(context, 'createShader'), vi.spyOn(context, 'deleteShader')];
    // A kind of material that no view has drawn before
    const material = new MeshBasicMaterial({ color: '#123456', alphaTest: 0.25, vertexColors: true });
    const box = new Mesh(new BoxGeometry(), material);
    await sharedRenderer.prepare(view, box);
    expect(made.mock.calls.length).toBeGreaterThan(0);
    material.dispose();
    box.geometry.dispose();
    expect(freed.mock.calls.length).toBe(made.mock.calls.length);
  });
});

it('compiles no shader in the first frame of prepared content', async () => {
  const canvas = document.createElement('canvas');
  const renderer = new SharedRenderer();
  const view = new View(canvas);
  const box = new Mesh(new BoxGeometry(), new MeshBasicMaterial());
  view.show(null); // hides the floor, which is otherwise drawn before the content
  renderer.add(view, canvas);
  await renderer.prepare(view, box);
  const compiled = renderer.renderer.info.programs!.length;
  view.show(box);
  renderer.drawNow(view);
  expect(renderer.renderer.info.programs!.length).toBe(compiled);
  renderer.dispose();
});

it('shares one renderer between views, and disposes it after the last', () => {
  vi.useFakeTimers();
  const shared = SharedRenderer.shared();
  expect(SharedRenderer.shared()).toBe(shared);
  const view = new View(document.createElement('div'));
  shared.add(view, document.createElement('canvas'));
  shared.remove(view);
  expect(SharedRenderer.shared()).toBe(shared);
  shared.add(view, document.createElement('canvas'));
  vi.runAllTimers();
  expect(SharedRenderer.shared()).toBe(shared);
  shared.remove(view);
  vi.runAllTimers();
  expect(SharedRenderer.shared()).not.toBe(shared);
  SharedRenderer.shared().dispose();
  view.dispose();
  vi.useRealTimers();
});

it('shows the canvas of the shared renderer in a single view', () => {
  const sharedRenderer = new SharedRenderer();
  const view = new View(sharedRenderer.canvas);
  sharedRenderer.add(view, null);
  view.setSize(90, 60);
  sharedRenderer.drawNow(view);
  expect(sharedRenderer.canvas.width).toBe(90 * Math.min(devicePixelRatio, 2));
  document.body.append(sharedRenderer.canvas);
  view.dispose();
  sharedRenderer.dispose();
  expect(sharedRenderer.canvas.isConnected).toBe(false);
});

describe('on a slow device', () => {
  it('a moving view is drawn in a lower resolution, a still view and pictures sharply', async () => {
    vi.spyOn(RenderScale.prototype, 'scale', 'get').mockReturnValue(0.5);
    let isMoving = true;
    const { view, canvas } = add('#ff0000', 120, 80, { tick: () => isMoving });
    const size = (): number[] => [canvas.width / devicePixelRatio, canvas.height / devicePixelRatio];
    const red = (): number => {
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
      return data.filter((value, i) => i % 4 === 0 && value > 200 && data[i + 3]! > 200).length / (canvas.width * canvas.height);
    };
    await expect.poll(size).toEqual([60, 40]);
    expect(middle(canvas)).toEqual([255, 0, 0]);
    const share = red();
    const blob = await sharedRenderer.toBlob(view);
    expect((await createImageBitmap(blob!)).width / devicePixelRatio).toBe(120);
    isMoving = false;
    await settled();
    expect(size()).toEqual([120, 80]);
    expect(red()).toBeCloseTo(share, 1);
  });

  it('frame times of moving views are measured', async () => {
    const added = vi.spyOn(RenderScale.prototype, 'add');
    const { view } = add('#00ff00', 120, 80, { tick: () => true });
    await expect.poll(() => added.mock.calls.length).toBeGreaterThan(3);
    view.isVisible = false;
    for (const [seconds, elapsed] of added.mock.calls) expect(seconds > 0 && elapsed > 0 && elapsed < 5).toBe(true);
  });
});
