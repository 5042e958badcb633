// Chooses the animation that starts by default, and the animation files that belong to a model.
import { describe, expect, test } from 'vitest';
import { firstClip, lengthOf, ownSet } from '../../../web/src/core/firstAnimation.ts';

const clip = (name: string, duration = 1, loop = true, start = 0) => ({ name, duration, loop, start });
const first = (...clips: ReturnType<typeof clip>[]): string => clips[firstClip(clips)]?.name ?? 'the rest pose';

describe('firstClip', () => {
  test.each([
    ['appear', 'Idle'],
    ['Walk', 'run', 'Stand'],
    ['A_Hero_Run', 'A_Hero_BreatheLoop'],
    ['death', 'idle_01'],
    ['Attack', 'Idle01'],
    ['Attack', 'CombatIDLE'],
    ['Attack', 'breathing.loop'],
    ['Root1UP', 'Run'],
    ['mouth_anim', 'walk_fwd'],
    ['Sidestep', 'HeroWalkForward'],
  ])('of %j …: the last of them, which is one to stand in, else to walk or run', (...names) => {
    expect(first(...names.map(name => clip(name, name === names[0] ? 9 : 1)))).toBe(names.at(-1));
  });

  test.each([['Idler'], ['understand'], ['sidewalk'], ['brunch'], ['Grunt']])(
    '%s only contains such a word, which is none of its own',
    name => {
      expect(first(clip('Long', 2), clip(name))).toBe('Long');
    },
  );

  test('prefers the idle clip with the fewest other words, then the first', () => {
    expect(first(clip('Idle_To_Walk'), clip('Idle_Combat'), clip('Idle02'), clip('Idle'))).toBe('Idle02');
    expect(first(clip('Walk_Back'), clip('Walk'), clip('Run'))).toBe('Walk');
  });

  test('prefers an idle or walk clip to an additive one', () => {
    expect(first(clip('Idle_Additive'), clip('Walk'))).toBe('Walk');
    expect(first(clip('Idle_Additive'), clip('Blink', 0.1))).toBe('Idle_Additive');
  });

  test('chooses the longest loop, otherwise the longest clip, without such a name', () => {
    expect(first(clip('Death', 9, false), clip('Dance', 2), clip('Wave', 3))).toBe('Wave');
    expect(first(clip('Death', 9, false), clip('Wave', 3, false))).toBe('Death');
  });

  test('never chooses a clip shorter than half a second', () => {
    expect(first(clip('Idle', 0.4), clip('Wave', 0.5, false))).toBe('Wave');
    expect(first(clip('Idle', 0.49), clip('Pose', 0))).toBe('the rest pose');
    expect(first()).toBe('the rest pose');
  });

  test('measures the length from the first key', () => {
    expect(lengthOf(clip('late', 3, true, 2.6))).toBeCloseTo(0.4);
    expect(lengthOf(clip('early', 3, true, -1))).toBe(3);
    expect(first(clip('Idle', 3, true, 2.6), clip('Wave', 0.6))).toBe('Wave');
  });
});

describe('ownSet', () => {
  const own = (model: string, paths: readonly string[], others: readonly string[] = []): string[] =>
    ownSet(
      model,
      paths.map(path => ({ path })),
      others,
    ).map(({ path }) => path);

  test('returns the best match, without files of other names', () => {
    expect(own('M/skPrivetMesh.psk', ['A/skPrivetAnims.psa', 'A/skLuciousAnims.psa', 'A/Walk.psa'])).toEqual(['A/skPrivetAnims.psa']);
  });

  test('returns all files in one folder that share the same words with the model', () => {
    expect(own('Hero.psk', ['A/Hero_Idle.psa', 'A/Hero_Walk.psa', 'B/Hero_Run.psa', 'A/Villain_Idle.psa'])).toEqual([
      'A/Hero_Idle.psa',
      'A/Hero_Walk.psa',
    ]);
    expect(own('Hero.psk', ['Idle.psa', 'Walk.psa'])).toEqual(['Idle.psa', 'Walk.psa']);
    expect(own('Hero.psk', [])).toEqual([]);
  });

  test('leaves out files whose names are more similar to another model', () => {
    expect(own('skGinnyPrivet.psk', ['skGinnyLuciousAnims.psa', 'skGinnyAnims.psa'], ['skGinnyLucious.psk'])).toEqual(['skGinnyAnims.psa']);
    expect(own('skSow.psk', ['skPigAnims.psa'], ['skPig.psk', 'skCow.psk'])).toEqual([]);
    expect(own('Hero_LOD1.psk', ['Hero_Walk.psa'], ['Hero.psk'])).toEqual(['Hero_Walk.psa']);
  });
});
