// Overlay for recordings of head, hands and gaze. Shows hand meshes, a frustum for the head, a ray
// with a dot for the gaze, and optional fingertip trails.
import {
  type BufferAttribute,
  BufferGeometry,
  Group,
  Line,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  PerspectiveCamera,
  Raycaster,
  SphereGeometry,
  Vector3,
} from 'three';
import { HandBody, handsOf } from '../three/xr/hands.ts';
import type { Rig } from '../three/rig.ts';
import { FingertipTrails } from './fingertipTrails.ts';

export interface RecordingColors {
  skin: string;
  pinch: string;
  camera: string;
  gaze: string;
}

/** Length of the gaze ray if it hits nothing, in metres. */
const RAY_METRES = 1.2;
const FRUSTUM_METRES = 0.25;

/**
 * Overlay for a rig that is a recording. Add `object` to the parent of the rig's scene. Call
 * `update` in each frame, after the rig was posed.
 */
export class RecordingOverlay {
  readonly object = new Group();
  readonly hands: readonly HandBody[];
  /** Camera at the position of the recorded head; null if the head was not recorded. */
  readonly camera: PerspectiveCamera | null;
  readonly #head: Object3D | null;
  readonly #gaze: Object3D | null;
  readonly #frustum: LineSegments<BufferGeometry, LineBasicMaterial> | null;
  readonly #ray: Line<BufferGeometry, LineBasicMaterial> | null;
  readonly #dot: Mesh<SphereGeometry, MeshBasicMaterial> | null;
  /** Fingertip trails; null until they are first shown, and for recordings without a clip. */
  #trails: FingertipTrails | null = null;
  readonly #makeTrails: () => FingertipTrails | null;
  #colors: RecordingColors;
  readonly #caster = new Raycaster();

  /** `rig`: a recording with hands, a gaze or a head. */
  constructor(rig: Rig, colors: RecordingColors) {
    const scene = rig.file.scene!;
    this.object.name = 'recording';
    this.hands = handsOf(rig).map(hand => new HandBody(hand, colors));
    for (const hand of this.hands) this.object.add(hand);
    const recorded = scene.cameras[0];
    this.#head = recorded ? rig.nodes[recorded.node]! : null;
    this.camera = recorded ? new PerspectiveCamera((recorded.verticalFov * 180) / Math.PI, recorded.aspect, 0.01, 50) : null;
    this.#frustum = recorded ? frustum(recorded.verticalFov, recorded.aspect) : null;
    const gaze = scene.features.find(({ kind }) => kind === 'gaze');
    this.#gaze = gaze?.node === undefined ? null : rig.nodes[gaze.node]!;
    this.#ray = this.#gaze
      ? new Line(
          new BufferGeometry().setFromPoints([new Vector3(), new Vector3()]),
          new LineBasicMaterial({ transparent: true, opacity: 0.7 }),
        )
      : null;
    this.#dot = this.#gaze ? new Mesh(new SphereGeometry(0.006, 16, 12), new MeshBasicMaterial()) : null;
    const clip = scene.clips[0];
    this.#makeTrails = () => (clip ? new FingertipTrails(rig, clip) : null);
    this.#colors = colors;
    for (const part of [this.#frustum, this.#ray, this.#dot]) {
      if (!part) continue;
      part.frustumCulled = false;
      this.object.add(part);
    }
    this.setColors(colors);
    this.settle();
  }

  setColors(colors: RecordingColors): void {
    const { skin, pinch, camera, gaze } = (this.#colors = colors);
    for (const hand of this.hands) hand.setColors({ skin, pinch });
    this.#frustum?.material.color.set(camera);
    this.#ray?.material.color.set(gaze);
    this.#dot?.material.color.set(gaze);
    this.#trails?.object.material.color.set(pinch);
  }

  /** Shows the fingertip trails around a time in seconds; null hides them. */
  showTrails(time: number | null): void {
    if (!this.#trails && time !== null) {
      this.#trails = this.#makeTrails();
      if (this.#trails) this.object.add(this.#trails.object);
      this.#trails?.object.material.color.set(this.#colors.pinch);
    }
    if (!this.#trails) return;
    this.#trails.object.visible = time !== null;
    if (time !== null) this.#trails.update(time);
  }

  /**
   * Shows or hides the camera frustum and the gaze ray. Hide them while the view is rendered
   * through `camera`.
   */
  set showsGizmos(on: boolean) {
    for (const part of [this.#frustum, this.#ray]) if (part) part.visible = on;
  }

  /**
   * Moves the overlay to the pose of the rig. `seconds`: time since the last call, for the colour
   * fades of the hands. Returns true while a fade is running.
   */
  update(seconds: number): boolean {
    let moving = false;
    for (const hand of this.hands) moving = hand.update(seconds) || moving;
    if (this.#head) {
      this.#head.updateWorldMatrix(true, false);
      for (const follower of [this.#frustum, this.camera]) {
        if (follower) this.#head.matrixWorld.decompose(follower.position, follower.quaternion, follower.scale);
      }
      this.camera?.updateMatrixWorld();
    }
    this.#updateGaze();
    return moving;
  }

  /** Updates the overlay without colour fades. Call this after a jump in time. */
  settle(): void {
    this.update(Infinity);
  }

  dispose(): void {
    this.object.removeFromParent();
    for (const hand of this.hands) hand.dispose();
    this.#trails?.dispose();
    for (const part of [this.#frustum, this.#ray, this.#dot]) {
      part?.geometry.dispose();
      part?.material.dispose();
    }
  }

  #updateGaze(): void {
    if (!this.#gaze || !this.#ray || !this.#dot) return;
    const { ray } = this.#caster;
    ray.origin.setFromMatrixPosition(this.#gaze.matrixWorld);
    ray.direction.set(0, 0, -1).transformDirection(this.#gaze.matrixWorld);
    const seen = this.hands.filter(({ hand }) => hand.tracked);
    this.#caster.far = RAY_METRES * 4;
    const hit = this.#caster.intersectObjects(seen, false)[0];
    const end = hit?.point ?? ray.at(RAY_METRES, new Vector3());
    const points = this.#ray.geometry.getAttribute('position') as BufferAttribute;
    points.setXYZ(0, ...ray.origin.toArray());
    points.setXYZ(1, ...end.toArray());
    points.needsUpdate = true;
    this.#dot.position.copy(end);
    this.#dot.visible = hit !== undefined;
  }
}

function frustum(verticalFov: number, aspect: number): LineSegments<BufferGeometry, LineBasicMaterial> {
  const y = Math.tan(verticalFov / 2) * FRUSTUM_METRES;
  const x = y * aspect;
  const z = -FRUSTUM_METRES;
  const apex = new Vector3();
  const corners = [new Vector3(-x, -y, z), new Vector3(x, -y, z), new Vector3(x, y, z), new Vector3(-x, y, z)];
  const points = corners.flatMap((corner, i) => [apex, corner, corner, corners[(i + 1) % 4]!]);
  points.push(
    new Vector3(-x * 0.3, y * 1.08, z),
    new Vector3(0, y * 1.35, z),
    new Vector3(0, y * 1.35, z),
    new Vector3(x * 0.3, y * 1.08, z),
  );
  return new LineSegments(new BufferGeometry().setFromPoints(points), new LineBasicMaterial());
}
