// Tests the conversion report: its codes and entries, and which entries `strict` rejects.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ConversionError, type Conversion, convert, conversionCodes, LossError } from '../../../web/src/convert/index.ts';
import { isRefused, reportOf, summarized } from '../../../web/src/convert/losses.ts';
import { allCodes } from '../../../web/src/convert/targets.ts';
import { contentOf } from '../../support/glbContent.ts';
import { open, type RigFile } from '../../../web/src/core/index.ts';

const at = (path: string): URL => new URL(`../../../${path}`, import.meta.url);
const read = (path: string): Promise<RigFile> => open(readFileSync(at(path)), { name: path.split('/').at(-1) ?? '', worker: false });

describe('the conversion report', () => {
  it('has a complete row for each code', () => {
    for (const row of conversionCodes)
      expect(row).toEqual({
        code: expect.stringMatching(/^[A-Z_]+$/),
        kind: expect.stringMatching(/^(loss|guess|approximation|note)$/),
        unit: expect.stringMatching(/^[a-z]+$/),
        sentence: expect.stringMatching(/^[A-Zg].*\.$/),
      });
    expect(new Set(conversionCodes.map(({ code }) => code)).size).toBe(conversionCodes.length);
    expect(() => summarized([{ code: 'UNLISTED', path: '', amount: 1, detail: '' }], allCodes)).toThrow('UNLISTED');
  });

  it('lists data that glTF cannot store, with amounts', async () => {
    const { report } = await convert([await read('tests/data/cast/everything.cast')], { to: 'glb' });
    const amounts = Object.fromEntries(
      report.items.filter(({ path }) => path !== '').map(({ code, path, amount }) => [`${code} ${path}`, amount]),
    );
    expect(amounts).toMatchObject({
      'TEXTURE_MISSING textures/strip.png': 1,
      'VERTEX_COLORS_ASIDE strip': 2,
      'FEATURE_LOST ik': 1,
      'FEATURE_LOST constraint': 1,
      'VISIBILITY_TRACKS_LOST wave': 1,
    });
    for (const entry of report.items) expect(conversionCodes.map(({ code }) => code)).toContain(entry.code);
  });

  it('has no losses for a simple model', async () => {
    const { report } = await convert([await read('web/src/viewer/demo/Sheep.cast')], { to: 'glb' });
    expect(report.items.filter(({ kind }) => kind === 'loss')).toEqual([]);
  });

  it('counts its entries by kind, which the code determines', () => {
    const codes = ['TEXTURE_MISSING', 'ADDITIVE_GUESSED', 'CLIP_BAKED', 'MESH_EMPTY', 'CLIP_EMPTY'];
    const report = reportOf(
      codes.map(code => ({ code, path: 'a', amount: 7, detail: '' })),
      allCodes,
    );
    expect(report).toMatchObject({ losses: 2, guesses: 1, approximations: 1, notes: 1 });
    expect(report.items.map(({ code, kind }) => `${code} ${kind}`)).toEqual(
      codes.map(code => `${code} ${conversionCodes.find(row => row.code === code)?.kind}`),
    );
    expect(report.items[0]).toEqual({ code: 'TEXTURE_MISSING', kind: 'loss', path: 'a', amount: 7, detail: '' });
  });

  it('reports the missing textures of a model from a loader of three.js', async () => {
    const file = await read('web/src/viewer/demo/Sheep.cast');
    const foreign = {
      ...file,
      scene: {
        ...file.scene!,
        features: [
          { kind: 'texture', name: 'skin' },
          { kind: 'texture', name: 'hair' },
        ],
      },
    };
    const { report } = await convert([foreign], { to: 'glb' });
    expect(report.items.filter(({ kind }) => kind === 'loss')).toMatchObject([{ code: 'TEXTURE_NOT_AT_HAND', amount: 2 }]);
  });

  it('makes a strict conversion reject if it has losses or guesses', async () => {
    const refused = convert([await read('tests/data/vgo/puppet.vgo')], { to: 'glb', strict: true });
    await expect(refused).rejects.toBeInstanceOf(LossError);
    await expect(refused).rejects.toMatchObject({
      code: 'LOSSES_REFUSED',
      items: expect.arrayContaining([expect.objectContaining({ code: 'EXPRESSIONS_LOST', kind: 'loss' })]),
    });
    await expect(convert([await read('web/src/viewer/demo/Sheep.cast')], { to: 'glb', strict: true })).resolves.toBeDefined();
    expect((['loss', 'guess', 'approximation', 'note'] as const).filter(kind => isRefused({ kind }))).toEqual(['loss', 'guess']);
  });
});

describe('convert', () => {
  it('rejects animations without a skeleton', async () => {
    const motion = await read('tests/data/se/absolute.seanim');
    const refused = convert([motion], { to: 'glb' });
    await expect(refused).rejects.toMatchObject({ code: 'MODEL_MISSING' });
    await expect(refused).rejects.toBeInstanceOf(ConversionError);
    await expect(refused).rejects.toMatchObject({ code: 'MODEL_MISSING' });
    await expect(convert([motion], { to: 'cast' })).resolves.toMatchObject({ files: [{ name: 'absolute.cast' }] });
  });

  it('rejects a map list for formats without instances', async () => {
    const header = new TextEncoder().encode('mprt\x03\0\0\0\x01\0\0\0tree\0');
    const list = await open(Uint8Array.of(...header, ...new Uint8Array(24), 0, 0, 128, 63), { name: 'map.mprt', worker: false });
    for (const to of ['uemodel', 'se', 'vgo'] as const)
      await expect(convert([list], { to })).rejects.toMatchObject({ code: 'BODY_MISSING' });
  });

  it('rejects invalid options', async () => {
    await expect(convert([], { to: 'fbx' as 'glb' })).rejects.toThrow(TypeError);
    await expect(convert([], { to: 'glb', tolerance: 0 })).rejects.toThrow(TypeError);
    await expect(convert([], { to: 'glb', colour: 1 } as never)).rejects.toThrow(/unknown option "colour"/);
  });

  it('opens bytes, selects animations by name and index, and names the result', async () => {
    const bytes = (path: string): Uint8Array => readFileSync(at(path));
    const sources = [bytes('web/src/viewer/demo/Pip.psk'), bytes('web/src/viewer/demo/Pip.psa')];
    const { files } = await convert(sources, { to: 'gltf', name: 'pip', clips: ['Hop', 0], open: { worker: false } });
    const names = files.map(({ name }) => name);
    expect(names[0]).toBe('pip.gltf');
    const json = JSON.parse(new TextDecoder().decode(files[0]?.bytes)) as { animations: { name: string }[]; buffers: { uri: string }[] };
    expect(json.animations.map(({ name }) => name)).toEqual(['Hop', 'Wave']);
    expect(names).toContain(json.buffers[0]?.uri);
  });

  it('writes a file per animation with `split`, and lists equal losses once', async () => {
    const sources = await Promise.all(['web/src/viewer/demo/Tock.cast'].map(read));
    const whole = await convert(sources, { to: 'glb' });
    const { files, report } = await convert(sources, { to: 'glb', split: true });
    expect(files.map(({ name }) => name)).toEqual(['Tock.glb', 'Tock_Hello.glb', 'Tock_March.glb']);
    const motionsIn = ({ bytes }: { bytes: Uint8Array }): string[] => {
      const { json } = contentOf(bytes) as unknown as { json: { animations?: { name: string }[] } };
      return (json.animations ?? []).map(({ name }) => name);
    };
    expect(files.map(motionsIn)).toEqual([[], ['Hello'], ['March']]);
    const sorted = ({ items }: Conversion['report']): string[] => items.map(entry => JSON.stringify(entry)).sort();
    expect(sorted(report)).toEqual(sorted(whole.report));
    await expect(convert(sources, { to: 'se', split: true })).rejects.toThrow(/"split" is only available for glb, gltf/);
  });

  it('assigns animations to the models that they match', async () => {
    const paths = [
      'web/src/viewer/demo/Pip.psk',
      'tests/data/unreal/arm.psk',
      'tests/data/unreal/arm-motions.psa',
      'web/src/viewer/demo/Pip.psa',
    ];
    const { files } = await convert(await Promise.all(paths.map(read)), { to: 'gltf' });
    const animations = (name: string): string[] => {
      const found = files.find(file => file.name === name);
      return (JSON.parse(new TextDecoder().decode(found?.bytes)) as { animations: { name: string }[] }).animations.map(each => each.name);
    };
    expect(animations('Pip.gltf')).toEqual(['Wave', 'Hop']);
    expect(animations('arm.gltf')).toEqual(['Bend', 'Walk Fwd', 'Pose']);
  });
});
