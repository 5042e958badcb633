import { Fn, positionLocal } from 'three/tsl';
import { Node, type NodeBuilder } from 'three/webgpu';

/**
 * Returns a node that `make` creates when a shader is built. Releases of three.js pass the builder as
 * the only argument or as the second one.
 */
export function built<T extends Node>(make: (builder: NodeBuilder) => T): T {
  return Fn((...args: unknown[]) => make(args.at(-1) as NodeBuilder) as Node)() as T;
}

/**
 * Returns a `positionNode`. `move` assigns `positionLocal`, which then contains the morphed position.
 * The node is not an `Fn`, because three.js before r185 applies morph targets after the code of an `Fn`.
 */
export function moved(move: (builder: NodeBuilder) => void): Node {
  const node = new Node('vec3');
  node.setup = builder => {
    move(builder);
    return positionLocal;
  };
  return node;
}
