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

const NO_CHUNK = "export default '';";
const NO_SHADER = "export const vertex = '', fragment = '';";

/** What no page of the site ever calls, in three: they do not go into VR, draw no such materials, and play motions with rigcast's own engine. What the renderer asks all the same is answered. */
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
  'renderers/webgl/WebGLUniformsGroups.js': `
    export function WebGLUniformsGroups() { return { bind() {}, update() {}, dispose() {} }; }`,
  'renderers/webgl/WebGLOutput.js': `
    export function WebGLOutput() { throw new Error('This page draws into its canvas.'); }`,
  'renderers/shaders/ShaderChunk/alphahash_pars_fragment.glsl.js': NO_CHUNK,
  'renderers/shaders/ShaderChunk/lightprobes_pars_fragment.glsl.js': NO_CHUNK,
  'renderers/shaders/ShaderLib/linedashed.glsl.js': NO_SHADER,
  'renderers/shaders/ShaderLib/meshmatcap.glsl.js': NO_SHADER,
  'renderers/shaders/ShaderLib/meshtoon.glsl.js': NO_SHADER,
  'renderers/shaders/ShaderLib/sprite.glsl.js': NO_SHADER,
  'renderers/shaders/ShaderLib/vsm.glsl.js': NO_SHADER,
  'animation/AnimationMixer.js': `
    export class AnimationMixer {
      constructor() { throw new Error('This page plays without AnimationMixer.'); }
    }`,
};

/** And in rigcast: the clips that an AnimationMixer would play. */
const tracks = fileURLToPath(new URL('web/src/three/tracks.ts', import.meta.url));
const NO_TRACKS = `
  const unused = () => { throw new Error('This page plays without AnimationMixer.'); };
  export { unused as boundTracks, unused as lazyClip, unused as looseTracks, unused as makeTracks };`;

export const threeByModules: Plugin = {
  name: 'three by modules',
  apply: 'build',
  enforce: 'pre',
  resolveId: id => (id === 'three' ? join(source, 'Three.js') : null),
  load: id => {
    if (id.startsWith(source)) return UNUSED[id.slice(source.length).replaceAll('\\', '/')] ?? null;
    return join(id) === tracks ? NO_TRACKS : null;
  },
  transform: (code, id) =>
    id.startsWith(source) && id.endsWith('.glsl.js')
      ? code.replace(/\/\* glsl \*\/`(.*?)`/gs, (_, shader: string) => JSON.stringify(withoutComments(shader)))
      : null,
};
