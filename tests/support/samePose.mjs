// Compares the poses of two files by the distances between bones with equal names, and by the
// distance between the bounding boxes of all visible meshes.

/**
 * Returns the bones of a pose by name, in file order. If there are no bones, returns all nodes
 * below the root.
 */
function bonesOf({ nodes }) {
  const bones = nodes.filter(({ bone }) => bone !== false);
  const named = new Map();
  for (const node of bones.length > 0 ? bones : nodes.slice(1)) {
    const list = named.get(node.name) ?? [];
    named.set(node.name, [...list, node.position]);
  }
  return named;
}

/**
 * Returns the corners of the bounding box that encloses all visible meshes. Returns an empty list
 * if nothing is visible.
 */
function cornersOf({ meshes }) {
  const seen = meshes.filter(({ visible, min }) => visible && min);
  if (seen.length === 0) return [];
  const edge = (axis, pick, key) => pick(...seen.map(mesh => mesh[key][axis]));
  return [0, 1, 2, 3, 4, 5, 6, 7].map(corner =>
    [0, 1, 2].map(axis => (corner & (1 << axis) ? edge(axis, Math.max, 'max') : edge(axis, Math.min, 'min'))),
  );
}

/** Transforms a position from world space to the space of a node. `m`: world matrix of the node. */
function seenFrom(m, [x, y, z]) {
  const [dx, dy, dz] = [x - m[12], y - m[13], z - m[14]];
  return [0, 4, 8].map(at => {
    const [a, b, c] = [m[at], m[at + 1], m[at + 2]];
    return (a * dx + b * dy + c * dz) / (a * a + b * b + c * c);
  });
}

const distance = (a, b) => Math.hypot(...a.map((value, c) => value - b[c]));

function boxOf(points) {
  return [Math.min, Math.max].map(pick => [0, 1, 2].map(axis => pick(...points.map(point => point[axis]))));
}

function farthestIn(source, result, place, back) {
  const theirs = bonesOf(result);
  let bones = 0;
  let who = '';
  for (const [name, own] of bonesOf(source))
    for (const [k, position] of own.entries()) {
      const other = theirs.get(name)?.[k];
      const far = other ? distance(place(position), back(other)) : 0;
      if (!(far <= bones)) [bones, who] = [far, name];
    }
  const [ours, others] = [cornersOf(source).map(place), cornersOf(result).map(back)];
  if (ours.length === 0 || others.length === 0) return { bones, who, box: ours.length === others.length ? 0 : NaN };
  const [a, b] = [boxOf(ours), boxOf(others)];
  return { bones, who, box: Math.max(distance(a[0], b[0]), distance(a[1], b[1])) };
}

/**
 * Compares the pose of a source file with the pose of a conversion result. Returns `bones`, the
 * largest distance between bones of the same name; `who`, the name of that bone; `box`, the
 * distance between the corners of the bounding boxes (NaN if only one pose has visible meshes);
 * `missing`, the names of bones that the result lacks; and `added`, the number of bones that the
 * source lacks. Distances are in units of the source. They are measured both in world space and
 * relative to the root nodes, because some formats store no unit; the smaller ones are returned.
 * `turn`: angle in degrees by which the result is rotated about the vertical axis.
 */
export function farthest(source, result, turn = 0) {
  const angle = (-turn * Math.PI) / 180;
  const turned = ([x, y, z]) => [x * Math.cos(angle) + z * Math.sin(angle), y, z * Math.cos(angle) - x * Math.sin(angle)];
  const inWorld = farthestIn(source, result, point => point, turned);
  const roots = [source.nodes[0].matrix, result.nodes[0].matrix];
  const inRoot = farthestIn(
    source,
    result,
    point => seenFrom(roots[0], point),
    point => seenFrom(roots[1], point),
  );
  const count = names => [...names.values()].reduce((sum, { length }) => sum + length, 0);
  const theirs = bonesOf(result);
  const missing = [...bonesOf(source)].flatMap(([name, own]) => own.slice(theirs.get(name)?.length ?? 0).map(() => name));
  const sizeOf = ({ bones, box }) => Math.max(bones, Number.isNaN(box) ? Infinity : box);
  return {
    ...(sizeOf(inRoot) < sizeOf(inWorld) ? inRoot : inWorld),
    missing,
    added: count(theirs) - count(bonesOf(source)) + missing.length,
  };
}
