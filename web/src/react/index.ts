'use client';
// Entry `rigcast/react`: <RigcastViewer>, the element as a component of React 18 and 19. Importing
// the entry defines the element; on a server, the component renders the markup of the element.
import {
  createElement,
  forwardRef,
  type ForwardRefExoticComponent,
  type HTMLAttributes,
  type RefAttributes,
  useEffect,
  useImperativeHandle,
  useRef,
} from 'react';
import { ATTRIBUTES, camel } from '../element/attributes.ts';
import type { RigcastViewerElement } from '../element/element.ts';
import '../element/index.ts';
import type { RigcastViewerOwnProps } from '../element/markup.ts';
import { EVENT_NAMES, type RigcastViewerEvents } from '../element/types.ts';

export type { RigcastViewerElement } from '../element/element.ts';

/**
 * Props of `<RigcastViewer>`: the attributes of the element in camel case, its listeners such as
 * `onAnimationEvent`, and the props that React defines for every HTML element.
 */
export type RigcastViewerProps = RigcastViewerOwnProps & Omit<HTMLAttributes<RigcastViewerElement>, keyof RigcastViewerOwnProps>;

/** Attributes of the element by prop. */
const ATTRIBUTE_OF = new Map(Object.keys(ATTRIBUTES).map(name => [camel(name), name]));

/** Props with listeners by event type. */
const LISTENER_OF = new Map(EVENT_NAMES.map(name => [name.toLowerCase(), `on${name[0]!.toUpperCase()}${name.slice(1)}`]));

/** Props that are set as properties, or used by listeners of the component, and not rendered. */
const NOT_RENDERED = new Set(['fileResolver', 'labels', ...LISTENER_OF.values()]);

/**
 * `<rigcast-viewer>` as a component. `ref` is the element. Listeners also work on pages that a server
 * has rendered: if the model was loaded before React hydrated the page, `onLoad` is called then.
 */
export const RigcastViewer: ForwardRefExoticComponent<RigcastViewerProps & RefAttributes<RigcastViewerElement>> = /*@__PURE__*/ forwardRef<
  RigcastViewerElement,
  RigcastViewerProps
>(function RigcastViewer(props, ref) {
  const own = useRef<RigcastViewerElement>(null);
  const latest = useRef(props);
  const hasLoaded = useRef(false);
  useImperativeHandle(ref, () => own.current!, []);
  useEffect(() => void (latest.current = props));

  useEffect(() => {
    const element = own.current!;
    const stop = new AbortController();
    const hear = (event: Event): void => {
      if (event.type === 'load' || event.type === 'error') hasLoaded.current = true;
      const listener = latest.current[LISTENER_OF.get(event.type) as keyof RigcastViewerProps] as ((event: Event) => void) | undefined;
      listener?.(event);
    };
    for (const type of LISTENER_OF.keys()) element.addEventListener(type, hear, { signal: stop.signal });
    const replay = <K extends keyof RigcastViewerEvents>(type: K, detail: RigcastViewerEvents[K]): void => {
      const at = { value: element };
      const event = Object.defineProperties(new CustomEvent(type, { detail }), { target: at, currentTarget: at });
      if (!hasLoaded.current && !stop.signal.aborted) hear(event);
    };
    // Events that were fired before the page was hydrated are lost. The promise `ready` is then
    // already settled, so it wins the race.
    void Promise.race([element.ready, Promise.resolve(null)]).then(
      ready => ready && replay('load', ready),
      (error: Error & { report?: RigcastViewerEvents['error']['report'] }) =>
        replay('error', { message: error.message, error, report: error.report ?? null }),
    );
    return () => stop.abort();
  }, []);

  const { files, fileResolver } = props;
  const known = useRef<typeof files>(null);
  useEffect(() => {
    if (isSameFiles(files, known.current)) return;
    known.current = files;
    own.current!.files = files;
  }, [files]);

  // The element reloads its model if the property changes, so it gets a function that never does.
  const hasResolver = Boolean(fileResolver);
  useEffect(() => {
    const element = own.current!;
    if (hasResolver) element.fileResolver = request => latest.current.fileResolver?.(request);
    else if (element.fileResolver) element.fileResolver = null;
  }, [hasResolver]);

  const { labels } = props;
  useEffect(() => {
    if (labels || Object.keys(own.current!.labels).length > 0) own.current!.labels = labels;
  }, [labels]);

  return createElement('rigcast-viewer', { ...rendered(props), ref: own, suppressHydrationWarning: true });
});

/**
 * Returns the props that React renders, as attributes of the element. React 18 sets all of them as
 * attributes, React 19 those that aren't properties of the element, and the element treats both
 * alike.
 */
function rendered(props: RigcastViewerProps): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const [prop, value] of Object.entries(props)) {
    const attribute = ATTRIBUTE_OF.get(prop);
    if (prop === 'className')
      made['class'] = value; // React 18 renders `className` of a custom element unchanged
    else if (attribute === undefined) {
      if (!NOT_RENDERED.has(prop)) made[prop] = value;
    } else if (typeof value === 'boolean') {
      if (value) made[attribute] = '';
    } else if (typeof value === 'string' || typeof value === 'number') made[attribute] = String(value);
    else if (Array.isArray(value) && prop !== 'files') made[attribute] = JSON.stringify(value); // a list of animations
  }
  return made;
}

/**
 * Returns true if two values of `files` contain the same files, so that a list that is written in
 * JSX, which is a new list at each render, doesn't reload the model.
 */
function isSameFiles(a: RigcastViewerProps['files'], b: RigcastViewerProps['files']): boolean {
  if (!a || !b || typeof a === 'string' || typeof b === 'string') return (a ?? null) === (b ?? null);
  const listed = (files: Exclude<typeof a, string>): unknown[] => ('get' in files ? [...files].flat() : [...files]);
  const [before, after] = [listed(b), listed(a)];
  return before.length === after.length && before.every((each, i) => each === after[i]);
}
