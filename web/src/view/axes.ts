// Overlay that shows the local axes of bones or sockets: X is red, Y is green and Z is blue. The
// lines are drawn over the surface.
import { type BufferAttribute, Color, type Object3D, Vector3 } from 'three';
import { type OverlayLines, overlayLines } from './overlayLines.ts';

const COLORS = [0xe5484d, 0x46a758, 0x3e8bff].map(hex => new Color(hex));

export class AxesOverlay {
  readonly object: OverlayLines;
  readonly #nodes: readonly Object3D[];
  readonly #length: number;

  /** `length`: length of each line in metres. The scale of the node does not change this length. */
  constructor(nodes: readonly Object3D[], length: number) {
    this.#nodes = nodes;
    this.#length = length;
    const colors = new Float32Array(18 * nodes.length);
    nodes.forEach((_, row) => COLORS.forEach((color, axis) => [0, 3].forEach(end => color.toArray(colors, 18 * row + 6 * axis + end))));
    this.object = overlayLines('axes', colors, 13);
    this.update();
  }

  /** Moves the lines to their nodes. Requires up-to-date world matrices. */
  update(): void {
    const positions = this.object.geometry.attributes['position'] as BufferAttribute;
    const from = new Vector3();
    const along = new Vector3();
    let row = 0;
    for (const { matrixWorld } of this.#nodes) {
      from.setFromMatrixPosition(matrixWorld);
      for (const axis of [0, 1, 2]) {
        along.setFromMatrixColumn(matrixWorld, axis).setLength(this.#length).add(from);
        positions.setXYZ(row++, from.x, from.y, from.z);
        positions.setXYZ(row++, along.x, along.y, along.z);
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
