// The hand-written declarations against what Emscripten built: the functions with the types of
// their arguments and results, and the objects that come out, member by member.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { instantiate } from '../../../web/src/core/glue.ts';
import { open } from '../../../web/src/core/open.ts';
import { compileWasm } from '../../../web/src/core/wasm.ts';
import type { RigcastGlue } from '../../../web/src/core/wasm/rigcast.mjs';
import { makePsk } from '../../support/actorx.ts';

const text = readFileSync(new URL('../../../web/src/core/wasm/rigcast.d.mts', import.meta.url), 'utf8');
type Call = (...args: unknown[]) => unknown;
type Signature = { args: string[]; result: string };

let glue: RigcastGlue;
beforeAll(async () => {
  const whole = new URL('../../../web/src/core/wasm/rigcast.wasm', import.meta.url);
  glue = await instantiate(await compileWasm(whole));
});

const typesOf = (args: string): string[] => [...args.matchAll(/\w+: (\w+)/g)].map(([, type]) => type!);

/** Methods of a declared interface with their types. */
function declared(name: string): Record<string, Signature> {
  const body = new RegExp(`interface ${name} \\{([^}]*)\\}`).exec(text)![1]!;
  const methods = [...body.matchAll(/^ {2}(\w+)\(([^)]*)\): (\w+);/gm)];
  return Object.fromEntries(methods.map(([, method, args, result]) => [method!, { args: typesOf(args!), result: result! }]));
}

/** Embind reports the number of arguments of a function when it is called with too many. */
function arity(call: Call): number {
  try {
    call(...Array.from({ length: 20 }, () => 0));
  } catch (error) {
    return Number(
      /expected \(?(\d+)/.exec(String((error as Error).message))?.[1] ?? /\((\d+)\) parameters instead/.exec((error as Error).message)?.[1],
    );
  }
  throw new Error('took 20 arguments');
}

/**
 * Determines the types of a function's arguments by experiments: embind converts anything except a
 * symbol to a number, only strings to text, and anything to a boolean. Tries all combinations,
 * because it reports only one wrong argument.
 */
function argumentTypes(make: () => Call, count: number): string[] {
  const kinds = ['', 0, Symbol('any')];
  const taken = Array.from({ length: count }, () => new Set<string>());
  for (let combination = 0; combination < 3 ** count; combination++) {
    const values = taken.map((_, i) => kinds[Math.floor(combination / 3 ** i) % 3]);
    try {
      make()(...values);
    } catch {
      continue;
    }
    for (const [i, value] of values.entries()) taken[i]!.add(typeof value);
  }
  return taken.map(types => (types.has('symbol') ? 'boolean' : types.has('number') ? 'number' : [...types].join()));
}

function resultType(result: unknown): string {
  if (result === undefined) return 'void';
  return typeof result === 'object' ? result!.constructor.name : typeof result;
}

/**
 * Returns the declared functions of an instance that has read `file`, so that every function may be
 * called.
 */
function functions(file: Uint8Array): Record<string, Call> {
  glue.start(0, 0);
  const address = glue.input(file.length); // the heap may have grown
  glue.HEAPU8.set(file, address);
  glue.readScene('a.psk', '', '', false, false);
  return glue as unknown as Record<string, Call>;
}

test('the instance has the declared functions with the declared types', () => {
  const file = makePsk();
  const wanted = declared('RigcastGlue');
  const runtime =
    /^(_|HEAP|dynCall|preloaded|ready$|run$|calledRun$|asm$|print|printErr|instantiateWasm|\w*Error$|\w+Instance\w*$|flushPendingDeletes$|setDelayFunction$|count_emval_handles$|get_first_emval$)/;
  const module = glue as unknown as Record<string, Call>;
  const names = Object.keys(module).filter(name => typeof module[name] === 'function' && !runtime.test(name));
  expect(names.sort()).toEqual(Object.keys(wanted).sort());
  for (const [name, signature] of Object.entries(wanted)) {
    const make = (): Call => functions(file)[name]!;
    const args = argumentTypes(make, arity(make()));
    expect({ name, args }).toEqual({ name, args: signature.args });
    expect({ name, result: resultType(make()(...args.map(type => (type === 'string' ? '' : 0)))) }).toEqual({
      name,
      result: signature.result,
    });
  }
});

/**
 * Prints a result as TypeScript. Number arrays and class instances are abbreviated to their types.
 */
function literal(value: unknown): string {
  if (ArrayBuffer.isView(value)) return `new ${value.constructor.name}()`;
  if (value instanceof Map) return 'new Map()';
  if (Array.isArray(value)) return `[${value.map(literal).join()}]`;
  if (typeof value === 'function' || (typeof value === 'object' && value && Object.getPrototypeOf(value) !== Object.prototype))
    return 'null!';
  if (typeof value !== 'object' || !value) return JSON.stringify(value) ?? 'undefined';
  return `{${Object.entries(value)
    .map(([name, member]) => `[${JSON.stringify(name)}]: ${literal(member)}`)
    .join()}}`;
}

test('returns results with the declared types', async () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const demos = ['Pip.psk', 'Pip.psa', 'Tock.cast', 'Isle.cast', 'Lotl.vgo'].map(name => join(root, 'web/src/viewer/demo', name));
  const others = ['mrtk/everyCurve.bin', 'cast/everything.cast', 'unreal/arm-truncated.psk'].map(name => join(root, 'tests/data', name));
  const lines = ["import type { OutlineResult, Report, RigScene } from '../../web/src/core/index.ts';"];
  for (const [i, file] of [...demos, ...others].entries()) {
    const { scene, report, outline } = await open(readFileSync(file), { name: basename(file), tangents: true });
    lines.push(`export const scene${i}: RigScene = ${literal(scene)};`);
    lines.push(`export const report${i}: Report = ${literal(report)};`);
    lines.push(`export const outline${i}: OutlineResult = ${literal(await outline())};`);
  }
  // A literal must have exactly the members of its type.
  const folder = join(root, 'build/glue-test');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'results.ts'), lines.join('\n'));
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: '../../tsconfig.json', include: ['results.ts'], compilerOptions: { noEmit: true } }),
  );
  const tsc = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], { encoding: 'utf8' });
  expect(tsc.stdout + tsc.stderr).toBe('');
  rmSync(folder, { recursive: true });
}, 60_000);
