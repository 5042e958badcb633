// Writes the skeleton and the collision of models (docs/formats/ueformat.md sections 3.3 and 3.4).
import type { Feature } from '../../core/types.ts';
import { numberAt } from '../../core/math/column.ts';
import type { ActorXBones } from '../unreal/bones.ts';
import type { Socket } from '../unreal/sockets.ts';
import type { UeBytes } from './bytes.ts';
import { type Level, type LevelSource, writeLevel } from './mesh.ts';
import { direction, position, rotation, UNIT } from './space.ts';

export interface ModelSource extends LevelSource {
  /** Levels of detail, the finest first. */
  levels: readonly Level[];
  sockets: readonly Socket[];
  /** Virtual bones and convex hulls. */
  features: readonly Feature[];
}

export function writeModel(bytes: UeBytes, source: ModelSource): void {
  const { levels, bones, features } = source;
  const hulls = features.filter(({ kind }) => kind === 'convexHull');
  bytes.set(() => {
    if (levels.length > 0)
      bytes.array('LODS', levels.length, () => {
        for (const [i, level] of levels.entries()) bytes.level(level.name, () => writeLevel(bytes, level, source, i === 0));
      });
    if (bones.rows.length > 0) bytes.single('SKELETON', () => bytes.set(() => writeSkeleton(bytes, source)));
    if (hulls.length > 0)
      bytes.array('COLLISION', hulls.length, () => {
        for (const hull of hulls) writeHull(bytes, hull);
      });
  });
}

/** Returns the index of a bone's parent, or -1 if the bone has no parent in the file. */
export const parentIn = ({ rows, parents, areRoots }: ActorXBones, bone: number): number =>
  bone === 0 || (areRoots[bone] && rows[0] !== -1) ? -1 : numberAt(parents, bone);

function writeSkeleton(bytes: UeBytes, { scene, bones, sockets, features }: ModelSource): void {
  const { names, rows, translations, rotations, ancestorScales } = bones;
  const path = scene.asset.properties?.['skeletonPath'];
  const connections = features.filter(({ kind }) => kind === 'virtualBone');
  bytes.single('METADATA', () => bytes.string(typeof path === 'string' ? path : ''));
  bytes.array('BONES', rows.length, () => {
    const { scales } = scene.nodes;
    const isScaled = bytes.isV10 && rows.some(row => row >= 0 && [0, 1, 2].some(c => scales[3 * row + c] !== 1));
    for (const [i, row] of rows.entries()) {
      bytes.string(names[i]!).u32(parentIn(bones, i) >>> 0);
      bytes.floats(position(translations, 3 * i, UNIT, ancestorScales?.subarray(3 * i, 3 * i + 3))).floats(rotation(rotations, 4 * i));
      if (isScaled) bytes.floats(row < 0 ? [1, 1, 1] : direction(scales, 3 * row));
    }
  });
  if (sockets.length > 0)
    bytes.array('SOCKETS', sockets.length, () => {
      for (const socket of sockets) {
        bytes
          .string(socket.name)
          .string(socket.bone)
          .floats(position(socket.translation, 0, UNIT));
        bytes.floats(rotation(socket.rotation, 0)).floats(direction(socket.scale, 0));
      }
    });
  if (connections.length > 0)
    bytes.array('VIRTUALBONES', connections.length, () => {
      for (const { name = '', properties } of connections)
        bytes
          .string(String(properties?.['source'] ?? ''))
          .string(String(properties?.['target'] ?? ''))
          .string(name);
    });
}

function writeHull(bytes: UeBytes, { name = '', properties }: Feature): void {
  const numbers = (key: string): number[] => {
    const values = properties?.[key];
    return Array.isArray(values) ? values.map(Number) : [];
  };
  const [vertices, indices] = [numbers('vertices'), numbers('indices')];
  bytes.string(name).u32(vertices.length / 3);
  for (let i = 0; i + 2 < vertices.length; i += 3) bytes.floats(position(vertices, i, UNIT));
  bytes.u32(indices.length);
  for (const index of indices) bytes.u32(index);
}
