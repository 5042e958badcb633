// The conversion of a library: the results, the files without a result, and the report.
import { expect, test } from 'vitest';
import { CompanionFiles } from '../../../web/src/session/companionFiles.ts';
import type { LibraryEntry } from '../../../web/src/session/library.ts';
import { type BatchOptions, type BatchResult, convertLibrary } from '../../../web/src/viewer/library/convertLibrary.ts';
import { makePsa, makePsk } from '../../support/actorx.ts';
import { TestSession } from '../session/support.ts';

const entry = (path: string, bytes: Uint8Array<ArrayBuffer>, role: LibraryEntry['role'] = 'model'): LibraryEntry => ({
  input: { path, file: new File([bytes], path.split('/').at(-1)!) },
  role,
  companionFiles: new CompanionFiles(),
  facts: null,
});
const bones = (name: string): string[] => ['Root', `${name} Spine`, `${name} Head`];
const library = [
  entry('game/Fox.psk', makePsk({ bones: bones('Fox') })),
  entry('game/Broken.psk', makePsk().slice(0, 40)),
  entry('game/old/Fox.psk', makePsk({ bones: bones('Bear') })),
  entry('game/FoxAnims.psa', makePsa({ bones: bones('Fox'), sequences: ['Run'], frames: 10 }), 'animation'),
  entry('game/Whale.psa', makePsa({ bones: bones('Whale'), sequences: ['Dive'], frames: 10 }), 'animation'),
];

async function convertAll(changes: Partial<BatchOptions> = {}): Promise<BatchResult & { files: Map<string, Blob> }> {
  const files = new Map<string, Blob>();
  const result = await convertLibrary(library, {
    to: 'glb',
    write: async (path, file) => void files.set(path, file),
    onStep: () => {},
    boneMaps: [],
    animationEdits: [],
    opening: new TestSession().openingContext(),
    ...changes,
  });
  return { ...result, files };
}

test('each model is converted with its animations, in the folder of the model', async () => {
  const { files, rows } = await convertAll();
  expect([...files.keys()]).toEqual(['game/Fox.glb', 'game/old/Fox.glb']);
  expect(rows.filter(({ error }) => !error).map(({ out, files: sources }) => [out, sources])).toEqual([
    ['game/Fox.glb', ['game/Fox.psk', 'game/FoxAnims.psa']],
    ['game/old/Fox.glb', ['game/old/Fox.psk']],
  ]);
  const json = await jsonOf(files.get('game/Fox.glb')!);
  expect(json.animations!.map(({ name }) => name)).toEqual(['Run']);
});

test('the edits of an animation are applied', async () => {
  const durationOf = async ({ files }: { files: Map<string, Blob> }): Promise<number> => {
    const { accessors, animations } = await jsonOf(files.get('game/Fox.glb')!);
    return Math.max(...animations![0]!.samplers.map(({ input }) => accessors[input]!.max![0]!));
  };
  const whole = await durationOf(await convertAll());
  const edits = { trim: { start: 0, end: whole / 3 } };
  const edited = await convertAll({ animationEdits: [{ path: 'game/FoxAnims.psa', index: 0, edits }] });
  expect(whole / (await durationOf(edited))).toBeCloseTo(3, 3);
});

test('a damaged file and an animation without a model do not stop the others, and are reported', async () => {
  const { rows } = await convertAll();
  expect(rows.flatMap(({ out, files, error }) => (error ? [[out, files, error.code]] : []))).toEqual([
    [null, ['game/Broken.psk'], 'NOT_CONVERTED'],
    [null, ['game/Whale.psa'], 'CLIP_UNMATCHED'],
  ]);
});

test('a result that cannot be written is reported, and the others are written', async () => {
  const written: string[] = [];
  const write = async (path: string): Promise<void> => {
    if (path === 'game/Fox.glb') throw new Error('disk full');
    written.push(path);
  };
  const { rows } = await convertAll({ write });
  expect(written).toEqual(['game/old/Fox.glb']);
  expect(rows.find(({ out }) => out === 'game/Fox.glb')!.error).toEqual({ code: 'NOT_CONVERTED', detail: 'disk full' });
});

test('the progress counts the files that are read, then the results', async () => {
  const steps: string[] = [];
  await convertAll({ onStep: ({ kind, at, of }) => void steps.push(`${kind} ${at} of ${of}`) });
  expect(steps).toEqual([1, 2, 3, 4, 5].map(at => `reading ${at} of 5`).concat('converting 1 of 2', 'converting 2 of 2'));
});

test('a conversion that is cancelled keeps the results so far', async () => {
  const abort = new AbortController();
  const opening = { ...new TestSession().openingContext(), signal: abort.signal };
  const { rows, isCancelled } = await convertAll({
    opening,
    onStep: ({ kind, at }) => void (kind === 'converting' && at === 2 && abort.abort()),
  });
  expect([isCancelled, rows.filter(({ error }) => !error).map(({ out }) => out)]).toEqual([true, ['game/Fox.glb']]);
});

interface Json {
  accessors: { max?: number[] }[];
  animations?: { name: string; samplers: { input: number }[] }[];
}

async function jsonOf(glb: Blob): Promise<Json> {
  const bytes = await glb.arrayBuffer();
  const length = new DataView(bytes).getUint32(12, true);
  return JSON.parse(new TextDecoder().decode(bytes.slice(20, 20 + length))) as Json;
}
