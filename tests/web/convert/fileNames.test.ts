// Tests the names of written files. Files of different results in one folder have different names.
import { describe, expect, it, vi } from 'vitest';
import { cutToBytes, distinctNames, FileNames, fileStem, nameKey, ResultNames } from '../../../web/src/convert/common/fileNames.ts';

const bytesIn = (text: string): number => new TextEncoder().encode(text).length;

describe('the files of a result', () => {
  it('begin with the name of the result, with a number for the second equal suffix', () => {
    const names = new FileNames('hero');
    expect(['Run', 'Run', 'run', 'a/b:c', '../x', ''].map(word => names.beside(word))).toEqual([
      'hero_Run',
      'hero_Run_2',
      'hero_run_3',
      'hero_a_b_c',
      'hero_.._x',
      'hero_file',
    ]);
  });

  it('never have the name of another result in the folder or of one of its files', () => {
    const arm = new FileNames('arm', new ResultNames(['arm', 'arm_Bend', 'arm.old', 'ARM_wave', 'leg']));
    expect(['Bend', 'bend_baseColor', 'Wave', 'Bent', 'leg'].map(word => arm.beside(word))).toEqual([
      'arm_2_Bend',
      'arm_2_bend_baseColor',
      'arm_2_Wave',
      'arm_Bent',
      'arm_leg',
    ]);
  });

  it('of a split result have unique names, like the files beside each of them', () => {
    const names = new FileNames('hero', new ResultNames(['hero_Run_fast']));
    const [run, runImage, fast] = names.parts(['Run', 'Run_image', 'Run_fast']) as [FileNames, FileNames, FileNames];
    expect([run.stem, runImage.stem, fast.stem]).toEqual(['hero_Run', 'hero_Run_image', 'hero_2_Run_fast']);
    expect([run.beside('image'), run.beside('fast'), names.beside('Run_x')]).toEqual([
      'hero_Run_2_image',
      'hero_Run_2_fast',
      'hero_2_Run_x',
    ]);
  });

  it('of any set of results have different names for any suffixes', () => {
    let seed = 1;
    const random = (most: number): number => (seed = (seed * 48271) % 2147483647) % most;
    const word = (): string => Array.from({ length: 1 + random(3) }, () => ['a', 'b', '_', '.', '2', 'B', 'a_b'][random(7)]).join('');
    for (let round = 0; round < 500; round++) {
      const stems = distinctNames(Array.from({ length: 5 }, (): [string] => [word()]));
      const files = new Map<string, string>();
      for (const stem of stems) {
        const names = new FileNames(stem, new ResultNames(stems));
        const own = [stem, ...Array.from({ length: 4 }, () => names.beside(word()))];
        for (const name of own) {
          expect(files.get(nameKey(name)), `${name} of ${stem}, beside ${stems.join(' ')}`).toBeUndefined();
          files.set(nameKey(name), stem);
        }
      }
    }
  });

  it.each(['漢', 'é', '😀', 'n'])('have a length that file systems allow, without split characters: %s', letter => {
    const long = letter.repeat(300);
    for (const stem of ['hero', fileStem(long), long]) {
      const names = new FileNames(stem);
      for (let k = 0; k < 3; k++) {
        const name = names.beside(long);
        expect(bytesIn(name)).toBeLessThanOrEqual(255 - '.semodel'.length);
        expect(name).toMatch(/^[^\uFFFD]+$/);
        expect(new FileNames(name).stem).toBe(name);
      }
    }
    expect(fileStem(long).replaceAll(letter, '')).toBe('');
    expect(bytesIn(fileStem(long))).toBe(160 - (160 % bytesIn(letter)));
  });

  it('are shortened without splitting a character', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 7].map(most => cutToBytes('a漢b😀', most))).toEqual(['', 'a', 'a', 'a', 'a漢', 'a漢b', 'a漢b', 'a漢b']);
  });
});

describe('results of one folder', () => {
  it('take their next choice if two want the same name, then a number', () => {
    expect(
      distinctNames([
        ['A', 'A.psk'],
        ['a', 'a.psk'],
        ['a.psk_2', 'a.psk_2.psk'],
        ['b', 'b.psk'],
      ]),
    ).toEqual(['A.psk', 'a.psk_3', 'a.psk_2', 'b']);
  });

  it('have different names if only the Unicode composition differs', () => {
    const [composed, decomposed] = ['é', 'e\u0301'];
    expect(distinctNames([[composed!], [decomposed!]])).toEqual([composed, `${decomposed}_2`]);
  });
});

it.each<[string, (n: number) => void]>([
  [
    'equal words',
    n => {
      const names = new FileNames('hero');
      for (let i = 0; i < n; i++) names.beside('x');
    },
  ],
  ['files of a split result', n => void new FileNames('hero').parts(Array.from({ length: n }, (_, i) => `clip${i}`))],
  ['equal results', n => void distinctNames(Array.from({ length: n }, (): [string] => ['hero']))],
])('naming %s takes linear time', (_, make) => {
  const looks = vi.spyOn(String.prototype, 'normalize');
  make(1000);
  expect(looks.mock.calls.length).toBeLessThan(20_000);
  looks.mockRestore();
});
