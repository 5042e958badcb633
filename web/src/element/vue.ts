// Entry `rigcast/element/vue`: defines <rigcast-viewer> and its types for Vue templates. Configure
// Vue to treat the tag as a custom element: `compilerOptions.isCustomElement: tag => tag ===
// 'rigcast-viewer'`.
import type { HTMLAttributes } from 'vue';
import './index.ts';
import type { RigcastViewerMarkup, RigcastViewerVueListeners } from './markup.ts';

type Own = RigcastViewerMarkup & RigcastViewerVueListeners;

declare module 'vue' {
  interface GlobalComponents {
    'rigcast-viewer': new () => { $props: Omit<HTMLAttributes, keyof Own> & Own };
  }
}
