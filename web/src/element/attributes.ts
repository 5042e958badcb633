// The attributes of <rigcast-viewer>, one row each: documentation, name and value syntax. The
// reflecting properties, the types for frameworks, the parameters of embed.html,
// customElements.json and docs/element.md are all derived from these rows.

/**
 * Value syntax of an attribute. A number stands for a numeric attribute with this default value; a
 * list contains the valid keywords; syntax.ts checks the others. The properties of attributes with
 * the syntax `files`, `names` or `start` are defined in element.ts.
 */
export type Syntax =
  | ('text' | 'url' | 'color' | 'json' | 'flag' | 'files' | 'names' | 'start' | 'origins' | 'opacity' | 'weights' | 'ar modes' | 'models')
  | ('orbit' | 'orbit limit' | 'point' | 'length' | 'field of view' | 'angles' | 'factors')
  | number
  | readonly string[];

/*
 * The comment above each row is its documentation, in Markdown. The comment above a group is the
 * title of its table.
 */
export const ATTRIBUTES = {
  // Sources
  /**
   * URL of the model. If it is missing, the element shows the first scene with instances among
   * `files`, or the first model if there is no such scene.
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
   * Cookies in requests. `same-origin` (default): only in requests to the origin of the page.
   * `include`: in all requests. `omit`: in no requests.
   */
  credentials: ['same-origin', 'include', 'omit'],
  /**
   * Additional origins of the files that a manifest may list, separated by spaces. A manifest can
   * always list files below its own folder.
   */
  'allow-origins': 'origins',
  /**
   * Maximum number of files that are fetched in addition to the model (default 300). Files whose
   * names are similar to the name of the model have priority. Textures are not counted; their limit
   * is 512.
   */
  'max-files': 300,
  /** JSON object with the `formatOptions` of `open`. */
  'format-options': 'json',
  /**
   * Models that are shown together with that of `src`, as a JSON list of objects such as
   * `[{"src": "sword.psk", "bone": "hand_r"}]`. Only `src` is required. `bone`: name of the bone to
   * which the model is attached. `position`: position relative to the scene or the bone, such as
   * `1m 0m 0m`. `orientation` and `scale`: as the attributes. `files`: companion files; by default,
   * textures and animations are those of the element. `animation`: as the attribute; by default,
   * the model follows the selected animation if it has the same bones.
   */
  'extra-models': 'models',
  // Animation
  /**
   * Name or number of an animation, or of several that are played as layers, from bottom to top:
   * `Run, Wave` or `["Run", "Wave"]`. Additive animations are added to the layers below. An empty
   * value shows the rest pose. By default, selects the animations that the file starts
   * automatically. If there are none, selects an animation whose name indicates an idle, otherwise
   * a walk or run, otherwise the longest loop, otherwise the longest animation. The property also
   * accepts a list of names.
   */
  animation: 'names',
  /**
   * How animations are applied. `as-stated`: as the file declares them. `rest`: added to the rest
   * pose. `detect` (default): same as `as-stated`, but animations of a PSA or UEFormat file are
   * added to the rest pose if their keys look additive, because these formats do not reliably
   * declare additive animations.
   */
  additive: ['detect', 'as-stated', 'rest'],
  /** Starts playback when the model is loaded, unless the visitor prefers reduced motion. */
  autoplay: 'flag',
  /**
   * `repeat`: repeats the animation. `pingpong`: plays it forwards and backwards in turn. `none`:
   * plays it once. `file`: as the file declares. By default, the animation repeats, or plays as
   * `pingpong` if the file declares that.
   */
  loop: ['repeat', 'pingpong', 'none', 'file'],
  /** Playback speed as a factor (default 1). Negative values play backwards. */
  speed: 1,
  /** Duration of the cross-fade between animations, in seconds (default 0). */
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
   * Position of the camera, such as `30deg 75deg 105%`: angle around the model, angle from straight
   * above, and distance. The units of angles are `deg` and `rad`. The units of distances are `m`,
   * `cm`, `mm`, and `%` of the distance at which the whole model is visible. Each value may be
   * `auto`.
   */
  'camera-orbit': 'orbit',
  /** Point that the camera looks at, such as `0m 1m 0m`. Each coordinate may be `auto`. */
  'camera-target': 'point',
  /** Vertical field of view, such as `30deg`. The default, `auto`, is 32 degrees. */
  'field-of-view': 'field of view',
  /**
   * Minimum angles and minimum distance, in the same syntax as `camera-orbit`. The distance cannot
   * be a percentage.
   */
  'min-camera-orbit': 'orbit limit',
  /** Maximum angles and maximum distance, in the same syntax as `min-camera-orbit`. */
  'max-camera-orbit': 'orbit limit',
  /**
   * Minimum of `field-of-view`. Zooming does not change the field of view, but moves the camera.
   */
  'min-field-of-view': 'field of view',
  /** Maximum of `field-of-view`. */
  'max-field-of-view': 'field of view',
  /**
   * Time constant in milliseconds of camera movements after a change of these attributes (default
   * 50, about a third of a second until the camera stops). 0 moves the camera at once, as does a
   * visitor's preference for reduced motion.
   */
  'interpolation-decay': 50,
  /**
   * Initial view. `front`, `back`, `left`, `right`, `side` and `top` have no effect if
   * `camera-orbit` is set. `recorded` and `file` show a hand recording through the recorded camera.
   */
  view: ['front', 'back', 'left', 'right', 'side', 'top', 'file', 'recorded'],
  /**
   * Rotates the camera around the model. The rotation pauses for three seconds when the visitor
   * moves the camera, and is disabled if the visitor prefers reduced motion.
   */
  'auto-rotate': 'flag',
  /**
   * How visitors move the camera. `auto` (default): the wheel zooms if Ctrl is held or the element
   * has the focus, and otherwise scrolls the page; a horizontal swipe rotates the camera, a
   * vertical swipe scrolls the page. `always`: wheel and fingers always move the camera. `none`:
   * visitors cannot move the camera.
   */
  interaction: ['auto', 'always', 'none'],
  /**
   * `auto`: shows for some seconds that the model can be rotated, once, if the visitor has not
   * moved the camera by then. Not shown if `auto-rotate` or `interaction="none"` is set, or if the
   * visitor prefers reduced motion. `none` (default): shows nothing.
   */
  'interaction-prompt': ['auto', 'none'],
  // Look
  /**
   * Rotation of the model as roll, pitch and yaw (around Z, X and Y), such as `0deg -90deg 0deg`.
   * Yaw is applied last.
   */
  orientation: 'angles',
  /** Factors by which the model is scaled along X, Y and Z, such as `1 2 1`, or one factor. */
  scale: 'factors',
  /**
   * URL of an equirectangular panorama: a Radiance `.hdr` file, or an image in any format that the
   * browser supports. The panorama lights the model, in place of the built-in environment or the
   * sky of the file.
   */
  'environment-image': 'url',
  /**
   * URL of a panorama, in the same formats, that is shown behind the model. It also lights the
   * model, unless `environment-image` is set.
   */
  'skybox-image': 'url',
  /**
   * Height of the camera that took the panorama of `skybox-image` above its floor, such as `1.5m`.
   * The lower half of the panorama then becomes the floor below the model.
   */
  'skybox-height': 'length',
  /** Brightness of the picture as a factor (default 1). */
  exposure: 1,
  /** Tone mapping, which maps bright light to the colours of the screen (default `neutral`). */
  'tone-mapping': ['neutral', 'agx', 'aces', 'reinhard', 'cineon', 'linear', 'none'],
  /** Background as a CSS colour. */
  background: 'color',
  /** Opacity of the shadow, 0 to 1, or `none`. */
  shadow: 'opacity',
  /** Shows a grid on the floor. */
  ground: 'flag',
  /** Draws the bones on top of the model. If the file has no mesh, its bones are always drawn. */
  skeleton: 'flag',
  /**
   * Name of a material variant of a glTF file (`KHR_materials_variants`). By default, the default
   * materials are shown.
   */
  'variant-name': 'text',
  /** Facial expressions and their weights, such as `blink:1 aa:0.4`. */
  expression: 'weights',
  /**
   * Graphics API: `webgl` (default) or `webgpu`. WebGPU requires three.js r183 or newer and, in pages
   * with a bundler, the import of `rigcast/element/webgpu`. If WebGPU is not available, the element
   * uses WebGL and fires `error` with the reason. A change loads the model again.
   */
  renderer: ['webgl', 'webgpu'],
  // Loading
  /** Description for screen readers. */
  alt: 'text',
  /** URL of an image that is shown until the first frame is drawn. */
  poster: 'url',
  /** `lazy` (default): loads when the element is nearly visible. `eager`: loads immediately. */
  loading: ['lazy', 'eager'],
  /**
   * `auto` (default): loads the model without a click. `interaction`: loads the model when the
   * visitor presses the poster, which becomes a button. The button has a play icon unless the
   * poster is in the slot.
   */
  reveal: ['auto', 'interaction'],
  /**
   * Shows a toolbar with controls for playback, animation, time, speed, camera reset and full
   * screen.
   */
  controls: 'flag',
  /**
   * Adds a button to the toolbar that saves the model with its animations as GLB. Requires
   * `controls`.
   */
  download: 'flag',
  /**
   * Shows a button that places the model in the visitor's surroundings, on devices that can do so.
   * `ar-modes` lists the ways.
   */
  ar: 'flag',
  /**
   * Ways to show the model in the visitor's surroundings, separated by spaces. The first one that the
   * device supports is used. `webxr`: in the browser, with animations. `scene-viewer`: the app of
   * Android, if `src` is the HTTP address of a GLB. `quick-look`: the app of iPhones and iPads, with
   * the current pose. Default: `webxr scene-viewer quick-look`.
   */
  'ar-modes': 'ar modes',
  /** URL of a USDZ file that Quick Look shows in place of the current pose. */
  'ios-src': 'url',
} as const satisfies Readonly<Record<string, Syntax>>;

export type Attributes = typeof ATTRIBUTES;
export type AttributeName = keyof Attributes;

export type Camel<S extends string> = S extends `${infer A}-${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S;

/** Properties that reflect an attribute. Text properties are null if the attribute is missing. */
export type Reflected = {
  [K in AttributeName as Attributes[K] extends 'files' | 'names' | 'start' ? never : Camel<K>]: Attributes[K] extends number
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
    if (kind !== 'files' && kind !== 'names' && kind !== 'start')
      Object.defineProperty(prototype, camel(name), {
        get(this: HTMLElement) {
          const text = this.getAttribute(name);
          if (kind === 'flag') return text !== null;
          if (typeof kind !== 'number') return text;
          const value = Number.parseFloat(text ?? '');
          return Number.isFinite(value) ? value : kind;
        },
        set(this: HTMLElement, value: unknown) {
          // Some frameworks set the property of a flag to '', which is the value of the attribute
          // in markup.
          if (kind === 'flag') this.toggleAttribute(name, value === '' || Boolean(value));
          else setText(this, name, value);
        },
        enumerable: true,
        configurable: true,
      });
}

/**
 * Applies properties that the page set before the element was defined. These are the properties of
 * all attributes, and those whose names are in `others`.
 */
export function upgrade(element: HTMLElement, others: readonly string[]): void {
  for (const name of [...Object.keys(ATTRIBUTES).map(camel), ...others]) {
    if (!Object.hasOwn(element, name)) continue;
    const value: unknown = Reflect.get(element, name);
    Reflect.deleteProperty(element, name);
    Reflect.set(element, name, value);
  }
}

/** Sets an attribute, or removes it if `value` is null or undefined. */
export function setText(element: HTMLElement, name: string, value: unknown): void {
  if (value === null || value === undefined) element.removeAttribute(name);
  else element.setAttribute(name, String(value));
}
