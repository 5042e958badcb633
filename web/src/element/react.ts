// rigcast/element/react: defines <rigcast-viewer>, and tells JSX of React what it takes. React 19 sets properties and hears events by their names; React 18 sets
// attributes alone, where a flag is '' or not there.
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
