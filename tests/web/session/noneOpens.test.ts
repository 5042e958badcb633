// Several files without a model: every file has its reason.
import { expect, test } from 'vitest';
import type { InputFile } from '../../../web/src/session/inputFile.ts';
import { explainRefusal } from '../../../web/src/session/explainRefusal.ts';
import { Refusal } from '../../../web/src/session/problem.ts';
import { makePsa, makePsk } from '../../support/actorx.ts';
import { Desk } from './support.ts';

const given = (name: string, bytes: Uint8Array | string): InputFile => ({
  path: name,
  file: new File([bytes as Uint8Array<ArrayBuffer>], name),
});

/** The problem that dropping these files ends with. */
async function problemOf(...files: InputFile[]): Promise<unknown> {
  const desk = new Desk();
  const first = await desk.drop(files).then(
    () => null,
    (error: unknown) => error,
  );
  expect(first).toBeInstanceOf(Refusal);
  return (await explainRefusal(files, first as Refusal, desk.opening())).problem;
}

test('a folder without a model is incompatible with all of its files and their reasons', async () => {
  const zeros = new Uint8Array(5000);
  const problem = await problemOf(
    given('a.psk', 'once upon a time'),
    given('b.cast', '<!doctype html>'),
    given('c.exe', 'MZ'),
    given('d.dat', zeros),
    given('e.uasset', ''),
    given('f.png', 'png'),
  );
  expect(problem).toMatchObject({
    code: 'none-opens',
    all: 6,
    files: [
      { name: 'a.psk', why: 'unknown', finding: 'UNKNOWN_FORMAT', detail: '' },
      { name: 'b.cast', why: 'unknown', finding: 'HTML_PAGE' },
      { name: 'c.exe', why: 'unknown', finding: 'UNKNOWN_FORMAT' },
      // More than its first bytes may be something else.
      { name: 'd.dat', why: 'unknown', finding: '', detail: '' },
      { name: 'e.uasset', why: 'unknown', finding: 'EMPTY_FILE' },
      { name: 'f.png', why: 'companion' },
    ],
  });
});

test('damaged models beside their animation are told apart', async () => {
  const cut = makePsk({ side: 6 }).slice(0, 200);
  const problem = await problemOf(given('a.psk', cut), given('b.psk', cut), given('run.psa', makePsa()));
  expect(problem).toMatchObject({
    files: [
      { name: 'a.psk', why: 'damaged' },
      { name: 'b.psk', why: 'damaged' },
      { name: 'run.psa', why: 'motion', finding: '' },
    ],
  });
});

test('one file with its companions keeps its own refusal, and of many files a dozen are listed', async () => {
  expect(await problemOf(given('a.psk', 'once upon a time'), given('skin.png', 'png'))).toMatchObject({ code: 'unknown', name: 'a.psk' });
  const many = Array.from({ length: 30 }, (_, i) => given(`x${i}.exe`, 'MZ'));
  expect(await problemOf(...many)).toMatchObject({ code: 'none-opens', all: 30, files: { length: 12 } });
});
