// What the built site is without: methods that none of its scripts names, and nothing else.
import { expect, it } from 'vitest';
import { closed } from '../../vite.closed.ts';

/** The text of one chunk of these modules, by their ids; those of `theirs` are called by others. */
function built(modules, theirs = []) {
  const plugin = closed(id => !theirs.includes(id));
  const chunk = { modules: Object.fromEntries(Object.entries(modules).map(([id, code]) => [id, { code }])) };
  const code = Object.values(modules).join('\n');
  plugin.renderStart();
  return plugin.renderChunk(code, chunk, {}, { chunks: { 'a.js': chunk } })?.code ?? code;
}

it('is without methods that nobody names, and without what only those name', () => {
  const text = built({
    a: 'class A { used() { return 1; } unused() { return this.helper(); } helper() { return this.helper(); } get lost() { return 2; } static made() {} }',
    b: 'console.log(new A().used());',
  });
  expect(text.replace(/\s+/g, ' ')).toBe('class A { used() { return 1; } } console.log(new A().used());');
});

it('is without methods of one name that only call each other', () => {
  const text = built({
    a: 'class A { cast() {} }\nclass B extends A { cast() { super.cast(); } }\nclass C extends A { cast() { super.cast(); } }\nuse(B, C);',
  });
  expect(text).not.toContain('cast');
});

it('is without functions that a maker of objects gives them and nobody calls', () => {
  const text = built({ a: 'function Maker() { this.kept = function () {}; this.gone = () => 1; this.value = 3; }\nnew Maker().kept();' });
  expect(text).toContain('this.kept = function');
  expect(text).not.toContain('gone');
  expect(text).toContain('this.value = 3');
});

it('keeps what is named as text, as a key, in a pattern, by a template, or by the language and the browser', () => {
  const source =
    'class A { text() {} key() {} taken() {} plain() {} toJSON() {} connectedCallback() {} constructor() {} #own() {} [Symbol.iterator]() {} }';
  const uses = "call('text'); const made = { key: 1 }; const { taken } = made; call(`plain`);";
  expect(built({ a: source, b: uses })).toContain(source);
});

it('keeps the classes of others, and what they say counts', () => {
  const theirs = 'class Open { api() { return this.inner.work(); } }';
  const text = built({ theirs, ours: 'class Inner { work() {} idle() {} }' }, ['theirs']);
  expect(text).toContain(theirs);
  expect(text).toContain('work() {}');
  expect(text).not.toContain('idle');
});

it('says where a module is not in its chunk as it was rendered', () => {
  const plugin = closed(() => true);
  const chunk = { modules: { a: { code: 'class A { unused() {} }' } } };
  plugin.renderStart();
  expect(() => plugin.renderChunk('something else', chunk, {}, { chunks: { 'a.js': chunk } })).toThrow('a is not in its chunk');
});
