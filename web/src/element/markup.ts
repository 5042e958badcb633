// <rigcast-viewer> as frameworks write it: its attributes with the values that they take, and what listens to its events. Types only.
import type { AttributeName, Attributes } from './attributes.ts';
import type { RigcastViewerEvents, Supply } from './types.ts';

type ValueOf<S> = S extends readonly (infer V)[]
  ? V
  : S extends 'flag'
    ? boolean | ''
    : S extends 'start' | number
      ? number | `${number}`
      : string;

/** Attributes, and the two properties that take no text. */
export type RigcastViewerMarkup = { [K in Exclude<AttributeName, 'files'>]?: ValueOf<Attributes[K]> | undefined } & {
  files?: Iterable<File> | ReadonlyMap<string, Blob> | string | null | undefined;
  supply?: Supply | null | undefined;
};

type Listener<K extends keyof RigcastViewerEvents> = (event: CustomEvent<RigcastViewerEvents[K]>) => void;

/** `onmotionchange`, as React 19 and Svelte 5 write it. */
export type RigcastViewerListeners = { [K in keyof RigcastViewerEvents as `on${K}`]?: Listener<K> | undefined };

/** `onMotionchange`, as Vue's `@motionchange` is called in types. */
export type RigcastViewerVueListeners = { [K in keyof RigcastViewerEvents as `on${Capitalize<K>}`]?: Listener<K> | undefined };
