// three.js for the built site, from its modules instead of the two files that npm ships: what only lazy chunks use of it goes with them, and what no
// page of the site ever calls stays out.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const source = fileURLToPath(new URL('.', import.meta.resolve('three/src/Three.js')));

/** Shaders without comments and blank lines, as three's own build has them; patches of shaders know these texts. */
const withoutComments = (shader: string): string =>
  shader
    .trim()
    .replace(/\r/g, '')
    .replace(/[ \t]*\/\/.*\n/g, '')
    .replace(/[ \t]*\/\*[\s\S]*?\*\//g, '')
    .replace(/\n{2,}/g, '\n');

/** No page goes into VR, and all of them play motions with rigcast's own engine. What the renderer asks of the first is answered; the second says so. */
const UNUSED: Readonly<Record<string, string>> = {
  'renderers/webxr/WebXRManager.js': `
    import { EventDispatcher } from '../../core/EventDispatcher.js';
    export class WebXRManager extends EventDispatcher {
      enabled = false;
      isPresenting = false;
      cameraAutoUpdate = false;
      dispose() {}
      setAnimationLoop() {}
      getEnvironmentBlendMode() {}
      hasDepthSensing() { return false; }
    }`,
  'animation/AnimationMixer.js': `
    export class AnimationMixer {
      constructor() { throw new Error('This page plays without AnimationMixer.'); }
    }`,
};

export const threeByModules: Plugin = {
  name: 'three by modules',
  apply: 'build',
  enforce: 'pre',
  resolveId: id => (id === 'three' ? join(source, 'Three.js') : null),
  load: id => (id.startsWith(source) ? (UNUSED[id.slice(source.length).replaceAll('\\', '/')] ?? null) : null),
  transform: (code, id) =>
    id.startsWith(source) && id.endsWith('.glsl.js')
      ? code.replace(/\/\* glsl \*\/`(.*?)`/gs, (_, shader: string) => JSON.stringify(withoutComments(shader)))
      : null,
};
