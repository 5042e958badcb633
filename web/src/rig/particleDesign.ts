// Reads the settings of one of Unity's particle systems (docs/formats/vgo.md, section 5.13) for the
// simulation (particles.ts).
import { listIn, member, numberIn, numbersIn } from '../core/properties.ts';
import type { Properties, PropertyValue } from '../core/types.ts';
import { EmitterShape } from './particleShape.ts';
import { type Amount, amountIn, type Shade, shadeIn } from './particleValues.ts';

const MAX_BURSTS = 64;
/** Minimum duration of an emission cycle in seconds. */
const SHORTEST = 1 / 60;

export interface Burst {
  time: number;
  count: Amount;
  cycles: number;
  interval: number;
  probability: number;
}

export type AxisAmounts = Record<'x' | 'y' | 'z', Amount>;

export interface SpaceAxes extends AxisAmounts {
  /** True for a vector in scene space, false for a vector in emitter space. */
  isWorld: boolean;
}

/** Settings for rendering the particles of a system. */
export interface ParticleLook {
  mode: 'billboard' | 'stretched' | 'flat' | 'upright' | 'mesh' | 'none';
  /**
   * Plane of billboards: perpendicular to the view direction, or fixed to the axes of the world or
   * of the emitter.
   */
  plane: 'camera' | 'world' | 'emitter';
  lengthScale: number;
  velocityScale: number;
  /** True if particles must be rendered from back to front. */
  isSorted: boolean;
  /**
   * Offset of a quad or mesh from its particle along Unity's axes (right, up, away from the
   * camera), in multiples of the particle's size.
   */
  pivot: readonly number[];
  /** Fractions of the particles that are mirrored horizontally and vertically. */
  flip: readonly number[];
  /** Minimum and maximum size of billboards as fractions of the viewport height; 0 for no limit. */
  smallest: number;
  largest: number;
  /** Number of columns and number of rows of tiles in the texture sheet. */
  columns: number;
  rows: number;
}

export interface ParticleDesign {
  main: ReturnType<typeof mainOf>;
  /** Maximum number of live particles. */
  maxParticles: number;
  /**
   * True if particles are simulated in scene space, false if they are simulated in emitter space.
   */
  isWorld: boolean;
  /**
   * Number of particles emitted per second, and number emitted per metre of the emitter's movement.
   */
  rate: Amount;
  perMetre: Amount;
  bursts: readonly Burst[];
  shape: EmitterShape | null;
  drift: SpaceAxes | null;
  radial: Amount;
  modifier: Amount;
  force: SpaceAxes | null;
  limit: { speed: Amount; dampen: number; drag: Amount } | null;
  shade: Shade | null;
  grow: AxisAmounts | null;
  spin: AxisAmounts | null;
  sheet: Sheet | null;
  look: ParticleLook;
  /** English descriptions of the settings that are not simulated. */
  unplayed: readonly string[];
}

export function particleDesign(properties: Properties | undefined): ParticleDesign {
  const get = (name: string): PropertyValue | undefined => member(properties, name);
  const on = (name: string): PropertyValue | undefined => (member(get(name), 'enabled') === true ? get(name) : undefined);
  const [emission, drift, limit, color] = [
    on('emission'),
    on('velocityOverLifetime'),
    on('limitVelocityOverLifetime'),
    on('colorOverLifetime'),
  ];
  const shape = EmitterShape.of(get('shape'), on('shape') !== undefined);
  const sheet = sheetOf(on('textureSheetAnimation'));
  return {
    main: mainOf(get('main')),
    maxParticles: Math.max(Math.floor(numberIn(get('main'), 'maxParticles', 0)) || 0, 0),
    isWorld: numberIn(get('main'), 'simulationSpace', 0) === 1,
    rate: amountIn(member(emission, 'rateOverTime'), 0),
    perMetre: amountIn(member(emission, 'rateOverDistance'), 0),
    bursts: listIn(emission, 'bursts').slice(0, MAX_BURSTS).map(burstOf),
    shape,
    drift: axesIn(drift),
    radial: amountIn(member(drift, 'radial'), 0),
    modifier: amountIn(member(drift, 'speedModifier'), 1),
    force: axesIn(on('forceOverLifetime')),
    limit: limit
      ? {
          speed: amountIn(member(limit, 'limitX'), Infinity),
          dampen: numberIn(limit, 'dampen', 0),
          drag: amountIn(member(limit, 'drag'), 0),
        }
      : null,
    shade: color ? shadeIn(member(color, 'color')) : null,
    grow: overLife(on('sizeOverLifetime'), 'x', 1),
    spin: overLife(on('rotationOverLifetime'), 'z', 0),
    sheet,
    look: lookOf(get('renderer'), sheet),
    unplayed: [...unplayedIn(get, shape), ...unplayedLooks(get('renderer'), on('textureSheetAnimation'))],
  };
}

function mainOf(main: PropertyValue | undefined) {
  const hasSizes = member(main, 'startSize3D') === true;
  const hasAngles = member(main, 'startRotation3D') === true;
  const oneAngle = amountIn(member(main, 'startRotation') ?? member(main, 'startRotationZ'), 0);
  const oneSize = amountIn(member(main, 'startSize') ?? member(main, 'startSizeX'), 1);
  const none = amountIn(undefined, 0);
  const number = (name: string, otherwise: number): number => {
    const value = numberIn(main, name, otherwise);
    return Number.isFinite(value) ? value : otherwise;
  };
  return {
    duration: Math.max(number('duration', 0), SHORTEST),
    loop: member(main, 'loop') === true,
    isWarm: member(main, 'prewarm') === true,
    delay: amountIn(member(main, 'startDelay'), 0),
    speed: Math.min(Math.max(number('simulationSpeed', 0), 0), 100),
    life: amountIn(member(main, 'startLifetime'), 0),
    speedAt: amountIn(member(main, 'startSpeed'), 0),
    /**
     * True if start sizes or start angles are given per axis. Each axis then has its own random
     * number.
     */
    hasSizes,
    hasAngles,
    axes: (['X', 'Y', 'Z'] as const).map(axis => ({
      size: hasSizes ? amountIn(member(main, `startSize${axis}`), 1) : oneSize,
      angle: hasAngles ? amountIn(member(main, `startRotation${axis}`), 0) : axis === 'Z' ? oneAngle : none,
    })),
    flip: number('flipRotation', 0),
    color: shadeIn(member(main, 'startColor')),
    gravity: amountIn(member(main, 'gravityModifier'), 0),
  };
}

function burstOf(burst: PropertyValue): Burst {
  const cycles = Math.floor(numberIn(burst, 'cycleCount', 0));
  return {
    time: Math.max(numberIn(burst, 'time', 0), 0),
    count: amountIn(member(burst, 'count'), 0),
    cycles: cycles > 0 ? cycles : Infinity,
    interval: Math.max(numberIn(burst, 'repeatInterval', 0.01), 0.01),
    probability: numberIn(burst, 'probability', 0),
  };
}

function axesIn(module: PropertyValue | undefined): SpaceAxes | null {
  if (!module) return null;
  const [x, y, z] = (['x', 'y', 'z'] as const).map(axis => amountIn(member(module, axis), 0)) as [Amount, Amount, Amount];
  return { x, y, z, isWorld: numberIn(module, 'space', 0) === 1 };
}

/**
 * Reads the curves of a setting over a particle's lifetime, one per axis. If the file has a single
 * curve, it applies to all axes if `single` is `x`, and only to the z axis if `single` is `z`. Old
 * files store a single curve under the name `x`.
 */
function overLife(module: PropertyValue | undefined, single: 'x' | 'z', otherwise: number): AxisAmounts | null {
  if (!module) return null;
  const of = (axis: string): Amount => amountIn(member(module, axis), otherwise);
  if (member(module, 'separateAxes') === true) return { x: of('x'), y: of('y'), z: of('z') };
  const one = member(module, single) === undefined ? of('x') : of(single);
  const none = amountIn(undefined, otherwise);
  return single === 'x' ? { x: one, y: one, z: one } : { x: none, y: none, z: one };
}

type Chance = (which: 'frame' | 'start' | 'row', i: number) => number;

export interface Sheet {
  columns: number;
  rows: number;
  at(age: number, seconds: number, i: number, chance: Chance): number;
}

function sheetOf(module: PropertyValue | undefined): Sheet | null {
  if (!module || numberIn(module, 'mode', 0) !== 0) return null;
  const tiles = (name: string): number => Math.min(Math.max(Math.floor(numberIn(module, name, 1)) || 1, 1), 64);
  const [columns, rows] = [tiles('numTilesX'), tiles('numTilesY')];
  const isRow = numberIn(module, 'animation', 0) === 1;
  const total = isRow ? columns : columns * rows;
  const [overTime, start] = [amountIn(member(module, 'frameOverTime'), 0), amountIn(member(module, 'startFrame'), 0)];
  const cycles = Math.max(numberIn(module, 'cycleCount', 1), 0) || 1;
  const fps = numberIn(module, 'timeMode', 0) === 2 ? Math.max(numberIn(module, 'fps', 0), 0) : null;
  const isRandom = numberIn(module, 'rowMode', 0) === 1;
  const row = Math.min(Math.max(Math.floor(numberIn(module, 'rowIndex', 0)) || 0, 0), rows - 1);
  return {
    columns,
    rows,
    at(age, seconds, i, chance) {
      const position = fps === null ? overTime.at((age * cycles) % 1, chance('frame', i)) * total : seconds * fps;
      const frame = Math.floor(position + start.at(0, chance('start', i)) * total) % total;
      const line = isRow ? (isRandom ? Math.floor(chance('row', i) * rows) : row) : 0;
      return Math.max(frame, 0) + line * columns;
    },
  };
}

const MODES = ['billboard', 'stretched', 'flat', 'upright', 'mesh', 'none'] as const;

const finite = (value: number): number => (Number.isFinite(value) ? value : 0);

function lookOf(renderer: PropertyValue | undefined, sheet: Sheet | null): ParticleLook {
  const isOn = member(renderer, 'enabled') === true;
  const sort = numberIn(renderer, 'sortMode', 0);
  return {
    mode: isOn ? (MODES[numberIn(renderer, 'renderMode', 0)] ?? 'billboard') : 'none',
    plane: (['camera', 'world', 'emitter'] as const)[numberIn(renderer, 'alignment', 0)] ?? 'camera',
    lengthScale: numberIn(renderer, 'lengthScale', 0),
    velocityScale: numberIn(renderer, 'velocityScale', 0),
    isSorted: sort === 1 || sort === 4,
    pivot: numbersIn(renderer, 'pivot', [0, 0, 0]).map(finite),
    flip: numbersIn(renderer, 'flip', [0, 0, 0]).map(finite),
    smallest: Math.max(finite(numberIn(renderer, 'minParticleSize', 0)), 0),
    largest: Math.max(finite(numberIn(renderer, 'maxParticleSize', 0)), 0),
    columns: sheet?.columns ?? 1,
    rows: sheet?.rows ?? 1,
  };
}

const UNSUPPORTED_MODULES = [
  'inheritVelocity',
  'colorBySpeed',
  'sizeBySpeed',
  'rotationBySpeed',
  'externalForces',
  'noise',
  'lights',
  'trails',
  'collision',
  'trigger',
  'subEmitters',
];

/** Describes the enabled modules and settings of a particle system that are not simulated. */
function unplayedIn(get: (name: string) => PropertyValue | undefined, shape: EmitterShape | null): string[] {
  const drift = get('velocityOverLifetime');
  const hasOrbit =
    member(drift, 'enabled') === true && ['orbitalX', 'orbitalY', 'orbitalZ'].some(name => !amountIn(member(drift, name), 0).isNothing);
  const isSprites = member(get('textureSheetAnimation'), 'enabled') === true && numberIn(get('textureSheetAnimation'), 'mode', 0) !== 0;
  const limit = get('limitVelocityOverLifetime');
  return [
    ...UNSUPPORTED_MODULES.filter(name => member(get(name), 'enabled') === true),
    ...(member(limit, 'enabled') === true && member(limit, 'separateAxes') === true ? ['speed limits per axis'] : []),
    ...(numberIn(get('main'), 'ringBufferMode', 0) !== 0 ? ['the ring buffer'] : []),
    ...(hasOrbit ? ['orbital velocity'] : []),
    ...(isSprites ? ['sprites of the texture sheet'] : []),
    ...(shape && !shape.isKnown ? ['emission from a mesh'] : []),
    ...(numberIn(get('main'), 'simulationSpace', 0) === 2 ? ['a custom simulation space'] : []),
  ];
}

/** Describes the settings of a particle renderer that are not supported. */
function unplayedLooks(renderer: PropertyValue | undefined, sheet: PropertyValue | undefined): string[] {
  if (member(renderer, 'enabled') !== true) return [];
  const [mode, sort, alignment] = ['renderMode', 'sortMode', 'alignment'].map(name => numberIn(renderer, name, 0));
  const isGrid = numberIn(sheet, 'mode', 0) === 0;
  return [
    ...(sort === 2 || sort === 3 ? ['sorting by age'] : []),
    ...(alignment === 3 ? ['alignment to the camera position'] : []),
    ...(alignment === 4 ? ['alignment to the direction of movement'] : []),
    ...(mode === 4 && numbersIn(renderer, 'flip', [0, 0, 0]).some(share => share > 0) ? ['mirrored copies of a mesh'] : []),
    ...(mode === 1 && numberIn(renderer, 'cameraVelocityScale', 0) !== 0 ? ['stretching by the speed of the camera'] : []),
    ...(isGrid && numberIn(sheet, 'timeMode', 0) === 1 ? ['texture sheet frames by speed'] : []),
    ...(isGrid && numberIn(sheet, 'rowMode', 0) === 2 ? ['texture sheet rows by mesh'] : []),
  ];
}
