// three.js from its modules instead of the two files that npm ships: what only lazy chunks use of it goes with them.
import { join, sep } from 'node:path';
import { inRoot } from './lib.mjs';

/** The folder of its modules, as paths of modules begin with it. */
export const threeSource = inRoot('node_modules/three/src') + sep;

/** Where `three` leads. */
export const threeEntry = join(threeSource, 'Three.js');

/** Shaders without comments and blank lines, as three's own build has them, and without what indents a line: patches of shaders know the lines. */
const withoutComments = shader =>
  shader
    .trim()
    .replace(/\r/g, '')
    .replace(/[ \t]*\/\/.*\n/g, '')
    .replace(/[ \t]*\/\*[\s\S]*?\*\//g, '')
    .replace(/^[ \t]+/gm, '')
    .replace(/\n{2,}/g, '\n');

/** Our painter maps tones in one way (stage/painter.ts). */
function withOneToneMapping(shader) {
  const [from, to] = ['uniform float toneMappingExposure;', 'vec3 NeutralToneMapping('].map(anchor => shader.indexOf(anchor));
  if (from < 0 && to < 0) return shader;
  if (from < 0 || to < from) throw new Error('three’s tone mapping is not where it was.');
  return `${shader.slice(0, from)}uniform float toneMappingExposure;\n${shader.slice(to)}`;
}

/** A module of a shader, as `NAME.glsl.js` has it. */
export const shaderModule = code =>
  code.replace(/\/\* glsl \*\/`(.*?)`/gs, (_, shader) => JSON.stringify(withoutComments(withOneToneMapping(shader))));

/**
 * What is of no use where nothing but our painter has the renderer: it does not go into VR and draws into its canvas. By path; what the renderer asks all the same is
 * answered.
 */
export const outOfReach = {
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
  'math/FrustumArray.js': `
    export class FrustumArray {}`,
  'renderers/webgl/WebGLOutput.js': `
    export function WebGLOutput() { throw new Error('This page draws into its canvas.'); }`,
};
