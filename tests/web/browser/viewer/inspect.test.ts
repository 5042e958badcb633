// Inspector: trees of the scene and of files, and the bytes of a finding.
import { type MeshStandardMaterial, type Object3D, Vector3 } from 'three';
import { page } from 'vitest/browser';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AttachedModel } from '../../../../web/src/viewer/entries.ts';
import type { Viewer } from '../../../../web/src/viewer/viewer.ts';
import { dropOn, fetchBlob, makeViewer } from './support.ts';

let viewer: Viewer;

beforeAll(async () => {
  await page.viewport(1280, 800);
  viewer = await makeViewer();
  await viewer.openDemo('pip');
  viewer.playback.pause();
  viewer.showSection('inspect');
  await vi.waitFor(() => expect(names().length).toBeGreaterThan(0));
}, 120_000);
afterAll(() => viewer.dispose());

const find = <Kind extends Element>(selector: string): Kind => viewer.root.querySelector<Kind>(selector)!;
const leaves = (): HTMLElement[] => [...viewer.root.querySelectorAll<HTMLElement>('.leaf')];
const names = (): string[] => leaves().map(leaf => leaf.querySelector('.name')!.textContent!);
const leaf = (name: string): HTMLElement => leaves().find(one => one.querySelector('.name')!.textContent === name)!;
const facts = (): Record<string, string> =>
  Object.fromEntries(
    [...viewer.root.querySelectorAll('.details .facts > div')].map(row => [row.children[0]!.textContent, row.children[1]!.textContent]),
  );
const press = (key: string): void =>
  void find('.tree').dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));

function search(text: string): void {
  const field = find<HTMLInputElement>('.inspect input[type=search]');
  field.value = text;
  field.dispatchEvent(new Event('input'));
}

async function lookInto(name: string): Promise<void> {
  const list = find<HTMLSelectElement>('.inspect select');
  list.value = [...list.options].find(({ textContent }) => textContent === name)!.value;
  list.dispatchEvent(new Event('change'));
  await vi.waitFor(() => expect(find<HTMLElement>('.inspect .note').hidden).toBe(true), 20_000);
}

/** Returns the visible bytes, and the number of highlighted bytes. */
function bytes(): { shown: number[]; marked: number } {
  const rows = find('.hex').textContent!.split('\n').filter(Boolean);
  const shown = rows.flatMap(row =>
    row
      .slice(10, 34)
      .trim()
      .split(' ')
      .map(byte => parseInt(byte, 16)),
  );
  const marked = [...viewer.root.querySelectorAll('.hex mark')].map(({ textContent }) => textContent!);
  return { shown, marked: marked.filter(text => /^([0-9A-F]{2} )+$/.test(text)).reduce((sum, text) => sum + text.length / 3, 0) };
}

describe('the tree of the scene', () => {
  it('lists meshes, bones, materials and animations with their properties', () => {
    expect(names()).toEqual(expect.arrayContaining(['Meshes', 'Bones and nodes', 'Materials', 'Animations of Pip.psa']));
    leaf('Bones and nodes').click();
    press('ArrowRight');
    press('ArrowRight');
    expect(
      leaves()
        .find(one => one.getAttribute('aria-selected') === 'true')!
        .getAttribute('aria-level'),
    ).toBe('2');
    expect(facts()).toMatchObject({ 'Rest position': expect.stringMatching(/^(-?[\d.]+ {2}){2}-?[\d.]+ m$/), 'Local scale': '1  1  1' });
    expect(viewer.viewport.overlays.bone.value).toBe(viewer.model!.rig.nodes[1]);
    expect(find('.bone-label').textContent).toBe(names()[names().indexOf('Bones and nodes') + 1]);
  });

  it('is searched by name and selects the object that is selected in the viewport', () => {
    search('HEAD');
    expect(names()).toContain('head');
    expect(names().every(name => name.toLowerCase().includes('head'))).toBe(true);
    expect(leaf('head').querySelector('.detail')!.textContent).toContain('›');
    search('no bone is called this');
    expect(find('.inspect .note').textContent).toBe('No results.');
    search('');
    const tail = viewer.model!.bones.find(bone => /tail/i.test(bone.name))!;
    viewer.viewport.overlays.bone.value = tail;
    expect(find('.details h4').textContent).toBe(tail.userData['name']);
    expect(leaf(tail.userData['name'] as string).getAttribute('aria-selected')).toBe('true');
  });

  it('updates the transform of a bone during playback', () => {
    const before = facts();
    viewer.playback.seek(viewer.playback.duration / 3);
    viewer.viewport.drawNow();
    viewer.poseVersion.value++;
    expect(facts()['Local rotation']).not.toBe(before['Local rotation']);
    expect(facts()['Rest rotation']).toBe(before['Rest rotation']);
  });

  it('shows the textures of a material', () => {
    search('');
    const group = leaf('Materials');
    group.click();
    press('ArrowRight');
    press('ArrowRight');
    const canvas = find<HTMLCanvasElement>('.textures canvas');
    expect(Math.max(canvas.width, canvas.height)).toBe(96);
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
    expect(new Set(data).size).toBeGreaterThan(20);
    expect(find('.textures small').textContent).toMatch(/^\d+ × \d+ · sRGB$/);
  });

  it('selects the mesh that is clicked', () => {
    const { canvas } = viewer.viewport.sharedRenderer;
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const head = viewer.model!.bones.find(bone => bone.userData['name'] === 'head')!;
    const { x, y } = head.getWorldPosition(new Vector3()).project(viewer.view.cameraRig.active);
    const spot = { clientX: left + ((1 + x) / 2) * width, clientY: top + ((1 - y) / 2) * height };
    viewer.view.cameraRig.controls.enabled = false; // the controls would try to capture the simulated pointer
    canvas.dispatchEvent(new PointerEvent('pointerdown', spot));
    canvas.dispatchEvent(new PointerEvent('pointerup', spot));
    viewer.view.cameraRig.controls.enabled = true;
    expect(Number(facts()['Vertices']!.replace(/\D/g, ''))).toBeGreaterThan(100);
  });
});

describe('an image that the visitor assigns', () => {
  /** Returns an image of 16 × 16 pixels in one colour. */
  async function image(name: string, color: string): Promise<File> {
    const canvas = new OffscreenCanvas(16, 16);
    const context = canvas.getContext('2d')!;
    context.fillStyle = color;
    context.fillRect(0, 0, 16, 16);
    return new File([await canvas.convertToBlob()], name);
  }
  const assigned = (): { name: string; width: number } => {
    const [material] = viewer.model!.rig.materialsOf(0) as MeshStandardMaterial[];
    const map = material!.map!;
    return { name: map.name, width: (map.image as ImageBitmap).width };
  };

  it('replaces the texture of the material', async () => {
    leaf('Materials').click();
    press('ArrowRight');
    press('ArrowRight');
    const input = find<HTMLInputElement>('.image-control input');
    const files = new DataTransfer();
    files.items.add(await image('anything.png', 'blue'));
    input.files = files.files;
    input.dispatchEvent(new Event('change'));
    await vi.waitFor(() => expect(assigned()).toEqual({ name: 'anything.png', width: 16 }), 20_000);
    expect(find('[aria-live]').textContent).toContain('anything.png applied to');
    expect(find<HTMLCanvasElement>('.textures canvas').width).toBe(16);
  });

  const pip = async (): Promise<File> => new File([await fetchBlob('web/src/viewer/demo/Pip.psk')], 'Pip.psk');

  it.each(['a demo', 'a file'])('is assigned by a drop onto a mesh of %s', async on => {
    if (on === 'a file') await dropOn(viewer, await pip());
    const { left, top, width, height } = viewer.viewport.sharedRenderer.canvas.getBoundingClientRect();
    const transfer = new DataTransfer();
    transfer.items.add(await image('unheardOf.png', 'lime'));
    const at = { clientX: left + width / 2, clientY: top + height * 0.55 };
    window.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true, ...at }));
    await vi.waitFor(() => expect(assigned().name).toBe('unheardOf.png'), 20_000);
    await vi.waitFor(() => expect(viewer.advice.value.map(({ code }) => code)).not.toContain('missing-textures'), 20_000);
  });

  it('is applied again when its model is shown again', async () => {
    await dropOn(viewer, new File([await fetchBlob('web/src/viewer/demo/Tock.cast')], 'Tock.cast'));
    await dropOn(viewer, await pip());
    await vi.waitFor(() => expect(assigned().name).toBe('unheardOf.png'), 20_000);
  });

  it('is removed by undo and stays removed', async () => {
    viewer.close();
    await dropOn(viewer, await pip());
    await vi.waitFor(() => expect(assigned().name).toBe('unheardOf.png'), 20_000);
    const rig = viewer.model!.rig;
    await viewer.assignTexture({ rig, row: 0 }, 'baseColor', await image('other.png', 'navy'));
    expect(assigned().name).toBe('other.png');
    viewer.undo();
    await viewer.idle;
    await vi.waitFor(() => expect(assigned().name).toBe('unheardOf.png'), 20_000);
    expect(viewer.session.value.imageAssignments.map(({ image }) => image)).not.toContain('other.png');
  });
});

describe('a model attached to a bone', () => {
  const hand = (): Object3D => viewer.model!.bones.find(bone => bone.userData['name'] === 'forearm_r')!;
  const choose = (at: number): void => {
    const list = find<HTMLSelectElement>('.details select');
    list.value = String(at);
    list.dispatchEvent(new Event('change'));
  };

  it('follows the bone in its own size and is removed with the main model', async () => {
    const given = async (name: string): Promise<File> => new File([await fetchBlob(`web/src/viewer/demo/${name}`)], name);
    viewer.close();
    await dropOn(viewer, await given('Pip.psk'), await given('Pip.psa'), await given('Mushroom.cast'));
    if (viewer.model!.input.file.name !== 'Pip.psk') viewer.showNext(1);
    await viewer.idle;
    viewer.playback.pause();
    viewer.viewport.overlays.choose(hand());
    choose(0);
    await vi.waitFor(() => expect(viewer.attached.value).toHaveLength(1), 20_000);
    const [{ model, entry }] = viewer.attached.value as [AttachedModel];
    expect(entry.input.file.name).toBe('Mushroom.cast');
    const placeOf = (object: Object3D): Vector3 => object.getWorldPosition(new Vector3());
    for (const time of [0, viewer.playback.duration / 3]) {
      viewer.playback.seek(time);
      viewer.viewport.drawNow();
      expect(placeOf(model.rig.scene).distanceTo(placeOf(hand()))).toBeLessThan(1e-6);
    }
    const scale = model.rig.nodes[0]!.getWorldScale(new Vector3());
    const own = model.rig.nodes[0]!.scale;
    expect(scale.distanceTo(own)).toBeLessThan(1e-5 * own.x);
    choose(-1);
    await vi.waitFor(() => expect(viewer.attached.value).toHaveLength(0), 20_000);
    choose(0);
    await vi.waitFor(() => expect(viewer.attached.value).toHaveLength(1), 20_000);
    viewer.showNext(1);
    await viewer.idle;
    expect([viewer.attached.value, viewer.model!.input.file.name]).toEqual([[], 'Mushroom.cast']);
    // The attachment is restored with the main model. Undo restores an attachment that was removed.
    const attachments = (): string[] =>
      viewer.attached.value.map(attached => `${attached.entry.input.file.name} on ${String(attached.bone.userData['name'])}`);
    viewer.showNext(-1);
    await viewer.idle;
    expect(attachments()).toEqual(['Mushroom.cast on forearm_r']);
    viewer.viewport.overlays.choose(hand());
    choose(-1);
    await vi.waitFor(() => expect(attachments()).toEqual([]), 20_000);
    viewer.undo();
    await viewer.idle;
    expect(attachments()).toEqual(['Mushroom.cast on forearm_r']);
    expect(viewer.attached.value[0]!.bone).toBe(hand());
  }, 120_000);
});

describe('the bytes of a file', () => {
  it('are listed by outline and equal the bytes on disk', async () => {
    const blob = new Uint8Array(await (await fetchBlob('web/src/viewer/demo/Pip.psk')).arrayBuffer());
    await viewer.openDemo('pip');
    await lookInto('Bytes of Pip.psk');
    expect(names()).toEqual(expect.arrayContaining(['ACTRHEAD', 'PNTS0000', 'REFSKELT']));
    leaf('PNTS0000').click();
    expect(facts()).toMatchObject({ 'Byte offset': '32 (0x20)' });
    await vi.waitFor(() => expect(bytes().shown).toEqual([...blob.subarray(32, 32 + 256)]), 20_000);
    find<HTMLElement>('.field').click();
    await vi.waitFor(() => expect(bytes().shown).toEqual([...blob.subarray(64, 64 + 256)]), 20_000);
    find<HTMLElement>('.bytes button:last-of-type').click();
    await vi.waitFor(() => expect(bytes().shown).toEqual([...blob.subarray(320, 320 + 256)]), 20_000);
    await lookInto('Scene');
    expect(names()).toContain('Meshes');
  });

  it('are shown from the button of a finding', async () => {
    const whole = new Uint8Array(await (await fetchBlob('web/src/viewer/demo/Pip.psk')).arrayBuffer());
    const weights = new TextDecoder('latin1').decode(whole).indexOf('RAWW');
    new DataView(whole.buffer).setInt32(weights + 32 + 4, 1e9, true); // the first influence refers to a missing point
    await dropOn(viewer, new File([whole], 'Bent.psk'));
    viewer.showSection('report');
    const button = await vi.waitFor(() => {
      const found = [...viewer.root.querySelectorAll<HTMLElement>('.finding.error .plain')][0];
      expect(found).toBeDefined();
      return found!;
    });
    button.click();
    await vi.waitFor(() => expect(find('.details h4').textContent).toContain('RAWW'), 20_000);
    expect(find<HTMLElement>('.inspect').checkVisibility()).toBe(true);
    await vi.waitFor(() => expect(bytes().marked).toBeGreaterThan(0), 20_000);
  });

  it('shows a name from a file as text', async () => {
    search('');
    const bytesOf = new Uint8Array(await (await fetchBlob('web/src/viewer/demo/Pip.psk')).arrayBuffer());
    const name = '<img src=x onerror=alert(1)>.psk';
    await dropOn(viewer, new File([bytesOf], name));
    expect(find<HTMLSelectElement>('.inspect select').textContent).toContain(name);
    expect(viewer.root.querySelector('.inspect img')).toBeNull();
  });
});
