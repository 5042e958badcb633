// The hand-written declaration of the glue against what Emscripten built: names and numbers of arguments.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { instantiate } from '../../../web/src/core/glue.ts';
import { compileWasm } from '../../../web/src/core/wasm.ts';

const text = readFileSync(new URL('../../../web/src/core/wasm/rigcast.d.mts', import.meta.url), 'utf8');
/** What embind gives every class. */
const inherited = ['isAliasOf', 'clone', 'delete', 'isDeleted', 'deleteLater', 'constructor'];

/** Methods of a declared interface with their number of arguments. */
function declared(name: string): Map<string, number> {
  const body = new RegExp(`interface ${name} \\{([^}]*)\\}`).exec(text)![1]!;
  const methods = [...body.matchAll(/^ {2}(\w+)\(([^)]*)\):/gm)];
  return new Map(methods.map(([, method, args]) => [method!, args!.trim() === '' ? 0 : args!.split(',').length]));
}

/** Embind tells how many arguments a function wants when it is given too many. */
function arity(call: (...args: unknown[]) => unknown): number {
  try {
    call(...Array.from({ length: 20 }, () => 0));
  } catch (error) {
    return Number(/expected (\d+)/.exec(String((error as Error).message))?.[1] ?? /\((\d+)\) parameters instead/.exec((error as Error).message)?.[1]);
  }
  throw new Error('took 20 arguments');
}

test('the session has the declared methods, no more and no less', async () => {
  const glue = await instantiate(await compileWasm());
  const session = new glue.Session(8, 0) as unknown as Record<string, (...args: unknown[]) => unknown>;
  const methods = Object.getOwnPropertyNames(glue.Session.prototype).filter(name => !inherited.includes(name));
  const built = new Map(methods.map(name => [name, arity((...args) => session[name]!(...args))]));
  const wanted = declared('Session');
  wanted.delete('delete');
  expect(Object.fromEntries(built)).toEqual(Object.fromEntries(wanted));
  expect(() => new (glue.Session as unknown as new (...args: number[]) => unknown)(1)).toThrow(/2/);
});

test('so has the module', async () => {
  const glue = (await instantiate(await compileWasm())) as unknown as Record<string, (...args: unknown[]) => unknown>;
  const wanted = declared('RigcastGlue');
  expect([...wanted.keys()].sort()).toEqual(['formats', 'heapSpent']);
  for (const [name, count] of wanted) expect([name, arity(glue[name]!)]).toEqual([name, count]);
  const runtime = /^(_|HEAP|dynCall|preloaded|ready$|run$|calledRun$|asm$|print|printErr|instantiateWasm|\w*Error$|\w+Instance\w*$|flushPendingDeletes$|setDelayFunction$|count_emval_handles$|get_first_emval$)/;
  const functions = Object.keys(glue).filter(name => typeof glue[name] === 'function' && !runtime.test(name));
  expect(functions.sort()).toEqual(['Session', ...[...wanted.keys()].sort()].sort());
});
