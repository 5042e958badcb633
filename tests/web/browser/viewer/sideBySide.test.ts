// Shows several models of the library side by side in the viewport.
import { Box3, type Object3D, type SkinnedMesh, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { page } from 'vitest/browser';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { LibraryEntry } from '../../../../web/src/session/library.ts';
import type { Model } from '../../../../web/src/session/model.ts';
import type { Viewer } from '../../../../web/src/viewer/viewer.ts';
import { extentOf } from '../../../../web/src/view/index.ts';
import { makePsa, makePsk } from '../../../support/actorx.ts';
import { BODY, HUMAN, makePart, makeWalk, moved } from '../../../support/characterParts.ts';
import { dropOn, fetchBlob, frames, makeViewer } from './support.ts';

let viewer: Viewer;
beforeAll(async () => {
  viewer = await makeViewer();
}, 120_000);
afterAll(() => viewer.dispose());

const given = async (name: string): Promise<File> => new File([await fetchBlob(`web/src/viewer/demo/${name}`)], name);
const eyeOf = (name: string): HTMLButtonElement =>
  viewer.root.querySelector<HTMLButtonElement>(`.files button[aria-label="Add ${name} to the scene"]`)!;
const isOn = (name: string): boolean => eyeOf(name).getAttribute('aria-pressed') === 'true';

/** Returns the scenes of the models next to the main model. */
const others = (): Object3D[] => viewer.view.content!.getObjectByName('side by side')?.children.flatMap(({ children }) => children) ?? [];
const meshes = (root: Object3D): Object3D[] => {
  const found: Object3D[] = [];
  root.traverse(child => 'isMesh' in child && found.push(child));
  return found;
};
const bonesOf = (scene: Object3D): Vector3[] => {
  const places: Vector3[] = [];
  scene.traverse(child => 'isBone' in child && places.push(child.getWorldPosition(new Vector3())));
  return places;
};

describe('side-by-side models', () => {
  it('are placed apart and play their own animations until they are removed', async () => {
    await dropOn(viewer, await given('Pip.psk'), await given('Pip.psa'), await given('Tock.cast'), await given('Mushroom.cast'));
    const first = viewer.model!.input.file.name;
    const other = first === 'Pip.psk' ? 'Tock.cast' : 'Pip.psk';
    const alone = meshes(viewer.view.content!).length;
    viewer.showSection('files');
    await expect.poll(() => eyeOf(other), { timeout: 20_000 }).not.toBeNull();
    eyeOf(other).click();
    await vi.waitFor(() => expect(isOn(other)).toBe(true), 20_000);
    expect(meshes(viewer.view.content!).length).toBeGreaterThan(alone);
    const [beside] = others();
    const main = viewer.model!.rig.scene;
    viewer.playback.pause();
    viewer.playback.seek(0);
    viewer.viewport.drawNow();
    const of = (root: Object3D, without?: Object3D): Box3 => {
      const parent = without?.parent;
      without?.removeFromParent();
      const { box } = extentOf(root);
      if (without) parent!.add(without);
      return box;
    };
    const line = beside!.parent!.parent!;
    expect(of(main, line).intersectsBox(of(beside!))).toBe(false);
    expect(viewer.view.extent!.box.containsPoint(of(beside!).getCenter(new Vector3()))).toBe(true);
    const rest = bonesOf(beside!);
    viewer.playback.seek(viewer.playback.duration * 0.37);
    viewer.viewport.drawNow();
    expect(Math.max(...bonesOf(beside!).map((at, row) => at.distanceTo(rest[row]!)))).toBeGreaterThan(0.02);
    viewer.undo();
    await viewer.idle;
    expect([isOn(other), others()]).toEqual([false, []]);
    expect(meshes(viewer.view.content!).length).toBe(alone);
  }, 120_000);

  it('are not recorded if they are cancelled', async () => {
    const other = viewer.model!.input.file.name === 'Pip.psk' ? 'Tock.cast' : 'Pip.psk';
    const { history, session } = viewer;
    const before = [history.value, session.value];
    vi.spyOn(viewer.viewport, 'prepare').mockImplementationOnce(() => Promise.resolve(viewer.cancel()));
    eyeOf(other).click();
    await viewer.idle;
    expect([others(), isOn(other), viewer.announcement.value.text]).toEqual([[], false, 'Cancelled.']);
    expect([history.value, session.value]).toEqual(before);
  });

  it('return with their main model, and a model that becomes the main one is shown once', async () => {
    const first = viewer.model!.input.file.name;
    const other = first === 'Pip.psk' ? 'Tock.cast' : 'Pip.psk';
    eyeOf(other).click();
    await vi.waitFor(() => expect(isOn(other)).toBe(true), 20_000);
    eyeOf('Mushroom.cast').click();
    await vi.waitFor(() => expect(isOn('Mushroom.cast')).toBe(true), 20_000);
    expect(others()).toHaveLength(2);
    // The main model has one model on each side, with a small gap.
    const [left, right] = others()
      .map(one => extentOf(one).box)
      .sort((a, b) => a.min.x - b.min.x);
    const width = viewer.view.extent!.box.getSize(new Vector3()).x;
    expect(right!.min.x - left!.max.x).toBeLessThan(0.75 * width);
    viewer.showNext(1);
    await viewer.idle;
    expect(viewer.model!.input.file.name).not.toBe(first);
    expect(others()).toHaveLength(1);
    viewer.showNext(-1);
    await viewer.idle;
    expect(others()).toHaveLength(2);
  }, 120_000);

  it.each([
    [360, 740],
    [740, 360],
    [1100, 700],
  ])('are fully visible at %i × %i pixels beside the cards over the viewport', async (width, height) => {
    const before = [window.innerWidth, window.innerHeight] as const;
    await page.viewport(width, height);
    await frames(4);
    // The uncovered area is updated some frames after the window size changes.
    await vi.waitFor(() => {
      const { cameraRig, content, size } = viewer.view;
      const tools = viewer.root.querySelector('.tools')!.getBoundingClientRect();
      const viewport = viewer.viewport.sharedRenderer.canvas.getBoundingClientRect();
      const { points } = extentOf(content!);
      let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
      for (let i = 0; i < points!.length; i += 3) {
        const at = new Vector3().fromArray(points!, i).project(cameraRig.active);
        const [x, y] = [((at.x + 1) / 2) * size.width, ((1 - at.y) / 2) * size.height];
        [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
      }
      expect([left, top, size.height - bottom].every(room => room >= 0)).toBe(true);
      expect(viewport.left + right).toBeLessThanOrEqual(tools.left);
      // The content fills the uncovered area.
      const isFilled = right - left > 0.8 * (tools.left - viewport.left) || bottom - top > 0.8 * size.height;
      expect(isFilled).toBe(true);
    }, 20_000);
    await page.viewport(...before);
  });

  it('are listed in inspector and report and can be selected in viewport and inspector', async () => {
    viewer.showSection('inspect');
    const leaves = (): HTMLElement[] => [...viewer.root.querySelectorAll<HTMLElement>('.inspect .leaf')];
    const files = (): string[] => leaves().flatMap(leaf => (leaf.classList.contains('file') ? leaf.title : []));
    const chosen = (): string | undefined => leaves().find(leaf => leaf.getAttribute('aria-selected') === 'true')?.title;
    const standing = [viewer.model!, ...viewer.sideBySide.value].map(({ input }) => input.file.name);
    await vi.waitFor(() => expect(files()).toEqual(standing), 20_000);
    expect(leaves().find(({ title }) => title === 'Mushroom.cast')!.textContent).toContain('shown beside the model');
    const mushroom = viewer.sideBySide.value.find(({ input }) => input.file.name === 'Mushroom.cast')!;
    const at = new Box3().setFromObject(mushroom.rig.scene).getCenter(new Vector3()).project(viewer.view.cameraRig.active);
    const { left, top, width, height } = viewer.viewport.sharedRenderer.canvas.getBoundingClientRect();
    const pivot = { x: left + ((at.x + 1) / 2) * width, y: top + ((1 - at.y) / 2) * height };
    const mesh = viewer.viewport.overlays.hitAt(pivot)!.object;
    expect(meshes(mushroom.rig.scene)).toContain(mesh);
    viewer.viewport.overlays.choose(mesh);
    await vi.waitFor(() => expect(chosen()).toBe(mesh.name), 20_000);
    expect(viewer.view.overlays.children.some(({ type }) => type === 'Box3Helper')).toBe(true);
    viewer.viewport.overlays.choose(null);
    expect(viewer.sections.value.map(({ name }) => name)).toEqual(expect.arrayContaining(standing));
    viewer.showSection('files');
  });

  it('are not saved with the main model, as the save dialog states', async () => {
    await viewer.save();
    const dialog = viewer.root.querySelector<HTMLDialogElement>('dialog.saving[open]')!;
    expect(dialog.querySelectorAll('a[download]')).toHaveLength(1);
    const left = dialog.querySelector('.omitted')!.textContent;
    for (const { input } of viewer.sideBySide.value) expect(left).toContain(input.file.name);
    dialog.close();
    viewer.close();
    expect(viewer.viewport.sharedRenderer.renderer.info.memory.geometries).toBeLessThan(20);
  }, 120_000);
});

describe('side-by-side models with equal bone names', () => {
  const scaled = (factor: number) => moved(HUMAN, (x, y, z) => [factor * x, factor * y, factor * z]);
  const dwarf = scaled(0.5);
  const file = (name: string, bytes: Uint8Array<ArrayBuffer>): File => new File([bytes], name);
  const set = (name: string, sequence: string, lift: number, bones = HUMAN): File =>
    file(name, makeWalk({ bones, sequences: [sequence], lift }));
  const files = [
    file('Barrel.psk', makePsk({ bones: ['Lid', 'Hoop'], side: 9 })),
    file('Dwarf.psk', makePart({ bones: dwarf, covers: BODY })),
    file('Giant.psk', makePart({ covers: BODY })),
    file('Ogre.psk', makePart({ bones: scaled(1.2), covers: BODY })),
    set('Dwarf_Breathe.psa', 'Breathe', 30, dwarf),
    set('Dwarf_Walk.psa', 'walk', 40, dwarf),
    set('Giant_Idle.psa', 'Idle', 1),
    set('Giant_Walk.psa', 'Walk', 2),
    set('Ogre_Idle.psa', 'Idle', 3, scaled(1.2)),
  ];
  const beside = (): Model => viewer.sideBySide.value[0]!;
  /** Returns the height of the first bone, which identifies the animation. */
  const lift = (model: Model): number => Math.round(100 * model.bones[0]!.position.y);
  const lowest = (model: Model): number => {
    const points: number[] = [];
    model.rig.scene.updateWorldMatrix(true, true);
    model.rig.scene.traverse(child => {
      const mesh = child as SkinnedMesh;
      if (!mesh.isSkinnedMesh) return;
      const { count } = mesh.geometry.attributes['position']!;
      for (let i = 0; i < count; i++) points.push(mesh.getVertexPosition(i, new Vector3()).applyMatrix4(mesh.matrixWorld).y);
    });
    return Math.min(...points);
  };
  const show = async (name: string): Promise<void> => {
    viewer.showEntry(viewer.session.value.library.find(({ input: { path } }) => path === name)!);
    await viewer.idle;
  };
  const entry = (name: string): LibraryEntry => viewer.session.value.library.find(({ input: { path } }) => path === name)!;

  it('play their own animations and have their feet on the floor', async () => {
    viewer.close();
    await dropOn(viewer, ...files);
    await show('Giant.psk');
    await viewer.showBeside(entry('Dwarf.psk'), true);
    const floor = (): number => viewer.view.ground.object.position.y;
    viewer.playback.pause();
    viewer.playback.seek(0);
    viewer.viewport.drawNow();
    expect([lift(viewer.model!), lift(beside())]).toEqual([1, 30]);
    expect(lowest(beside())).toBeCloseTo(floor(), 4);
    // The other model plays its own animation with the same name, if it has one.
    viewer.selectByTitle('Walk');
    viewer.playback.pause();
    viewer.playback.seek(0);
    viewer.viewport.drawNow();
    expect([lift(viewer.model!), lift(beside())]).toEqual([2, 40]);
    expect(lowest(beside())).toBeCloseTo(floor(), 4);
    viewer.select(-1);
    viewer.viewport.drawNow();
    expect([lift(viewer.model!), lift(beside())]).toEqual([0, 0]);
    expect(lowest(beside())).toBeCloseTo(floor(), 4);
    viewer.selectByTitle('Walk');
  }, 120_000);

  it('keep their animations when the main model changes, also to one without animations', async () => {
    await show('Ogre.psk');
    expect([viewer.animationNames[viewer.selected], lift(viewer.model!), lift(beside())]).toEqual(['Idle', 3, 40]);
    await show('Barrel.psk');
    expect([viewer.selected, lift(beside())]).toEqual([-1, 40]);
    const before = beside().bones[0]!.position.x;
    await vi.waitFor(() => expect(beside().bones[0]!.position.x).not.toBeCloseTo(before, 1), 10_000);
    expect(lift(beside())).toBe(40);
    // A model that was removed and added again plays its first animation.
    await viewer.showBeside(entry('Dwarf.psk'), false);
    await show('Ogre.psk');
    await viewer.showBeside(entry('Dwarf.psk'), true);
    expect(lift(beside())).toBe(30);
    viewer.close();
  }, 120_000);
});

describe('a weapon whose root bone has the name of a bone of the arms', () => {
  const arms = new File([makePsk({ bones: ['tag_view', 'arm', 'hand', 'j_gun'], side: 6 })], 'Arms.psk');
  const gun = new File([makePsk({ bones: ['j_gun', 'bolt', 'muzzle'], side: 3 })], 'Gun.psk');
  const bones = ['tag_view', 'arm', 'hand', 'j_gun', 'bolt', 'muzzle'];
  // The arms walk, and the bolt moves 2 cm per frame.
  const position = (bone: number, frame: number): [number, number, number] =>
    bone === 0 ? [frame, 0, 0] : [0, bone === 4 ? 2 * frame : 0, 10];
  const fire = new File([makePsa({ bones, sequences: ['Fire'], frames: 31, position })], 'Fire.psa');
  const placeOf = (root: Object3D, name: string): Vector3 => {
    let found: Object3D | undefined;
    root.traverse(child => child.userData['name'] === name && (found ??= child));
    return found!.getWorldPosition(new Vector3());
  };

  it.each([
    ['together', [[arms, gun, fire]]],
    ['after the arms', [[arms, fire], [gun]]],
    ['before the arms', [[gun], [arms, fire]]],
  ])(
    'is attached to that bone and animated if it is opened %s',
    async (_when, drops) => {
      viewer.close();
      for (const files of drops) await dropOn(viewer, ...files);
      expect(viewer.model!.input.file.name).toBe('Arms.psk');
      expect(viewer.attached.value.map(({ entry, bone }) => [entry.input.file.name, bone.userData['name']])).toEqual([
        ['Gun.psk', 'j_gun'],
      ]);
      const weapon = viewer.attached.value[0]!.model.rig.scene;
      viewer.playback.pause();
      for (const frame of [0, 4, 20]) {
        viewer.playback.seek(frame / 30);
        viewer.viewport.drawNow();
        const own = viewer.model!.bones.find(bone => bone.userData['name'] === 'j_gun')!.getWorldPosition(new Vector3());
        expect(placeOf(weapon, 'j_gun').distanceTo(own)).toBeLessThan(1e-6);
        expect(placeOf(weapon, 'bolt').distanceTo(own)).toBeCloseTo(Math.hypot(2 * frame, 10) / 100, 5);
      }
    },
    120_000,
  );

  it('is saved attached but without bone animation, as the save dialog states', async () => {
    const left = async (animations: 'all' | 'none'): Promise<string> => {
      await viewer.save({ animations });
      const dialog = viewer.root.querySelector<HTMLDialogElement>('dialog.saving[open]')!;
      const text = dialog.querySelector('.omitted')?.textContent ?? '';
      dialog.close();
      return text;
    };
    viewer.close();
    await dropOn(viewer, arms, gun, fire);
    expect(await left('all')).toMatch(/without bone animation: .*Gun\.psk/);
    expect(await left('none')).toBe('');
  }, 120_000);

  it('does not attach a body that shares more bones', async () => {
    viewer.close();
    await dropOn(viewer, arms, new File([makePsk({ bones: ['arm', 'hand', 'j_gun', 'tag_view', 'tip'], side: 3 })], 'Other.psk'));
    expect(viewer.attached.value).toEqual([]);
  }, 120_000);

  it('does not attach a model whose root only has a similar name', async () => {
    viewer.close();
    const barrel = new File([makePsk({ bones: ['Dummy01', 'lid'], side: 3 })], 'Barrel.psk');
    await dropOn(viewer, new File([makePsk({ bones: ['Root', 'arm', 'Dummy01', 'tip'], side: 6 })], 'Pig.psk'), barrel);
    expect(viewer.attached.value).toEqual([]);
  }, 120_000);
});

it('saves attached models in formats with references and reports them as omitted in others', async () => {
  viewer.close();
  await dropOn(viewer, await given('Pip.psk'), await given('Pip.psa'), await given('Mushroom.cast'));
  if (viewer.model!.input.file.name !== 'Pip.psk') viewer.showNext(1);
  await viewer.idle;
  const hand = viewer.model!.bones.find(bone => bone.userData['name'] === 'forearm_r')!;
  await viewer.attach(
    hand,
    viewer.session.value.library.find(({ input: { path } }) => path.endsWith('Mushroom.cast'))!,
  );
  viewer.select(-1);
  viewer.viewport.drawNow();
  const [{ model }] = viewer.attached.value as [(typeof viewer.attached.value)[number]];
  const shown = new Box3().setFromObject(model.rig.scene);
  await viewer.save();
  const dialog = viewer.root.querySelector<HTMLDialogElement>('dialog.saving[open]')!;
  const links = [...dialog.querySelectorAll<HTMLAnchorElement>('a[download]')];
  expect(links.map(({ download }) => download)).toEqual(['Pip.glb']);
  expect(dialog.querySelector('.omitted')).toBeNull();
  const { scene } = await new GLTFLoader().loadAsync(links[0]!.href);
  scene.updateMatrixWorld(true);
  const saved = new Box3().setFromObject(scene.getObjectByName('forearm_r')!);
  expect(saved.min.distanceTo(shown.min) + saved.max.distanceTo(shown.max)).toBeLessThan(1e-4);
  const formats = dialog.querySelector<HTMLSelectElement>('select')!;
  formats.value = 'psk';
  formats.dispatchEvent(new Event('change'));
  await viewer.idle;
  const next = viewer.root.querySelector<HTMLDialogElement>('dialog.saving[open]')!;
  expect(next.querySelector('.omitted')!.textContent).toContain('Mushroom.cast');
  expect([...next.querySelectorAll<HTMLAnchorElement>('a[download]')].some(({ download }) => /mushroom/i.test(download))).toBe(false);
  next.close();
}, 120_000);

it('attaches a model to a socket', async () => {
  viewer.close();
  await dropOn(viewer, await given('Lotl.vgo'), await given('Mushroom.cast'));
  if (viewer.model!.input.file.name !== 'Lotl.vgo') viewer.showNext(1);
  await viewer.idle;
  viewer.showSection('inspect');
  const { rig } = viewer.model!;
  const { nodes } = rig.file.scene!;
  const node = rig.nodes[nodes.names.findIndex((_, row) => row > 1 && nodes.bones[row]! < 0)]!;
  viewer.viewport.overlays.choose(node);
  const list = await vi.waitUntil(() => viewer.root.querySelector<HTMLSelectElement>('.details label.row-of select'), 20_000);
  list.value = '0';
  list.dispatchEvent(new Event('change'));
  await vi.waitFor(() => expect(viewer.attached.value.map(({ bone }) => bone)).toEqual([node]), 20_000);
}, 120_000);

it('refuses to attach a hand recording or show it beside a model', async () => {
  viewer.close();
  await dropOn(viewer, await given('wavingHands.bin'));
  await dropOn(viewer, await given('Mushroom.cast'));
  const entry = viewer.session.value.library.find(one => one.input.file.name === 'wavingHands.bin')!;
  for (const bring of [() => viewer.showBeside(entry, true), () => viewer.attach(viewer.model!.rig.nodes[1]!, entry)]) {
    const { secondaryModels, attachments } = viewer.session.value;
    await bring();
    expect([viewer.session.value.secondaryModels, viewer.session.value.attachments]).toEqual([secondaryModels, attachments]);
    expect([others(), viewer.attached.value]).toEqual([[], []]);
    expect(viewer.root.querySelector('.card.problem')!.textContent).toContain('wavingHands.bin has no mesh to show');
  }
}, 120_000);
