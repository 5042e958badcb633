// Edits of an animation in the drawer: they play at once, and are saved.
import axe from 'axe-core';
import { Vector3 } from 'three';
import { page, userEvent } from 'vitest/browser';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Viewer } from '../../../../web/src/viewer/viewer.ts';
import { castBody, castMotion, TestBody } from '../../../support/bodies.ts';
import { dropOn, makeViewer, press } from './support.ts';

const body = new TestBody();
let viewer: Viewer;

beforeAll(async () => {
  await page.viewport(1280, 800);
  viewer = await makeViewer();
  const walkInPlace = (time: number) => {
    const { turns, hips } = body.walk(time);
    return { turns, hips: hips.setZ(0) };
  };
  await dropOn(
    viewer,
    new File([castBody(body) as Uint8Array<ArrayBuffer>], 'body.cast'),
    ...[body.clip('walk', 2.2, 30, walkInPlace), body.clip('limp', 0.8, 30, walkInPlace)].map(
      clip => new File([castMotion(clip) as Uint8Array<ArrayBuffer>], `${clip.name}.cast`),
    ),
  );
  viewer.selectByTitle('walk');
  await viewer.idle;
  viewer.playback.pause();
  viewer.drawerView.value = 'edit';
  press('q');
  await vi.waitFor(() => expect(find('.edit-range').textContent).toContain('Frames'), 20_000);
}, 120_000);
afterAll(() => viewer.dispose());

const find = <Kind extends HTMLElement>(selector: string): Kind => viewer.root.querySelector<Kind>(selector)!;

/** Returns the violations that axe reports in the drawer, as rule and element. */
async function violations(): Promise<string[]> {
  const result = await axe.run(find('.drawer'), { resultTypes: ['violations'] });
  return result.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`));
}

describe('edits of an animation', () => {
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const changes = (): string[] => [...viewer.root.querySelectorAll('.edit-changes li')].map(each => each.textContent);
  const hips = (): number => {
    viewer.playback.seek(viewer.playback.duration);
    return viewer.shownModel.value!.bones.find(({ name }) => name === 'hips')!.getWorldPosition(new Vector3()).z;
  };

  it('trim the animation to the range, and keep the pose', async () => {
    const { duration } = viewer.playback;
    expect((button('Trim to range').element() as HTMLButtonElement).disabled).toBe(true);
    viewer.playback.range = { from: 0.25, to: 0.75 };
    viewer.playback.seek(0.5);
    await userEvent.click(button('Trim to range'));
    await vi.waitFor(() => expect(viewer.playback.duration).toBeCloseTo(0.5, 3));
    expect(viewer.playback.range).toBe(null);
    expect(viewer.playback.time).toBeCloseTo(0.25, 3);
    expect(find('.transport .playing').textContent).toBe('walk (edited)');
    expect(find('.clips [aria-selected="true"]').textContent).toContain('edited');
    expect(find('.clips [aria-selected="true"] .detail').textContent).toBe('0.5 s');
    await vi.waitFor(() => expect(changes()).toEqual([expect.stringContaining('trimmed')]));
    viewer.playback.range = { from: 0.1, to: 0.4 };
    await userEvent.click(button('Trim to range'));
    await vi.waitFor(() => expect(viewer.playback.duration).toBeCloseTo(0.3, 3));
    viewer.undo();
    await viewer.idle;
    expect(viewer.playback.duration).toBeCloseTo(0.5, 3);
    viewer.playback.seek(0.25);
    await userEvent.click(button('Reset edits'));
    await vi.waitFor(() => expect(viewer.playback.duration).toBe(duration));
    expect(viewer.playback.time).toBeCloseTo(0.5, 1);
    expect(find('.transport .playing').textContent).toBe('walk');
  });

  it('find a loop as the range', async () => {
    await userEvent.click(button('Find loop'));
    await vi.waitFor(() => expect(viewer.playback.range).not.toBe(null));
    viewer.playback.range = null;
  });

  it('move the body in the scene at once', async () => {
    const end = hips();
    const movement = page.getByRole('combobox', { name: 'Movement' });
    await userEvent.selectOptions(movement, 'Root motion');
    await vi.waitFor(() => expect(Math.abs(hips() - end)).toBeGreaterThan(0.2));
    await vi.waitFor(() => expect(changes()).toEqual([expect.stringContaining('at the speed at which its feet move')]));
    await userEvent.click(page.getByRole('checkbox', { name: 'Close loop' }));
    await vi.waitFor(() => expect(changes()).toHaveLength(2));
    expect(await violations()).toEqual([]);
    await userEvent.selectOptions(movement, 'From file');
    await vi.waitFor(() => expect(hips()).toBeCloseTo(end, 3));
  });

  it('are saved, and reported in the save dialog, which has no switches for them', async () => {
    await userEvent.selectOptions(page.getByRole('combobox', { name: 'Movement' }), 'Root motion');
    await vi.waitFor(() => expect(viewer.isEdited.value).toBe(true));
    await viewer.save({ to: 'json', animations: 'selected' });
    const dialog = find<HTMLDialogElement>('dialog.saving');
    expect(dialog.textContent).toContain('Saved with your edits: walk.');
    expect(dialog.querySelector('.losses')!.textContent).toContain('at the speed at which its feet move');
    expect(dialog.querySelector('[data-switch="loop"], [data-switch="in-place"]')).toBe(null);
    const { nodes, motions } = (await (await fetch(dialog.querySelector('a')!.href)).json()) as {
      nodes: { name: string }[];
      motions: { nodes: { positions: number[] }[] }[];
    };
    const { positions } = motions[0]!.nodes[nodes.findIndex(({ name }) => name === 'hips')]!;
    expect(positions.at(-1)! - positions[2]!).toBeGreaterThan(0.2);
    await userEvent.click(page.getByRole('dialog').getByRole('button', { name: 'Close' }));
  });

  it('apply to all animations, without their range', async () => {
    viewer.playback.range = { from: 0, to: 0.5 };
    viewer.run('trim');
    await vi.waitFor(() => expect(viewer.playback.duration).toBeCloseTo(0.5, 3));
    await userEvent.click(button('Apply to all animations'));
    const edits = viewer.session.value.animationEdits;
    expect(edits).toHaveLength(viewer.rows.value.length);
    expect(edits.filter(each => each.edits.trim)).toHaveLength(1);
    expect(edits.every(each => each.edits.travel === 'root-motion')).toBe(true);
    expect(viewer.announcement.value.text).toMatch(/^The edits apply to \d+ more animations?\.$/);
    viewer.undo();
    await viewer.idle;
    expect(viewer.session.value.animationEdits).toHaveLength(1);
  });
});
