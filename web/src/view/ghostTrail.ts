// Overlays to compare animations: the ghost shows the bones in the pose of another animation, the
// trail shows the path of a bone. Both are drawn over everything else.
import { BufferAttribute, BufferGeometry, Line, LineBasicMaterial, LineSegments, type Matrix4 } from 'three';

function material(color: number, opacity: number): LineBasicMaterial {
  return new LineBasicMaterial({ color, opacity, transparent: true, depthTest: false, depthWrite: false, toneMapped: false });
}

/** Draws the bones in the pose of a second animation as lines. */
export class GhostOverlay {
  readonly object: LineSegments<BufferGeometry, LineBasicMaterial>;
  readonly #pose: (time: number, to: Float32Array) => void;
  readonly #positions: BufferAttribute;

  /**
   * `lines`: number of lines. `pose`: writes the pose at `time` (in seconds) to `to`, as 6 numbers
   * per line.
   */
  constructor(
    lines: number,
    pose: (time: number, to: Float32Array) => void,
    { color = 0xff5fa2, opacity = 0.9 }: { color?: number; opacity?: number } = {},
  ) {
    this.#pose = pose;
    this.#positions = new BufferAttribute(new Float32Array(6 * lines), 3);
    this.object = new LineSegments(new BufferGeometry().setAttribute('position', this.#positions), material(color, opacity));
    this.object.name = 'ghost';
    this.object.frustumCulled = false;
    this.object.matrixAutoUpdate = false;
    this.object.renderOrder = 11;
  }

  /** Updates the pose. `time`: seconds. `space`: world matrix of the model. */
  update(time: number, space: Matrix4): void {
    this.#pose(time, this.#positions.array as Float32Array);
    this.#positions.needsUpdate = true;
    this.object.matrix.copy(space);
  }

  dispose(): void {
    this.object.removeFromParent();
    this.object.geometry.dispose();
    this.object.material.dispose();
  }
}

/** Draws the path that a point follows during an animation. */
export class TrailOverlay {
  readonly object: Line<BufferGeometry, LineBasicMaterial>;

  /**
   * `path`: positions in the space of the model, 3 numbers per frame. `space`: world matrix of the
   * model.
   */
  constructor(path: Float32Array, space: Matrix4) {
    this.object = new Line(new BufferGeometry().setAttribute('position', new BufferAttribute(path, 3)), material(0xffb020, 0.9));
    this.object.name = 'trail';
    this.object.frustumCulled = false;
    this.object.matrixAutoUpdate = false;
    this.object.matrix.copy(space);
    this.object.renderOrder = 11;
  }

  dispose(): void {
    this.object.removeFromParent();
    this.object.geometry.dispose();
    this.object.material.dispose();
  }
}
