// Several models in one element (attribute `extra-models`).
import { Box3, type Object3D, Vector3 } from 'three';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ExtraModel } from '../../../../web/src/element/extraModelList.ts';
import { pixelsOfImage, zipFiles } from '../encode/support.ts';
import { add, demo, frame } from './support.ts';

const PIP = { src: demo('Pip.psk'), files: `${demo('Pip.psa')} ${demo('Pip_D.png')}`, animation: 'Wave' };
const ROCK = demo('Rock.cast');

afterEach(() => {
  document.querySelectorAll('rigcast-viewer').forEach(element => element.remove());
  vi.restoreAllMocks();
});

type Viewer = ReturnType<typeof add>;

function addWith(
  models: readonly ExtraModel[],
  attributes: Record<string, string> = {},
): { element: Viewer; errors: string[]; files: string[] } {
  const element = add({ ...PIP, 'extra-models': JSON.stringify(models), ...attributes });
  const errors: string[] = [];
  const files: string[] = [];
  element.addEventListener('error', ({ detail }) => errors.push(detail.message));
  element.addEventListener('report', ({ detail }) => files.push(detail.file));
  return { element, errors, files };
}

/** Returns the objects of the given name that are drawn. */
async function objects(element: Viewer, name: string): Promise<Object3D[]> {
  const { view } = await element.ready;
  const found: Object3D[] = [];
  view.scene.updateMatrixWorld(true);
  view.scene.traverse(object => object.name === name && found.push(object));
  return found;
}

const rounded = (object: Object3D): number[] =>
  object
    .getWorldPosition(new Vector3())
    .toArray()
    .map(value => Math.round(value * 1e4) / 1e4);

/** Returns the local rotations of all bones with a name, as text. */
const poses = async (element: Viewer, bone: string): Promise<string[]> =>
  (await objects(element, bone)).map(({ quaternion }) =>
    quaternion
      .toArray()
      .map(value => value.toFixed(4))
      .join(' '),
  );

const boneNames = async (element: Viewer): Promise<string[]> =>
  (await element.ready).rig.nodes.filter(node => 'isBone' in node).map(({ name }) => name);

describe('extra-models', () => {
  it('attaches a model to a bone, with an offset and a scale', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const plain = add(PIP);
    const bone = (await boneNames(plain)).at(-1)!;
    plain.remove();
    const { element, errors, files } = addWith([{ src: ROCK, bone, position: '0m 5cm 0m', scale: '0.1' }]);
    const { rig } = await element.ready;
    expect(errors).toEqual([]);
    expect(files.sort()).toEqual(['Pip.psa', 'Pip.psk', 'Rock.cast']);
    const hand = rig.nodes.find(({ name }) => name === bone) as unknown as Object3D;
    const rock = hand.children.at(-1)!;
    expect(rock.position.toArray()).toEqual([0, 0.05, 0]);
    expect(rock.scale.toArray()).toEqual([0.1, 0.1, 0.1]);
    const places = new Set<string>();
    for (const seconds of [0, 0.4, 0.8]) {
      element.seek(seconds);
      await frame();
      rig.scene.updateMatrixWorld(true);
      expect(rock.parent).toBe(hand);
      places.add(rounded(rock).join());
    }
    expect(places.size).toBeGreaterThan(1);
  });

  it('places a model in the scene, which the camera shows as a whole', async () => {
    const alone = add(PIP);
    const { view: small } = await alone.ready;
    const before = small.extent!.box.getSize(new Vector3()).x;
    const { element } = addWith([{ src: ROCK, position: '3m 0m 0m', orientation: '0deg 0deg 90deg' }]);
    const { view, rig } = await element.ready;
    expect(view.extent!.box.getSize(new Vector3()).x).toBeGreaterThan(before + 2);
    const [root] = view.scene.children.flatMap(child => child.children).filter(child => child !== rig.scene && child.position.x === 3);
    expect(new Box3().setFromObject(root!).getCenter(new Vector3()).x).toBeGreaterThan(2);
    expect(element.getCameraOrbit()!.radius).toBeGreaterThan(alone.getCameraOrbit()!.radius);
  });

  it('the bounds contain the poses of models with a skeleton where they are', async () => {
    const alone = (await add(PIP).ready).view.extent!.box.max.x;
    const { element } = addWith([{ src: PIP.src, position: '2m 0m 0m' }]);
    expect((await element.ready).view.extent!.box.max.x).toBeCloseTo(alone + 2, 1);
  });

  it('pick returns the index of the model', async () => {
    const { element } = addWith([{ src: ROCK, position: '3m 0m 0m' }]);
    await element.ready;
    await frame();
    const { left, top, width, height } = element.getBoundingClientRect();
    const models = new Set<number | undefined>();
    for (let x = 0; x < width; x += 2) for (let y = 0; y < height; y += 4) models.add(element.pick(left + x, top + y)?.model);
    expect([...models].filter(each => each !== undefined).sort()).toEqual([0, 1]);
  });

  it('a model with the same bones follows the selected animation', async () => {
    const { element } = addWith([{ src: PIP.src, position: '1m 0m 0m' }]);
    const names = await boneNames(element);
    const moved = new Set<string>();
    for (const animation of ['Wave', 'Hop']) {
      element.animation = animation;
      await expect.poll(() => element.currentAnimations).toEqual([animation]);
      element.seek(0.5);
      await frame();
      for (const bone of names) {
        const found = await poses(element, bone);
        expect(found).toHaveLength(2);
        expect(found[1]).toBe(found[0]);
        moved.add(`${bone} ${found[0]}`);
      }
    }
    expect(moved.size).toBeGreaterThan(names.length); // the two animations differ
  });

  it('a model plays an animation of its own, and pauses with the element', async () => {
    const { element } = addWith([{ src: PIP.src, position: '1m 0m 0m', animation: 'Hop' }]);
    const names = await boneNames(element);
    const differs = async (): Promise<boolean> => {
      const all = await Promise.all(names.map(bone => poses(element, bone)));
      return all.some(([first, second]) => first !== second);
    };
    element.seek(0.5);
    await frame();
    expect(await differs()).toBe(true);
    const all = async (): Promise<string> => (await Promise.all(names.map(bone => poses(element, bone)))).map(each => each[1]).join();
    const before = await all();
    await new Promise(resolve => setTimeout(resolve, 300));
    expect(await all()).toBe(before);
    await element.play();
    await expect.poll(all, { timeout: 10_000 }).not.toBe(before);
  });

  it('a video shows each model in the pose of its time', async () => {
    const { element } = addWith([{ src: PIP.src, position: '1.5m 0m 0m' }], { 'camera-orbit': '0deg 90deg auto', shadow: 'none' });
    await element.ready;
    const zip = await element.toVideo({ format: 'png', frameRate: 4, width: 128, height: 64, isTransparent: true });
    const frames = await Promise.all([...(await zipFiles(zip)).values()].map(pixelsOfImage));
    expect(frames.length).toBeGreaterThan(3);
    /** Counts the pixels in the left and the right half for which `isCounted` returns true. */
    const halves = (isCounted: (at: number) => boolean): number[] =>
      [0, 64].map(from => frames[0]!.data.filter((_, at) => at % 4 === 3 && ((at >> 2) & 64) === from && isCounted(at)).length);
    for (const drawn of halves(at => frames[0]!.data[at]! > 200)) expect(drawn).toBeGreaterThan(100);
    for (const moved of halves(at => frames.some(({ data }) => Math.abs(data[at]! - frames[0]!.data[at]!) > 100)))
      expect(moved).toBeGreaterThan(20);
  });

  it('a model with files of its own opens them', async () => {
    const { element, errors, files } = addWith([{ src: PIP.src, files: PIP.files, position: '1m 0m 0m' }]);
    await element.ready;
    expect(errors).toEqual([]);
    expect(files.filter(name => name === 'Pip.psa')).toHaveLength(2);
    expect(element.animations.map(({ name }) => name)).toEqual(['Wave', 'Hop']); // those of the model of the element
  });

  it('reports files, bones and animations that do not exist, and shows the rest', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { element, errors } = addWith([{ src: demo('missing.psk') }, { src: ROCK, bone: 'tentacle' }, { src: ROCK, animation: 'Swim' }]);
    await element.ready;
    await expect.poll(() => errors.length).toBe(3);
    const expected = [/missing\.psk failed: 404/, /^There is no animation “Swim”\.$/, /^There is no bone “tentacle”\.$/];
    expect(errors.sort()).toEqual(expected.map(text => expect.stringMatching(text) as unknown));
    expect((await objects(element, (await boneNames(element))[0]!)).length).toBe(1);
  });

  it('warns about an invalid value, and shows the model alone', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { element } = addWith([], { 'extra-models': '[{"src":""}]' });
    await element.ready;
    expect(warn.mock.calls.map(([text]) => String(text)).join()).toContain('a JSON list of models is expected');
  });

  it('loads again if the list changes, and disposes the models with the element', async () => {
    const { element } = addWith([{ src: ROCK, position: '1m 0m 0m' }]);
    const first = await element.ready;
    const [old] = first.view.scene.children.flatMap(child => child.children).filter(child => child.position.x === 1);
    element.setAttribute('extra-models', JSON.stringify([{ src: ROCK, position: '2m 0m 0m' }]));
    await new Promise(resolve => setTimeout(resolve));
    const { view } = await element.ready;
    expect(old!.parent).toBe(null);
    const rocks = view.scene.children.flatMap(child => child.children).filter(child => child.position.x === 2);
    expect(rocks).toHaveLength(1);
    element.remove();
    await frame();
    expect(rocks[0]!.parent).toBe(null);
  });

  it('progress counts the bytes of all models', async () => {
    const { element } = addWith([{ src: ROCK }]);
    const seen: { fraction: number; loaded: number; total: number | null }[] = [];
    element.addEventListener('progress', ({ detail }) => seen.push(detail));
    await element.ready;
    await frame();
    expect(seen.map(({ fraction }) => fraction)).toEqual(seen.map(({ fraction }) => fraction).sort((a, b) => a - b));
    const sizes = await Promise.all(
      [PIP.src, demo('Pip.psa'), demo('Pip_D.png'), ROCK].map(async url => (await (await fetch(url)).blob()).size),
    );
    expect(seen.at(-1)!.loaded).toBeGreaterThanOrEqual(sizes.reduce((sum, size) => sum + size, 0));
  });
});
