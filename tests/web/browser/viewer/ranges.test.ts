// Large remote animation files: the viewer reads only the animations that are used.
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Viewer } from '../../../../web/src/viewer/viewer.ts';
import { makeViewer } from './support.ts';

const counted = async (): Promise<{ requests: number; bytes: number }> =>
  (await (await fetch('/counted')).json()) as { requests: number; bytes: number };

/** Number of bytes of the keys of an animation. */
const CLIP = 10_000 * 20 * 32;
/** Number of bytes of the first request, and of those for side files that do not exist. */
const SMALL = 2 ** 18;

let viewer: Viewer;
beforeEach(async () => {
  viewer = await makeViewer();
  await counted();
});
afterEach(() => {
  expect(viewer.refusal.value?.problem ?? null).toBe(null);
  viewer.dispose();
  viewer.root.remove();
});

async function openBoth(query = '', file = `${location.origin}/large.psa`): Promise<void> {
  await viewer.openAddresses([`${location.origin}/large.psk`, `${file}${query}`]);
  await viewer.idle;
}

const rowOf = (name: string): number => viewer.animationNames.indexOf(name);
/** Names of the animations whose keys are read. */
const readNames = (): string[] =>
  viewer.session.value.animationFiles.flatMap(({ file }) =>
    file.scene!.clips.flatMap(({ name, keysUnread }) => (keysUnread ? [] : [name])),
  );
/** Findings about parts in the report panel's sections. */
const findings = (): string[] =>
  viewer.sections.value.flatMap(({ report }) =>
    report.items.flatMap(({ code, detail }) => (/^(KEYS_NOT_READ|RANGES_)/.test(code) ? [`${code}: ${detail}`] : [])),
  );

it('opens an address with the keys of one animation, and reads another one when it is selected', async () => {
  await openBoth();
  const { bytes } = await counted();
  expect(viewer.animationNames).toHaveLength(10);
  expect(viewer.played.value?.name).toBe('Clip0');
  expect(bytes).toBeLessThan(CLIP + SMALL);
  expect([readNames(), findings()]).toEqual([['Clip0'], ['KEYS_NOT_READ: 1 of 10 animations were read']]);
  viewer.select(rowOf('Clip7'));
  await viewer.idle;
  expect(viewer.played.value?.name).toBe('Clip7');
  const { requests } = await counted();
  expect(requests).toBe(1);
  expect([readNames(), findings()]).toEqual([['Clip0', 'Clip7'], ['KEYS_NOT_READ: 2 of 10 animations were read']]);
  viewer.select(rowOf('Clip0'));
  await viewer.idle;
  expect(viewer.played.value?.name).toBe('Clip0');
  expect((await counted()).requests).toBe(0);
});

it('plays the animation that was selected last', async () => {
  await openBoth();
  viewer.select(rowOf('Clip3'));
  viewer.select(rowOf('Clip4'));
  await viewer.idle;
  expect([viewer.played.value?.name, viewer.playback.playing]).toEqual(['Clip4', true]);
});

it('reads the keys of layers and of compared animations', async () => {
  await openBoth();
  const row = (name: string): (typeof viewer.rows.value)[number] => viewer.rows.value[rowOf(name)]!;
  let used = '';
  viewer.withKeys(row('Clip5'), () => {
    viewer.dispatch({ type: 'set-ghost', ghost: row('Clip5') });
    used = 'Clip5';
  });
  expect(used).toBe('');
  await viewer.idle;
  expect([used, readNames()]).toEqual(['Clip5', ['Clip0', 'Clip5']]);
});

it('reads only the animations that are saved', async () => {
  await openBoth();
  await counted();
  await viewer.save({ to: 'glb', animations: 'selected' });
  expect((await counted()).requests).toBe(0);
  const steps: unknown[] = [];
  const { convertShown } = await import('../../../../web/src/viewer/saving.ts');
  const saved = await convertShown(
    viewer,
    { to: 'psa', animations: 'all', switches: new Set() },
    { signal: new AbortController().signal, onStep: step => steps.push(step) },
  );
  expect(saved.files.length).toBeGreaterThan(0);
  expect(readNames()).toHaveLength(10);
  expect(steps).toHaveLength(9);
  expect(steps.at(-1)).toEqual({ code: 'reading-keys', at: 9, of: 9 });
}, 120_000);

it('reads the file again in parts after a reload, and shows its bytes', async () => {
  await openBoth();
  viewer.reload();
  await viewer.idle;
  expect(findings()).toEqual(['KEYS_NOT_READ: 1 of 10 animations were read']);
  const source = viewer.session.value.animationFiles.find(({ input }) => input.file.name === 'large.psa')!;
  await counted();
  const bytes = new Uint8Array(await source.input.file.slice(0, 8).arrayBuffer());
  expect(new TextDecoder().decode(bytes)).toBe('ANIMHEAD');
  expect((await counted()).bytes).toBe(8);
});

it('opens an address of a server that ignores requests for parts, and reports this', async () => {
  await openBoth('?whole');
  expect(viewer.played.value?.name).toBe('Clip0');
  expect(findings()).toEqual(['RANGES_IGNORED: the server sent the whole file (status 200)']);
});

it('opens an address of another origin whose headers are hidden, and reports this', async () => {
  await openBoth('', await (await fetch('/other-origin')).text());
  expect(viewer.played.value?.name).toBe('Clip0');
  expect(findings()).toEqual(['RANGES_HIDDEN: the server does not show the header Content-Range to this page']);
});
