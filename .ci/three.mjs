// three.js from its modules instead of the two files that npm ships: what only lazy chunks use of it goes with them, and what no page of the site and no element
// ever calls stays out.
import { readFileSync, readdirSync } from 'node:fs';
import { areaTables, hasAreaTables } from './areaLights.mjs';
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

/** Switches of shaders that are never on: nothing here has such materials, lights or settings. */
const NEVER_ON = [
  'DECODE_VIDEO_TEXTURE',
  'DECODE_VIDEO_TEXTURE_EMISSIVE',
  'DITHERING',
  'NUM_CLIPPING_PLANES > 0',
  'NUM_LIGHT_PROBE_GRIDS > 0',
  'NUM_SUN_LIGHTS > 0',
  'NUM_SUN_LIGHT_SHADOWS > 0',
  'USE_ALPHAHASH',
  'USE_BATCHING',
  'USE_BATCHING_COLOR',
  'USE_FOG',
  'USE_GRADIENTMAP',
  'USE_INSTANCING_MORPH',
  'USE_LIGHTMAP',
  'USE_LIGHT_PROBES',
  'USE_LIGHT_PROBES_GRID',
  'USE_LOGARITHMIC_DEPTH_BUFFER',
  'USE_MATCAP',
  'USE_RETROREFLECTION',
  'USE_REVERSED_DEPTH_BUFFER',
];

/** Those that only materials of other formats (glTF, FBX, OBJ) switch on: pieces that ask for them come whole with what opens those. */
const OF_OTHERS = [
  'USE_BUMPMAP',
  'USE_CLEARCOATMAP',
  'USE_CLEARCOAT_NORMALMAP',
  'USE_CLEARCOAT_ROUGHNESSMAP',
  'USE_DIFFUSE_ROUGHNESS',
  'USE_DIFFUSE_ROUGHNESSMAP',
  'USE_DISPERSION',
  'USE_DISPLACEMENTMAP',
  'USE_IRIDESCENCE',
  'USE_IRIDESCENCEMAP',
  'USE_IRIDESCENCE_THICKNESSMAP',
  'USE_SHEEN_COLORMAP',
  'USE_SHEEN_ROUGHNESSMAP',
  'USE_THICKNESSMAP',
  'USE_TRANSMISSION',
  'USE_TRANSMISSIONMAP',
];

/** What is left of a shader (without comments) where these switches are off. */
function withoutSwitches(shader, off) {
  const isOff = condition =>
    !condition.includes('||') && condition.split('&&').some(part => off.includes(part.trim().replace(/^defined\( ?(\w+) ?\)$/, '$1')));
  const around = []; // of each #if around a line: whether it stays itself, and the lines of the branch
  const stays = () => around.every(({ branch }) => branch);
  const lines = shader.split('\n').filter(line => {
    const [, word, condition] = /^#(ifdef|ifndef|if|elif|else|endif)\b(.*)$/.exec(line) ?? [];
    if (!word) return stays();
    if (word.startsWith('if')) {
      const isDecided = isOff(condition.trim());
      around.push({ itself: !isDecided, branch: !isDecided || word === 'ifndef' });
      return !isDecided && stays();
    }
    const last = around.at(-1);
    if (word === 'endif') around.pop();
    else if (!last.itself) {
      if (word === 'elif') throw new Error(`A switch that is off has an #elif: ${line}`);
      last.branch = !last.branch;
    }
    return last.itself && stays();
  });
  return lines.join('\n');
}

/** A module of a shader, as `NAME.glsl.js` has it. `off`: switches. */
const shaderModule = (code, off) =>
  code.replace(/\/\* glsl \*\/`(.*?)`/gs, (_, shader) => JSON.stringify(withoutSwitches(withoutComments(withOneToneMapping(shader)), off)));

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

/** Pieces of shaders that no material here has. */
const OF_NOBODY = /\/ShaderChunk\/(gradientmap|lights_toon)_/;

/** Pieces and shaders that only materials of other formats have. */
const PHONG = ['lights_phong_fragment', 'lights_phong_pars_fragment'];
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

/** What takes the place of tables in three's code, by path. */
const TABLES = {
  'math/Color.js': [
    /const _colorKeywords = \{.*?\};/s,
    `const _colorKeywords = new Proxy({}, {
      get(_, name) {
        if (!CSS.supports('color', name)) return undefined;
        const pen = new OffscreenCanvas(1, 1).getContext('2d');
        pen.fillStyle = name;
        return Number.parseInt(pen.fillStyle.slice(1), 16);
      },
    });`, // the browser knows the names of colours, too
  ],
  'math/MathUtils.js': [/const _lut = \[.*?\];/s, 'const _lut = Array.from({ length: 256 }, (_, i) => (256 + i).toString(16).slice(1));'],
};

function withoutTable(code, path) {
  const [pattern, text] = TABLES[path] ?? [];
  if (!pattern) return code;
  if (!pattern.test(code)) throw new Error(`The table in three’s ${path} is not where it was.`);
  return code.replace(pattern, () => text);
}

const chunkAt = name => `renderers/shaders/ShaderChunk/${name}.glsl.js`;
const shaderAt = name => `renderers/shaders/ShaderLib/${name}.glsl.js`;

/** By path: what stands there until somebody fetches the piece itself, if ever. */
const LEFT_OUT = {
  ...UNUSED,
  [SHADOW_MAP]: NO_SHADOWS,
  ...Object.fromEntries([...SHADERS_OF_NOBODY, ...Object.values(SHADERS_OF_OTHERS)].map(name => [shaderAt(name), NO_SHADER])),
  ...Object.fromEntries([...PHONG, ...OF_SHADOWS].map(name => [chunkAt(name), NO_CHUNK])),
};

const pieceAt = path => JSON.stringify(`${source}${path}?piece`);

/** What is put together to shaders, as long as nobody fetched it whole. */
const isPart = id => /\/ShaderChunk\/\w+\.glsl\.js$/.test(id);

/** Names of pieces that are not whole without other formats. */
const piecesOfOthers = () => [
  ...PHONG,
  ...readdirSync(`${source}renderers/shaders/ShaderChunk`)
    .map(name => name.replace('.glsl.js', ''))
    .filter(name => OF_OTHERS.some(word => new RegExp(`\\b${word}\\b`).test(readFileSync(source + chunkAt(name), 'utf8')))),
];

/** Pieces put in their places. */
const withChunks = names => [
  "import { ShaderChunk } from 'three';",
  ...names.map(name => `import ${name} from ${pieceAt(chunkAt(name))};`),
  `Object.assign(ShaderChunk, { ${names.join(', ')} });`,
];

const withPieces = (code, shadows) =>
  [
    ...withChunks(piecesOfOthers()),
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
    if (hasAreaTables(id)) return areaTables();
    if (!id.startsWith(source)) return null;
    if (id.endsWith('?piece')) return readFileSync(id.slice(0, -'?piece'.length), 'utf8');
    const path = id.slice(source.length);
    return OF_NOBODY.test(path) ? NO_CHUNK : (LEFT_OUT[path] ?? null);
  },
  transform: (code, at) => {
    const id = slashed(at);
    if (id === slashed(foreign)) return withPieces(code, shadows);
    if (id === slashed(shadows)) return { code: withShadows(), moduleSideEffects: true };
    if (!id.startsWith(source)) return null;
    if (/\.glsl\.js(\?piece)?$/.test(id)) return shaderModule(code, isPart(id) ? [...NEVER_ON, ...OF_OTHERS] : NEVER_ON);
    return KEPT_AS_JSON.test(id) ? withoutJson(code) : withoutTable(code, id.slice(source.length));
  },
});
