// npm run bench -- pose [--write]: measures the time per frame of the pose engine and of three's
// AnimationMixer, with the same curves, in one run. Times are in milliseconds, the minimum of
// several rounds.
import { AnimationClip, AnimationMixer, Bone, Group, QuaternionKeyframeTrack, Skeleton, VectorKeyframeTrack } from 'three';
import { retargetClip as retargetWithThree } from 'three/addons/utils/SkeletonUtils.js';
import {
  Animator,
  Blink,
  Constraint,
  Expressions,
  ExpressionRules,
  IkHandle,
  Layer,
  LookAt,
  ParticleSystem,
  BodyRetargeter,
  Rigging,
  SpringBoneSolver,
} from '../../dist/rig/index.js';
import { humanOf } from './human.mjs';
import { load, machineWords, putIntoPage } from './table.mjs';

const words = process.argv.slice(2).filter(word => !word.startsWith('--'));
const loadBefore = load();
const said = [];
const say = text => {
  said.push(/^\| .* \|\n\|---/.test(text) ? `\n${text}` : text);
  console.log(said.at(-1));
};
const KEYS = 300;
const RATE = 30;

/** Returns a scene with a chain of bones, and only those tables that a pose needs. */
function chainOf(count) {
  const fill = (width, value) => Float32Array.from({ length: width * count }, (_, i) => value(i % width));
  const rows = Int32Array.from({ length: count }, (_, i) => i);
  const nodes = {
    length: count,
    names: Array.from(rows, i => `bone_${i}`),
    parents: rows.map(i => i - 1),
    bones: rows,
    translations: fill(3, c => (c === 1 ? 0.02 : 0)),
    rotations: fill(4, c => (c === 3 ? 1 : 0)),
    scales: fill(3, () => 1),
    visible: new Uint8Array(count).fill(1),
    segmentScaleCompensate: new Uint8Array(count),
    properties: new Map(),
  };
  return { nodes, meshes: [], renderers: [], scaleInheritance: 'matrix' };
}

/**
 * Returns translation and rotation tracks of every bone, with a key at each frame. `swing` is the
 * amplitude in radians.
 */
function tracksOf(count, swing = 0.4) {
  const times = Float32Array.from({ length: KEYS }, (_, k) => k / RATE);
  return Array.from({ length: count }, (_, node) => {
    const values = new Float32Array(3 * KEYS);
    const turns = new Float32Array(4 * KEYS);
    for (let k = 0; k < KEYS; k++) {
      const angle = swing * Math.sin(k / 9 + node);
      values[3 * k + 1] = 0.02 + 0.001 * Math.sin(k / 5 + node);
      turns[4 * k] = Math.sin(angle / 2);
      turns[4 * k + 3] = Math.cos(angle / 2);
    }
    const track = { node, renderers: [], morph: '', component: -1, mode: 'absolute', blendWeight: 1, times, before: 'hold', after: 'hold' };
    return [
      { ...track, path: 'translation', values, interpolation: 'linear' },
      { ...track, path: 'rotation', values: turns, interpolation: 'slerp' },
    ];
  }).flat();
}

function engineOf(scene, tracks, layers) {
  const animator = new Animator(scene);
  for (let l = 0; l < layers; l++) {
    const layer = new Layer(animator.shape, tracks);
    layer.weight = l === 0 ? 1 : 0.5;
    animator.layers.push(layer);
  }
  return time => {
    for (const layer of animator.layers) layer.time = time;
    animator.evaluate();
    animator.world.update(animator.pose);
  };
}

/**
 * Returns a function that computes the pose at a time from a clip and solvers: constraints on
 * neighbouring bones, and IK handles on short or long chains.
 */
function solvedOf(scene, tracks, { constraints = 0, handles = 0, segments = 2 }) {
  const animator = new Animator(scene);
  animator.layers.push(new Layer(animator.shape, tracks));
  animator.world.update(animator.pose);
  const design = { name: '', kind: 'rotation', weight: 1, skip: [false, false, false], keepsOffset: true, offset: null };
  const parts = [
    ...Array.from(
      { length: constraints },
      (_, i) => new Constraint({ ...design, bone: 4 * i + 4, target: 4 * i + 2 }, animator.pose, animator.world),
    ),
    ...Array.from({ length: handles }, (_, i) => {
      const chain = Array.from({ length: segments + 1 }, (_, k) => 12 * i + k + 2);
      return new IkHandle({
        name: '',
        chain,
        target: 1,
        offset: [0.01, 0.24 * i + 0.03, 0.01],
        poleVector: -1,
        poleBone: -1,
        turnsEnd: false,
      });
    }),
  ];
  if (parts.length) animator.add(new Rigging(parts));
  return time => {
    for (const layer of animator.layers) layer.time = time;
    animator.evaluate();
    animator.world.update(animator.pose);
  };
}

function mixerOf({ nodes: { names, length: count } }, tracks, layers) {
  const root = new Group();
  const bones = names.map(name => Object.assign(new Bone(), { name }));
  for (let i = 0; i < count; i++) (bones[i - 1] ?? root).add(bones[i]);
  const mixer = new AnimationMixer(root);
  for (let l = 0; l < layers; l++) {
    const made = tracks.map(({ node, path, times, values }) =>
      path === 'rotation'
        ? new QuaternionKeyframeTrack(`${names[node]}.quaternion`, times, values)
        : new VectorKeyframeTrack(`${names[node]}.position`, times, values),
    );
    mixer
      .clipAction(new AnimationClip(`layer_${l}`, KEYS / RATE, made))
      .setEffectiveWeight(l === 0 ? 1 : 0.5)
      .play();
  }
  return time => {
    mixer.setTime(time);
    root.updateMatrixWorld(true);
  };
}

/**
 * Returns the minimum time per frame, in milliseconds. With many short rounds, some are undisturbed
 * even on a busy machine.
 */
function best(frames) {
  const roundTime = 2;
  const least = { count: 1, time: Infinity };
  let i = 0;
  for (const end = performance.now() + 1000; performance.now() < end;) {
    const begin = performance.now();
    for (let n = 0; n < least.count; n++, i++) for (const frame of frames) frame((i / 60) % (KEYS / RATE));
    least.time = Math.min(least.time, (performance.now() - begin) / least.count);
    least.count = Math.max(1, Math.floor(roundTime / least.time));
  }
  return least.time;
}

/** Returns the median processor time of the calls in milliseconds. */
function processorTime(calls) {
  const times = calls.map(call => {
    const before = process.cpuUsage();
    call();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return times.sort((a, b) => a - b)[times.length >> 1];
}

/** Returns a function that retargets the same tracks with SkeletonUtils of three.js, between bones of the same names. */
function retargetedByThree(from, to, tracks) {
  const skeletonOf = ({ nodes }) => {
    const root = new Group();
    const bones = Array.from(nodes.parents, (_, row) => Object.assign(new Bone(), { name: `bone_${row}` }));
    for (const [row, bone] of bones.entries()) {
      bone.position.fromArray(nodes.translations, 3 * row);
      (bones[nodes.parents[row]] ?? root).add(bone);
    }
    root.updateMatrixWorld(true);
    root.skeleton = new Skeleton(bones);
    return root;
  };
  const [source, target] = [skeletonOf(from), skeletonOf(to)];
  const keys = tracks.map(({ node, path, times, values }) =>
    path === 'rotation'
      ? new QuaternionKeyframeTrack(`bone_${node}.quaternion`, times, values)
      : new VectorKeyframeTrack(`bone_${node}.position`, times, values),
  );
  const clip = new AnimationClip('m', (KEYS - 1) / RATE, keys);
  return () => retargetWithThree(target, source, clip, { hip: 'bone_1', scale: 1.3, fps: RATE });
}

const rows = [
  { what: '128 bones, 1 layer', bones: 128, layers: 1, characters: 1 },
  { what: '128 bones that rotate by up to 19° between keys', bones: 128, layers: 1, characters: 1, swing: 3 },
  { what: '128 bones, 3 layers', bones: 128, layers: 3, characters: 1 },
  { what: '2,000 bones, 1 layer', bones: 2000, layers: 1, characters: 1 },
  { what: '50 characters of 128 bones', bones: 128, layers: 1, characters: 50 },
  { what: '500 characters of 128 bones', bones: 128, layers: 1, characters: 500 },
];

if (words.length === 0 || words.includes('pose')) {
  say('| time per frame, including world matrices | engine | AnimationMixer | ratio |\n|---|---|---|---|');
  for (const { what, bones, layers, characters, swing } of rows) {
    const scene = chainOf(bones);
    const tracks = tracksOf(bones, swing);
    const make = one => best(Array.from({ length: characters }, () => one(scene, tracks, layers)));
    const ours = make(engineOf);
    const theirs = make(mixerOf);
    say(`| ${what} | ${ours.toFixed(4)} ms | ${theirs.toFixed(4)} ms | ${(ours / theirs).toFixed(2)} |`);
  }

  say('| solver (128 bones, 1 layer) | time per frame | ratio to playback alone |\n|---|---|---|');
  const scene = chainOf(128);
  const tracks = tracksOf(128);
  const plain = best([solvedOf(scene, tracks, {})]);
  for (const [what, solvers] of [
    ['30 constraints', { constraints: 30 }],
    ['10 IK handles of 2 bones', { handles: 10 }],
    ['10 IK handles of 8 bones', { handles: 10, segments: 8 }],
  ]) {
    const one = best([solvedOf(scene, tracks, solvers)]);
    say(`| ${what} | ${one.toFixed(4)} ms | ${(one / plain).toFixed(2)} |`);
  }
  // An avatar with 128 bones that has expressions, spring bones and look-at.
  const human = humanOf({ bones: 128, isAvatar: true });
  const moves = tracksOf(128);
  const alive = add => {
    const animator = new Animator(human);
    animator.layers.push(new Layer(animator.shape, moves));
    add(animator);
    return time => {
      for (const layer of animator.layers) layer.time = time;
      animator.evaluate(1 / 60);
      animator.world.update(animator.pose);
    };
  };
  const bare = best([alive(() => {})]);
  for (const [what, add] of [
    ['look-at of eyes and head', animator => animator.add(Object.assign(LookAt.of(human), { target: [1, 2, 3], headShare: 0.5 }))],
    [
      'blinking and 20 expressions',
      animator => {
        const rules = new ExpressionRules(human);
        animator.add(Blink.of(rules));
        animator.add(new Expressions(animator.shape, rules));
      },
    ],
    ['spring bones: 8 chains of 4 bones', animator => animator.add(SpringBoneSolver.of(animator.shape))],
  ]) {
    const one = best([alive(add)]);
    say(`| ${what} | ${one.toFixed(4)} ms | ${(one / bare).toFixed(2)} |`);
  }

  const motion = {
    name: 'm',
    duration: (KEYS - 1) / RATE,
    frameRate: RATE,
    loop: true,
    events: [],
    tracks: moves,
    clip: { start: 0, tracks: [] },
  };
  const [small, large] = [humanOf({ bones: 128 }), humanOf({ bones: 128, size: 1.3 })];
  const retargeter = BodyRetargeter.of(small, large);
  const ours = processorTime(Array(200).fill(() => retargeter.retarget(motion)));
  const theirs = processorTime(Array(5).fill(retargetedByThree(small, large, moves)));
  const pairs = Array.from({ length: 50 }, () => [humanOf({ bones: 128 }), humanOf({ bones: 128, size: 1.3 })]);
  const created = processorTime(pairs.map(pair => () => BodyRetargeter.of(...pair)));
  say('| an animation of 300 frames on a body of 128 bones | processor time, median | ratio |\n|---|---|---|');
  for (const [what, time] of [
    ['retargeting, with planted feet', ours],
    ['creating the retargeter for two new scenes', created],
    ["`retargetClip` of three's SkeletonUtils, without planted feet", theirs],
  ])
    say(`| ${what} | ${time.toFixed(2)} ms | ${(time / theirs).toFixed(3)} |`);

  say('| number of particles | milliseconds per step |\n|---|---|');
  for (const count of [100, 1000, 10_000]) {
    const system = new ParticleSystem(particles(count), 1);
    const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    for (let i = 0; i < 120; i++) system.advance(1 / 60, identity);
    const step = () => {
      system.advance(1 / 60, identity);
      system.updateLook();
    };
    say(`| ${system.count.toLocaleString('en')} | ${best([step]).toFixed(3)} |`);
  }

  const text = `${machineWords(undefined, loadBefore, 'Best of many short rounds.')}\n${said.join('\n')}\n`;
  if (process.argv.includes('--write')) putIntoPage('bench pose', text);
}

/**
 * Creates a particle system with `count` live particles: gravity, a cone, colour and size over
 * lifetime.
 */
function particles(count) {
  const constant = value => ({ mode: 0, constant: value });
  const fading = {
    mode: 1,
    gradient: {
      colorKeys: [{ color: [1, 1, 1, 1], time: 0 }],
      alphaKeys: [
        { alpha: 1, time: 0 },
        { alpha: 0, time: 1 },
      ],
    },
  };
  const shrinking = {
    mode: 1,
    curveMultiplier: 1,
    curve: {
      keys: [
        { time: 0, value: 1 },
        { time: 1, value: 0 },
      ],
    },
  };
  return {
    main: {
      duration: 5,
      loop: true,
      startLifetime: constant(1),
      startSpeed: constant(1),
      simulationSpeed: 1,
      maxParticles: count,
      gravityModifier: constant(1),
    },
    emission: { enabled: true, rateOverTime: constant(2 * count) },
    shape: { enabled: true, shapeType: 4, angle: 25, radius: 1, radiusThickness: 1, arc: 360 },
    colorOverLifetime: { enabled: true, color: fading },
    sizeOverLifetime: { enabled: true, x: shrinking },
    renderer: { enabled: true, renderMode: 0 },
  };
}
