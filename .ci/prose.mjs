// `npm run prose [-- PATH…]`: lists sentences that match one of seven hard-to-read patterns
// (habits), in comments, documents and texts of the user interface. A step of `npm run check`
// counts these sentences per directory group. A group passes if at most 1.5 % of its sentences
// match, or no more than prose.json allows. `npm run prose -- --write` lowers the limits in
// prose.json to the current counts. It never raises a limit.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { inRoot, run } from './lib.mjs';

/** Percentage of sentences that may match a pattern in any directory group. */
const target = 1.5;

const table = inRoot('.ci/prose.json');

/**
 * The patterns of hard-to-read sentences (habits), by name. To rewrite such a sentence, begin with
 * a noun or a verb, name the subject, and use "if" for conditions.
 */
const habits = {
  'clause as noun':
    /^(?:What|Who|Whoever|Whatever|Whose|Where|How (?:much|many)|Of|That|As|Than|So (?:that|much|many)|Such|(?:With|By|From|To|In) which|Whether)\b(?!ever you)/,
  'where for if': /\bwhere (?:there|it|they|that|this|nothing|none|one|some|somebody|nobody|all|the file (?:says|has|tells)|no)\b/i,
  'told, said': /\b(?:told|tells|(?:is|are|be) said|(?:said|say|says) of|unsaid)\b/i,
  'is no': /(?<!\bthere )\b(?:is|are|was|were|be) (?:no|none)\b(?! longer| (?:more|less) than| one's)/i,
  'stands, hangs, lies':
    /\b(?:stands?|stood|hangs?|hung|lies|(?:goes|comes) over|goes on|comes? of|made of it) (?:still|beside|on|in|there|over|behind|for|into|by|with|as|from|below|above|it|its|what|nothing)\b/i,
  'people as actors':
    /\b(?:somebody|nobody|anybody|everybody|whoever)\b|(?:(?:^|\b(?:for|to|by|of|from|with|and|or|but|than) |[,;:] )who (?:asks?|wants?|calls?|draws?|writes?|reads?|uses?|looks?|has|gives?|needs?|knows?|is|are)\b)/i,
  'no antecedent': /\b(?:anew|meanwhile|by now|that much|so many|as many as|little by little|likewise where)\b/i,
};

const habitsOf = sentence => Object.keys(habits).filter(name => habits[name].test(sentence));

/** Returns true for files whose string literals contain sentences for users. */
const isTableOfWords = file =>
  /words\/en\.ts$|codes\.def$|cli\/help\.ts$|convert\/\w+\/messages\.ts$|refusals\.ts$|manual\.ts$|\/problem\.ts$/.test(file);
const isPrinted = file => /docs\/(?:api|scene|findings)\.md$/.test(file);
const isReference = file => file.startsWith('docs/formats/');
const isProse = file =>
  /\.(?:ts|mts|mjs|js|cpp|hpp|def|md)$/.test(file) && !isPrinted(file) && !isReference(file) && !/(?:^|\/)vendor\/|words\/ja/.test(file);

/** Returns the directory group that a file belongs to, which is a row in prose.json. */
const roomOf = file => /^(?:web\/src\/\w+|wasm\/\w+|tests|docs|\.ci|web)(?=\/)/.exec(file)?.[0] ?? '.';

/** Yields the lines and table cells of a document, each as [line number, text]. Code is skipped. */
function* paragraphs(lines) {
  let isCode = false;
  for (const [i, line] of lines.entries()) {
    if (/^\s*```/.test(line)) isCode = !isCode;
    else if (isCode || /^\s*(?:<!--|#)/.test(line)) continue;
    else if (/^\s*\|/.test(line)) for (const cell of line.split('|').filter(each => /\w+ \w+ \w+/.test(each))) yield [i + 1, cell];
    else yield [i + 1, line.replace(/^\s*(?:[-*>]|\d+\.)\s+/, '')];
  }
}

/**
 * Yields the comments in a source file, each as [line number, text]. If `hasWords` is true, also
 * yields string literals.
 */
function* comments(lines, hasWords) {
  let text = '';
  let first = 0;
  for (const [i, line] of [...lines, ''].entries()) {
    const [, whole] = /^\s*(?:\/\*\*?|\*(?!\/)|\/\/\/?)\s?(.*?)(?:\*\/)?\s*$/.exec(line) ?? [];
    const [, trailing] = whole === undefined ? (/\s\/\/\/?<?\s(.+)$/.exec(line) ?? /\/\*\*\s(.+?)\s\*\//.exec(line) ?? []) : [];
    const part = whole ?? trailing;
    const isComment = part !== undefined && !/oxlint|prettier|@ts-|NOLINT|clang-format/.test(part);
    if (text !== '' && (!isComment || trailing !== undefined)) {
      yield [first, text];
      text = '';
    }
    if (isComment) {
      if (text === '') first = i + 1;
      text += ` ${part.replace(/^@\w+ /, '')}`;
    } else if (hasWords) {
      for (const [, , literal] of line.matchAll(/(['"`])((?:\\.|(?!\1).)*\w \w(?:\\.|(?!\1).)*)\1/g))
        yield [i + 1, literal.replace(/\$\{[^}]*\}/g, 'X')];
    }
    if (text !== '' && (trailing !== undefined || /\*\/\s*$/.test(line))) {
      yield [first, text];
      text = '';
    }
  }
}

/**
 * Returns the sentences of at least three words in a file: { line, sentence }. Code and link
 * targets are removed.
 */
export function sentencesOf(file, text) {
  const lines = text.split('\n');
  return Array.from(file.endsWith('.md') ? paragraphs(lines) : comments(lines, isTableOfWords(file)))
    .flatMap(([line, piece]) =>
      piece
        .trim()
        .split(/(?<=[.:;!?])\s+(?=[A-Z“"`(])/)
        .map(part => ({ line, part })),
    )
    .map(({ line, part }) => ({
      line,
      sentence: part
        .replace(/`[^`]*`/g, 'x')
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .trim(),
    }))
    .filter(({ sentence }) => sentence.split(/\s+/).length >= 3);
}

/**
 * Counts the sentences in each directory group, and how many of them match a pattern. `paths` are
 * path specifications for git; by default, all files are read.
 */
function measure(paths = []) {
  const rooms = new Map();
  const found = [];
  const { stdout } = run('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...paths]);
  for (const file of stdout.split('\n').filter(isProse)) {
    if (!existsSync(inRoot(file))) continue; // deleted, but the deletion is not committed
    const room = rooms.get(roomOf(file)) ?? { all: 0, count: 0 };
    rooms.set(roomOf(file), room);
    for (const { line, sentence } of sentencesOf(file, readFileSync(inRoot(file), 'utf8'))) {
      const names = habitsOf(sentence);
      room.all++;
      if (names.length === 0) continue;
      room.count++;
      found.push(`${file}:${line}: [${names.join('; ')}] ${sentence.slice(0, 160)}`);
    }
  }
  return { rooms, found };
}

const allowed = () => JSON.parse(readFileSync(table, 'utf8'));

/**
 * Returns the directory groups in which more sentences match a pattern than both `limits` and the
 * target percentage allow.
 */
export const worse = (rooms, limits) =>
  [...rooms].filter(([room, { all, count }]) => count > Math.max((all * target) / 100, limits[room] ?? 0));

/** Runs the check. Returns { code, output }, like a program. */
export function checkProse() {
  const over = worse(measure().rooms, allowed());
  const words = over.map(
    ([room, { count }]) => `${room}: ${count} sentences with a habit, ${allowed()[room] ?? 0} before: npm run prose -- ${room}`,
  );
  return { code: over.length > 0 ? 1 : 0, output: words.join('\n') };
}

/**
 * Returns `limits`, lowered to the counts in `rooms`. Directory groups within the target percentage
 * are omitted.
 */
export const lowered = (rooms, limits) =>
  Object.fromEntries(
    [...rooms]
      .filter(([, { all, count }]) => count > (all * target) / 100)
      .map(([room, { count }]) => [room, Math.min(count, limits[room] ?? Infinity)])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

export function main(args) {
  const { rooms, found } = measure(args.filter(arg => !arg.startsWith('--')));
  for (const line of found) console.log(line);
  for (const [room, { all, count }] of rooms)
    console.log(`${room.padEnd(24)} ${count} of ${all} sentences, ${((100 * count) / all || 0).toFixed(1)} %`);
  if (args.includes('--write')) writeFileSync(table, `${JSON.stringify(lowered(rooms, existsSync(table) ? allowed() : {}), null, 2)}\n`);
}
