// Animations of other formats that the element puts on its model by body part.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { AnimationList } from '../../../web/src/element/animations.ts';
import { load, type LoadOptions, type LoadResult } from '../../../web/src/element/load.ts';
import { roleOf } from '../../../web/src/session/role.ts';
import { TestBody } from '../../support/bodies.ts';
import { SCHEMES } from '../../support/bodyNames.ts';
import { mixamoBvh, mixamoFbx, type MovingBody } from '../../support/mixamo.ts';
import { serve, type Served } from '../../support/serve.ts';
import { vgoBody } from '../../support/vgoBody.ts';
import { vrma } from '../../support/vrma.ts';

const nameOf = SCHEMES['Mixamo']!;
const body = new TestBody({ nameOf });
const walk: MovingBody = { body, nameOf, seconds: 1, rate: 30, poseAt: time => body.walk(time) };
const human = new TestBody();
const parts: Record<string, string> = Object.fromEntries(
  [
    'hips',
    'head',
    ...['left', 'right'].flatMap(side => ['UpperArm', 'LowerArm', 'UpperLeg', 'LowerLeg', 'Foot'].map(part => side + part)),
  ].map(part => [part, part]),
);
const files: Record<string, Uint8Array<ArrayBuffer>> = {
  'avatar.vgo': vgoBody(new TestBody({ yaw: 180 })),
  'skinned.fbx': new Uint8Array(mixamoFbx(walk, true)),
  'bare.fbx': new Uint8Array(mixamoFbx(walk)),
  'walk.bvh': new TextEncoder().encode(mixamoBvh(walk)) as Uint8Array<ArrayBuffer>,
  'walk.vrma': vrma(
    human,
    human.clip('walk', 1, 30, time => human.walk(time)),
    parts,
    { happy: [0], gaze: [0, 0] },
  ),
};

let server: Served;
let requested: string[] = [];
beforeAll(async () => {
  vi.stubGlobal('ProgressEvent', class extends Event {}); // three's loaders create these events, which Node lacks
  server = await serve((path, response) => {
    const name = path.split('/').at(-1)!;
    requested.push(name);
    if (name === 'manifest.json') response.end(JSON.stringify(Object.keys(files)));
    else response.writeHead(files[name] ? 200 : 404).end(files[name] ?? '');
    return true;
  });
});
afterAll(() => server.close());

function loaded(wanted: Partial<LoadOptions>): Promise<LoadResult> {
  requested = [];
  const whole: LoadOptions = {
    src: null,
    files: [],
    localFiles: null,
    fileResolver: null,
    base: `${server.origin}/`,
    credentials: 'same-origin',
    origins: new Set(),
    maxFiles: 300,
    formatOptions: {},
    draws: () => false,
    isWebGPU: false,
    ...wanted,
  };
  return load(whole, new AbortController().signal, { onProgress: () => {}, onModel: () => {} });
}

/** Checks that an animation is listed, moves the model and plays by default. */
function expectPlayed({ rig, sources, failed }: LoadResult, matched: number): void {
  expect(failed).toEqual([]);
  const animations = new AnimationList(rig, sources);
  expect(animations.list).toHaveLength(1);
  expect(animations.list[0]!.matched).toBe(matched);
  expect(animations.preferred()).toEqual([0]);
  const { report } = rig.bind(sources[0]!.file.scene!.clips);
  expect(report.findings.map(({ code }) => code)).toContain('BIND_BY_BODY');
}

it('an FBX with a mesh counts as a model', async () => {
  expect(await roleOf(new File([files['skinned.fbx']!], 'skinned.fbx'))).toBe('model');
});

it.each([
  ['skinned.fbx', 21], // all humanoid bones that the VGO declares
  ['bare.fbx', 21],
  ['walk.bvh', 21],
  ['walk.vrma', Object.keys(parts).length + 3], // the spine too
] as const)('%s moves a model with other bone names', async (name, matched) => {
  expectPlayed(await loaded({ src: 'avatar.vgo', files: [name] }), matched);
  const localFiles = new Map(['avatar.vgo', name].map(each => [each, new File([files[each]!], each)]));
  expectPlayed(await loaded({ src: 'avatar.vgo', localFiles }), matched);
});

it('models that only a manifest lists are not fetched for their animations', async () => {
  const { sources } = await loaded({ src: 'avatar.vgo', files: ['folder/'] });
  expect(sources.map(({ file }) => file.name)).toEqual(['walk.bvh', 'walk.vrma']);
  expect(requested).not.toContain('skinned.fbx');
});
