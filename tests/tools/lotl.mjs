// Generates Lotl, the axolotl of the start page: a VGO avatar with a skin, expressions, toon
// shading, and spring bones in its gills and tail. It is built from ellipsoids and tubes. It is
// modelled facing +Z with its left side at +X, and rotated when it is written, because avatars in a
// VGO file face −Z.
import { encodeVgo, VgoResource } from '../support/vgoFile.mjs';

const add = (a, b) => a.map((value, i) => value + b[i]);
const sub = (a, b) => a.map((value, i) => value - b[i]);
const scale = (a, s) => a.map(value => value * s);
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const size = a => Math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
const unit = a => scale(a, 1 / (size(a) || 1));
const mix = (a, b, t) => a + (b - a) * t;
const mixed = (a, b, t) => a.map((value, i) => mix(value, b[i], t));
const clamp = (value, low = 0, high = 1) => Math.min(Math.max(value, low), high);
const smooth = (from, to, value) => {
  const t = clamp((value - from) / (to - from));
  return t * t * (3 - 2 * t);
};
/** Rotates a vector to the orientation of avatars in the file. */
const turned = a => [-a[0] + 0, a[1], -a[2] + 0];
/** Converts a colour 0xRRGGBB from sRGB to linear. */
const linear = hex =>
  [16, 8, 0].map(shift => {
    const value = ((hex >> shift) & 255) / 255;
    return Number((value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4).toFixed(5));
  });

// ------------------------------------------------------------------------------------------------ bones

const HEAD = [0, 0.6, 0];
const HEAD_RADII = [0.29, 0.205, 0.225];
const bones = [
  { name: 'Hips', at: [0, 0.2, 0], parent: null },
  { name: 'Spine', at: [0, 0.28, 0], parent: 'Hips' },
  { name: 'Head', at: [0, 0.42, 0], parent: 'Spine' },
];
for (const [side, x] of [
  ['Left', 1],
  ['Right', -1],
]) {
  bones.push(
    { name: `${side}UpperArm`, at: [x * 0.13, 0.36, 0.02], parent: 'Spine' },
    { name: `${side}LowerArm`, at: [x * 0.2, 0.315, 0.045], parent: `${side}UpperArm` },
    { name: `${side}Hand`, at: [x * 0.26, 0.275, 0.075], parent: `${side}LowerArm` },
    { name: `${side}UpperLeg`, at: [x * 0.085, 0.15, 0.01], parent: 'Hips' },
    { name: `${side}LowerLeg`, at: [x * 0.1, 0.09, 0.03], parent: `${side}UpperLeg` },
    { name: `${side}Foot`, at: [x * 0.11, 0.04, 0.05], parent: `${side}LowerLeg` },
  );
}
/** Three gills per side, each a chain that points outwards and upwards. */
const gills = [];
for (const [side, x] of [
  ['Left', 1],
  ['Right', -1],
]) {
  [
    [8, 0.2],
    [38, 0.23],
    [68, 0.21],
  ].forEach(([degrees, length], at) => {
    const angle = (degrees * Math.PI) / 180;
    const out = [x * Math.cos(angle), Math.sin(angle), -0.25];
    const root = add(HEAD, [x * HEAD_RADII[0] * 0.93 * Math.cos(angle * 0.95), HEAD_RADII[1] * 0.9 * Math.sin(angle * 0.95), -0.03]);
    const bend = [x * 0.02, 0.05, -0.02];
    const points = [0, 1, 2, 3].map(i => add(add(root, scale(unit(out), (length * i) / 3)), scale(bend, (i / 3) ** 2)));
    points.forEach((point, i) =>
      bones.push({ name: `${side}Gill${at + 1}_${i + 1}`, at: point, parent: i ? `${side}Gill${at + 1}_${i}` : 'Head' }),
    );
    gills.push({ name: `${side}Gill${at + 1}`, points });
  });
}
const tail = [
  [0, 0.17, -0.11],
  [0, 0.135, -0.2],
  [0, 0.115, -0.29],
  [0, 0.12, -0.38],
  [0, 0.15, -0.46],
  [0, 0.2, -0.525],
];
tail.forEach((point, i) => bones.push({ name: `Tail${i + 1}`, at: point, parent: i ? `Tail${i}` : 'Hips' }));
const boneAt = new Map(bones.map((bone, i) => [bone.name, i]));

// ------------------------------------------------------------------------------------------------ shapes

/** A mesh that consists of named pieces. Triangles are grouped by material. */
class Shape {
  positions = [];
  weights = [];
  triangles = new Map();
  /** Indices of the vertices of each piece, by name of the piece. */
  pieces = new Map();

  add(name, material, points, faces, weigh) {
    const first = this.positions.length;
    this.positions.push(...points);
    this.weights.push(...points.map(point => (weigh ? weigh(point) : [])));
    const list = this.triangles.get(material) ?? [];
    list.push(...faces.map(index => index + first));
    this.triangles.set(material, list);
    this.pieces.set(
      name,
      points.map((_, i) => first + i),
    );
  }

  normals() {
    const normals = this.positions.map(() => [0, 0, 0]);
    for (const list of this.triangles.values()) {
      for (let i = 0; i < list.length; i += 3) {
        const [a, b, c] = [list[i], list[i + 1], list[i + 2]];
        const normal = cross(sub(this.positions[b], this.positions[a]), sub(this.positions[c], this.positions[a]));
        for (const corner of [a, b, c]) normals[corner] = add(normals[corner], normal);
      }
    }
    return normals.map(normal => (size(normal) > 0 ? unit(normal) : [0, 0, 1]));
  }
}

/**
 * Returns a closed surface of rings between two poles. `ring(t)` returns [centre, across, upwards]
 * as vectors; the poles are at t = 0 and t = 1.
 */
function rings(count, columns, ring, start, end) {
  const points = [start];
  const faces = [];
  for (let row = 1; row < count; row++) {
    const [center, across, upwards] = ring(row / count);
    for (let column = 0; column < columns; column++) {
      const angle = (2 * Math.PI * column) / columns;
      points.push(add(center, add(scale(across, Math.cos(angle)), scale(upwards, Math.sin(angle)))));
    }
  }
  points.push(end);
  const at = (row, column) => 1 + (row - 1) * columns + (column % columns);
  for (let column = 0; column < columns; column++) {
    faces.push(0, at(1, column + 1), at(1, column));
    for (let row = 1; row < count - 1; row++) {
      faces.push(
        at(row, column),
        at(row, column + 1),
        at(row + 1, column),
        at(row, column + 1),
        at(row + 1, column + 1),
        at(row + 1, column),
      );
    }
    faces.push(points.length - 1, at(count - 1, column), at(count - 1, column + 1));
  }
  return [points, faces];
}

function ellipsoid(center, [rx, ry, rz], rows = 10, columns = 16) {
  return rings(
    rows,
    columns,
    t => {
      const angle = Math.PI * t;
      return [add(center, [0, 0, rz * Math.cos(angle)]), [-rx * Math.sin(angle), 0, 0], [0, ry * Math.sin(angle), 0]];
    },
    add(center, [0, 0, rz]),
    add(center, [0, 0, -rz]),
  );
}

/** Returns a tube through points, whose ends are round. `radius(t)` returns [across, upwards]. */
function tube(points, radius, rows = 10, columns = 12, upwards = [0, 1, 0]) {
  const along = t => {
    const place = clamp(t) * (points.length - 1);
    const at = Math.min(Math.floor(place), points.length - 2);
    return mixed(points[at], points[at + 1], place - at);
  };
  const direction = t => unit(sub(along(Math.min(t + 0.08, 1)), along(Math.max(t - 0.08, 0))));
  const [startRadius] = radius(0);
  const [endRadius] = radius(1);
  return rings(
    rows,
    columns,
    t => {
      const forward = direction(t);
      const across = unit(cross(forward, upwards));
      const up = cross(across, forward);
      const [a, b] = radius(t);
      const cap = Math.min(1, Math.sqrt(Math.max(1 - (1 - Math.min(t, 1 - t) * rows * 0.5) ** 2, 0.4)));
      return [
        along(t),
        scale(across, -a * (t * rows < 2 || (1 - t) * rows < 2 ? cap : 1)),
        scale(up, b * (t * rows < 2 || (1 - t) * rows < 2 ? cap : 1)),
      ];
    },
    sub(points[0], scale(direction(0), startRadius * 0.5)),
    add(points.at(-1), scale(direction(1), endRadius * 0.5)),
  );
}

const only = name => () => [[name, 1]];
/**
 * Returns a function that computes the weights of the bones in a chain from the position of a point
 * along the chain.
 */
const chain = (names, points) => point => {
  let best = [0, Infinity];
  for (let i = 0; i + 1 < points.length; i++) {
    const edge = sub(points[i + 1], points[i]);
    const to = sub(point, points[i]);
    const t = clamp((edge[0] * to[0] + edge[1] * to[1] + edge[2] * to[2]) / size(edge) ** 2);
    const distance = size(sub(to, scale(edge, t)));
    if (distance < best[1] - 1e-9) best = [i + t, distance];
  }
  const place = clamp(best[0] - 0.5, 0, names.length - 1);
  const low = Math.min(Math.floor(place), names.length - 2);
  return [
    [names[low], 1 - (place - low)],
    [names[low + 1], place - low],
  ];
};

const body = new Shape();
const torso = ([, y]) => {
  const t = smooth(0.18, 0.32, y);
  return [
    ['Hips', 1 - t],
    ['Spine', t],
  ];
};
body.add('torso', 'skin', ...ellipsoid([0, 0.265, -0.005], [0.15, 0.19, 0.135], 10, 15), torso);
body.add('belly', 'belly', ...ellipsoid([0, 0.245, 0.052], [0.102, 0.132, 0.1], 8, 14), torso);
body.add('head', 'skin', ...ellipsoid(HEAD, HEAD_RADII, 13, 20), only('Head'));
for (const [side, x] of [
  ['Left', 1],
  ['Right', -1],
]) {
  const arm = ['UpperArm', 'LowerArm', 'Hand'].map(part => `${side}${part}`);
  const armPoints = arm.map(name => bones[boneAt.get(name)].at);
  body.add(
    `${side}Arm`,
    'skin',
    ...tube(
      [...armPoints.slice(0, 2), add(armPoints[2], [x * 0.01, -0.007, 0.006])],
      t => [mix(0.048, 0.036, t), mix(0.048, 0.036, t)],
      7,
      9,
    ),
    chain(arm, armPoints),
  );
  for (const [index, spread] of [
    [0, -0.024],
    [1, 0.002],
    [2, 0.026],
  ]) {
    body.add(
      `${side}Finger${index}`,
      'skin',
      ...ellipsoid(add(armPoints[2], [x * 0.034, -0.024 - Math.abs(spread) * 0.2, 0.012 + spread]), [0.02, 0.017, 0.015], 4, 6),
      only(`${side}Hand`),
    );
  }
  const leg = ['UpperLeg', 'LowerLeg', 'Foot'].map(part => `${side}${part}`);
  const legPoints = leg.map(name => bones[boneAt.get(name)].at);
  body.add(
    `${side}Leg`,
    'skin',
    ...tube(legPoints, t => [mix(0.068, 0.055, t), mix(0.068, 0.055, t)], 5, 8, [0, 0, 1]),
    chain(leg, legPoints),
  );
  body.add(
    `${side}Foot`,
    'skin',
    ...ellipsoid(add(legPoints[2], [x * 0.006, -0.004, 0.035]), [0.062, 0.036, 0.075], 6, 10),
    only(`${side}Foot`),
  );
}
for (const { name, points } of gills) {
  const names = [1, 2, 3].map(i => `${name}_${i}`);
  body.add(name, 'skin', ...tube(points, t => [mix(0.027, 0.008, t), mix(0.027, 0.008, t)], 5, 6, [0, 0, 1]), chain(names, points));
  // The frill of the tail: leaves on both sides, which are smaller towards the tip.
  for (let leaf = 0; leaf < 3; leaf++) {
    const t = 0.3 + 0.3 * leaf;
    const place = t * 3;
    const low = Math.min(Math.floor(place), 2);
    const center = mixed(points[low], points[low + 1], place - low);
    const forward = unit(sub(points[low + 1], points[low]));
    const aside = unit(cross(forward, [0, 0, 1]));
    for (const sign of [1, -1]) {
      const reach = mix(0.062, 0.04, t);
      const tip = add(center, add(scale(aside, sign * reach), scale(forward, 0.03)));
      body.add(
        `${name}Leaf${leaf}${sign}`,
        'gill',
        ...tube([center, mixed(center, tip, 0.5), tip], s => [mix(0.0125, 0.006, s), mix(0.016, 0.008, s)], 3, 5, [0, 0, 1]),
        chain(names, points),
      );
    }
  }
}
const tailNames = tail.slice(0, -1).map((_, i) => `Tail${i + 1}`);
const tailWeights = chain(['Hips', ...tailNames], [bones[0].at, ...tail]);
body.add('tail', 'skin', ...tube(tail, t => [mix(0.062, 0.012, t ** 0.8), mix(0.075, 0.02, t ** 0.8)], 10, 8), tailWeights);
const fin = tail.map((point, i) => add(point, [0, 0.02 + 0.016 * Math.sin((Math.PI * i) / 5), 0]));
body.add(
  'fin',
  'fin',
  ...tube(
    [...fin, add(fin.at(-1), [0, 0.035, -0.03])],
    t => [mix(0.012, 0.006, t), 0.04 + 0.075 * Math.sin(Math.PI * Math.min(0.15 + 0.85 * t, 1) ** 1.2)],
    10,
    7,
  ),
  tailWeights,
);

// ------------------------------------------------------------------------------------------------ the face

/** Returns the z coordinate of the front surface of the head at (x, y). */
const skinZ = (x, y, lift = 0) => {
  const dx = x / HEAD_RADII[0];
  const dy = (y - HEAD[1]) / HEAD_RADII[1];
  return HEAD[2] + HEAD_RADII[2] * Math.sqrt(Math.max(1 - dx * dx - dy * dy, 0)) + lift;
};
const face = new Shape();
const EYE = { x: 0.158, y: 0.625, rx: 0.031, ry: 0.041 };
for (const [side, x] of [
  ['Left', 1],
  ['Right', -1],
]) {
  const center = [x * EYE.x, EYE.y, skinZ(x * EYE.x, EYE.y, -0.004)];
  face.add(`${side}Eye`, 'eye', ...ellipsoid(center, [EYE.rx, EYE.ry, 0.016], 5, 12));
  face.add(`${side}Shine`, 'shine', ...ellipsoid(add(center, [0.009, 0.015, 0.0135]), [0.0105, 0.0125, 0.004], 4, 8));
  face.add(`${side}Glint`, 'shine', ...ellipsoid(add(center, [-0.01, -0.014, 0.0135]), [0.005, 0.006, 0.003], 4, 6));
  const cheek = [x * 0.198, 0.563, skinZ(x * 0.198, 0.563, -0.0015)];
  face.add(`${side}Cheek`, 'cheek', ...ellipsoid(cheek, [0.029, 0.0165, 0.006], 4, 12));
  const brow = [-1, -0.5, 0, 0.5, 1].map(t => {
    const bx = x * (EYE.x + 0.026 * t);
    const by = 0.69 - 0.006 * t * t;
    return [bx, by, skinZ(bx, by, 0.001)];
  });
  face.add(`${side}Brow`, 'line', ...tube(x > 0 ? brow : brow.toReversed(), () => [0.0048, 0.0048], 5, 4));
}
const MOUTH = { half: 0.095, y: 0.547 };
const lip = (t, rise = 0.026) => MOUTH.y + rise * t * t;
const mouthPoint = (x, y, lift) => [x, y, skinZ(x, y, lift)];
face.add(
  'lip',
  'line',
  ...tube(
    Array.from({ length: 13 }, (_, i) => {
      const t = i / 6 - 1;
      return mouthPoint(MOUTH.half * t, lip(t), 0.0015);
    }),
    () => [0.0046, 0.0046],
    12,
    4,
  ),
);
/**
 * The mouth is modelled open, and folded into the line of the lips until an expression opens it.
 */
const mouth = { columns: 10, rows: 2 };
{
  const points = [];
  const faces = [];
  for (let row = 0; row <= mouth.rows; row++) {
    for (let column = 0; column <= mouth.columns; column++) {
      const t = (2 * column) / mouth.columns - 1;
      points.push(mouthPoint(MOUTH.half * 0.92 * t, lip(0.92 * t) - 0.0008 * row, 0.0012));
    }
  }
  const at = (row, column) => row * (mouth.columns + 1) + column;
  for (let row = 0; row < mouth.rows; row++) {
    for (let column = 0; column < mouth.columns; column++) {
      faces.push(
        at(row, column),
        at(row + 1, column),
        at(row, column + 1),
        at(row, column + 1),
        at(row + 1, column),
        at(row + 1, column + 1),
      );
    }
  }
  face.add('mouth', 'mouth', points, faces);
}
const tongueAt = mouthPoint(0, 0.536, -0.03);
face.add('tongue', 'tongue', ...ellipsoid(tongueAt, [0.03, 0.022, 0.012], 5, 9));

/** Morph targets. Each maps the names of the pieces that it moves to a function that moves a point. */
const morphs = [];
const addMorph = (name, moves, tags = {}) => {
  const deltas = new Float32Array(3 * face.positions.length);
  for (const [piece, move] of Object.entries(moves)) {
    for (const vertex of face.pieces.get(piece)) {
      const delta = turned(sub(move(face.positions[vertex], vertex), face.positions[vertex]));
      deltas.set(
        delta.map(value => (Math.abs(value) < 1e-6 ? 0 : value)),
        3 * vertex,
      );
    }
  }
  morphs.push({ name, deltas, ...tags });
};
const eyes = (sides, move, hide) =>
  Object.fromEntries(
    sides.flatMap(([side, x]) => {
      const center = [x * EYE.x, EYE.y, 0];
      const gone = point => [point[0], point[1], point[2] - 0.05];
      return [
        [`${side}Eye`, point => move(point, center)],
        [`${side}Shine`, hide ? gone : point => move(point, center)],
        [`${side}Glint`, hide ? gone : point => move(point, center)],
      ];
    }),
  );
const both = [
  ['Left', 1],
  ['Right', -1],
];
const shut = ([x, y, z], [cx, cy]) => [x, cy - 0.01 - 0.008 * (1 - ((x - cx) / EYE.rx) ** 2) + (y - cy) * 0.1, z + 0.002];
const happy = ([x, y, z], [cx, cy]) => [
  cx + (x - cx) * 1.12,
  cy - 0.006 + 0.024 * (1 - ((x - cx) / EYE.rx) ** 2) + (y - cy) * 0.13,
  z + 0.003,
];
addMorph('Blink', eyes(both, shut, true), { blinkType: 3 });
addMorph('Blink_L', eyes([both[0]], shut, true), { blinkType: 1 });
addMorph('Blink_R', eyes([both[1]], shut, true), { blinkType: 2 });
addMorph('HappyEyes', eyes(both, happy, true), { facePartsType: 13 });
addMorph(
  'WideEyes',
  eyes(both, ([x, y, z], [cx, cy]) => [cx + (x - cx) * 1.22, cy + (y - cy) * 1.22, z + 0.002], false),
  { facePartsType: 13 },
);
const brows = move =>
  Object.fromEntries(
    both.map(([side, x]) => [
      `${side}Brow`,
      point => {
        const t = (point[0] * x - EYE.x) / 0.026; // −1 inside, 1 outside
        const y = move(point, t);
        return [point[0], y, point[2] + skinZ(point[0], y) - skinZ(point[0], point[1])];
      },
    ]),
  );
addMorph(
  'AngryBrows',
  brows(([, y], t) => y - 0.014 + 0.02 * t),
  { facePartsType: 11 },
);
addMorph(
  'SadBrows',
  brows(([, y], t) => y + 0.004 - 0.016 * t),
  { facePartsType: 11 },
);
addMorph(
  'BrowsUp',
  brows(([, y]) => y + 0.022),
  { facePartsType: 11 },
);
/**
 * Returns the shape of a mouth that is scaled by `width`, opened by `open` metres, and whose
 * corners are raised by `rise`. `round` bends the line of the lips to an arch.
 */
const mouthShape = (width, open, rise, round = 0) => {
  const bend = ([x, y, z], t, height) => {
    const nx = x * width;
    const ny = lip(t, rise) + height + round * (1 - t * t) + (y - lip(t));
    return [nx, ny, z + skinZ(nx, ny) - skinZ(x, y)];
  };
  const first = face.pieces.get('mouth')[0];
  return {
    lip: point => bend(point, clamp(point[0] / MOUTH.half, -1, 1), 0),
    mouth: (point, vertex) => {
      const row = Math.floor((vertex - first) / (mouth.columns + 1)) / mouth.rows;
      const t = point[0] / MOUTH.half;
      const depth = Math.sqrt(Math.max(1 - (t / 0.92) ** 2, 0));
      const [x, y, z] = bend(point, t, -open * row * depth);
      return [x, y, z + 0.006 * Math.min(open / 0.05, 1)];
    },
  };
};
addMorph('Mouth_A', mouthShape(0.62, 0.075, 0.02), { visemeType: 10, facePartsType: 50 });
addMorph('Mouth_E', mouthShape(0.8, 0.04, 0.024), { visemeType: 11, facePartsType: 50 });
addMorph('Mouth_I', mouthShape(0.95, 0.022, 0.03), { visemeType: 12, facePartsType: 50 });
addMorph('Mouth_O', mouthShape(0.36, 0.058, -0.012, 0.012), { visemeType: 13, facePartsType: 50 });
addMorph('Mouth_U', mouthShape(0.26, 0.032, -0.006, 0.004), { visemeType: 14, facePartsType: 50 });
addMorph('MouthLaugh', mouthShape(0.98, 0.085, 0.034), { facePartsType: 50 });
addMorph('MouthSad', mouthShape(0.6, 0, -0.02, 0.004), { facePartsType: 50 });
addMorph(
  'TongueOut',
  { tongue: ([x, y, z]) => [x * 0.95, y - 0.006 + (z < tongueAt[2] ? 0.004 : -0.006), z + 0.0375] },
  { facePartsType: 52 },
);

const morphAt = name => morphs.findIndex(morph => morph.name === name);
const preset = (name, type, ...bindings) => ({
  name,
  type,
  bindings: bindings.map(([morph, weight = 100]) => ({ index: morphAt(morph), weight })),
});
const presets = [
  preset('Neutral', 1),
  preset('Joy', 2, ['HappyEyes'], ['MouthLaugh'], ['BrowsUp', 60]),
  preset('Angry', 3, ['AngryBrows'], ['MouthSad', 70]),
  preset('Sorrow', 4, ['SadBrows'], ['MouthSad'], ['Blink', 25]),
  preset('Fun', 5, ['HappyEyes'], ['BrowsUp', 40]),
  preset('Surprise', 9, ['WideEyes'], ['Mouth_O'], ['BrowsUp']),
  preset('WinkL', 10, ['Blink_L']),
  preset('WinkR', 11, ['Blink_R']),
  preset('Cheeky', 0, ['Blink_L'], ['TongueOut'], ['BrowsUp', 50]),
];

// ------------------------------------------------------------------------------------------------ writing

const toon = (name, color, shade, outline = 0) => ({
  name,
  shaderName: 'VRM/MToon',
  renderQueue: 2000,
  intProperties: { _BlendMode: 0, _CullMode: 2, _OutlineWidthMode: outline ? 1 : 0, _OutlineColorMode: 0 },
  floatProperties: {
    _ShadeShift: -0.05,
    _ShadeToony: 0.85,
    _IndirectLightIntensity: 0.1,
    _OutlineWidth: outline,
    _RimLightingMix: 0,
    _RimFresnelPower: 5,
    _RimLift: 0,
  },
  colorProperties: {
    _Color: [...linear(color), 1],
    _ShadeColor: [...linear(shade), 1],
    _OutlineColor: [...linear(0x7c3350), 1],
    _RimColor: [0.03, 0.02, 0.02, 1],
    _EmissionColor: [0, 0, 0, 1],
  },
});
const materials = {
  skin: toon('Skin', 0xf9b9bd, 0xe58aa0, 0.3),
  belly: toon('Belly', 0xffe6df, 0xf4bcb8, 0.2),
  gill: toon('Gills', 0xe85a78, 0xb02d55, 0.22),
  fin: toon('Fin', 0xf593a7, 0xd8607f, 0.25),
  eye: toon('Eyes', 0x2b1a26, 0x20121c),
  shine: { name: 'Shine', shaderName: 'Unlit/Color', isUnlit: true, colorProperties: { _Color: [1, 1, 1, 1] } },
  cheek: toon('Cheeks', 0xff8fa4, 0xee6c8a),
  line: toon('Lines', 0x7c3350, 0x6a2844),
  mouth: toon('Mouth', 0x8f2f4c, 0x7a2440),
  tongue: toon('Tongue', 0xf57f95, 0xdd5f7c),
};
const materialNames = Object.keys(materials);

const matrixAt = ([x, y, z]) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];

export function makeLotl() {
  const resource = new VgoResource();
  const writeShape = (name, shape, skin) => {
    const flat = list => Float32Array.from(list.flatMap(turned), value => Number(value.toFixed(5)));
    const normals = flat(shape.normals());
    const attributes = { POSITION: resource.add(flat(shape.positions), 'vec3'), NORMAL: resource.add(normals, 'vec3') };
    if (skin) {
      const joints = [];
      const weights = [];
      for (const list of shape.weights) {
        const own = list
          .filter(([, weight]) => weight > 1e-4)
          .sort((a, b) => b[1] - a[1])
          .slice(0, 4);
        const sum = own.reduce((total, [, weight]) => total + weight, 0);
        for (let i = 0; i < 4; i++) {
          joints.push(own[i] ? boneAt.get(own[i][0]) : 0);
          weights.push(own[i] ? own[i][1] / sum : 0);
        }
      }
      attributes.JOINTS_0 = resource.add(Uint8Array.from(joints), 'joints');
      attributes.WEIGHTS_0 = resource.add(Float32Array.from(weights), 'vec4');
    }
    const used = [...shape.triangles.keys()];
    return {
      mesh: { name, attributes, subMeshes: used.map(material => resource.add(Uint16Array.from(shape.triangles.get(material)), 'u16')) },
      materials: used.map(material => materialNames.indexOf(material)),
    };
  };
  const bodyMesh = writeShape('Body', body, true);
  const faceMesh = writeShape('Face', face, false);
  const still = resource.add(new Float32Array(3 * face.positions.length), 'vec3');
  faceMesh.mesh.blendShapes = morphs.map(({ name, deltas, ...tags }) => ({
    name,
    attributes: { POSITION: resource.addDeltas(deltas), NORMAL: still },
    ...tags,
  }));

  // Nodes in depth-first order, in which the format numbers them.
  const nodes = [];
  const places = [];
  const rowOf = new Map();
  const put = (node, at) => {
    places.push(at);
    return nodes.push(node) - 1;
  };
  const root = put({ name: 'Lotl', isRoot: true, children: [] }, [0, 0, 0]);
  const visit = (bone, parent, parentAt) => {
    const row = put({ name: bone.name }, sub(bone.at, parentAt));
    rowOf.set(bone.name, row);
    (nodes[parent].children ??= []).push(row);
    for (const child of bones) if (child.parent === bone.name) visit(child, row, bone.at);
    if (bone.name === 'Head') {
      // The vertices of the face have world positions, so its node compensates for the position of
      // the head.
      const face = put(
        {
          name: 'Face',
          meshRenderer: { name: 'Face', mesh: 1, materials: faceMesh.materials, blendShapeKind: 1, blendShapePresets: presets },
        },
        scale(bone.at, -1),
      );
      nodes[row].children.push(face);
    }
  };
  visit(bones[0], root, [0, 0, 0]);
  nodes[root].children.push(
    put({ name: 'Body', skin: 0, meshRenderer: { name: 'Body', mesh: 0, materials: bodyMesh.materials } }, [0, 0, 0]),
  );
  resource.add(Float32Array.from(places.flatMap(place => matrixAt(turned(place)))), 'mat4', 2);
  const inverseBindMatrices = resource.add(Float32Array.from(bones.flatMap(({ at }) => matrixAt(turned(scale(at, -1))))), 'mat4', 4);

  const human = {
    Hips: 0,
    LeftUpperLeg: 1,
    RightUpperLeg: 2,
    LeftLowerLeg: 3,
    RightLowerLeg: 4,
    LeftFoot: 5,
    RightFoot: 6,
    Spine: 7,
    Head: 10,
    LeftUpperArm: 13,
    RightUpperArm: 14,
    LeftLowerArm: 15,
    RightLowerArm: 16,
    LeftHand: 17,
    RightHand: 18,
  };
  nodes[root].animator = {
    name: 'Lotl',
    humanAvatar: {
      name: 'Lotl',
      humanBones: Object.entries(human).map(([name, humanBodyBone]) => ({ humanBodyBone, nodeIndex: rowOf.get(name) })),
    },
  };

  // A small hop on the spot: up and down, with a rhythmic squash and a sway.
  const key = (time, value, slope = 0, more = {}) => ({
    time,
    value,
    inTangent: slope,
    outTangent: slope,
    inWeight: 0.3333,
    outWeight: 0.3333,
    ...more,
  });
  const low = 0.2;
  const hop = [
    key(0, low, 0),
    key(0.2, low - 0.018, 0),
    key(0.45, low + 0.07, 0, { inWeight: 0.6, outWeight: 0.6, weightedMode: 3 }),
    key(0.7, low - 0.014, 0),
    key(0.9, low, 0),
    key(1.6, low, 0),
  ];
  const sway = [key(0, 0), key(0.45, 5), key(0.9, 0), key(1.25, -3), key(1.6, 0)];
  nodes[rowOf.get('Hips')].animation = { name: 'Hop', enabled: true, clipIndex: 0, playAutomatically: true, wrapMode: 2 };
  const animationClips = [
    {
      name: 'Hop',
      legacy: true,
      wrapMode: 2,
      curveBindings: [
        { type: 'Transform', propertyName: 'LocalPosition.x', animationCurve: { keys: [key(0, 0), key(1.6, 0)] } },
        { type: 'Transform', propertyName: 'LocalPosition.y', animationCurve: { keys: hop } },
        { type: 'Transform', propertyName: 'LocalPosition.z', animationCurve: { keys: [key(0, 0), key(1.6, 0)] } },
        { type: 'Transform', propertyName: 'localEulerAnglesRaw.x', animationCurve: { keys: [key(0, 0), key(1.6, 0)] } },
        { type: 'Transform', propertyName: 'localEulerAnglesRaw.y', animationCurve: { keys: [key(0, 0), key(1.6, 0)] } },
        { type: 'Transform', propertyName: 'localEulerAnglesRaw.z', animationCurve: { keys: sway } },
      ],
    },
  ];

  nodes[rowOf.get('Head')].springBoneColliderGroup = 0;
  nodes[rowOf.get('Hips')].springBoneGroups = [0, 1];
  const springBoneInfo = {
    // The spring bones have no gravity. The format has no force that could balance gravity, so the
    // gills would always droop.
    springBoneGroups: [
      {
        name: 'Gills',
        enabled: true,
        dragForce: 0.28,
        stiffnessForce: 1.6,
        gravityDirection: [0, -1, 0],
        gravityPower: 0,
        rootBones: gills.map(({ name }) => rowOf.get(`${name}_1`)),
        hitRadius: 0.012,
        colliderGroups: [0],
      },
      {
        name: 'Tail',
        enabled: true,
        dragForce: 0.22,
        stiffnessForce: 1.1,
        gravityDirection: [0, -1, 0],
        gravityPower: 0,
        rootBones: [rowOf.get('Tail1')],
        hitRadius: 0.03,
        colliderGroups: [],
      },
    ],
    colliderGroups: [
      { colliders: [{ colliderType: 0, offset: turned(sub(add(HEAD, [0, -0.01, 0]), bones[boneAt.get('Head')].at)), radius: 0.19 }] },
    ],
  };
  const layout = {
    nodes,
    meshes: [bodyMesh.mesh, faceMesh.mesh],
    materials: Object.values(materials),
    animationClips,
    springBoneInfo,
    skins: [{ inverseBindMatrices, skeleton: rowOf.get('Hips'), joints: bones.map(({ name }) => rowOf.get(name)) }],
  };
  const assetInfo = {
    generator: { name: 'rigcast demo', version: '1' },
    right: { title: 'Lotl', author: 'rigcast', organization: '', version: '1', licenseUrl: 'https://opensource.org/license/mit' },
  };
  return encodeVgo({ assetInfo, layout, resource });
}
