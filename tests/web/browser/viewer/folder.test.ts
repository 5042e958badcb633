// Dropped folders, incomplete sets of files, and recordings.
import { Box3, type DataTexture, type MeshStandardMaterial, type SkinnedMesh, Vector3 } from 'three';
import { commands, page } from 'vitest/browser';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Viewer } from '../../../../web/src/viewer/viewer.ts';
import { keyOf } from '../../../../web/src/session/advice.ts';
import { wholeCharacter } from '../../../../web/src/session/model.ts';
import { convertShown } from '../../../../web/src/viewer/saving.ts';
import { makePsa, makePsk } from '../../../support/actorx.ts';
import { BODY, BOOTS, makePart, makeWalk } from '../../../support/characterParts.ts';
import { fmodelExport, PACKAGES } from '../../../support/fmodelExport.ts';
import { dropOn, fetchBlob, frames, makeViewer } from './support.ts';

let viewer: Viewer;
beforeAll(async () => {
  viewer = await makeViewer();
  await page.viewport(620, 480);
}, 120_000);
afterEach(() => viewer.close());
afterAll(() => viewer.dispose());

const drop = (...files: File[]): Promise<void> => dropOn(viewer, ...files);
const demo = async (name: string): Promise<File> => new File([await fetchBlob(`web/src/viewer/demo/${name}`)], name);
const half = async (name: string, bytes: number): Promise<File> => new File([(await demo(name)).slice(0, bytes)], name);
const hint = (): string => {
  const element = viewer.root.querySelector<HTMLElement>('.hint')!;
  return element.checkVisibility() ? element.textContent : '';
};
const playing = (): string => viewer.animationNames[viewer.selected] ?? 'the rest pose';

it('lists levels of detail as one row with buttons, which keep animation and camera', async () => {
  const bones = ['Root', 'Spine', 'Head', 'Arm L', 'Arm R', 'Leg L', 'Leg R', 'Tail'];
  const model = (name: string, side: number): File => new File([makePsk({ bones, side })], name);
  const walk = new File([makePsa({ bones, sequences: ['Walk', 'Run'], frames: 31 })], 'Hero_Anims.psa');
  const other = new File([makePsk()], 'Other.psk');
  await drop(model('Hero_LOD2.psk', 5), model('Hero.psk', 6), model('Hero_LOD1.psk', 5), other, walk);
  viewer.showSection('files');
  await frames(2); // until the camera frames the model in the smaller viewport
  const rows = (): (string | null)[] =>
    [...viewer.root.querySelectorAll('.library details:first-child .choice .name')].map(element => element.textContent);
  expect(rows()).toEqual(['Hero.psk', 'Other.psk']);
  const levels = (): HTMLElement[] => [...viewer.root.querySelectorAll<HTMLElement>('.levels button')];
  const pressed = (): (string | null)[] => levels().map(button => button.getAttribute('aria-pressed'));
  expect(levels().map(({ textContent }) => textContent)).toEqual(['LOD 0', 'LOD 1', 'LOD 2']);
  viewer.selectByTitle('Run');
  viewer.playback.pause();
  viewer.playback.seek(0.5);
  const { camera, controls } = viewer.view.cameraRig;
  const cameraView = camera.position.clone().sub(controls.target);
  levels()[2]!.click();
  await viewer.idle;
  expect(viewer.root.querySelector('.title')!.textContent).toBe('Hero_LOD2.psk');
  expect([rows()[0], pressed()]).toEqual(['Hero_LOD2.psk', ['false', 'false', 'true']]);
  expect([playing(), viewer.playback.time]).toEqual(['Run', 0.5]);
  expect(camera.position.clone().sub(controls.target).distanceTo(cameraView)).toBeLessThan(1e-4);
});

it('finds materials and textures beside the folder of a model, first those of its own package', async () => {
  const files = Array.from(fmodelExport(), ([path, bytes]) => ({ path, file: new File([bytes], path.split('/').at(-1)!) }));
  await viewer.open({ files, truncated: false });
  const shown = (): unknown => {
    const { rig, input } = viewer.model!;
    const { map, roughness, metalness } = rig.materialsOf(0)[0] as MeshStandardMaterial;
    return [input.file.name, [...((map as DataTexture).image.data as Uint8Array).subarray(0, 3)], roughness, metalness];
  };
  expect(shown()).toEqual(['SK_Hero.psk', PACKAGES.Hero, 0.25, 1]);
  viewer.showSection('files');
  const other = [...viewer.root.querySelectorAll<HTMLElement>('.library .choice')].find(({ textContent }) =>
    textContent.includes('SK_Villain'),
  )!;
  (other.querySelector('button') ?? other).click();
  await vi.waitFor(() => expect(shown()).toEqual(['SK_Villain.psk', PACKAGES.Villain, 0.25, 1]));
});

describe('several animation files', () => {
  const body = ['Root', 'Spine', 'Head', 'Arm L', 'Arm R', 'Leg L', 'Leg R', 'Tail'];
  const pig = new File([makePsk({ bones: body })], 'skPigMesh.psk');
  const motion = (name: string, bones: readonly string[], sequences: readonly string[], frames = 31): File =>
    new File([makePsa({ bones, sequences, frames })], `${name}.psa`);
  const barrel = motion('skBarrelAnims', ['Root', 'Lid'], ['Roll']);
  const own = motion('skPigAnims', body, ['Walk']);
  const bird = motion('skBirdAnims', [...body, ...Array.from({ length: 24 }, (_, i) => `Feather ${i}`)], ['Fly']);

  it('plays the animation of the model and lists it first', async () => {
    await drop(barrel, bird, own, pig);
    expect(viewer.animationNames).toEqual(['Walk', 'Fly', 'Roll']);
    expect(playing()).toBe('Walk');
    expect(viewer.playback.playing).toBe(true);
    const rows = [...viewer.root.querySelectorAll('.clips .row .small')].map(element => element.textContent);
    expect(rows[1]).not.toContain('bones match');
    expect(rows.slice(2)).toEqual([expect.stringContaining('8 of 32 bones match'), expect.stringContaining('1 of 2 bones match')]);
  });

  it('groups animations with their bone counts and hides many of other models behind a button', async () => {
    await drop(pig, own, motion('skBirdAnims', ['Root', 'Wing'], ['A', 'B', 'C', 'D', 'E', 'F']));
    const names = (): (string | null)[] => [...viewer.root.querySelectorAll('.clips .row .name')].map(element => element.textContent);
    const count = (): number => Number(viewer.root.querySelector('.clips .row')!.getAttribute('aria-setsize'));
    const groups = (): (string | null)[] => [...viewer.root.querySelectorAll('.clips .group')].map(element => element.textContent);
    expect([names(), groups()]).toEqual([['Rest pose', 'Walk'], ['For this model (1)']]);
    expect(viewer.root.querySelectorAll('.clips .row .small')[1]!.textContent).toMatch(/^8 of 8 bones · /);
    const more = viewer.root.querySelector<HTMLElement>('.clips .more')!;
    expect(more.textContent).toBe('Show 6 animations for other models');
    more.click();
    expect([count(), groups()]).toEqual([8, ['For this model (1)', 'For other models (6)']]);
    more.click();
    expect(count()).toBe(2);
    // An animation of another model is listed as soon as it is selected.
    viewer.select(3);
    expect(count()).toBe(8);
  });

  it('does not play an animation of another skeleton and keeps the current one playing', async () => {
    await drop(pig, own);
    viewer.playback.pause();
    viewer.playback.seek(0.5);
    await drop(bird);
    expect(viewer.animationNames).toEqual(['Walk', 'Fly']);
    expect([playing(), viewer.playback.time, viewer.playback.playing]).toEqual(['Walk', 0.5, false]);
    expect(hint()).toBe(
      'skBirdAnims.psa was made for another skeleton: this model has only 8 of its 32 bones. You can still play it from the Animations list.',
    );
    // The animation can still be selected.
    viewer.select(1);
    expect(playing()).toBe('Fly');
    viewer.close();
    await drop(pig, barrel);
    expect([viewer.selected, hint()]).toEqual([-1, expect.stringContaining('1 of its 2 bones')]);
    await drop(own);
    expect(playing()).toBe('Walk');
    expect(hint()).not.toContain('another skeleton');
  });

  it('does not start a very short animation if there is a longer one', async () => {
    const twitch = motion('skPigAdd', body, ['Blink'], 2);
    await drop(pig, twitch);
    expect([viewer.animationNames, playing()]).toEqual([['Blink'], 'the rest pose']);
    // An animation that is dropped onto a model plays, even if it is short.
    viewer.close();
    await drop(pig);
    await drop(twitch);
    expect(playing()).toBe('Blink');
    viewer.close();
    await drop(pig, twitch, own);
    expect(viewer.animationNames).toContain('Blink');
    expect(playing()).toBe('Walk');
  });
});

describe('the advice bar', () => {
  it.each([
    [['Pip.psk', 'Pip.psa', 'Pip_D.png'], ''],
    [['Pip.psk', 'Pip_D.png'], 'This model has no animation. Open one to see it move.'],
    [['Tock.cast', 'Tock_albedo.png', 'Tock_emissive.png', 'Tock_metal.png', 'Tock_normal.png', 'Tock_roughness.png'], ''],
    [['Lotl.vgo'], ''],
    [['wavingHands.bin'], ''],
  ])('for %j shows %j', async (names, wanted) => {
    await drop(...(await Promise.all(names.map(demo))));
    expect(hint()).toBe(wanted);
  });

  it.each([
    'mrtk/real/HandRecorder_InputAnimation-20210219-134546.bin',
    'mrtk/real/holographic-recording_InputAnimation-20201011-130542.bin',
    'vgo/real/VGO_2_5.vgo',
  ])('shows nothing false for the real file %s', async path => {
    const text = await commands.readFile(`../shared/corpus/${path}`, { encoding: 'base64' }).catch(() => null);
    if (text === null) return console.log(`skipped: ${path} is not there`);
    await drop(new File([Uint8Array.from(atob(text), letter => letter.charCodeAt(0))], path.split('/').at(-1)!));
    expect(viewer.model).not.toBeNull();
    expect(hint()).not.toMatch(/nothing that can be shown|damaged|another skeleton/);
  });

  it.each([
    ['Pip.psk', 90_000],
    ['Tock.cast', 60_000],
    ['Lotl.vgo', 60_000],
  ])('shows the damage of a truncated %s first', async (name, bytes) => {
    await drop(await half(name, bytes));
    expect(hint()).toMatch(new RegExp(`^${name} is incomplete: it ends after ${bytes / 1000} KB.*The Report lists what is missing\\.$`));
    expect(viewer.root.querySelector('.hint')!.classList.contains('damage')).toBe(true);
  });
});

it('shows the damage of an animation for another skeleton only in the list of files', async () => {
  const bird = makePsa({ bones: ['Perch', 'Wing L', 'Wing R', 'Beak'], sequences: ['Fly'], frames: 31 });
  await drop(new File([makePsk()], 'pig.psk'), new File([bird.slice(0, -100) as Uint8Array<ArrayBuffer>], 'half.psa'));
  viewer.showSection('files');
  await vi.waitFor(() => {
    const badges = [...viewer.root.querySelectorAll('.library .choice .badge.error')].map(badge => badge.closest('.choice')!);
    expect(badges.map(row => row.querySelector('.name')!.textContent)).toEqual(['half.psa']);
  });
  expect(hint()).not.toContain('half.psa');
  expect(viewer.root.querySelector('#panel-details-tab .badge')!.textContent).toBe('');
  expect(viewer.sections.value.map(({ name }) => name)).toEqual(['pig.psk']);
});

describe('files that cannot be opened', () => {
  const text = (selector: string): string => viewer.root.querySelector(selector)?.textContent ?? '';

  it.each([
    ['hero.zip', 'PK\x03\x04', 'hero.zip can’t be read.', 'The list of files of the archive is missing. Check that'],
    ['hero.rar', 'PK\x03\x04', 'rigcast can’t read hero.rar.', 'ZIP archive. Unpack it and open the files'],
    ['hero.psk', '', 'hero.psk is empty.', 'download or copy did not finish. Get it again.'],
    ['hero.vgo', '\0\0\0', 'hero.vgo is empty.', '3 bytes are zero'],
    ['hero.cast', '<!doctype html>', 'hero.cast is a web page.', 'a page instead of the file'],
    ['hero.psk', 'once upon a time', 'rigcast can’t read hero.psk.', 'Its format isn’t supported. Check that it’s the right file.'],
  ])('the card for %s with the content %j names its content', async (name, content, title, next) => {
    await drop(new File([content], name));
    expect(text('.problem h2')).toBe(title);
    expect(text('.problem p')).toContain(next);
  });

  it('the card for a URL names the status of the server', async () => {
    await viewer.openAddresses([new URL('/nothing/here.psk', location.origin).href]);
    expect(text('.problem h2')).toMatch(/^here\.psk (couldn’t be downloaded \(HTTP 404\)|is a web page)\.$/);
    await viewer.openAddresses(['//']);
    expect(text('.problem h2')).toBe('“//” isn’t a valid address.');
    expect([...viewer.root.querySelectorAll('.card')].filter(card => card.checkVisibility())).toEqual([
      viewer.root.querySelector('.problem'),
    ]);
  });
});

describe('framing', () => {
  const body = ['Root', 'Spine', 'Head'];
  const figure = new File([makePsk({ bones: body, side: 20 })], 'figure.psk');
  const motion = (name: string, root: (frame: number) => readonly [number, number, number]): File =>
    new File([makePsa({ bones: body, frames: 31, position: (bone, frame) => (bone === 0 ? root(frame) : [0, 0, 10]) })], `${name}.psa`);
  /**
   * Returns the largest distance of a drawn corner from the centre of the picture, over several
   * times of the animation. 1 is the edge of the picture.
   */
  const farthest = (): number =>
    Math.max(
      ...[0, 0.25, 0.5, 0.75, 1].map(time => {
        viewer.playback.pause();
        viewer.playback.seek(time);
        viewer.viewport.drawNow();
        return edge();
      }),
    );
  const edge = (): number => {
    const mesh = viewer.model!.rig.meshes[0] as SkinnedMesh;
    const { min, max } = new Box3().copy(mesh.boundingBox).applyMatrix4(mesh.matrixWorld);
    const corners = Array.from({ length: 8 }, (_, i) =>
      new Vector3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z).project(viewer.view.cameraRig.camera),
    );
    return Math.max(...corners.map(({ x, y }) => Math.max(Math.abs(x), Math.abs(y))));
  };

  it('contains an animation that moves the model away from its bind pose', async () => {
    await drop(
      figure,
      motion('leap', frame => [0, 0, 10 * frame]),
      motion('walk', frame => [20 * frame, 0, 0]),
      motion('still', () => [0, 0, 0]),
    );
    const motions = Object.fromEntries(
      viewer.animationNames.map((_, at) => [
        viewer.root.querySelectorAll('.clips .row .small')[at + 1]!.textContent.match(/(\w+)\.psa/)![1]!,
        at,
      ]),
    );
    viewer.select(motions['still']!, false);
    viewer.view.cameraRig.reset();
    const near = viewer.view.cameraRig.camera.position.distanceTo(viewer.view.cameraRig.controls.target);
    for (const name of ['leap', 'walk']) {
      viewer.select(motions[name]!, false);
      expect(farthest(), name).toBeLessThan(1);
      // "Frame all" shows the whole model during the animation, too.
      viewer.playback.seek(0.5);
      viewer.view.cameraRig.reset();
      viewer.viewport.drawNow();
      expect(edge(), name).toBeLessThan(1);
      expect(farthest(), name).toBeLessThan(1);
    }
    // The camera follows a walking model, so it doesn't need to move back.
    expect(viewer.view.cameraRig.camera.position.distanceTo(viewer.view.cameraRig.controls.target)).toBeLessThan(near * 1.5);
  });
});

describe('an SEModel with an SEAnim', () => {
  it('is upright, has its size in metres, and its animation plays', async () => {
    const files = await Promise.all(
      ['arm.semodel', 'absolute.seanim'].map(async name => new File([await fetchBlob(`tests/data/se/${name}`)], name)),
    );
    await drop(...files);
    expect(playing()).toBe('absolute');
    expect(viewer.playback.playing).toBe(true);
    expect(viewer.playback.duration).toBeCloseTo(1);
    expect(hint()).toBe('The textures of skin weren’t found. Open the images, or the folder that contains them.');
  });
});

describe('parts of one character', () => {
  const part = (name: string, covers: readonly string[], size?: number): File =>
    new File([makePart({ covers, material: name, ...(size && { size }) })], `${name}.psk`);
  const [body, boots] = [part('Body', BODY), part('Boots', BOOTS, 9)];
  const walk = new File([makeWalk({ sequences: ['Walk'] })], 'Walk.psa');
  const boxes = (): HTMLInputElement[] => [...viewer.root.querySelectorAll<HTMLInputElement>('.files .parts input')];
  const listed = (): string[] =>
    [...viewer.root.querySelectorAll('.library details:first-child .choice .name, .files .parts label')].map(
      element =>
        `${element.querySelector('input') ? (element.querySelector('input')!.checked ? '[x] ' : '[ ] ') : ''}${element.textContent}`,
    );
  const shownFiles = (): string[] => (viewer.model ? wholeCharacter(viewer.model).map(({ input }) => input.file.name) : []);

  it('draws thumbnails of the library while an animation plays', async () => {
    await drop(part('One', BODY), part('Two', BODY, 9), walk);
    expect(viewer.playback.playing).toBe(true);
    viewer.showSection('files');
    const pictures = (): HTMLImageElement[] => [...viewer.root.querySelectorAll<HTMLImageElement>('.files img.thumb')];
    await expect.poll(() => pictures().length, { timeout: 30_000 }).toBe(2);
    expect(viewer.playback.playing).toBe(true);
    await pictures()[0]!.decode();
    expect(pictures()[0]!.naturalWidth).toBeGreaterThan(40);
    expect([viewer.view.content !== null, viewer.view.isVisible]).toEqual([true, true]);
  });

  it('draws the thumbnails of visible rows first and keeps the rows in place', async () => {
    const many = Array.from({ length: 70 }, (_, i) => part(`Body ${i}`, BODY, 8 + i / 10));
    await drop(...many);
    viewer.isLibraryOpen.value = false;
    viewer.showSection('files');
    const panel = viewer.root.querySelector<HTMLElement>('.files')!;
    const rows = (): HTMLElement[] => [...panel.querySelectorAll<HTMLElement>('.choice:has(.thumb)')];
    await expect.poll(() => rows().length, { timeout: 30_000 }).toBe(70);
    const heights = (): number[] => rows().map(row => row.offsetHeight);
    const before = heights();
    panel.scrollTop = panel.scrollHeight;
    await expect.poll(() => rows().at(-1)!.querySelector('img'), { timeout: 30_000 }).not.toBeNull();
    expect(rows().filter(row => row.querySelector('img')).length).toBeLessThan(30);
    expect(heights()).toEqual(before);
  });

  it('are shown, listed, animated and closed together', async () => {
    await drop(body, boots, walk);
    const [first] = viewer.model!.parts;
    expect(viewer.root.querySelectorAll('.files [aria-current]')).toHaveLength(2); // the model and the current animation
    expect([...viewer.root.querySelectorAll('.tree .material .name, .tree .mesh .name')].map(row => row.textContent)).toEqual(
      expect.arrayContaining(['Body', 'Boots']),
    );
    const mesh = first!.rig.meshes[0] as SkinnedMesh;
    const isInScene = (): boolean => {
      let found = false;
      viewer.view.scene.traverse(object => (found ||= object === mesh));
      return found;
    };
    expect(isInScene()).toBe(true);
    viewer.run('wire');
    expect(viewer.viewport.appearance.modes.wireframe).toBe(true);
    viewer.run('wire');
    viewer.playback.pause();
    const root = (): number[] => first!.bones[0]!.position.toArray();
    viewer.playback.seek(0);
    const start = root();
    viewer.playback.seek(viewer.playback.duration / 2);
    expect(root()).not.toEqual(start);
    expect(root()).toEqual(viewer.model!.bones[0]!.position.toArray());
    viewer.close();
    expect(isInScene()).toBe(false);
  });

  it('have checkboxes; a part that is off is not shown, saved or reported', async () => {
    await drop(body, boots, walk, new File([makePsk({ bones: ['Stone', 'Moss'], side: 4 })], 'Rock.psk'));
    viewer.showSection('files');
    await vi.waitFor(() => expect(listed()).toEqual(['Body.psk', '[x] Boots.psk', 'Rock.psk']));
    const about = (): string[] => viewer.sections.value.map(({ name, about: text }) => `${name}: ${text}`);
    expect(about()).toContainEqual(expect.stringMatching(/^Boots\.psk: .*part of Body\.psk$/));
    viewer.playback.pause();
    viewer.playback.seek(0.5);
    const saved = async (): Promise<string[]> => {
      const { files } = await convertShown(
        viewer,
        { to: 'glb', animations: 'all', switches: new Set() },
        { signal: new AbortController().signal, onStep() {} },
      );
      return files.map(({ name }) => name);
    };
    expect(await saved()).toEqual(['Body.glb', 'Boots.glb']);
    await viewer.save();
    const dialog = (): HTMLDialogElement => viewer.root.querySelector<HTMLDialogElement>('dialog.saving[open]')!;
    const offered = (): string[] => [...dialog().querySelectorAll<HTMLAnchorElement>('a[download]')].map(({ download }) => download);
    expect(offered()).toEqual(['Body.glb', 'Boots.glb']);
    dialog().querySelector<HTMLElement>('[data-switch="merge"] input')!.click();
    await viewer.idle;
    expect(offered()).toEqual(['Body.glb']);
    expect(dialog().querySelector('.losses')!.textContent).toContain('Models were merged');
    const formats = dialog().querySelector('select')!;
    formats.value = 'uemodel';
    formats.dispatchEvent(new Event('change'));
    await viewer.idle;
    expect(offered()).toEqual(['Body.uemodel', 'Body_Walk.ueanim']);
    dialog().close();
    boxes()[0]!.click();
    await vi.waitFor(() => expect(shownFiles()).toEqual(['Body.psk']));
    await viewer.save();
    expect(dialog().querySelector('[data-switch="merge"]')).toBeNull();
    dialog().close();
    await vi.waitFor(() => expect(listed()).toEqual(['Body.psk', '[ ] Boots.psk', 'Boots.psk', 'Rock.psk']));
    expect([playing(), viewer.playback.time, viewer.playback.playing]).toEqual(['Walk', 0.5, false]);
    expect(about().join()).not.toContain('Part of');
    expect(await saved()).toEqual(['Body.glb']);
    // The choice of parts is kept when the model is shown again, and undo reverts the choice.
    viewer.showNext(1);
    await viewer.idle;
    viewer.showNext(-1);
    await viewer.idle;
    expect(shownFiles()).toEqual(['Body.psk']);
    for (let i = 0; i < 3; i++) {
      viewer.undo();
      await viewer.idle;
    }
    expect(shownFiles()).toEqual(['Body.psk', 'Boots.psk']);
  });

  it('are suggested with the reason for a doubt, and added by one button', async () => {
    const robe = part('Robe', ['Spine', 'Pelvis']);
    const cape = part('Cape', ['Spine'], 9);
    const kick = (name: string): File => new File([makePsa({ bones: ['Other'], sequences: ['Fly'] })], name);
    await drop(body, robe, cape, walk, kick('Robe_Anims.psa'), kick('Cape_Anims.psa'));
    expect(shownFiles()).toEqual(['Body.psk']);
    viewer.showSection('files');
    await vi.waitFor(() => expect(boxes()).toHaveLength(2));
    expect(viewer.root.querySelector('.files .parts')!.textContent).toBe(
      'Cape.pskhas its own animations: Cape_Anims.psaRobe.pskhas its own animations: Robe_Anims.psa2 possible parts with the same skeletonAdd to model',
    );
    expect(viewer.advice.value).toContainEqual({ code: 'available-parts', names: ['Cape.psk', 'Robe.psk'] });
    boxes()[1]!.click();
    await vi.waitFor(() => expect(shownFiles()).toEqual(['Body.psk', 'Robe.psk']));
    for (const advice of viewer.advice.value)
      if (advice.code !== 'available-parts') viewer.dispatch({ type: 'dismiss', advice: keyOf(advice) });
    await vi.waitFor(() => expect(hint()).toBe('1 other file has the same skeleton and may be part of this model: Cape.psk.Add to model'));
    viewer.root.querySelector<HTMLElement>('.hint .plain')!.click();
    await vi.waitFor(() => expect(shownFiles()).toEqual(['Body.psk', 'Cape.psk', 'Robe.psk']));
    expect(viewer.advice.value.map(({ code }) => code)).not.toContain('available-parts');
    await vi.waitFor(() => expect(viewer.root.querySelector('.files .offer')).toBeNull());
  });
});
