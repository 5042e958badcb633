// Edits of animations by the visitor: which animations they belong to, and how long they are kept.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { editsIn, editsOf, isEdited, withEdits } from '../../../web/src/session/animationEdits.ts';
import { clipsOf, rowsOf } from '../../../web/src/session/animationRows.ts';
import { editedClip, editedSource } from '../../../web/src/session/editAnimation.ts';
import type { InputFile } from '../../../web/src/session/inputFile.ts';
import { castBody, castMotion, TestBody } from '../../support/bodies.ts';
import { TestSession } from './support.ts';

const body = new TestBody();
const input = (name: string, bytes: Uint8Array): InputFile => ({ path: name, file: new File([bytes as Uint8Array<ArrayBuffer>], name) });
const motion = (name: string): InputFile => input(`${name}.cast`, castMotion(body.clip(name, 1, 30, time => body.walk(time))));

async function opened(): Promise<TestSession> {
  return new TestSession().drop([input('body.cast', castBody(body)), motion('walk'), motion('run')]);
}

test('edits belong to one animation, and are removed if they change nothing', async () => {
  const { session } = await opened();
  const rows = rowsOf(session);
  const [walk, run] = [rows[0]!, rows[1]!];
  const edits = withEdits([], walk, { travel: 'in-place' });
  expect([isEdited(edits, walk), isEdited(edits, run)]).toEqual([true, false]);
  expect(editsIn(edits, walk.source)).toEqual(new Map([[0, { travel: 'in-place' }]]));
  expect(editsIn(edits, run.source)).toBe(undefined);
  expect(withEdits(edits, walk, { travel: undefined, closeLoop: false })).toEqual([]);
  expect(isEdited(edits, { ...walk, indices: [0, 1] })).toBe(false);
});

test('edits are kept with the files, and end when other files are opened or closed', async () => {
  const state = await opened();
  const [walk] = rowsOf(state.session);
  state.dispatch({ type: 'set-animation-edits', animationEdits: withEdits([], walk!, { closeLoop: true }) });
  await state.drop([motion('jump')]);
  expect(state.session.animationEdits).toHaveLength(1);
  const other = await opened();
  other.dispatch({ type: 'set-animation-edits', animationEdits: state.session.animationEdits });
  await other.drop([input('other.cast', castBody(body))]);
  expect(other.session.animationEdits).toEqual([]);
  state.dispatch({ type: 'close' });
  expect(state.session.animationEdits).toEqual([]);
});

test('an edited animation keeps the other clips of its file, and is computed once', async () => {
  const { session } = await opened();
  const row = rowsOf(session)[0]!;
  const edits = { trim: { start: 0.2, end: 0.7 } };
  const { scene } = session.shown!.file;
  const { source } = editedSource(row, scene!, new Map([[0, edits]]), 'auto');
  expect(source.file.scene!.clips[0]!.duration).toBeCloseTo(0.5, 5);
  expect(source.input).toBe(row.source.input);
  expect(clipsOf(row)[0]!.duration).toBeCloseTo(1, 5);
  const [clip] = clipsOf(row);
  expect(editedClip(clip!, scene!, edits, 'auto').clip).toBe(source.file.scene!.clips[0]);
  expect(editedClip(clip!, scene!, { ...edits }, 'auto').clip).not.toBe(source.file.scene!.clips[0]);
});

test('clips that play together are edited like single clips', async () => {
  const read = (name: string): InputFile => input(name, new Uint8Array(readFileSync(`tests/data/unreal/${name}`)));
  const { session } = await new TestSession().drop([read('arm.psk'), read('arm-motions.psa')]);
  const [bend, walk, pose] = rowsOf(session);
  const row = { ...bend!, indices: [0, 1] };
  const half = { trim: { start: 0, end: 0.04 } };
  const { source } = editedSource(
    row,
    session.shown!.file.scene!,
    new Map([
      [1, half],
      [2, half],
    ]),
    'auto',
  );
  const { clips } = source.file.scene!;
  expect([clips[0], clips[2]]).toEqual([clipsOf(bend!)[0], clipsOf(pose!)[0]]);
  expect(clipsOf(walk!)[0]!.duration).toBeGreaterThan(0.05);
  expect(clips[1]!.duration).toBeCloseTo(0.04, 5);
});

test('edits of the root motion are not added to the rest pose a second time', async () => {
  const { session } = await opened();
  const row = rowsOf(session)[0]!;
  const { scene } = session.shown!.file;
  expect(editedSource(row, scene!, new Map([[0, { trim: { start: 0, end: 0.5 } }]]), 'additive').mode).toBe('additive');
  expect(editedSource(row, scene!, new Map([[0, { travel: 'in-place' as const }]]), 'additive').mode).toBe('file');
  expect(editsOf([], row)).toBe(editsOf([], undefined));
});
