// The command line as published: processes, their output and exit codes.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makePsa, makePsk, patched } from '../../support/actorx.ts';
import { castBody, castMotion, TestBody } from '../../support/bodies.ts';
import { SCHEMES } from '../../support/bodyNames.ts';
import { castFile, type CastNode, instance, model, node, triangle } from '../../support/castFile.ts';
import { builtPackage } from '../../support/builtPackage.ts';

let dist: string;
let folder: string, worlds: string;
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  dist = await builtPackage();
  folder = mkdtempSync(join(tmpdir(), 'rigcast-cli-'));
  mkdirSync(at('more/deep'), { recursive: true });
  writeFileSync(at('hero.psk'), makePsk());
  writeFileSync(at('Run.psa'), makePsa({ sequences: ['Run', 'Walk'] }));
  writeFileSync(at('more/broken.psk'), makePsk().subarray(0, 700));
  writeFileSync(at('more/deep/HERO.PSK'), makePsk());
  writeFileSync(at('more/notes.txt'), 'no model');
  worlds = mkdtempSync(join(tmpdir(), 'rigcast-worlds-'));
  mkdirSync(join(worlds, 'city/Props'), { recursive: true });
  writeFileSync(join(worlds, 'hero.psk'), makePsk()); // outside of the folder of the scene
  writeFileSync(
    join(worlds, 'city/city.cast'),
    castFile(
      instance('props\\crate.cast', { n: 'one', p: [1, 2, 3] }),
      instance('props\\crate.cast', { n: 'two', s: [-2, 2, 2] }),
      instance('..\\hero.psk'),
      instance('gone.cast'),
    ),
  );
  writeFileSync(join(worlds, 'city/Props/Crate.cast'), castFile(model('crate', triangle('side'))));
  writeFileSync(at('trailing.psk'), Buffer.concat([makePsk(), Buffer.from('xyz')]));
});

afterAll(() => {
  for (const made of [folder, worlds]) rmSync(made, { recursive: true, force: true });
});

function rigcast(words: string[], input?: Uint8Array): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(dist, 'cli/main.js'), ...words], {
    encoding: 'utf8',
    input,
    maxBuffer: 2 ** 28,
  });
  return { code: status, out: stdout, err: stderr };
}

const json = (words: string[], input?: Uint8Array) => JSON.parse(rigcast([...words, '--json'], input).out);

describe('inspect', () => {
  test('prints the tree with the hash of every field', () => {
    const bytes = makePsk();
    const answer = json(['inspect', at('hero.psk')]);
    expect(answer).toMatchObject({ format: 'psk', byteLength: bytes.length, report: { errors: 0 } });
    const points = answer.outline[1];
    expect(points).toMatchObject({ kind: 'PNTS0000', offset: 32, size: 32 + 108, children: [] });
    const sha256 = createHash('sha256')
      .update(bytes.subarray(64, 64 + 108))
      .digest('hex');
    expect(points.fields[0]).toMatchObject({ name: 'records', count: 9, offset: 64, byteLength: 108, sha256 });
  });

  test('prints text, without colours if the output is not a terminal', () => {
    const { code, out } = rigcast(['inspect', at('hero.psk')]);
    expect(code).toBe(0);
    expect(out).toMatch(/hero\.psk {2}Unreal ActorX mesh.*bytes, no findings\n/);
    expect(out).toMatch(/0x00000020 {2}├─ PNTS0000 {2}140 bytes/);
    expect(out).not.toContain('\x1b');
  });

  test('lists the contents before the damage', () => {
    const { code, out } = rigcast(['inspect', at('more/broken.psk'), '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(out).outline.map(({ kind }: { kind: string }) => kind)).toContain('VTXW0000');
  });
});

describe('validate', () => {
  test('exit codes: 0 clean, 1 errors, 2 wrong usage', () => {
    expect(rigcast(['validate', at('hero.psk')]).code).toBe(0);
    expect(rigcast(['validate', at('hero.psk'), at('more/broken.psk')]).code).toBe(1);
    expect(rigcast(['validate', at('none.psk')])).toMatchObject({
      code: 2,
      out: expect.stringMatching(/IO_ERROR[^]*no such file/),
      err: '',
    });
    expect(rigcast(['pose', at('none.psk')])).toMatchObject({ code: 2, out: '', err: expect.stringMatching(/none\.psk: no such file/) });
    expect(rigcast(['validate'])).toMatchObject({ code: 2, err: expect.stringMatching(/no input file/) });
    expect(rigcast(['validate', '--jsn', at('hero.psk')])).toMatchObject({ code: 2, err: expect.stringMatching(/--jsn/) });
    expect(rigcast(['melt', at('hero.psk')])).toMatchObject({ code: 2, err: expect.stringMatching(/unknown command "melt"/) });
    expect(rigcast([]).code).toBe(2);
  });

  test('links each finding to its advice', () => {
    const { out } = rigcast(['validate', at('more/broken.psk')]);
    const [worst] = json(['validate', at('more/broken.psk')]).files[0].report.items.filter(
      ({ severity }: { severity: string }) => severity === 'error',
    );
    expect(out).toMatch(new RegExp(`\\n {2}Advice by code: file:///\\S+/findings\\.html#${worst.code}\\n`));
    expect(rigcast(['validate', at('hero.psk')]).out).not.toContain('Advice by code');
  });

  test('prints several files in their order', () => {
    const { files } = json(['validate', at('more/broken.psk'), at('hero.psk')]);
    expect(
      files.map(({ file, format, report }: { file: string; format: string; report: { errors: number } }) => [
        file,
        format,
        report.errors > 0,
      ]),
    ).toEqual([
      [at('more/broken.psk'), 'psk', true],
      [at('hero.psk'), 'psk', false],
    ]);
  });

  test('reads the files with supported extensions in a folder', () => {
    const { files } = json(['validate', folder]);
    expect(files.map(({ file }: { file: string }) => file)).toEqual(
      ['Run.psa', 'hero.psk', 'more/broken.psk', 'more/deep/HERO.PSK', 'trailing.psk'].map(at),
    );
    mkdirSync(at('more/empty'), { recursive: true });
    expect(rigcast(['validate', at('more/empty')]).code).toBe(2);
  });

  test('reads standard input for -', () => {
    expect(json(['validate', '-'], makePsk()).files).toMatchObject([{ file: '-', format: 'psk', report: { errors: 0 } }]);
    expect(rigcast(['validate', '-'], new Uint8Array()).code).toBe(1);
  });

  test('--strict raises warnings to errors', () => {
    expect(rigcast(['validate', at('trailing.psk')]).code).toBe(0);
    expect(rigcast(['validate', '--strict', at('trailing.psk')]).code).toBe(1);
  });

  test('prints the meaning of each code', () => {
    const { out } = rigcast(['validate', at('trailing.psk')]);
    expect(out).toMatch(/warning +TRAILING_BYTES .*\n +There are extra bytes after the end/);
  });

  test('escapes terminal commands in texts from files', () => {
    writeFileSync(at('evil.psk'), makePsk({ bones: ['\x1b[2Jroot', '\x1b[2Jroot'] }));
    const { out } = rigcast(['validate', at('evil.psk')]);
    rmSync(at('evil.psk'));
    expect(out).toContain('BONE_NAME_DUPLICATE');
    expect(out).not.toContain('\x1b');
  });
});

describe('format options', () => {
  test('are flags, checked before anything is read', () => {
    const max = (words: string[]): number => json(['pose', at('hero.psk'), ...words]).poses[0].meshes[0].max[0];
    expect(max([])).toBeCloseTo(0.02);
    expect(max(['--unreal.unit-scale', '1'])).toBeCloseTo(2);
    expect(max(['--unreal.unit-scale=0.5'])).toBeCloseTo(1);
    expect(rigcast(['validate', at('hero.psk'), '--unreal.unit-scale', 'big'])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/expected a number/),
    });
    expect(rigcast(['validate', at('hero.psk'), '--unreal.unit-scale=-1'])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/expected a number above 0/),
    });
    expect(rigcast(['validate', at('hero.psk'), '--unreal.up-axis', 'w'])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/expected one of y, z/),
    });
    expect(rigcast(['validate', at('hero.psk'), '--unreal.colour', 'x']).code).toBe(2);
  });

  test('--unreal.motion sets formatOptions.unreal.tracks', () => {
    const data = (name: string): string => fileURLToPath(new URL(`../../data/unreal/${name}`, import.meta.url));
    const poses = (...words: string[]) => json(['pose', data('arm.psk'), data('arm-stripped.psa'), '--time', '0.1', ...words]).poses;
    expect(poses('--unreal.motion', 'file')).toEqual(poses());
    expect(poses('--unreal.motion', 'everything')).not.toEqual(poses());
  });

  test('are listed by --help', () => {
    const { code, out } = rigcast(['--help']);
    expect(code).toBe(0);
    expect(out).toMatch(/--unreal\.color-order auto\|rgba\|bgra/);
    expect(rigcast(['pose', '--help']).out).toMatch(/^rigcast pose/);
    expect(rigcast(['--version']).out.trim()).toBe(
      JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')).version,
    );
  });
});

describe('pose', () => {
  test('opens the instances of a scene only below its folder, and lists missing files', () => {
    const { poses, report } = json(['pose', join(worlds, 'city/city.cast')]);
    expect(poses[0].placed.map(({ name, mesh, min, max }: Record<string, unknown>) => ({ name, mesh, min, max }))).toEqual([
      { name: 'one', mesh: 'side', min: [1, 2, 3], max: [2, 3, 3] },
      { name: 'two', mesh: 'side', min: [-2, 0, 0], max: [0, 2, 0] },
    ]);
    expect(poses[0].placed[0].matrix).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1]);
    expect(report.items.map(({ code, path }: Record<string, unknown>) => [code, path])).toEqual([
      ['INSTANCE_MISSING', '..\\hero.psk'],
      ['INSTANCE_MISSING', 'gone.cast'],
    ]);
    expect(json(['pose', join(worlds, 'city/Props/Crate.cast')]).poses[0].placed).toBeUndefined();
    const { code, out } = rigcast(['pose', join(worlds, 'city/city.cast')]);
    expect(code).toBe(0);
    expect(out).toContain('placed two, mesh side');
    expect(out).toContain('INSTANCE_MISSING gone.cast');
  });

  const rootX = (pose: { nodes: { name: string; position: number[] }[] }): number =>
    pose.nodes.find(({ name }) => name === 'root')!.position[0]!;

  test.each([
    [['--points', '0,foo'], '--points foo: the model has no such vertex'],
    [['--points', '999999'], '--points 999999: the model has no such vertex'],
    [['--time', '1'], '--time: no file contains an animation'],
  ])('%j, which would have no effect, is refused', (words, message) => {
    expect(rigcast(['pose', at('hero.psk'), ...words])).toMatchObject({ code: 2, out: '', err: expect.stringContaining(message) });
  });

  test('refuses --clip without an option for which it selects an animation', () => {
    const { code, err } = rigcast(['pose', at('hero.psk'), at('Run.psa'), '--clip', 'Run']);
    expect([code, err]).toEqual([2, expect.stringContaining('--clip selects an animation for --time, --frame or --facts')]);
  });

  test('prints the rest pose without a time', () => {
    const { poses } = json(['pose', at('hero.psk'), at('Run.psa')]);
    expect(poses).toHaveLength(1);
    expect(rootX(poses[0])).toBeCloseTo(0);
    expect(poses[0].nodes.map(({ name, bone }: { name: string; bone: unknown }) => [name, bone]).slice(1, 3)).toEqual([
      ['root', 0],
      ['arm', 1],
    ]);
  });

  test('prints the given frames and times in order', () => {
    expect(json(['pose', at('hero.psk'), at('Run.psa'), '--frame=2,0,1']).poses.map(rootX)).toEqual(
      [0.02, 0, 0.01].map(x => expect.closeTo(x, 6)),
    );
    expect(json(['pose', at('hero.psk'), at('Run.psa'), '--time=0,0.05']).poses.map(rootX)).toEqual(
      [0, 0.015].map(x => expect.closeTo(x, 6)),
    );
  });

  test('solves constraints with --solve, also in the rest pose', () => {
    const bone = (name: string, x: number) =>
      node('bone', { n: ['s', name], p: ['i', [0xffffffff]], lp: ['3v', [x, 0, 0]], lr: ['4v', [0, 0, 0, 1]] });
    const [target, follower] = [bone('target', 3), bone('follower', 0)];
    const follow = node('cnst', { ct: ['s', 'pt'], cb: ['l', follower.hash], tb: ['l', target.hash] });
    writeFileSync(at('follow.cast'), castFile(model('m', node('skel', {}, target, follower, follow))));
    const followerOf = (words: string[]) =>
      json(['pose', at('follow.cast'), ...words]).poses[0].nodes.find(({ name }: { name: string }) => name === 'follower').position[0];
    expect([followerOf([]), followerOf(['--solve'])]).toEqual([0, 3]);
  });

  test('retargets an animation from the model that it was made for', () => {
    const theirs = new TestBody({ nameOf: SCHEMES.Mixamo });
    const mine = new TestBody({
      nameOf: SCHEMES['Call of Duty'],
      axes: 3,
      armsDown: 40,
      proportions: { upperLeg: 0.9, lowerLeg: 0.86, ankle: 0.16 },
    });
    writeFileSync(at('theirs.cast'), castBody(theirs));
    writeFileSync(at('mine.cast'), castBody(mine));
    writeFileSync(at('walk.cast'), castMotion(theirs.clip('walk', 1, 30, time => theirs.walk(time))));
    const hipsZ = (name: string, words: string[]): number[] =>
      json(['pose', at(name), at('walk.cast'), '--time', '0,1', ...words]).poses.map(
        ({ nodes }: { nodes: { name: string; position: number[] }[] }) =>
          nodes.find(each => each.name === (name === 'mine.cast' ? 'j_mainroot' : 'mixamorig:Hips'))!.position[2],
      );
    const [from, to] = hipsZ('theirs.cast', []) as [number, number];
    const [begin, end] = hipsZ('mine.cast', ['--of', at('theirs.cast')]) as [number, number];
    const scale = (0.88 + 0.86) / (0.43 + 0.43);
    expect(to - from).toBeGreaterThan(0.5);
    expect(end - begin).toBeCloseTo(scale * (to - from), 4);
    const [facts] = json(['pose', at('mine.cast'), at('walk.cast'), '--facts', '--of', at('theirs.cast')]).facts;
    expect(facts.travel[2]).toBeCloseTo(end - begin, 1);
    expect(facts.contacts.map(({ foot }: { foot: string }) => foot)).toContain('right');
    expect(hipsZ('mine.cast', [])).toEqual([0, 0].map(zero => expect.closeTo(zero, 6))); // matching by names alone moves nothing
    expect(rigcast(['pose', at('hero.psk'), at('walk.cast'), '--time=0', '--of', at('theirs.cast')]).err).toContain('no humanoid');
  });

  test('retargets with the pairs of a bone map, and lists names that no bone has', () => {
    const arm = (names: string[], meshes: CastNode[] = [], clips: CastNode[] = []): Uint8Array =>
      castFile(
        model(
          'm',
          node(
            'skel',
            {},
            ...names.map((name, i) =>
              node('bone', {
                n: ['s', name],
                p: ['i', [i > 0 ? i - 1 : 0xffffffff]],
                lp: ['3v', [0, i > 0 ? 1 : 0, 0]],
                lr: ['4v', [0, 0, 0, 1]],
              }),
            ),
          ),
          ...meshes,
        ),
        ...clips,
      );
    writeFileSync(at('abc.cast'), arm(['a', 'b', 'c']));
    writeFileSync(at('xyz.cast'), arm(['x', 'y', 'z']));
    const curve = node('curv', {
      nn: ['s', 'b'],
      kp: ['s', 'rq'],
      kb: ['i', [0]],
      kv: ['4v', [0, 0, Math.SQRT1_2, Math.SQRT1_2]],
      m: ['s', 'absolute'],
    });
    writeFileSync(at('bend.cast'), castFile(node('anim', { fr: ['f', [30]] }, curve)));
    const pairs = [
      { target: 'y', source: 'b' },
      { target: 'none', source: 'a' },
    ];
    writeFileSync(at('map.json'), JSON.stringify({ boneMap: 1, pairs }));
    const words = ['pose', at('xyz.cast'), at('bend.cast'), '--time', '0', '--of', at('abc.cast')];
    expect(rigcast(words).code).toBe(2);
    const { poses, boneMap } = json([...words, '--bone-map', at('map.json')]);
    expect(boneMap).toEqual({ unknown: ['none'] });
    expect(poses[0].nodes.find(({ name }: { name: string }) => name === 'z').position).toEqual(
      [-1, 1, 0].map(value => expect.closeTo(value, 5)),
    );
    expect(rigcast([...words, '--bone-map', at('map.json')]).out).toContain('BONE_MAP_UNKNOWN none');
    expect(rigcast([...words.slice(0, -2), '--bone-map', at('map.json')]).err).toContain('--of FILE');
    writeFileSync(at('map.json'), '{"boneMap": 1}');
    const refused = rigcast([...words, '--bone-map', at('map.json')]);
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('BONE_MAP_INVALID')]);

    // `convert` takes the skeleton from the file of the animation.
    writeFileSync(at('map.json'), JSON.stringify({ boneMap: 1, pairs }));
    writeFileSync(at('mesh.cast'), arm(['x', 'y', 'z'], [triangle('skin')]));
    writeFileSync(at('motion.cast'), arm(['a', 'b', 'c'], [], [node('anim', { fr: ['f', [30]] }, curve)]));
    const convert = ['convert', at('mesh.cast'), at('motion.cast'), '-o', at('moved.cast')];
    const turned = (): number[] =>
      json(['pose', at('moved.cast'), '--clip', '0', '--time', '0']).poses[0].nodes.find(({ name }: { name: string }) => name === 'z')
        .position;
    expect(rigcast([...convert, '--bone-map', at('map.json')])).toMatchObject({
      code: 0,
      out: expect.stringContaining('BONE_MAP_UNKNOWN'),
    });
    expect(turned()).toEqual([-1, 1, 0].map(value => expect.closeTo(value, 5)));
    writeFileSync(at('map.json'), '{"boneMap": 1}');
    expect(rigcast([...convert, '--bone-map', at('map.json')])).toMatchObject({
      code: 2,
      err: expect.stringContaining('BONE_MAP_INVALID'),
    });
  });

  test('prints the given points of the file', () => {
    const { poses } = json(['pose', at('hero.psk'), '--points=0,8']);
    expect(poses[0].points['0']).toEqual([0, 0, 0].map(x => expect.closeTo(x, 6)));
    expect(poses[0].points['8'][0]).toBeCloseTo(0.02);
  });

  test('selects an animation by name and lists the names if there is none', () => {
    expect(json(['pose', at('hero.psk'), at('Run.psa'), '--clip=walk', '--frame=1']).poses[0].clip).toBe('Walk');
    expect(json(['pose', at('hero.psk'), at('Run.psa'), '--clip=1', '--frame=1']).poses[0].clip).toBe('Walk');
    expect(rigcast(['pose', at('hero.psk'), at('Run.psa'), '--clip=2']).code).toBe(2);
    expect(rigcast(['pose', at('hero.psk'), at('Run.psa'), '--clip=fly'])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/no animation "fly" \(found: Run, Walk\)/),
    });
  });

  test('reads the .config beside an animation, ignoring case', () => {
    writeFileSync(at('run.CONFIG'), '[RemoveTracks]\nRun.0=trans\n');
    const [pose] = json(['pose', at('hero.psk'), at('Run.psa'), '--frame=2']).poses;
    rmSync(at('run.CONFIG'));
    expect(rootX(pose)).toBeCloseTo(0);
  });

  test('plays stored keys, reports additive-looking ones, and follows --additive', () => {
    const bones = ['root', 'a', 'b', 'c'];
    const [model, motion] = [at('chain.psk'), at('Breathe.psa')];
    writeFileSync(model, makePsk({ bones }));
    writeFileSync(motion, makePsa({ bones, position: bone => (bone === 0 ? [0, 0, 0] : [0.001, 0, 0]) }));
    const posed = (...words: string[]) => {
      const { poses, report } = json(['pose', model, motion, '--frame=1', ...words]);
      const details = (report?.items ?? []).filter(({ code }: { code: string }) => code === 'LOOKS_ADDITIVE');
      return { height: poses[0]?.nodes.at(-1).position[1], words: details.map(({ detail }: { detail: string }) => detail) };
    };
    const [stored, onRest] = [
      expect.stringMatching(/\(a, b, c\): played as stored/),
      expect.stringMatching(/\(a, b, c\): added to the rest pose/),
    ];
    expect(posed()).toEqual({ height: expect.closeTo(0, 3), words: [stored] });
    expect(posed('--additive=as-stated', '--strict')).toEqual({ height: expect.closeTo(0, 3), words: [stored] });
    expect(posed('--additive=detect')).toEqual({ height: expect.closeTo(0.3, 3), words: [onRest] });
    expect(posed('--additive=rest', '--strict')).toEqual({ height: expect.closeTo(0.3, 3), words: [] });
    expect(posed('--additive=detect', '--strict')).toEqual({ height: undefined, words: [onRest] });
    const refused = rigcast(['pose', model, motion, '--frame=1', '--additive=detect', '--strict']);
    expect(refused).toMatchObject({ code: 1, out: expect.stringMatching(/LOOKS_ADDITIVE[^]*not posed: with --strict/) });
    expect(rigcast(['pose', model, '--additive=layer'])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/expected one of as-stated, detect, rest/),
    });
    const made = rigcast(['convert', model, motion, '-o', at('chain.json'), '--strict']);
    expect(made).toMatchObject({ code: 1, out: expect.stringMatching(/a guess decides how the result moves: ADDITIVE_GUESSED/) });
    expect(rigcast(['convert', model, motion, '-o', at('chain.json'), '--additive=rest']).out).toContain('CLIP_ON_REST');
    const { nodes, motions } = JSON.parse(readFileSync(at('chain.json'), 'utf8'));
    const last = motions[0].nodes[nodes.findIndex(({ name }: { name: string }) => name === 'c')];
    expect(last.positions[1]).toBeCloseTo(0.3, 3);
    for (const name of ['chain.psk', 'Breathe.psa', 'chain.json']) rmSync(at(name));
  });

  test('exits with 1 for a file without a scene', () => {
    writeFileSync(at('nothing.psk'), patched(makePsk(), 0, 88));
    expect(rigcast(['pose', at('nothing.psk'), '--json'])).toMatchObject({ code: 1, out: expect.stringMatching(/"poses": \[\]/) });
    rmSync(at('nothing.psk'));
  });

  test('reports wrong usage', () => {
    expect(rigcast(['pose', at('hero.psk'), '--time=0', '--frame=0']).code).toBe(2);
    expect(rigcast(['pose', at('hero.psk'), '--time=a']).code).toBe(2);
    expect(rigcast(['pose', at('hero.psk'), '--clip=x', '--time=0']).code).toBe(2);
  });
});

test('inspect and validate do not load three.js', () => {
  const imports = (name: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(name) || !existsSync(name)) return seen;
    seen.add(name);
    for (const [, from] of readFileSync(name, 'utf8').matchAll(/^(?:import|export)\b(?:[^'";]*\bfrom)?\s*['"]([^'"]+)['"]/gm)) {
      if (from!.startsWith('.')) imports(join(name, '..', from!), seen);
      else seen.add(from!);
    }
    return seen;
  };
  expect(readdirSync(join(dist, 'cli'))).toContain('pose.js');
  expect([...imports(join(dist, 'cli/pose.js'))]).toContain('three');
  for (const file of ['main', 'inspect', 'validate']) expect([...imports(join(dist, `cli/${file}.js`))]).not.toContain('three');
});
