// Tests all cases of how dropped files are combined with the open files.
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

/**
 * Plans a drop. `roles`: paths of the dropped files by role. Returns the plan with paths instead of
 * files.
 */
function planned(roles: Partial<Record<keyof FilesByRole, string[]>>, session: Session): Record<string, unknown> {
  const sorted = Object.fromEntries(
    (['models', 'animations', 'rigs', 'scenes', 'companions', 'unknown'] as const).map(role => [role, (roles[role] ?? []).map(inputFile)]),
  );
  const made: Plan = plan(session, sorted as unknown as FilesByRole);
  const path = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(path) : typeof value === 'object' ? (value as InputFile).path : value;
  return Object.fromEntries(Object.entries(made).map(([key, value]) => [key, path(value)]));
}

describe('without an open model', () => {
  test('opens a model with its animations and textures', () => {
    expect(planned({ models: ['a.psk'], animations: ['run.psa'], companions: ['a.png'], unknown: ['x.xyz'] }, empty)).toEqual({
      kind: 'open',
      candidates: ['a.psk'],
      scenes: [],
      animations: ['run.psa'],
      companions: ['a.png', 'x.xyz'],
    });
  });

  test('offers several models and scenes as candidates', () => {
    expect(planned({ models: ['a.psk'], rigs: ['b.cast'], scenes: ['w.cast'] }, empty)).toMatchObject({
      kind: 'open',
      candidates: ['a.psk', 'b.cast', 'w.cast'],
      scenes: ['w.cast'],
    });
  });

  test('joins animations without a model', () => {
    expect(planned({ animations: ['run.psa', 'walk.cast'] }, empty)).toEqual({
      kind: 'join',
      animations: ['run.psa', 'walk.cast'],
      companions: [],
    });
  });

  test('refuses textures alone but keeps them, and refuses an empty drop', () => {
    expect(planned({ companions: ['a.png'] }, empty)).toEqual({ kind: 'refuse', companions: ['a.png'] });
    expect(planned({}, empty)).toEqual({ kind: 'refuse', companions: [] });
  });

  test('opens a file with an unknown extension if there is no other candidate', () => {
    expect(planned({ unknown: ['hero.dat', 'b.dat'] }, empty)).toMatchObject({ kind: 'open', candidates: ['hero.dat'] });
    expect(planned({ unknown: ['hero.dat'], animations: ['run.psa'] }, empty)).toMatchObject({ kind: 'join' });
  });
});

describe('with an open model', () => {
  test('opens the missing files of a demo instead of adding them to it', () => {
    expect(planned({ models: ['b.cast'] }, { ...stands('b.cast'), demo: 'pip' })).toMatchObject({ kind: 'open', candidates: ['b.cast'] });
    expect(planned({ companions: ['a.png'] }, { ...stands(), demo: 'pip' })).toMatchObject({ kind: 'refuse' });
  });

  test('adds animations and companions, and replaces the model by another one', () => {
    expect(planned({ animations: ['run.cast'], companions: ['run.config'] }, shown)).toEqual({
      kind: 'join',
      animations: ['run.cast'],
      companions: ['run.config'],
    });
    expect(planned({ companions: ['a.png'] }, shown)).toEqual({ kind: 'join', animations: [], companions: ['a.png'] });
    expect(planned({ models: ['b.psk'] }, shown)).toMatchObject({ kind: 'open', candidates: ['b.psk'] });
  });

  test('adds missing files of the shown scene, case-insensitive, but opens another scene', () => {
    const world = stands('Tree.cast');
    expect(planned({ rigs: ['props/TREE.cast'], companions: ['leaf.png'] }, world)).toEqual({
      kind: 'join',
      animations: [],
      companions: ['leaf.png', 'props/TREE.cast'],
    });
    expect(planned({ rigs: ['tree.cast'], scenes: ['other.cast'] }, world)).toMatchObject({ kind: 'open', scenes: ['other.cast'] });
  });
});

describe('with a pending file', () => {
  const resource = waits({ kind: 'resource', name: 'data\\hero.bin', required: true });
  const key = waits({ kind: 'key', name: 'hero.vgk', required: true });

  test('resumes with the needed file, whatever else is dropped', () => {
    expect(planned({ unknown: ['Hero.bin'], companions: ['a.png'], animations: ['run.psa'] }, resource)).toEqual({
      kind: 'resume',
      needed: 'Hero.bin',
      companions: ['a.png', 'Hero.bin'],
      animations: ['run.psa'],
    });
    expect(planned({ companions: ['other.vgk'] }, key)).toMatchObject({ kind: 'resume', needed: 'other.vgk' });
  });

  test('does not resume with another file, or if a model is dropped', () => {
    expect(planned({ companions: ['a.png'] }, resource)).toEqual({ kind: 'refuse', companions: ['a.png'] });
    expect(planned({ unknown: ['hero.bin'], models: ['b.psk'] }, resource)).toMatchObject({ kind: 'open', candidates: ['b.psk'] });
  });
});
