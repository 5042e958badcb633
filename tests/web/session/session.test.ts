// Tests the session over several drops with complete files: first animation, kept state, messages
// and immutability.
import { mkdtempSync, openAsBlob, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { adviceFor, keyOf } from '../../../web/src/session/advice.ts';
import type { InputFile, LocalInput } from '../../../web/src/session/inputFile.ts';
import { wholeCharacter } from '../../../web/src/session/model.ts';
import { LayeredAction } from '../../../web/src/session/layeredAction.ts';
import { modelsIn } from '../../../web/src/session/library.ts';
import { partsOf } from '../../../web/src/session/parts.ts';
import { withStep } from '../../../web/src/session/history.ts';
import { compatibilityIn, relevantSources, rowsOf, titleOf } from '../../../web/src/session/animationRows.ts';
import { canReload, emptySession } from '../../../web/src/session/session.ts';
import { type Action, reduce } from '../../../web/src/session/reduce.ts';
import { makePsa, makePsk } from '../../support/actorx.ts';
import { BODY, BOOTS, makePart, makeWalk } from '../../support/characterParts.ts';
import { TestSession } from './support.ts';

const inputFile = (name: string, bytes: Uint8Array | string): LocalInput => ({
  path: name,
  file: new File([bytes as Uint8Array<ArrayBuffer>], name.split('/').at(-1)!),
});
const demo = (name: string): InputFile =>
  inputFile(name, new Uint8Array(readFileSync(new URL(`../../../web/src/viewer/demo/${name}`, import.meta.url))));

const body = ['Root', 'Spine', 'Head', 'Arm L', 'Arm R', 'Leg L', 'Leg R', 'Tail'];
const model = (name: string, bones: readonly string[] = body): LocalInput => inputFile(name, makePsk({ bones }));
const animation = (name: string, sequences: readonly string[], bones: readonly string[] = body, frames = 31): LocalInput =>
  inputFile(name, makePsa({ bones, sequences, frames }));

/** Returns an input file, and a function that changes or deletes it. */
function onDisk(first: LocalInput): { input: InputFile; write(next: LocalInput | null): void } {
  let now: File | null = first.file;
  const reread = (): Promise<File> => (now ? Promise.resolve(now) : Promise.reject(new DOMException('gone', 'NotFoundError')));
  return {
    input: { ...first, reread },
    write(next) {
      now = next?.file ?? null;
    },
  };
}

describe('reload', () => {
  test('shows changed models, animations and images, and keeps the visitor’s choices', async () => {
    const pig = onDisk(model('pig.psk'));
    const walk = onDisk(animation('pig.psa', ['Walk', 'Run']));
    const page = await new TestSession().drop([pig.input, walk.input, model('cow.psk', ['Cow', 'Horn'])]);
    page.dispatch({ type: 'select', row: 1 }).dispatch({ type: 'set-placement', placement: { yaw: 90 } });
    expect([page.session.shown?.input.path, page.playing, canReload(page.session)]).toEqual(['pig.psk', 'Run', true]);
    pig.write(model('pig.psk', [...body, 'Ear']));
    walk.write(animation('pig.psa', ['Idle', 'Walk', 'Run'], [...body, 'Ear'], 61));
    await page.reload();
    expect([page.session.shown?.bones, page.titles, page.playing]).toEqual([9, ['Idle', 'Walk', 'Run'], 'Run']);
    expect(page.session.placement.yaw).toBe(90);
    expect(
      modelsIn(page.session.library)
        .map(({ input: { path } }) => path)
        .sort(),
    ).toEqual(['cow.psk', 'pig.psk']);
    // Reloaded files can be reloaded again.
    pig.write(model('pig.psk'));
    await page.reload();
    expect(page.session.shown?.bones).toBe(8);
    await page.openEntry('cow.psk');
    expect(page.session.shown?.bones).toBe(2);
  });

  test('keeps the parts of the character, which can be switched off as before', async () => {
    const body = onDisk(inputFile('body.psk', makePart({ covers: BODY })));
    const boots = onDisk(inputFile('boots.psk', makePart({ covers: BOOTS })));
    const hat = inputFile('hat.psk', makePart({ covers: ['Head'], size: 4 }));
    const page = await new TestSession().drop([body.input, boots.input, hat]);
    boots.write(inputFile('boots.psk', makePart({ covers: BOOTS, size: 9 })));
    await page.reload();
    const { shown, library, partChoices } = page.session;
    expect(shown!.parts.map(({ input: { path } }) => path)).toEqual(['boots.psk', 'hat.psk']);
    expect(partsOf(shown!.input, library, partChoices).map(({ entry, isOn }) => [entry.input.path, isOn])).toEqual([
      ['boots.psk', true],
      ['hat.psk', true],
    ]);
  });

  test('names a missing file and keeps the shown model', async () => {
    const pig = onDisk(model('pig.psk'));
    const page = await new TestSession().drop([pig.input, animation('pig.psa', ['Walk'])]);
    const before = page.session;
    pig.write(null);
    await expect(page.reload()).rejects.toMatchObject({ problem: { code: 'file-missing', name: 'pig.psk' } });
    expect(page.session).toBe(before);
  });

  test('names a file that was deleted before it was opened', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rigcast-gone-'));
    const path = join(folder, 'pig.psk');
    writeFileSync(path, makePsk({ bones: body }));
    const file = new File([await openAsBlob(path)], 'pig.psk');
    rmSync(folder, { recursive: true });
    await expect(new TestSession().drop([{ path: 'pig.psk', file }])).rejects.toMatchObject({
      problem: { code: 'file-missing', name: 'pig.psk' },
    });
  });

  test('is unavailable if no file can be read again', async () => {
    expect(canReload((await new TestSession().drop([model('pig.psk')])).session)).toBe(false);
    expect(canReload(emptySession)).toBe(false);
  });
});

describe('a drop', () => {
  test('of a model and animations starts its own and lists the others after it', async () => {
    const page = await new TestSession().drop([
      animation('aBarrel.psa', ['Roll'], ['Root', 'Lid']),
      animation('pig.psa', ['Walk']),
      model('pig.psk'),
    ]);
    expect([page.titles, page.playing]).toEqual([['Walk', 'Roll'], 'Walk']);
    expect(rowsOf(page.session).map(row => compatibilityIn(page.session, row.source)?.fits)).toEqual([true, false]);
  });

  test('of animations shows their skeleton, and a later model uses them', async () => {
    const page = await new TestSession().drop([animation('pig.psa', ['Walk'])]);
    expect([page.session.shown?.input.path, page.session.shown?.bones, page.playing]).toEqual(['pig.psa', 8, 'Walk']);
    await page.drop([model('pig.psk')]);
    expect([page.session.shown?.input.path, page.playing]).toEqual(['pig.psk', 'Walk']);
  });

  test('of an incompatible animation keeps the selection and adds advice', async () => {
    const page = await new TestSession().drop([model('pig.psk'), animation('pig.psa', ['Walk'])]);
    await page.drop([animation('bird.psa', ['Fly'], [...body, ...Array.from({ length: 24 }, (_, i) => `Feather ${i}`)])]);
    expect([page.playing, page.titles]).toEqual(['Walk', ['Walk', 'Fly']]);
    expect(adviceFor(page.session, null, false)).toContainEqual({ code: 'different-skeleton', name: 'bird.psa', found: 8, names: 32 });
  });

  test('of the same file again replaces its animations', async () => {
    const page = await new TestSession().drop([model('pig.psk'), animation('pig.psa', ['Walk'])]);
    await page.drop([animation('pig.psa', ['Walk', 'Run'])]);
    expect(page.titles).toEqual(['Walk', 'Run']);
  });

  test('of too many animations opens those named like its models', async () => {
    const zoo = ['Ape', 'Bee', 'Cow', 'Zebra'];
    const bonesOf = (beast: string): string[] => body.map(bone => `${bone} of ${beast}`);
    const files = [
      ...Array.from({ length: 120 }, (_, i) => animation(`Anims/Aaa${i}.psa`, ['Odd'], ['Odd', 'Bones'], 2)),
      ...zoo.map(beast => model(`Meshes/sk${beast}Mesh.psk`, bonesOf(beast))),
      ...zoo.flatMap(beast =>
        Array.from({ length: 90 }, (_, i) => animation(`Anims/${beast}_Walk_${i}.psa`, [`${beast} ${i}`], bonesOf(beast), 31)),
      ),
    ];
    const page = await new TestSession().drop(files);
    const open = (name: string): number => page.session.animationFiles.filter(({ input: { path } }) => path.includes(name)).length;
    expect(zoo.map(open)).toEqual([90, 90, 90, 30]);
    expect(open('Aaa')).toBe(0);
    expect(adviceFor(page.session, null, false)).toContainEqual({ code: 'too-many-animations', opened: 300, all: 480 });
    await page.openEntry('Meshes/skZebraMesh.psk');
    expect([open('Zebra'), page.playing]).toEqual([80, 'Zebra 0']);
    expect(page.session.library.filter(({ role }) => role === 'animation')).toHaveLength(480);
  });

  test('of unused companions adds a notice until they are assigned', async () => {
    const page = await new TestSession().drop([demo('Pip.psk'), demo('Pip.psa')]);
    const said = (): string[] => adviceFor(page.session, null, false).map(({ code }) => code);
    await page.drop([inputFile('notices.txt', 'notices')]);
    expect(adviceFor(page.session, null, false)).toContainEqual({ code: 'unused-companions', names: ['notices.txt'], areImages: false });
    await page.drop([demo('Pip_D.png')]);
    expect(said()).not.toContain('unused-companions');
    const image = demo('Tock_normal.png');
    await page.drop([image]);
    expect(adviceFor(page.session, null, false)).toContainEqual({ code: 'unused-companions', names: ['Tock_normal.png'], areImages: true });
    page.dispatch({
      type: 'assign-image',
      assignment: { path: 'Pip.psk', isShared: false, material: 'Pip', slot: 'normal', image: image.path },
    });
    expect(said()).not.toContain('unused-companions');
  });

  test('of a companion that replaces one of the same name adds no notice', async () => {
    const page = await new TestSession().drop([demo('Pip.psk'), demo('Pip_D.png')]);
    await page.drop([{ ...demo('Pip_D.png'), path: 'newer/Pip_D.png' }]);
    await page.drop([demo('Pip_D.png')]);
    expect(page.session.notices).toEqual([]);
  });

  test('of another model shows it and keeps the library', async () => {
    const page = await new TestSession().drop([model('pig.psk'), animation('pig.psa', ['Walk'])]);
    await page.drop([model('cow.psk', ['Cow', 'Horn', 'Bell'])]);
    expect([page.session.shown?.input.path, page.titles, page.playing]).toEqual(['cow.psk', ['Walk'], 'the rest pose']);
    expect(modelsIn(page.session.library).map(({ input: { path } }) => path)).toEqual(['pig.psk', 'cow.psk']);
    await page.openEntry('pig.psk');
    expect([page.session.shown?.input.path, page.playing]).toEqual(['pig.psk', 'Walk']);
  });

  test('of the same folder again lists everything once', async () => {
    const folder = (): InputFile[] => [
      model('pig.psk'),
      model('barrel.psk', ['Root', 'Lid', 'Rim']),
      animation('pig.psa', ['Walk', 'Run']),
    ];
    const page = await new TestSession().drop(folder());
    await page.drop(folder());
    expect([page.titles, page.session.library.map(({ input: { path } }) => path)]).toEqual([
      ['Walk', 'Run'],
      ['barrel.psk', 'pig.psk', 'pig.psa'],
    ]);
  });

  test('of several models reads all and shows the one with its own animations', async () => {
    const page = await new TestSession().drop([
      model('Meshes/aBarrel.psk', ['Root', 'Lid']),
      model('Meshes/pig.psk'),
      inputFile('Meshes/bad.psk', 'once upon a time'),
      animation('Anims/pig.psa', ['Walk']),
      inputFile('readme.txt', 'hello'),
    ]);
    expect([page.session.shown?.input.path, page.playing]).toEqual(['Meshes/pig.psk', 'Walk']);
    expect(page.session.library.map(({ input: { path }, role, facts }) => [path, role, facts && [facts.bones, facts.isDamaged]])).toEqual([
      ['Meshes/aBarrel.psk', 'model', [2, false]],
      ['Meshes/bad.psk', 'model', [0, true]],
      ['Meshes/pig.psk', 'model', [8, false]],
      ['Anims/pig.psa', 'animation', null],
      ['readme.txt', 'companion', null],
    ]);
  });

  test('another model keeps an animation that is also its own, and starts no incompatible one', async () => {
    const page = await new TestSession().drop([
      model('pig.psk'),
      model('sow.psk'),
      model('barrel.psk', ['Root', 'Lid', 'Rim']),
      animation('beasts.psa', ['Walk', 'Run']),
    ]);
    page.dispatch({ type: 'select', row: 1 });
    await page.openEntry('sow.psk');
    expect(page.playing).toBe('Run');
    await page.openEntry('barrel.psk');
    expect(page.playing).toBe('the rest pose');
  });

  test('of a model starts an idle animation of its own set, not a very short one', async () => {
    const page = await new TestSession().drop([model('pig.psk'), animation('pig.psa', ['Appear', 'Walk', 'Idle'])]);
    expect([page.titles, page.playing]).toEqual([['Appear', 'Walk', 'Idle'], 'Idle']);
    const twitches = await new TestSession().drop([model('pig.psk'), animation('pig.psa', ['Idle', 'Blink'], body, 14)]);
    expect([twitches.titles, twitches.playing]).toEqual([['Idle', 'Blink'], 'the rest pose']);
    const both = await new TestSession().drop([
      model('pig.psk'),
      animation('pig_blink.psa', ['Blink'], body, 14),
      animation('pig_roll.psa', ['Roll']),
    ]);
    expect(both.playing).toBe('Roll');
    // A short animation plays if it is dropped on a model, or if its file has only a skeleton and
    // nothing else to show.
    await twitches.drop([animation('pig_nod.psa', ['Nod'], body, 14)]);
    expect(twitches.playing).toBe('Nod');
    expect((await new TestSession().drop([animation('pig.psa', ['Idle'], body, 14)])).playing).toBe('Idle');
  });

  test('another model starts its own animation, even if the selected one fits', async () => {
    const page = await new TestSession().drop([
      model('M/skPigMesh.psk'),
      model('M/skPigletMesh.psk'),
      model('M/skSowMesh.psk'),
      animation('A/skPigAnims.psa', ['Walk', 'Run', 'Bend']),
      animation('A/skPigletAnims.psa', ['Run', 'Idle']),
    ]);
    await page.openEntry('M/skPigMesh.psk');
    page.dispatch({ type: 'select', row: 2 });
    expect(page.playing).toBe('Bend');
    await page.openEntry('M/skPigletMesh.psk');
    expect(page.playing).toBe('Idle');
    // The sow has no animation set of its own, so an animation that matches starts.
    page.dispatch({ type: 'select', row: 0 });
    await page.openEntry('M/skSowMesh.psk');
    expect(page.playing).toBe('Idle');
  });

  test('of the parts of a character shows each part once and animates all of them', async () => {
    const part = (name: string, covers: readonly string[], size = 8): InputFile => inputFile(name, makePart({ covers, size }));
    const headless = BODY.filter(name => name !== 'Head');
    const page = await new TestSession().drop([
      part('SK_Boots.psk', BOOTS),
      part('SK_Head_Lod1.psk', ['Head']),
      part('SK_Head_Lod2.psk', ['Head'], 7),
      part('SK_Body.psk', headless, 12),
      part('SK_Twin.psk', headless),
      inputFile('Rock.psk', makePsk({ bones: ['Stone', 'Moss', 'Lid'], side: 10 })),
      inputFile('Walk.psa', makeWalk({ sequences: ['Walk'] })),
    ]);
    const standing = (): [string, string[]] => [page.session.shown!.input.path, page.model!.parts.map(({ input: { path } }) => path)];
    expect(standing()).toEqual(['SK_Body.psk', ['SK_Boots.psk', 'SK_Head_Lod1.psk']]);
    expect(page.model!.parts.map(({ rig }) => rig.scene.parent)).toEqual([null, null]);
    const played = new LayeredAction(page.model!, page.session.animationFiles[0]!, [0], 'auto', false);
    const poses = (): number[][] => wholeCharacter(page.model!).map(({ bones }) => bones[0]!.position.toArray());
    const rest = poses();
    played.seek(0.5);
    expect(poses().every((pose, at) => String(pose) !== String(rest[at]))).toBe(true);
    played.stop();
    expect(poses()).toEqual(rest);
    // Parts can be shown alone. When the character is shown again, it has all its parts.
    await page.openEntry('SK_Boots.psk');
    expect(standing()).toEqual(['SK_Boots.psk', []]);
    await page.openEntry('SK_Twin.psk');
    expect(standing()).toEqual(['SK_Twin.psk', []]);
    await page.openEntry('SK_Body.psk');
    expect(standing()[1]).toEqual(['SK_Boots.psk', 'SK_Head_Lod1.psk']);
    // A part that is dropped later is added to the shown character. Another complete character is
    // not added and does not take over parts.
    await page.drop([part('SK_Hat.psk', ['Head', 'Spine'], 3)]);
    expect(standing()).toEqual(['SK_Body.psk', ['SK_Boots.psk', 'SK_Hat.psk', 'SK_Head_Lod1.psk']]);
    await page.drop([part('Other.psk', headless, 14)]);
    expect(standing()).toEqual(['Other.psk', []]);
    await page.openEntry('SK_Body.psk');
    expect(standing()[1]).toEqual(['SK_Boots.psk', 'SK_Hat.psk', 'SK_Head_Lod1.psk']);
  });

  test('can be undone completely', async () => {
    const page = await new TestSession().drop([demo('Pip.psk'), demo('Pip.psa')]);
    const before = page.dispatch({ type: 'select', row: 1 }).session;
    await page.drop([model('pig.psk')]);
    await page.undoTo(before);
    expect([page.session.shown?.input.path, page.playing]).toEqual(['Pip.psk', 'Hop']);
    expect(page.model!.file).toBe(before.shown!.file);
    expect(page.session.library).toBe(before.library);
  });

  test('is kept for undo within the limits', async () => {
    const { session } = await new TestSession().drop([model('pig.psk')]);
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

  test('of textures rebuilds the model with them', async () => {
    const page = await new TestSession().drop([demo('Pip.psk'), demo('Pip.psa')]);
    const first = page.model;
    expect(page.advice).toEqual(['missing-textures']);
    page.dispatch({ type: 'select', row: 1 });
    await page.drop([demo('Pip_D.png')]);
    expect([page.model === first, page.playing]).toEqual([false, 'Hop']);
    expect(page.session.shown!.file).toBe(page.model!.file);
  });

  test('of a truncated file adds its advice first', async () => {
    const whole = demo('Pip.psk');
    const half = new File([await whole.file.slice(0, 90_000).arrayBuffer()], 'Pip.psk');
    const page = await new TestSession().drop([{ path: 'Pip.psk', file: half }]);
    expect(page.advice[0]).toBe('truncated');
  });

  test('of a truncated animation adds its advice only to models with its bones', async () => {
    const cut = ({ path, file }: LocalInput): LocalInput => ({ path, file: new File([file.slice(0, file.size - 100)], path) });
    const bird = ['Perch', 'Wing L', 'Wing R', 'Beak'];
    const half = cut(animation('half.psa', ['Fly'], bird));
    const page = await new TestSession().drop([model('cow.psk'), model('pig.psk'), model('bird.psk', bird), half]);
    await page.openEntry('pig.psk');
    expect(page.advice).not.toContain('truncated');
    expect(relevantSources(page.session)).toEqual([]);
    await page.openEntry('bird.psk');
    expect(page.advice).toContain('truncated');
    // A file that is added to the shown model gets an answer.
    const other = await new TestSession().drop([model('pig.psk')]);
    await other.drop([half]);
    expect(other.advice).toContain('truncated');
  });

  test('of some unreadable animations adds a notice', async () => {
    const page = await new TestSession().drop([model('pig.psk'), animation('pig.psa', ['Walk']), inputFile('bad.psa', 'once upon a time')]);
    expect(page.session.notices).toEqual([{ code: 'unreadable-animations', names: ['bad.psa'] }]);
    expect(page.steps).toContainEqual({ code: 'opening-animations', at: 1, of: 2 });
  });

  test('of one unreadable animation adds a notice, and is refused if nothing else is open', async () => {
    const bad = inputFile('bad.psa', 'once upon a time');
    const page = await new TestSession().drop([model('pig.psk'), animation('pig.psa', ['Walk'])]);
    await page.drop([model('cow.psk'), bad]);
    expect(page.session.notices).toContainEqual({ code: 'unreadable-animations', names: ['bad.psa'] });
    const alone = await new TestSession().drop([model('pig.psk'), bad]);
    expect(alone.session.shown!.input.path).toBe('pig.psk');
    expect(alone.session.notices).toContainEqual({ code: 'unreadable-animations', names: ['bad.psa'] });
    const refusal = { problem: { code: 'unknown', name: 'bad.psa' } };
    await expect(alone.drop([bad])).rejects.toMatchObject(refusal);
    await expect(new TestSession().drop([bad])).rejects.toMatchObject(refusal);
  });

  test('of identical animation files opens them once per name', async () => {
    const walk = animation('a/pig.psa', ['Walk']);
    const same = (path: string): InputFile => ({ path, file: new File([walk.file], path.split('/').at(-1)!) });
    const page = await new TestSession().drop([model('pig.psk'), walk, same('b/pig.psa'), same('b/sow.psa')]);
    expect(page.session.animationFiles.map(({ input: { file } }) => file.name).filter(name => name.endsWith('.psa'))).toEqual([
      'pig.psa',
      'sow.psa',
    ]);
  });

  describe('of an animation file with the name of an open one', () => {
    /** Paths and titles of the open animations. */
    const open = ({ session }: TestSession): string[] =>
      rowsOf(session)
        .map(row => `${row.source.input.path} ${titleOf(row)}`)
        .toSorted();
    const listed = ({ session }: TestSession): string[] =>
      session.library.filter(({ role }) => role === 'animation').map(({ input: { path } }) => path);
    const withWalk = () => new TestSession().drop([model('pig.psk'), animation('walk/anim.psa', ['Walk'])]);

    test('from another folder keeps both', async () => {
      const page = await (await withWalk()).drop([animation('run/anim.psa', ['Runs'])]);
      expect([open(page), page.playing]).toEqual([['run/anim.psa Runs', 'walk/anim.psa Walk'], 'Runs']);
    });

    test('from the same folder replaces it', async () => {
      const page = await (await withWalk()).drop([animation('walk/anim.psa', ['Wade'])]);
      expect([open(page), listed(page)]).toEqual([['walk/anim.psa Wade'], ['walk/anim.psa']]);
    });

    test('from another folder with the same content replaces it', async () => {
      const page = await (await withWalk()).drop([animation('copy/anim.psa', ['Walk'])]);
      expect([open(page), listed(page)]).toEqual([['copy/anim.psa Walk'], ['walk/anim.psa', 'copy/anim.psa']]);
    });

    test('without a folder replaces it, unless several open files have the name', async () => {
      const page = await withWalk();
      await page.drop([animation('anim.psa', ['Walk', 'Wade'])]);
      expect([open(page), listed(page)]).toEqual([['anim.psa Wade', 'anim.psa Walk'], ['anim.psa']]);
      await page.drop([animation('anim.psa', ['Wade'])]);
      expect([open(page), listed(page)]).toEqual([['anim.psa Wade'], ['anim.psa']]);
      await page.drop([animation('run/anim.psa', ['Runs']), animation('jog/anim.psa', ['Jogs'])]);
      await page.drop([animation('anim.psa', ['Swim'])]);
      expect(open(page)).toEqual(['anim.psa Swim', 'jog/anim.psa Jogs', 'run/anim.psa Runs']);
    });
  });

  test('of a weapon attaches it to the bone of its root, unless something is attached there or it is attached elsewhere', async () => {
    const arms = inputFile('arms.psk', makePsk({ bones: ['tag_view', 'arm', 'hand', 'j_gun'] }));
    const gun = inputFile('gun.psk', makePsk({ bones: ['j_gun', 'bolt', 'muzzle'] }));
    const page = await new TestSession().drop([arms, gun]);
    expect(page.session.shown!.input.path).toBe('arms.psk');
    const bone = (name: string): number => page.session.shown!.file.scene!.nodes.names.indexOf(name);
    const attachments = { parent: 'arms.psk', node: bone('j_gun'), path: 'gun.psk' };
    expect(page.session.attachments).toEqual([attachments]);
    await page.drop([arms, gun]);
    expect(page.session.attachments).toEqual([attachments]);
    const moved = { ...attachments, node: bone('hand') };
    page.session = { ...page.session, attachments: [moved] };
    await page.drop([arms, gun]);
    expect(page.session.attachments).toEqual([moved]);
  });

  test('that can’t be shown is refused with a code and changes nothing', async () => {
    const page = await new TestSession().drop([model('pig.psk')]);
    const before = page.session.shown;
    await expect(page.drop([inputFile('broken.psk', 'once upon a time')])).rejects.toMatchObject({
      problem: { code: 'unknown', name: 'broken.psk' },
    });
    await expect(new TestSession().drop([])).rejects.toMatchObject({ problem: { code: 'no-files' } });
    expect(page.session.shown).toBe(before);
  });

  test('of companions alone is refused, but they are kept for their model', async () => {
    const page = new TestSession();
    await expect(page.drop([demo('Pip_D.png')])).rejects.toMatchObject({ problem: { code: 'only-companions', names: ['Pip_D.png'] } });
    await page.drop([demo('Pip.psk')]);
    expect(page.session.shown!.untexturedMaterials).toEqual([]);
  });
});

describe('the session', () => {
  test('is immutable: actions return a new session', async () => {
    const page = await new TestSession().drop([model('pig.psk'), animation('pig.psa', ['Walk', 'Run'])]);
    const frozen = Object.freeze(page.session);
    const before = structuredClone({ selected: frozen.selected, viewSettings: frozen.viewSettings, animationMode: frozen.animationMode });
    const actions: Action[] = [
      { type: 'select', row: 1 },
      { type: 'select', row: 99 },
      { type: 'set-animation-mode', animationMode: 'additive' },
      { type: 'lock-root', isLocked: true },
      { type: 'set-view', settings: { bones: true } },
      { type: 'dismiss', advice: 'x' },
      { type: 'set-companion-files', companionFiles: frozen.companionFiles.with([inputFile('a.png', '')]) },
      { type: 'close' },
    ];
    const made = actions.map(action => reduce(frozen, action));
    expect(made.map(({ selected }) => selected).slice(0, 2)).toEqual([1, -1]);
    expect(made.at(-1)).toEqual(emptySession);
    expect({ selected: frozen.selected, viewSettings: frozen.viewSettings, animationMode: frozen.animationMode }).toEqual(before);
    expect(made[6]!.companionFiles.size).toBe(frozen.companionFiles.size + 1);
    expect(frozen.companionFiles.find('a.png')).toBeNull();
  });

  test('keeps view settings when it is closed', () => {
    const looked = reduce(emptySession, { type: 'set-view', settings: { wireframe: true } });
    expect(reduce(looked, { type: 'close' }).viewSettings).toEqual({ ...emptySession.viewSettings, wireframe: true });
  });

  test('keeps advice dismissed until another model is shown', async () => {
    const page = await new TestSession().drop([demo('Pip.psk'), demo('Pip.psa')]);
    const [advice] = adviceFor(page.session, null, false);
    page.dispatch({ type: 'dismiss', advice: keyOf(advice!) }).dispatch({ type: 'select', row: 1 });
    expect(page.session.dismissed).toEqual(new Set([keyOf(advice!)]));
    await page.drop([demo('Pip.psk')]);
    expect(page.session.dismissed.size).toBe(0);
  });
});
