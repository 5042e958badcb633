// Registers animated properties that aren't transforms. The value of a property is stored in
// `userData` of its node.
import type { Built } from '../build/build.ts';
import { propertyKey } from '../names.ts';

/** Registers an animated property of a node, and sets its value if `value` is given. */
export function registerProperty({ nodes, properties }: Built, node: number, property: string, value?: number): void {
  const { userData } = nodes[node]!;
  const key = propertyKey(property);
  if (!(key in userData)) properties.push({ node, property });
  if (value !== undefined) userData[key] = value;
}
