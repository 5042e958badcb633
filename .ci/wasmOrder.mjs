// The functions of a WebAssembly module in an order that gzip likes: 2 % fewer bytes for visitors. Those that are called most come first, as their
// numbers are one byte long then; each of the others follows what it is most like. No tool of Emscripten's does that.
import {
  CODE,
  Cursor,
  ELEMENTS,
  EXPORTS,
  FUNCTION,
  FUNCTIONS,
  IMPORTS,
  START,
  encoded,
  framed,
  joined,
  listOf,
  moduleOf,
  readElements,
  readExport,
  readImport,
  sectionsOf,
  splitAtCalls,
  writeElements,
  writeExport,
} from './wasmModule.mjs';

/** How many numbers of functions are one byte long. */
const SHORT = 128;
/** Bytes that count as alike where so many in a row are the same. */
const RUN = 6;
/** How far back gzip looks for them, less the function itself. */
const WINDOW = 28_000;
/** So that the smallest functions, which are like everything, do not come first. */
const SMALL = 20;

/** The numbers of all bodies: `first`, then always the one that has the largest share of its runs in the window before it. */
export function byLikeness(bodies, first) {
  const numbers = new Map(); // of runs
  const owners = []; // of a run
  const runs = bodies.map((body, i) => {
    const own = new Set();
    for (let at = 0; at + RUN <= body.length; at++) {
      const run = body.readUIntLE(at, RUN);
      if (!numbers.has(run)) numbers.set(run, owners.push([]) - 1);
      own.add(numbers.get(run));
    }
    for (const run of own) owners[run].push(i);
    return [...own];
  });
  const times = owners.map(() => 0); // that a run is in the window
  const shared = bodies.map(() => 0); // how many runs of a body are in it
  const count = (i, by) => {
    for (const run of runs[i]) {
      const before = times[run];
      times[run] += by;
      if (before === 0 || times[run] === 0) for (const owner of owners[run]) shared[owner] += by;
    }
  };
  const order = [];
  const rest = new Set(bodies.keys());
  let begin = 0;
  let size = 0;
  const take = i => {
    order.push(i);
    rest.delete(i);
    count(i, 1);
    size += bodies[i].length;
    for (; size > WINDOW && order[begin] !== i; begin++) {
      size -= bodies[order[begin]].length;
      count(order[begin], -1);
    }
  };
  first.forEach(take);
  const likeness = i => shared[i] / (runs[i].length + SMALL);
  while (rest.size > 0) take([...rest].reduce((best, i) => (likeness(i) > likeness(best) ? i : best)));
  return order;
}

/** The numbers of all bodies, of which the first has the number `first` as a function. `split`: bodies that name them, as `splitAtCalls` has them. */
export function inGoodOrder(bodies, first, split) {
  const calls = bodies.map(() => 0);
  for (const part of split.flat()) if (typeof part === 'number' && part >= first && part - first < calls.length) calls[part - first]++;
  const byCalls = [...bodies.keys()].sort((a, b) => calls[b] - calls[a] || a - b);
  return byLikeness(bodies, byCalls.slice(0, Math.max(0, SHORT - first)));
}

/** A module that does the same, its functions in that order. Debugging names would be wrong: it must have none. */
export function orderFunctions(module) {
  const sections = sectionsOf(module);
  const listIn = (id, read) => {
    const found = sections.find(section => section.id === id);
    return found ? new Cursor(found.bytes).list(read) : [];
  };
  const imported = listIn(IMPORTS, readImport).filter(kind => kind === FUNCTION).length;
  const types = listIn(FUNCTIONS, cursor => cursor.number());
  const bodies = listIn(CODE, cursor => cursor.piece());
  const split = bodies.map(splitAtCalls);

  const order = inGoodOrder(bodies, imported, split);
  const numbers = [];
  order.forEach((old, now) => (numbers[old] = imported + now));
  const renumber = index => (index < imported ? index : numbers[index - imported]);
  /** Sections that name functions, with new numbers. */
  const rewrites = {
    [FUNCTIONS]: () => listOf(order.map(old => encoded(types[old]))),
    [EXPORTS]: cursor =>
      listOf(cursor.list(readExport).map(each => writeExport(each.kind === FUNCTION ? { ...each, index: renumber(each.index) } : each))),
    [START]: cursor => encoded(renumber(cursor.number())),
    [ELEMENTS]: cursor =>
      listOf(cursor.list(readElements).map(({ at, functions }) => writeElements({ at, functions: functions.map(renumber) }))),
    [CODE]: () => listOf(order.map(old => framed(joined(split[old], renumber)))),
  };
  return moduleOf(sections.map(({ id, bytes }) => ({ id, bytes: rewrites[id]?.(new Cursor(bytes)) ?? bytes })));
}
