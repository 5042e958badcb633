// Determines whether the page draws with WebGPU: from the URL, or from the visitor's earlier choice.
import { SharedRenderer } from '../view/index.ts';

const KEY = 'rigcast.renderer';

export function isWebGPUWanted(): boolean {
  return (new URLSearchParams(location.search).get('renderer') ?? kept()) === 'webgpu';
}

/** Stores the visitor's choice and removes the renderer from the URL. */
export function keepRenderer(isWebGPU: boolean): void {
  try {
    localStorage.setItem(KEY, isWebGPU ? 'webgpu' : 'webgl');
  } catch {
    // If storage is forbidden, the choice lasts until the page is closed.
  }
  const address = new URL(location.href);
  if (!address.searchParams.has('renderer')) return;
  address.searchParams.delete('renderer');
  history.replaceState(history.state, '', address);
}

/** Creates the renderer of a page. Rejects if WebGPU is not available. */
export async function createRenderer(isWebGPU: boolean): Promise<SharedRenderer> {
  if (!isWebGPU) return new SharedRenderer();
  const { createWebGPU } = await import('../view/webgpu/graphics.ts');
  return SharedRenderer.with(createWebGPU);
}

function kept(): string {
  try {
    return localStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}
