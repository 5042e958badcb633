// The attributes of <rigcast-viewer>, one row each: documentation, name and value syntax. The
// reflecting properties, the types for frameworks, the parameters of embed.html,
// customElements.json and docs/element.md are all derived from these rows.

/**
 * Value syntax: a number is the default of a numeric attribute, a list contains all valid keywords.
 * The properties of `files` and `start` attributes are written by hand in element.ts.
 */
export type Syntax = 'text' | 'address' | 'color' | 'json' | 'flag' | 'files' | 'start' | number | readonly string[];

/*
 * The comment above each row is its documentation, in Markdown. The comment above a group is the
 * title of its table.
 */
export const ATTRIBUTES = {
  // Sources
  /** URL of the model. */
  src: 'address',
  /**
   * URLs of companion files, separated by spaces: animations, textures, side files, keys. The name
   * and content of a file determine its role. A URL that ends in `manifest.json` is a manifest; a
   * URL that ends in `/` is the folder of a manifest. Without `src` the element shows the first
   * scene with instances, or the first model if there is none. The property also takes local files,
   * which replace the attribute: a list of `File`s, or a `Map` of names or paths to
   * `Blob`s.
   */
  files: 'files',
  /** `include` sends cookies to other origins, too; `omit` sends none. Default `same-origin`. */
  credentials: ['same-origin', 'include', 'omit'],
  /**
   * Origins that a manifest may name, separated by spaces. Default: none; a manifest then loads
   * only files below its own folder.
   */
  'allow-origins': 'text',
  /**
   * Maximum number of listed files that are fetched in addition to the model, six at a time.
   * Default
   * 300. The files whose names are most similar to the name of the model are fetched. Textures have
   * a separate limit, 512.
   */
  'max-files': 300,
  /** JSON: the `formatOptions` of `open`. */
  'format-options': 'json',
  // Animation
  /**
   * A name, a number, or several of them as layers: the later ones go on top, additive ones are
   * added (`Run, Wave` or `["Run", "Wave"]`). Empty: the rest pose. Default: the animations that
   * the file starts by itself. If there are none, an idle animation of the model by its name, then
   * a walk or run, then the longest loop of at least half a second.
   */
  animation: 'text',
  /**
   * `as-stated` plays keys as the file states them. `rest` adds them to the rest pose. `detect`
   * (default) works like `as-stated`, except for formats that cannot declare an animation additive
   * (PSA): their keys are added to the rest pose if they look additive.
   */
  additive: ['detect', 'as-stated', 'rest'],
  /** Plays as soon as the model is loaded, unless the visitor prefers reduced motion. */
  autoplay: 'flag',
  /**
   * `repeat`; `pingpong`: back and forth; `none`: once; `file`: as the file states. Default: loops,
   * back and forth if the file states that.
   */
  loop: ['repeat', 'pingpong', 'none', 'file'],
  /** Playback speed as a factor; negative values play backwards. Default 1. */
  speed: 1,
  /** Duration of a cross-fade between animations in seconds. Default 0. */
  fade: 0,
  /** Start time in seconds. The property returns the current time; setting it seeks. */
  time: 'start',
  /**
   * Start frame, counted from 0, for animations that have frames. The property returns the current
   * frame; setting it seeks.
   */
  frame: 'start',
  // Camera
  /**
   * Angle around the model, angle from straight above, distance: `30deg 75deg 105%`, in `deg` or
   * `rad`, `m`, `cm`, `mm` or `%` of the distance at which the whole model is visible; `auto`.
   */
  'camera-orbit': 'text',
  /** The point that the camera looks at: `0m 1m 0m`. Each number may be `auto`. */
  'camera-target': 'text',
  /** Vertical angle: `30deg`, or `auto` (32 degrees). */
  'field-of-view': 'text',
  /** Minimum angles and distance, as in `camera-orbit`; a distance in metres. */
  'min-camera-orbit': 'text',
  /** Maximum angles and distance. */
  'max-camera-orbit': 'text',
  /** Minimum `field-of-view`. Zooming moves the camera and does not change the angle. */
  'min-field-of-view': 'text',
  /** Maximum `field-of-view`. */
  'max-field-of-view': 'text',
  /**
   * `front`, `back`, `left`, `right`, `side`, `top`; `file`: the first camera of the file;
   * `recorded`: the head of a recording. `camera-orbit` overrides the first six.
   */
  view: ['front', 'back', 'left', 'right', 'side', 'top', 'file', 'recorded'],
  /**
   * Rotates the camera around the model. It waits three seconds after the visitor has moved the
   * camera, and stops if the visitor prefers reduced motion.
   */
  'auto-rotate': 'flag',
  /**
   * `auto`: the wheel scrolls the page, and zooms with Ctrl or while the element has the focus; a
   * finger scrolls vertically and rotates horizontally. `always`: wheel and fingers move the
   * camera. `none`: the visitor cannot move the camera.
   */
  interaction: ['auto', 'always', 'none'],
  // Look
  /**
   * URL of an equirectangular panorama (Radiance `.hdr`, or any image that the browser
   * supports). It lights the model, and replaces the built-in room and the sky of the file.
   */
  'environment-image': 'address',
  /** Brightness of all light, as a factor. Default 1. */
  exposure: 1,
  /** Background as a CSS colour. */
  background: 'color',
  /** Opacity of the shadow, 0 to 1, or `none`. */
  shadow: 'text',
  /** Shows a grid on the floor. */
  ground: 'flag',
  /** Draws the bones through the skin. A file without a mesh always shows its bones. */
  skeleton: 'flag',
  /** Facial expressions by name: `blink:1 aa:0.4`. */
  expression: 'text',
  // Loading
  /** Description for screen readers. */
  alt: 'text',
  /** URL of an image that is shown until the first frame is drawn. */
  poster: 'address',
  /**
   * `lazy` (default): nothing is fetched before the element is nearly visible. `eager`: loads
   * immediately.
   */
  loading: ['lazy', 'eager'],
  /**
   * `interaction`: the poster is a button, with an icon in its middle unless the slot has a poster,
   * and the model is not fetched before it is pressed. The code that reads and draws the model is
   * fetched when the pointer or the focus enters.
   */
  reveal: ['auto', 'interaction'],
  /** Shows a tool bar: play, animation, time, speed, reset, full screen. */
  controls: 'flag',
} as const satisfies Readonly<Record<string, Syntax>>;

export type Attributes = typeof ATTRIBUTES;
export type AttributeName = keyof Attributes;

type Camel<S extends string> = S extends `${infer A}-${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S;

/** Properties that reflect an attribute. Text properties are null if the attribute is missing. */
export type Reflected = {
  [K in AttributeName as Attributes[K] extends 'files' | 'start' ? never : Camel<K>]: Attributes[K] extends number
    ? number
    : Attributes[K] extends 'flag'
      ? boolean
      : string | null;
};

/** Returns the property name of an attribute. */
export const camel = (name: string): string => name.replace(/-./g, found => found[1]!.toUpperCase());

/** Defines the properties that reflect the attributes. */
export function reflect(prototype: HTMLElement): void {
  for (const [name, kind] of Object.entries(ATTRIBUTES))
    if (kind !== 'files' && kind !== 'start')
      Object.defineProperty(prototype, camel(name), {
        get(this: HTMLElement) {
          const text = this.getAttribute(name);
          if (kind === 'flag') return text !== null;
          if (typeof kind !== 'number') return text;
          const value = Number.parseFloat(text ?? '');
          return Number.isFinite(value) ? value : kind;
        },
        set(this: HTMLElement, value: unknown) {
          // Frameworks may set a flag's property to '', which is how markup spells a flag that is
          // set.
          if (kind === 'flag') this.toggleAttribute(name, value === '' || Boolean(value));
          else setText(this, name, value);
        },
        enumerable: true,
        configurable: true,
      });
}

/** Applies properties that were set before the element was defined. */
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
