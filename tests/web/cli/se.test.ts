// SEModel and SEAnim through the command line as it is shipped: where things are comes from closed
// forms, worked out here (docs/formats/se.md). The arm: Root, Upper, Lower, 40 cm above each other
// along z. The motion, one second long: Root moves 10 cm along x, Upper stands 5 cm up and turns by
// 90° about x.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtPackage } from '../../support/builtPackage.ts';
import { castFile, model, node } from '../../support/castFile.ts';

const at = (name: string): string => fileURLToPath(new URL(`../../data/se/${name}`, import.meta.url));
const arm = at('arm.semodel');

let dist: string;
let folder: string;
beforeAll(async () => {
  dist = await builtPackage();
  folder = mkdtempSync(join(tmpdir(), 'rigcast-se-'));
}, 60_000);
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function json(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(dist, 'cli/main.js'), ...words, '--json'], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return JSON.parse(stdout);
}

interface PosedNode {
  name: string;
  position: number[];
  scale: number[];
}
interface Pose {
  time: number;
  nodes: PosedNode[];
  points: Record<string, number[]>;
}

const poses = (...words: string[]): Pose[] => json('pose', ...words).poses;
const positionOf = (pose: Pose, name: string): number[] => pose.nodes.find(each => each.name === name)!.position;
const times = [0, 0.25, 0.5, 0.9, 1];
const asked = ['--time', times.join()];

/** Converts file space (Z up, centimetres) to scene space. */
const scene = ([x, y, z]: readonly [number, number, number]): number[] => [x / 100, z / 100, -y / 100];

function expectClose(found: number[], wanted: number[], digits = 6): void {
  for (const [i, value] of wanted.entries()) expect(found[i]).toBeCloseTo(value, digits);
}

/** Position of Lower while Upper, at `height`, rotates: 40 cm along Upper's own z. */
const lower = (x: number, height: number, time: number): [number, number, number] => {
  const angle = (Math.PI / 2) * time;
  return [x, -40 * Math.sin(angle), height + 40 * Math.cos(angle)];
};

describe('an SEModel', () => {
  test('is upright and in metres', () => {
    const [rest] = poses(arm, '--points', '0,5');
    expectClose(positionOf(rest!, 'Lower'), [0, 0.8, 0]);
    expectClose(rest!.points['5']!, [0.1, 0.8, 0]);
  });

  test('is validated and outlined without errors or warnings', () => {
    const { files } = json('validate', arm, at('absolute.seanim'));
    expect(files.map((file: { format: string }) => file.format)).toEqual(['semodel', 'seanim']);
    for (const { report } of files) expect(report).toMatchObject({ errors: 0, warnings: 0 });
    const { version, outline } = json('inspect', arm);
    expect(version).toBe('1');
    expect(outline.map(({ kind }: { kind: string }) => kind)).toEqual(['header', 'bones', 'meshes', 'materials']);
    expect(outline[1].children[2]).toMatchObject({ name: 'Lower' });
  });
});

describe('an SEAnim on it', () => {
  test.each([
    ['absolute.seanim', 10, 5],
    ['relative.seanim', 10, 45],
    ['additive.seanim', 10, 45],
    ['delta.seanim', 0, 45], // its first bone is tag_origin, which the arm does not have
  ])('%s', (motion, travel, height) => {
    const found = poses(arm, at(motion), ...asked);
    expect(found).toHaveLength(times.length);
    for (const [i, pose] of found.entries()) {
      const time = times[i]!;
      expectClose(positionOf(pose, 'Upper'), scene([travel * time, 0, height]));
      expectClose(positionOf(pose, 'Lower'), scene(lower(travel * time, height, time)));
    }
  });

  test('deforms the skin with all weights', () => {
    const [pose] = poses(arm, at('absolute.seanim'), '--time', '1', '--points', '0,4');
    expectClose(pose!.points['0']!, scene([10, 0, 0]));
    // Weight 0.3 of Root leaves the vertex at 80 cm; weights 0.2 of Upper and 0.5 of Lower move it
    // to Lower
    expectClose(pose!.points['4']!, scene([10, -28, 0.3 * 80 + 0.7 * 5]));
  });

  test('matches the model', () => {
    const [{ motions }] = json('match', arm, at('absolute.seanim')).models;
    expect(motions[0]).toMatchObject({ found: 3, names: 3, moved: 3, bones: 3, fit: 1 });
  });
});

describe('together with Cast', () => {
  test('a Cast animation plays on an SEModel', () => {
    const half = Math.SQRT1_2;
    const cast = join(folder, 'turn.cast');
    const turn = {
      nn: ['s', 'Upper'],
      kp: ['s', 'rq'],
      kb: ['b', [0, 10]],
      kv: ['4v', [0, 0, 0, 1, half, 0, 0, half]],
      m: ['s', 'absolute'],
    } as const;
    writeFileSync(cast, castFile(node('anim', { fr: ['f', [10]] }, node('curv', turn))));
    for (const [i, pose] of poses(arm, cast, ...asked).entries()) expectClose(positionOf(pose, 'Lower'), scene(lower(0, 40, times[i]!)));
  });

  test('an SEAnim plays on a Cast model, in the units of the model', () => {
    const bone = (name: string, parent: number) =>
      node('bone', { n: ['s', name], p: ['i', [parent >>> 0]], lp: ['3v', [0, 0, parent < 0 ? 0 : 40]], lr: ['4v', [0, 0, 0, 1]] });
    const cast = join(folder, 'arm.cast');
    writeFileSync(cast, castFile(model('arm', node('skel', {}, bone('Root', -1), bone('Upper', 0), bone('Lower', 1)))));
    for (const [i, pose] of poses(cast, at('relative.seanim'), ...asked).entries())
      expectClose(positionOf(pose, 'Lower'), lower(10 * times[i]!, 45, times[i]!), 4);
  });
});
