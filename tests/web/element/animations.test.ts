// The default animation of <rigcast-viewer>, from the file of the model or from companion files.
import { afterEach, describe, expect, test } from 'vitest';
import { AnimationList } from '../../../web/src/element/animations.ts';
import { RigcastLoader } from '../../../web/src/three/loader.ts';
import type { Rig } from '../../../web/src/three/rig.ts';
import { makePsa } from '../../support/actorx.ts';
import { BODY, makePart, makeWalk } from '../../support/characterParts.ts';

const made: Rig[] = [];
afterEach(() => made.splice(0).forEach(rig => rig.dispose()));

async function rigOf(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<Rig> {
  const rig = await new RigcastLoader().parseAsync(bytes.buffer, '', name);
  made.push(rig);
  return rig;
}
const body = (name = 'Hero.psk'): Promise<Rig> => rigOf(makePart({ covers: BODY }), name);
const set = (name: string, sequences: readonly string[], frames = 31): Promise<Rig> => rigOf(makeWalk({ sequences, frames }), name);

/** Returns the name of the default animation. */
async function preferred(model: Rig, ...sets: Promise<Rig>[]): Promise<string> {
  const list = new AnimationList(model, await Promise.all(sets));
  return (
    list
      .preferred()
      .map(row => list.list[row]!.name)
      .join() || 'the rest pose'
  );
}

describe('the animation that starts by default', () => {
  test('is the idle animation, even if others come first', async () => {
    expect(await preferred(await body(), set('Hero.psa', ['appear', 'Walk', 'Idle']))).toBe('Idle');
    expect(await preferred(await body(), set('Hero.psa', ['appear', 'Walk']))).toBe('Walk');
  });

  test('comes from the file with the name of the model, in any order of files', async () => {
    const sets = [set('Villain.psa', ['Idle']), set('Hero.psa', ['Dance'])];
    expect(await preferred(await body(), ...sets)).toBe('Dance');
  });

  test('is not made for another skeleton and not shorter than half a second', async () => {
    const other = rigOf(makePsa({ bones: ['Lid', 'Box'], sequences: ['Idle'], frames: 31 }), 'Hero.psa');
    expect(await preferred(await body(), other)).toBe('the rest pose');
    expect(await preferred(await body(), set('Hero.psa', ['Idle'], 14))).toBe('the rest pose');
    expect(await preferred(await body(), set('Hero.psa', ['Idle'], 17))).toBe('Idle');
  });

  test('may be shorter if the model has no mesh', async () => {
    expect(await preferred(await set('Hero.psa', ['Idle'], 14))).toBe('Idle');
  });
});
