// Lines of bones that are not the model's own: a ghost in another motion, and the way of a bone. Drawn through everything.
import { BufferAttribute, BufferGeometry, Line, LineBasicMaterial, LineSegments, type Matrix4 } from 'three';

function material(color: number, opacity: number): LineBasicMaterial {
  return new LineBasicMaterial({ color, opacity, transparent: true, depthTest: false, depthWrite: false, toneMapped: false });
}

/** Lines between points that move. */
export class GhostOverlay {
  readonly object: LineSegments<BufferGeometry, LineBasicMaterial>;
  readonly #pose: (time: number, to: Float32Array) => void;
  readonly #positions: BufferAttribute;

  /** `pose` writes 6 numbers per line. */
  constructor(lines: number, pose: (time: number, to: Float32Array) => void) {
    this.#pose = pose;
    this.#positions = new BufferAttribute(new Float32Array(6 * lines), 3);
    this.object = new LineSegments(new BufferGeometry().setAttribute('position', this.#positions), material(0xff5fa2, 0.9));
    this.object.name = 'ghost';
    this.object.frustumCulled = false;
    this.object.matrixAutoUpdate = false;
    this.object.renderOrder = 11;
  }

  /** `space`: where the model stands. */
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

/** The way of a point. */
export class TrailOverlay {
  readonly object: Line<BufferGeometry, LineBasicMaterial>;

  /** 3 numbers per moment, in the space of the model, which stands at `space`. */
  constructor(way: Float32Array, space: Matrix4) {
    this.object = new Line(new BufferGeometry().setAttribute('position', new BufferAttribute(way, 3)), material(0xffb020, 0.9));
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
