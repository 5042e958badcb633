// Colours that the viewport takes from the page's style sheet.
import type { RecordingColors } from '../view/index.ts';

function reader(root: HTMLElement): (name: string, other: string) => string {
  const style = getComputedStyle(root);
  return (name, other) => style.getPropertyValue(name).trim() || other;
}

/** Colours of the floor: grid and shadow. */
export function groundColors(root: HTMLElement): { grid: string; gridOpacity: number; shadowOpacity: number } {
  const color = reader(root);
  return {
    grid: color('--grid', '#888888'),
    gridOpacity: Number(color('--grid-opacity', '0.4')),
    shadowOpacity: Number(color('--shadow-opacity', '0.4')),
  };
}

/** Colours of a recording: hands, pinches, camera frustum and gaze. */
export function recordingColors(root: HTMLElement): RecordingColors {
  const color = reader(root);
  return {
    skin: color('--skin', '#e6cfc0'),
    pinch: color('--pinch', '#0fa89f'),
    camera: color('--camera', '#6b7078'),
    gaze: color('--gaze', '#d9822b'),
  };
}

/** Colours of the compared recording. */
export function comparedColors(root: HTMLElement): RecordingColors {
  const other = reader(root)('--other', '#7a68c9');
  return { ...recordingColors(root), skin: other, camera: other, gaze: other };
}
