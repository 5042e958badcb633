// Compares simulated particles with the expected effects of their settings.
import { describe, expect, it } from 'vitest';
import { vec3 } from '../../../web/src/core/math/vector.ts';
import type { Feature, Properties, PropertyValue } from '../../../web/src/core/types.ts';
import { Animator } from '../../../web/src/rig/animator.ts';
import { ParticleEmitters } from '../../../web/src/rig/particleEmitters.ts';
import { EmitterShape } from '../../../web/src/rig/particleShape.ts';
import { ParticleSystem } from '../../../web/src/rig/particles.ts';
import { PoseShape } from '../../../web/src/rig/pose.ts';
import { amountIn, shadeIn } from '../../../web/src/rig/particleValues.ts';
import { seeded } from '../../../web/src/rig/random.ts';
import { armScene } from '../../support/armScene.ts';

const constant = (value: number): Properties => ({ mode: 0, ...(value !== -1 && { constant: value }) });
const line = (from: number, to: number, factor = 1): Properties => ({
  mode: 1,
  curveMultiplier: factor,
  curve: {
    keys: [
      { time: 0, value: from, inTangent: to - from, outTangent: to - from },
      { time: 1, value: to, inTangent: to - from, outTangent: to - from },
    ],
  },
});

/** A system that emits ten particles per second along its axis, with a lifetime of two seconds. */
const system = (main: Properties = {}, modules: Properties = {}): Properties => ({
  main: {
    duration: 5,
    loop: true,
    startLifetime: constant(2),
    startSpeed: constant(1),
    startSize: constant(0.5),
    startColor: { mode: 0, color: [1, 1, 1, 1] },
    simulationSpeed: 1,
    maxParticles: 100,
    playOnAwake: true,
    ...main,
  },
  emission: { enabled: true, rateOverTime: constant(10) },
  renderer: { enabled: true, renderMode: 0 },
  ...modules,
});

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

function run(properties: Properties, seconds: number, rate = 60, seed = 1, matrix: ArrayLike<number> = IDENTITY): ParticleSystem {
  const made = new ParticleSystem(properties, seed);
  for (let i = 0; i < Math.round(seconds * rate); i++) made.advance(1 / rate, matrix);
  made.updateLook();
  return made;
}

const cone = { enabled: true, shapeType: 4, angle: 30, radius: 1, radiusThickness: 1, arc: 360, length: 5 };

it('equal seeds give equal particles at any frame rate', () => {
  const [a, b, c] = [20, 30, 60].map(rate => run(system({}, { shape: cone }), 3, rate, 7));
  for (const other of [b!, c!]) {
    expect(other.count).toBe(a!.count);
    expect(other.positions).toEqual(a!.positions);
  }
  expect(run(system({}, { shape: cone }), 3, 60, 8).positions).not.toEqual(a!.positions);
});

describe('number of particles', () => {
  it('is rate times lifetime, limited by the file', () => {
    expect(run(system(), 1).count).toBe(10);
    expect(run(system(), 9).count).toBeGreaterThanOrEqual(19);
    expect(run(system(), 9).count).toBeLessThanOrEqual(21);
    expect(run(system({ maxParticles: 7 }), 9).count).toBe(7);
  });

  it('includes bursts in every cycle and loop', () => {
    const bursts = [{ time: 0, count: constant(3), cycleCount: 2, repeatInterval: 0.5, probability: 1 }];
    const emission = { enabled: true, rateOverTime: constant(0), bursts };
    const life = { startLifetime: constant(100), duration: 2 };
    const at = (seconds: number, more: Properties = {}): number => run(system({ ...life, ...more }, { emission }), seconds).count;
    expect([at(0.1), at(0.4), at(0.6), at(1.9), at(2.1), at(2.6)]).toEqual([3, 3, 6, 6, 9, 12]);
    expect(at(9, { loop: false })).toBe(6);
    expect(run(system({ loop: false, startLifetime: constant(1) }, { emission }), 9).isOver).toBe(true);
    const never = [{ ...bursts[0]!, probability: 0 }];
    expect(run(system(life, { emission: { ...emission, bursts: never } }), 1).count).toBe(0);
  });

  it('includes endless bursts without a cycle count, and at most 64 bursts', () => {
    const burst = { time: 0, count: constant(1), cycleCount: 0, repeatInterval: 0.5, probability: 1 };
    const after = (bursts: Properties[], seconds: number): number =>
      run(
        system(
          { startLifetime: constant(100), duration: 4, maxParticles: 1000 },
          { emission: { enabled: true, rateOverTime: constant(0), bursts } },
        ),
        seconds,
      ).count;
    expect(after([burst], 3.9)).toBe(8);
    expect(
      after(
        Array.from({ length: 100 }, (_, i) => ({ ...burst, time: i / 100, cycleCount: 1 })),
        3,
      ),
    ).toBe(64);
  });

  it('includes the bursts of a system without duration', () => {
    const bursts = [{ time: 0, count: constant(3), cycleCount: 1, repeatInterval: 1, probability: 1 }];
    expect(run(system({ duration: 0, loop: false }, { emission: { enabled: true, rateOverTime: constant(0), bursts } }), 0.5).count).toBe(
      3,
    );
  });

  it('has no backlog of an excessive rate', () => {
    const keys = [
      { time: 0, value: 1e9 },
      { time: 0.1, value: 0 },
      { time: 1, value: 0 },
    ];
    const emission = { enabled: true, rateOverTime: { mode: 1, curveMultiplier: 1, curve: { keys } } };
    const at = (seconds: number): number =>
      run(system({ duration: 1, loop: false, startLifetime: constant(0.02) }, { emission }), seconds).count;
    expect([at(0.05), at(0.5)]).toEqual([100, 0]);
  });

  it('is prewarmed only for loops, by at most 20 seconds', () => {
    expect(run(system({ prewarm: true, loop: false }), 1 / 60).count).toBe(0);
    expect(
      run(
        system({ prewarm: true, duration: 500, startLifetime: constant(400) }, { emission: { enabled: true, rateOverTime: constant(1) } }),
        1 / 60,
      ).count,
    ).toBe(20);
  });

  it('respects delay, prewarming and the distance moved by the emitter', () => {
    expect(run(system({ startDelay: constant(1) }), 0.9).count).toBe(0);
    expect(run(system({ prewarm: true }), 0.02).count).toBeGreaterThan(17);
    const moved = new ParticleSystem(
      system({}, { emission: { enabled: true, rateOverTime: constant(0), rateOverDistance: constant(5) } }),
      1,
    );
    for (let i = 0; i <= 60; i++) moved.advance(1 / 60, [...IDENTITY.slice(0, 12), i / 30, 0, 0, 1]);
    expect(moved.count).toBe(10);
  });
});

describe('movement', () => {
  const flight = (main: Properties, modules: Properties = {}, matrix: ArrayLike<number> = IDENTITY): number[] => {
    const bursts = [{ time: 0, count: constant(1), cycleCount: 1, repeatInterval: 1, probability: 1 }];
    const made = run(
      system({ startLifetime: constant(9), ...main }, { emission: { enabled: true, rateOverTime: constant(0), bursts }, ...modules }),
      1 + 1 / 60,
      60,
      1,
      matrix,
    );
    return [...made.positions.subarray(0, 3)];
  };
  const near = (found: number[], wanted: number[], digits = 2): void =>
    wanted.forEach((value, c) => expect(found[c]).toBeCloseTo(value, digits));
  const sideways = [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 3, 0, 0, 1]; // rotated by 90° about z, three metres to the right

  it('starts along −Z and follows gravity', () => {
    near(flight({ startSpeed: constant(2) }), [0, 0, -2], 4);
    near(flight({ gravityModifier: constant(0.5) }), [0, -9.81 / 4, -1], 1);
  });

  it('is simulated in the space of the emitter or of the scene', () => {
    near(flight({ gravityModifier: constant(1) }, {}, sideways), [-9.81 / 2, 0, -1], 0);
    near(flight({ gravityModifier: constant(1), simulationSpace: 1 }, {}, sideways), [3, -9.81 / 2, -1], 0);
    const force = { enabled: true, x: constant(2), y: constant(0), z: constant(0), space: 1 };
    near(flight({ startSpeed: constant(0) }, { forceOverLifetime: force }, sideways), [0, -1, 0], 1);
  });

  it('follows velocity over lifetime with radial speed and modifier', () => {
    const drift = { enabled: true, x: line(0, 9), y: constant(0), z: constant(3), speedModifier: constant(2), space: 0 };
    near(flight({ startSpeed: constant(0) }, { velocityOverLifetime: drift }), [1, 0, -6], 1);
    near(
      flight(
        {},
        {
          velocityOverLifetime: {
            enabled: true,
            radial: constant(1),
            speedModifier: constant(1),
            x: constant(0),
            y: constant(0),
            z: constant(0),
          },
        },
      ),
      [0, 0, -2],
      1,
    );
  });

  it('is slowed by speed limit and drag', () => {
    near(
      flight({ startSpeed: constant(5) }, { limitVelocityOverLifetime: { enabled: true, limitX: constant(1), dampen: 1 } }),
      [0, 0, -1],
      1,
    );
    // Half of the excess speed is lost in a thirtieth of a second.
    const bursts = [{ time: 0, count: constant(1), cycleCount: 1, repeatInterval: 1, probability: 1 }];
    const limited = system(
      { startSpeed: constant(5) },
      {
        emission: { enabled: true, rateOverTime: constant(0), bursts },
        limitVelocityOverLifetime: { enabled: true, limitX: constant(1), dampen: 0.5 },
      },
    );
    expect(run(limited, 3 / 60).velocities[2]).toBeCloseTo(-3, 5);
    const drag = { enabled: true, limitX: constant(1000), dampen: 0, drag: constant(1) };
    near(flight({ startSpeed: constant(5) }, { limitVelocityOverLifetime: drag }), [0, 0, -5 * (1 - Math.exp(-1))], 1);
  });
});

describe('emitters', () => {
  const emitted = (shape: Properties): { place: number[]; way: number[] }[] => {
    const made = new EmitterShape({ radius: 2, radiusThickness: 1, arc: 360, scale: [1, 1, 1], ...shape } as PropertyValue);
    const random = seeded(3);
    return Array.from({ length: 400 }, () => {
      const [place, way] = [vec3(), vec3()];
      made.emit(random, place, way);
      return { place: [...place], way: [...way] };
    });
  };
  const size = (v: number[]): number => Math.hypot(...v);

  it.each([
    [
      'sphere',
      { shapeType: 0 },
      (p: number[], w: number[]) => size(p) <= 2 && size([p[0]! - w[0]! * size(p), p[1]! - w[1]! * size(p)]) < 1e-9,
    ],
    ['its shell', { shapeType: 1 }, (p: number[]) => Math.abs(size(p) - 2) < 1e-9],
    ['hemisphere', { shapeType: 2 }, (p: number[]) => size(p) <= 2 && p[2]! >= 0],
    [
      'a thin rim of a circle',
      { shapeType: 10, radiusThickness: 0.1 },
      (p: number[], w: number[]) => size(p) > 1.79 && p[2] === 0 && w[2] === 0,
    ],
    ['an arc of a circle', { shapeType: 11, arc: 90 }, (p: number[]) => Math.abs(size(p) - 2) < 1e-9 && p[0]! > -1e-9 && p[1]! > -1e-9],
    [
      'cone',
      { shapeType: 4, angle: 30 },
      (p: number[], w: number[]) => size(p) <= 2 && p[2] === 0 && w[2]! >= Math.cos(Math.PI / 6) - 1e-9,
    ],
    ['its volume', { shapeType: 8, angle: 0, length: 5 }, (p: number[], w: number[]) => p[2]! >= 0 && p[2]! <= 5 && w[2] === 1],
    [
      'the shell of its volume',
      { shapeType: 9, angle: 0, length: 5 },
      (p: number[]) => Math.abs(Math.hypot(p[0]!, p[1]!) - 2) < 1e-9 && p[2]! >= 0,
    ],
    ['a cone that opens too wide', { shapeType: 4, angle: 200 }, (_: number[], w: number[]) => w[2]! >= -1e-9],
    [
      'directions of a sphere',
      { shapeType: 4, angle: 0, sphericalDirectionAmount: 1 },
      (p: number[], w: number[]) => Math.abs(w[2]!) < 1e-9 && p[0]! * w[0]! >= 0,
    ],
    ['box', { shapeType: 5, scale: [2, 4, 6] }, (p: number[]) => Math.abs(p[0]!) <= 1 && Math.abs(p[1]!) <= 2 && Math.abs(p[2]!) <= 3],
    ['faces of a box', { shapeType: 15 }, (p: number[]) => p.some(value => Math.abs(value) === 0.5)],
    ['edges of a box', { shapeType: 16 }, (p: number[]) => p.filter(value => Math.abs(value) === 0.5).length >= 2],
    ['donut', { shapeType: 17, donutRadius: 0.5 }, (p: number[]) => Math.hypot(Math.hypot(p[0]!, p[1]!) - 2, p[2]!) <= 0.5 + 1e-9],
    ['rectangle', { shapeType: 18, scale: [4, 2, 1] }, (p: number[]) => Math.abs(p[0]!) <= 2 && Math.abs(p[1]!) <= 1 && p[2] === 0],
    ['edge', { shapeType: 12 }, (p: number[], w: number[]) => Math.abs(p[0]!) <= 2 && w[1] === 1],
  ] as const)('%s', (_, shape, holds) => {
    const all = emitted(shape as unknown as Properties);
    expect(all.every(({ place, way }) => holds(place, way) && Math.abs(size(way) - 1) < 1e-9)).toBe(true);
    expect(new Set(all.map(({ place }) => place.join())).size).toBeGreaterThan(300); // random positions
  });

  it('fill their shape', () => {
    const most = (shape: Properties): number[] => [0, 1, 2].map(c => Math.max(...emitted(shape).map(({ place }) => Math.abs(place[c]!))));
    const [x, y, z] = most({ shapeType: 5, scale: [2, 4, 6] });
    expect([x! > 0.9, y! > 1.8, z! > 2.7]).toEqual([true, true, true]);
    expect(most({ shapeType: 9, angle: 0, length: 5 })[2]).toBeGreaterThan(4.5);
    expect(most({ shapeType: 2 })[2]).toBeGreaterThan(1.5);
  });

  it('apply position and rotation of the shape in Unity’s order z, x, y', () => {
    const [first] = emitted({ shapeType: 4, angle: 0, radius: 0, position: [1, 2, 3], rotation: [90, 0, 0] });
    [1, 2, 3].forEach((value, c) => expect(first!.place[c]).toBeCloseTo(value));
    [0, -1, 0].forEach((value, c) => expect(first!.way[c]).toBeCloseTo(value));
    const [turned] = emitted({ shapeType: 4, angle: 0, radius: 0, rotation: [0, 90, 0] });
    expect(turned!.way[0]).toBeCloseTo(1);
  });
});

describe('appearance', () => {
  it('changes size, colour and rotation over lifetime', () => {
    const modules = {
      sizeOverLifetime: { enabled: true, separateAxes: false, x: line(1, 0) },
      rotationOverLifetime: { enabled: true, separateAxes: false, z: constant(2) },
      colorOverLifetime: {
        enabled: true,
        color: {
          mode: 1,
          gradient: {
            colorKeys: [
              { color: [1, 0, 0, 1], time: 0 },
              { color: [0, 0, 1, 1], time: 1 },
            ],
            alphaKeys: [
              { alpha: 1, time: 0 },
              { alpha: 0, time: 1 },
            ],
          },
        },
      },
    };
    const bursts = [{ time: 0, count: constant(1), cycleCount: 1, repeatInterval: 1, probability: 1 }];
    const made = run(
      system({ startRotation: constant(0.5) }, { emission: { enabled: true, rateOverTime: constant(0), bursts }, ...modules }),
      0.5 + 1 / 60,
    );
    expect(made.sizes[0]).toBeCloseTo(0.5 * 0.75, 2);
    expect(made.angles[2]).toBeCloseTo(1.5, 2);
    [0.75, 0, 0.25, 0.75].forEach((value, c) => expect(made.colors[c]).toBeCloseTo(value, 2));
  });

  it('keeps the colour of a particle when others end', () => {
    const chance = { mode: 3, constantMin: 0.5, constantMax: 3 };
    const startColor = {
      mode: 4,
      gradientMax: {
        colorKeys: [
          { time: 0, color: [0, 0, 0, 1] },
          { time: 1, color: [1, 1, 1, 1] },
        ],
      },
    };
    const made = new ParticleSystem(system({ startLifetime: chance, startColor }), 3);
    const seen = (): [place: number, red: number][] => {
      made.updateLook();
      return Array.from({ length: made.count }, (_, i) => [made.positions[3 * i + 2]!, made.colors[4 * i]!]);
    };
    const step = 1 / 60;
    let compared = 0;
    for (let frame = 0; frame < 240; frame++) {
      const before = seen();
      made.advance(step, IDENTITY);
      for (const [place, red] of seen()) {
        const earlier = before.filter(([other]) => Math.abs(other - step - place) < 1e-4);
        if (earlier.length !== 1) continue; // emitted in this frame
        expect(earlier[0]![1]).toBe(red);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(1000);
  });

  it('plays texture sheets by row or as a whole', () => {
    const frames = (module: Properties): Set<number> => {
      const made = run(
        system({}, { textureSheetAnimation: { enabled: true, mode: 0, numTilesX: 4, numTilesY: 2, cycleCount: 1, ...module } }),
        4,
      );
      return new Set(made.frames.subarray(0, made.count));
    };
    expect(frames({ animation: 0, frameOverTime: line(0, 0.999) }).size).toBe(8);
    expect([...frames({ animation: 1, rowMode: 0, rowIndex: 1, frameOverTime: line(0, 0.999) })].sort()).toEqual([4, 5, 6, 7]);
    expect(
      [...frames({ animation: 0, frameOverTime: constant(0), startFrame: { mode: 3, constantMin: 0, constantMax: 1 } })].length,
    ).toBeGreaterThan(4);
  });

  it('plays texture sheets in cycles, also in random rows', () => {
    const bursts = [{ time: 0, count: constant(60), cycleCount: 1, repeatInterval: 9, probability: 1 }];
    const frames = (module: Properties, seconds: number): number[] => {
      const sheet = { enabled: true, mode: 0, numTilesX: 4, numTilesY: 2, frameOverTime: line(0, 0.999), ...module };
      const made = run(
        system({}, { emission: { enabled: true, rateOverTime: constant(0), bursts }, textureSheetAnimation: sheet }),
        seconds + 1 / 60,
      );
      return [...made.frames.subarray(0, made.count)];
    };
    expect([0.9, 1.1, 1.9].map(seconds => frames({ cycleCount: 2, animation: 0 }, seconds)[0])).toEqual([7, 0, 7]);
    expect([0.9, 1.9].map(seconds => frames({ cycleCount: 1, animation: 0 }, seconds)[0])).toEqual([3, 7]);
    expect(new Set(frames({ animation: 1, rowMode: 1 }, 0.1).map(frame => Math.floor(frame / 4))).size).toBe(2);
  });

  it('reads the single axis of old files, and is not drawn if the renderer is disabled', () => {
    const made = run(system({}, { rotationOverLifetime: { enabled: true, separateAxes: false, x: constant(2) } }), 1);
    expect([made.angles[0], made.angles[2]! > 1]).toEqual([0, true]);
    expect([true, false].map(enabled => run(system({}, { renderer: { enabled, renderMode: 2 } }), 0.1).look.mode)).toEqual([
      'flat',
      'none',
    ]);
  });

  it('reads Unity’s curves with unweighted tangents', () => {
    const ease = { time: 0, value: 0, inTangent: 0, outTangent: 0, inWeight: 0, outWeight: 0 };
    const at = (weightedMode: number): number =>
      amountIn(
        {
          mode: 1,
          curveMultiplier: 1,
          curve: {
            keys: [
              { ...ease, weightedMode },
              { ...ease, time: 1, value: 1, weightedMode },
            ],
          },
        },
        0,
      ).at(0.25, 0);
    expect(at(0)).toBeCloseTo(0.15625, 5); // 3 u² − 2 u³
    expect(at(3)).toBeCloseTo(0.25, 5);
    expect([at(1), at(2)].every(value => Math.abs(value - 0.15625) > 1e-3 && Math.abs(value - 0.25) > 1e-3)).toBe(true);
  });

  it('reads Unity’s gradients: fixed, random, at most eight keys', () => {
    const key = (time: number, red: number): Properties => ({ time, color: [red, 0, 0, 1] });
    const red = (value: Properties, time: number, random = 0): number => {
      const color = [1, 1, 1, 1];
      shadeIn(value).tint(color, 0, time, random);
      return color[0]!;
    };
    const keys = [key(0.25, 0), key(0.75, 1)];
    expect([0, 0.25, 0.5, 0.75, 1].map(time => red({ mode: 1, gradient: { mode: 1, colorKeys: keys } }, time))).toEqual([0, 0, 1, 1, 1]);
    expect(red({ mode: 1, gradient: { mode: 0, colorKeys: keys } }, 0.5)).toBeCloseTo(0.5, 5);
    expect([0.25, 0.5, 0.75].map(random => red({ mode: 4, gradientMax: { colorKeys: keys } }, 0, random))).toEqual([0, 0.5, 1]);
    const nine = Array.from({ length: 9 }, (_, i) => key(i / 8, i === 8 ? 1 : 0));
    expect(red({ mode: 1, gradient: { colorKeys: nine } }, 1)).toBe(0);
  });

  it('reads Unity’s values: missing constants as −1, two constants, two curves, random colours', () => {
    expect(amountIn({ mode: 0 }, 5).at(0, 0)).toBe(-1);
    expect(amountIn(undefined, 5).at(0, 0)).toBe(5);
    const two = amountIn({ mode: 3, constantMin: 2, constantMax: 4 }, 0);
    expect([two.at(0, 0), two.at(0, 0.5), two.at(1, 1)]).toEqual([2, 3, 4]);
    const curves = { mode: 2, curveMultiplier: 10, curveMin: line(0, 0)['curve']!, curveMax: line(0, 1)['curve']! };
    expect(amountIn(curves as Properties, 0).at(0.5, 0.5)).toBeCloseTo(2.5, 5);
    const color = [1, 1, 1, 1];
    shadeIn({ mode: 2, colorMin: [0, 0, 0, 1], colorMax: [1, 0.5, 0, 1] }).tint(color, 0, 0, 0.5);
    expect(color).toEqual([0.5, 0.25, 0, 1]);
  });
});

it('lists unsupported settings', () => {
  const modules = {
    noise: { enabled: true },
    trails: { enabled: false },
    velocityOverLifetime: { enabled: true, orbitalY: constant(1) },
    shape: { enabled: true, shapeType: 6 },
  };
  expect(new ParticleSystem(system({ simulationSpace: 2 }, modules), 1).unplayed).toEqual([
    'noise',
    'orbital velocity',
    'emission from a mesh',
    'a custom simulation space',
  ]);
  expect(new ParticleSystem(system({}, { renderer: { enabled: true, alignment: 3 } }), 1).unplayed).toEqual([
    'alignment to the camera position',
  ]);
});

it('extreme settings cost little', () => {
  const worst: Properties = {
    main: {
      duration: 1e-30,
      loop: true,
      prewarm: true,
      startLifetime: constant(1e30),
      startSpeed: { mode: 2, curveMin: { keys: [{ time: NaN }] } } as never,
      startSize: constant(NaN),
      simulationSpeed: Infinity,
      maxParticles: 1e12,
    },
    emission: {
      enabled: true,
      rateOverTime: constant(1e30),
      bursts: Array.from({ length: 1000 }, () => ({ time: 0, count: constant(1e30), cycleCount: 0, repeatInterval: 0, probability: 1 })),
    },
    textureSheetAnimation: { enabled: true, numTilesX: 1e9, numTilesY: -4 },
    shape: { enabled: true, shapeType: 'x', radius: NaN, rotation: [NaN], scale: 'no' } as never,
  };
  const made = run(worst, 0.2);
  expect(made.count).toBe(10_000);
  expect(made.positions.every(Number.isFinite)).toBe(true);
  for (const nothing of [undefined, {}, { main: null }] as never[]) expect(run(nothing, 0.2).count).toBe(0);
});

describe('emitters of a scene', () => {
  const feature = (node: number): Feature => ({ kind: 'particleSystem', name: '', node, properties: system({ simulationSpace: 1 }) });

  it('emit at nodes that earlier solvers have moved', () => {
    const shape = new PoseShape(armScene({ features: [feature(2)] }));
    const animator = new Animator(shape);
    const particles = ParticleEmitters.of(shape.scene)!;
    animator.add(particles);
    let frame = 0;
    animator.add({ stage: 'ik', solve: pose => void (pose.translations[3 * 2] = frame >= 15 ? 7 : 0) });
    for (; frame < 30; frame++) animator.evaluate(1 / 60);
    const { count, positions } = particles.emitters[0]!.system;
    const places = Array.from({ length: count }, (_, i) => Math.round(positions[3 * i]!));
    expect(new Set(places)).toEqual(new Set([0, 7]));
  });

  it('are paused while an ancestor is hidden', () => {
    const shape = new PoseShape(armScene({ features: [feature(2)] }));
    const animator = new Animator(shape);
    const particles = ParticleEmitters.of(shape.scene)!;
    animator.add(particles);
    animator.base.visible[1] = 0;
    for (let i = 0; i < 30; i++) animator.evaluate(1 / 60);
    expect(particles.emitters[0]!.isShown).toBe(false);
    expect(particles.emitters[0]!.system.count).toBe(0);
  });
});
