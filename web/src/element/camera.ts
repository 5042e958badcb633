// The words of model-viewer for a camera: `30deg 75deg 105%`, `0m 1m auto`, `auto`.
import { MathUtils, Vector3 } from 'three';
import { FIELD_OF_VIEW, type CameraLimits, type CameraPlacement } from '../view/camera.ts';

interface Amount {
  value: number;
  unit: string;
}

/** `1.5rad`, `-30deg`, `2m`, `105%`, `auto` (null); undefined: nothing that is understood. */
function amountOf(word: string | undefined): Amount | null | undefined {
  if (word === undefined || word === 'auto') return null;
  const [, number, unit] = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(deg|rad|m|cm|mm|%)$/.exec(word) ?? [];
  if (number === undefined) return word === '0' ? { value: 0, unit: '' } : undefined;
  return Number.isFinite(Number(number)) ? { value: Number(number), unit: unit! } : undefined;
}

const wordsOf = (text: string | null): string[] => text?.trim().split(/\s+/).filter(Boolean) ?? [];

/** Radians; null where nothing is said. */
function angle(word: string | undefined): number | null {
  const found = amountOf(word);
  if (!found || !['deg', 'rad', ''].includes(found.unit)) return null;
  return found.unit === 'deg' ? MathUtils.degToRad(found.value) : found.value;
}

/** Metres; null where nothing is said. */
function length(word: string | undefined): number | null {
  const found = amountOf(word);
  const scale = { m: 1, cm: 0.01, mm: 0.001, '': 1 }[found?.unit ?? '%'];
  return found && scale !== undefined ? found.value * scale : null;
}

/** Straight from above there is no telling which way is up. */
const LEAST_POLAR = 0.01;

const clampPolar = (phi: number): number => MathUtils.clamp(phi, LEAST_POLAR, Math.PI - LEAST_POLAR);

export interface Words {
  orbit: string | null;
  target: string | null;
  fieldOfView: string | null;
  minFieldOfView: string | null;
  maxFieldOfView: string | null;
  view: string | null;
}

/** The page wants to look through a camera of the file. Only recordings have any: the recorded head. */
export const isThroughFile = (view: string | null): boolean => view === 'file' || view === 'recorded';

/** From the front, one side or above. */
const VIEWS: Record<string, [theta: number, phi: number]> = {
  front: [0, 90],
  back: [180, 90],
  left: [90, 90],
  right: [-90, 90],
  side: [90, 90],
  top: [0, 0],
};

/** Where the attributes want the camera. `look` is from where it would look without them, and `front` the angle of the model's front. */
export function placeOf(
  { orbit, target, fieldOfView, minFieldOfView, maxFieldOfView, view }: Words,
  look: Vector3,
  front: number,
): CameraPlacement {
  const place: CameraPlacement = {};
  const [thetaWord, phiWord, radiusWord] = wordsOf(orbit);
  const theta = angle(thetaWord);
  const phi = angle(phiWord);
  const named = view !== null ? VIEWS[view] : undefined;
  if (theta !== null || phi !== null)
    place.direction = new Vector3().setFromSphericalCoords(
      1,
      clampPolar(phi ?? Math.acos(MathUtils.clamp(look.y, -1, 1))),
      theta ?? Math.atan2(look.x, look.z),
    );
  else if (named)
    place.direction = new Vector3().setFromSphericalCoords(
      1,
      clampPolar(MathUtils.degToRad(named[1])),
      MathUtils.degToRad(named[0]) + front,
    );
  const radius = amountOf(radiusWord);
  if (radius?.unit === '%' && radius.value > 0) place.distance = { share: radius.value / 100 };
  else if ((length(radiusWord) ?? 0) > 0) place.distance = { metres: length(radiusWord)! };
  const [x, y, z] = wordsOf(target);
  if (target !== null && [x, y, z].some(word => length(word) !== null))
    place.target = new Vector3(length(x) ?? Number.NaN, length(y) ?? Number.NaN, length(z) ?? Number.NaN);
  const wanted = fieldOf(fieldOfView);
  const least = fieldOf(minFieldOfView) ?? -Infinity;
  const most = fieldOf(maxFieldOfView) ?? Infinity;
  const own = wanted ?? FIELD_OF_VIEW;
  const clamped = Math.max(Math.min(own, most), least);
  if (wanted !== null || clamped !== own) place.fieldOfView = clamped;
  return place;
}

/** Degrees of an angle that a camera can have; null where nothing is said. */
function fieldOf(text: string | null): number | null {
  const found = angle(wordsOf(text)[0]);
  return found !== null && found > 0.01 && found < 3 ? MathUtils.radToDeg(found) : null;
}

/** What `min-camera-orbit` and `max-camera-orbit` allow; `auto` and shares of the distance leave a bound as it is. */
export function limitsOf(least: string | null, most: string | null): CameraLimits {
  const [minTheta, minPhi, minRadius] = wordsOf(least);
  const [maxTheta, maxPhi, maxRadius] = wordsOf(most);
  return {
    azimuth: [angle(minTheta) ?? -Infinity, angle(maxTheta) ?? Infinity],
    polar: [clampPolar(angle(minPhi) ?? 0), clampPolar(angle(maxPhi) ?? Math.PI)],
    distance: [length(minRadius), length(maxRadius)],
  };
}
