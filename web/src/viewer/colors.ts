// Colours of the viewport, read from the style sheet of the page.
import type { RecordingColors } from '../view/index.ts';

function reader(root: HTMLElement): (name: string, other: string) => string {
  const style = getComputedStyle(root);
  return (name, other) => style.getPropertyValue(name).trim() || other;
}

/** Returns the colour of the grid and the opacities of grid and shadow. */
export function groundColors(root: HTMLElement): { grid: string; gridOpacity: number; shadowOpacity: number } {
  const color = reader(root);
  return {
    grid: color('--grid', '#888888'),
    gridOpacity: Number(color('--grid-opacity', '0.4')),
    shadowOpacity: Number(color('--shadow-opacity', '0.4')),
  };
}

/** Returns the colour around the model in VR. */
export const surroundings = (root: HTMLElement): string => reader(root)('--viewport-2', '#808080');

/** Returns the colours of a recording: hands, pinches, camera frustum and gaze. */
export function recordingColors(root: HTMLElement): RecordingColors {
  const color = reader(root);
  return {
    skin: color('--skin', '#e6cfc0'),
    pinch: color('--pinch', '#0fa89f'),
    camera: color('--camera', '#6b7078'),
    gaze: color('--gaze', '#d9822b'),
  };
}

/** Returns the colours of a recording that is compared with the current one. */
export function comparedColors(root: HTMLElement): RecordingColors {
  const other = reader(root)('--other', '#7a68c9');
  return { ...recordingColors(root), skin: other, camera: other, gaze: other };
}
