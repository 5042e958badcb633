// How the values of <rigcast-viewer>'s attributes are written: what embed.html checks of an address, and the types for frameworks are made of it.
import type { AttributeName } from './attributes.ts';

/** How a value is written. */
export type Syntax = 'text' | 'address' | 'addresses' | 'origins' | 'json' | 'number' | 'color' | 'words' | 'flag';

export interface AttributeSyntax {
  syntax: Syntax;
  /** All there are, where there are few. */
  values?: readonly string[];
}

export const ATTRIBUTE_SYNTAX = {
  src: { syntax: 'address' },
  files: { syntax: 'addresses' },
  credentials: { syntax: 'words', values: ['same-origin', 'include', 'omit'] },
  'allow-origins': { syntax: 'origins' },
  'max-files': { syntax: 'number' },
  'format-options': { syntax: 'json' },
  motion: { syntax: 'text' },
  additive: { syntax: 'words', values: ['detect', 'as-stated', 'rest'] },
  autoplay: { syntax: 'flag' },
  loop: { syntax: 'words', values: ['repeat', 'pingpong', 'none', 'file'] },
  speed: { syntax: 'number' },
  fade: { syntax: 'number' },
  time: { syntax: 'number' },
  frame: { syntax: 'number' },
  'camera-orbit': { syntax: 'text' },
  'camera-target': { syntax: 'text' },
  'field-of-view': { syntax: 'text' },
  'min-camera-orbit': { syntax: 'text' },
  'max-camera-orbit': { syntax: 'text' },
  'min-field-of-view': { syntax: 'text' },
  'max-field-of-view': { syntax: 'text' },
  view: { syntax: 'words', values: ['front', 'back', 'left', 'right', 'side', 'top', 'file', 'recorded'] },
  'auto-rotate': { syntax: 'flag' },
  interaction: { syntax: 'words', values: ['auto', 'always', 'none'] },
  'environment-image': { syntax: 'address' },
  exposure: { syntax: 'number' },
  background: { syntax: 'color' },
  shadow: { syntax: 'text' },
  ground: { syntax: 'flag' },
  skeleton: { syntax: 'flag' },
  expression: { syntax: 'text' },
  alt: { syntax: 'text' },
  poster: { syntax: 'address' },
  loading: { syntax: 'words', values: ['lazy', 'eager'] },
  reveal: { syntax: 'words', values: ['auto', 'interaction'] },
  controls: { syntax: 'flag' },
} as const satisfies Record<AttributeName, AttributeSyntax>;
