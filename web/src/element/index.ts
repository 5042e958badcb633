// rigcast/element: importing it defines <rigcast-viewer>. On a server nothing is defined and nothing fails.
import { RigcastViewerElement } from './element.ts';

export { RigcastViewerElement };
export type { RigcastViewerEvents, RigcastViewerReady } from './element.ts';
export type { CameraOrbit, MotionInfo, Picked, PictureOptions, Supply, Wish } from './types.ts';
export { configure, type Settings } from '../core/settings.ts';

if (typeof customElements !== 'undefined' && !customElements.get('rigcast-viewer'))
  customElements.define('rigcast-viewer', RigcastViewerElement);

declare global {
  interface HTMLElementTagNameMap {
    'rigcast-viewer': RigcastViewerElement;
  }
}
