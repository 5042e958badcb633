// Entry `rigcast/element/webgpu`. A page imports it in addition to `rigcast/element`, and elements with
// `renderer="webgpu"` then draw with WebGPU. The code is loaded with the first such element. This is a
// separate entry, because bundlers can't resolve `three/webgpu` in releases of three.js before r167.
import { enableWebGPU } from '../view/rendererChoice.ts';

enableWebGPU(async () => (await import('../view/webgpu/graphics.ts')).createWebGPU);
