// What is open, from drop to drop, with real files: what starts, what is kept, what is said, and that nothing changes behind anybody's back.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { adviceFor, keyOf } from '../../../web/src/player/advice.ts';
import type { GivenFile } from '../../../web/src/player/given.ts';
import { disposeModel, type Model } from '../../../web/src/player/model.ts';
import { type Opening, openGiven, type Step } from '../../../web/src/player/opening.ts';
import { Refusal } from '../../../web/src/player/problem.ts';
import { type Action, emptySession, reduce, rowsOf, type Session, suitIn, titleOf } from '../../../web/src/player/session.ts';
import { makePsa, makePsk } from '../../support/actorx.ts';

const given = (name: string, bytes: Uint8Array | string): GivenFile => ({
  path: name,
  file: new File([bytes as Uint8Array<ArrayBuffer>], name.split('/').at(-1)!),
});
const demo = (name: string): GivenFile =>
  given(name, new Uint8Array(readFileSync(new URL(`../../../web/src/viewer/demo/${name}`, import.meta.url))));

const body = ['Root', 'Spine', 'Head', 'Arm L', 'Arm R', 'Leg L', 'Leg R', 'Tail'];
const model = (name: string, bones: readonly string[] = body): GivenFile => given(name, makePsk({ bones }));
const motion = (name: string, sequences: readonly string[], bones: readonly string[] = body, frames = 31): GivenFile =>
  given(name, makePsa({ bones, sequences, frames }));

/** A page without a page: what it has open, drop after drop. */
class Desk {
  session: Session = emptySession;
  actor: Model | null = null;
  steps: Step[] = [];

  #opening(choice: number): Opening {
    return {
      signal: new AbortController().signal,
      onProgress: () => {},
      onPlaced: () => {},
      draws: () => false,
      strandWidth: 0,
      onStep: step => void this.steps.push(step),
      choose: candidates => Promise.resolve(candidates[choice] ?? null),
    };
  }

  async drop(files: readonly GivenFile[], choice = 0): Promise<this> {
    try {
      const opened = await openGiven(this.session, this.actor, files, [], this.#opening(choice));
      if (!opened) return this;
      if (this.actor && this.actor !== opened.model) disposeModel(this.actor);
      this.session = opened.session;
      this.actor = opened.model;
    } catch (error) {
      if (error instanceof Refusal && error.action) this.do(error.action);
      throw error;
    }
    return this;
  }

  do(action: Action): this {
    this.session = reduce(this.session, action);
    return this;
  }

  get list(): string[] {
    return rowsOf(this.session).map(titleOf);
  }

  get playing(): string {
    const row = rowsOf(this.session)[this.session.selected];
    return row ? titleOf(row) : 'the rest pose';
  }

  get advice(): string[] {
    return adviceFor(this.session, null, false).map(({ code }) => code);
  }
}

describe('a drop', () => {
  test('of a model and motions starts its own, and lists the others after it', async () => {
    const desk = await new Desk().drop([motion('aBarrel.psa', ['Roll'], ['Root', 'Lid']), motion('pig.psa', ['Walk']), model('pig.psk')]);
    expect([desk.list, desk.playing]).toEqual([['Walk', 'Roll'], 'Walk']);
    expect(rowsOf(desk.session).map(row => suitIn(desk.session, row.source)?.fits)).toEqual([true, false]);
  });

  test('of motions waits for the model, and the model finds them', async () => {
    const desk = await new Desk().drop([motion('pig.psa', ['Walk'])]);
    expect([desk.session.shown, desk.advice]).toEqual([null, ['motions-only']]);
    await desk.drop([model('pig.psk')]);
    expect([desk.session.shown?.given.path, desk.playing]).toEqual(['pig.psk', 'Walk']);
  });

  test('of a foreign motion keeps what plays, and says whose it is not', async () => {
    const desk = await new Desk().drop([model('pig.psk'), motion('pig.psa', ['Walk'])]);
    await desk.drop([motion('bird.psa', ['Fly'], [...body, ...Array.from({ length: 24 }, (_, i) => `Feather ${i}`)])]);
    expect([desk.playing, desk.list]).toEqual(['Walk', ['Walk', 'Fly']]);
    expect(adviceFor(desk.session, null, false)).toContainEqual({ code: 'another-skeleton', name: 'bird.psa', found: 8, names: 32 });
  });

  test('of the same file again replaces its motions instead of listing them twice', async () => {
    const desk = await new Desk().drop([model('pig.psk'), motion('pig.psa', ['Walk'])]);
    await desk.drop([motion('pig.psa', ['Walk', 'Run'])]);
    expect(desk.list).toEqual(['Walk', 'Run']);
  });

  test('of another model takes the stage, and leaves the motions of the first', async () => {
    const desk = await new Desk().drop([model('pig.psk'), motion('pig.psa', ['Walk'])]);
    await desk.drop([model('cow.psk')]);
    expect([desk.session.shown?.given.path, desk.list]).toEqual(['cow.psk', []]);
  });

  test('of textures for the model builds it anew with them', async () => {
    const desk = await new Desk().drop([demo('Pip.psk'), demo('Pip.psa')]);
    const first = desk.actor;
    expect(desk.advice).toEqual(['missing-textures']);
    desk.do({ type: 'select', row: 1 });
    await desk.drop([demo('Pip_D.png')]);
    expect([desk.actor === first, desk.playing]).toEqual([false, 'Hop']);
    expect(desk.session.shown!.file).toBe(desk.actor!.file);
  });

  test('of half a file names the damage first', async () => {
    const whole = demo('Pip.psk');
    const half = new File([await whole.file.slice(0, 90_000).arrayBuffer()], 'Pip.psk');
    const desk = await new Desk().drop([{ path: 'Pip.psk', file: half }]);
    expect(desk.advice[0]).toBe('damage');
  });

  test('of unreadable motions among others notes them', async () => {
    const desk = await new Desk().drop([model('pig.psk'), motion('pig.psa', ['Walk']), given('bad.psa', 'once upon a time')]);
    expect(desk.session.notes).toEqual([{ code: 'unread-motions', names: ['bad.psa'] }]);
    expect(desk.steps).toContainEqual({ code: 'opening-motions', at: 1, of: 2 });
  });

  test('that cannot be shown is refused with a code, and leaves everything as it was', async () => {
    const desk = await new Desk().drop([model('pig.psk')]);
    const before = desk.session.shown;
    await expect(desk.drop([given('broken.psk', 'once upon a time')])).rejects.toMatchObject({
      problem: { code: 'unknown', name: 'broken.psk' },
    });
    await expect(new Desk().drop([])).rejects.toMatchObject({ problem: { code: 'nothing-given' } });
    expect(desk.session.shown).toBe(before);
  });

  test('of companions alone is refused, and they wait for their model', async () => {
    const desk = new Desk();
    await expect(desk.drop([demo('Pip_D.png')])).rejects.toMatchObject({ problem: { code: 'only-companions', names: ['Pip_D.png'] } });
    await desk.drop([demo('Pip.psk')]);
    expect(desk.session.shown!.missing).toEqual([]);
  });
});

describe('the session', () => {
  test('is a value: every action makes another one, and the one before says what it said', async () => {
    const desk = await new Desk().drop([model('pig.psk'), motion('pig.psa', ['Walk', 'Run'])]);
    const frozen = Object.freeze(desk.session);
    const before = structuredClone({ selected: frozen.selected, look: frozen.look, reading: frozen.reading });
    const actions: Action[] = [
      { type: 'select', row: 1 },
      { type: 'select', row: 99 },
      { type: 'read', reading: 'additive' },
      { type: 'lock-root', isLocked: true },
      { type: 'look', look: { bones: true } },
      { type: 'dismiss', advice: 'x' },
      { type: 'shelve', shelf: frozen.shelf.with([given('a.png', '')]) },
      { type: 'close' },
    ];
    const made = actions.map(action => reduce(frozen, action));
    expect(made.map(({ selected }) => selected).slice(0, 2)).toEqual([1, -1]);
    expect(made.at(-1)).toEqual(emptySession);
    expect({ selected: frozen.selected, look: frozen.look, reading: frozen.reading }).toEqual(before);
    expect([frozen.shelf.size, made[6]!.shelf.size]).toEqual([0, 1]);
  });

  test('keeps how it is looked at when it is closed', () => {
    const looked = reduce(emptySession, { type: 'look', look: { wire: true } });
    expect(reduce(looked, { type: 'close' }).look).toEqual({ ...emptySession.look, wire: true });
  });

  test('dismissed advice stays dismissed while motions change, and comes back with another model', async () => {
    const desk = await new Desk().drop([demo('Pip.psk'), demo('Pip.psa')]);
    const [advice] = adviceFor(desk.session, null, false);
    desk.do({ type: 'dismiss', advice: keyOf(advice!) }).do({ type: 'select', row: 1 });
    expect(desk.session.dismissed).toEqual(new Set([keyOf(advice!)]));
    await desk.drop([demo('Pip.psk')]);
    expect(desk.session.dismissed.size).toBe(0);
  });
});
