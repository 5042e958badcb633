// Branches of the inspector's tree. Child branches are created when their parent is expanded,
// because a file can contain 100,000 of them.
import { Color, type Object3D } from 'three';
import type { Properties, PropertyValue } from '../../core/types.ts';
import { count } from '../dom.ts';
import type { MaterialRef } from '../textureOverrides.ts';
import { words } from '../words/index.ts';

export interface Fact {
  label: string;
  text: string;
  /** CSS colour of the swatch beside the text. */
  color?: string;
}

/** Image from which a small picture is drawn. */
export type SmallPicture = CanvasImageSource & { width: number; height: number };

/** Range of bytes in a file. */
export interface Bytes {
  offset: number;
  size: number;
}

export interface Field extends Bytes {
  name: string;
  /** Type of the field as the format names it, with the number of elements. */
  type: string;
  value: string;
}

export interface Branch {
  /** Kind of branch, which is also its CSS class. */
  kind: string;
  name: string;
  /** Text at the end of the branch's row. */
  detail: string;
  children?: () => readonly Branch[];
  /** Facts shown when the branch is selected. */
  facts?: () => readonly Fact[];
  /** Fields of the file that belong to this branch. */
  fields?: readonly Field[];
  bytes?: Bytes;
  /** Object in the viewport that this branch represents. */
  object?: Object3D;
  /** Gets and sets the visibility of the object. Undefined if the visibility can't be changed. */
  shown?: { get(): boolean; set(on: boolean): void };
  /** Material to which images can be assigned. */
  material?: MaterialRef;
  /** Returns the textures of a material. `label` names the use of a texture. */
  images?: () => readonly { label: string; image: SmallPicture; about: string }[];
}

const MAX_PROPERTIES = 80;
const MAX_TEXT = 240;
const MAX_DEPTH = 4;

export const shortened = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)} …` : text);

/** Converts properties to rows. Nested properties get names such as `outer.inner`. */
export function factsIn(properties: Properties | undefined): Fact[] {
  const facts: Fact[] = [];
  const add = (label: string, value: PropertyValue, depth: number): void => {
    if (facts.length > MAX_PROPERTIES) return;
    if (value !== null && typeof value === 'object' && !Array.isArray(value) && depth < MAX_DEPTH)
      for (const [name, inner] of Object.entries(value)) add(label ? `${label}.${name}` : name, inner, depth + 1);
    else facts.push({ label, text: textOf(value) });
  };
  if (properties) add('', properties, 0);
  if (facts.length > MAX_PROPERTIES) facts.splice(MAX_PROPERTIES, 1, { label: '', text: words.inspect.more });
  return facts;
}

/** Formats a value. Numbers are rounded; long texts and lists are shortened. */
export function textOf(value: PropertyValue): string {
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'string') return shortened(value);
  if (Array.isArray(value) && value.every(one => typeof one === 'number')) return shortened(value.slice(0, 64).map(numberText).join('  '));
  return shortened(JSON.stringify(value));
}

export const numberText = (value: number): string => String(Number(value.toPrecision(6)));

/** Maximum number of branches that are listed for one kind of content. */
export const MAX_ROWS = 5000;

/**
 * Returns a group of branches; null if there are none. `all`: total number, including branches that
 * are not listed.
 */
export function group(name: string, branches: readonly Branch[], all = branches.length, kind = 'heading'): Branch | null {
  if (branches.length === 0) return null;
  return { kind, name, detail: count(all), children: () => branches };
}

export function colorFact(label: string, [red, green, blue]: readonly number[]): Fact {
  const color = new Color().setRGB(red ?? 0, green ?? 0, blue ?? 0);
  return { label, text: `#${color.getHexString()}`, color: `#${color.getHexString()}` };
}

/** Formats the components of a vector, rounded to four decimals. */
export const numbers = (values: readonly number[]): string => values.map(value => String(Number(value.toFixed(4)))).join('  ');
