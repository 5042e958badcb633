// Movement of a camera from one pose to another, for example to a saved view.
import { MathUtils, Spherical, Vector3 } from 'three';
import type { CameraRig } from './camera.ts';
import type { CameraMovement, CameraPose } from './cameraSettings.ts';

/** Duration of a movement in seconds. */
const DURATION = 0.6;

class PoseMovement implements CameraMovement {
  readonly #from: CameraPose;
  readonly #to: CameraPose;
  #seconds = 0;

  constructor(from: CameraPose, to: CameraPose) {
    this.#from = from;
    this.#to = to;
  }

  get isFinished(): boolean {
    return this.#seconds >= DURATION;
  }

  advance(seconds: number): CameraPose {
    const [from, to] = [this.#from, this.#to];
    this.#seconds += seconds;
    if (this.isFinished) return to;
    const share = MathUtils.smoothstep(this.#seconds, 0, DURATION);
    const target = new Vector3().fromArray(from.target).lerp(new Vector3().fromArray(to.target), share);
    // The camera moves around its target, so that it does not pass through the content.
    const [a, b] = [orbitOf(from), orbitOf(to)];
    const turn = MathUtils.euclideanModulo(b.theta - a.theta + Math.PI, 2 * Math.PI) - Math.PI;
    const position = new Vector3()
      .setFromSphericalCoords(MathUtils.lerp(a.radius, b.radius, share), MathUtils.lerp(a.phi, b.phi, share), a.theta + turn * share)
      .add(target);
    return { position: position.toArray(), target: target.toArray(), fieldOfView: MathUtils.lerp(from.fieldOfView, to.fieldOfView, share) };
  }
}

/** Position of the camera relative to its target. */
const orbitOf = ({ position, target }: CameraPose): Spherical =>
  new Spherical().setFromVector3(new Vector3().fromArray(position).sub(new Vector3().fromArray(target)));

/** Moves the visitor's camera to a pose: at once if the visitor prefers reduced motion. */
export function moveTo(rig: CameraRig, to: CameraPose): void {
  const isAtOnce = matchMedia('(prefers-reduced-motion: reduce)').matches;
  rig.movement = isAtOnce ? null : new PoseMovement(rig.pose, to);
  if (isAtOnce) rig.pose = to;
}
