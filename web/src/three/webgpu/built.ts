import { Fn } from 'three/tsl';
import type { Node, NodeBuilder } from 'three/webgpu';

/**
 * Returns a node that `make` creates when a shader is built. Releases of three.js pass the builder as
 * the only argument or as the second one.
 */
export function built<T extends Node>(make: (builder: NodeBuilder) => T): T {
  return Fn((...args: unknown[]) => make(args.at(-1) as NodeBuilder) as Node)() as T;
}
