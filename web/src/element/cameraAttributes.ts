// Parses the camera attributes, such as `30deg 75deg 105%`. Their syntax is that of the attributes
// of <model-viewer>.
import { MathUtils, Vector3 } from 'three';
import { FIELD_OF_VIEW } from '../view/camera.ts';
import type { CameraLimits, CameraPlacement } from '../view/cameraSettings.ts';
import { parseAngle, parseFieldOfView, parseLength, parseQuantity } from './quantities.ts';

const wordsOf = (text: string | null): string[] => text?.trim().split(/\s+/).filter(Boolean) ?? [];

/**
 * Minimum angle in radians between the viewing direction and the vertical axis. The camera's up
 * direction is undefined if it looks along this axis.
 */
const MIN_POLAR = 0.01;

const clampPolar = (phi: number): number => MathUtils.clamp(phi, MIN_POLAR, Math.PI - MIN_POLAR);

export interface CameraAttributes {
  orbit: string | null;
  target: string | null;
  fieldOfView: string | null;
  minFieldOfView: string | null;
  maxFieldOfView: string | null;
  view: string | null;
}

/** True if the attribute `view` requests the recorded camera, which only hand recordings have. */
export const usesFileCamera = (view: string | null): boolean => view === 'file' || view === 'recorded';

/**
 * Angles of the named views in degrees: the azimuth relative to the front, and the angle from
 * straight above.
 */
const VIEWS: Record<string, [theta: number, phi: number]> = {
  front: [0, 90],
  back: [180, 90],
  left: [90, 90],
  right: [-90, 90],
  side: [90, 90],
  top: [0, 0],
};

/**
 * Converts the camera attributes to a placement. `defaultDirection`: direction to use for angles
 * that are missing. `front`: azimuth, in radians, that the model faces.
 */
export function cameraPlacementOf(
  { orbit, target, fieldOfView, minFieldOfView, maxFieldOfView, view }: CameraAttributes,
  defaultDirection: Vector3,
  front: number,
): CameraPlacement {
  const placement: CameraPlacement = {};
  const [thetaWord, phiWord, radiusWord] = wordsOf(orbit);
  const theta = parseAngle(thetaWord);
  const phi = parseAngle(phiWord);
  const named = view !== null ? VIEWS[view] : undefined;
  if (theta !== null || phi !== null)
    placement.direction = new Vector3().setFromSphericalCoords(
      1,
      clampPolar(phi ?? Math.acos(MathUtils.clamp(defaultDirection.y, -1, 1))),
      theta ?? Math.atan2(defaultDirection.x, defaultDirection.z),
    );
  else if (named)
    placement.direction = new Vector3().setFromSphericalCoords(
      1,
      clampPolar(MathUtils.degToRad(named[1])),
      MathUtils.degToRad(named[0]) + front,
    );
  const radius = parseQuantity(radiusWord);
  if (radius?.unit === '%' && radius.value > 0) placement.distance = { share: radius.value / 100 };
  else if ((parseLength(radiusWord) ?? 0) > 0) placement.distance = { metres: parseLength(radiusWord)! };
  const [x, y, z] = wordsOf(target);
  if (target !== null && [x, y, z].some(word => parseLength(word) !== null))
    placement.target = new Vector3(parseLength(x) ?? Number.NaN, parseLength(y) ?? Number.NaN, parseLength(z) ?? Number.NaN);
  const wanted = degreesOf(fieldOfView);
  const least = degreesOf(minFieldOfView) ?? -Infinity;
  const most = degreesOf(maxFieldOfView) ?? Infinity;
  const own = wanted ?? FIELD_OF_VIEW;
  const clamped = Math.max(Math.min(own, most), least);
  if (wanted !== null || clamped !== own) placement.fieldOfView = clamped;
  return placement;
}

/** Parses a field of view. Returns degrees, or null if the text is invalid. */
function degreesOf(text: string | null): number | null {
  const found = parseFieldOfView(wordsOf(text)[0]);
  return found === null ? null : MathUtils.radToDeg(found);
}

/**
 * Parses camera limits. `least`: value of the attribute `min-camera-orbit`. `most`: value of
 * `max-camera-orbit`. Values that are `auto` or a percentage are not limited.
 */
export function limitsOf(least: string | null, most: string | null): CameraLimits {
  const [minTheta, minPhi, minRadius] = wordsOf(least);
  const [maxTheta, maxPhi, maxRadius] = wordsOf(most);
  return {
    azimuth: [parseAngle(minTheta) ?? -Infinity, parseAngle(maxTheta) ?? Infinity],
    polar: [clampPolar(parseAngle(minPhi) ?? 0), clampPolar(parseAngle(maxPhi) ?? Math.PI)],
    distance: [parseLength(minRadius), parseLength(maxRadius)],
  };
}
