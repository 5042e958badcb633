// What the tree of the inspector is made of. Branches are made when somebody opens the one above them: a file may have a hundred thousand.
import { Color, type Object3D } from 'three';
import type { Properties, PropertyValue } from '../../core/types.ts';
import { count } from '../dom.ts';
import type { Place } from '../wardrobe.ts';
import { words } from '../words/index.ts';
import type { Plotted } from './curves.ts';

export interface Fact {
  label: string;
  text: string;
  /** A colour beside the text, as CSS has it. */
  color?: string;
}

/** A picture that three.js draws, small. */
export type Thumbnail = CanvasImageSource & { width: number; height: number };

/** A piece of the file. */
export interface Bytes {
  offset: number;
  size: number;
}

export interface Field extends Bytes {
  name: string;
  /** In the format's own spelling, with its count. */
  type: string;
  value: string;
}

export interface Branch {
  /** What it is; a class and, read aloud, a word before its name. */
  kind: string;
  name: string;
  /** At the end of its row. */
  detail: string;
  children?: () => readonly Branch[];
  /** Said of it when it is chosen. */
  facts?: () => readonly Fact[];
  /** In the file: what its bytes say. */
  fields?: readonly Field[];
  bytes?: Bytes;
  /** What it is on the stage. */
  object?: Object3D;
  /** It can be hidden. */
  shown?: { get(): boolean; set(on: boolean): void };
  /** A material, on which images can be put. */
  material?: Place;
  /** Its own curve, where it is one. */
  curve?: () => Plotted;
  /** Images of it, with what each is for. */
  images?: () => readonly { label: string; image: Thumbnail; about: string }[];
}

const MOST_PROPERTIES = 80;
const MOST_TEXT = 240;
const MOST_DEPTH = 4;

export const shortened = (text: string): string => (text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)} …` : text);

/** A property bag as rows, what lies within another as `outer.inner`. */
export function factsIn(properties: Properties | undefined): Fact[] {
  const facts: Fact[] = [];
  const add = (label: string, value: PropertyValue, depth: number): void => {
    if (facts.length > MOST_PROPERTIES) return;
    if (value !== null && typeof value === 'object' && !Array.isArray(value) && depth < MOST_DEPTH)
      for (const [name, inner] of Object.entries(value)) add(label ? `${label}.${name}` : name, inner, depth + 1);
    else facts.push({ label, text: textOf(value) });
  };
  if (properties) add('', properties, 0);
  if (facts.length > MOST_PROPERTIES) facts.splice(MOST_PROPERTIES, 1, { label: '', text: words.inspect.moreProperties });
  return facts;
}

/** A value as people read it: numbers short, lists in brackets. */
export function textOf(value: PropertyValue): string {
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'string') return shortened(value);
  if (Array.isArray(value) && value.every(one => typeof one === 'number')) return shortened(value.slice(0, 64).map(numberText).join('  '));
  return shortened(JSON.stringify(value));
}

export const numberText = (value: number): string => String(Number(value.toPrecision(6)));

/** Rows of one kind; a search goes through these. */
export const MOST = 5000;

/** Null where there are none. `all`: as many as there are. */
export function group(name: string, branches: readonly Branch[], all = branches.length, kind = 'heading'): Branch | null {
  if (branches.length === 0) return null;
  return { kind, name, detail: count(all), children: () => branches };
}

export function colorFact(label: string, [red, green, blue]: readonly number[]): Fact {
  const color = new Color().setRGB(red ?? 0, green ?? 0, blue ?? 0);
  return { label, text: `#${color.getHexString()}`, color: `#${color.getHexString()}` };
}

/** Of a vector, short. */
export const numbers = (values: readonly number[]): string => values.map(value => String(Number(value.toFixed(4)))).join('  ');
