// Saves the content in every format that supports it, and opens the written files.
import axe from 'axe-core';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { convert } from '../../../../web/src/convert/index.ts';
import { TARGETS, type Target } from '../../../../web/src/convert/targets.ts';
import { open, type RigFile } from '../../../../web/src/core/index.ts';
import type { Viewer } from '../../../../web/src/viewer/viewer.ts';
import { makePsa, makePsk } from '../../../support/actorx.ts';
import { fbxSkin } from '../../../support/fbx.ts';
import { dropOn, fetchBlob, makeViewer } from './support.ts';

let viewer: Viewer;
beforeEach(async () => {
  viewer = await makeViewer();
}, 60_000);
afterEach(() => {
  viewer.root.querySelectorAll('dialog').forEach(dialog => dialog.close());
  viewer.dispose();
  viewer.root.remove();
});

type Saved = { name: string; bytes: Uint8Array }[];

/** Selects a format in the dialog and returns the files behind its links. */
async function savedAs(to: Target): Promise<Saved> {
  const formats = viewer.root.querySelector<HTMLSelectElement>('dialog.saving[open] select')!;
  formats.value = to;
  formats.dispatchEvent(new Event('change'));
  await viewer.idle;
  const links = [...viewer.root.querySelectorAll<HTMLAnchorElement>('dialog.saving[open] a[download]')];
  return Promise.all(
    links.map(async ({ download, href }) => ({ name: download, bytes: new Uint8Array(await (await fetch(href)).arrayBuffer()) })),
  );
}

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const again = (saved: Saved): Promise<RigFile[]> => Promise.all(saved.map(({ name, bytes }) => open(bytes, { name })));
const clipsOf = (files: RigFile[]): string[] => files.flatMap(({ scene }) => scene!.clips.map(({ name }) => name)).sort();

interface Gltf {
  animations?: { name: string }[];
  extensions?: { VRMC_vrm?: { humanoid: { humanBones: object }; expressions: { preset: object } } };
}

/** Returns the JSON of a GLB. */
function glbJson({ bytes }: Saved[number]): Gltf {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  expect(text(bytes.subarray(0, 4))).toBe('glTF');
  return JSON.parse(text(bytes.subarray(20, 20 + view.getUint32(12, true)))) as Gltf;
}

async function dropDemo(...names: string[]): Promise<void> {
  await dropOn(viewer, ...(await Promise.all(names.map(async name => new File([await fetchBlob(`web/src/viewer/demo/${name}`)], name)))));
  await viewer.save();
}

const tried = new Set<Target>();
const checked = (to: Target): Promise<Saved> => {
  tried.add(to);
  return savedAs(to);
};

it('saves a model with its animations in all formats for models', { timeout: 120_000 }, async () => {
  await dropDemo('Pip.psk', 'Pip.psa');
  expect(glbJson((await checked('glb'))[0]!).animations?.map(({ name }) => name)).toEqual(['Wave', 'Hop']);
  const gltf = await checked('gltf');
  expect(gltf.map(({ name }) => name).slice(0, 2)).toEqual(['Pip.gltf', 'Pip.bin']);
  expect((JSON.parse(text(gltf[0]!.bytes)) as Gltf).animations).toHaveLength(2);
  const bones = viewer.model!.file.scene!.nodes.bones.filter(bone => bone >= 0).length;
  for (const [to, formats, clips] of [
    ['cast', ['cast'], ['Hop', 'Wave']],
    ['se', ['semodel', 'seanim', 'seanim'], ['Pip_Hop', 'Pip_Wave']],
    ['psk', ['psk', 'psa'], ['Hop', 'Wave']],
    ['psa', ['psa'], ['Hop', 'Wave']],
    ['uemodel', ['uemodel', 'ueanim', 'ueanim'], ['Hop', 'Wave']],
  ] as const) {
    const files = await again(await checked(to));
    expect([to, files.map(({ format }) => format)]).toEqual([to, formats]);
    expect([to, clipsOf(files)]).toEqual([to, clips]);
    expect(files[0]!.report.errors).toBe(0);
    if (to !== 'psa') expect(files[0]!.scene!.nodes.bones.filter(bone => bone >= 0).length).toBe(bones);
  }
  const [vgo] = await again(await checked('vgo'));
  expect([vgo!.format, vgo!.scene!.renderers.length > 0, vgo!.scene!.clips.length > 0]).toEqual(['vgo', true, true]);
  const lines = text((await checked('csv'))[0]!.bytes)
    .trimEnd()
    .split('\n');
  expect(new Set(lines.slice(1).map(line => line.split(',')[0]))).toEqual(new Set(['Wave', 'Hop']));
  expect(JSON.stringify(JSON.parse(text((await checked('json'))[0]!.bytes)))).toContain('"Hop"');
});

it('saves only the animations that match the model', { timeout: 120_000 }, async () => {
  const file = (name: string, bytes: Uint8Array): File => new File([bytes as Uint8Array<ArrayBuffer>], name);
  const other = makePsa({ bones: ['Root', 'Wing L', 'Wing R', 'Claw', 'Beak', 'Tail', 'Feather'], sequences: ['Fly'] });
  await dropOn(
    viewer,
    file('hero.psk', makePsk({ bones: ['Root', 'Arm', 'Leg'] })),
    file('hero.psa', makePsa({ bones: ['Root', 'Arm', 'Leg'], sequences: ['Walk', 'Jump'] })),
    file('bird.psa', other),
  );
  await viewer.save();
  const [glb] = await savedAs('glb');
  expect(glbJson(glb!).animations!.map(({ name }) => name)).toEqual(['Walk', 'Jump']);
  expect(viewer.root.querySelector('dialog.saving[open]')!.textContent).not.toMatch(/left out/);
});

it('saves an FBX with its image in other formats', { timeout: 120_000 }, async () => {
  const image = await fetchBlob('web/src/viewer/demo/Pip_D.png');
  await dropOn(viewer, new File([fbxSkin([[0.3, 0.2, 0.2, 0.2, 0.1], [1], [1]])], 'leaf.fbx'), new File([image], 'skin.png'));
  const { items } = viewer.model!.file.report;
  expect(items.map(({ code, path, count }) => [code, path, count])).toEqual([['INFLUENCES_NOT_READ', 'Leaf', 1]]);
  await viewer.save();
  const latin = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes);
  const pixels = latin(new Uint8Array(await image.arrayBuffer())).slice(0, 400);
  const [glb] = await savedAs('glb');
  expect(latin(glb!.bytes)).toContain(pixels);
  for (const [to, name] of [
    ['cast', 'leaf.cast'],
    ['psk', 'leaf.psk'],
    ['uemodel', 'leaf.uemodel'],
  ] as const) {
    const saved = await savedAs(to);
    const [file] = await again(saved);
    expect([file!.name, file!.scene!.meshes.length, file!.report.errors]).toEqual([name, 1, 0]);
    expect(saved.some(({ bytes }) => latin(bytes).includes('skin'))).toBe(true);
  }
});

it('shows in the dialog why a format is not possible, and offers the next one', { timeout: 120_000 }, async () => {
  await dropOn(viewer, new File([makePsk({ bones: ['Root', 'Lid'] }) as Uint8Array<ArrayBuffer>], 'chest.psk'));
  await viewer.save();
  const dialogs = (): HTMLDialogElement[] => [...viewer.root.querySelectorAll<HTMLDialogElement>('dialog.saving[open]')];
  const formats = (): HTMLSelectElement => dialogs()[0]!.querySelector('select')!;
  /** Selects the next format of the list, as the arrow key does. */
  const chooseNext = (): void => {
    formats().selectedIndex += 1;
    formats().dispatchEvent(new Event('change'));
    expect(dialogs()).toHaveLength(1);
  };
  formats().value = TARGETS[TARGETS.indexOf('vrm') - 1]!;
  chooseNext();
  await viewer.idle;
  expect(dialogs()).toHaveLength(1);
  expect(dialogs()[0]!.querySelector('.refused')!.textContent).toMatch(/^Couldn’t save as VRM.*Choose another format\.$/);
  expect(dialogs()[0]!.querySelector('a[download]')).toBeNull();
  expect(dialogs()[0]!.querySelector<HTMLButtonElement>('.actions .primary')!.disabled).toBe(true);
  expect(viewer.refusal.value).toBeNull();
  expect(document.activeElement).toBe(formats());
  const { violations } = await axe.run(dialogs()[0]!, { resultTypes: ['violations'] });
  expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`))).toEqual([]);
  chooseNext();
  await viewer.idle;
  expect([formats().value, dialogs()[0]!.querySelector('.refused')]).toEqual([TARGETS[TARGETS.indexOf('vrm') + 1], null]);
  expect(dialogs()[0]!.querySelectorAll('a[download]').length).toBeGreaterThan(0);
  // A visitor who closes the dialog during a conversion cancels the conversion.
  chooseNext();
  dialogs()[0]!.close();
  await viewer.idle;
  expect(dialogs()).toEqual([]);
});

it('names what a format cannot store, as text', { timeout: 120_000 }, async () => {
  const odd = '<img src=x onerror=alert(1)>';
  const names = [odd, 'Skin', 'Hair', 'Eyes', 'Boots', 'Belt', 'Cape'];
  await dropOn(viewer, new File([makePsk({ side: 7, materials: names, flags: 2 }) as Uint8Array<ArrayBuffer>], 'hero.psk'));
  await viewer.save();
  await savedAs('se');
  const rows = [...viewer.root.querySelectorAll<HTMLElement>('dialog.saving[open] .losses > li')];
  const row = rows.find(({ textContent }) => textContent.includes('settings of a material'))!;
  expect(row.querySelector('.names')!.textContent).toBe(`${names.slice(0, 5).join(', ')} and 2 more`);
  expect(row.querySelector('bdi')!.title).toMatch(/^<img src=x onerror=alert\(1\)>: /);
  expect(row.querySelector('img')).toBeNull();
});

it('saves an avatar as VRM', { timeout: 120_000 }, async () => {
  await dropDemo('Lotl.vgo');
  const { humanoid, expressions } = glbJson((await checked('vrm'))[0]!).extensions!.VRMC_vrm!;
  expect(Object.keys(humanoid.humanBones)).toEqual(expect.arrayContaining(['hips', 'head', 'leftHand']));
  expect(Object.keys(expressions.preset).length).toBeGreaterThan(0);
  const [file] = await again(await checked('vgo'));
  expect(file!.scene!.expressions.length).toBe(viewer.model!.file.scene!.expressions.length);
});

it('saves a hand recording as MRTK and IWER', { timeout: 120_000 }, async () => {
  await dropDemo('wavingHands.bin');
  const [mrtk] = await again(await checked('mrtk'));
  expect([mrtk!.format, mrtk!.scene!.clips.length, mrtk!.report.errors]).toEqual(['mrtk', 1, 0]);
  const [capture] = await checked('iwer');
  expect(capture!.name).toBe('wavingHands.iwer.json');
  const { files } = await convert([new File([capture!.bytes as Uint8Array<ArrayBuffer>], capture!.name)], { to: 'mrtk' });
  const [back] = await again(files);
  expect(back!.scene!.clips[0]!.duration).toBeCloseTo(mrtk!.scene!.clips[0]!.duration, 1);
});

it('saves several files as one ZIP archive that the page can open', { timeout: 120_000 }, async () => {
  await dropDemo('Pip.psk', 'Pip.psa', 'Pip_D.png');
  const names = (await savedAs('psk')).map(({ name }) => name);
  expect(names).toEqual(['Pip.psk', 'Pip.psa', 'Pip.mat']);
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  [...viewer.root.querySelectorAll('button')].find(({ textContent }) => textContent === 'Save all as Pip.zip')!.click();
  await vi.waitFor(() => expect(click).toHaveBeenCalled(), { timeout: 20_000 });
  const { download, href } = click.mock.contexts[0] as HTMLAnchorElement;
  click.mockRestore();
  expect(download).toBe('Pip.zip');
  const archive = new File([await (await fetch(href)).blob()], download);
  viewer.root.querySelector<HTMLDialogElement>('dialog.saving[open]')!.close();
  viewer.close();
  await dropOn(viewer, archive);
  expect([viewer.session.value.shown?.input.path, viewer.animationNames]).toEqual(['Pip.zip/Pip.psk', ['Wave', 'Hop']]);
  const { library } = viewer.session.value;
  expect(library.map(({ input }) => input.file.name).sort()).toEqual([...names].sort());
});

it('saves every conversion target in these tests', () => {
  expect([...tried].sort()).toEqual([...TARGETS].sort());
});

it('writes the title, authors, permissions and thumbnail that the visitor enters into a VRM', { timeout: 120_000 }, async () => {
  await dropDemo('Lotl.vgo');
  await savedAs('vrm');
  const form = (): HTMLFormElement => viewer.root.querySelector<HTMLFormElement>('dialog.saving[open] .vrm-form')!;
  const field = (name: string): HTMLInputElement => form().elements.namedItem(name) as HTMLInputElement;
  const links = (): HTMLElement[] => [...viewer.root.querySelectorAll<HTMLElement>('dialog.saving[open] a[download]')];
  viewer.root.querySelector<HTMLElement>('dialog.saving[open] .vrm-meta summary')!.click();
  expect([field('avatarPermission').value, field('licenseUrl').value]).toEqual(['onlyAuthor', 'https://vrm.dev/licenses/1.0/']);
  const enter = (name: string, value: string): void => {
    field(name).value = value;
    field(name).dispatchEvent(new Event('input', { bubbles: true }));
  };
  enter('name', 'Lottie');
  enter('authors', 'Ada\nBo');
  enter('avatarPermission', 'everyone');
  enter('allowRedistribution', 'true');
  // A file without the changes can't be saved by mistake.
  expect(links().every(({ hidden }) => hidden)).toBe(true);
  form().querySelector<HTMLElement>('.vrm-picture .button')!.click();
  await vi.waitFor(() => expect(form().querySelector<HTMLElement>('.vrm-thumbnail')!.hidden).toBe(false), { timeout: 20_000 });
  const { violations } = await axe.run(viewer.root.querySelector<HTMLElement>('dialog.saving[open]')!, { resultTypes: ['violations'] });
  expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`))).toEqual([]);
  form().requestSubmit();
  await vi.waitFor(() => expect(links().length === 1 && !links()[0]!.hidden).toBe(true), { timeout: 60_000 });
  const link = links()[0] as HTMLAnchorElement;
  const bytes = new Uint8Array(await (await fetch(link.href)).arrayBuffer());
  const { meta } = glbJson({ name: link.download, bytes }).extensions!.VRMC_vrm as unknown as { meta: Record<string, unknown> };
  expect(meta).toMatchObject({ name: 'Lottie', authors: ['Ada', 'Bo'], avatarPermission: 'everyone', allowRedistribution: true });
  expect(meta['thumbnailImage']).toBeTypeOf('number');
  expect(viewer.root.querySelector('dialog.saving[open] .losses')?.textContent ?? '').not.toContain('not permitted');

  // URLs of other schemes are refused with a reason.
  enter('otherLicenseUrl', 'ftp://example.com/licence');
  form().requestSubmit();
  await vi.waitFor(() => expect(form().querySelector('[role=alert]:not([hidden])')!.textContent).toContain('http or https URL'));
});
