// Entry `rigcast/element/react`: defines <rigcast-viewer> and its JSX types. React 19 sets
// properties and adds event listeners. React 18 only sets attributes; set a flag to ''.
import type { DetailedHTMLProps as Props, HTMLAttributes as Common } from 'react';
import './index.ts';
import type { RigcastViewerElement } from './element.ts';
import type { RigcastViewerListeners, RigcastViewerMarkup } from './markup.ts';

type Own = RigcastViewerMarkup & RigcastViewerListeners;

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'rigcast-viewer': Omit<Props<Common<RigcastViewerElement>, RigcastViewerElement>, keyof Own> & Own;
    }
  }
}
