// Entry `rigcast/element/svelte`: defines <rigcast-viewer> and its types for Svelte templates.
import type { HTMLAttributes as Common } from 'svelte/elements';
import './index.ts';
import type { RigcastViewerElement } from './element.ts';
import type { RigcastViewerListeners, RigcastViewerMarkup } from './markup.ts';

type Own = RigcastViewerMarkup & RigcastViewerListeners;

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'rigcast-viewer': Omit<Common<RigcastViewerElement>, keyof Own> & Own;
  }
}
