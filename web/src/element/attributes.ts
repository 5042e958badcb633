// The attributes of <rigcast-viewer>: the one list. What each means, in words, is in manual.ts, which pages never load.

/**
 * text: as it is written; flag: there or not; a number: what its property is where nobody says; files: addresses, its property also files in hand;
 * start: where a motion begins, its property where it is.
 */
export const ATTRIBUTES = {
  src: 'text',
  files: 'files',
  credentials: 'text',
  'allow-origins': 'text',
  'max-files': 300,
  'format-options': 'text',
  motion: 'text',
  additive: 'text',
  autoplay: 'flag',
  loop: 'text',
  speed: 1,
  fade: 0,
  time: 'start',
  frame: 'start',
  'camera-orbit': 'text',
  'camera-target': 'text',
  'field-of-view': 'text',
  'min-camera-orbit': 'text',
  'max-camera-orbit': 'text',
  'min-field-of-view': 'text',
  'max-field-of-view': 'text',
  view: 'text',
  'auto-rotate': 'flag',
  interaction: 'text',
  'environment-image': 'text',
  exposure: 1,
  background: 'text',
  shadow: 'text',
  ground: 'flag',
  skeleton: 'flag',
  expression: 'text',
  alt: 'text',
  poster: 'text',
  loading: 'text',
  reveal: 'text',
  controls: 'flag',
} as const;

export type Attributes = typeof ATTRIBUTES;
export type AttributeName = keyof Attributes;

type Camel<S extends string> = S extends `${infer A}-${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S;

/** Properties that reflect an attribute: null where it is not there. Those of `files`, `time` and `frame` do more, and are the element's own. */
export type Reflected = {
  [K in AttributeName as Attributes[K] extends 'files' | 'start' ? never : Camel<K>]: Attributes[K] extends 'text'
    ? string | null
    : Attributes[K] extends 'flag'
      ? boolean
      : number;
};

/** The property of an attribute. */
export const camel = (name: string): string => name.replace(/-./g, found => found[1]!.toUpperCase());

/** Makes the properties of a class of elements that reflect its attributes. */
export function reflect(prototype: HTMLElement): void {
  for (const [name, kind] of Object.entries(ATTRIBUTES))
    if (kind !== 'files' && kind !== 'start')
      Object.defineProperty(prototype, camel(name), {
        get(this: HTMLElement) {
          const text = this.getAttribute(name);
          if (kind === 'flag') return text !== null;
          if (kind === 'text') return text;
          const value = Number.parseFloat(text ?? '');
          return Number.isFinite(value) ? value : kind;
        },
        set(this: HTMLElement, value: unknown) {
          // Frameworks set properties to what their markup says, which is '' for a flag that is there.
          if (kind === 'flag') this.toggleAttribute(name, value === '' || Boolean(value));
          else setText(this, name, value);
        },
        enumerable: true,
        configurable: true,
      });
}

/** Properties that were set before the element was defined take effect now. */
export function upgrade(element: HTMLElement, others: readonly string[]): void {
  for (const name of [...Object.keys(ATTRIBUTES).map(camel), ...others]) {
    if (!Object.hasOwn(element, name)) continue;
    const value: unknown = Reflect.get(element, name);
    Reflect.deleteProperty(element, name);
    Reflect.set(element, name, value);
  }
}

export function setText(element: HTMLElement, name: string, value: unknown): void {
  if (value === null || value === undefined) element.removeAttribute(name);
  else element.setAttribute(name, String(value));
}
