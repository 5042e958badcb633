// Tests rules of the session that comments describe. Each test compares the result of a function
// with the expected value.
import { describe, expect, test } from 'vitest';
import { overlayOf } from '../../../web/src/session/layeredAction.ts';
import type { RigFile } from '../../../web/src/core/open.ts';
import { emptyReport } from '../../../web/src/core/report.ts';
import type { Clip, RigScene } from '../../../web/src/core/types.ts';
import type { InputFile } from '../../../web/src/session/inputFile.ts';
import { withStep } from '../../../web/src/session/history.ts';
import { similarFiles, mostSimilar } from '../../../web/src/session/nameSimilarity.ts';
import { scoreOf, type LibraryEntry } from '../../../web/src/session/library.ts';
import { compatibilityOf } from '../../../web/src/session/layeredAction.ts';
import { sourceModelIn } from '../../../web/src/session/retargeting.ts';
import { offeredIn, type PartChoice, type PartOf, partsOf, withChoices, withParts } from '../../../web/src/session/parts.ts';
import { isLooped, ownRowWithTitle, rowsOf, titleOf } from '../../../web/src/session/animationRows.ts';
import { defaultPlacement } from '../../../web/src/session/viewSettings.ts';
import { assignmentsFor, choicesFor, type ImageAssignment, withAssignment } from '../../../web/src/session/imageAssignments.ts';
import { canReload, emptySession, type Session } from '../../../web/src/session/session.ts';
import { type Action, reduce } from '../../../web/src/session/reduce.ts';
import { CompanionFiles } from '../../../web/src/session/companionFiles.ts';
import type { ShownModel, OpenedFile } from '../../../web/src/session/openedFile.ts';
import { armScene, clip, f32, track } from '../../support/armScene.ts';

const inputFile = (path: string): InputFile => ({ path, file: new File([''], path.split('/').at(-1)!) });
const fileOf = (name: string, scene: RigScene): RigFile => ({
  ...({} as RigFile),
  name,
  format: 'psk',
  scene,
  report: emptyReport(),
  needs: [],
  byteLength: 1,
});
const bend = (name: string, seconds = 1): Clip =>
  clip(name, seconds, ...['up/per', 'low.er'].map(target => track({ target, path: 'rotation', times: f32(0), values: f32(0, 0, 0, 1) })));
const set = (path: string, ...clips: Clip[]): OpenedFile => ({
  input: inputFile(path),
  file: fileOf(path, armScene({ renderers: [], clips })),
});
function shownAs(path: string, over: Partial<RigScene> = {}): ShownModel {
  const file = fileOf(path, armScene({ clips: [], ...over }));
  return {
    input: inputFile(path),
    file,
    parts: [],
    bones: 2,
    hasNoSurface: false,
    untexturedMaterials: [],
    missingFiles: [],
    unusedImages: [],
  };
}
const opening = (shown: ShownModel, animationFiles: readonly OpenedFile[], over: Partial<Action & { type: 'open' }> = {}): Action => ({
  type: 'open',
  shown,
  animationFiles,
  companionFiles: new CompanionFiles(),
  notices: [],
  demo: null,
  pending: null,
  library: [],
  attachments: [],
  partChoices: [],
  keepsAnimation: false,
  ...over,
});
const joining = (session: Session, animationFiles: readonly OpenedFile[], added: readonly OpenedFile[]): Action => ({
  type: 'join',
  shown: session.shown,
  animationFiles,
  added,
  companionFiles: session.companionFiles,
  notices: [],
  demo: null,
  library: [],
});
const playing = (session: Session): string => {
  const row = rowsOf(session)[session.selected];
  return row ? titleOf(row) : 'the rest pose';
};
const open = (shown: ShownModel, ...animationFiles: OpenedFile[]): Session => reduce(emptySession, opening(shown, animationFiles));

describe('undo', () => {
  test('restores everything except view settings, loop mode and root lock', () => {
    const before = open(shownAs('pig.psk'), set('pig.psa', bend('Walk')));
    const now = [
      { type: 'set-view', settings: { wireframe: true } },
      { type: 'set-loop-mode', loopMode: 'once' },
      { type: 'lock-root', isLocked: true },
      { type: 'select', row: -1 },
      { type: 'close' },
    ].reduce((session, action) => reduce(session, action as Action), before);
    const back = reduce(now, { type: 'restore', session: before });
    expect([back.viewSettings.wireframe, back.loopMode, back.isRootLocked]).toEqual([true, 'once', true]);
    expect([back.shown, playing(back)]).toEqual([before.shown, 'Walk']);
  });

  test('keeps 20 steps or 256 MB, and at least one step', () => {
    const sized = (byteLength: number): Session => {
      const session = open(shownAs('pig.psk'));
      return { ...session, shown: { ...session.shown!, file: { ...session.shown!.file, byteLength } } };
    };
    const many = Array.from({ length: 30 }, () => sized(1));
    expect(withStep(many, sized(1))).toHaveLength(20);
    expect(withStep([sized(200e6), sized(50e6)], sized(5e6))).toHaveLength(3);
    expect(withStep([sized(200e6), sized(52e6)], sized(5e6))).toHaveLength(2);
    expect(withStep([], sized(500e6))).toHaveLength(1);
  });
});

describe('closing', () => {
  test('keeps the animation mode, view settings, loop mode, assigned images, part choices and attachments', () => {
    const imageAssignments: ImageAssignment = { path: 'pig.psk', isShared: false, material: 'Skin', slot: 'baseColor', image: 'a.png' };
    const kept: Partial<Session> = {
      animationMode: 'rotation-only',
      isRootLocked: true,
      viewSettings: { ...emptySession.viewSettings, wireframe: true },
      loopMode: 'once',
      imageAssignments: [imageAssignments],
      attachments: [{ parent: 'pig.psk', node: 1, path: 'hat.psk' }],
      partChoices: [{ lead: 'pig.psk', part: 'hat.psk', isOn: false }],
    };
    const full = { ...open(shownAs('pig.psk'), set('pig.psa', bend('Walk'))), ...kept, beside: ['cow.psk'] };
    expect(reduce(full, { type: 'close' })).toEqual({ ...emptySession, ...kept });
  });
});

describe('another model', () => {
  const before: Session = {
    ...open(shownAs('pig.psk'), set('pig.psa', bend('Walk'))),
    placement: { ...defaultPlacement, yaw: 90 },
    dismissed: new Set(['advice']),
  };
  const [row] = rowsOf(before);

  test('resets the placement, but keeps it for another model of the library', () => {
    const next = (keepsAnimation: boolean): Session => reduce(before, opening(shownAs('cow.psk'), [], { keepsAnimation: keepsAnimation }));
    expect([next(false).placement.yaw, next(true).placement.yaw]).toEqual([0, 90]);
  });

  test('clears dismissed advice, overlay and ghost', () => {
    const busy = { ...before, overlay: overlayOf(row!), ghost: row!, incompatible: [row!.source] };
    const next = reduce(busy, opening(shownAs('cow.psk'), before.animationFiles));
    expect([next.dismissed.size, next.overlay, next.ghost, next.incompatible, next.animationMode]).toEqual([0, null, null, [], 'auto']);
  });

  test('replaces retargeted animations by the originals', () => {
    const [source] = before.animationFiles;
    const retargeted: OpenedFile = {
      ...source!,
      file: { ...source!.file },
      retargeted: { original: source!, madeFor: 'x', from: source!.file.scene!, method: 'names', pairing: '', bones: 1, pairs: [] },
    };
    const moved = reduce(before, { type: 'replace', source: source!, replacement: retargeted, indices: [0] });
    expect([moved.animationFiles, playing(moved)]).toEqual([[retargeted], 'Walk']);
    expect(reduce(moved, opening(shownAs('cow.psk'), moved.animationFiles)).animationFiles).toEqual([source]);
  });

  test('keeps an animation of another set on reload, but not for another model', () => {
    const foreign = set('A/sowAnims.psa', bend('Bend'));
    const library = ['M/pigMesh.psk', 'M/sowMesh.psk'].map((path): LibraryEntry => ({
      input: inputFile(path),
      role: 'model',
      companionFiles: new CompanionFiles(),
      facts: null,
    }));
    const own = set('A/pigAnims.psa', bend('Walk'));
    const first = reduce(emptySession, opening(shownAs('M/pigMesh.psk'), [own, foreign], { library }));
    const bent = reduce(first, { type: 'select', row: rowsOf(first).findIndex(each => titleOf(each) === 'Bend') });
    const step = (path: string): string => playing(reduce(bent, opening(shownAs(path), [own, foreign], { library, keepsAnimation: true })));
    expect([step('M/pigMesh.psk'), step('M/sowMesh.psk'), step('M/cowMesh.psk')]).toEqual(['Bend', 'Bend', 'Walk']);
  });

  test('drops an animation on reload that no longer fits', () => {
    const other = armScene().nodes;
    const changed = shownAs('pig.psk', { nodes: { ...other, names: ['', 'a', 'b', 'c'] } });
    expect(playing(reduce(before, opening(changed, before.animationFiles, { keepsAnimation: true })))).toBe('the rest pose');
  });
});

describe('compatibility of animations', () => {
  const shown = shownAs('pig.psk');
  const elsewhere = track({ target: 'wing', path: 'rotation', times: f32(0), values: f32(0, 0, 0, 1) });

  test('fits without curves, or if the file is the model’s own', () => {
    expect(compatibilityOf(shown, set('empty.psa', clip('Still', 1))).fits).toBe(true);
    expect(compatibilityOf(shown, set('bird.psa', clip('Fly', 1, elsewhere))).fits).toBe(false);
    const own = compatibilityOf(shown, { ...set('pig.psk', clip('Fly', 1, elsewhere)), input: shown.input });
    expect([own.fits, own.rank]).toEqual([true, 1]);
  });

  test('scores models with their own or matching animations highest, then by vertices', () => {
    const best = (model: ShownModel, ...animationFiles: OpenedFile[]): number => scoreOf(model, animationFiles).best;
    const mesh = armScene();
    expect(best(shownAs('pig.vgo', { ...mesh, clips: [bend('Walk')] }))).toBe(1);
    expect(best(shownAs('pig.vgo', { ...mesh, clips: [] }))).toBe(0);
    expect(best(shown, set('pig.psa', bend('Walk')))).toBeGreaterThan(best(shown, set('bird.psa', clip('Fly', 1, elsewhere))));
    expect(scoreOf(shownAs('pig.vgo', { ...mesh, clips: [] }), []).vertices).toBe(6);
  });

  test('finds the source model with the most matching bones, at least two thirds', () => {
    const bones = (...names: string[]): LibraryEntry['facts'] =>
      ({ model: { bones: new Map(names.map(name => [name, [0, 0, 0]])) } }) as unknown as LibraryEntry['facts'];
    const library = (['two.psk', 'three.psk', 'one.psk'] as const).map((path, i): LibraryEntry => ({
      input: inputFile(path),
      role: 'model',
      companionFiles: new CompanionFiles(),
      facts: bones(...['a', 'b', 'c'].slice(0, [2, 3, 1][i])),
    }));
    const clips = [
      clip('Go', 1, ...['A', 'B', 'C'].map(target => track({ target, path: 'rotation', times: f32(0), values: f32(0, 0, 0, 1) }))),
    ];
    const owner = (entries: readonly LibraryEntry[]): string | undefined => sourceModelIn(entries, clips)?.input.path;
    expect([owner(library), owner(library.slice(0, 1)), owner(library.slice(2))]).toEqual(['three.psk', 'two.psk', undefined]);
  });
});

describe('joining animations', () => {
  const own = set('pig.psa', bend('Walk'), bend('Run'));
  const before = reduce(open(shownAs('pig.psk'), own), { type: 'select', row: 1 });
  const foreign = set(
    'bird.psa',
    clip('Fly', 1, ...['a', 'b', 'c', 'd'].map(target => track({ target, path: 'rotation', times: f32(0), values: f32(0, 0, 0, 1) }))),
  );

  test('keeps the selection if they were made for another skeleton, and lists them as incompatible', () => {
    const next = reduce(before, joining(before, [own, foreign], [foreign]));
    expect([playing(next), next.incompatible]).toEqual(['Run', [foreign]]);
    const same = set('more/pig.psa', bend('Run'));
    expect(rowsOf(reduce(before, joining(before, [same, own, foreign], [foreign])))).toHaveLength(4);
    const again = reduce(before, joining(before, [same, own, foreign], [foreign]));
    expect(rowsOf(again)[again.selected]!.source).toBe(own);
  });

  test('keeps overlay and ghost while their file is open', () => {
    const [row] = rowsOf(before);
    const busy = { ...before, overlay: overlayOf(row!), ghost: row! };
    const kept = reduce(busy, joining(busy, [own, foreign], [foreign]));
    expect([kept.overlay, kept.ghost]).toEqual([busy.overlay, busy.ghost]);
    const gone = reduce(busy, joining(busy, [foreign], [foreign]));
    expect([gone.overlay, gone.ghost]).toEqual([null, null]);
  });
});

describe('the list of animations', () => {
  test('lists animations that fit best first, others in their order', () => {
    const some = clip('Some', 1, track({ target: 'up/per', path: 'rotation', times: f32(0), values: f32(0, 0, 0, 1) }));
    const session = open(
      shownAs('pig.psk'),
      set('a.psa', some),
      set('b.psa', bend('B')),
      set('c.psa', bend('C')),
      set('pig.psa', bend('Pig')),
    );
    expect(rowsOf(session).map(titleOf)).toEqual(['Pig', 'B', 'C', 'Some']);
  });

  test('combines autoplay clips into one row, which starts even if it is short', () => {
    const features = [0, 1].map(at => ({ kind: 'animation', node: at, name: '', properties: { playAutomatically: true, clip: at } }));
    const shown = shownAs('scene.vgo', { clips: [bend('Door', 0.1), bend('Fan', 0.2), bend('Idle')], features });
    const session = open(shown, { input: shown.input, file: shown.file });
    expect([rowsOf(session)[0]!.indices, rowsOf(session).length, session.selected]).toEqual([[0, 1], 4, 0]);
    const still = shownAs('scene.vgo', { clips: [bend('Door', 0), bend('Fan', 0), bend('Idle')], features });
    expect(playing(open(still, { input: still.input, file: still.file }))).toBe('Idle');
    // Clips that another file plays automatically stay separate rows.
    const other = set('other.vgo', bend('Door'), bend('Fan'));
    const both = open(shownAs('pig.psk'), { ...other, file: { ...other.file, scene: { ...other.file.scene!, features } } });
    expect(rowsOf(both)).toHaveLength(2);
  });

  test('finds a row by title in the model’s own set, case-insensitive', () => {
    const session = open(shownAs('pig.psk'), set('pig.psa', bend('WALK')), set('cow.psa', bend('Run')));
    expect([ownRowWithTitle(session, 'walk'), ownRowWithTitle(session, 'Run')]).toEqual([0, -1]);
  });

  test('selects nothing beyond its end', () => {
    const session = open(shownAs('pig.psk'), set('pig.psa', bend('Walk')));
    expect([reduce(session, { type: 'select', row: 7 }).selected, reduce(session, { type: 'select', row: 0 }).selected]).toEqual([-1, 0]);
  });
});

test.each([
  ['on', { loop: false }, false, true],
  ['once', { loop: true }, true, false],
  ['file', { loop: true }, false, true],
  ['file', { loop: false }, false, false],
  ['file', { loop: false }, true, true],
  ['file', null, false, false],
] as const)('loop mode %s, clip %j, recording %j: looped %j', (loopMode, clip, isRecording, isOn) => {
  expect(isLooped(loopMode, clip, isRecording)).toBe(isOn);
});

test('replaces an assigned image of the same slot, and removes its notice', () => {
  const put = (session: Session, material: string, slot: string, name: string): Session =>
    reduce(session, { type: 'assign-image', assignment: { path: 'pig.psk', isShared: false, material, slot, image: name } });
  const notices = [
    { code: 'unused-companions', names: ['a.png', 'b.png'], areImages: true } as const,
    { code: 'unused-companions', names: ['c.png'], areImages: true } as const,
  ];
  let session: Session = { ...emptySession, notices };
  for (const [material, slot, name] of [
    ['Skin', 'normal', 'a.png'],
    ['Skin', 'baseColor', 'd.png'],
    ['Eye', 'normal', 'e.png'],
    ['Skin', 'normal', 'b.png'],
  ] as const)
    session = put(session, material, slot, name);
  expect(session.imageAssignments.map(({ image }) => image)).toEqual(['d.png', 'e.png', 'b.png']);
  expect(session.notices).toEqual([notices[1]]);
});

describe('assigned images', () => {
  const to = (path: string, slot: string, image: string, isShared = false): ImageAssignment => ({
    path,
    isShared,
    material: 'Skin',
    slot,
    image,
  });
  const imagesOf = (all: readonly ImageAssignment[], path: string): string[] => assignmentsFor(all, path).map(({ image }) => image);

  test('are used for all models of a folder if they are shared, and a model’s own image overrides them', () => {
    const all = [to('game/pig/own.psk', 'baseColor', 'own.png'), to('game/pig/pig.psk', 'baseColor', 'all.png', true)];
    expect(imagesOf(all, 'game/pig/own.psk')).toEqual(['own.png']);
    expect(imagesOf(all, 'game/cow/cow.psk')).toEqual(['all.png']);
    expect(imagesOf(all, 'other/cow.psk')).toEqual([]);
    expect(imagesOf([to('pig.psk', 'baseColor', 'all.png')], 'cow.psk')).toEqual([]);
  });

  test('replace each other by channel', () => {
    let all: readonly ImageAssignment[] = [];
    for (const [slot, image] of [
      ['orm', 'orm.png'],
      ['packed:---m', 'mask.tga'],
      ['gloss', 'gloss.png'],
    ] as const)
      all = withAssignment(all, to('pig.psk', slot, image));
    expect(all.map(({ slot, image }) => [slot, image])).toEqual([
      ['occlusion', 'orm.png'],
      ['packed:---m', 'mask.tga'],
      ['gloss', 'gloss.png'],
    ]);
  });

  test('are found by path, then by name, and left out if they are missing', () => {
    const files = ['a/skin.png', 'b/skin.png'].map(path => ({ path, file: new File([path], 'skin.png') }));
    const companions = new CompanionFiles().with(files);
    const bytesOf = (image: string): unknown[] =>
      choicesFor([to('b/pig.psk', 'normal', image)], 'b/pig.psk', companions).map(one => one.image.bytes);
    expect(bytesOf('a/skin.png')).toEqual([files[0]!.file]);
    expect(bytesOf('moved/skin.png')).toEqual([files[1]!.file]);
    expect(bytesOf('hair.png')).toEqual([]);
  });
});

test('can’t reload a demo or files without a reread function', () => {
  const reread = async (): Promise<File> => new File([''], 'pig.psk');
  const entry = (more: Partial<InputFile>): LibraryEntry => ({
    input: { ...inputFile('pig.psk'), ...more },
    role: 'model',
    companionFiles: new CompanionFiles(),
    facts: null,
  });
  expect(canReload({ ...emptySession, library: [entry({}), entry({ reread })] })).toBe(true);
  expect(canReload({ ...emptySession, library: [entry({ reread })], demo: 'pip' })).toBe(false);
  expect(canReload({ ...emptySession, library: [entry({})] })).toBe(false);
});

describe('mostSimilar', () => {
  const names = (files: readonly InputFile[]): string[] => files.map(({ path }) => path);

  test('keeps the most similar files in their order', () => {
    const files = ['Zebra_Run.psa', 'Ape_Run.psa', 'Cow_Run.psa', 'Zebra_Walk.psa'].map(inputFile);
    expect(names(mostSimilar(files, [inputFile('Zebra.psk')], 2))).toEqual(['Zebra_Run.psa', 'Zebra_Walk.psa']);
    expect(mostSimilar(files, [inputFile('Zebra.psk')], 4)).toBe(files);
    expect(names(similarFiles(files, [inputFile('Cow.psk')], 4))).toEqual(['Cow_Run.psa']);
  });
});

describe('CompanionFiles', () => {
  const file = (path: string): InputFile => inputFile(path);
  const companionFiles = new CompanionFiles().with([file('a/skin.png'), file('b/skin.png'), file('b/other.vgk'), file('readme.txt')]);
  const key = { kind: 'key', name: 'hero.vgk', required: true } as const;

  test('finds files by name, case-insensitive, nearest folder first', () => {
    expect(companionFiles.find('SKIN.png', 'b/hero.psk')).toBe(companionFiles.list().find(({ path }) => path === 'b/skin.png')!.file);
    expect(companionFiles.find('x/y/skin.PNG', 'a/hero.psk')).toBe(companionFiles.list().find(({ path }) => path === 'a/skin.png')!.file);
    expect([...companionFiles.files('b/hero.psk').keys()].slice(0, 2)).toEqual(['b/skin.png', 'b/other.vgk']);
  });

  test('replaces a file of the same path', () => {
    expect(companionFiles.with([file('a/skin.png')]).list()).toHaveLength(4);
  });

  test('accepts a key of another name if it is the only one', async () => {
    const found = async (on: CompanionFiles, need: { kind: string; name: string; required: boolean }): Promise<boolean> =>
      (await (on.resolver('hero.vgo') as (need: unknown) => Promise<Uint8Array | null>)(need)) !== null;
    expect(await found(companionFiles, key)).toBe(true);
    expect(await found(companionFiles.with([file('third.vgk')]), key)).toBe(false);
    expect(await found(companionFiles, { ...key, kind: 'resource', name: 'hero.vgk' })).toBe(false);
    expect(await found(new CompanionFiles().withAssigned(key, new File(['k'], 'anything')), key)).toBe(true);
  });
});

describe('part choices', () => {
  const choice = (lead: string, part: string, isOn: boolean): PartChoice => ({ lead, part, isOn });

  test('replaces older choices for the same part of the same model', () => {
    const older = [choice('a', 'x', true), choice('a', 'y', true), choice('b', 'x', true)];
    expect(withChoices(older, [choice('a', 'x', false)])).toEqual([older[1], older[2], choice('a', 'x', false)]);
  });

  const entryOf = (path: string, role: LibraryEntry['role'] = 'model'): LibraryEntry => ({
    input: inputFile(path),
    role,
    companionFiles: new CompanionFiles(),
    facts: null,
  });

  test('keeps a part off that is dropped again', () => {
    const library = ['a.psk', 'x.psk', 'y.psk'].map(path => entryOf(path));
    const [lead, x, y] = library.map(each => each.input);
    const off = [choice('a.psk', 'x.psk', false)];
    expect(withParts(lead!, [x!, y!], library, off)).toEqual([...off, choice('a.psk', 'y.psk', true)]);
  });

  test('offers all parts that can be added together, without alternatives', () => {
    const part = (path: string, code: string | null, isOn = false): PartOf => ({
      entry: entryOf(path),
      isOn,
      doubt: code === null ? null : ({ code } as PartOf['doubt']),
    });
    const parts = [part('boots.psk', 'size'), part('shoes.psk', 'alternative'), part('hat.psk', 'size', true), part('head.psk', null)];
    expect(offeredIn(parts).map(({ entry }) => entry.input.path)).toEqual(['boots.psk']);
  });

  test('apply only to their own model', () => {
    const models = ['a.psk', 'b.psk', 'x.psk'].map((path): LibraryEntry => ({
      input: inputFile(path),
      role: 'model',
      companionFiles: new CompanionFiles(),
      facts: null,
    }));
    const on = (lead: number): string[] =>
      partsOf(models[lead]!.input, models, [choice('a.psk', 'x.psk', true)]).map(({ entry }) => entry.input.path);
    expect([on(0), on(1)]).toEqual([['x.psk'], []]);
  });
});
