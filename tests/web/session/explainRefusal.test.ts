// Tests that several files without a model are all listed with a reason.
import { expect, test } from 'vitest';
import type { InputFile } from '../../../web/src/session/inputFile.ts';
import { explainRefusal } from '../../../web/src/session/explainRefusal.ts';
import { Refusal } from '../../../web/src/session/problem.ts';
import { makePsa, makePsk } from '../../support/actorx.ts';
import { TestSession } from './support.ts';

const inputFile = (name: string, bytes: Uint8Array | string): InputFile => ({
  path: name,
  file: new File([bytes as Uint8Array<ArrayBuffer>], name),
});

/** Returns the problem that is reported when these files are dropped. */
async function problemOf(...files: InputFile[]): Promise<unknown> {
  const page = new TestSession();
  const first = await page.drop(files).then(
    () => null,
    (error: unknown) => error,
  );
  expect(first).toBeInstanceOf(Refusal);
  return (await explainRefusal(files, first as Refusal, page.openingContext())).problem;
}

test('refuses a folder without a model and lists its files with reasons', async () => {
  const zeros = new Uint8Array(5000);
  const problem = await problemOf(
    inputFile('a.psk', 'once upon a time'),
    inputFile('b.cast', '<!doctype html>'),
    inputFile('c.exe', 'MZ'),
    inputFile('d.dat', zeros),
    inputFile('e.uasset', ''),
    inputFile('f.png', 'png'),
  );
  expect(problem).toMatchObject({
    code: 'none-readable',
    all: 6,
    files: [
      { name: 'a.psk', why: 'unknown', finding: 'UNKNOWN_FORMAT', detail: '' },
      { name: 'b.cast', why: 'unknown', finding: 'HTML_PAGE' },
      { name: 'c.exe', why: 'unknown', finding: 'UNKNOWN_FORMAT' },
      // Only the first bytes are read; the rest of the file may not be zeros.
      { name: 'd.dat', why: 'unknown', finding: '', detail: '' },
      { name: 'e.uasset', why: 'unknown', finding: 'EMPTY_FILE' },
      { name: 'f.png', why: 'companion' },
    ],
  });
});

test('names the damage of each model dropped with its animation', async () => {
  const cut = makePsk({ side: 6 }).slice(0, 200);
  const problem = await problemOf(inputFile('a.psk', cut), inputFile('b.psk', cut), inputFile('run.psa', makePsa()));
  expect(problem).toMatchObject({
    files: [
      { name: 'a.psk', why: 'damaged' },
      { name: 'b.psk', why: 'damaged' },
      { name: 'run.psa', why: 'animation', finding: '' },
    ],
  });
});

test('keeps the refusal of a single file with companions, and lists at most 12 of many files', async () => {
  expect(await problemOf(inputFile('a.psk', 'once upon a time'), inputFile('skin.png', 'png'))).toMatchObject({
    code: 'unknown',
    name: 'a.psk',
  });
  const many = Array.from({ length: 30 }, (_, i) => inputFile(`x${i}.exe`, 'MZ'));
  expect(await problemOf(...many)).toMatchObject({ code: 'none-readable', all: 30, files: { length: 12 } });
});
