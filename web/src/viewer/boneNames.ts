// Draws bone names over the viewport. For screen readers, the inspector lists the same names.
import { type Camera, type Object3D, Vector3 } from 'three';
import { displayName } from '../session/model.ts';
import { el } from './dom.ts';

/** Maximum number of names that are drawn. */
const MAX_COUNT = 400;
const FONT_PIXELS = 11;
const LINE = FONT_PIXELS + 3;
/** Distance between a joint and its name, in pixels. */
const GAP = 6;

interface Label {
  name: string;
  x: number;
  y: number;
  depth: number;
}

export class BoneNames {
  readonly canvas = el('canvas', { class: 'bone-names', 'aria-hidden': 'true', hidden: true });
  #nodes: readonly Object3D[] = [];

  /** Sets the nodes whose names are shown. */
  show(nodes: readonly Object3D[]): void {
    this.#nodes = nodes;
    this.canvas.hidden = nodes.length === 0;
  }

  /**
   * Draws the names, starting with the bone nearest to the camera. Skips names that would overlap
   * another one. `width`, `height`: size of the picture in CSS pixels.
   */
  paint(context: CanvasRenderingContext2D, camera: Camera, width: number, height: number): void {
    if (this.#nodes.length === 0) return;
    const style = getComputedStyle(this.canvas);
    Object.assign(context, {
      font: `${FONT_PIXELS}px ${style.fontFamily}`,
      textBaseline: 'middle',
      lineJoin: 'round',
      lineWidth: parseFloat(style.webkitTextStrokeWidth),
      strokeStyle: style.webkitTextStrokeColor,
      fillStyle: style.color,
    });
    const taken: { from: number; to: number; y: number }[] = [];
    for (const { name, x, y } of this.#labels(camera, width, height)) {
      const [from, to] = [x, x + GAP + context.measureText(name).width];
      const isFree = taken.every(other => Math.abs(other.y - y) >= LINE || other.from >= to || other.to <= from);
      if (!isFree || taken.length >= MAX_COUNT) continue;
      taken.push({ from, to, y });
      context.strokeText(name, x + GAP, y);
      context.fillText(name, x + GAP, y);
    }
  }

  #labels(camera: Camera, width: number, height: number): Label[] {
    const at = new Vector3();
    const labels = this.#nodes.map(node => {
      at.setFromMatrixPosition(node.matrixWorld).project(camera);
      return { name: displayName(node), x: ((at.x + 1) / 2) * width, y: ((1 - at.y) / 2) * height, depth: at.z };
    });
    return labels
      .filter(({ name, x, y, depth }) => name && Math.abs(depth) <= 1 && x >= 0 && x <= width && y >= 0 && y <= height)
      .sort((a, b) => a.depth - b.depth);
  }
}
