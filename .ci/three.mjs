// three.js from its modules instead of the two files that npm ships: what only lazy chunks use of it goes with them, and what no page of the site and no element
// ever calls stays out.
import { readFileSync } from 'node:fs';
import { inRoot } from './lib.mjs';

/** Bundlers write paths with slashes, also where the system does not. */
const slashed = path => path.replaceAll('\\', '/');

/** The folder of its modules, as paths of modules begin with it. */
const source = `${slashed(inRoot('node_modules/three/src'))}/`;

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
const shaderModule = code =>
  code.replace(/\/\* glsl \*\/`(.*?)`/gs, (_, shader) => JSON.stringify(withoutComments(withOneToneMapping(shader))));

/** What has three's own format of files, which nothing here reads or writes. */
const KEPT_AS_JSON = /\/(cameras|core|geometries|lights|materials|objects|scenes|textures)\/\w+\.js$/;

/** Methods for it answer nothing. They stay, as `clone` asks for what is in `userData` that way. */
async function withoutJson(code) {
  const { parseAst } = await import('rolldown/parseAst');
  const isJson = ({ type, key, value }) =>
    type === 'MethodDefinition' && key.type === 'Identifier' && /^(to|from)JSON$/.test(key.name) && value.body;
  const bodies = parseAst(code)
    .body.map(node => node.declaration ?? node)
    .flatMap(node => (node.type === 'ClassDeclaration' ? node.body.body : []))
    .filter(isJson)
    .map(({ value }) => value.body);
  return bodies.reduceRight((text, { start, end }) => `${text.slice(0, start)}{ return {}; }${text.slice(end)}`, code);
}

const NO_CHUNK = "export default '';";
const NO_SHADER = "export const vertex = '', fragment = '';";

/** What answers where somebody asks for what is left out. */
const NO_MIXER = 'This build of rigcast has no AnimationMixer: rig.animate() plays, and so does the element; mixers take rigcast/three.';

/**
 * What is of no use where our painter alone has the renderer: it draws into its canvas and never goes into VR, cuts nothing off at planes, has no such materials, and
 * motions are played by rigcast's own engine. By path; what the renderer asks all the same is answered.
 */
const UNUSED = {
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
  'renderers/webgl/WebGLUniformsGroups.js': `
    export function WebGLUniformsGroups() { return { bind() {}, update() {}, dispose() {} }; }`,
  'renderers/webgl/WebGLClipping.js': `
    export function WebGLClipping() {
      this.uniform = { value: null, needsUpdate: false };
      this.numPlanes = this.numIntersection = 0;
      this.init = () => false;
    }`,
  'animation/AnimationMixer.js': `
    export class AnimationMixer {
      constructor() { throw new Error(${JSON.stringify(NO_MIXER)}); }
    }`,
};

/** And in rigcast: the tracks that an AnimationMixer would play. Clips have their names and lengths. */
const NO_TRACKS = `
  const unused = () => { throw new Error(${JSON.stringify(NO_MIXER)}); };
  export const lazyClip = (name, duration) => ({ name, duration, get tracks() { return unused(); } });
  export { unused as boundTracks, unused as looseTracks, unused as makeTracks };`;

/** Pieces of shaders for what no material here has: their switches are never on. */
const NEVER_ON =
  /\/ShaderChunk\/(alphahash|batching|clipping_planes|dithering|fog|gradientmap|lightmap|lightprobes|lights_toon|logdepthbuf)_/;

/** Pieces that only materials of other formats (glTF, FBX, OBJ) switch on, and shaders that only those have: they come with what opens those. */
const OF_OTHERS = [
  'bumpmap_pars_fragment',
  'displacementmap_pars_vertex',
  'displacementmap_vertex',
  'iridescence_fragment',
  'iridescence_pars_fragment',
  'lights_phong_fragment',
  'lights_phong_pars_fragment',
  'transmission_fragment',
  'transmission_pars_fragment',
];
const SHADERS_OF_OTHERS = { phong: 'meshphong', points: 'points' };

/** What draws shadows of a file's own lights: it comes with a file that has such. */
const SHADOW_MAP = 'renderers/webgl/WebGLShadowMap.js';
const OF_SHADOWS = ['shadowmap_pars_fragment', 'shadowmap_pars_vertex', 'shadowmap_vertex'];
const NO_SHADOWS = `
  import { PCFShadowMap } from '../../constants.js';
  let Fetched = null;
  export const take = made => void (Fetched = made);
  export function WebGLShadowMap(...of) {
    Object.assign(this, { enabled: false, autoUpdate: true, needsUpdate: false, type: PCFShadowMap });
    this.render = (lights, ...rest) => {
      if (!Fetched || lights.length === 0) return;
      const settings = { ...this };
      Fetched.apply(this, of);
      const { render } = this;
      Object.assign(this, settings, { render });
      this.render(lights, ...rest);
    };
  }`;

/** Shaders that no material here has. */
const SHADERS_OF_NOBODY = ['linedashed', 'meshmatcap', 'meshtoon', 'sprite', 'vsm'];

const chunkAt = name => `renderers/shaders/ShaderChunk/${name}.glsl.js`;
const shaderAt = name => `renderers/shaders/ShaderLib/${name}.glsl.js`;

/** By path: what stands there until somebody fetches the piece itself, if ever. */
const LEFT_OUT = {
  ...UNUSED,
  [SHADOW_MAP]: NO_SHADOWS,
  ...Object.fromEntries([...SHADERS_OF_NOBODY, ...Object.values(SHADERS_OF_OTHERS)].map(name => [shaderAt(name), NO_SHADER])),
  ...Object.fromEntries([...OF_OTHERS, ...OF_SHADOWS].map(name => [chunkAt(name), NO_CHUNK])),
};

const pieceAt = path => JSON.stringify(`${source}${path}?piece`);

/** Pieces put in their places. */
const withChunks = names => [
  "import { ShaderChunk } from 'three';",
  ...names.map(name => `import ${name} from ${pieceAt(chunkAt(name))};`),
  `Object.assign(ShaderChunk, { ${names.join(', ')} });`,
];

const withPieces = (code, shadows) =>
  [
    ...withChunks(OF_OTHERS),
    "import { ShaderLib } from 'three';",
    ...Object.entries(SHADERS_OF_OTHERS).flatMap(([kind, name]) => [
      `import * as ${kind}Shader from ${pieceAt(shaderAt(name))};`,
      `Object.assign(ShaderLib.${kind}, { vertexShader: ${kind}Shader.vertex, fragmentShader: ${kind}Shader.fragment });`,
    ]),
    `import ${JSON.stringify(shadows)};`,
    code,
  ].join('\n');

const withShadows = () =>
  [
    ...withChunks(OF_SHADOWS),
    `import { WebGLShadowMap } from ${pieceAt(SHADOW_MAP)};`,
    `import { take } from ${JSON.stringify(source + SHADOW_MAP)};`,
    'take(WebGLShadowMap);',
  ].join('\n');

/**
 * For Vite and rolldown. Of rigcast, by path: `foreign` is the module that opens other formats, and gets the pieces of shaders that they need; `shadows` the one that
 * comes with lights that cast some; `tracks` the one that makes what a mixer plays.
 */
export const threeByModules = ({ foreign, shadows, tracks }) => ({
  name: 'three by modules',
  resolveId: id => (id === 'three' ? `${source}Three.js` : null),
  load: at => {
    const id = slashed(at);
    if (id === slashed(tracks)) return NO_TRACKS;
    if (!id.startsWith(source)) return null;
    if (id.endsWith('?piece')) return readFileSync(id.slice(0, -'?piece'.length), 'utf8');
    const path = id.slice(source.length);
    return NEVER_ON.test(path) ? NO_CHUNK : (LEFT_OUT[path] ?? null);
  },
  transform: (code, at) => {
    const id = slashed(at);
    if (id === slashed(foreign)) return withPieces(code, shadows);
    if (id === slashed(shadows)) return { code: withShadows(), moduleSideEffects: true };
    if (!id.startsWith(source)) return null;
    if (/\.glsl\.js(\?piece)?$/.test(id)) return shaderModule(code);
    return KEPT_AS_JSON.test(id) ? withoutJson(code) : null;
  },
});
