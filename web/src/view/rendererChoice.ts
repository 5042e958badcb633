// Chooses the shared renderer of an element. The code for WebGPU is loaded only for elements that ask
// for it.
import { RigcastError } from '../core/error.ts';
import type { CreateGraphics } from './sharedRenderer.ts';
import { SharedRenderer } from './sharedRenderer.ts';

/** Loads the code for WebGPU; null if the page has not enabled it. */
let loadWebGPU: (() => Promise<CreateGraphics>) | null = null;

/** Enables WebGPU. `load` is called when an element first asks for it. */
export function enableWebGPU(load: () => Promise<CreateGraphics>): void {
  loadWebGPU = load;
}

export interface RendererChoice {
  sharedRenderer: SharedRenderer;
  /** Why WebGL is used although WebGPU was requested; null if there is no such reason. */
  reason: unknown;
}

/** Returns the renderer with WebGPU if it is requested and available, otherwise that with WebGL. */
export async function chooseRenderer(isWebGPU: boolean): Promise<RendererChoice> {
  let reason: unknown = null;
  if (isWebGPU) {
    try {
      if (!loadWebGPU) throw new RigcastError('WEBGPU_UNAVAILABLE', 'The page must import rigcast/element/webgpu.');
      return { sharedRenderer: await SharedRenderer.sharedWebGPU(await loadWebGPU()), reason };
    } catch (error) {
      reason = error;
    }
  }
  return { sharedRenderer: SharedRenderer.shared(), reason };
}
