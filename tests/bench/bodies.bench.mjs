// npm run bench -- bodies [--write]: retargets animations between real bodies, and measures how much
// the limbs deviate from the source, how far planted feet slide, and how high the feet end above the
// ground. SkeletonUtils of three.js retargets the same pairs, with bone names that rigcast finds. The files
// are not part of the repository. Rows whose files are missing are skipped. build/repositories/ACCOUNT/NAME
// is the place for a check-out of the repository ACCOUNT/NAME of GitHub.
import { existsSync, readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Bone, Object3D, Skeleton, Vector3 } from 'three';
import { retarget as retargetWithThree } from 'three/addons/utils/SkeletonUtils.js';
import { convert } from '../../dist/convert/index.js';
import { open } from '../../dist/core/index.js';
import { openEncoded, openGlb } from '../../dist/interop/openEncoded.js';
import { Animator, bind, createRetargeter, humanoidOf, Layer, quadrupedOf } from '../../dist/rig/index.js';
import { bvhOf } from './bvh.mjs';
import { putIntoPage } from './table.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const corpus = `${root}/../shared/corpus`;
const demo = `${root}/web/src/viewer/demo`;
const hp2 = name => `${corpus}/psk/hp2/sk${name}Mesh.psk`;
const loaders = name => `${corpus}/psk/psk_loaders/${name}.psk`;
const repositories = `${root}/build/repositories`;
const mixamo = name => `${repositories}/0Shark/live-interview/public/animations/${name}.fbx`;
const amica = name => `${repositories}/ArbiusIntern/amica3/public/animations/${name}.vrma`;
const games = name => `${corpus}/psk/psk_psa_py/${name}.psk`;

/** Bodies by name. A body whose name ends in "as VRM" is converted to VRM first. */
const BODIES = {
  professor: hp2('ProfMcGonagall'),
  girl: hp2('GinnyLucious'),
  knight: hp2('Knight'),
  gnome: hp2('gnome'),
  pixie: hp2('cornishpixie'),
  man: loaders('SK_MaleBase_01_Body'),
  soldier: games('Grunt_Preview_LOD0'),
  ogre: games('Shrek'),
  player: games('player_body'),
  'Cast human': `${corpus}/living/human-model.cast`,
  MakeHuman: `${corpus}/living/makehuman.cast`,
  'VGO avatar': `${corpus}/vgo/generated/avatar_rh_tl_json.vgo`,
  Lotl: `${demo}/Lotl.vgo`,
  'VGO avatar as VRM': `${corpus}/vgo/generated/avatar_rh_tl_json.vgo`,
  'man as VRM': loaders('SK_MaleBase_01_Body'),
  'Ready Player Me': `${repositories}/0Shark/live-interview/public/models/6505ad3b7a4b5e00b4da04e8.glb`,
  'Ready Player Me as VRM': `${repositories}/0Shark/live-interview/public/models/6505ad3b7a4b5e00b4da04e8.glb`,
  pig: hp2('Pig'),
  frog: hp2('ChocolateFrog'),
};
const hp2Clips = name => `${corpus}/psa/hp2/sk${name}Anims.psa`;

/**
 * Animations: body, file and name of the clip (default: the first), and the bodies that play it. An
 * animation without a body contains its own skeleton. The format `bvh` converts the animation to BVH first.
 */
const ANIMATIONS = [
  ['professor', hp2Clips('ProfMcGonagall'), 'Walk', 'girl knight man soldier ogre|VGO avatar|man as VRM'],
  ['professor', hp2Clips('ProfMcGonagall'), 'talkrighthand', 'gnome player|Cast human|Lotl|VGO avatar as VRM'],
  ['girl', hp2Clips('GinnyLucious'), 'Walk', 'professor man player MakeHuman|VGO avatar as VRM'],
  ['girl', hp2Clips('GinnyLucious'), 'Idle', 'knight soldier|Cast human|VGO avatar|man as VRM'],
  ['knight', hp2Clips('Knight'), 'Open', 'professor girl ogre|Cast human|VGO avatar as VRM'],
  ['gnome', hp2Clips('gnome'), 'runattack', 'girl man player|VGO avatar|man as VRM'],
  ['pixie', hp2Clips('cornishpixie'), 'Fly', 'gnome soldier MakeHuman Lotl|VGO avatar as VRM'],
  ['man', `${corpus}/psa/psk_loaders/Lobby_back_man01_idle_01.psa`, '', 'professor girl knight soldier ogre|VGO avatar as VRM'],
  ['man', `${corpus}/psa/psk_loaders/MOB1_M1_Jog_Relaxed_R_To_Stand_Relaxed_IP.psa`, '', 'player gnome|Cast human|VGO avatar|man as VRM'],
  ['man', `${corpus}/psa/psk_loaders/W2_Stand_Fire_Single_IP.psa`, '', 'professor soldier ogre MakeHuman Lotl'],
  ['soldier', `${corpus}/psa/psk_psa_py/grunt_hh_grabplayer_crouch_SEQ0.psa`, '', 'girl man player|Cast human|VGO avatar as VRM'],
  ['Cast human', `${corpus}/living/planted-motion.cast`, '', 'professor man soldier ogre|VGO avatar|man as VRM'],
  ['pig', hp2Clips('Pig'), 'Walk', 'frog'],
  ...['Hip Hop Dancing', 'Idle', 'Sit To Stand', 'Stand To Sit', 'Standing Greeting', 'Victory', 'Wave Hip Hop Dance', 'Waving'].map(
    (name, i) => ['', mixamo(name), '', `Ready Player Me|girl soldier|man as VRM|${i % 2 ? 'Lotl' : 'VGO avatar'}`],
  ),
  ...['dance', 'greeting', 'idle_loop', 'modelPose', 'peaceSign', 'shoot', 'showFullBody', 'spin', 'squat'].map((name, i) => [
    '',
    amica(name),
    '',
    `Ready Player Me as VRM|man girl|Cast human|${i % 2 ? 'ogre' : 'gnome'}`,
  ]),
  ['', `${repositories}/pixiv/three-vrm/packages/three-vrm-animation/examples/models/test.vrma`, '', 'Ready Player Me|girl'],
  ...['Hip Hop Dancing', 'Stand To Sit', 'Waving'].map(name => ['', mixamo(name), '', 'Ready Player Me|man girl|Cast human', 'bvh']),
];

const SAMPLES = 900;
const SIDES = ['left', 'right'];
const LIMBS = SIDES.flatMap(side => [
  [`${side}UpperLeg`, `${side}LowerLeg`],
  [`${side}LowerLeg`, `${side}Foot`],
  [`${side}UpperArm`, `${side}LowerArm`],
  [`${side}LowerArm`, `${side}Hand`],
]);
const QUADRUPED_LIMBS = SIDES.flatMap(side =>
  ['Front', 'Hind'].flatMap(pair => [
    [`${side}${pair}UpperLeg`, `${side}${pair}LowerLeg`],
    [`${side}${pair}LowerLeg`, `${side}${pair}Foot`],
  ]),
);
/** Largest distance, in leg lengths per frame of 1/30 s, that a planted foot of the source moves. */
const STILL = 0.002;

/** Minimum height of the lowest foot above the ground in leg lengths, over a whole clip in flight. */
const FLIGHT = 0.5;

const subtract = (a, b) => a.map((value, i) => value - b[i]);
const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const length = v => Math.hypot(...v);
const unit = v => v.map(value => value / (length(v) || 1));

/** A body that plays a clip. */
class Moving {
  constructor(scene, tracks = []) {
    this.body = humanoidOf(scene) ?? quadrupedOf(scene);
    this.animator = new Animator(scene);
    this.layer = new Layer(this.animator.shape, tracks);
    this.animator.layers.push(this.layer);
  }

  /** Returns the positions of the bones at a time. */
  at(time) {
    this.layer.time = time;
    const { world } = this.animator;
    world.update(this.animator.evaluate());
    return name => {
      const row = this.body.bones.get(name);
      return row === undefined ? null : Array.from(world.matrices.subarray(16 * row + 12, 16 * row + 15));
    };
  }
}

/** Bones of three.js with the nodes of a scene. `root` has a property `skeleton`, as a SkinnedMesh has. */
function threeBones({ nodes }) {
  const root = new Object3D();
  const bones = Array.from(nodes.parents, (_, row) => Object.assign(new Bone(), { name: `bone ${row}` }));
  for (const [row, bone] of bones.entries()) {
    setBone(bone, nodes, row);
    (bones[nodes.parents[row]] ?? root).add(bone);
  }
  root.updateMatrixWorld(true);
  root.skeleton = new Skeleton(bones);
  return { root, bones };
}

function setBone(bone, { translations, rotations, scales }, row) {
  bone.position.fromArray(translations, 3 * row);
  bone.quaternion.fromArray(rotations, 4 * row);
  bone.scale.fromArray(scales, 3 * row);
}

/**
 * A body that SkeletonUtils of three.js moves like `source`. It cannot pair bones with other names, so it
 * gets the pairs, and the ratio of the leg lengths.
 */
class MovedByThree {
  constructor(from, to, source, target, scale) {
    this.source = source;
    this.target = target;
    this.from = threeBones(from);
    this.to = threeBones(to);
    const pairs = [...target.body.bones].flatMap(([part, row]) =>
      source.body.bones.has(part) ? [[row, source.body.bones.get(part)]] : [],
    );
    this.options = {
      names: Object.fromEntries(pairs.map(([row, other]) => [`bone ${row}`, `bone ${other}`])),
      hip: `bone ${source.body.bones.get('hips')}`,
      scale,
    };
  }

  /** Returns the positions of the bones in the pose that the source has now. */
  now() {
    for (const [row, bone] of this.from.bones.entries()) setBone(bone, this.source.animator.pose, row);
    this.from.root.updateMatrixWorld(true);
    retargetWithThree(this.to.root, this.from.root, this.options);
    return name => {
      const bone = this.to.bones[this.target.body.bones.get(name)];
      return bone ? bone.getWorldPosition(new Vector3()).toArray() : null;
    };
  }
}

/** Axes of a body in its rest pose, its leg length, and the height of its lowest foot. */
function frameOf(scene) {
  const rest = new Moving(scene);
  const { kind } = rest.body;
  const place = rest.at(0);
  const [leg, foot] = kind === 'humanoid' ? ['', 'Foot'] : ['Hind', 'Toes'];
  const [upper, lower] = [`left${leg}UpperLeg`, `left${leg}LowerLeg`];
  // The trunk may lean in the rest pose, so the up axis is the axis of the scene that is nearest to
  // it. In one file, whose body is on its back, this axis isn't Y.
  const toLeft = subtract(place(upper), place(`right${leg}UpperLeg`));
  const trunk = kind === 'humanoid' ? subtract(place('head'), place('hips')) : cross(subtract(place('head'), place('hips')), toLeft);
  const most = Math.max(...trunk.map(Math.abs));
  const up = trunk.map(value => (Math.abs(value) === most ? Math.sign(value) : 0));
  const left = unit(
    subtract(
      toLeft,
      up.map(value => value * dot(toLeft, up)),
    ),
  );
  const feet = SIDES.map(side => `${side}${leg}${foot}`);
  return {
    axes: [left, up, cross(left, up)],
    leg: length(subtract(place(upper), place(lower))) + length(subtract(place(lower), place(`left${leg}Foot`))),
    feet,
    ground: Math.min(...feet.map(each => dot(place(each) ?? place(each.replace('Toes', 'Foot')), up))),
  };
}

/** `standing`: the source in a rest pose in which its feet are on the ground, if that is another scene. */
function measure(from, to, clip, standing = from) {
  const retargeter = createRetargeter(from, to);
  if (!retargeter) return null;
  const bound = bind(clip, from);
  const made = retargeter.retarget(bound);
  const [source, target] = [new Moving(from, bound.tracks), new Moving(to, bind(made, to).tracks)];
  const [a, b, { ground, leg }] = [from, to, standing].map(frameOf);
  a.ground = (ground / leg) * a.leg;
  // Limbs that a clip doesn't rotate keep the rest pose of the target if bones are matched by name.
  const rotated = new Set(bound.tracks.filter(({ path }) => path === 'rotation').map(({ node }) => node));
  const limbs = (source.body.kind === 'humanoid' ? LIMBS : QUADRUPED_LIMBS).filter(([start]) => rotated.has(source.body.bones.get(start)));
  const inBody = (v, { axes }) => axes.map(axis => dot(axis, v));
  const frames = Math.max(Math.min(Math.round(clip.duration * 30), SAMPLES), 1);
  const byThree = new MovedByThree(from, to, source, target, b.leg / a.leg);
  let [sum, threeSum, count, slide, worst] = [0, 0, 0, 0, 0];
  const [planted, lows] = [new Map(), []];
  for (let frame = 0; frame <= frames; frame++) {
    const time = frame / 30;
    const [was, is] = [source.at(time), target.at(time)];
    const withThree = byThree.now();
    for (const [start, end] of limbs) {
      const angleOf = place => {
        const joints = [was(start), was(end), place(start), place(end)];
        if (joints.includes(null)) return null;
        const directions = [inBody(subtract(joints[1], joints[0]), a), inBody(subtract(joints[3], joints[2]), b)].map(unit);
        return (Math.acos(Math.min(Math.max(dot(...directions), -1), 1)) * 180) / Math.PI;
      };
      const angle = angleOf(is);
      if (angle === null) continue;
      sum += angle;
      threeSum += angleOf(withThree);
      count++;
      worst = Math.max(worst, angle);
    }
    for (const foot of a.feet) {
      const [before, now] = [was(foot), is(foot)];
      if (!before || !now) continue;
      const last = planted.get(foot);
      const isStill = last && length(subtract(before, last.before)) < STILL * a.leg;
      planted.set(foot, { before, start: isStill ? last.start : { before, now } });
      const { start } = planted.get(foot);
      slide = Math.max(slide, length(subtract(now, start.now)) / b.leg - length(subtract(before, start.before)) / a.leg);
    }
    lows.push(Math.min(...b.feet.map(foot => dot(is(foot) ?? is(foot.replace('Toes', 'Foot')), b.axes[1]))));
  }
  const low = (Math.min(...lows) - b.ground) / b.leg;
  const sourceLow = Math.min(
    ...Array.from({ length: frames + 1 }, (_, frame) => {
      const place = source.at(frame / 30);
      return Math.min(...a.feet.map(foot => dot(place(foot) ?? place(foot.replace('Toes', 'Foot')), a.axes[1])));
    }),
  );
  const height = (sourceLow - a.ground) / a.leg;
  return {
    method: retargeter.method,
    limbs: sum / count,
    worst,
    threeLimbs: threeSum / count,
    slide: 1000 * slide,
    // In flight, the feet follow the legs.
    height: height < FLIGHT ? 1000 * (low - height) : null,
  };
}

const opened = new Map();
function load(path, format = '') {
  const key = `${path} ${format}`;
  if (!opened.has(key)) opened.set(key, read(path, format));
  return opened.get(key);
}
const ENCODED = { '.fbx': 'fbx', '.glb': 'glb', '.vrma': 'glb' };
async function read(path, format) {
  const [bytes, name] = [new Uint8Array(readFileSync(path)), basename(path)];
  const encoded = ENCODED[extname(path)];
  const file = encoded ? await openEncoded(encoded, bytes, name, () => null) : await open(bytes, { name, worker: false });
  if (format === 'bvh') return (await openEncoded('bvh', bvhOf(file.scene, file.scene.clips[0]), 'motion.bvh', () => null)).scene;
  if (format !== 'vrm') return file.scene;
  const { files } = await convert([file], { to: 'vrm' });
  return (await openGlb(files[0].bytes, files[0].name)).scene;
}

const rows = [];
const results = [];
let skipped = 0;
for (const [body, path, name, targets, format] of ANIMATIONS) {
  for (const target of targets.split('|').flatMap(each => (each in BODIES ? [each] : each.split(' ')))) {
    const label = `${body && `${body}: `}${name || basename(path).replace(body ? /\.\w+$/ : '', '')}${format ? `, as ${format.toUpperCase()}` : ''}`;
    const missing = [body ? BODIES[body] : path, BODIES[target], path].find(each => !existsSync(each));
    if (missing) {
      skipped++;
      rows.push(`| ${label} | ${target} | skipped: ${basename(missing)} is missing | | | | |`);
      continue;
    }
    const [to, motion] = [await load(BODIES[target], target.endsWith('as VRM') ? 'vrm' : ''), await load(path, format)];
    const from = body ? await load(BODIES[body]) : motion;
    const clip = motion.clips.find(each => each.name.toLowerCase() === name.toLowerCase()) ?? motion.clips[0];
    const result = measure(from, to, clip, format === 'bvh' ? await load(path) : from);
    if (!result) {
      rows.push(`| ${label} | ${target} | not retargeted | | | | |`);
      continue;
    }
    results.push({ ...result, label, target });
    const { method, limbs, worst, threeLimbs, slide, height } = result;
    const cells = [`${limbs.toFixed(1)} (${worst.toFixed(0)})`, threeLimbs.toFixed(1), slide.toFixed(0), height?.toFixed(0) ?? 'flies'];
    rows.push(`| ${label} | ${target} | ${method} | ${cells.join(' | ')} |`);
  }
}
const head =
  '| animation | body | matched by | limbs, degrees (worst) | with SkeletonUtils | slide, mm per m of leg | height, mm per m of leg |\n|---|---|---|---|---|---|---|';
console.log(`${head}\n${rows.join('\n')}`);
const middle = values => [...values].sort((a, b) => a - b)[values.length >> 1];
const within = (values, most) => values.filter(value => Math.abs(value) <= most).length;
const summary = [
  ['limbs, degrees', results.map(({ limbs }) => limbs), 3],
  ['limbs with SkeletonUtils of three.js, degrees', results.map(({ threeLimbs }) => threeLimbs), 3],
  ['slide, mm per metre of leg', results.map(({ slide }) => slide), 5],
  ['height, mm per metre of leg', results.flatMap(({ height }) => (height === null ? [] : Math.abs(height))), 10],
].map(
  ([text, values, most]) =>
    `| ${text} | ${middle(values).toFixed(1)} | ${Math.max(...values).toFixed(1)} | ${within(values, most)} of ${values.length} within ${most} |`,
);
const table = `| of ${results.length} pairs | median | worst | |\n|---|---|---|---|\n${summary.join('\n')}`;
console.log(`\n${table}\n\n${skipped} rows skipped.`);
if (process.argv.includes('--write') && results.length > 0) putIntoPage('bodies', `\n${table}\n\n`);
