// Tests opening a model with its animations as a page does, but without a page.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { InputFile } from '../../../web/src/session/inputFile.ts';
import { buildModel, disposeModel, hasNoSurface, openFile, type OpenContext } from '../../../web/src/session/model.ts';
import { LayeredAction, compatibilityOf } from '../../../web/src/session/layeredAction.ts';
import { plan } from '../../../web/src/session/plan.ts';
import { sortByRole } from '../../../web/src/session/role.ts';
import { emptySession } from '../../../web/src/session/session.ts';
import { CompanionFiles } from '../../../web/src/session/companionFiles.ts';
import { makePsa } from '../../support/actorx.ts';
import { castFile, node } from '../../support/castFile.ts';
import { TestSession } from './support.ts';
import { adviceFor } from '../../../web/src/session/advice.ts';

const demo = (name: string): InputFile => {
  const bytes = readFileSync(new URL(`../../../web/src/viewer/demo/${name}`, import.meta.url));
  return { path: `folder/${name}`, file: new File([new Uint8Array(bytes)], name) };
};

test('opens a folder, plays its animation, and restores the rest pose on stop', async () => {
  const todo = plan(emptySession, await sortByRole(['Pip.psa', 'Pip_D.png', 'Pip.psk'].map(demo)));
  if (todo.kind !== 'open') throw new Error(todo.kind);
  const companionFiles = new CompanionFiles().with(todo.companions);
  const context: OpenContext = {
    companionFiles,
    signal: new AbortController().signal,
    onProgress: () => {},
    onInstanceLoaded: () => {},
    graphics: { isWebGPU: false, supportsTexture: () => false },
    strandWidth: 0,
  };
  const [input] = todo.candidates;
  const [animation] = todo.animations;
  const model = await buildModel(input!, await openFile(input!, context), context);
  expect([hasNoSurface(model), model.bones.length > 10, model.lights]).toEqual([false, true, []]);

  const source = { input: animation!, file: await openFile(animation!, context) };
  expect(compatibilityOf(model, source)).toMatchObject({ fits: true, fit: 1 });
  const seen = (): number[] => model.bones.flatMap(bone => [...bone.position.toArray(), ...bone.quaternion.toArray()]);
  const rest = seen();
  const played = new LayeredAction(model, source, [0], 'auto', false);
  played.seek(played.duration / 3);
  expect(seen()).not.toEqual(rest);
  played.stop();
  expect(seen()).toEqual(rest);
  disposeModel(model);
});

test('shows the skeleton of an animation file that was dropped without a model', async () => {
  const bones = ['root', 'arm'].map((name, row) => node('bone', { n: ['s', name], p: ['i', [row - 1]], lp: ['3v', [0, row, 0]] }));
  const curve = node('curv', { nn: ['s', 'arm'], kp: ['s', 'tx'], kb: ['b', [0, 10]], kv: ['f', [0, 1]], m: ['s', 'absolute'] });
  const anim = castFile(node('anim', { fr: ['f', [30]] }, node('skel', {}, ...bones), curve));
  const lift: InputFile = { path: 'lift.animation', file: new File([anim as Uint8Array<ArrayBuffer>], 'lift.animation') };
  const flat: InputFile = { path: 'folder/flat.psa', file: new File([makePsa({ bones: ['root', 'arm'] })], 'flat.psa') };
  const page = await new TestSession().drop([flat, lift]);
  expect([page.session.shown?.input.path, page.session.shown?.bones]).toEqual(['lift.animation', 2]);
  expect(page.session.animationFiles.map(({ input }) => input.path)).toEqual(['lift.animation', 'folder/flat.psa']);
  expect(page.session.library.map(({ role }) => role)).toEqual(['model', 'animation']);
  disposeModel(page.model!);

  const waiting = await new TestSession().drop([flat]);
  expect([waiting.session.shown, waiting.advice]).toEqual([null, ['animations-only']]);
});

test('reports an empty recording and asks for no model', async () => {
  const bytes = new Uint8Array(23); // magic number of the recording toolkit, version 1.1, no flags, no markers
  bytes.set([0xc6, 0x42, 0x9e, 0x0f, 0x6e, 0xaf, 0x8f, 0x6a, 1, 0, 0, 0, 1]);
  const page = await new TestSession().drop([{ path: 'nothing.bin', file: new File([bytes], 'nothing.bin') }]);
  expect(page.advice).toEqual(['empty-recording']);
});

test('reports truncated files first, with their size and the number of missing meshes', async () => {
  const half = async (name: string, size: number): Promise<unknown> => {
    const bytes = new Uint8Array(await demo(name).file.arrayBuffer()).slice(0, size);
    const page = await new TestSession().drop([{ path: name, file: new File([bytes], name) }]);
    const [first] = adviceFor(page.session, null, false);
    disposeModel(page.model!);
    return first;
  };
  expect(await half('Pip.psk', 90_000)).toMatchObject({
    code: 'truncated',
    size: 90_000,
    meshes: 0,
    detail: 'FACE0000: 4154 records of 12 bytes declared, 2362 found',
  });
  expect(await half('Tock.cast', 60_000)).toMatchObject({ code: 'truncated', meshes: 1, more: 1 });
  expect(await half('Lotl.vgo', 60_000)).toMatchObject({ code: 'truncated' });
});
