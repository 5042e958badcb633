// The drawer below the viewport: size, rows, keys, curves and the playback range.
import axe from 'axe-core';
import { page, userEvent } from 'vitest/browser';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { seamTexts } from '../../../../web/src/viewer/drawer/checks.ts';
import type { Viewer } from '../../../../web/src/viewer/viewer.ts';
import { frames, makeViewer, press } from './support.ts';

let viewer: Viewer;

beforeAll(async () => {
  await page.viewport(1280, 800);
  viewer = await makeViewer();
  await viewer.openDemo('pip');
  viewer.playback.pause();
}, 120_000);
afterAll(() => viewer.dispose());

const find = <Kind extends HTMLElement>(selector: string): Kind => viewer.root.querySelector<Kind>(selector)!;
const rows = (): HTMLElement[] => [...viewer.root.querySelectorAll<HTMLElement>('.sheet-row')];
const row = (name: string): HTMLElement => rows().find(each => each.title === name)!;
const key = (target: Element, name: string, more: KeyboardEventInit = {}): void =>
  void target.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true, ...more }));

/** Counts the colours of a canvas. */
function colorsIn(canvas: HTMLCanvasElement): number {
  const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
  return new Set(new Uint32Array(data.buffer)).size;
}

/** Returns the violations that axe reports in the drawer, as rule and element. */
async function violations(): Promise<string[]> {
  const result = await axe.run(find('.drawer'), { resultTypes: ['violations'] });
  return result.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`));
}

describe('the drawer', () => {
  it('is closed until its key is pressed, and lists the bones that move', async () => {
    expect(find('.drawer').hidden).toBe(true);
    press('q');
    await vi.waitFor(() => expect(rows().length).toBeGreaterThan(5), 20_000);
    expect(find('[data-command="drawer"]').getAttribute('aria-pressed')).toBe('true');
    expect(row('head').querySelector('.sr-only')!.textContent).toBe('49 keys at frames 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 …');
    expect(row('root')).toBeUndefined();
    // The ruler of the drawer replaces that of the transport bar.
    expect(find('.strip-area').checkVisibility()).toBe(false);
  });

  it('changes its height with the keyboard and keeps it', () => {
    const handle = find('.drawer > .splitter');
    const before = find('.drawer').clientHeight;
    key(handle, 'ArrowUp');
    expect(find('.drawer').clientHeight).toBe(before + 16);
    expect(handle.getAttribute('aria-valuenow')).toBe(String(before + 16 + 1));
    expect(JSON.parse(localStorage.getItem('rigcast.panels')!)).toMatchObject({ drawer: before + 16 + 1 });
    key(handle, 'Home');
    expect(handle.getAttribute('aria-valuenow')).toBe('150');
    key(handle, 'End');
    expect(handle.getAttribute('aria-valuenow')).toBe('560');
  });

  it('chooses a bone by a click on its name, and steps through its keys', async () => {
    await userEvent.click(row('chest').querySelector('.name')!);
    expect(viewer.viewport.overlays.bone.value?.userData['name']).toBe('chest');
    expect(row('chest').getAttribute('aria-selected')).toBe('true');
    viewer.playback.seek(0);
    const list = find('.sheet-scroll');
    key(list, 'ArrowRight');
    expect(viewer.playback.frame).toBe(1);
    key(list, 'ArrowDown');
    expect(viewer.viewport.overlays.bone.value?.userData['name']).toBe('head');
    key(list, 'ArrowDown', { shiftKey: true });
    expect(rows().filter(each => each.getAttribute('aria-selected') === 'true').length).toBe(2);
  });

  it('selects the row of the bone that is selected in the viewport', async () => {
    const hand = viewer.model!.bones.find(bone => bone.userData['name'] === 'forearm_r')!;
    viewer.viewport.overlays.choose(hand);
    await vi.waitFor(() => expect(row('forearm_r').getAttribute('aria-selected')).toBe('true'));
  });

  it('seeks to the key near the pointer', async () => {
    const canvas = find('.sheet-canvas');
    const between = (canvas.clientWidth - 24) / 48;
    await userEvent.click(canvas, { position: { x: Math.round(12 + 20 * between + 3), y: 12 } });
    expect(viewer.playback.time).toBeCloseTo(20 / 24, 5);
  });

  it('has the handles of the playback range', () => {
    press('[');
    const handle = find('.drawer .range .from');
    expect(handle.checkVisibility()).toBe(true);
    key(handle, 'ArrowLeft');
    expect(viewer.playback.range!.from).toBeCloseTo(19 / 24, 5);
    press('\\');
  });

  it('zooms in time around the play head', () => {
    viewer.playback.seek(1);
    const before = find('.playhead').style.transform;
    key(find('.sheet-scroll'), '+');
    expect(find('.playhead').style.transform).toBe(before);
    expect(find('.drawer-frame').clientWidth).toBeGreaterThan(find('.sheet-canvas').clientWidth);
    key(find('.sheet-scroll'), '0');
  });

  it('creates elements only for visible rows', () => {
    const list = find('.sheet-scroll');
    expect(rows().length).toBeLessThanOrEqual(Math.ceil(list.clientHeight / 24) + 1);
  });

  it('shows the curves of the chosen bones with their values', async () => {
    await userEvent.click(row('head').querySelector('.name')!);
    await userEvent.click(find('.drawer .switch label:nth-child(2) input'));
    const legends = (): string[] => [...viewer.root.querySelectorAll('.curve-legend')].map(each => each.textContent);
    viewer.playback.seek(0);
    await frames(2);
    expect(legends()[1]).toMatch(/^RotationheadX −?[\d.]+°Y −?[\d.]+°Z −?[\d.]+°$/);
    const before = legends()[1];
    viewer.playback.seek(1);
    await frames(2);
    expect(legends()[1]).not.toBe(before);
    await userEvent.click(page.getByRole('button', { name: 'Location' }));
    expect(legends().map(each => each.slice(0, 8))).toEqual(['Rotation']);
    expect(colorsIn(find<HTMLCanvasElement>('.sheet-canvas'))).toBeGreaterThan(20);
  });

  it('announces the values of a curve when the keyboard steps through its keys', () => {
    viewer.playback.seek(0);
    key(find('.sheet-scroll'), 'ArrowRight');
    expect(viewer.announcement.value.text).toMatch(/^frame 1: Rotation X −?[\d.]+°, Y −?[\d.]+°, Z −?[\d.]+°$/);
  });

  it('seeks by a click on the curves, and emphasises the curve at the pointer', async () => {
    const canvas = find('.sheet-canvas');
    await userEvent.click(row('chest').querySelector('.name')!, { modifiers: ['Control'] });
    expect(rows().filter(each => each.getAttribute('aria-selected') === 'true').length).toBe(2);
    await userEvent.click(canvas, { position: { x: 12 + (canvas.clientWidth - 24) / 2, y: 5 } });
    expect(viewer.playback.time).toBeCloseTo(1, 2);
    expect(rows().filter(each => each.getAttribute('aria-selected') === 'true').length).toBe(2);
  });

  it('draws the curves of the compared animation as well', async () => {
    const ghost = viewer.rows.value.find((_, at) => at !== viewer.session.value.selected)!;
    viewer.dispatch({ type: 'set-ghost', ghost });
    await frames(2);
    expect(find('.curve-legend').textContent).toContain('dashed: compared animation');
    expect(await violations()).toEqual([]);
    viewer.dispatch({ type: 'set-ghost', ghost: null });
    await userEvent.click(find('.drawer .switch label:nth-child(1) input'));
  });

  it('lists the layers with their settings', async () => {
    await userEvent.click(find('.drawer .switch label:nth-child(3) input'));
    expect(find('.sheet-scroll').checkVisibility()).toBe(false);
    const layer = page.getByRole('group', { name: 'Layer' });
    await userEvent.selectOptions(layer.getByRole('combobox', { name: 'Layer' }), 'Hop');
    await userEvent.fill(layer.getByRole('spinbutton', { name: 'Fade' }), '0.5');
    await userEvent.click(layer.getByRole('checkbox', { name: 'Additive' }));
    expect(viewer.session.value.overlay).toMatchObject({ weight: 1, rootBone: '', isAdditive: true, fade: 0.5 });
    await userEvent.selectOptions(layer.getByRole('combobox', { name: 'Bones' }), 'chest');
    expect(layer.element().textContent).toContain('The layer is added to the animation.');
    await userEvent.selectOptions(page.getByRole('combobox', { name: 'Compare with' }), 'Hop');
    await frames(2);
    expect(viewer.view.overlays.getObjectByName('ghost')).toBeDefined();
    expect(await violations()).toEqual([]);
    viewer.dispatch({ type: 'set-overlay', overlay: null });
    viewer.dispatch({ type: 'set-ghost', ghost: null });
    expect(layer.getByRole('checkbox', { name: 'Additive' }).query()?.checkVisibility() ?? false).toBe(false);
    await userEvent.click(find('.drawer .switch label:nth-child(1) input'));
  });

  it('shows onion skins around the current pose, but none beyond the ends of the animation', async () => {
    await userEvent.click(find('.drawer .switch label:nth-child(3) input'));
    await userEvent.selectOptions(page.getByRole('combobox', { name: 'Onion skins' }), '2 before and after');
    await userEvent.fill(page.getByRole('spinbutton', { name: 'every' }), '6');
    await userEvent.tab();
    const skins = (): boolean[] => viewer.view.overlays.children.filter(({ name }) => name === 'onion skin').map(({ visible }) => visible);
    viewer.playback.seek(1);
    viewer.viewport.drawNow();
    expect(skins()).toEqual([true, true, true, true]);
    viewer.playback.seek(viewer.playback.duration - 6 / 24);
    viewer.viewport.drawNow();
    expect(skins()).toEqual([true, true, true, false]);
    await userEvent.selectOptions(page.getByRole('combobox', { name: 'Onion skins' }), 'None');
    expect(skins()).toEqual([]);
    await userEvent.click(find('.drawer .switch label:nth-child(1) input'));
  });

  it('checks whether the animation loops, and whether feet slide', async () => {
    await userEvent.click(find('.drawer .switch label:nth-child(6) input'));
    const texts = (): string[] => [...viewer.root.querySelectorAll('.check-text p')].map(each => each.textContent);
    await vi.waitFor(() => expect(texts()).toHaveLength(2));
    expect(texts()[0]).toBe('The last frame matches the first, so the animation loops without a jump.');
    const names = (node: number): string => `bone ${node}`;
    const seam = { place: { node: 3, distance: 0.0345 }, turn: { node: 4, angle: 4.25 }, travel: { distance: 1.234, turn: 90.2 } };
    expect(seamTexts(seam, names)).toEqual([
      'The animation jumps when it loops: bone 3 by 34.5 mm, and bone 4 turns by 4.3°.',
      'From the first frame to the last, the body moves 1.23 m over the ground and turns by 90°.',
    ]);
    const still = { ...seam, place: { node: 3, distance: 0.0009 }, travel: { distance: 0, turn: 0 } };
    expect(seamTexts(still, names)).toEqual(['The animation jumps when it loops: bone 4 turns by 4.3°.']);
    expect(await violations()).toEqual([]);
    await userEvent.click(find('.drawer .switch label:nth-child(1) input'));
  });

  it('adds, renames and deletes markers, which are also on the time axis', async () => {
    viewer.playback.seek(0.51); // frame 12.24
    key(find('.sheet-scroll'), 'm');
    key(find('.sheet-scroll'), 'm');
    expect(viewer.announcement.value.text).toBe('Marker at frame 12 added.');
    const onAxis = (): string[] => [...viewer.root.querySelectorAll('.drawer-frame .marker')].map(each => each.textContent);
    expect(onAxis()).toEqual(['Marker 1']);
    await userEvent.click(find('.drawer .switch label:nth-child(7) input'));
    await userEvent.fill(page.getByRole('textbox', { name: 'Name of the marker at frame 12' }), 'Peak');
    await userEvent.tab();
    expect(onAxis()).toEqual(['Peak']);
    expect(await violations()).toEqual([]);
    await userEvent.click(page.getByRole('button', { name: 'Delete marker at frame 12' }));
    expect(onAxis()).toEqual([]);
  });

  it('imports the markers of a JSON file that is dropped on it', async () => {
    const drop = (name: string, text: string): void => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], name));
      find('.drawer-content').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    };
    const { shown } = viewer.session.value;
    drop('hits.json', '{"markers":[{"time":1,"name":"hit"},{"time":0.25,"name":"step"}]}');
    await vi.waitFor(() => expect(viewer.announcement.value.text).toBe('2 markers imported.'));
    expect([...viewer.root.querySelectorAll<HTMLInputElement>('.marker-row input')].map(({ value }) => value)).toEqual(['step', 'hit']);
    drop('other.json', '[]');
    await vi.waitFor(() => expect(viewer.announcement.value.text).toBe('other.json contains no markers.'));
    expect(viewer.session.value.shown).toBe(shown);
    await userEvent.click(find('.drawer .switch label:nth-child(1) input'));
  });

  it('resizes or closes by a drag', () => {
    const handle = find('.drawer > .splitter');
    vi.spyOn(handle, 'setPointerCapture').mockImplementation(() => {}); // the pointer is not real
    const drag = (...ys: number[]): void => {
      const send = (type: string, clientY: number): boolean => handle.dispatchEvent(new PointerEvent(type, { clientY }));
      send('pointerdown', 500);
      for (const y of ys) send('pointermove', y);
      send('pointerup', ys.at(-1)!);
    };
    key(handle, 'Home');
    drag(400);
    expect(find('.drawer').offsetHeight).toBe(250);
    drag(503); // less than the slack
    expect(find('.drawer').offsetHeight).toBe(250);
    drag(700, 720);
    expect(find('.drawer').hidden).toBe(true);
    press('q');
    handle.dispatchEvent(new MouseEvent('dblclick'));
    expect(find('.drawer').offsetHeight).toBe(280);
    vi.restoreAllMocks();
  });

  it.each([
    [844, 390],
    [390, 844],
    [1280, 800],
  ])('leaves space for the viewport, and covers no control, in a window of %i × %i pixels', async (width, height) => {
    await page.viewport(width, height);
    await frames(3);
    expect(viewer.viewport.sharedRenderer.canvas.getBoundingClientRect().height).toBeGreaterThan(80);
    expect(find('.side').checkVisibility()).toBe(width > 760 && height > 480);
    const controls = [
      ...viewer.root.querySelectorAll<HTMLElement>('.transport button, .drawer-tools .icon-button:last-child, .tabs button'),
    ];
    for (const control of controls.filter(each => each.checkVisibility())) {
      const { left, right, top, bottom } = control.getBoundingClientRect();
      const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      const name = control.getAttribute('aria-label') ?? control.textContent;
      expect(control.contains(hit) || hit?.contains(control), `${name} is hit`).toBe(true);
    }
  });

  it('has no accessibility violations', async () => {
    expect(await violations()).toEqual([]);
  });
});
