// Parses the camera attributes, such as `30deg 75deg 105%`. Their syntax is that of the attributes
// of <model-viewer>.
import { MathUtils, Vector3 } from 'three';
import { FIELD_OF_VIEW, type CameraLimits, type CameraPlacement } from '../view/camera.ts';

interface Quantity {
  value: number;
  unit: string;
}

/**
 * Parses a number with a unit: `1.5rad`, `-30deg`, `2m`, `105%`. Returns null if the word is `auto`
 * or missing, and undefined if it is invalid.
 */
function parseQuantity(word: string | undefined): Quantity | null | undefined {
  if (word === undefined || word === 'auto') return null;
  const [, number, unit] = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(deg|rad|m|cm|mm|%)$/.exec(word) ?? [];
  if (number === undefined) return word === '0' ? { value: 0, unit: '' } : undefined;
  return Number.isFinite(Number(number)) ? { value: Number(number), unit: unit! } : undefined;
}

const wordsOf = (text: string | null): string[] => text?.trim().split(/\s+/).filter(Boolean) ?? [];

/** Parses an angle. Returns radians, or null if the word is not an angle. */
function parseAngle(word: string | undefined): number | null {
  const found = parseQuantity(word);
  if (!found || !['deg', 'rad', ''].includes(found.unit)) return null;
  return found.unit === 'deg' ? MathUtils.degToRad(found.value) : found.value;
}

/** Parses a length. Returns metres, or null if the word is not a length. */
function parseLength(word: string | undefined): number | null {
  const found = parseQuantity(word);
  const scale = { m: 1, cm: 0.01, mm: 0.001, '': 1 }[found?.unit ?? '%'];
  return found && scale !== undefined ? found.value * scale : null;
}

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
  const wanted = parseFieldOfView(fieldOfView);
  const least = parseFieldOfView(minFieldOfView) ?? -Infinity;
  const most = parseFieldOfView(maxFieldOfView) ?? Infinity;
  const own = wanted ?? FIELD_OF_VIEW;
  const clamped = Math.max(Math.min(own, most), least);
  if (wanted !== null || clamped !== own) placement.fieldOfView = clamped;
  return placement;
}

/** Parses a field of view. Returns degrees, or null if the text is invalid. */
function parseFieldOfView(text: string | null): number | null {
  const found = parseAngle(wordsOf(text)[0]);
  return found !== null && found > 0.01 && found < 3 ? MathUtils.radToDeg(found) : null;
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
