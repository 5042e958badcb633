// Converts animations to loops, plays them in place and locks the heading of the body.
import { Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { convert, type Conversion, type ConvertOptions } from '../../../web/src/convert/index.ts';
import { convertFiles } from '../../../web/src/convert/convert.ts';
import { CHOICES, TARGETS } from '../../../web/src/convert/targets.ts';
import type { RigFile } from '../../../web/src/core/index.ts';
import type { Clip } from '../../../web/src/core/types.ts';
import { editClip } from '../../../web/src/rig/clipEdits.ts';
import { castBody, castMotion, TestBody } from '../../support/bodies.ts';
import { converted, parse } from '../../support/convertedPoses.ts';

const body = new TestBody({ axes: 3 });
const speed = body.p.upperLeg - 0.02 + body.p.lowerLeg;
const UP = new Vector3(0, 1, 0);
/** Walks for 2.2 seconds. The cycle of the walk takes one second. */
const walk = body.clip('walk', 2.2, 30, time => body.walk(time));
/** Walks on the spot and turns. */
const turningBy = (degreesPerSecond: number): Clip =>
  body.clip('turning', 3.2, 30, time => {
    const yaw = new Quaternion().setFromAxisAngle(UP, (time * degreesPerSecond * Math.PI) / 180);
    const { turns, hips } = body.walk(time);
    return { turns: new Map([...turns].map(([part, q]) => [part, yaw.clone().multiply(q)])), hips: new Vector3(0, hips.y, 0) };
  });
const turning = turningBy(45);
const still = body.clip('still', 1, 30, () => ({ turns: new Map(), hips: body.hipHeight() }));

const model = (): Promise<RigFile> => parse('body.cast', castBody(body));
const motion = (clip: Clip): Promise<RigFile> => parse(`${clip.name}.cast`, castMotion(clip));
const made = async (clip: Clip, options: Partial<ConvertOptions>): Promise<Conversion> =>
  convert([await model(), await motion(clip)], { to: 'json', ...options });

interface Table {
  nodes: { name: string }[];
  motions: { times: number[]; nodes: { positions: number[]; rotations: number[] }[] }[];
}

/** Positions and rotations of a bone in all frames, and the times of the frames. */
function framesOf({ files }: Conversion, bone: string): { times: number[]; places: Vector3[]; turns: Quaternion[] } {
  const { nodes, motions } = JSON.parse(new TextDecoder().decode(files[0]!.bytes)) as Table;
  const { times, nodes: rows } = motions[0]!;
  const { positions, rotations } = rows[nodes.findIndex(({ name }) => name === bone)]!;
  return {
    times,
    places: times.map((_, k) => new Vector3().fromArray(positions, 3 * k)),
    turns: times.map((_, k) => new Quaternion().fromArray(rotations, 4 * k)),
  };
}

const entriesOf = ({ report }: Conversion, code: string) => report.items.filter(item => item.code === code);

describe('inPlace', () => {
  const targets = CHOICES.find(({ id }) => id === 'in-place')!.targets;

  it('is available for all targets except recordings', () => {
    expect(targets).toEqual(TARGETS.filter(to => to !== 'mrtk' && to !== 'iwer'));
  });

  // A PSA has no model. SE keeps the numbers of Cast, but not its up axis.
  it.each(targets.filter(to => to !== 'psa' && to !== 'se'))('keeps the hips at their horizontal place: %s', async to => {
    const { poses, places, made } = await converted([await model(), await motion(walk)], to, [0, 1, 2.2], { inPlace: true });
    const [first, middle, last] = [0, 1, 2].map(
      k =>
        new Vector3(
          ...((poses ? poses[k]!.nodes.find(({ name }) => name === 'hips')!.position : places![k]!.get('hips')!) as [
            number,
            number,
            number,
          ]),
        ),
    ) as [Vector3, Vector3, Vector3];
    expect(last.distanceTo(first.clone().setY(last.y))).toBeLessThan(1e-4);
    expect(middle.distanceTo(first)).toBeLessThan(0.02);
    expect(made.report.items.filter(({ code }) => code === 'TRAVEL_REMOVED')).toEqual([
      { code: 'TRAVEL_REMOVED', kind: 'note', path: 'walk', amount: expect.closeTo(2.2 * speed, 3), detail: 'x y z: 0 0 1.89 m' },
    ]);
  });

  it('keeps the height', async () => {
    const climb = body.clip('climb', 1, 30, time => ({ turns: new Map(), hips: body.hipHeight().add(new Vector3(time, time / 2, 0)) }));
    const { places } = framesOf(await made(climb, { inPlace: true }), 'hips');
    expect(places.at(-1)!.sub(places[0]!).toArray()).toEqual([0, 0.5, 0].map(value => expect.closeTo(value, 4)));
  });

  it('reports nothing if the body is in place', async () => {
    expect(entriesOf(await made(turning, { inPlace: true }), 'TRAVEL_REMOVED')).toEqual([]);
  });

  it('reports animations without a skeleton', async () => {
    const alone = await convert([await motion(walk)], { to: 'cast', inPlace: true });
    expect(entriesOf(alone, 'ROOT_UNKNOWN')).toHaveLength(1);
  });

  it('is rejected for recordings', async () => {
    await expect(convert([], { to: 'mrtk', inPlace: true })).rejects.toThrow('the option "in-place" is only available for');
  });
});

describe('rootMotion', () => {
  const standing = body.clip('standing', 2.2, 30, time => {
    const { turns, hips } = body.walk(time);
    return { turns, hips: new Vector3(0, hips.y, 0) };
  });

  it('makes a walk in place travel as the walk itself does', async () => {
    const moving = await made(standing, { rootMotion: true });
    const { places } = framesOf(moving, 'hips');
    const travelled = places.at(-1)!.sub(places[0]!);
    expect(travelled.x).toBeCloseTo(0, 2);
    expect(Math.abs(travelled.z / (2.2 * speed) - 1)).toBeLessThan(0.03);
    expect(entriesOf(moving, 'TRAVEL_GUESSED')).toMatchObject([
      { kind: 'guess', path: 'standing', amount: expect.closeTo(travelled.z, 3) },
    ]);
  });

  it('does not change a walk that travels', async () => {
    const moving = await made(walk, { rootMotion: true });
    expect(moving.report.items.map(({ code }) => code)).not.toContain('TRAVEL_GUESSED');
    const { places } = framesOf(moving, 'hips');
    expect(places.at(-1)!.sub(places[0]!).z).toBeCloseTo(2.2 * speed, 3);
  });

  it('keeps the travel if the body turns, and reports it', async () => {
    const moving = await made(turning, { rootMotion: true });
    expect(entriesOf(moving, 'GROUND_UNKNOWN')).toHaveLength(1);
    const { places } = framesOf(moving, 'hips');
    expect(places.at(-1)!.sub(places[0]!).setY(0).length()).toBeLessThan(1e-3);
  });

  it('also moves a loop', async () => {
    const moving = await made(standing, { rootMotion: true, loop: true });
    const { places, times } = framesOf(moving, 'hips');
    expect(places.at(-1)!.sub(places[0]!).z / times.at(-1)!).toBeCloseTo(speed, 1);
  });

  it('is rejected together with inPlace', async () => {
    await expect(convert([], { to: 'glb', inPlace: true, rootMotion: true })).rejects.toThrow('exclude each other');
  });
});

describe('lockHeading', () => {
  it('removes the turn, and reports it', async () => {
    const locked = await made({ ...turning, frameCount: 61 }, { lockHeading: true });
    const { turns } = framesOf(locked, 'hips');
    const straight = framesOf(await made({ ...walk, frameCount: 61 }, {}), 'hips').turns;
    for (const [k, turn] of turns.entries()) expect(turn.angleTo(straight[k]!)).toBeLessThan(2e-3);
    expect(entriesOf(locked, 'TURN_REMOVED').map(({ amount }) => amount)).toEqual([expect.closeTo(90, 1)]);
  });

  it('reports nothing if the body does not turn', async () => {
    expect(entriesOf(await made(still, { lockHeading: true }), 'TURN_REMOVED')).toEqual([]);
  });

  it('keeps the travel', async () => {
    const { places } = framesOf(await made(walk, { lockHeading: true }), 'hips');
    expect(places.at(-1)!.z - places[0]!.z).toBeCloseTo(2.2 * speed, 3);
  });
});

describe('loop', () => {
  it('trims an animation to its best loop, and reports the loop and its step', async () => {
    const looped = await made(walk, { loop: true });
    const { times } = framesOf(looped, 'hips');
    expect(times.at(-1)).toBeCloseTo(2, 5);
    const [trimmed] = entriesOf(looped, 'LOOP_TRIMMED');
    expect(trimmed).toMatchObject({ kind: 'note', path: 'walk', amount: expect.closeTo(0.2, 3) });
    expect(trimmed!.detail).toMatch(/^[\d.]+ to [\d.]+ s of 2\.2 s$/);
    const [blended] = entriesOf(looped, 'LOOP_BLENDED');
    expect(blended).toMatchObject({ kind: 'approximation', path: 'walk' });
    expect(blended!.amount).toBeLessThan(0.1);
    expect(blended!.detail).toMatch(/^velocities differed by [\d.]+ degrees per second$/);
  });

  it('ends with the pose of its start, and still travels', async () => {
    const limp = body.clip('limp', 0.8, 30, time => body.walk(time));
    const looped = await made(limp, { loop: true });
    const hips = framesOf(looped, 'hips');
    const knee = framesOf(looped, 'leftLowerLeg');
    expect(knee.turns.at(-1)!.angleTo(knee.turns[0]!)).toBeLessThan(2e-3);
    expect(hips.turns.at(-1)!.angleTo(hips.turns[0]!)).toBeLessThan(2e-3);
    for (const [k, place] of hips.places.entries()) expect(place.z - hips.places[0]!.z).toBeCloseTo(hips.times[k]! * speed, 2);
    expect(entriesOf(looped, 'LOOP_BLENDED')[0]!.amount).toBeGreaterThan(1);
  });

  it('keeps the turn of a body', async () => {
    const { times, turns } = framesOf(await made(turning, { loop: true }), 'hips');
    expect(times.at(-1)).toBeCloseTo(3, 5);
    for (const second of [1, 2, 3]) expect(turns[30 * second]!.angleTo(turns[0]!)).toBeCloseTo((second * Math.PI) / 4, 2);
  });

  it('blends a turn that is not larger than the sway of hips', async () => {
    const { times, turns } = framesOf(await made(turningBy(5), { loop: true }), 'hips');
    expect(times.at(-1)).toBeGreaterThan(1.5);
    expect(turns.at(-1)!.angleTo(turns[0]!)).toBeLessThan(2e-3);
  });

  it('in place ends exactly where it starts', async () => {
    const rising = body.clip('rising', 2.2, 30, time => {
      const { turns, hips } = body.walk(time);
      return { turns, hips: hips.add(new Vector3(0, 0.1 * time, 0)) };
    });
    const { places } = framesOf(await made(rising, { loop: true, inPlace: true }), 'hips');
    expect(places.at(-1)!.distanceTo(places[0]!)).toBeLessThan(1e-4);
  });

  it('leaves an animation without moving bones unchanged, and reports it', async () => {
    const looped = await made(still, { loop: true });
    expect(framesOf(looped, 'hips').times.at(-1)).toBeCloseTo(1, 5);
    expect(entriesOf(looped, 'LOOP_NOT_FOUND')).toHaveLength(1);
  });

  it('is declared in the result', async () => {
    const { files } = await convert([await model(), await motion(walk)], { to: 'cast', loop: true });
    expect((await parse('made.cast', files[0]!.bytes)).scene!.clips.map(({ loop }) => loop)).toEqual([true]);
  });
});

it('edits of a single clip replace the options for all clips', async () => {
  const [hero, first, second] = [await model(), await motion(walk), await motion({ ...walk, name: 'other' })];
  const edits = new Map([[0, { trim: { start: 0.5, end: 1.5 } }]]);
  const sources = [hero, { ...first, name: 'a.cast' }, second].map((file, i) => ({ file, path: file.name, ...(i === 1 && { edits }) }));
  const { report, files } = await convertFiles(sources, { to: 'json', inPlace: true });
  const { motions } = JSON.parse(new TextDecoder().decode(files[0]!.bytes)) as Table;
  expect(motions.map(({ times }) => times.at(-1))).toEqual([expect.closeTo(1, 4), expect.closeTo(2.2, 4)]);
  const changes = report.items.filter(({ code }) => code.startsWith('TRAVEL') || code.startsWith('LOOP'));
  expect(changes.map(({ code, path, detail }) => [code, path, detail])).toEqual([
    ['LOOP_TRIMMED', 'walk', '0.5 to 1.5 s of 2.2 s'],
    ['TRAVEL_REMOVED', 'other', expect.anything()],
  ]);
});

it('a part that begins after the end of a clip is not trimmed', async () => {
  const { clip, changes } = editClip(walk, body.scene, { trim: { start: 3, end: 4 } });
  expect([clip, changes]).toEqual([walk, []]);
  expect(editClip(walk, body.scene, { trim: { start: 2, end: 4 } }).clip.duration).toBeCloseTo(0.2, 5);
});

it('only a closed clip is declared as a loop', () => {
  const once = { ...walk, loop: false };
  const trim = { start: 0, end: 1 };
  expect(editClip(once, body.scene, { trim }).clip.loop).toBe(false);
  expect(editClip(once, body.scene, { trim, closeLoop: true }).clip.loop).toBe(true);
});

it('reports chosen animations that do not exist', async () => {
  const { report, files } = await made(walk, { clips: ['walk', 'nosuch', 7] });
  expect(report.items.filter(({ code }) => code === 'CLIP_NOT_FOUND')).toMatchObject([
    { kind: 'loss', amount: 2, detail: 'nosuch, 7 (found: walk)' },
  ]);
  expect((JSON.parse(new TextDecoder().decode(files[0]!.bytes)) as Table).motions).toHaveLength(1);
});
