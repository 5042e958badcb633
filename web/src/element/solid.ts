// Entry `rigcast/element/solid`: defines <rigcast-viewer> and its types for JSX of Solid.
import type {} from 'solid-js';
import './index.ts';
import type { RigcastViewerElement } from './element.ts';
import type { RigcastViewerMarkup, RigcastViewerSolidProps } from './markup.ts';

type Own = RigcastViewerMarkup & RigcastViewerSolidProps;

declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements {
      'rigcast-viewer': Omit<HTMLAttributes<RigcastViewerElement>, keyof Own> & Own;
    }
  }
}
