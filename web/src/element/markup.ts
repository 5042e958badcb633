// Types of <rigcast-viewer> for the templates of frameworks: attributes and their values, and event
// listeners.
import type { AttributeName, Attributes, Camel } from './attributes.ts';
import type { EVENT_NAMES, FileResolver, RigcastViewerEvents } from './types.ts';
import type { Labels } from './words/en.ts';

type ValueOf<S> = S extends readonly (infer V)[]
  ? V
  : S extends 'flag'
    ? boolean | ''
    : S extends 'start' | number
      ? number | `${number}`
      : S extends 'names'
        ? string | readonly string[]
        : string;

/** Types of the attributes, and of the properties that accept objects. */
export type RigcastViewerMarkup = { [K in Exclude<AttributeName, 'files'>]?: ValueOf<Attributes[K]> | undefined } & {
  files?: Iterable<File> | ReadonlyMap<string, Blob> | string | null | undefined;
  fileResolver?: FileResolver | null | undefined;
  labels?: Partial<Labels> | null | undefined;
};

type Listener<K extends keyof RigcastViewerEvents> = (event: CustomEvent<RigcastViewerEvents[K]>) => void;

/** Listeners for Svelte 5, such as `onanimationchange`. */
export type RigcastViewerListeners = { [K in keyof RigcastViewerEvents as `on${K}`]?: Listener<K> | undefined };

/** Listeners for Vue, such as `onAnimationchange` for `@animationchange`. */
export type RigcastViewerVueListeners = { [K in keyof RigcastViewerEvents as `on${Capitalize<K>}`]?: Listener<K> | undefined };

/** Listeners for Solid, such as `on:animationchange`, and properties, such as `prop:files`. */
export type RigcastViewerSolidProps = { [K in keyof RigcastViewerEvents as `on:${K}`]?: Listener<K> | undefined } & {
  [K in 'files' | 'fileResolver' | 'labels' as `prop:${K}`]?: RigcastViewerMarkup[K];
};

/**
 * Props of the React component: attributes and properties by the name of the property, such as
 * `cameraOrbit`, and listeners, such as `onAnimationChange`.
 */
export type RigcastViewerOwnProps = { [K in keyof RigcastViewerMarkup as Camel<K>]: RigcastViewerMarkup[K] } & {
  [K in (typeof EVENT_NAMES)[number] as `on${Capitalize<K>}`]?: Listener<Lowercase<K>> | undefined;
};
