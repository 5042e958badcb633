// Entry `rigcast/element`. Importing it defines <rigcast-viewer>; on a server, the import has no
// effect.
import { RigcastViewerElement } from './element.ts';

export { RigcastViewerElement };
export type { RigcastViewerEvents, RigcastViewerReady } from './element.ts';
export type {
  CameraOrbit,
  AnimationInfo,
  ExportedModel,
  PickResult,
  PictureOptions,
  VideoOptions,
  FileResolver,
  FileRequest,
} from './types.ts';
export type { Labels } from './words/en.ts';
export { configure, type Settings } from '../core/settings.ts';

if (typeof customElements !== 'undefined' && !customElements.get('rigcast-viewer'))
  customElements.define('rigcast-viewer', RigcastViewerElement);

declare global {
  interface HTMLElementTagNameMap {
    'rigcast-viewer': RigcastViewerElement;
  }
}
