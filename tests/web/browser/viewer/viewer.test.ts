// The viewer in a real browser with real files: the demo Pip and, if it exists next to the
// repository, the corpus.
import { type InstancedMesh, type Mesh, type MeshStandardMaterial, type SkinnedMesh, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { commands, page, userEvent } from 'vitest/browser';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Viewer } from '../../../../web/src/viewer/viewer.ts';
import { castFile, type CastNode, instance, model, node, triangle } from '../../../support/castFile.ts';
import { makePsk } from '../../../support/actorx.ts';
import { dropOn, fetchBlob, frames, makeViewer, pictureOf, press } from './support.ts';

const DEMO = { 'Pip.psk': '', 'Pip.psa': '', 'Pip_D.png': '' };
const blobs = new Map<string, Blob>();
let viewer: Viewer;

beforeAll(async () => {
  for (const name of Object.keys(DEMO)) blobs.set(name, await fetchBlob(`web/src/viewer/demo/${name}`));
  viewer = await makeViewer();
}, 120_000);

// One page for all tests, because creating a WebGL context takes seconds on a software renderer.
afterEach(() => {
  viewer.isDrawerOpen.value = false;
  viewer.close();
});
afterAll(() => {
  viewer.dispose();
  expect(document.querySelector('canvas')).toBeNull();
});

async function open(width = 620, height = 480): Promise<void> {
  await page.viewport(width, height);
}

function pip(name: keyof typeof DEMO, as: string = name): File {
  return new File([blobs.get(name)!], as);
}

const cast = (name: string, bytes: Uint8Array): File => new File([bytes as Uint8Array<ArrayBuffer>], name);
const unreal = (...names: string[]): Promise<File[]> =>
  Promise.all(names.map(async name => new File([await fetchBlob(`tests/data/unreal/${name}`)], name)));
const drop = (...files: File[]): Promise<void> => dropOn(viewer, ...files);
const picture = (): ReturnType<typeof pictureOf> => pictureOf(viewer);

const text = (selector: string): string => viewer.root.querySelector(selector)?.textContent ?? '';
const shown = (selector: string): boolean => viewer.root.querySelector<HTMLElement>(selector)?.checkVisibility() ?? false;

describe('the demo', () => {
  it('is textured and animated', async () => {
    await open();
    await viewer.openDemo();
    expect(viewer.animationNames).toEqual(['Wave', 'Hop']);
    expect(viewer.selected).toBe(0);
    const { drawn, orange } = picture();
    expect(drawn).toBeGreaterThan(900);
    expect(orange).toBeGreaterThan(300);
    const hand = viewer.model!.bones.find(bone => bone.userData['name'] === 'forearm_r')!;
    viewer.playback.seek(0);
    const before = hand.quaternion.clone();
    viewer.playback.seek(0.25);
    expect(before.angleTo(hand.quaternion)).toBeGreaterThan(0.1);
    expect(viewer.model!.file.report.errors + viewer.model!.file.report.warnings).toBe(0);
  });

  it('moves morph targets by slider and by animation', async () => {
    await open();
    await viewer.openDemo();
    const mesh = viewer.model!.rig.meshes[0] as SkinnedMesh;
    const blink = mesh.morphTargetDictionary!['Blink']!;
    viewer.playback.seek(30 / 24);
    expect(mesh.morphTargetInfluences![blink]).toBeGreaterThan(0.8);
    viewer.playback.seek(0);
    expect(mesh.morphTargetInfluences![blink]).toBe(0);
    viewer.select(-1);
    const slider = [...viewer.root.querySelectorAll<HTMLLabelElement>('.slider')]
      .find(label => label.textContent.startsWith('Smile'))!
      .querySelector('input')!;
    slider.value = '0.7';
    slider.dispatchEvent(new Event('input'));
    expect(mesh.morphTargetInfluences![mesh.morphTargetDictionary!['Smile']!]).toBeCloseTo(0.7);
  });

  it('mixes the poses of a .uepose file by sliders, with the rest pose and with an animation', async () => {
    await open();
    const files = ['arm.uemodel', 'bend.ueanim', 'reach.uepose'];
    await drop(...(await Promise.all(files.map(async name => new File([await fetchBlob(`tests/data/ueformat/${name}`)], name)))));
    const upper = viewer.model!.bones.find(({ name }) => name === 'Upper')!;
    const sliders = (): HTMLInputElement[] => [...viewer.root.querySelectorAll<HTMLInputElement>('#section-blends input[type=range]')];
    await vi.waitFor(() => expect(sliders().map(slider => slider.closest('label')!.textContent)).toEqual(['Reach0.00', 'Puff0.00']));
    const set = (value: string): void => {
      sliders()[0]!.value = value;
      sliders()[0]!.dispatchEvent(new Event('input'));
    };
    viewer.select(-1);
    const rest = upper.position.x;
    set('0.5');
    expect(upper.position.x).toBeCloseTo(rest + 0.05);
    viewer.select(viewer.animationNames.indexOf('Fixture'));
    viewer.playback.pause();
    viewer.playback.seek(0);
    const both = upper.position.x;
    set('0');
    expect(both - upper.position.x).toBeCloseTo(0.05);
    viewer.select(-1);
    expect(upper.position.x).toBeCloseTo(rest);
  });
});

it.each([
  ['tests/data/ueformat/yard.ueworld', 'This model has no bones. Animations can only change its morph targets.'],
  ['web/src/viewer/demo/Fence.cast', 'This model has no bones and no morph targets to animate.'],
])('does not ask for animations with bones for %s', async (path, expected) => {
  await open();
  await drop(new File([await fetchBlob(path)], path.split('/').at(-1)!));
  viewer.showSection('animations');
  await vi.waitFor(() => expect(text('.clips .nothing')).toContain(expected));
});

describe('the Cast demos', () => {
  it('show Tock with textures, animations, expressions and events', async () => {
    await open();
    await viewer.openDemo('tock');
    expect(text('.title')).toBe('Demo: Tock the robot');
    expect(viewer.animationNames).toEqual(['Hello', 'March']);
    expect(viewer.model!.rig.report.items).toEqual([]);
    expect(picture().drawn).toBeGreaterThan(900);
    const face = viewer.model!.rig.meshes.find(mesh => mesh?.morphTargetDictionary?.['Happy'] !== undefined) as SkinnedMesh;
    viewer.playback.seek(0);
    expect(face.morphTargetInfluences![face.morphTargetDictionary!['Happy']!]).toBe(0);
    viewer.playback.seek(1);
    expect(face.morphTargetInfluences![face.morphTargetDictionary!['Happy']!]).toBe(1);
    expect(viewer.model!.file.scene!.clips.map(({ events }) => events.map(({ name }) => name))).toEqual([
      ['hello', 'wave', 'wave', 'wave'],
      ['tick', 'tock'],
    ]);
    expect(viewer.model!.file.scene!.meshes.filter(({ topology }) => topology === 'strands')).toHaveLength(2);
    const markers = (): string[] => viewer.events.value?.events.map(({ name }) => name) ?? [];
    // Events that are close together share a marker, which shows their number.
    expect([...viewer.root.querySelectorAll('.marker')].reduce((sum, mark) => sum + (Number(mark.textContent) || 1), 0)).toBe(4);
    expect(markers()).toEqual(['hello', 'wave', 'wave', 'wave']);
    viewer.select(1);
    expect(markers()).toEqual(['tick', 'tock']);
    viewer.select(-1);
    expect(markers()).toEqual([]);
    expect([...viewer.root.querySelectorAll('#section-rights dl > div')].map(row => row.textContent)).toEqual([
      'Authorrigcast',
      'Generatorrigcast_castDemo',
    ]);
  });

  it('show the island with all its instances', async () => {
    await open();
    await viewer.openDemo('isle');
    expect(viewer.model!.rig.report.items).toEqual([]);
    expect(viewer.model!.rig.instanceRigs).toHaveLength(10);
    expect(picture().drawn).toBeGreaterThan(900);
  });
});

describe('dropped files', () => {
  it('completes a model with animations and textures that are dropped later', async () => {
    await open();
    await drop(pip('Pip.psk'));
    expect(text('.title')).toBe('Pip.psk');
    expect(picture().drawn).toBeGreaterThan(900);
    expect(picture().orange).toBe(0);
    expect(viewer.animationNames).toEqual([]);
    expect(text('.hint')).toContain('textures of this model weren’t found');

    await drop(pip('Pip.psa'));
    expect(viewer.animationNames).toEqual(['Wave', 'Hop']);
    expect(viewer.playback.action?.name).toBe('Wave');

    viewer.select(1);
    viewer.playback.pause();
    viewer.playback.seek(0.5);
    await drop(pip('Pip_D.png'));
    expect(picture().orange).toBeGreaterThan(300);
    expect(viewer.playback.action?.name).toBe('Hop');
    expect(viewer.playback.time).toBeCloseTo(0.5);
    expect(text('.hint')).not.toContain('textures');
  });

  it('shows the skeleton of an animation file until its model is dropped', async () => {
    await open();
    await drop(pip('Pip.psa'));
    expect(viewer.model!.rig.meshes.filter(Boolean)).toEqual([]);
    expect(viewer.playback.action?.name).toBe('Wave');
    expect(text('.hint')).toContain('Pip.psa has a skeleton but no mesh.');
    await drop(pip('Pip.psk'));
    expect(viewer.model!.rig.meshes.filter(Boolean)).toHaveLength(1);
    expect(viewer.animationNames).toEqual(['Wave', 'Hop']);
    expect(viewer.playback.action?.name).toBe('Wave');
  });

  it('does not play dropped animations on the demo', async () => {
    await open();
    await viewer.openDemo();
    await drop(pip('Pip.psa', 'mine.psa'));
    expect(text('.title')).toBe('mine.psa');
    expect(viewer.model!.rig.meshes.filter(Boolean)).toEqual([]);
  });

  it('shows the files of the latest drop if two overlap', async () => {
    await open();
    const first = drop(pip('Pip.psk', 'first.psk'), pip('Pip.psa'));
    const second = drop(pip('Pip.psk', 'second.psk'));
    await Promise.all([first, second]);
    await frames(3);
    expect(text('.title')).toBe('second.psk');
    expect(viewer.animationNames).toEqual([]);
    expect(viewer.view.scene.children.filter(child => child === viewer.model!.rig.scene)).toHaveLength(1);
  });

  it('shows the model with animations first and the others by click or key', async () => {
    await open(1000, 700);
    const other = makePsk({ bones: ['Root', 'Lid'] });
    await drop(new File([other], 'a.psk'), pip('Pip.psk', 'b.psk'), pip('Pip.psa'));
    const models = (): string[] =>
      [...viewer.root.querySelectorAll('.files details:first-of-type .choice .name')].map(row => row.textContent);
    expect([text('.title'), models(), viewer.root.querySelector('dialog')]).toEqual(['b.psk', ['a.psk', 'b.psk'], null]);
    expect(shown('#panel-files')).toBe(true);
    press('n');
    await viewer.idle;
    expect(text('.title')).toBe('a.psk');
    expect(text('.files [aria-current]')).toContain('a.psk');
    viewer.root.querySelectorAll<HTMLElement>('.files .choice')[1]!.click();
    await viewer.idle;
    expect([text('.title'), viewer.playback.action?.name]).toEqual(['b.psk', 'Wave']);
  });

  it('keeps camera and animation when another model of the list is shown', async () => {
    await open();
    await drop(pip('Pip.psk', 'a.psk'), pip('Pip.psk', 'b.psk'), pip('Pip.psa'));
    viewer.select(1);
    viewer.playback.pause();
    viewer.playback.seek(0.5);
    viewer.view.cameraRig.orbitBy(0.7, 0.2);
    const cameraView = viewer.view.cameraRig.camera.position.clone();
    const first = viewer.model;
    press('n');
    await viewer.idle;
    expect([viewer.model === first, viewer.playback.action?.name, viewer.playback.time, viewer.playback.playing]).toEqual([
      false,
      'Hop',
      0.5,
      false,
    ]);
    expect(viewer.view.cameraRig.camera.position.distanceTo(cameraView)).toBeLessThan(0.05 * cameraView.length());
  });

  it('undoes a drop, a change of the model and a close', async () => {
    await open();
    await drop(pip('Pip.psk'), pip('Pip.psa'));
    viewer.select(1);
    await frames(3); // until the layout of the welcome page is replaced
    const before = picture().drawn; // framed for Wave; after the restore, the camera is framed for Hop, which needs more space
    await drop(pip('Pip.psk', 'other.psk'));
    expect(text('.title')).toBe('other.psk');
    press('z', { ctrlKey: true });
    await viewer.idle;
    expect([text('.title'), viewer.animationNames, viewer.playback.action?.name]).toEqual(['Pip.psk', ['Wave', 'Hop'], 'Hop']);
    viewer.close();
    expect([viewer.model, shown('.welcome')]).toEqual([null, true]);
    // The welcome page is shown, with pictures of the demos.
    expect(['.side', '.transport', '.tools', '.demos'].filter(shown)).toEqual([]);
    const tiles = [...viewer.root.querySelectorAll<HTMLElement>('.demo-tiles button')];
    expect(tiles.map(({ textContent }) => textContent)).toContain('Lotl the axolotlVGO avatar, 153 KB');
    for (const image of viewer.root.querySelectorAll<HTMLImageElement>('.demo-tiles img')) {
      await image.decode();
      expect(image.naturalWidth).toBe(200);
    }
    [...viewer.root.querySelectorAll<HTMLElement>('.welcome button')].find(({ textContent }) => textContent === 'Undo close')!.click();
    await viewer.idle;
    expect([text('.title'), viewer.playback.action?.name, shown('.welcome')]).toEqual(['Pip.psk', 'Hop', false]);
    await frames(3);
    expect(picture().drawn).toBeGreaterThan(before * 0.6);
    expect(['.side', '.transport', '.tools'].filter(shown)).toHaveLength(3);
    viewer.close();
    tiles.find(({ dataset }) => dataset['demo'] === 'tock')!.click();
    await viewer.idle;
    expect(text('.title')).toBe('Demo: Tock the robot');
  });

  it('saves a GLB with animations and textures after listing the losses', async () => {
    await open();
    const saving = viewer.root.querySelector<HTMLButtonElement>('header [data-command=save]')!;
    expect(saving.disabled).toBe(true);
    await drop(pip('Pip.psk'), pip('Pip.psa'), pip('Pip_D.png'));
    saving.click();
    await viewer.idle;
    const link = viewer.root.querySelector<HTMLAnchorElement>('dialog.saving[open] a[download]')!;
    expect(link.download).toBe('Pip.glb');
    expect(text('dialog.saving[open]')).toContain('is lost');
    expect(text('dialog.saving[open] .note')).toContain('chosen by its name');
    const { animations, scene } = await new GLTFLoader().loadAsync(link.href);
    expect(animations.map(({ name }) => name)).toEqual(['Wave', 'Hop']);
    const mesh = scene.getObjectByProperty('isSkinnedMesh', true) as SkinnedMesh;
    expect((mesh.material as MeshStandardMaterial).map).not.toBeNull();
    const dialog = viewer.root.querySelector<HTMLDialogElement>('dialog.saving[open]')!;
    dialog.querySelector<HTMLElement>('.plain')!.click();
    await expect.poll(() => dialog.isConnected).toBe(false);
  });

  it('saves in the chosen format, a scene with its referenced models', async () => {
    await open();
    const world = castFile(instance('part.cast'), instance('part.cast', { p: [3, 0, 0] }), instance('gone.cast'));
    await drop(cast('part.cast', castFile(model('part', triangle('part', 2)))), cast('world.cast', world));
    await viewer.save();
    const saved = (): HTMLAnchorElement => viewer.root.querySelector<HTMLAnchorElement>('dialog.saving[open] a[download]')!;
    expect(text('dialog.saving[open] .loss')).toContain('missing or unreadable');
    const { scene } = await new GLTFLoader().loadAsync(saved().href);
    const places: number[] = [];
    scene.traverse(object => void ('geometry' in object && places.push(object.position.x)));
    expect(places).toEqual([0, 3]);
    const formats = viewer.root.querySelector<HTMLSelectElement>('dialog.saving[open] select')!;
    formats.value = 'cast';
    formats.dispatchEvent(new Event('change'));
    await viewer.idle;
    expect([saved().download, viewer.root.querySelectorAll('dialog.saving[open]').length]).toEqual(['world.cast', 1]);
    expect((await (await fetch(saved().href)).text()).slice(0, 4)).toBe('cast');
    viewer.root.querySelector<HTMLDialogElement>('dialog.saving[open]')!.close();
  });

  it('offers animations and format options in the save dialog', async () => {
    await open();
    await viewer.openDemo('pip');
    viewer.selectByTitle('Hop');
    await viewer.save();
    const links = (): HTMLAnchorElement[] => [...viewer.root.querySelectorAll<HTMLAnchorElement>('dialog.saving[open] a[download]')];
    const choose = async (at: number, value: string): Promise<void> => {
      const list = viewer.root.querySelectorAll<HTMLSelectElement>('dialog.saving[open] select')[at]!;
      list.value = value;
      list.dispatchEvent(new Event('change'));
      await viewer.idle;
    };
    const clips = async (): Promise<string[]> => (await new GLTFLoader().loadAsync(links()[0]!.href)).animations.map(({ name }) => name);
    expect(await clips()).toEqual(['Wave', 'Hop']);
    await choose(1, 'selected');
    expect(await clips()).toEqual(['Hop']);
    await choose(1, 'none');
    expect(await clips()).toEqual([]);

    await choose(0, 'vgo');
    expect(links().map(({ download }) => download)).toEqual(['Pip.vgo']);
    viewer.root.querySelector<HTMLElement>('dialog.saving[open] [data-switch=encrypted] input')!.click();
    await viewer.idle;
    expect(links().map(({ download }) => download)).toEqual(['Pip.vgo', 'Pip.vgk']);
    expect((await (await fetch(links()[1]!.href)).arrayBuffer()).byteLength).toBe(32);
    viewer.root.querySelector<HTMLDialogElement>('dialog.saving[open]')!.close();
  });

  it('lists the losses of a GLB in the save dialog', async () => {
    await open();
    await viewer.openDemo('lotl');
    await viewer.save();
    expect(text('dialog.saving[open] .loss')).not.toBe('');
    expect(text('dialog.saving[open]')).toContain('toon');
    viewer.root.querySelector<HTMLDialogElement>('dialog.saving[open]')!.close();
  });

  it('shows the files that a scene references and names missing ones', async () => {
    await open();
    const world = castFile(instance('props\\part.cast'), instance('props\\part.cast', { p: [3, 0, 0] }), instance('gone.cast'));
    const part = castFile(model('part', triangle('part', 2)));
    await drop(cast('part.cast', part), cast('world.cast', world)); // the viewer doesn't ask, because the scene refers to the other file
    expect(text('.title')).toBe('world.cast');
    const placed = viewer.model!.rig.scene.getObjectByProperty('isInstancedMesh', true) as InstancedMesh;
    expect(placed.count).toBe(2);
    expect(viewer.model!.rig.report.items.map(({ code, path }) => [code, path])).toEqual([['INSTANCE_MISSING', 'gone.cast']]);
    expect(picture().drawn).toBeGreaterThan(100);
    expect(text('.hint')).toContain('gone.cast');
  });

  it('counts the referenced files of a scene and reports their findings', async () => {
    await open();
    const world = castFile(instance('part.cast'), instance('part.cast', { p: [3, 0, 0] }));
    const broken = triangle('part', 2, { vn: ['3v', [0, 0, 1]] });
    await drop(cast('world.cast', world), cast('part.cast', castFile(model('part', broken))));
    const facts = (): string[] =>
      [...viewer.root.querySelectorAll('.report .about:first-of-type .facts:first-of-type > div')].map(row => row.textContent);
    expect(facts()).toEqual(expect.arrayContaining(['Vertices6', 'Triangles2', 'Instances2', 'Files1']));
    const [, second] = viewer.root.querySelectorAll('.report .about');
    expect(second?.querySelector('h4')?.textContent).toBe('part.cast');
    expect(second?.textContent).toContain('used by the scene world.cast');
    expect(second?.querySelectorAll('.finding')).toHaveLength(1);
    expect(text('#panel-details-tab .badge')).toBe('1');
  });

  it('shows a skeleton without meshes, and says if a file has no visible content', async () => {
    await open();
    const bones = node(
      'skel',
      {},
      ...[0, 1, 2].map(i =>
        node('bone', { n: ['s', `b${i}`], p: ['i', [(i - 1) >>> 0]], lp: ['3v', [0, i ? 2 : 0, 0]], lr: ['4v', [0, 0, 0, 1]] }),
      ),
    );
    await drop(cast('bones.cast', castFile(model('m', bones))));
    const { max } = viewer.view.extent!.box;
    expect(max.y).toBeCloseTo(4);
    const overlay = viewer.view.overlays.getObjectByName('skeleton')!;
    expect(overlay).toBeDefined();
    const button = viewer.root.querySelector<HTMLButtonElement>('[aria-label^="Skeleton"]')!;
    expect([button.disabled, button.getAttribute('aria-pressed')]).toEqual([true, 'true']);
    await drop(cast('empty.cast', castFile()));
    expect(text('.hint')).toContain('empty.cast contains nothing that can be shown');
    expect(text('.report .facts')).not.toContain('Size');
    expect(button.getAttribute('aria-pressed')).toBe('false');
    await drop(pip('Pip.psk'));
    expect([button.disabled, button.getAttribute('aria-pressed')]).toEqual([false, 'false']);
    expect(viewer.view.overlays.getObjectByName('skeleton')).toBeUndefined();
  });

  it('distinguishes Cast models from Cast animations that contain a skeleton', async () => {
    await open();
    const skeleton = (): CastNode =>
      node(
        'skel',
        {},
        ...[0, 1].map(i => node('bone', { n: ['s', `b${i}`], p: ['i', [(i - 1) >>> 0]], lp: ['3v', [0, i, 0]], lr: ['4v', [0, 0, 0, 1]] })),
      );
    const curve = node('curv', { nn: ['s', 'b1'], kp: ['s', 'tx'], kb: ['b', [0, 10]], kv: ['f', [3, 5]], m: ['s', 'absolute'] });
    const motion = (name: string): File =>
      cast(`${name}.cast`, castFile(node('anim', { n: ['s', name], fr: ['f', [10]] }, skeleton(), curve)));
    const hero = cast('hero.cast', castFile(model('hero', skeleton(), triangle('t'))));
    await drop(motion('run'), hero, motion('walk'));
    expect([text('.title'), viewer.animationNames, viewer.selected]).toEqual(['hero.cast', ['run', 'walk'], 0]);
    expect(viewer.model!.rig.nodes.find(({ userData }) => userData['name'] === 'b1')!.position.x).toBeGreaterThanOrEqual(3);
    await drop(motion('jump'));
    expect([text('.title'), viewer.animationNames.length]).toEqual(['hero.cast', 3]);
    viewer.close();
    await drop(motion('run'), motion('walk')); // if there is no model, the skeleton of one animation is shown
    expect([text('.title'), viewer.model!.bones.length, viewer.animationNames]).toEqual(['run.cast', 2, ['run', 'walk']]);
    await drop(hero);
    expect([text('.title'), viewer.model!.rig.meshes.length]).toEqual(['hero.cast', 1]);
  });

  it('plays an animation from its first key and once, as the file declares', async () => {
    await open();
    const bones = node(
      'skel',
      {},
      node('bone', { n: ['s', 'b'], p: ['i', [0xffffffff]], lp: ['3v', [0, 0, 0]], lr: ['4v', [0, 0, 0, 1]] }),
    );
    const curve = node('curv', { nn: ['s', 'b'], kp: ['s', 'tx'], kb: ['b', [100, 130]], kv: ['f', [0, 3]], m: ['s', 'absolute'] });
    const motion = (name: string, loop: number): CastNode => node('anim', { n: ['s', name], fr: ['f', [30]], lo: ['b', [loop]] }, curve);
    await drop(cast('late.cast', castFile(model('late', bones, triangle('t')), motion('fire', 0), motion('idle', 1))));
    viewer.selectByTitle('fire');
    viewer.playback.pause();
    press('Home');
    expect([text('.time'), text('.row[aria-selected=true]')]).toEqual([
      '100 / 130',
      'fire1.0 s1 of 1 bone · 31 frames · 30 fps · plays once',
    ]);
    const loop = viewer.root.querySelector<HTMLElement>('[data-command=loop]')!;
    expect([loop.title, loop.getAttribute('aria-pressed')]).toEqual(['Loop: off, as in the file (L)', 'false']);
    const scrub = viewer.root.querySelector<HTMLInputElement>('.scrub')!;
    expect([Number(scrub.min), Number(scrub.max)].map(value => Math.round(value * 30))).toEqual([100, 130]);
    viewer.selectByTitle('idle');
    expect([loop.title, loop.getAttribute('aria-pressed')]).toEqual(['Loop: on, as in the file (L)', 'true']);
    press('l');
    expect([loop.title, viewer.playback.loop]).toEqual(['Loop: on (L)', true]);
    press('l');
    expect([loop.title, viewer.playback.loop]).toEqual(['Loop: off (L)', false]);
    press('l');
    expect(loop.title).toBe('Loop: on, as in the file (L)');
    press('Home');
    expect(text('.time')).toBe('100 / 130');
  });

  it('plays an animation that only has morph targets', async () => {
    await open();
    const mesh = triangle('face');
    const smile = node('blsh', { n: ['s', 'smile'], b: ['l', mesh.hash], vi: ['b', [2]], vp: ['3v', [0, 2, 0]] });
    const curve = node('curv', { nn: ['s', 'smile'], kp: ['s', 'bs'], kb: ['b', [0, 10]], kv: ['f', [1, 0]], m: ['s', 'absolute'] });
    await drop(cast('face.cast', castFile(model('m', mesh, smile), node('anim', { n: ['s', 'smiles'], fr: ['f', [10]] }, curve))));
    expect(viewer.animationNames).toEqual(['smiles']);
    expect(viewer.selected).toBe(0);
    viewer.playback.pause();
    viewer.playback.seek(0.25);
    viewer.viewport.drawNow();
    expect((viewer.model!.rig.meshes[0] as Mesh).morphTargetInfluences).toEqual([expect.closeTo(0.75, 1)]);
    expect(shown('.hint')).toBe(false);
  });

  it('completes a scene when its missing files are dropped', async () => {
    await open();
    const part = (name: string): File => cast(name, castFile(model('part', triangle('part', 2))));
    await drop(
      cast(
        'world.cast',
        castFile(instance('a.cast'), instance('deep\\B.cast', { p: [3, 0, 0] }), instance('deep\\b.cast', { p: [6, 0, 0] })),
      ),
    );
    expect(text('.hint')).toContain('2 files of this scene are missing');
    const placed = (): number => {
      let count = 0;
      viewer.model!.rig.scene.traverse(
        object => (count += (object as InstancedMesh).isInstancedMesh ? (object as InstancedMesh).count : 0),
      );
      return count;
    };
    expect(placed()).toBe(0);
    await drop(part('b.cast'));
    expect(text('.title')).toBe('world.cast');
    expect(placed()).toBe(2);
    expect(text('.hint')).toContain('a.cast');
    await drop(part('a.cast'), part('other.cast'));
    expect(text('.title')).toBe('world.cast');
    expect(placed()).toBe(3);
    expect(viewer.model!.rig.report.items).toEqual([]);
    await drop(part('other.cast')); // the scene doesn't refer to this file, so it becomes a separate model
    expect(text('.title')).toBe('other.cast');
  });

  it('shows one of two scenes and does not list the files that they reference as models', async () => {
    await open();
    await drop(
      cast('one.cast', castFile(instance('part.cast'))),
      cast('two.cast', castFile(instance('part.cast'))),
      cast('part.cast', castFile(model('p', triangle('t')))),
    );
    const names = (at: number): string[] =>
      [...viewer.root.querySelectorAll(`.files details:nth-of-type(${at}) .choice .name`)].map(row => row.textContent);
    expect([text('.title'), names(1), names(2)]).toEqual(['one.cast', ['one.cast', 'two.cast'], ['part.cast']]);
    press('n');
    await viewer.idle;
    expect([text('.title'), viewer.model!.rig.report.items]).toEqual(['two.cast', []]);
  });

  it('shows the advice about additive animations once', async () => {
    await open();
    await drop(...(await unreal('arm.psk', 'arm-additive.psa')));
    const codes = [...viewer.root.querySelectorAll('.report dd')].map(code => code.textContent);
    expect(codes.filter(code => code === 'LOOKS_ADDITIVE')).toHaveLength(1);
  });

  it('plays an additive animation on its base animation after a click', async () => {
    await open();
    await drop(...(await unreal('arm.psk', 'arm-additive.psa', 'arm-motions.psa')));
    const added = viewer.rows.value.findIndex(({ source }) => source.input.file.name === 'arm-additive.psa');
    const name = viewer.animationNames[added];
    viewer.select(added);
    viewer.root.querySelector<HTMLElement>('.hint .plain')!.click();
    await vi.waitFor(() => expect(viewer.session.value.overlay).not.toBeNull(), 20_000);
    const { overlay: top, selected } = viewer.session.value;
    expect(viewer.rows.value[selected]!.source.input.file.name).toBe('arm-motions.psa');
    expect(top!.source.file.scene!.clips[top!.indices[0]!]!.name).toBe(name);
    expect(viewer.isTopAdditive.value).toBe(true);
    expect(text('.hint')).not.toContain('rest pose');
  });

  it('names an animation without its .config only while it is selected', async () => {
    await open();
    await drop(...(await unreal('arm.psk', 'arm-stripped.psa')));
    viewer.select(0);
    expect(text('.hint')).toContain('arm-stripped.psa seems to have no keys for some bones');
    viewer.select(-1);
    expect(text('.hint')).not.toContain('.config');
  });

  it('plays all bones of an animation with a .config on request', async () => {
    await open();
    await drop(...(await unreal('arm.psk', 'arm-stripped.psa', 'arm-stripped.config')));
    const pose = (): number[][] => viewer.model!.bones.map(({ position, quaternion }) => [...position.toArray(), ...quaternion.toArray()]);
    press('q');
    await vi.waitFor(() => expect(viewer.root.querySelector('.layer-row')).not.toBeNull(), 20_000);
    const mode = viewer.root.querySelector<HTMLSelectElement>('.layer-row select[aria-label="Play as"]')!;
    const choose = async (value: string): Promise<void> => {
      mode.value = value;
      mode.dispatchEvent(new Event('change'));
      await viewer.idle;
    };
    viewer.select(0, false);
    viewer.playback.seek(0.1);
    const before = pose();
    await choose('everything');
    expect(pose()).not.toEqual(before);
    expect([viewer.playback.playing, mode.value]).toEqual([false, 'everything']);
    expect(viewer.playback.time).toBeCloseTo(0.1);
    await choose('auto');
    expect(pose()).toEqual(before);
  });

  it('describes a damaged file, what to do next, and keeps the shown model', async () => {
    await open();
    await drop(pip('Pip.psk'));
    await drop(new File(['this is no model at all'], 'broken.psk'));
    expect(shown('.problem')).toBe(true);
    expect(text('.problem h2')).toBe('rigcast can’t read broken.psk.');
    expect(text('.problem p').length).toBeGreaterThan(20);
    expect(text('.title')).toBe('Pip.psk');
    await drop(pip('Pip.psk', 'again.psk'));
    expect(shown('.problem')).toBe(false);
  });

  it('describes violations of a format in whole sentences', async () => {
    await open();
    const bytes = new Uint8Array(await blobs.get('Pip.psk')!.slice().arrayBuffer());
    new DataView(bytes.buffer).setUint32(56, 8, true); // size of a point
    await drop(new File([bytes], 'short.psk'));
    expect(text('.problem h2')).toBe('short.psk can’t be read.');
    expect(text('.problem p')).toMatch(/^[A-Z].*176276 bytes were left out\. Check that /);
  });

  it('groups findings of the same code with their positions', async () => {
    await open();
    const broken = [1, 2].map(i => triangle(`part${i}`, 2, { vn: ['3v', [0, 0, 1]] }));
    await drop(cast('two.cast', castFile(model('two', ...broken))));
    const found = (): NodeListOf<Element> => viewer.root.querySelectorAll('.report .finding');
    await expect.poll(() => found().length, { timeout: 20_000 }).toBe(1);
    const lines = found();
    expect(lines[0]!.querySelector('.times')?.textContent).toBe('×2');
    expect(lines[0]!.querySelectorAll('dl')).toHaveLength(2);
    const help = lines[0]!.querySelector('a')!;
    const code = lines[0]!.querySelector('dd')!.textContent!;
    expect(code).toMatch(/^[A-Z_]+$/);
    expect([help.getAttribute('href'), help.textContent]).toEqual([`findings.html#${code}`, 'What to do']);
  });

  it('shows the readable part of a truncated file and reports the rest', async () => {
    await open();
    await drop(new File([blobs.get('Pip.psk')!.slice(0, 150_000)], 'half.psk'));
    expect(viewer.model).not.toBeNull();
    expect(text('.report .verdict.error')).toContain('error');
    expect(viewer.root.querySelectorAll('.report details.finding.error').length).toBeGreaterThan(0);
  });

  it('opens all files of a folder at any depth', async () => {
    await open();
    const file = (name: keyof typeof DEMO, path: string): FileSystemFileEntry =>
      ({
        isFile: true,
        isDirectory: false,
        name,
        fullPath: path,
        file: (done: (file: File) => void) => done(pip(name)),
      }) as unknown as FileSystemFileEntry;
    const folder = (path: string, ...batches: FileSystemEntry[][]): FileSystemDirectoryEntry =>
      ({
        isFile: false,
        isDirectory: true,
        name: path,
        fullPath: path,
        createReader: () => {
          const left = [...batches];
          return { readEntries: (done: (entries: FileSystemEntry[]) => void) => done(left.shift() ?? []) };
        },
      }) as unknown as FileSystemDirectoryEntry;
    const root = folder(
      '/pip',
      [file('Pip.psk', '/pip/Pip.psk')],
      [
        folder('/pip/textures', [file('Pip_D.png', '/pip/textures/Pip_D.png')]),
        folder('/pip/a', [folder('/pip/a/b', [file('Pip.psa', '/pip/a/b/Pip.psa')])]),
      ],
    );
    const event = new DragEvent('drop', { bubbles: true, cancelable: true });
    Object.defineProperty(event, 'dataTransfer', {
      value: { types: ['Files'], files: [], items: [{ kind: 'file', webkitGetAsEntry: () => root }] },
    });
    window.dispatchEvent(event);
    await viewer.idle;
    expect(text('.title')).toBe('Pip.psk');
    expect(viewer.animationNames).toEqual(['Wave', 'Hop']);
    expect(picture().orange).toBeGreaterThan(300);
  });

  it('opens URLs that the server allows and explains why others fail', async () => {
    await open();
    await viewer.openAddresses(
      ['Pip.psk', 'Pip.psa', 'Pip_D.png'].map(name => new URL(`../../../../web/src/viewer/demo/${name}`, import.meta.url).href),
    );
    expect(viewer.animationNames).toEqual(['Wave', 'Hop']);
    expect(picture().orange).toBeGreaterThan(300);
    await viewer.openAddresses(['javascript:document.title=1']);
    expect(text('.problem h2')).toContain('Only http and https');
    await viewer.openAddresses([new URL('nothing/here.psk', location.origin).href.replace(location.port, '1')]);
    expect(text('.problem h2')).toContain('here.psk couldn’t be downloaded');
    expect(text('.title')).toBe('Pip.psk');
  });

  it('can be cancelled, which keeps the shown model', async () => {
    await open();
    await drop(pip('Pip.psk'));
    const slow = viewer.open(new Promise(() => {}));
    await expect.poll(() => shown('.busy'), { timeout: 20_000 }).toBe(true);
    viewer.root.querySelector<HTMLElement>('.busy button')!.click();
    await slow;
    expect(shown('.busy')).toBe(false);
    expect(shown('.problem')).toBe(false);
    expect(text('.sr-only[role=status]')).toBe('Cancelled.');
    expect(text('.title')).toBe('Pip.psk');
  });

  it('shows names from files as text, never as markup', async () => {
    await open();
    const name = '<img src=x onerror=document.title=`hit`>';
    const model = new Uint8Array(await blobs.get('Pip.psk')!.arrayBuffer());
    const motions = new Uint8Array(await blobs.get('Pip.psa')!.arrayBuffer());
    // Gives a hostile name to a bone, a material and a morph target of the model, and to a bone and
    // a sequence of the animations.
    const patch = (bytes: Uint8Array, wanted: string, value: string): void => {
      const at = new TextDecoder('latin1').decode(bytes).indexOf(`${wanted}\0`);
      expect(at, wanted).toBeGreaterThan(0);
      expect(new TextEncoder().encodeInto(`${value}\0`, bytes.subarray(at, at + 63)).read).toBe(value.length + 1);
    };
    patch(model, 'forearm_r', `${name}bone`);
    patch(model, 'Pip', `${name}material`);
    patch(model, 'Smile', `${name}morph`);
    patch(motions, 'forearm_l', `${name}foreign`);
    patch(motions, 'Hop', `${name}motion`);
    await drop(new File([model], `${name}.psk`), new File([motions], `${name}.psa`));
    viewer.playback.pause();
    viewer.select(1, false);
    // A click on the bone shows its label.
    viewer.run('bones');
    viewer.viewport.drawNow();
    const bone = viewer.model!.bones.find(({ userData }) => userData['name'] === `${name}bone`)!;
    const box = viewer.viewport.sharedRenderer.canvas.getBoundingClientRect();
    // A bone without children is drawn as a short line beyond its joint, in the direction of its
    // parent.
    const joint = bone.getWorldPosition(new Vector3());
    const tip = joint
      .clone()
      .sub(bone.parent!.getWorldPosition(new Vector3()))
      .setLength(viewer.view.extent!.radius * 0.02)
      .add(joint)
      .project(viewer.view.cameraRig.camera);
    const spot = { clientX: box.left + ((tip.x + 1) / 2) * box.width, clientY: box.top + ((1 - tip.y) / 2) * box.height };
    viewer.view.cameraRig.controls.enabled = false; // the controls would try to capture the simulated pointer
    viewer.viewport.sharedRenderer.canvas.dispatchEvent(new PointerEvent('pointerdown', spot));
    viewer.viewport.sharedRenderer.canvas.dispatchEvent(new PointerEvent('pointerup', spot));
    viewer.view.cameraRig.controls.enabled = true;
    expect(text('.bone-label')).toBe(`${name}bone`);
    viewer.run('bones');
    for (const [place, suffix] of [
      ['#section-morphs', 'morph'],
      ['.tree', 'material'],
      ['.rows', 'motion'],
      ['.playing', 'motion'],
      ['.report', '.psa'],
    ] as const)
      expect(text(place), place).toContain(name + suffix);
    await drop(new File(['x'], `${name}.psk`));
    expect(text('.problem h2')).toContain(name);
    expect(viewer.root.querySelector('img:not(.demo-tiles img)')).toBeNull();
    expect(document.title).not.toBe('hit');
  });
});

describe('the timeline', () => {
  it('shows frames or seconds, plays a range, and lists the events', async () => {
    await open(1000, 700);
    await viewer.openDemo('tock');
    viewer.playback.pause();
    viewer.playback.seek(0.5);
    expect(text('.time')).toBe('12 / 60');
    press('u');
    expect(text('.time')).toBe('0.50 / 2.50 s');
    press('u');
    press('[');
    viewer.playback.seek(1.5);
    press(']');
    expect(viewer.playback.range).toEqual({ from: 0.5, to: 1.5 });
    const [from] = [...viewer.root.querySelectorAll<HTMLElement>('.range .end')];
    from!.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }));
    expect(viewer.playback.range!.from).toBeCloseTo(11 / 24);
    press('\\');
    expect([viewer.playback.range, shown('.range')]).toEqual([null, false]);

    viewer.showSection('events');
    const events = [...viewer.root.querySelectorAll<HTMLElement>('#section-events .event')];
    expect(events.map(moment => moment.querySelector('.name')!.textContent)).toEqual(['hello', 'wave', 'wave', 'wave']);
    events[0]!.click();
    expect(viewer.playback.time).toBeCloseTo(viewer.model!.file.scene!.clips[0]!.events[0]!.time);
  });

  it('seeks to the pressed position of its ruler', async () => {
    await open(1000, 700);
    await viewer.openDemo('tock');
    const strip = viewer.root.querySelector<HTMLElement>('.strip')!;
    const { width } = strip.getBoundingClientRect();
    await userEvent.click(strip, { position: { x: Math.round(width / 4), y: 10 } });
    expect(viewer.playback.playing).toBe(false);
    expect(viewer.playback.time).toBeCloseTo(2.5 / 4, 1);
  });

  it('shows a top layer, a ghost and the trail of a bone', async () => {
    await open(1000, 700);
    await viewer.openDemo();
    viewer.playback.pause();
    press('q');
    await vi.waitFor(() => expect(viewer.root.querySelector('.layer-row')).not.toBeNull(), 20_000);
    const choose = (label: string, value: string): void => {
      const list = viewer.root.querySelector<HTMLSelectElement>(`.layer-row select[aria-label="${label}"]`)!;
      list.value = value;
      list.dispatchEvent(new Event('change'));
    };
    const hand = viewer.model!.bones.find(bone => bone.userData['name'] === 'forearm_r')!;
    viewer.playback.seek(0.25);
    const waving = hand.quaternion.clone();
    choose('Layer', '1');
    expect(hand.quaternion.angleTo(waving)).toBeGreaterThan(0.1);
    choose('Layer', '-1');
    expect(hand.quaternion.angleTo(waving)).toBeLessThan(1e-6);

    choose('Compare with', '1');
    viewer.viewport.drawNow();
    expect(viewer.view.overlays.getObjectByName('ghost')).toBeDefined();
    const time = viewer.playback.time;
    expect(viewer.selected).toBe(0);
    press('a');
    expect([viewer.selected, viewer.session.value.ghost?.indices, viewer.playback.time]).toEqual([1, [0], time]);
    press('a');
    expect(viewer.selected).toBe(0);
    press('b');
    viewer.viewport.overlays.bone.value = hand;
    press('y');
    expect(viewer.view.overlays.getObjectByName('trail')).toBeDefined();
    viewer.select(1);
    expect(viewer.view.overlays.getObjectByName('trail')).toBeUndefined();
    press('b');
  });

  it('lists all commands in the help dialog, which also runs them', async () => {
    await open();
    await viewer.openDemo();
    viewer.playback.pause();
    viewer.playback.seek(0);
    press('?');
    const dialog = await vi.waitFor(() => viewer.root.querySelector<HTMLDialogElement>('dialog.help[open]') ?? expect.fail());
    await userEvent.fill(dialog.querySelector('input')!, 'seconds');
    const [row] = [...dialog.querySelectorAll<HTMLElement>('.commands li')].filter(each => each.checkVisibility());
    const button = row!.querySelector('button')!;
    button.click();
    expect([button.getAttribute('aria-pressed'), text('.time')]).toEqual(['true', '0.00 / 2.00 s']);
    button.click();
    dialog.close();
  });
});

describe('performance and resources', () => {
  it('releases geometries, textures and contexts of twenty models', async () => {
    await open(400, 400);
    const { memory, programs } = viewer.viewport.sharedRenderer.renderer.info;
    const once = async (at: number): Promise<void> => {
      await drop(pip('Pip.psk', `${at}.psk`), pip('Pip.psa'), pip('Pip_D.png'));
      viewer.playback.pause();
      viewer.run('bones');
      viewer.run('bones');
      viewer.viewport.drawNow();
    };
    await once(0);
    await once(1);
    const settled = { geometries: memory.geometries, textures: memory.textures, programs: programs!.length };
    expect(settled.textures).toBeGreaterThan(0);
    for (let at = 2; at < 22; ++at) await once(at);
    expect({ geometries: memory.geometries, textures: memory.textures, programs: programs!.length }).toEqual(settled);
    expect(viewer.root.querySelectorAll('.canvas canvas')).toHaveLength(1);
    viewer.close();
    viewer.viewport.drawNow();
    expect(memory.geometries).toBeLessThan(settled.geometries);
    expect(memory.textures).toBeLessThan(settled.textures);
  }, 180_000);

  it('draws no frame while nothing moves', async () => {
    await open(400, 400);
    await drop(pip('Pip.psk'));
    await expect
      .poll(
        async () => {
          const { frame } = viewer.viewport.sharedRenderer.renderer.info.render;
          await new Promise(resolve => setTimeout(resolve, 250));
          return viewer.viewport.sharedRenderer.renderer.info.render.frame - frame;
        },
        { timeout: 20_000 },
      )
      .toBe(0);
    await drop(pip('Pip.psa'));
    viewer.playback.play();
    const { frame } = viewer.viewport.sharedRenderer.renderer.info.render;
    await expect.poll(() => viewer.viewport.sharedRenderer.renderer.info.render.frame - frame, { timeout: 20_000 }).toBeGreaterThan(3);
  });

  it('draws no frame in a hidden tab and continues when it is visible again', async () => {
    await open(400, 400);
    await drop(pip('Pip.psk'), pip('Pip.psa'));
    viewer.playback.play();
    const drawn = (): number => viewer.viewport.sharedRenderer.renderer.info.render.frame;
    const from = drawn();
    await expect.poll(() => drawn() - from, { timeout: 20_000 }).toBeGreaterThan(3);
    const turn = (isHidden: boolean): void => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden });
      document.dispatchEvent(new Event('visibilitychange'));
    };
    try {
      turn(true);
      await frames(3);
      const { time } = viewer.playback;
      const left = drawn();
      await new Promise(resolve => setTimeout(resolve, 700));
      expect([drawn(), viewer.playback.time]).toEqual([left, time]);
      turn(false);
      await expect.poll(() => drawn() - left, { timeout: 20_000 }).toBeGreaterThan(0);
      // Playback doesn't continue while the tab is hidden.
      expect(Math.abs(viewer.playback.time - time)).toBeLessThan(0.35);
    } finally {
      Reflect.deleteProperty(document, 'hidden');
    }
  });

  it('pauses playback during a load and continues afterwards', async () => {
    await open(400, 400);
    await drop(pip('Pip.psk'), pip('Pip.psa'));
    viewer.playback.play();
    const isMoving = async (): Promise<boolean> => {
      const { time } = viewer.playback;
      await new Promise(resolve => setTimeout(resolve, 500));
      return viewer.playback.time !== time;
    };
    await expect.poll(isMoving, { timeout: 20_000 }).toBe(true);
    const slow = viewer.open(new Promise(() => {}));
    await frames(2);
    expect(await isMoving()).toBe(false);
    viewer.cancel();
    await slow;
    await expect.poll(isMoving, { timeout: 20_000 }).toBe(true);
  });

  it('redraws the shadow when the content changes, not when the camera moves', async () => {
    await open(400, 400);
    await drop(pip('Pip.psk'));
    const { ground } = viewer.view;
    const update = ground.update.bind(ground);
    let updates = 0;
    ground.update = (...given) => {
      updates++;
      update(...given);
    };
    const rest = async (): Promise<number> => {
      await expect
        .poll(
          async () => {
            const { frame } = viewer.viewport.sharedRenderer.renderer.info.render;
            await new Promise(resolve => setTimeout(resolve, 250));
            return viewer.viewport.sharedRenderer.renderer.info.render.frame - frame;
          },
          { timeout: 20_000 },
        )
        .toBe(0);
      const count = updates;
      updates = 0;
      return count;
    };
    await rest();
    const { frame } = viewer.viewport.sharedRenderer.renderer.info.render;
    viewer.view.cameraRig.orbitBy(0.3, 0.1);
    expect(await rest()).toBe(0);
    expect(viewer.viewport.sharedRenderer.renderer.info.render.frame).toBeGreaterThan(frame);
    viewer.view.invalidate();
    expect(await rest()).toBeGreaterThan(0);
    ground.update = update;
  });

  it('restores the view after a loss of the graphics context', async () => {
    await open(400, 400);
    await drop(pip('Pip.psk'), pip('Pip_D.png'));
    const context = viewer.viewport.sharedRenderer.renderer.getContext().getExtension('WEBGL_lose_context')!;
    context.loseContext();
    await expect.poll(() => shown('.lost'), { timeout: 30_000 }).toBe(true);
    context.restoreContext();
    await expect.poll(() => shown('.lost'), { timeout: 30_000 }).toBe(false);
    await expect.poll(() => picture().orange, { timeout: 20_000 }).toBeGreaterThan(300);
  });
});

describe('controls', () => {
  it('play, step and seek by keyboard', async () => {
    await open();
    await drop(pip('Pip.psk'), pip('Pip.psa'));
    viewer.playback.pause();
    viewer.playback.seek(0);
    press(' ');
    expect(viewer.playback.playing).toBe(true);
    expect(viewer.root.querySelector('[data-command=play]')!.getAttribute('aria-label')).toContain('Pause');
    press(' ');
    expect(viewer.playback.playing).toBe(false);
    viewer.playback.seek(0);
    press('ArrowRight');
    press('ArrowRight');
    expect(viewer.playback.frame).toBe(2);
    press('ArrowRight', { shiftKey: true });
    expect(viewer.playback.frame).toBe(12);
    press('ArrowLeft');
    expect(viewer.playback.frame).toBe(11);
    press('.');
    expect(viewer.playback.frame).toBe(12);
    press(',');
    expect(viewer.playback.frame).toBe(11);
    // Arrow keys step also while the view has the focus. With Alt, they orbit the camera from anywhere.
    const { canvas } = viewer.viewport.sharedRenderer;
    const strike = (key: string, init: KeyboardEventInit = {}): boolean =>
      canvas.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init }));
    const orbit = (): number[] => [viewer.view.cameraRig.orbit.theta, viewer.view.cameraRig.orbit.phi];
    const before = orbit();
    strike('ArrowRight');
    strike('ArrowLeft');
    strike('ArrowLeft');
    expect([viewer.playback.frame, orbit()]).toEqual([10, before]);
    strike('ArrowRight', { altKey: true });
    expect([viewer.playback.frame, orbit()[0] === before[0]]).toEqual([10, false]);
    press('ArrowUp', { altKey: true });
    expect([viewer.playback.frame, orbit()[1] === before[1]]).toEqual([10, false]);
    press('ArrowRight');
    expect(viewer.playback.frame).toBe(11);
    press('ArrowDown');
    expect(viewer.playback.action?.name).toBe('Hop');
    viewer.playback.pause();
    viewer.playback.seek(0);
    const scrub = viewer.root.querySelector<HTMLInputElement>('.scrub')!;
    scrub.focus();
    await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}');
    expect(viewer.playback.frame).toBe(3);
    scrub.value = scrub.max;
    scrub.dispatchEvent(new Event('input'));
    expect(viewer.playback.frame).toBe(32);
    expect(scrub.getAttribute('aria-valuetext')).toContain('32 / 32');
  });

  it('run no command while the visitor types in a search field', async () => {
    await open();
    await drop(pip('Pip.psk'), pip('Pip.psa'));
    viewer.playback.pause();
    const search = viewer.root.querySelector<HTMLInputElement>('.clips input')!;
    search.dispatchEvent(new KeyboardEvent('keydown', { key: ' ', bubbles: true }));
    expect(viewer.playback.playing).toBe(false);
  });

  it('select the bone under a finger that is held still, and show the skeleton', async () => {
    await open();
    await drop(pip('Pip.psk'));
    await frames(2);
    const { canvas } = viewer.viewport.sharedRenderer;
    const wanted = viewer.model!.bones.find(bone => /head/i.test(String(bone.userData['name'])))!;
    const box = canvas.getBoundingClientRect();
    const at = wanted.getWorldPosition(new Vector3()).project(viewer.view.cameraRig.active);
    const spot = { clientX: box.left + ((at.x + 1) / 2) * box.width, clientY: box.top + ((1 - at.y) / 2) * box.height };
    const touch = (type: string, moved = 0): boolean =>
      canvas.dispatchEvent(
        new PointerEvent(type, { pointerType: 'touch', isPrimary: true, clientX: spot.clientX + moved, clientY: spot.clientY + 3 }),
      );
    viewer.view.cameraRig.controls.enabled = false; // the controls would try to capture the simulated pointer
    // A finger that moves orbits the camera.
    touch('pointerdown');
    touch('pointermove', 30);
    await new Promise(resolve => setTimeout(resolve, 600));
    touch('pointerup', 30);
    expect([viewer.viewport.overlays.bone.value, viewer.session.value.viewSettings.bones]).toEqual([null, false]);
    touch('pointerdown');
    await vi.waitFor(() => expect(viewer.viewport.overlays.bone.value).toBe(wanted), 5_000);
    touch('pointerup');
    expect([viewer.viewport.overlays.bone.value, viewer.session.value.viewSettings.bones]).toEqual([wanted, true]);
    // Screen readers announce it, also when the bone is selected by a click.
    const live = viewer.root.querySelector(':scope > [aria-live]')!;
    expect(live.textContent).toBe('head selected.');
    viewer.announce('');
    await frames(2);
    canvas.dispatchEvent(new PointerEvent('pointerdown', { pointerType: 'mouse', ...spot }));
    canvas.dispatchEvent(new PointerEvent('pointerup', { pointerType: 'mouse', ...spot }));
    expect(live.textContent).toMatch(/^\S+ selected\.$/);
    viewer.view.cameraRig.controls.enabled = true;
    viewer.run('bones');
  });

  it('toggle skeleton, wireframe and grid, and hide meshes', async () => {
    await open();
    await drop(pip('Pip.psk'), pip('Pip_D.png'));
    press('b');
    await frames(2);
    expect(viewer.view.overlays.children).toHaveLength(1);
    press('b');
    expect(viewer.view.overlays.children).toHaveLength(0);
    press('w');
    expect(viewer.viewport.appearance.modes.wireframe).toBe(true);
    press('w');
    press('g');
    expect(viewer.view.ground.gridVisible).toBe(false);
    viewer.root.querySelector<HTMLInputElement>('.tree input')!.click();
    expect(picture().drawn).toBeLessThan(50);
  });

  it('have accessible names', async () => {
    await open();
    await viewer.openDemo();
    for (const element of viewer.root.querySelectorAll<HTMLElement>('button, input:not([hidden]), select, [role=listbox]')) {
      const label = element.getAttribute('aria-label') || element.textContent?.trim() || element.closest('label')?.textContent?.trim();
      expect(label, element.outerHTML).toBeTruthy();
    }
  });

  it.each([360, 760, 1600])('fit into %i pixels without horizontal scrolling', async width => {
    await open(width, 700);
    await drop(pip('Pip.psk', `${'a long name '.repeat(8)}.psk`), pip('Pip.psa', `${'b'.repeat(90)}.psa`));
    await frames(2);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
    for (const element of viewer.root.querySelectorAll<HTMLElement>('header *, .transport *, .tabs *, .hint, .tools')) {
      if (!element.checkVisibility()) continue;
      const { left, right } = element.getBoundingClientRect();
      expect(left, element.outerHTML.slice(0, 120)).toBeGreaterThanOrEqual(-1);
      expect(right, element.outerHTML.slice(0, 120)).toBeLessThanOrEqual(width + 1);
    }
    expect(viewer.viewport.sharedRenderer.canvas.getBoundingClientRect().height).toBeGreaterThan(150);
  });
});

describe('real files', () => {
  const corpus = async (path: string): Promise<File | null> => {
    try {
      const text = await commands.readFile(`../shared/corpus/${path}`, { encoding: 'base64' });
      return new File([Uint8Array.from(atob(text), letter => letter.charCodeAt(0))], path.split('/').at(-1)!);
    } catch {
      return null;
    }
  };

  it.each([
    ['psk/psk_loaders/SK_MaleBase_01_Body.psk', ['psa/psk_loaders/Idle_additive.psa', 'psa/psk_loaders/Idle_additive.config']],
    ['psk/hp2/skBeaterMesh.psk', ['psa/hp2/skBeaterAnims.psa']],
  ])('animates %s', async (model, others) => {
    await open();
    const files = await Promise.all([model, ...others].map(corpus));
    if (files.some(file => file === null)) {
      console.log(`skipped: ${model} is not there`);
      return;
    }
    await drop(...(files as File[]));
    expect(viewer.model).not.toBeNull();
    expect(viewer.playback.action).not.toBeNull();
    viewer.playback.pause();
    viewer.playback.seek(0);
    viewer.viewport.drawNow();
    expect(picture().drawn).toBeGreaterThan(700);
    const { box } = viewer.view.extent!;
    // The body always has about the same size as in the bind pose.
    const height = box.max.y - box.min.y;
    for (const part of [0, 0.3, 0.7, 1]) {
      viewer.playback.seek(viewer.playback.duration * part);
      viewer.model!.rig.scene.updateMatrixWorld(true);
      const mesh = viewer.model!.rig.meshes[0] as SkinnedMesh;
      const radius = mesh.boundingSphere.radius;
      expect(radius).toBeGreaterThan(height * 0.3);
      expect(radius).toBeLessThan(height * 2);
    }
  });
});
