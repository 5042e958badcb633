// The prose check finds sentences where people write them, and its limits only go down.
import { describe, expect, it } from 'vitest';
import { lowered, sentencesOf, worse } from '../../.ci/prose.mjs';

const textsOf = (file, text) => sentencesOf(file, text).map(({ line, sentence }) => `${line} ${sentence}`);

describe('sentences', () => {
  it('are read from comments of one or several lines, not from code', () => {
    const text = '// One comment of\n// two lines. And another one.\nconst a = 1; // beside the code\n/** Of a function. */\nlet b;\n';
    expect(textsOf('a.ts', text)).toEqual(['1 One comment of two lines.', '1 And another one.', '3 beside the code', '4 Of a function.']);
  });

  it('are read from string literals only in tables of texts', () => {
    const text = "const words = { open: 'Open a file', name: 'file' };\n";
    expect(textsOf('web/src/viewer/words/en.ts', text)).toEqual(['1 Open a file']);
    expect(textsOf('web/src/viewer/page.ts', text)).toEqual([]);
  });

  it('are read from documents without code, headings and URLs', () => {
    const text = '# A long heading here\n\nRead [the guide](guide.md) before `x`.\n\n```sh\nnot a sentence\n```\n| one cell here | x |\n';
    expect(textsOf('a.md', text)).toEqual(['3 Read the guide before x.', '8 one cell here']);
  });
});

it('limits are only lowered, and a room within the target has none', () => {
  const rooms = new Map([
    ['better', { all: 100, count: 5 }],
    ['good', { all: 1000, count: 15 }],
    ['more', { all: 100, count: 9 }],
    ['new', { all: 10, count: 1 }],
  ]);
  const limits = { better: 7, good: 20, more: 8 };
  expect(worse(rooms, limits).map(([room]) => room)).toEqual(['more', 'new']);
  expect(lowered(rooms, limits)).toEqual({ better: 5, more: 8, new: 1 });
});
