// node --expose-gc tests/tools/lives.mjs [SECONDS]: plays characters as a page does, at 60 frames
// per second of real time, with all kinds of movement: animation layers and cross-fades,
// constraints and IK, spring bones, look-at, blinking, expressions, particles, recorded hands.
// After each lap, prints the heap size. The exit code is 1 if the heap grows. Requires dist/ (npm
// run build).
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PerspectiveCamera, Vector3 } from 'three';
import { open } from '../../dist/core/index.js';
import { breathing } from '../../dist/rig/index.js';
import { HandBody, handsOf, RecordedInput, Rig } from '../../dist/three/index.js';

const seconds = Number(process.argv[2] ?? 600);
const RATE = 60;
const LAP = Math.min(60, seconds / 5);
/**
 * Number of frames that are played without pauses before the first lap, because V8 fills its caches
 * and feedback tables for five minutes of frames: the heap grew by 41 KB between 2 and 6 minutes,
 * and then by 0.4 KB in 4 minutes.
 */
const WARM_UP = 18_000;
/** Maximum growth of the heap between the second and the last laps, in bytes. */
const MOST_GROWTH = 32_768;
if (!globalThis.gc) throw new Error('run it with node --expose-gc');

const root = fileURLToPath(new URL('../..', import.meta.url));
const demo = 'web/src/viewer/demo/';

async function rigOf(path, change = () => {}) {
  const file = await open(new Uint8Array(readFileSync(root + path)), { name: path.split('/').at(-1), worker: false });
  change(file.scene);
  const rig = await Rig.make(file);
  rig.scene.updateMatrixWorld(true);
  return rig;
}

/** Returns a layer for an animation, and a function that sets its time in an endless loop. */
function playing(animator, motion) {
  const layer = animator.layer(motion);
  return { layer, at: time => void (layer.time = time % Math.max(motion.duration, 0.1)) };
}

/** Plays a character with constraints and IK handles. */
async function rigged() {
  const rig = await rigOf('tests/data/cast/everything.cast');
  const animator = rig.createAnimator();
  rig.rigging.isOn = true;
  for (const part of rig.rigging.parts) part.isOn = true;
  const wave = playing(animator, rig.clips[0]);
  animator.layers.push(wave.layer);
  return time => {
    wave.at(time);
    animator.apply(1 / RATE);
    return rig;
  };
}

/** Plays a character with two animations that cross-fade repeatedly. */
async function layered() {
  const rig = await rigOf(`${demo}Pip.psk`);
  const psa = await open(new Uint8Array(readFileSync(`${root}${demo}Pip.psa`)), { name: 'Pip.psa', worker: false });
  const animator = rig.createAnimator();
  const all = rig.bind(psa).clips.map(motion => playing(animator, motion));
  animator.layers.push(all[0].layer);
  let now = 0;
  return time => {
    for (const each of all) each.at(time);
    const next = Math.floor(time / 3) % all.length;
    if (next !== now) animator.crossFade(all[now].layer, all[next].layer, 0.5);
    now = next;
    animator.apply(1 / RATE);
    return rig;
  };
}

/** Plays an avatar with breathing, look-at, blinking, expressions and spring bones. */
async function avatar() {
  const rig = await rigOf(`${demo}Lotl.vgo`);
  const animator = rig.createAnimator();
  const breath = playing(animator, rig.bind(breathing(rig.file.scene)).clips[0]);
  const hop = playing(animator, rig.clips[0]);
  hop.layer.weight = 0.5;
  animator.layers.push(hop.layer, breath.layer);
  const life = await rig.avatar({ seed: 1 });
  const target = new Vector3();
  life.lookAt(target);
  life.headShare = 0.5;
  life.lag = 0.2;
  life.blinks = true;
  const { names } = rig.expressions;
  return time => {
    breath.at(time);
    hop.at(time);
    target.set(Math.sin(time), 0.5 + 0.3 * Math.cos(time / 2), -1);
    rig.expressions.set(names[Math.floor(time / 2) % names.length], Math.abs(Math.sin(2 * time)));
    animator.apply(1 / RATE);
    return rig;
  };
}

const constant = value => ({ mode: 0, constant: value });
const SPARKS = {
  main: {
    duration: 2,
    loop: true,
    startLifetime: { mode: 3, constantMin: 0.5, constantMax: 2 },
    startSpeed: constant(1),
    startSize: constant(0.05),
    gravityModifier: constant(0.2),
    simulationSpeed: 1,
    maxParticles: 200,
  },
  emission: { enabled: true, rateOverTime: constant(60) },
  shape: { enabled: true, shapeType: 4, angle: 25, radius: 0.2, arc: 360 },
  noise: { enabled: false },
  renderer: { enabled: true, renderMode: 0, sortMode: 1 },
};

let flight;

/** Plays a character with spring bones, and with particles in the space of a camera. */
async function flying() {
  const rig = await rigOf('tests/data/vgo/puppet.vgo', ({ features }) => {
    features.find(({ kind }) => kind === 'particleSystem').properties = SPARKS; // the original system emits nothing
  });
  const animator = rig.createAnimator();
  const hop = playing(animator, rig.clips[0]);
  animator.layers.push(hop.layer);
  [flight] = rig.particles.emitters;
  flight.isPlaying = true;
  const camera = new PerspectiveCamera();
  camera.position.set(0, 1, 4);
  camera.updateMatrixWorld();
  return time => {
    hop.at(time);
    animator.apply(1 / RATE);
    rig.scene.traverse(object => object.isLOD && object.update(camera));
    return rig;
  };
}

/** Plays recorded hands with their hand meshes, and the input of a WebXR page. */
async function recorded() {
  const rig = await rigOf(`${demo}wavingHands.bin`);
  const bodies = handsOf(rig).map(hand => new HandBody(hand));
  const input = new RecordedInput(rig);
  return time => {
    const frame = input.frameAt(time % input.duration);
    for (const { hand } of frame.inputSources) if (hand) for (const space of hand.values()) frame.getJointPose(space);
    for (const body of bodies) body.update(1 / RATE);
    return rig;
  };
}

const cast = await Promise.all([rigged(), layered(), avatar(), flying(), recorded()]);

function draw(frame) {
  for (const next of cast) {
    const rig = next(frame / RATE);
    rig.update(1 / RATE);
    rig.scene.updateMatrixWorld(true);
  }
}

for (let frame = 0; frame < WARM_UP; frame++) {
  draw(frame);
  if (frame % 100 === 0) await pause(0); // lets timers and promises of the page run
}
const laps = [];
const began = performance.now();
let frames = 0;
let busy = 0;
for (let lap = LAP; lap <= seconds + 1e-6; lap += LAP) {
  while (frames < lap * RATE) {
    const from = performance.now();
    const due = Math.min(Math.floor(((from - began) / 1000) * RATE), Math.round(lap * RATE));
    for (; frames < due; frames++) draw(WARM_UP + frames);
    busy += performance.now() - from;
    await pause(1000 / RATE);
  }
  for (let i = 0; i < 4; i++) {
    globalThis.gc();
    await pause(10);
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  laps.push(heapUsed + arrayBuffers);
  console.log(
    `${Math.round(lap)} s, ${frames} frames: ${(laps.at(-1) / 1000).toFixed(1)} KB, ${(busy / frames).toFixed(3)} ms per frame of all characters`,
  );
}
if (!(flight.count > 0)) throw new Error('The particle system has no particles.');
// The heap after a single lap includes garbage and temporary compiled code, so the minimum of
// several laps is used.
const growth = Math.min(...laps.slice(-3)) - laps[1];
console.log(`growth from the second lap to the last three: ${(growth / 1000).toFixed(1)} KB (at most ${MOST_GROWTH / 1000})`);
process.exit(growth > MOST_GROWTH ? 1 : 0);
