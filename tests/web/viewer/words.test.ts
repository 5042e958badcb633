// Tests that no English text remains on the page in another language, and that the right language
// is selected.
import { expect, test } from 'vitest';
import { conversionCodes, refusals, TARGETS } from '../../../web/src/convert/targets.ts';
import { codeTable } from '../../../web/src/core/codeTable.ts';
import { en } from '../../../web/src/viewer/words/en.ts';
import { languageOf, translated } from '../../../web/src/viewer/words/index.ts';
import { ja } from '../../../web/src/viewer/words/ja.ts';
import { findings } from '../../../web/src/viewer/words/jaFindings.ts';
import { losses, refusals as refusalsSaid } from '../../../web/src/viewer/words/jaLosses.ts';

/** Placeholder argument for all sentences, which has a value for every property. */
const thing = new Proxy(
  {
    code: '',
    name: 'hero.psk',
    names: ['a', 'b'],
    images: ['a.png', 'b.png'],
    materials: ['A', 'B'],
    entries: [{ name: 'a.psk', why: 'method', method: 93 }],
    path: 'x/y',
    detail: 'detail',
    finding: 'CODE',
    message: 'message',
    text: 'text',
    wanted: 'hero.key',
    address: 'https://a.example/hero.psk',
  },
  { get: (known, key) => (key in known ? known[key as keyof typeof known] : 2) },
);

/** Returns all texts with their keys. Functions are called with the placeholder. */
function textsOf(words: object, path = ''): [string, string][] {
  return Object.entries(words).flatMap(([key, value]): [string, string][] => {
    const own = path ? `${path}.${key}` : key;
    if (typeof value === 'string') return [[own, value]];
    if (typeof value !== 'function') return textsOf(value as object, own);
    const isSentence = /^(problems|advice|steps|partDoubts)\./.test(own);
    const told: unknown[] = isSentence
      ? [thing]
      : own === 'reads' || own === 'recent' || own === 'sharedText'
        ? [['.psk']]
        : own === 'handTracked'
          ? ['left', '1', '2']
          : [3, 2, 1];
    const announcement: unknown = (value as (...args: unknown[]) => unknown)(...told);
    return typeof announcement === 'string' ? [[own, announcement]] : textsOf(announcement as object, own);
  });
}

/** Keys of texts that are the same in all languages, such as names, units and symbols. */
const SAME =
  /^(problems\.unknown\.next|pageTitle|riggingKinds\.ik|keyNames\.|rate|shiftAnd$|frameOf|demoKind$|demoKinds\.(pip|tock)|amount|found|handLetters|video\.formats\.(mp4|webm)$|problems\.failed\.next|commands\..*\.(help|label)$)/;

test('translates every English text into Japanese', () => {
  const english = new Map(textsOf(en));
  const japanese = textsOf(ja).filter(([key]) => !key.startsWith('targets.'));
  expect(japanese.map(([key]) => key).sort()).toEqual([...english.keys()].sort());
  const left = japanese.filter(([key, text]) => !SAME.test(key) && text !== '' && !/[\u3040-\u30ff\u4e00-\u9fff]/.test(text));
  expect(left).toEqual([]);
  const silent = japanese.filter(([key, text]) => (text === '') !== (english.get(key) === '')).map(([key]) => key);
  expect(silent).toEqual([]);
});

/**
 * Returns the parts of a text that must be the same in all languages: placeholders, names of
 * options and extensions, and file extensions.
 */
const namesIn = (text: string): string[] =>
  (text.match(/\{\w+\}|[a-z]+(?:[A-Z][a-z]+)+|formatOptions[.\w]+|KHR_\w+|WebGLRenderer|(?<![\w.])\.[a-z]{2,}/g) ?? []).sort();

test.each([
  ['findings', codeTable, findings],
  ['losses', conversionCodes, losses],
  ['refusals', Object.entries(refusals).map(([code, sentence]) => ({ code, sentence })), refusalsSaid],
])('Japanese %s have the order of the table and the names of the English sentences', (_, table, own) => {
  const translatedRows = table.filter(({ code }) => Object.hasOwn(own, code));
  expect(Object.keys(own)).toEqual(translatedRows.map(({ code }) => code));
  for (const { code, sentence } of translatedRows) {
    const announcement = own[code]!;
    expect(announcement, code).toMatch(/^[^。]*[\u3040-\u30ff\u4e00-\u9fff].*。$/);
    expect(namesIn(announcement), code).toEqual(namesIn(sentence));
  }
});

test('translates only labels of existing conversion targets', () => {
  expect(TARGETS).toEqual(expect.arrayContaining(Object.keys(ja.targets)));
});

test('shows a finding without a translation in English', () => {
  const table = [...codeTable.slice(0, 1), { code: 'NEW_FINDING', sentence: 'Something new.' }];
  expect([...translated(table, findings).values()]).toEqual([findings[codeTable[0]!.code], 'Something new.']);
});

test('chooses the first supported language of the browser', () => {
  expect(['ja', 'ja-JP', 'JA-jp'].map(tag => languageOf([tag]))).toEqual(['ja', 'ja', 'ja']);
  expect(languageOf(['fr-FR', 'ja', 'en'])).toBe('ja');
  expect(languageOf(['en-GB', 'ja'])).toBe('en');
  expect(languageOf(['constructor', 'tlh'])).toBe('en');
  expect(languageOf([])).toBe('en');
});

// Voice control finds a button by its visible text (WCAG 2.5.3).
test('the name of the button for a group of events begins with the number that it shows', () => {
  for (const words of [en, ja]) expect(words.events(2, '0.25 s', '0.58 s')).toMatch(/^2 /);
});
