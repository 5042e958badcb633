// Writes sockets, which are attachment points on bones, with quaternion in Unreal's axes and angles
// (docs/formats/psk-psa.md section 6.4).
import type { RigScene } from '../../core/types.ts';
import type { ActorXBytes } from './bytes.ts';
import { upright, uprightScale, uprightRotation } from './space.ts';

export interface Socket {
  name: string;
  bone: string;
  /** Local transform of the socket in metres, Y up. */
  translation: Float32Array;
  rotation: Float32Array;
  scale: Float32Array;
}

/**
 * Maps node rows to the sockets to write. A socket whose node has a mesh or children, or is a
 * joint, is left out.
 */
export function socketsOf({ nodes, features, renderers, skins }: RigScene): Map<number, Socket> {
  const sockets = new Map<number, Socket>();
  const used = new Set([...renderers.map(({ node }) => node), ...skins.flatMap(({ joints }) => Array.from(joints)), ...nodes.parents]);
  for (const { kind, node = -1, name, properties } of features) {
    if (kind !== 'socket' || node < 1 || used.has(node)) continue;
    const bone = properties?.['bone'];
    const column = (values: Float32Array, width: number): Float32Array => values.slice(width * node, width * node + width);
    sockets.set(node, {
      name: name ?? nodes.names[node] ?? '',
      bone: typeof bone === 'string' ? bone : '',
      translation: column(nodes.translations, 3),
      rotation: column(nodes.rotations, 4),
      scale: column(nodes.scales, 3),
    });
  }
  return sockets;
}

export function writeSockets(bytes: ActorXBytes, sockets: readonly Socket[], unit: number): void {
  if (sockets.length === 0) return;
  bytes.chunk('SKELSOCK', 164, sockets.length, (view, at, i) => {
    const socket = sockets[i];
    if (!socket) return;
    bytes.name(view, at, socket.name);
    bytes.name(view, at + 64, socket.bone);
    const [x, y, z] = upright(socket.translation, 1 / unit);
    bytes.floats(view, at + 128, x, -y, z, ...rotatorOf(uprightRotation(socket.rotation)), ...uprightScale(socket.scale));
  });
}

const DEGREES = 180 / Math.PI;
/**
 * Threshold for half of the pitch's sine. Above the threshold, the pitch is so close to 90° that
 * yaw and roll cannot be separated.
 */
const POLE = 0.4999995;

/** Converts a quaternion in the space of the file to pitch, yaw and roll in degrees. */
export function rotatorOf([a = 0, b = 0, c = 0, w = 1]: Iterable<number>): [number, number, number] {
  const [x, y, z] = [-a, b, -c]; // Unreal's axes
  const sine = z * x - w * y;
  const yaw = Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)) * DEGREES;
  if (Math.abs(sine) > POLE) {
    const sign = Math.sign(sine);
    return [90 * sign, yaw, sign * yaw - 2 * Math.atan2(x, w) * DEGREES];
  }
  return [Math.asin(2 * sine) * DEGREES, yaw, Math.atan2(-2 * (w * x + y * z), 1 - 2 * (x * x + y * y)) * DEGREES];
}
