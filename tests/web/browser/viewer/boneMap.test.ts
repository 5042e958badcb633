// The bone map of a retargeted animation: the table, changes, JSON files and saving.
import axe from 'axe-core';
import { page, userEvent } from 'vitest/browser';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { open } from '../../../../web/src/core/index.ts';
import { convertLibrary } from '../../../../web/src/viewer/library/convertLibrary.ts';
import { convertShown } from '../../../../web/src/viewer/saving.ts';
import type { Viewer } from '../../../../web/src/viewer/viewer.ts';
import { castBody, TestBody } from '../../../support/bodies.ts';
import { SCHEMES } from '../../../support/bodyNames.ts';
import { triangle } from '../../../support/castFile.ts';
import { mixamoBvh } from '../../../support/mixamo.ts';
import { dropOn, makeViewer, press } from './support.ts';

const wait = { timeout: 20_000 };
const [nameOf, mixamo] = [SCHEMES['Unreal Engine']!, SCHEMES['Mixamo']!];
const walker = new TestBody({ nameOf: mixamo });
const bytes = (value: Uint8Array): Uint8Array<ArrayBuffer> => value as Uint8Array<ArrayBuffer>;
const model = (): File => new File([bytes(castBody(new TestBody({ nameOf, armsDown: 40, axes: 3 }), triangle('skin')))], 'hero.cast');
const walk = (): File =>
  new File([mixamoBvh({ body: walker, nameOf: mixamo, seconds: 1, rate: 30, poseAt: time => walker.walk(time) })], 'walk.bvh');
const mapFile = (pairs: object[], version = 1): File => new File([JSON.stringify({ boneMap: version, pairs })], 'hero.bonemap.json');
const arm = nameOf('leftUpperArm');

let viewer: Viewer;
const find = <Kind extends HTMLElement>(selector: string): Kind => viewer.root.querySelector<Kind>(selector)!;
const rows = (): HTMLElement[] => [...viewer.root.querySelectorAll<HTMLElement>('.bone-rows .bone-row')];
const row = (name: string): HTMLElement => rows().find(each => each.querySelector('.bone-name')?.textContent === name)!;
const texts = (element: HTMLElement): string[] => [...element.querySelectorAll('[role="cell"]')].map(({ textContent }) => textContent);
const search = (text: string): void => {
  const input = find<HTMLInputElement>('.bone-tools input[type="search"]');
  input.value = text;
  input.dispatchEvent(new Event('input'));
};
const show = (filter: string): void => {
  const select = find<HTMLSelectElement>('.bone-tools select');
  select.value = filter;
  select.dispatchEvent(new Event('change'));
};
/** Returns how far the left upper arm is rotated away from its rest pose at half of the animation, in radians. */
function turnOfArm(): number {
  const bone = viewer.model!.bones.find(({ userData }) => userData['name'] === arm)!;
  viewer.playback.pause();
  viewer.playback.seek(0);
  const first = bone.quaternion.clone();
  viewer.playback.seek(0.25);
  return bone.quaternion.angleTo(first);
}
async function violations(selector: string): Promise<string[]> {
  const result = await axe.run(find(selector), { resultTypes: ['violations'] });
  return result.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`));
}

beforeAll(async () => {
  await page.viewport(1280, 800);
  viewer = await makeViewer();
  await dropOn(viewer, model(), walk());
  viewer.select(0);
  await viewer.idle;
}, 120_000);
afterAll(() => {
  viewer.dispose();
  localStorage.clear();
});

describe('the table', () => {
  it('opens from the advice, and shows how each pair was found', async () => {
    [...viewer.root.querySelectorAll<HTMLElement>('.hint button')].find(({ textContent }) => textContent === 'Bone map')!.click();
    await vi.waitFor(() => expect(rows().length).toBeGreaterThan(3), wait);
    search('upperarm');
    expect(texts(row(arm)).slice(0, 3)).toEqual([arm, 'mixamorig:LeftArm', 'Body part: left upper arm']);
    search(nameOf('spine1' as never));
    expect(texts(rows()[0]!)[2]).toMatch(/^Position along the body/);
    expect(find('.bone-summary').textContent).toMatch(/^\d+ of \d+ paired by body part$/);
    expect(await violations('.drawer')).toEqual([]);
    search('');
  });

  it('lists bones that are not paired, and creates elements only for visible rows', () => {
    show('unpaired');
    expect(rows().every(each => ['Not paired', 'Moves no bone'].includes(texts(each)[2]!))).toBe(true);
    expect(rows().some(each => texts(each)[2] === 'Moves no bone')).toBe(true);
    show('all');
    const table = find('.bone-table');
    expect(Number(table.getAttribute('aria-rowcount'))).toBeGreaterThan(rows().length);
    expect(rows().length).toBeLessThan(Math.ceil(table.clientHeight / 34) + 9);
  });

  it('chooses another bone with the keyboard, at once and with undo', async () => {
    search(arm);
    const before = turnOfArm();
    viewer.playback.seek(0.25);
    row(arm).querySelector<HTMLElement>('.bone-pick')!.focus();
    await userEvent.keyboard('{Enter}');
    const chooser = find<HTMLDialogElement>('.bone-chooser');
    expect(chooser.open).toBe(true);
    expect(await violations('.bone-chooser')).toEqual([]);
    await userEvent.keyboard('RightLeg{Enter}');
    await vi.waitFor(() => expect(texts(row(arm)).slice(1, 3)).toEqual(['mixamorig:RightLeg', 'Set manually']), wait);
    expect(viewer.playback.time).toBeCloseTo(0.25, 5);
    expect(turnOfArm()).not.toBeCloseTo(before, 2);
    expect(document.activeElement?.classList.contains('bone-pick')).toBe(true);
    viewer.undo();
    await viewer.idle;
    await vi.waitFor(() => expect(texts(row(arm))[1]).toBe('mixamorig:LeftArm'), wait);
    expect(turnOfArm()).toBeCloseTo(before, 4);
  });

  it('clears and resets a bone with the keyboard', async () => {
    row(arm).querySelector<HTMLElement>('.bone-pick')!.focus();
    await userEvent.keyboard('{Delete}');
    await vi.waitFor(() => expect(texts(row(arm)).slice(1, 3)).toEqual(['Rest pose', 'Set manually']), wait);
    expect(turnOfArm()).toBeCloseTo(0, 5);
    await userEvent.keyboard('{Backspace}');
    await vi.waitFor(() => expect(texts(row(arm))[1]).toBe('mixamorig:LeftArm'), wait);
    expect(viewer.session.value.boneMaps).toEqual([]);
    search('');
  });

  it('chooses a bone of the model for a bone that moves none', async () => {
    show('unpaired');
    const unused = rows().find(each => texts(each)[2] === 'Moves no bone')!;
    const source = texts(unused)[1]!;
    unused.querySelector<HTMLElement>('.bone-pick')!.click();
    await userEvent.keyboard(`${arm}{Enter}`);
    show('changed');
    await vi.waitFor(() => expect(texts(row(arm))[1]).toBe(source), wait);
    expect(rows().length).toBe(1);
    find('.bone-tools .plain').click();
    await vi.waitFor(() => expect(rows().length).toBe(0), wait);
    show('all');
  });

  it('works in a narrow window', async () => {
    await page.viewport(390, 800);
    await vi.waitFor(() => expect(row(arm).clientHeight).toBeGreaterThan(50), wait);
    expect(await violations('.drawer')).toEqual([]);
    expect(find('.bone-table').scrollWidth).toBeLessThanOrEqual(find('.bone-table').clientWidth);
    // Search, filter and buttons are within the window, and a list replaces the switch of the views.
    expect(find('.drawer .switch').checkVisibility()).toBe(false);
    expect(find<HTMLSelectElement>('.drawer .views select').value).toBe('bones');
    const controls = [...find('.drawer-tools').querySelectorAll<HTMLElement>('button, input:not([type="file"]), select')];
    const seen = controls.filter(each => each.checkVisibility() && each.clientWidth > 1).map(each => each.getBoundingClientRect());
    expect(seen.length).toBeGreaterThan(6);
    expect(seen.filter(({ left, right }) => left < 0 || right > 390)).toEqual([]);
    await page.viewport(1280, 800);
  });
});

describe('a bone map as JSON', () => {
  it('is used when it is dropped on the page, and kept for the next visit', async () => {
    await dropOn(
      viewer,
      mapFile([
        { target: arm, source: null },
        { target: 'nobody', source: 'mixamorig:Hips' },
      ]),
    );
    await vi.waitFor(() => expect(texts(row(arm))[1]).toBe('Rest pose'), wait);
    expect(turnOfArm()).toBeCloseTo(0, 5);
    expect(find('.bone-unknown').textContent).toContain('nobody');
    expect(viewer.session.value.library.map(({ input }) => input.path)).not.toContain('hero.bonemap.json');
    expect(localStorage.getItem('rigcast.boneMaps')).toContain(arm);
  });

  it('is used when it is dropped on another view of the drawer', async () => {
    find('.drawer .switch label:nth-child(1) input').click();
    await vi.waitFor(() => expect(find('.drawer-content').dataset['view']).toBe('keys'), wait);
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(mapFile([{ target: arm, source: 'mixamorig:RightArm' }]));
    find('.drawer-content').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    await vi.waitFor(() => expect(texts(row(arm))[1]).toBe('mixamorig:RightArm'), wait);
    expect(find('.drawer-content').dataset['view']).toBe('bones');
  });

  it('is used when it is dropped with the model', async () => {
    viewer.close();
    localStorage.removeItem('rigcast.boneMaps');
    await dropOn(viewer, model(), walk(), mapFile([{ target: arm, source: null }]));
    await vi.waitFor(
      () => expect(viewer.session.value.animationFiles[0]?.retargeted?.pairs.some(({ foundBy }) => foundBy === 'stated')).toBe(true),
      wait,
    );
    expect(turnOfArm()).toBeCloseTo(0, 5);
  });

  it('is refused with a reason', async () => {
    const before = viewer.session.value;
    await dropOn(viewer, mapFile([], 2));
    expect(find('.problem').textContent).toContain('"boneMap" must be 1');
    expect(viewer.session.value.boneMaps).toBe(before.boneMaps);
    press('Escape');
    viewer.refusal.value = null;
  });

  it('is used when the model is saved or its folder is converted', async () => {
    const { signal } = new AbortController();
    const targetsOf = async (blob: Blob): Promise<Set<string>> => {
      const { scene } = await open(new Uint8Array(await blob.arrayBuffer()), { name: 'saved.cast' });
      return new Set([...scene!.clips[0]!.tracks].map(({ target }) => target));
    };
    const saved = await convertShown(viewer, { to: 'cast', animations: 'all', switches: new Set() }, { signal, onStep() {} });
    const moved = await targetsOf(saved.files[0]!.blob);
    expect([moved.has(nameOf('rightUpperArm')), moved.has(arm)]).toEqual([true, false]);
    expect(saved.losses.some(({ sentence }) => sentence.includes('retargeted'))).toBe(true);

    const written: Blob[] = [];
    const { library, boneMaps, animationEdits } = viewer.session.value;
    const write = (_: string, blob: Blob): Promise<void> => Promise.resolve(void written.push(blob));
    const opening = viewer.loads.inBackground(signal);
    await convertLibrary(library, { to: 'cast', write, onStep: () => {}, opening, boneMaps, animationEdits });
    const inFolder = await targetsOf(written[0]!);
    expect([inFolder.has(nameOf('rightUpperArm')), inFolder.has(arm)]).toEqual([true, false]);
  });
});

describe('an animation that plays without retargeting', () => {
  it('can be retargeted from the table', async () => {
    viewer.playUnretargeted();
    await vi.waitFor(() => expect(find('.bone-view > .drawer-empty').hidden).toBe(false), wait);
    expect(await violations('.drawer')).toEqual([]);
    find('.bone-view > .drawer-empty button').click();
    await vi.waitFor(() => expect(rows().length).toBeGreaterThan(3), wait);
  });
});
