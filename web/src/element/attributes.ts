// The attributes of <rigcast-viewer>, one row each: documentation, name and value syntax. The
// reflecting properties, the types for frameworks, the parameters of embed.html,
// customElements.json and docs/element.md are all derived from these rows.

/**
 * Value syntax of an attribute. A number is the default of a numeric attribute. A list contains the
 * valid keywords. Attributes of the syntax `files` or `start` have their properties in element.ts.
 */
export type Syntax = 'text' | 'url' | 'color' | 'json' | 'flag' | 'files' | 'start' | number | readonly string[];

/*
 * The comment above each row is its documentation, in Markdown. The comment above a group is the
 * title of its table.
 */
export const ATTRIBUTES = {
  // Sources
  /**
   * URL of the model. Without it the element shows the first scene with instances among `files`, or
   * the first model.
   */
  src: 'url',
  /**
   * URLs of companion files, separated by spaces: animations, textures, side files, keys. The
   * element detects the role of each file from its name and content. A URL that ends in
   * `manifest.json` is a manifest. A URL that ends in `/` is a folder that contains a
   * `manifest.json`. The property also accepts local files, which replace the attribute: a list of
   * `File`s, or a `Map` of names or paths to `Blob`s.
   */
  files: 'files',
  /**
   * Cookies of requests to other origins: `include` sends them. `omit` sends no cookies to any
   * origin. Default `same-origin`.
   */
  credentials: ['same-origin', 'include', 'omit'],
  /**
   * Origins of files that a manifest may list, separated by spaces. Default: none. A manifest can
   * always list files below its own folder.
   */
  'allow-origins': 'text',
  /**
   * Maximum number of files that are fetched in addition to the model, six at a time. Default 300.
   * Files with names similar to the name of the model have priority. Textures have a separate limit
   * of 512.
   */
  'max-files': 300,
  /** JSON object with the `formatOptions` of `open`. */
  'format-options': 'json',
  // Animation
  /**
   * Name or number of an animation, or several as layers from bottom to top: `Run, Wave` or
   * `["Run", "Wave"]`. Additive animations are added to the layers below. Empty: the rest pose.
   * Default: the animations that the file starts automatically. If there are none: an idle
   * animation by its name, otherwise a walk or run, otherwise the longest loop of at least half a
   * second.
   */
  animation: 'text',
  /**
   * How animations are applied. `as-stated`: as the file declares them. `rest`: added to the rest
   * pose. `detect` (default): like `as-stated`, but a PSA, whose format cannot declare this, is
   * added to the rest pose if its keys look additive.
   */
  additive: ['detect', 'as-stated', 'rest'],
  /** Starts playback when the model is loaded, unless the visitor prefers reduced motion. */
  autoplay: 'flag',
  /**
   * `repeat`; `pingpong`: forwards and backwards in turn; `none`: once; `file`: as the file
   * declares. Default: repeats, or `pingpong` if the file declares that.
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
   * Position of the camera: angle around the model, angle from straight above, distance. Example:
   * `30deg 75deg 105%`. Angles in `deg` or `rad`. Distances in `m`, `cm`, `mm`, or `%` of the
   * distance at which the whole model is visible. Each value may be `auto`.
   */
  'camera-orbit': 'text',
  /** Point that the camera looks at: `0m 1m 0m`. Each coordinate may be `auto`. */
  'camera-target': 'text',
  /** Vertical field of view: `30deg`. Default `auto`: 32 degrees. */
  'field-of-view': 'text',
  /**
   * Minimum angles and distance, in the form of `camera-orbit`. The distance must be a length, not
   * a percentage.
   */
  'min-camera-orbit': 'text',
  /** Maximum angles and distance, in the form of `min-camera-orbit`. */
  'max-camera-orbit': 'text',
  /** Minimum of `field-of-view`. Zooming moves the camera and does not change the field of view. */
  'min-field-of-view': 'text',
  /** Maximum of `field-of-view`. */
  'max-field-of-view': 'text',
  /**
   * Initial view: `front`, `back`, `left`, `right`, `side` or `top`, unless `camera-orbit` is set.
   * `recorded` or `file`: the view of the recorded camera in a hand recording.
   */
  view: ['front', 'back', 'left', 'right', 'side', 'top', 'file', 'recorded'],
  /**
   * Rotates the camera around the model. Rotation pauses for three seconds after the visitor has
   * moved the camera, and is off if the visitor prefers reduced motion.
   */
  'auto-rotate': 'flag',
  /**
   * `auto` (default): the wheel scrolls the page; it zooms with Ctrl or while the element has the
   * focus. A vertical swipe scrolls, a horizontal swipe rotates. `always`: wheel and fingers move
   * the camera. `none`: the visitor cannot move the camera.
   */
  interaction: ['auto', 'always', 'none'],
  // Look
  /**
   * URL of an equirectangular panorama: Radiance `.hdr`, or any image that the browser supports. It
   * lights the model and replaces the built-in room and the sky of the file.
   */
  'environment-image': 'url',
  /** Brightness of the picture as a factor. Default 1. */
  exposure: 1,
  /** Background as a CSS colour. */
  background: 'color',
  /** Opacity of the shadow, 0 to 1, or `none`. */
  shadow: 'text',
  /** Shows a grid on the floor. */
  ground: 'flag',
  /** Draws the bones on top of the model. Bones of a file without a mesh are always drawn. */
  skeleton: 'flag',
  /** Facial expressions with their weights: `blink:1 aa:0.4`. */
  expression: 'text',
  // Loading
  /** Description for screen readers. */
  alt: 'text',
  /** URL of an image that is shown until the first frame is drawn. */
  poster: 'url',
  /** `lazy` (default): loads when the element is nearly visible. `eager`: loads immediately. */
  loading: ['lazy', 'eager'],
  /**
   * `auto` (default): loads without a click. `interaction`: loads when the visitor presses the
   * poster, which is then a button with a play icon (no icon if the poster is in the slot).
   */
  reveal: ['auto', 'interaction'],
  /** Shows a toolbar: play, animation, time, speed, reset, full screen. */
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
          // Some frameworks set a flag as in markup: to ''.
          if (kind === 'flag') this.toggleAttribute(name, value === '' || Boolean(value));
          else setText(this, name, value);
        },
        enumerable: true,
        configurable: true,
      });
}

/**
 * Applies properties that the page has set before the element was defined: those of all attributes,
 * and `others`.
 */
export function upgrade(element: HTMLElement, others: readonly string[]): void {
  for (const name of [...Object.keys(ATTRIBUTES).map(camel), ...others]) {
    if (!Object.hasOwn(element, name)) continue;
    const value: unknown = Reflect.get(element, name);
    Reflect.deleteProperty(element, name);
    Reflect.set(element, name, value);
  }
}

/** Sets an attribute. null and undefined remove it. */
export function setText(element: HTMLElement, name: string, value: unknown): void {
  if (value === null || value === undefined) element.removeAttribute(name);
  else element.setAttribute(name, String(value));
}
