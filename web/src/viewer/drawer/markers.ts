// Markers that the visitor adds to animations, and their JSON file.

export interface Marker {
  /** Time in seconds. */
  readonly time: number;
  readonly name: string;
}

/** Maximum number of markers of an animation, and maximum length of a name. */
export const MAX_MARKERS = 1000;
export const MAX_NAME = 100;
/** Maximum size of a JSON file in bytes. */
export const MAX_SIZE = 1_000_000;

/** Returns the markers sorted by time. */
export const sorted = (markers: readonly Marker[]): readonly Marker[] => markers.toSorted((a, b) => a.time - b.time);

/** Returns the content of a JSON file. `animation`: name of the animation. */
export const markersJson = (animation: string, markers: readonly Marker[]): string =>
  `${JSON.stringify({ animation, markers: sorted(markers).map(({ time, name }) => ({ time, name })) }, null, 2)}\n`;

/**
 * Returns the markers of a JSON file; null if it isn't such a file. Markers outside of the animation
 * are left out. `start`, `end`: first and last time of the animation in seconds.
 */
export function parseMarkers(text: string, { start, end }: { start: number; end: number }): readonly Marker[] | null {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    return null;
  }
  const list = typeof content === 'object' && content !== null && 'markers' in content ? content.markers : null;
  if (!Array.isArray(list) || !list.every(isMarker)) return null;
  return sorted(list.filter(({ time }) => time >= start && time <= end))
    .slice(0, MAX_MARKERS)
    .map(({ time, name }) => ({ time, name: name.slice(0, MAX_NAME) }));
}

function isMarker(value: unknown): value is Marker {
  if (typeof value !== 'object' || value === null || !('time' in value) || !('name' in value)) return false;
  return typeof value.time === 'number' && Number.isFinite(value.time) && typeof value.name === 'string';
}
