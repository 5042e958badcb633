// The session from drop to drop with real files: first animation, kept state, messages, and
// immutability.
import { mkdtempSync, openAsBlob, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { adviceFor, keyOf } from '../../../web/src/session/advice.ts';
import type { InputFile } from '../../../web/src/session/inputFile.ts';
import { wholeCharacter } from '../../../web/src/session/model.ts';
import { LayeredAction } from '../../../web/src/session/layeredAction.ts';
import { modelsIn } from '../../../web/src/session/library.ts';
import { partsOf } from '../../../web/src/session/parts.ts';
import { withStep } from '../../../web/src/session/history.ts';
import { rowsOf, compatibilityIn } from '../../../web/src/session/animationRows.ts';
import { canReload, emptySession } from '../../../web/src/session/session.ts';
import { type Action, reduce } from '../../../web/src/session/reduce.ts';
import { makePsa, makePsk } from '../../support/actorx.ts';
import { BODY, BOOTS, makePart, makeWalk } from '../../support/characterParts.ts';
import { Desk } from './support.ts';

const given = (name: string, bytes: Uint8Array | string): InputFile => ({
  path: name,
  file: new File([bytes as Uint8Array<ArrayBuffer>], name.split('/').at(-1)!),
});
const demo = (name: string): InputFile =>
  given(name, new Uint8Array(readFileSync(new URL(`../../../web/src/viewer/demo/${name}`, import.meta.url))));

const body = ['Root', 'Spine', 'Head', 'Arm L', 'Arm R', 'Leg L', 'Leg R', 'Tail'];
const model = (name: string, bones: readonly string[] = body): InputFile => given(name, makePsk({ bones }));
const motion = (name: string, sequences: readonly string[], bones: readonly string[] = body, frames = 31): InputFile =>
  given(name, makePsa({ bones, sequences, frames }));

/** An input file that can be rewritten. */
function onDisk(first: InputFile): { given: InputFile; write(next: InputFile | null): void } {
  let now: File | null = first.file;
  const again = (): Promise<File> => (now ? Promise.resolve(now) : Promise.reject(new DOMException('gone', 'NotFoundError')));
  return {
    given: { ...first, again },
    write(next) {
      now = next?.file ?? null;
    },
  };
}

describe('reading it again from disk', () => {
  test('shows what was exported meanwhile: model, motion, picture; what was chosen stays', async () => {
    const pig = onDisk(model('pig.psk'));
    const walk = onDisk(motion('pig.psa', ['Walk', 'Run']));
    const desk = await new Desk().drop([pig.given, walk.given, model('cow.psk', ['Cow', 'Horn'])]);
    desk.do({ type: 'select', row: 1 }).do({ type: 'set-placement', placement: { yaw: 90 } });
    expect([desk.session.shown?.given.path, desk.playing, canReload(desk.session)]).toEqual(['pig.psk', 'Run', true]);
    pig.write(model('pig.psk', [...body, 'Ear']));
    walk.write(motion('pig.psa', ['Idle', 'Walk', 'Run'], [...body, 'Ear'], 61));
    await desk.renew();
    expect([desk.session.shown?.bones, desk.list, desk.playing]).toEqual([9, ['Idle', 'Walk', 'Run'], 'Run']);
    expect(desk.session.placement.yaw).toBe(90);
    expect(
      modelsIn(desk.session.library)
        .map(({ given: { path } }) => path)
        .sort(),
    ).toEqual(['cow.psk', 'pig.psk']);
    // And once more: what was renewed can be renewed.
    pig.write(model('pig.psk'));
    await desk.renew();
    expect(desk.session.shown?.bones).toBe(8);
    await desk.step('cow.psk');
    expect(desk.session.shown?.bones).toBe(2);
  });

  test('keeps the parts of the character, which can be switched off as before', async () => {
    const body = onDisk(given('body.psk', makePart({ covers: BODY })));
    const boots = onDisk(given('boots.psk', makePart({ covers: BOOTS })));
    const hat = given('hat.psk', makePart({ covers: ['Head'], size: 4 }));
    const desk = await new Desk().drop([body.given, boots.given, hat]);
    boots.write(given('boots.psk', makePart({ covers: BOOTS, size: 9 })));
    await desk.renew();
    const { shown, library, partChoices } = desk.session;
    expect(shown!.pieces.map(({ given: { path } }) => path)).toEqual(['boots.psk', 'hat.psk']);
    expect(partsOf(shown!.given, library, partChoices).map(({ entry, isOn }) => [entry.given.path, isOn])).toEqual([
      ['boots.psk', true],
      ['hat.psk', true],
    ]);
  });

  test('names what is no longer there, and keeps what is shown', async () => {
    const pig = onDisk(model('pig.psk'));
    const desk = await new Desk().drop([pig.given, motion('pig.psa', ['Walk'])]);
    const before = desk.session;
    pig.write(null);
    await expect(desk.renew()).rejects.toMatchObject({ problem: { code: 'gone', name: 'pig.psk' } });
    expect(desk.session).toBe(before);
  });

  test('names a file that went away before it could be opened', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rigcast-gone-'));
    const path = join(folder, 'pig.psk');
    writeFileSync(path, makePsk({ bones: body }));
    const file = new File([await openAsBlob(path)], 'pig.psk');
    rmSync(folder, { recursive: true });
    await expect(new Desk().drop([{ path: 'pig.psk', file }])).rejects.toMatchObject({ problem: { code: 'gone', name: 'pig.psk' } });
  });

  test('is not offered where nothing can be had again', async () => {
    expect(canReload((await new Desk().drop([model('pig.psk')])).session)).toBe(false);
    expect(canReload(emptySession)).toBe(false);
  });
});

describe('a drop', () => {
  test('of a model and motions starts its own, and lists the others after it', async () => {
    const desk = await new Desk().drop([motion('aBarrel.psa', ['Roll'], ['Root', 'Lid']), motion('pig.psa', ['Walk']), model('pig.psk')]);
    expect([desk.list, desk.playing]).toEqual([['Walk', 'Roll'], 'Walk']);
    expect(rowsOf(desk.session).map(row => compatibilityIn(desk.session, row.source)?.fits)).toEqual([true, false]);
  });

  test('of motions shows the skeleton that they bring, and the model finds them', async () => {
    const desk = await new Desk().drop([motion('pig.psa', ['Walk'])]);
    expect([desk.session.shown?.given.path, desk.session.shown?.bones, desk.playing]).toEqual(['pig.psa', 8, 'Walk']);
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

  test('of more motions than are opened at once opens those that are called like its models, and others with theirs', async () => {
    const zoo = ['Ape', 'Bee', 'Cow', 'Zebra'];
    const bonesOf = (beast: string): string[] => body.map(bone => `${bone} of ${beast}`);
    const files = [
      ...Array.from({ length: 120 }, (_, i) => motion(`Anims/Aaa${i}.psa`, ['Odd'], ['Odd', 'Bones'], 2)),
      ...zoo.map(beast => model(`Meshes/sk${beast}Mesh.psk`, bonesOf(beast))),
      ...zoo.flatMap(beast =>
        Array.from({ length: 90 }, (_, i) => motion(`Anims/${beast}_Walk_${i}.psa`, [`${beast} ${i}`], bonesOf(beast), 31)),
      ),
    ];
    const desk = await new Desk().drop(files);
    const open = (name: string): number => desk.session.animationFiles.filter(({ given: { path } }) => path.includes(name)).length;
    expect(zoo.map(open)).toEqual([90, 90, 90, 30]);
    expect(open('Aaa')).toBe(0);
    expect(adviceFor(desk.session, null, false)).toContainEqual({ code: 'too-many-motions', opened: 300, all: 480 });
    await desk.step('Meshes/skZebraMesh.psk');
    expect([open('Zebra'), desk.playing]).toEqual([80, 'Zebra 0']);
    expect(desk.session.library.filter(({ role }) => role === 'motion')).toHaveLength(480);
  });

  test('of what nobody asks for says so, until somebody puts it on', async () => {
    const desk = await new Desk().drop([demo('Pip.psk'), demo('Pip.psa')]);
    const said = (): string[] => adviceFor(desk.session, null, false).map(({ code }) => code);
    await desk.drop([given('notices.txt', 'notices')]);
    expect(adviceFor(desk.session, null, false)).toContainEqual({ code: 'unwanted', names: ['notices.txt'], areImages: false });
    await desk.drop([demo('Pip_D.png')]);
    expect(said()).not.toContain('unwanted');
    const image = demo('Tock_normal.png');
    await desk.drop([image]);
    expect(adviceFor(desk.session, null, false)).toContainEqual({ code: 'unwanted', names: ['Tock_normal.png'], areImages: true });
    desk.do({ type: 'assign-image', assignment: { path: 'Pip.psk', material: 'Pip', slot: 'normal', image: image.file } });
    expect(said()).not.toContain('unwanted');
  });

  test('of a companion that replaces one of its name is not unwanted, although nothing looks different', async () => {
    const desk = await new Desk().drop([demo('Pip.psk'), demo('Pip_D.png')]);
    await desk.drop([{ ...demo('Pip_D.png'), path: 'newer/Pip_D.png' }]);
    await desk.drop([demo('Pip_D.png')]);
    expect(desk.session.notices).toEqual([]);
  });

  test('of another model takes the stage, and throws nothing away', async () => {
    const desk = await new Desk().drop([model('pig.psk'), motion('pig.psa', ['Walk'])]);
    await desk.drop([model('cow.psk', ['Cow', 'Horn', 'Bell'])]);
    expect([desk.session.shown?.given.path, desk.list, desk.playing]).toEqual(['cow.psk', ['Walk'], 'the rest pose']);
    expect(modelsIn(desk.session.library).map(({ given: { path } }) => path)).toEqual(['pig.psk', 'cow.psk']);
    await desk.step('pig.psk');
    expect([desk.session.shown?.given.path, desk.playing]).toEqual(['pig.psk', 'Walk']);
  });

  test('of the same folder again lists everything once', async () => {
    const folder = (): InputFile[] => [model('pig.psk'), model('barrel.psk', ['Root', 'Lid', 'Rim']), motion('pig.psa', ['Walk', 'Run'])];
    const desk = await new Desk().drop(folder());
    await desk.drop(folder());
    expect([desk.list, desk.session.library.map(({ given: { path } }) => path)]).toEqual([
      ['Walk', 'Run'],
      ['barrel.psk', 'pig.psk', 'pig.psa'],
    ]);
  });

  test('of several models shows the one that has motions of its own, and looks at all of them', async () => {
    const desk = await new Desk().drop([
      model('Meshes/aBarrel.psk', ['Root', 'Lid']),
      model('Meshes/pig.psk'),
      given('Meshes/bad.psk', 'once upon a time'),
      motion('Anims/pig.psa', ['Walk']),
      given('readme.txt', 'hello'),
    ]);
    expect([desk.session.shown?.given.path, desk.playing]).toEqual(['Meshes/pig.psk', 'Walk']);
    expect(desk.session.library.map(({ given: { path }, role, facts }) => [path, role, facts && [facts.bones, facts.isDamaged]])).toEqual([
      ['Meshes/aBarrel.psk', 'model', [2, false]],
      ['Meshes/bad.psk', 'model', [0, true]],
      ['Meshes/pig.psk', 'model', [8, false]],
      ['Anims/pig.psa', 'motion', null],
      ['readme.txt', 'companion', null],
    ]);
  });

  test('a step to another model keeps the motion that is its own as well, and does not start a foreign one', async () => {
    const desk = await new Desk().drop([
      model('pig.psk'),
      model('sow.psk'),
      model('barrel.psk', ['Root', 'Lid', 'Rim']),
      motion('beasts.psa', ['Walk', 'Run']),
    ]);
    desk.do({ type: 'select', row: 1 });
    await desk.step('sow.psk');
    expect(desk.playing).toBe('Run');
    await desk.step('barrel.psk');
    expect(desk.playing).toBe('the rest pose');
  });

  test('of a model starts an idle animation of its own set, and no twitch', async () => {
    const desk = await new Desk().drop([model('pig.psk'), motion('pig.psa', ['Appear', 'Walk', 'Idle'])]);
    expect([desk.list, desk.playing]).toEqual([['Appear', 'Walk', 'Idle'], 'Idle']);
    const twitches = await new Desk().drop([model('pig.psk'), motion('pig.psa', ['Idle', 'Blink'], body, 14)]);
    expect([twitches.list, twitches.playing]).toEqual([['Idle', 'Blink'], 'the rest pose']);
    const both = await new Desk().drop([model('pig.psk'), motion('pig_blink.psa', ['Blink'], body, 14), motion('pig_roll.psa', ['Roll'])]);
    expect(both.playing).toBe('Roll');
    // An animation that is dropped on a model plays. A skeleton without a surface has nothing else
    // to show.
    await twitches.drop([motion('pig_nod.psa', ['Nod'], body, 14)]);
    expect(twitches.playing).toBe('Nod');
    expect((await new Desk().drop([motion('pig.psa', ['Idle'], body, 14)])).playing).toBe('Idle');
  });

  test('a step to another model starts one of its own, although the animation of the neighbour suits it', async () => {
    const desk = await new Desk().drop([
      model('M/skPigMesh.psk'),
      model('M/skPigletMesh.psk'),
      model('M/skSowMesh.psk'),
      motion('A/skPigAnims.psa', ['Walk', 'Run', 'Bend']),
      motion('A/skPigletAnims.psa', ['Run', 'Idle']),
    ]);
    await desk.step('M/skPigMesh.psk');
    desk.do({ type: 'select', row: 2 });
    expect(desk.playing).toBe('Bend');
    await desk.step('M/skPigletMesh.psk');
    expect(desk.playing).toBe('Idle');
    // The sow has no set of its own, so that a fitting animation starts.
    desk.do({ type: 'select', row: 0 });
    await desk.step('M/skSowMesh.psk');
    expect(desk.playing).toBe('Idle');
  });

  test('of the parts of one character stands them on one skeleton, each once, and one motion moves all', async () => {
    const part = (name: string, covers: readonly string[], size = 8): InputFile => given(name, makePart({ covers, size }));
    const headless = BODY.filter(name => name !== 'Head');
    const desk = await new Desk().drop([
      part('SK_Boots.psk', BOOTS),
      part('SK_Head_Lod1.psk', ['Head']),
      part('SK_Head_Lod2.psk', ['Head'], 7),
      part('SK_Body.psk', headless, 12),
      part('SK_Twin.psk', headless),
      given('Rock.psk', makePsk({ bones: ['Stone', 'Moss', 'Lid'], side: 10 })),
      given('Walk.psa', makeWalk({ sequences: ['Walk'] })),
    ]);
    const standing = (): [string, string[]] => [desk.session.shown!.given.path, desk.actor!.pieces.map(({ given: { path } }) => path)];
    expect(standing()).toEqual(['SK_Body.psk', ['SK_Boots.psk', 'SK_Head_Lod1.psk']]);
    expect(desk.actor!.pieces.map(({ rig }) => rig.scene.parent)).toEqual([null, null]);
    const played = new LayeredAction(desk.actor!, desk.session.animationFiles[0]!, [0], 'auto', false);
    const poses = (): number[][] => wholeCharacter(desk.actor!).map(({ bones }) => bones[0]!.position.toArray());
    const rest = poses();
    played.seek(0.5);
    expect(poses().every((pose, at) => String(pose) !== String(rest[at]))).toBe(true);
    played.stop();
    expect(poses()).toEqual(rest);
    // A step away and back brings all of it again; the parts can be looked at alone.
    await desk.step('SK_Boots.psk');
    expect(standing()).toEqual(['SK_Boots.psk', []]);
    await desk.step('SK_Twin.psk');
    expect(standing()).toEqual(['SK_Twin.psk', []]);
    await desk.step('SK_Body.psk');
    expect(standing()[1]).toEqual(['SK_Boots.psk', 'SK_Head_Lod1.psk']);
    // A part that is dropped later joins the shown character; another whole character does not, and
    // takes no part from it.
    await desk.drop([part('SK_Hat.psk', ['Head', 'Spine'], 3)]);
    expect(standing()).toEqual(['SK_Body.psk', ['SK_Boots.psk', 'SK_Hat.psk', 'SK_Head_Lod1.psk']]);
    await desk.drop([part('Other.psk', headless, 14)]);
    expect(standing()).toEqual(['Other.psk', []]);
    await desk.step('SK_Body.psk');
    expect(standing()[1]).toEqual(['SK_Boots.psk', 'SK_Hat.psk', 'SK_Head_Lod1.psk']);
  });

  test('undone is as if it had not been', async () => {
    const desk = await new Desk().drop([demo('Pip.psk'), demo('Pip.psa')]);
    const before = desk.do({ type: 'select', row: 1 }).session;
    await desk.drop([model('pig.psk')]);
    await desk.undoTo(before);
    expect([desk.session.shown?.given.path, desk.playing]).toEqual(['Pip.psk', 'Hop']);
    expect(desk.actor!.file).toBe(before.shown!.file);
    expect(desk.session.library).toBe(before.library);
  });

  test('is kept for undo while it is not too much', async () => {
    const { session } = await new Desk().drop([model('pig.psk')]);
    const shown = { ...session.shown!, file: { ...session.shown!.file, byteLength: 200e6 } };
    const large = { ...session, shown } as typeof session;
    expect(withStep([session, session], large)).toHaveLength(3);
    expect(withStep([session, large], large)).toEqual([large]);
    expect(
      withStep(
        Array.from({ length: 50 }, () => session),
        session,
      ).length,
    ).toBeLessThan(50);
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
    expect(desk.advice[0]).toBe('cut-off');
  });

  test('of unreadable motions among others notices them', async () => {
    const desk = await new Desk().drop([model('pig.psk'), motion('pig.psa', ['Walk']), given('bad.psa', 'once upon a time')]);
    expect(desk.session.notices).toEqual([{ code: 'unread-motions', names: ['bad.psa'] }]);
    expect(desk.steps).toContainEqual({ code: 'opening-motions', at: 1, of: 2 });
  });

  test('of one unreadable motion notices it beside kept ones and beside a model, and is incompatible if nothing else is there', async () => {
    const bad = given('bad.psa', 'once upon a time');
    const desk = await new Desk().drop([model('pig.psk'), motion('pig.psa', ['Walk'])]);
    await desk.drop([model('cow.psk'), bad]);
    expect(desk.session.notices).toContainEqual({ code: 'unread-motions', names: ['bad.psa'] });
    const alone = await new Desk().drop([model('pig.psk'), bad]);
    expect(alone.session.shown!.given.path).toBe('pig.psk');
    expect(alone.session.notices).toContainEqual({ code: 'unread-motions', names: ['bad.psa'] });
    const refusal = { problem: { code: 'unknown', name: 'bad.psa' } };
    await expect(alone.drop([bad])).rejects.toMatchObject(refusal);
    await expect(new Desk().drop([bad])).rejects.toMatchObject(refusal);
  });

  test('of motions with the same bytes opens them once if they have one name, and twice if they have two', async () => {
    const walk = motion('a/pig.psa', ['Walk']);
    const same = (path: string): InputFile => ({ path, file: new File([walk.file], path.split('/').at(-1)!) });
    const desk = await new Desk().drop([model('pig.psk'), walk, same('b/pig.psa'), same('b/sow.psa')]);
    expect(desk.session.animationFiles.map(({ given: { file } }) => file.name).filter(name => name.endsWith('.psa'))).toEqual([
      'pig.psa',
      'sow.psa',
    ]);
  });

  test('of a weapon attaches it to the bone that it continues, unless something is attached there or it is elsewhere', async () => {
    const arms = given('arms.psk', makePsk({ bones: ['tag_view', 'arm', 'hand', 'j_gun'] }));
    const gun = given('gun.psk', makePsk({ bones: ['j_gun', 'bolt', 'muzzle'] }));
    const desk = await new Desk().drop([arms, gun]);
    expect(desk.session.shown!.given.path).toBe('arms.psk');
    const bone = (name: string): number => desk.session.shown!.file.scene!.nodes.names.indexOf(name);
    const attachments = { host: 'arms.psk', node: bone('j_gun'), path: 'gun.psk' };
    expect(desk.session.attachments).toEqual([attachments]);
    await desk.drop([arms, gun]);
    expect(desk.session.attachments).toEqual([attachments]);
    const moved = { ...attachments, node: bone('hand') };
    desk.session = { ...desk.session, attachments: [moved] };
    await desk.drop([arms, gun]);
    expect(desk.session.attachments).toEqual([moved]);
  });

  test('that cannot be shown is incompatible with a code, and leaves everything as it was', async () => {
    const desk = await new Desk().drop([model('pig.psk')]);
    const before = desk.session.shown;
    await expect(desk.drop([given('broken.psk', 'once upon a time')])).rejects.toMatchObject({
      problem: { code: 'unknown', name: 'broken.psk' },
    });
    await expect(new Desk().drop([])).rejects.toMatchObject({ problem: { code: 'nothing-given' } });
    expect(desk.session.shown).toBe(before);
  });

  test('of companions alone is incompatible, and they wait for their model', async () => {
    const desk = new Desk();
    await expect(desk.drop([demo('Pip_D.png')])).rejects.toMatchObject({ problem: { code: 'only-companions', names: ['Pip_D.png'] } });
    await desk.drop([demo('Pip.psk')]);
    expect(desk.session.shown!.untexturedMaterials).toEqual([]);
  });
});

describe('the session', () => {
  test('is a value: every action makes another one, and the one before says what it said', async () => {
    const desk = await new Desk().drop([model('pig.psk'), motion('pig.psa', ['Walk', 'Run'])]);
    const frozen = Object.freeze(desk.session);
    const before = structuredClone({ selected: frozen.selected, viewSettings: frozen.viewSettings, reading: frozen.animationMode });
    const actions: Action[] = [
      { type: 'select', row: 1 },
      { type: 'select', row: 99 },
      { type: 'set-animation-mode', animationMode: 'additive' },
      { type: 'lock-root', isLocked: true },
      { type: 'set-view', settings: { bones: true } },
      { type: 'dismiss', advice: 'x' },
      { type: 'set-companion-files', companionFiles: frozen.companionFiles.with([given('a.png', '')]) },
      { type: 'close' },
    ];
    const made = actions.map(action => reduce(frozen, action));
    expect(made.map(({ selected }) => selected).slice(0, 2)).toEqual([1, -1]);
    expect(made.at(-1)).toEqual(emptySession);
    expect({ selected: frozen.selected, viewSettings: frozen.viewSettings, reading: frozen.animationMode }).toEqual(before);
    expect(made[6]!.companionFiles.size).toBe(frozen.companionFiles.size + 1);
    expect(frozen.companionFiles.find('a.png')).toBeNull();
  });

  test('keeps how it is looked at when it is closed', () => {
    const looked = reduce(emptySession, { type: 'set-view', settings: { wireframe: true } });
    expect(reduce(looked, { type: 'close' }).viewSettings).toEqual({ ...emptySession.viewSettings, wireframe: true });
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
