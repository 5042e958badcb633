// How a drop is combined with the open files: every case.
import { describe, expect, test } from 'vitest';
import type { InputFile } from '../../../web/src/session/inputFile.ts';
import { type Plan, plan } from '../../../web/src/session/plan.ts';
import type { FilesByRole } from '../../../web/src/session/role.ts';
import { emptySession, type Session } from '../../../web/src/session/session.ts';
import { CompanionFiles } from '../../../web/src/session/companionFiles.ts';
import type { ShownModel } from '../../../web/src/session/openedFile.ts';
import type { Need } from '../../../web/src/core/types.ts';

const inputFile = (path: string): InputFile => ({ path, file: new File([], path.split('/').at(-1)!) });
const empty: Session = emptySession;
const stands = (...missingFiles: string[]): Session => ({ ...empty, shown: { missingFiles } as unknown as ShownModel });
const shown = stands();
const waits = (need: Need): Session => ({
  ...empty,
  pending: {
    input: inputFile('hero.vgo'),
    need,
    companionFiles: new CompanionFiles(),
    animations: [],
    animationFiles: [],
    notices: [],
    library: [],
  },
});

/** Paths by role, planned; files as paths again. */
function planned(roles: Partial<Record<keyof FilesByRole, string[]>>, session: Session): Record<string, unknown> {
  const sorted = Object.fromEntries(
    (['models', 'animations', 'rigs', 'scenes', 'companions', 'unknown'] as const).map(role => [role, (roles[role] ?? []).map(inputFile)]),
  );
  const made: Plan = plan(session, sorted as unknown as FilesByRole);
  const path = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(path) : typeof value === 'object' ? (value as InputFile).path : value;
  return Object.fromEntries(Object.entries(made).map(([key, value]) => [key, path(value)]));
}

describe('on an empty stage', () => {
  test('a model, its motions and textures open together', () => {
    expect(planned({ models: ['a.psk'], animations: ['run.psa'], companions: ['a.png'], unknown: ['x.xyz'] }, empty)).toEqual({
      kind: 'open',
      candidates: ['a.psk'],
      scenes: [],
      animations: ['run.psa'],
      companions: ['a.png', 'x.xyz'],
    });
  });

  test('several models are candidates, a world beside what it places as well', () => {
    expect(planned({ models: ['a.psk'], rigs: ['b.cast'], scenes: ['w.cast'] }, empty)).toMatchObject({
      kind: 'open',
      candidates: ['a.psk', 'b.cast', 'w.cast'],
      scenes: ['w.cast'],
    });
  });

  test('motions alone are read, whatever they are called: one may bring a skeleton, else they wait for a model', () => {
    expect(planned({ animations: ['run.psa', 'walk.cast'] }, empty)).toEqual({
      kind: 'join',
      animations: ['run.psa', 'walk.cast'],
      companions: [],
    });
  });

  test('textures alone show nothing and are kept; nothing is nothing', () => {
    expect(planned({ companions: ['a.png'] }, empty)).toEqual({ kind: 'refuse', companions: ['a.png'] });
    expect(planned({}, empty)).toEqual({ kind: 'refuse', companions: [] });
  });

  test('a file with a strange name is looked at, if there is no better one', () => {
    expect(planned({ unknown: ['hero.dat', 'b.dat'] }, empty)).toMatchObject({ kind: 'open', candidates: ['hero.dat'] });
    expect(planned({ unknown: ['hero.dat'], animations: ['run.psa'] }, empty)).toMatchObject({ kind: 'join' });
  });
});

describe('beside a model', () => {
  test('files that a demo places do not complete it: they open for themselves', () => {
    expect(planned({ models: ['b.cast'] }, { ...stands('b.cast'), demo: 'pip' })).toMatchObject({ kind: 'open', candidates: ['b.cast'] });
    expect(planned({ companions: ['a.png'] }, { ...stands(), demo: 'pip' })).toMatchObject({ kind: 'refuse' });
  });

  test('motions and companions join it, another model takes its place', () => {
    expect(planned({ animations: ['run.cast'], companions: ['run.config'] }, shown)).toEqual({
      kind: 'join',
      animations: ['run.cast'],
      companions: ['run.config'],
    });
    expect(planned({ companions: ['a.png'] }, shown)).toEqual({ kind: 'join', animations: [], companions: ['a.png'] });
    expect(planned({ models: ['b.psk'] }, shown)).toMatchObject({ kind: 'open', candidates: ['b.psk'] });
  });

  test('what a world has missed fills it in, whatever its case; a new world does not', () => {
    const world = stands('Tree.cast');
    expect(planned({ rigs: ['props/TREE.cast'], companions: ['leaf.png'] }, world)).toEqual({
      kind: 'join',
      animations: [],
      companions: ['leaf.png', 'props/TREE.cast'],
    });
    expect(planned({ rigs: ['tree.cast'], scenes: ['other.cast'] }, world)).toMatchObject({ kind: 'open', scenes: ['other.cast'] });
  });
});

describe('while a file waits for another', () => {
  const resource = waits({ kind: 'resource', name: 'data\\hero.bin', required: true });
  const key = waits({ kind: 'key', name: 'hero.vgk', required: true });

  test('that one is the answer, whatever else lies beside it', () => {
    expect(planned({ unknown: ['Hero.bin'], companions: ['a.png'], animations: ['run.psa'] }, resource)).toEqual({
      kind: 'resume',
      needed: 'Hero.bin',
      companions: ['a.png', 'Hero.bin'],
      animations: ['run.psa'],
    });
    expect(planned({ companions: ['other.vgk'] }, key)).toMatchObject({ kind: 'resume', needed: 'other.vgk' });
  });

  test('another file is not, and a model goes first', () => {
    expect(planned({ companions: ['a.png'] }, resource)).toEqual({ kind: 'refuse', companions: ['a.png'] });
    expect(planned({ unknown: ['hero.bin'], models: ['b.psk'] }, resource)).toMatchObject({ kind: 'open', candidates: ['b.psk'] });
  });
});
