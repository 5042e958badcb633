// The page's colours, from its style sheet, for what the stage draws.
import type { RecordingColors } from '../view/index.ts';

function reader(root: HTMLElement): (name: string, other: string) => string {
  const style = getComputedStyle(root);
  return (name, other) => style.getPropertyValue(name).trim() || other;
}

/** Of the ground: its grid and the shadow that falls on it. */
export function groundColors(root: HTMLElement): { grid: string; gridOpacity: number; shadowOpacity: number } {
  const color = reader(root);
  return {
    grid: color('--grid', '#888888'),
    gridOpacity: Number(color('--grid-opacity', '0.4')),
    shadowOpacity: Number(color('--shadow-opacity', '0.4')),
  };
}

/** Of a recording: hands, where they pinch, the head's camera, and where somebody looks. */
export function recordingColors(root: HTMLElement): RecordingColors {
  const color = reader(root);
  return {
    skin: color('--skin', '#e6cfc0'),
    pinch: color('--pinch', '#0fa89f'),
    camera: color('--camera', '#6b7078'),
    gaze: color('--gaze', '#d9822b'),
  };
}

/** Of a take that stands beside a recording. */
export function otherColors(root: HTMLElement): RecordingColors {
  const other = reader(root)('--other', '#7a68c9');
  return { ...recordingColors(root), skin: other, camera: other, gaze: other };
}
