// How what is shown looks: light, floor, bones, face, as the attributes and the style sheets of the page say.
import type { RecordingColors } from '../view/recording.ts';
import type { View } from '../view/view.ts';
import type { Rig } from '../three/rig.ts';
import { wordsOf } from './addresses.ts';
import { colorOf, numberOf } from './colors.ts';

/** Light and floor. */
export function dress(view: View, element: HTMLElement): void {
  const style = getComputedStyle(element);
  const shadow = element.getAttribute('shadow');
  const opacity = shadow === 'none' ? 0 : (numberOf(shadow) ?? numberOf(style.getPropertyValue('--rigcast-shadow-opacity')) ?? 0.45);
  view.exposure = Math.max(numberOf(element.getAttribute('exposure')) ?? 1, 0);
  view.ground.gridVisible = element.hasAttribute('ground');
  view.ground.shadowVisible = opacity > 0;
  view.setColors({
    grid: colorOf(style.getPropertyValue('--rigcast-grid')) ?? '#888888',
    gridOpacity: numberOf(style.getPropertyValue('--rigcast-grid-opacity')) ?? 0.35,
    shadowOpacity: Math.min(opacity, 1),
  });
}

/** Of the hands, the head and the gaze of a recording. */
export function recordingColors(element: HTMLElement): RecordingColors {
  const style = getComputedStyle(element);
  const color = (name: string, other: string): string => colorOf(style.getPropertyValue(name)) ?? other;
  return {
    skin: color('--rigcast-skin', '#dcb8a2'),
    pinch: color('--rigcast-accent', '#12a39a'),
    camera: color('--rigcast-grid', '#6b7078'),
    gaze: '#d07a1f',
  };
}

/** `blink:1 aa:0.4`; a name alone is all of it. Returns the names that the face does not have. */
export function makeFace({ expressions }: Rig, text: string | null): string[] {
  expressions.reset();
  return wordsOf(text).flatMap(word => {
    const at = word.lastIndexOf(':');
    const name = at < 0 ? word : word.slice(0, at);
    const known = expressions.names.find(each => each.toLowerCase() === name.toLowerCase()) ?? name;
    return expressions.set(known, at < 0 ? 1 : (numberOf(word.slice(at + 1)) ?? 0)) ? [] : [name];
  });
}
