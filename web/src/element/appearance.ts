// Applies the attributes and CSS properties for exposure, floor, colours and facial expressions.
import {
  ACESFilmicToneMapping,
  AgXToneMapping,
  CineonToneMapping,
  LinearToneMapping,
  NoToneMapping,
  ReinhardToneMapping,
  type ToneMapping,
} from 'three';
import type { RecordingColors } from '../view/recording.ts';
import type { View } from '../view/view.ts';
import type { Rig } from '../three/rig.ts';
import { splitWords } from './urls.ts';
import { parseColor, parseNumber } from './cssValues.ts';

/**
 * Tone mappings of three.js by value of the attribute `tone-mapping`. `neutral` is the default of the
 * renderer.
 */
const TONE_MAPPINGS: Readonly<Record<string, ToneMapping>> = {
  none: NoToneMapping,
  linear: LinearToneMapping,
  reinhard: ReinhardToneMapping,
  cineon: CineonToneMapping,
  aces: ACESFilmicToneMapping,
  agx: AgXToneMapping,
};

/** Applies exposure, tone mapping, grid, shadow and colours. */
export function applyAppearance(view: View, element: HTMLElement): void {
  const style = getComputedStyle(element);
  const shadow = element.getAttribute('shadow');
  const opacity = shadow === 'none' ? 0 : (parseNumber(shadow) ?? parseNumber(style.getPropertyValue('--rigcast-shadow-opacity')) ?? 0.45);
  view.toneMapping = TONE_MAPPINGS[element.getAttribute('tone-mapping') ?? ''] ?? null;
  view.exposure = Math.max(parseNumber(element.getAttribute('exposure')) ?? 1, 0);
  view.ground.gridVisible = element.hasAttribute('ground');
  view.ground.shadowVisible = opacity > 0;
  view.setColors({
    grid: parseColor(style.getPropertyValue('--rigcast-grid')) ?? '#888888',
    gridOpacity: parseNumber(style.getPropertyValue('--rigcast-grid-opacity')) ?? 0.35,
    shadowOpacity: Math.min(opacity, 1),
  });
}

/** Returns the colours of the hands, head and gaze in a recording. */
export function recordingColors(element: HTMLElement): RecordingColors {
  const style = getComputedStyle(element);
  const color = (name: string, fallback: string): string => parseColor(style.getPropertyValue(name)) ?? fallback;
  return {
    skin: color('--rigcast-skin', '#dcb8a2'),
    pinch: color('--rigcast-accent', '#12a39a'),
    camera: color('--rigcast-grid', '#6b7078'),
    gaze: '#d07a1f',
  };
}

/**
 * Sets the facial expressions that the attribute `expression` lists, such as `blink:1 aa`. The
 * default weight is 1. Returns the names of expressions that the model does not have.
 */
export function applyExpressions({ expressions }: Rig, text: string | null): string[] {
  expressions.reset();
  return splitWords(text).flatMap(word => {
    const at = word.lastIndexOf(':');
    const name = at < 0 ? word : word.slice(0, at);
    const known = expressions.names.find(each => each.toLowerCase() === name.toLowerCase()) ?? name;
    return expressions.set(known, at < 0 ? 1 : (parseNumber(word.slice(at + 1)) ?? 0)) ? [] : [name];
  });
}
