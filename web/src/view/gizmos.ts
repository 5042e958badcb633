// Overlay that draws objects without a surface (colliders, lights, emitters) as lines. The lines
// follow the nodes of these objects.

import { BufferGeometry, Float32BufferAttribute, Group, LineBasicMaterial, LineSegments, type Object3D } from 'three';
import { listIn, member, numberIn, numbersIn } from '../core/properties.ts';
import type { Feature, Light, Properties, RigScene } from '../core/types.ts';
import { GIZMO_KINDS, type GizmoKind } from './gizmoFacts.ts';

const COLORS: Record<GizmoKind, number> = { colliders: 0x2fae62, lights: 0xe0a526, particles: 0xb365d9 };

type Point = readonly [number, number, number];
/** Line segments as a list of end points, two per line. */
type Lines = Point[];

const SEGMENTS = 32;

/**
 * Returns the lines of an arc around `center`, in the plane of the axes `first` and `second` (0: x,
 * 1: y, 2: z). `from` and `to`: start and end as fractions of the full circle.
 */
function arc(center: Point, radius: number, first: number, second: number, from = 0, to = 1): Lines {
  const at = (step: number): Point => {
    const angle = 2 * Math.PI * (from + ((to - from) * step) / SEGMENTS);
    const point: [number, number, number] = [...center];
    point[first]! += radius * Math.cos(angle);
    point[second]! += radius * Math.sin(angle);
    return point;
  };
  return Array.from({ length: SEGMENTS }, (_, step) => [at(step), at(step + 1)]).flat();
}

const sphere = (center: Point, radius: number): Lines => [
  ...arc(center, radius, 0, 1),
  ...arc(center, radius, 1, 2),
  ...arc(center, radius, 2, 0),
];

function box([x, y, z]: Point, [width, height, depth]: Point): Lines {
  const corner = (i: number): Point => [
    x + (i & 1 ? 0.5 : -0.5) * width,
    y + (i & 2 ? 0.5 : -0.5) * height,
    z + (i & 4 ? 0.5 : -0.5) * depth,
  ];
  return [0, 1, 2, 3, 4, 5, 6, 7].flatMap(i => [1, 2, 4].flatMap(bit => (i & bit ? [] : [corner(i), corner(i | bit)])));
}

/** Returns the outline of a capsule along an axis. */
function capsule(center: Point, radius: number, height: number, axis: number): Lines {
  const [a, b] = [(axis + 1) % 3, (axis + 2) % 3] as const;
  const half = Math.max(height / 2 - radius, 0);
  const end = (sign: number): Point => Object.assign([...center], { [axis]: center[axis]! + sign * half }) as unknown as Point;
  const sides: Lines = [
    [a, 1],
    [a, -1],
    [b, 1],
    [b, -1],
  ].flatMap(([across, sign]) =>
    [1, -1].map((up): Point => {
      const point: [number, number, number] = [...end(up)];
      point[across!]! += sign! * radius;
      return point;
    }),
  );
  return [
    ...sides,
    ...arc(end(1), radius, a, b),
    ...arc(end(-1), radius, a, b),
    ...[a, b].flatMap(across => [...arc(end(1), radius, across, axis, 0, 0.5), ...arc(end(-1), radius, across, axis, 0.5, 1)]),
  ];
}

/**
 * Returns the outline of a cone that opens along −Z. `radius`: radius of its first circle, in
 * metres.
 */
function cone(center: Point, radius: number, angle: number, length: number): Lines {
  const [x, y, z] = center;
  const wide = radius + length * Math.tan(Math.min(angle, 1.5));
  const end: Point = [x, y, z - length];
  const edges: Lines = [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ].flatMap(([dx, dy]): Lines => [
    [x + dx! * radius, y + dy! * radius, z],
    [x + dx! * wide, y + dy! * wide, z - length],
  ]);
  return [...edges, ...(radius > 0 ? arc(center, radius, 0, 1) : []), ...arc(end, wide, 0, 1)];
}

function point(properties: Properties | undefined, name: string, fallback: Point): Point {
  return numbersIn(properties, name, fallback) as unknown as Point;
}

function colliderLines({ kind, properties }: Feature): Lines {
  if (kind === 'springBoneColliderGroup')
    return listIn(properties, 'colliders').flatMap(each =>
      sphere(numbersIn(each, 'offset', [0, 0, 0]) as unknown as Point, numberIn(each, 'radius', 0)),
    );
  const center = point(properties, 'center', [0, 0, 0]);
  const radius = Math.max(numberIn(properties, 'radius', 0.5), 0);
  switch (numberIn(properties, 'type', 0)) {
    case 1:
      return capsule(center, radius, numberIn(properties, 'height', 1), Math.min(Math.max(numberIn(properties, 'direction', 1), 0), 2));
    case 2:
      return sphere(center, radius);
    default:
      return box(center, point(properties, 'size', [1, 1, 1]).map(Math.abs) as unknown as Point);
  }
}

/** Returns the outline of a light. `size`: size of lights that have no dimensions, in metres. */
function lightLines({ type, outerAngle, range, size: [width, height] }: Light, size: number): Lines {
  const length = Math.min(range > 0 ? range : Infinity, size * 4);
  const rays = (from: number, to: number): Lines =>
    [0, 0.25, 0.5, 0.75].flatMap((fraction): Lines => {
      const x = size * 0.4 * Math.cos(2 * Math.PI * fraction);
      const y = size * 0.4 * Math.sin(2 * Math.PI * fraction);
      return [
        [x, y, from],
        [x, y, to],
      ];
    });
  switch (type) {
    case 'directional':
      return [...arc([0, 0, 0], size * 0.4, 0, 1), ...rays(0, -size * 1.5)];
    case 'spot':
      return cone([0, 0, 0], 0, outerAngle, length);
    case 'rectangle':
      return [...box([0, 0, 0], [width, height, 0]), [0, 0, 0], [0, 0, -size]];
    case 'disc':
      return [...arc([0, 0, 0], width / Math.sqrt(Math.PI), 0, 1), [0, 0, 0], [0, 0, -size]];
    default:
      return sphere([0, 0, 0], size * 0.4);
  }
}

/**
 * Returns the outline of an emitter's shape. The file stores Unity coordinates; cones open along −Z
 * of the node.
 */
function particleLines({ properties }: Feature, size: number): Lines {
  const shape = member(properties, 'shape');
  const [x, y, z] = numbersIn(shape, 'position', [0, 0, 0]);
  const center: Point = [x!, y!, -z!];
  const radius = Math.max(numberIn(shape, 'radius', size * 0.3), 0);
  const angle = (numberIn(shape, 'angle', 0) * Math.PI) / 180;
  if (member(shape, 'enabled') !== true) return sphere(center, size * 0.3);
  switch (numberIn(shape, 'shapeType', 0)) {
    case 4:
    case 7:
    case 8:
    case 9:
      return cone(center, radius, angle, numberIn(shape, 'length', 0) || size);
    case 5:
    case 15:
    case 16:
      return box(center, numbersIn(shape, 'scale', [1, 1, 1]).map(Math.abs) as unknown as Point);
    case 10:
    case 11:
    case 17:
      return arc(center, radius, 0, 1);
    case 18: {
      const [width, height] = numbersIn(shape, 'scale', [1, 1, 1]);
      return box(center, [width!, height!, 0]);
    }
    default:
      return sphere(center, radius);
  }
}

interface GizmoGroup {
  group: Group;
  material: LineBasicMaterial;
  lines: { object: LineSegments; node: Object3D }[];
}

export class GizmoOverlay {
  readonly object = new Group();
  readonly #groups: Record<GizmoKind, GizmoGroup>;

  /**
   * Creates the overlay; null if the scene has nothing to outline. `nodes`: nodes by index. `size`:
   * size of objects that have no dimensions, in metres.
   */
  static of(scene: RigScene, nodes: readonly Object3D[], size: number): GizmoOverlay | null {
    const overlay = new GizmoOverlay(scene, nodes, size);
    return GIZMO_KINDS.some(kind => overlay.count(kind) > 0) ? overlay : null;
  }

  private constructor(scene: RigScene, nodes: readonly Object3D[], size: number) {
    this.object.name = 'gizmos';
    const made: Record<GizmoKind, { node: number | undefined; lines: Lines }[]> = {
      colliders: scene.features
        .filter(({ kind }) => kind === 'collider' || kind === 'springBoneColliderGroup')
        .map(feature => ({ node: feature.node, lines: colliderLines(feature) })),
      lights: scene.lights.map(light => ({ node: light.node, lines: lightLines(light, size) })),
      particles: scene.features
        .filter(({ kind }) => kind === 'particleSystem')
        .map(feature => ({ node: feature.node, lines: particleLines(feature, size) })),
    };
    const build = (kind: GizmoKind): GizmoGroup => {
      const material = new LineBasicMaterial({
        color: COLORS[kind],
        depthTest: false,
        depthWrite: false,
        transparent: true,
        opacity: 0.85,
        toneMapped: false,
      });
      const group = new Group();
      group.visible = false;
      const lines = made[kind].flatMap(({ node, lines: points }) => {
        const owner = nodes[node ?? -1];
        if (!owner || !points.length || !points.flat().every(Number.isFinite)) return [];
        const object = new LineSegments(
          new BufferGeometry().setAttribute('position', new Float32BufferAttribute(points.flat(), 3)),
          material,
        );
        object.matrixAutoUpdate = false;
        object.frustumCulled = false;
        object.renderOrder = 9;
        group.add(object);
        return [{ object, node: owner }];
      });
      this.object.add(group);
      return { group, material, lines };
    };
    this.#groups = { colliders: build('colliders'), lights: build('lights'), particles: build('particles') };
  }

  /** Returns the number of outlined objects of the given kind. */
  count(kind: GizmoKind): number {
    return this.#groups[kind].lines.length;
  }

  isShown(kind: GizmoKind): boolean {
    return this.#groups[kind].group.visible;
  }

  show(kind: GizmoKind, on: boolean): void {
    this.#groups[kind].group.visible = on;
    this.update();
  }

  /** Moves the lines to their nodes. Requires up-to-date world matrices. */
  update(): void {
    for (const kind of GIZMO_KINDS) {
      const { group, lines } = this.#groups[kind];
      if (!group.visible) continue;
      for (const { object, node } of lines) {
        object.matrix.copy(node.matrixWorld);
        object.matrixWorldNeedsUpdate = true;
      }
    }
    this.object.updateMatrixWorld();
  }

  dispose(): void {
    this.object.removeFromParent();
    for (const { material, lines } of Object.values(this.#groups)) {
      material.dispose();
      for (const { object } of lines) object.geometry.dispose();
    }
  }
}
