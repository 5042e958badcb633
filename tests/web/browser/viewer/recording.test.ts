// Recordings of head, hands and gaze in the viewer.
import axe from 'axe-core';
import { type BufferAttribute, type LineSegments, type Object3D, Vector3 } from 'three';
import { commands, page } from 'vitest/browser';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { Viewer } from '../../../../web/src/viewer/viewer.ts';
import { dropOn, fetchBlob, frames, makeViewer, pictureOf, press } from './support.ts';

let viewer: Viewer;
let waving: Blob;

beforeAll(async () => {
  waving = await fetchBlob('web/src/viewer/demo/wavingHands.bin');
  viewer = await makeViewer();
}, 120_000);
afterEach(() => viewer.close());
afterAll(() => viewer.dispose());

const shown = (selector: string): boolean => viewer.root.querySelector<HTMLElement>(selector)?.checkVisibility() ?? false;
const hidden = (selector: string): boolean => viewer.root.querySelector<HTMLElement>(selector)!.hidden === true;
const labels = (selector: string): (string | null)[] =>
  [...viewer.root.querySelectorAll(selector)].map(element => element.getAttribute('aria-label'));

async function show(width = 640, height = 560): Promise<void> {
  await page.viewport(width, height);
  // Only the content identifies the format; `.bin` does not.
  await dropOn(viewer, new File([waving], 'take.bin'));
}

/** Draws the recording at a time. */
function at(time: number): void {
  viewer.playback.pause();
  viewer.playback.seek(time);
  viewer.viewport.drawNow();
}

it('shows hands, head and gaze', async () => {
  await show();
  expect(viewer.recording!.hands.map(({ name }) => name)).toEqual(['left hand', 'right hand']);
  at(1.2);
  expect(pictureOf(viewer).drawn).toBeGreaterThan(250);
  // All joints are inside the picture at all times.
  for (const time of [0, 1.2, 2.9, 5]) {
    at(time);
    for (const { hand } of viewer.recording!.hands) {
      if (!hand.tracked) continue;
      for (const joint of Object.values(hand.joints)) {
        const { x, y } = joint.getWorldPosition(new Vector3()).project(viewer.view.cameraRig.camera);
        expect(Math.max(Math.abs(x), Math.abs(y)), `${joint.name} at ${time} s`).toBeLessThan(1);
      }
    }
  }
  // Each hand covers more than a fifth of the picture.
  at(1.2);
  const seen = ({ matrixWorld }: Object3D): Vector3 =>
    new Vector3().setFromMatrixPosition(matrixWorld).project(viewer.view.cameraRig.camera);
  for (const { hand } of viewer.recording!.hands) {
    const { wrist, 'middle-finger-tip': tip } = hand.joints;
    expect(seen(wrist!).distanceTo(seen(tip!))).toBeGreaterThan(0.45);
  }
  expect(viewer.root.querySelector('[role=tab][aria-selected=true] .text')!.textContent).toBe('Animations');
  viewer.showSection('recording');
  expect([shown('#section-recording'), shown('#section-poses'), shown('#section-animations')]).toEqual([true, true, false]);
  expect(hidden('#section-morphs')).toBe(true);
});

it('colours a hand while it pinches', async () => {
  await show();
  at(2);
  expect(pictureOf(viewer).teal).toBe(0);
  at(3.1);
  expect(pictureOf(viewer).teal).toBeGreaterThan(3);
  at(4.5);
  expect(pictureOf(viewer).teal).toBe(0);
});

it('hides a hand while it is not tracked', async () => {
  await show();
  at(0.1);
  expect(viewer.recording!.hands.map(({ visible }) => visible)).toEqual([false, true]);
  at(1);
  expect(viewer.recording!.hands.map(({ visible }) => visible)).toEqual([true, true]);
});

it('lists events and tracking with accessible names, and seeks on a click', async () => {
  await show();
  expect(labels('.lanes .marker')).toEqual(['Event hello at 0.70 s', 'Event pinch at 2.75 s', 'Event bye at 4.40 s']);
  const [left, right] = labels('.lanes .lane');
  expect(left).toMatch(/^Left hand: tracked 0\.25 to 5\.00 seconds; no pinches$/);
  expect(right).toMatch(/^Right hand: tracked 0\.00 to 5\.00 seconds; pinching 2\.\d\d to 3\.\d\d, 3\.\d\d to 4\.\d\d seconds$/);
  viewer.root.querySelectorAll<HTMLElement>('.lanes .marker')[1]!.click();
  expect(viewer.playback.time).toBeCloseTo(2.75);
  expect(viewer.playback.playing).toBe(false);
  const events = [...viewer.root.querySelectorAll<HTMLElement>('.event')];
  expect(events.map(event => event.querySelector('.name')!.textContent)).toEqual(['hello', 'pinch', 'bye', 'Pinch 1', 'Pinch 2']);
  events[2]!.click();
  expect(viewer.playback.time).toBeCloseTo(4.4);
  // The position of each bar corresponds to its time.
  const lane = viewer.root.querySelector('.lane.left')!.getBoundingClientRect();
  const bar = viewer.root.querySelector('.lane.left .tracked')!.getBoundingClientRect();
  expect((bar.left - lane.left) / lane.width).toBeCloseTo(0.25 / 5, 1);
  expect(bar.right).toBeCloseTo(lane.right, 0);
});

it("renders through the recorded camera and returns to the visitor's camera", async () => {
  await show();
  at(1);
  const before = viewer.view.cameraRig.camera.position.clone();
  press('v');
  await frames(2);
  const head = viewer.model!.rig.nodes[viewer.model!.file.scene!.cameras[0]!.node]!.getWorldPosition(new Vector3());
  expect(viewer.view.cameraRig.active).toBe(viewer.recording!.camera);
  expect(viewer.view.cameraRig.active.position.distanceTo(head)).toBeLessThan(1e-5);
  expect(shown('.finder')).toBe(true);
  expect(pictureOf(viewer).drawn).toBeGreaterThan(250);
  // The camera moves with the head.
  at(2.5);
  expect(viewer.view.cameraRig.active.position.distanceTo(head)).toBeGreaterThan(1e-4);
  // The whole frustum is visible at any aspect ratio of the viewport.
  const box = viewer.root.querySelector('.finder')!.getBoundingClientRect();
  const { left, right, top, bottom } = viewer.viewport.sharedRenderer.canvas.getBoundingClientRect();
  expect(box.left > left && box.right < right && box.top > top && box.bottom < bottom).toBe(true);
  press('Escape');
  expect(viewer.view.cameraRig.active).toBe(viewer.view.cameraRig.camera);
  expect(viewer.view.cameraRig.camera.position.distanceTo(before)).toBeLessThan(1e-6);
  expect(shown('.finder')).toBe(false);
  const box2 = viewer.root.querySelectorAll<HTMLInputElement>('.recording .check input')[1];
  box2!.click();
  expect(viewer.viewport.cameraView.isThroughCamera.value).toBe(true);
  await dropOn(viewer, new File([waving], 'other.bin'));
  expect(viewer.viewport.cameraView.isThroughCamera.value).toBe(false);
});

it('draws fingertip trails around the current time, with gaps while a hand is not tracked', async () => {
  await show();
  at(1);
  const trails = (): LineSegments | undefined =>
    viewer.recording!.object.children.find((child): child is LineSegments => child.name === 'trails');
  const ends = (): Vector3[] => {
    const { geometry, matrix } = trails()!;
    const points = geometry.getAttribute('position') as BufferAttribute;
    return Array.from({ length: geometry.drawRange.count }, (_, i) => new Vector3().fromBufferAttribute(points, i).applyMatrix4(matrix));
  };
  const tips = (): Vector3[] =>
    viewer.recording!.hands.flatMap(({ hand }) =>
      hand.tracked ? ['index-finger-tip', 'thumb-tip'].map(name => hand.joints[name]!.getWorldPosition(new Vector3())) : [],
    );
  const away = (from: Vector3): number => Math.min(...ends().map(end => end.distanceTo(from)));
  expect(trails()).toBeUndefined();
  press('t');
  viewer.viewport.drawNow();
  expect(viewer.root.querySelector<HTMLInputElement>('.recording .check input')!.checked).toBe(true);
  const before = tips();
  for (const tip of before) expect(away(tip)).toBeLessThan(1e-3);
  at(1.5);
  // The trails pass through the current fingertips and those half a second ago.
  expect(tips().length).toBeGreaterThan(0);
  for (const tip of [...tips(), ...before]) expect(away(tip)).toBeLessThan(1e-3);
  at(4);
  for (const tip of tips()) expect(away(tip)).toBeLessThan(1e-3);
  // Trails have sixty lines per second and fingertip, and no lines while the hand was not tracked.
  const spans = viewer.recorded.value!.hands;
  const edges = spans.flatMap(({ tracked }) => tracked.flatMap(({ from, to }) => [from, to]));
  const { duration } = viewer.playback;
  const edge = edges.find(time => time > 0 && time < duration)!;
  expect(edge).toBeGreaterThan(0);
  at(edge);
  const seconds = spans.flatMap(({ tracked }) =>
    tracked.map(({ from, to }) => Math.max(0, Math.min(to, edge + 1, duration) - Math.max(from, edge - 1, 0))),
  );
  const wanted = seconds.reduce((sum, length) => sum + 2 * 60 * length, 0);
  expect(Math.abs(ends().length / 2 - wanted)).toBeLessThan(0.03 * wanted);
  press('t');
  viewer.viewport.drawNow();
  expect(trails()!.visible).toBe(false);
});

it('shows finger angles, pinch strength and joint names', async () => {
  await show();
  viewer.showSection('poses');
  at(3.1);
  const rows = (): string[] => [...viewer.root.querySelectorAll('.hand-poses tr')].map(row => row.textContent);
  await vi.waitFor(() => expect(rows().length).toBe(12), { timeout: 20_000 });
  expect(rows()[2]).toMatch(/^Index(\d+°){3}$/);
  expect(rows()[1]).toMatch(/^Thumb\d+°–\d+°$/);
  const right = viewer.root.querySelector('.hand-poses [aria-label="Right hand"]')!;
  expect(right.querySelector('caption')!.textContent).toContain('pinching');
  const strength = (): number => Number(/Pinch strength ([\d.]+)/.exec(right.isConnected ? right.textContent : '')?.[1] ?? NaN);
  // From a gap of 4 cm on, MRTK reports no pinch.
  expect(strength()).toBeGreaterThan(0.5);
  at(0.1);
  await vi.waitFor(() => expect(viewer.root.querySelector('.hand-poses')!.textContent).toContain('Left hand: not tracked.'), {
    timeout: 20_000,
  });
  const names = viewer.root.querySelector<HTMLCanvasElement>('.bone-names')!;
  viewer.root.querySelector<HTMLElement>('#section-show [data-command=names] input')!.click();
  expect(names.hidden).toBe(false);
  viewer.run('names');
});

/** Expects that the drawer follows the rules of axe. */
async function expectNoViolations(): Promise<void> {
  const result = await axe.run(viewer.root.querySelector<HTMLElement>('.drawer')!, { resultTypes: ['violations'] });
  expect(result.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`))).toEqual([]);
}

it('plots pinch strength and bends over time, and exports them as CSV', async () => {
  await show(1000, 800);
  viewer.drawerView.value = 'hands';
  viewer.isDrawerOpen.value = true;
  const paths = (): SVGPathElement[] => [...viewer.root.querySelectorAll<SVGPathElement>('.hand-area path')];
  await vi.waitFor(() => expect(paths().length).toBe(4), { timeout: 20_000 });
  at(3.1);
  await frames(2);
  const [pinch, bend] = [...viewer.root.querySelectorAll<HTMLElement>('.hand-plot')];
  expect(Number(pinch!.querySelector('.right output')!.textContent)).toBeGreaterThan(0.5);
  expect(bend!.querySelector('.right output')!.textContent).toMatch(/^\d+°$/);
  const before = paths()[3]!.getAttribute('d');
  const finger = bend!.querySelector('select')!;
  finger.value = '4';
  finger.dispatchEvent(new Event('change'));
  expect(paths()[3]!.getAttribute('d')).not.toBe(before);
  // The left hand is not tracked at first, so its line begins later.
  expect(Number(/^M([\d.]+)/.exec(paths()[0]!.getAttribute('d')!)![1])).toBeGreaterThan(10);
  const area = pinch!.querySelector<HTMLElement>('.hand-area')!;
  const { left, width, top } = area.getBoundingClientRect();
  area.dispatchEvent(new PointerEvent('pointerdown', { clientX: left + width / 2, clientY: top + 10, bubbles: true }));
  expect(viewer.playback.time).toBeCloseTo(viewer.playback.duration / 2, 1);
  await expectNoViolations();
  let saved = '';
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved = this.download;
  });
  viewer.root.querySelector<HTMLElement>('.hand-tools .plain')!.click();
  expect(saved).toBe('take.hands.csv');
  click.mockRestore();
  expect(viewer.root.querySelector('.drawer [role=radiogroup]')!.textContent).toContain('Hands');
  // Other animations have no such view.
  await viewer.openDemo('pip');
  await vi.waitFor(() => expect(viewer.drawerView.value).toBe('keys'));
  viewer.isDrawerOpen.value = false;
});

it('has no edits of animations', async () => {
  await show(1200, 800);
  viewer.isDrawerOpen.value = true;
  viewer.drawerView.value = 'edit';
  const rows = (): string[] =>
    [...viewer.root.querySelectorAll<HTMLElement>('.drawer [role=group]')].filter(row => row.checkVisibility()).map(row => row.ariaLabel!);
  await vi.waitFor(() => expect(rows()).toEqual(['Animation', 'Loop', 'Feet']), { timeout: 20_000 });
  viewer.isDrawerOpen.value = false;
});

it('steps and plays by key after a view of the drawer was selected', async () => {
  await show(1200, 800);
  at(0);
  viewer.isDrawerOpen.value = true;
  const radio = (): HTMLInputElement => viewer.root.querySelector<HTMLInputElement>('.drawer .switch label:nth-child(2) input')!;
  await vi.waitFor(() => expect(radio()).not.toBeNull(), { timeout: 20_000 });
  const strike = (key: string): boolean => radio().dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  strike('.');
  expect(viewer.playback.time).toBeGreaterThan(0);
  strike(',');
  expect(viewer.playback.time).toBe(0);
  // Radio buttons use the arrow keys and the space bar.
  strike('ArrowRight');
  strike(' ');
  expect([viewer.playback.time, viewer.playback.playing]).toEqual([0, false]);
  strike('q');
  expect(viewer.isDrawerOpen.value).toBe(false);
});

it('shows a compared recording with its distance from the current one', async () => {
  await show();
  await dropOn(viewer, new File([waving], 'again.bin'));
  viewer.showSection('poses');
  at(2);
  const list = viewer.root.querySelector<HTMLSelectElement>('.compare select')!;
  expect([...list.options].map(({ text }) => text)).toEqual(['None', 'take.bin']);
  list.value = '0';
  list.dispatchEvent(new Event('change'));
  await vi.waitFor(() => expect(viewer.other.value).not.toBeNull(), { timeout: 20_000 });
  await frames(2);
  expect(viewer.root.querySelector<HTMLElement>('.compare')!.innerText).toContain('The other recording is purple.');
  const apart = (): number[] =>
    [...viewer.root.querySelectorAll('.hand-poses section')].map(part => Number(/recording: (\d+) mm/.exec(part.textContent)?.[1]));
  await vi.waitFor(() => expect(apart()).toEqual([0, 0]), { timeout: 20_000 });
  const { geometries } = viewer.viewport.sharedRenderer.renderer.info.memory;
  const ahead = viewer.root.querySelector<HTMLInputElement>('.compare input')!;
  ahead.value = '0.25';
  ahead.dispatchEvent(new Event('input'));
  await vi.waitFor(() => expect(Math.max(...apart())).toBeGreaterThan(5), { timeout: 20_000 });
  expect(viewer.view.overlays.children).toContain(viewer.other.value!.object);
  // The compared recording is disposed when the comparison ends or another model is shown.
  list.value = '-1';
  list.dispatchEvent(new Event('change'));
  await vi.waitFor(() => expect(viewer.other.value).toBeNull(), { timeout: 20_000 });
  viewer.viewport.drawNow();
  expect(viewer.viewport.sharedRenderer.renderer.info.memory.geometries).toBeLessThan(geometries);
  list.value = '0';
  list.dispatchEvent(new Event('change'));
  await vi.waitFor(() => expect(viewer.other.value).not.toBeNull(), { timeout: 20_000 });
  await viewer.openDemo('pip');
  expect(viewer.other.value).toBeNull();
});

it('compares a recording that is added in the list of files, and offers to add it only to a recording', async () => {
  await show();
  await dropOn(viewer, new File([waving], 'again.bin'));
  viewer.root.querySelector<HTMLElement>('#panel-files-tab')!.click();
  const button = (): HTMLElement | null => viewer.root.querySelector('.files button[data-path="take.bin beside"]');
  expect(button()!.title).toBe('Compare with take.bin');
  button()!.click();
  await vi.waitFor(() => expect(viewer.other.value?.entry.input.path).toBe('take.bin'), { timeout: 20_000 });
  expect(button()!.ariaPressed).toBe('true');
  expect(viewer.root.querySelector<HTMLElement>('.problem')!.hidden).toBe(true);
  button()!.click();
  await vi.waitFor(() => expect(viewer.other.value).toBeNull(), { timeout: 20_000 });
  await dropOn(viewer, new File([await fetchBlob('web/src/viewer/demo/Pip.psk')], 'Pip.psk'));
  expect(viewer.model!.input.path).toBe('Pip.psk');
  expect(button()).toBeNull();
});

/** Returns a copy of the demo recording whose head, hands and gaze were `metres` further to the right. */
async function movedRecording(metres: number): Promise<Blob> {
  const data = new DataView(await waving.arrayBuffer());
  let at = 19; // magic number, version, and the flags of head, hands and gaze
  const curves = (count: number, isMoved: (curve: number) => boolean): void => {
    for (let curve = 0; curve < count; ++curve) {
      const keys = data.getInt32(at + 8, true);
      at += 12;
      for (let key = 0; key < keys; ++key, at += 8)
        if (isMoved(curve)) data.setFloat32(at + 4, data.getFloat32(at + 4, true) + metres, true);
    }
  };
  const isX = (curve: number): boolean => curve % 7 === 0;
  if (data.getUint8(16)) curves(7, isX);
  if (data.getUint8(17)) {
    curves(4, () => false);
    curves(2 * 27 * 7, isX);
  }
  if (data.getUint8(18)) curves(6, curve => curve === 0);
  return new Blob([data]);
}

/** Compares the shown recording with the first of the others. */
async function compare(): Promise<void> {
  const list = viewer.root.querySelector<HTMLSelectElement>('.compare select')!;
  list.value = '0';
  list.dispatchEvent(new Event('change'));
  await vi.waitFor(() => expect(viewer.other.value).not.toBeNull(), { timeout: 20_000 });
}

it('frames a compared recording together with the current one', async () => {
  await page.viewport(900, 600);
  await dropOn(viewer, new File([await movedRecording(0.8)], 'moved.bin'));
  await dropOn(viewer, new File([waving], 'take.bin'));
  const { cameraRig } = viewer.view;
  const alone = cameraRig.camera.position.clone();
  const joints = (): Vector3[] =>
    [...viewer.recording!.hands.map(({ hand }) => hand), ...viewer.other.value!.hands].flatMap(hand =>
      hand.tracked ? Object.values(hand.joints).map(joint => joint.getWorldPosition(new Vector3())) : [],
    );
  await compare();
  // The list shows the compared recording also after its entry was replaced, when the file was read in the background.
  const { library } = viewer.session.value;
  viewer.session.value = { ...viewer.session.value, library: library.map(entry => ({ ...entry })) };
  expect(viewer.root.querySelector<HTMLSelectElement>('.compare select')!.value).toBe('0');
  for (const time of [0, 1.2, 2.9, 5]) {
    at(time);
    for (const joint of joints()) {
      const { x, y } = joint.clone().project(cameraRig.camera);
      expect(Math.max(Math.abs(x), Math.abs(y)), `${time} s`).toBeLessThan(1);
    }
  }
  // The recorded camera stays in use.
  await viewer.compareRecording(null);
  expect(cameraRig.camera.position.distanceTo(alone)).toBeLessThan(1e-6);
  viewer.lookThrough(true);
  await compare();
  expect(cameraRig.active).toBe(viewer.recording!.camera);
  viewer.lookThrough(false);
  for (const joint of joints()) expect(Math.abs(joint.project(cameraRig.camera).x)).toBeLessThan(1);
});

it('plots a compared recording with the current one', async () => {
  await show(1000, 800);
  await dropOn(viewer, new File([await movedRecording(0.8)], 'moved.bin'));
  viewer.drawerView.value = 'hands';
  viewer.isDrawerOpen.value = true;
  const paths = (group: string): SVGPathElement[] => [...viewer.root.querySelectorAll<SVGPathElement>(`.hand-plot g${group} path`)];
  await vi.waitFor(() => expect(paths('').length).toBe(4), { timeout: 20_000 });
  await compare();
  await vi.waitFor(() => expect(paths('.compared').length).toBe(4), { timeout: 20_000 });
  at(3.1);
  await frames(2);
  const legends = (): string[][] =>
    [...viewer.root.querySelectorAll('.hand-plot:first-of-type .hand-recording')].map(each =>
      [...each.querySelectorAll('.hand-file, output')].map(({ textContent }) => textContent),
    );
  const [current, other] = legends();
  expect([current![0], other![0]]).toEqual(['moved.bin', 'take.bin']);
  expect(other!.slice(1)).toEqual(current!.slice(1));
  // The lines and the values follow the time offset.
  const offset = viewer.root.querySelector<HTMLInputElement>('.compare input')!;
  offset.value = '1';
  offset.dispatchEvent(new Event('input'));
  viewer.viewport.drawNow();
  await vi.waitFor(() => expect(legends()[1]!.slice(1)).not.toEqual(current!.slice(1)), { timeout: 20_000 });
  const [line] = paths('.compared');
  expect(line!.getCTM()!.e).toBeCloseTo(-line!.ownerSVGElement!.clientWidth / viewer.playback.duration, 0);
  await expectNoViolations();
  const saved: string[] = [];
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  viewer.root.querySelector<HTMLElement>('.hand-tools .plain')!.click();
  click.mockRestore();
  expect(saved).toEqual(['moved.hands.csv', 'take.hands.csv']);
  await viewer.compareRecording(null);
  await vi.waitFor(() => expect(paths('.compared').length).toBe(0), { timeout: 20_000 });
  viewer.isDrawerOpen.value = false;
});

it('releases geometries and textures of replaced recordings', async () => {
  await show();
  const { memory } = viewer.viewport.sharedRenderer.renderer.info;
  // three.js counts what it has drawn. A recording plays when it is open, and its left hand is not tracked at the start.
  const counted = (): { geometries: number; textures: number } => {
    at(1);
    return { geometries: memory.geometries, textures: memory.textures };
  };
  await show();
  const settled = counted();
  for (let turn = 0; turn < 5; ++turn) await show();
  expect(counted()).toEqual(settled);
  viewer.close();
  expect(viewer.recording).toBeNull();
  expect(shown('.lanes')).toBe(false);
  expect(hidden('#section-recording')).toBe(true);
  expect(hidden('#section-morphs')).toBe(true); // an empty viewport has no morph targets either
});

it('shows a recording of the head alone without errors in the console', async () => {
  const bytes = new DataView(new ArrayBuffer(19 + 7 * 20 + 4));
  [0xc6, 0x42, 0x9e, 0x0f, 0x6e, 0xaf, 0x8f, 0x6a].forEach((byte, i) => bytes.setUint8(i, byte));
  [1, 1].forEach((number, i) => bytes.setInt32(8 + 4 * i, number, true));
  bytes.setUint8(16, 1); // a camera without hands or gaze
  for (let curve = 0; curve < 7; ++curve) {
    const at = 19 + 20 * curve;
    bytes.setInt32(at + 8, 1, true); // a key at 0 s
    bytes.setFloat32(at + 16, curve === 6 ? 1 : 0, true);
  }
  const announcement = vi.spyOn(console, 'error').mockImplementation(() => {});
  await dropOn(viewer, new File([bytes.buffer], 'head.bin'));
  expect(viewer.recording?.hands).toEqual([]);
  expect(viewer.recording?.camera).not.toBeNull();
  expect(announcement).not.toHaveBeenCalled();
  announcement.mockRestore();
});

it('is available as a demo', async () => {
  await page.viewport(360, 700);
  await viewer.openDemo();
  const button = viewer.root.querySelector<HTMLElement>('.demos [data-demo=hands]')!;
  expect(button.getAttribute('aria-pressed')).toBe('false');
  button.click();
  await viewer.idle;
  expect(button.getAttribute('aria-pressed')).toBe('true');
  expect(viewer.recording).not.toBeNull();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360);
  await viewer.openDemo('pip');
  expect(viewer.recording).toBeNull();
});

it('shows both hands of a real recording, also through its camera', async () => {
  const name = 'holographic-recording_InputAnimation-20201027-134946.bin';
  const text = await commands.readFile(`../shared/corpus/mrtk/real/${name}`, { encoding: 'base64' }).catch(() => null);
  if (text === null) {
    console.log(`skipped: ${name} is not there`);
    return;
  }
  await page.viewport(640, 560);
  await dropOn(viewer, new File([Uint8Array.from(atob(text), letter => letter.charCodeAt(0))], name));
  for (const part of [0.1, 0.5, 0.9]) {
    at(viewer.playback.duration * part);
    expect(viewer.recording!.hands.every(({ visible }) => visible)).toBe(true);
    expect(pictureOf(viewer).drawn).toBeGreaterThan(200);
    viewer.lookThrough(true);
    viewer.viewport.drawNow();
    expect(pictureOf(viewer).drawn).toBeGreaterThan(200);
    viewer.lookThrough(false);
  }
});
