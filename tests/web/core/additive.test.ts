// Detects additive clips, and finds the clips that they were made for.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Quaternion, Vector3 } from 'three';
import { describe, expect, test } from 'vitest';
import { rankBaseClips } from '../../../web/src/core/additiveBase.ts';
import { detectAdditive, bind } from '../../../web/src/core/bind.ts';
import { explainEvidence } from '../../../web/src/core/additiveDetection.ts';
import { open } from '../../../web/src/core/open.ts';
import type { Clip, RigScene, Track } from '../../../web/src/core/types.ts';
import { armScene, clip, f32, table, track } from '../../support/armScene.ts';
import { randomOf } from '../../support/random.ts';

const degrees = Math.PI / 180;
const KEYS = 12;

/**
 * Creates a skeleton in its rest pose: a chain of bones of random length, most of them with a
 * random rest rotation.
 */
function bodyOf(seed: number): RigScene {
  const { within, direction, turn } = randomOf(seed);
  const count = Math.floor(within(12, 70));
  const rows = Array.from({ length: count }, (_, i) => i);
  const base = armScene();
  return {
    ...base,
    meshes: [],
    renderers: [],
    skins: [],
    clips: [],
    nodes: {
      ...base.nodes,
      length: count,
      names: rows.map(i => `bone_${i}`),
      parents: Int32Array.from(rows, i => (i < 2 ? i - 1 : Math.floor(within(1, i)))),
      bones: Int32Array.from(rows, i => i - 1),
      translations: f32(...rows.flatMap(i => (i < 2 ? [0, 0, 0] : direction().multiplyScalar(within(0.02, 0.5)).toArray()))),
      rotations: f32(...rows.flatMap(() => turn(within(0, 1) < 0.3 ? 20 * degrees : Math.PI).toArray())),
      scales: new Float32Array(3 * count).fill(1),
      visible: new Uint8Array(count).fill(1),
      segmentScaleCompensate: new Uint8Array(count),
      properties: new Map(),
    },
  };
}

/**
 * Creates an animation of the skeleton, with other proportions, as absolute keys and as differences
 * from the first pose like in Unreal.
 */
function motionsOf(body: RigScene, seed: number): { values: Clip; differences: Clip } {
  const { within, turn } = randomOf(seed);
  const swing = within(5, 90) * degrees;
  const stretch = within(0.7, 1.4);
  const isTurnsOnly = within(0, 1) < 0.3;
  const share = within(0.4, 1); // share of animated bones
  const [values, differences]: [Track[], Track[]] = [[], []];
  const times = Float32Array.from({ length: KEYS }, (_, k) => k / 30);
  for (let row = 1; row < body.nodes.length; row++) {
    if (within(0, 1) > share) continue;
    const rest = new Quaternion().fromArray(body.nodes.rotations, 4 * row);
    const [from, to] = [rest.clone().multiply(turn(swing)), rest.clone().multiply(turn(swing))];
    const turns = Array.from({ length: KEYS }, (_, k) => from.clone().slerp(to, k / KEYS));
    const place = new Vector3().fromArray(body.nodes.translations, 3 * row).multiplyScalar(stretch);
    const places = Array.from({ length: KEYS }, (_, k) => place.clone().multiplyScalar(1 + 0.1 * Math.sin(k)));
    const target = `bone_${row}`;
    const rotation = (keys: Quaternion[]) =>
      track({ target, path: 'rotation', times, values: f32(...keys.flatMap(q => q.toArray())), interpolation: 'slerp' });
    const translation = (keys: Vector3[]) => track({ target, path: 'translation', times, values: f32(...keys.flatMap(p => p.toArray())) });
    const back = turns[0]!.clone().invert();
    values.push(rotation(turns));
    differences.push(rotation(turns.map(q => q.clone().multiply(back))));
    if (isTurnsOnly) continue;
    values.push(translation(places));
    differences.push(translation(places.map(p => p.clone().sub(places[0]!))));
  }
  const undeclared = (name: string, tracks: Track[]): Clip => ({ ...clip(name, 1, ...tracks), undeclaredModes: true });
  return { values: undeclared('values', values), differences: undeclared('differences', differences) };
}

describe('detectAdditive', () => {
  test('distinguishes additive from absolute clips for different skeletons and animations', () => {
    let [right, wrong, missed] = [0, 0, 0];
    for (let seed = 0; seed < 400; seed++) {
      const body = bodyOf(seed);
      const { values, differences } = motionsOf(body, 1000 + seed);
      if (detectAdditive(values, body).isAdditive) wrong++;
      if (detectAdditive(differences, body).isAdditive) right++;
      else missed++;
    }
    expect(right / (right + wrong)).toBeGreaterThanOrEqual(0.99);
    expect(right / (right + missed)).toBeGreaterThanOrEqual(0.97);
  });

  test('detects emptied translations as stripped if the rotations are close to the rest pose', () => {
    let [right, wrong, missed, unreported] = [0, 0, 0, 0];
    for (let seed = 0; seed < 600; seed++) {
      const body = bodyOf(seed);
      const { values, differences } = motionsOf(body, 1000 + seed);
      if (detectAdditive(differences, body).isAdditive) right++;
      else missed++;
      if (detectAdditive(values, body).isAdditive) wrong++;
      if (seed % 6 > 0) continue;
      const isTranslated = [...values.tracks].some(({ path }) => path === 'translation');
      const stripped: Clip = { ...values, tracks: table(...[...values.tracks].map(emptied)) };
      const findings = bind(stripped, body).report.findings.map(({ code }) => code);
      if (findings.includes('LOOKS_ADDITIVE')) wrong++;
      if (isTranslated && !findings.includes('LOOKS_STRIPPED')) unreported++;
    }
    expect(right / (right + wrong)).toBeGreaterThanOrEqual(0.99);
    expect(right / (right + missed)).toBeGreaterThanOrEqual(0.97);
    expect(unreported).toBe(0);
  });

  test('trusts a format that declares modes, whatever the keys look like, and reports nothing', () => {
    const body = bodyOf(1);
    const { differences } = motionsOf(body, 3);
    const absolute: Clip = { ...differences, undeclaredModes: false };
    expect(detectAdditive(absolute, body)).toMatchObject({ isAdditive: false, code: 'MODES' });
    const bound = bind(absolute, body);
    expect(bound.report.findings.map(({ code }) => code)).not.toContain('LOOKS_ADDITIVE');
    expect(bound.additive).toEqual({ base: 'no', isGuessed: false });
    expect(bound.tracks.map(({ values }) => values)).toEqual([...absolute.tracks].map(({ values }) => values));
    const declared: Clip = { ...absolute, tracks: table(...[...differences.tracks].map(each => ({ ...each, mode: 'additive' as const }))) };
    expect(detectAdditive(declared, body)).toMatchObject({ isAdditive: true, code: 'MODES' });
    expect(bind(declared, body).report.findings.map(({ code }) => code)).not.toContain('LOOKS_ADDITIVE');
  });

  test('explains the evidence, also in the finding', () => {
    const body = bodyOf(2);
    const { differences } = motionsOf(body, 5);
    const looks = detectAdditive(differences, body);
    expect(explainEvidence(looks)).toMatch(/^\d+ of \d+ bones would/);
    const [finding] = bind(differences, body).report.findings.filter(({ code }) => code === 'LOOKS_ADDITIVE');
    expect(finding!.detail).toContain(explainEvidence(looks));
    expect(finding!.detail).toMatch(/\(bone_\d+, .* and \d+ more\): added to the rest pose; "as-stated" plays the keys as stored$/);
    const [stored] = bind(differences, body, { additive: 'as-stated' }).report.findings;
    expect(stored!.detail).toMatch(/: played as stored; "detect" or "rest" adds the keys to the rest pose$/);
  });

  test('determines how bind plays the keys, unless an option is set', () => {
    const body = bodyOf(2);
    const { differences } = motionsOf(body, 5);
    const base = (additive?: 'as-stated' | 'detect' | 'rest' | 'layer') => bind(differences, body, { additive }).additive;
    expect([base(), base('detect')]).toEqual([
      { base: 'rest', isGuessed: true },
      { base: 'rest', isGuessed: true },
    ]);
    expect(base('as-stated')).toEqual({ base: 'no', isGuessed: false });
    expect([base('rest'), base('layer')]).toEqual([
      { base: 'rest', isGuessed: false },
      { base: 'layer', isGuessed: false },
    ]);
    const values = (additive?: 'detect' | 'rest'): Float32Array[] =>
      bind(differences, body, { additive }).tracks.map(track => track.values);
    expect(values()).toEqual(values('rest'));
  });
});

describe('rankBaseClips', () => {
  const body = bodyOf(4);
  const named = (name: string, frameCount = 30): Clip => ({ ...motionsOf(body, name.length).values, name, frameCount });
  const who = ['Rifle', 'Pistol', 'Crouch', 'Prone'];
  const what = ['Idle', 'Walk_Fwd', 'Walk_Bwd', 'Run_Fwd', 'Jump', 'Reload', 'Fire'];
  const candidates = who.flatMap(one => what.map((two, i) => named(`MOB1_${one}_${two}`, 20 + i)));

  test('ranks the clip first that the additive clip was made for, among 28', () => {
    const uses = ['_Additive', '_Add', '_AO', 'Additive', '_AimOffset_Center', '_delta'];
    let first = 0;
    const asked = candidates.flatMap(({ name, frameCount }) => uses.map(use => ({ name, use, frameCount })));
    for (const { name, use, frameCount } of asked) {
      const added: Clip = { ...motionsOf(body, 3).differences, name: `${name}${use}`, frameCount };
      if (rankBaseClips(added, [...candidates, added], body)[0]!.clip.name === name) first++;
    }
    expect(first / asked.length).toBeGreaterThanOrEqual(0.9);
  });

  test('compares lengths, then prefers idle clips, if the names have no word in common', () => {
    const added: Clip = { ...motionsOf(body, 3).differences, name: 'Breathe', frameCount: 24 };
    const [best] = rankBaseClips(added, candidates, body);
    expect([best!.code, best!.clip.frameCount]).toEqual(['LENGTH', 24]);
    expect(best!.code).toBe('LENGTH');
    expect(rankBaseClips({ ...added, frameCount: 7 }, candidates, body)[0]!.code).toBe('IDLE');
  });

  test('leaves out clips that are additive', () => {
    const added: Clip = { ...motionsOf(body, 3).differences, name: 'MOB1_Rifle_Idle_Additive' };
    const twin: Clip = { ...added, name: 'MOB1_Rifle_Idle' };
    expect(rankBaseClips(added, [twin, added], body)).toEqual([]);
  });
});

const corpus = new URL('../../../../shared/corpus/', import.meta.url);
const isThere = existsSync(corpus);
if (!isThere) console.log('additive: ../shared/corpus is not there, real motions are skipped');

test.skipIf(!isThere)('detects real clips as absolute, and as additive after their first pose is subtracted', async () => {
  const load = async (path: string): Promise<RigScene> =>
    (await open(readFileSync(new URL(path, corpus)), { name: path.split('/').at(-1)!, worker: false })).scene!;
  let [right, wrong, missed] = [0, 0, 0];
  for (const file of readdirSync(new URL('psa/hp2/', corpus))) {
    const mesh = `psk/hp2/${file.replace('Anims.psa', 'Mesh.psk')}`;
    if (!file.endsWith('Anims.psa') || !existsSync(new URL(mesh, corpus))) continue;
    const [body, { clips }] = await Promise.all([load(mesh), load(`psa/hp2/${file}`)]);
    for (const each of clips) {
      const differences: Clip = { ...each, tracks: table(...[...each.tracks].map(lessFirst)) };
      if (detectAdditive(each, body).isAdditive) wrong++;
      if (detectAdditive({ ...each, tracks: table(...[...each.tracks].map(emptied)) }, body).isAdditive) wrong++;
      const { isAdditive, code } = detectAdditive(differences, body);
      if (code === 'NOTHING') continue; // one bone or two
      if (isAdditive) right++;
      else missed++;
    }
  }
  expect(right).toBeGreaterThan(50);
  expect(right / (right + wrong)).toBeGreaterThanOrEqual(0.99);
  expect(right / (right + missed)).toBeGreaterThanOrEqual(0.97);
  console.log(`additive: ${right} of ${right + missed} real differences found, ${wrong} values taken for differences`);
});

test.skipIf(!isThere)('reports a real clip with emptied translations as stripped', async () => {
  const load = async (name: string): Promise<RigScene> =>
    (await open(readFileSync(new URL(`living/${name}`, corpus)), { name, worker: false })).scene!;
  const [body, { clips }] = await Promise.all([load('stripped.psk'), load('stripped.psa')]);
  const codes = bind(clips[0]!, body).report.findings.map(({ code }) => code);
  expect([codes, detectAdditive(clips[0]!, body)]).toMatchObject([['LOOKS_STRIPPED'], { isAdditive: false, count: 0, judged: 19 }]);
});

/** Returns a track whose translations are zero, as some exporters write them. */
const emptied = (each: Track): Track => (each.path === 'translation' ? { ...each, values: new Float32Array(each.values.length) } : each);

/**
 * Returns differences from the first key. A track without movement gets a small one, because a
 * track of zeros counts as stripped.
 */
function lessFirst(each: Track): Track {
  const width = each.path === 'rotation' ? 4 : 3;
  const values = new Float32Array(each.values);
  const back = new Quaternion().fromArray(each.values, 0).invert();
  for (let at = 0; at < values.length; at += width) {
    if (each.path === 'rotation') values.set(new Quaternion().fromArray(each.values, at).multiply(back).toArray(), at);
    else if (each.path === 'translation')
      for (let c = 0; c < 3; c++) values[at + c] = each.values[at + c]! - each.values[c]! + (at ? 1e-6 : 0);
  }
  if (each.path === 'translation' && values.length === 3) values[0] = 1e-6;
  return { ...each, values };
}
