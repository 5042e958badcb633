// Overlay of constraints and IK handles. Draws lines along each IK chain to its goal, and from each
// constrained bone to its target.
import { type BufferAttribute, Color, type Object3D, Vector3 } from 'three';
import type { Rigging } from '../rig/rigging.ts';
import { type OverlayLines, overlayLines } from './overlayLines.ts';

const IK = new Color(0x16b7c9);
const CONSTRAINT = new Color(0xe0559b);

type Line = readonly [from: Object3D, to: Object3D];

export class RiggingOverlay {
  readonly object: OverlayLines;
  readonly #lines: readonly Line[];
  /** Goals of the IK handles, which are drawn as crosses. */
  readonly #goals: readonly Object3D[];
  readonly #size: number;

  /** `nodes`: nodes by index. `size`: size of the crosses in metres. */
  constructor({ parts }: Rigging, nodes: readonly Object3D[], size: number) {
    const lines: Line[] = [];
    const colors: Color[] = [];
    const goals: Object3D[] = [];
    const add = (from: number, to: number, color: Color): void => {
      if (!nodes[from] || !nodes[to]) return;
      lines.push([nodes[from], nodes[to]]);
      colors.push(color);
    };
    for (const part of parts) {
      if (part.kind === 'ik') {
        const { chain, target } = part.design;
        for (let i = 1; i < chain.length; i++) add(chain[i - 1]!, chain[i]!, IK);
        add(chain.at(-1)!, target, IK);
        if (nodes[target]) goals.push(nodes[target]);
      } else {
        add(part.design.bone, part.design.target, CONSTRAINT);
      }
    }
    this.#lines = lines;
    this.#goals = goals;
    this.#size = size;
    const count = 2 * (lines.length + 3 * goals.length);
    const vertexColors = new Float32Array(3 * count);
    for (let i = 0; i < count; i++) (colors[Math.floor(i / 2)] ?? IK).toArray(vertexColors, 3 * i);
    this.object = overlayLines('rigging', vertexColors, 12);
  }

  /** Moves the lines to their nodes. Requires up-to-date world matrices. */
  update(): void {
    const positions = this.object.geometry.attributes['position'] as BufferAttribute;
    const at = new Vector3();
    let row = 0;
    const put = (point: Vector3): void => void positions.setXYZ(row++, point.x, point.y, point.z);
    for (const [from, to] of this.#lines) {
      put(at.setFromMatrixPosition(from.matrixWorld));
      put(at.setFromMatrixPosition(to.matrixWorld));
    }
    for (const goal of this.#goals) {
      for (const axis of ['x', 'y', 'z'] as const) {
        for (const side of [-1, 1]) {
          at.setFromMatrixPosition(goal.matrixWorld)[axis] += side * this.#size;
          put(at);
        }
      }
    }
    positions.needsUpdate = true;
  }

  dispose(): void {
    this.object.removeFromParent();
    this.object.geometry.dispose();
    this.object.material.dispose();
  }
}
