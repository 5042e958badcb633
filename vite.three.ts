// three.js for the built site, from its modules instead of the two files that npm ships: what only lazy chunks use of it goes with them, and what no
// page of the site ever calls stays out.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst, type Plugin } from 'vite';
import { outOfReach, shaderModule, threeEntry, threeSource as source } from './.ci/three.mjs';

/** What has three's own format of files: no page of the site reads or writes it. */
const KEPT_AS_JSON = /[\\/](cameras|core|geometries|lights|materials|objects|scenes|textures)[\\/]\w+\.js$/;

/** Methods for it answer nothing. They stay, as `clone` asks for what is in `userData` that way. */
function withoutJson(code: string): string {
  const classes = parseAst(code).body.map(node => ('declaration' in node && node.declaration ? node.declaration : node));
  const bodies = classes
    .flatMap(node => (node.type === 'ClassDeclaration' ? node.body.body : []))
    .flatMap(member =>
      member.type === 'MethodDefinition' && member.key.type === 'Identifier' && /^(to|from)JSON$/.test(member.key.name) && member.value.body
        ? [member.value.body]
        : [],
    );
  return bodies.reduceRight((text, { start, end }) => `${text.slice(0, start)}{ return {}; }${text.slice(end)}`, code);
}

const NO_CHUNK = "export default '';";
const NO_SHADER = "export const vertex = '', fragment = '';";

/** What no page of the site ever calls, in three: they cut nothing off at planes, draw no such materials, and play motions with rigcast's own engine. What the renderer asks all the same is answered. */
const UNUSED: Readonly<Record<string, string>> = {
  ...outOfReach,
  'renderers/webgl/WebGLUniformsGroups.js': `
    export function WebGLUniformsGroups() { return { bind() {}, update() {}, dispose() {} }; }`,
  'renderers/webgl/WebGLClipping.js': `
    export function WebGLClipping() {
      this.uniform = { value: null, needsUpdate: false };
      this.numPlanes = this.numIntersection = 0;
      this.init = () => false;
    }`,
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

/** Pieces of shaders for what no material of the site has: their switches are never on. */
const NEVER_ON = /^(alphahash|batching|clipping_planes|dithering|fog|gradientmap|lightmap|lightprobes|lights_toon|logdepthbuf)_/;

/** Pieces that only materials of other formats (glTF, FBX, OBJ) switch on: they come with what opens those. */
const OF_OTHERS = [
  'bumpmap_pars_fragment',
  'displacementmap_pars_vertex',
  'displacementmap_vertex',
  'iridescence_fragment',
  'iridescence_pars_fragment',
  'transmission_fragment',
  'transmission_pars_fragment',
];

const chunkAt = (name: string): string => `renderers/shaders/ShaderChunk/${name}.glsl.js`;

/** The name of a piece of a shader, by the path of its module in three. */
const chunkIn = (path: string): string | null => /^renderers\/shaders\/ShaderChunk\/(\w+)\.glsl\.js$/.exec(path)?.[1] ?? null;

/** What opens other formats, with the pieces of shaders that they need in their places. */
const foreign = fileURLToPath(new URL('web/src/player/foreign.ts', import.meta.url));
const withPieces = (code: string): string =>
  [
    "import { ShaderChunk } from 'three';",
    ...OF_OTHERS.map(name => `import ${name} from ${JSON.stringify(join(source, chunkAt(name)) + '?piece')};`),
    code,
    `Object.assign(ShaderChunk, { ${OF_OTHERS.join(', ')} });`,
  ].join('\n');

/** And in rigcast: the clips that an AnimationMixer would play. */
const tracks = fileURLToPath(new URL('web/src/three/tracks.ts', import.meta.url));
const NO_TRACKS = `
  const unused = () => { throw new Error('This page plays without AnimationMixer.'); };
  export { unused as boundTracks, unused as lazyClip, unused as looseTracks, unused as makeTracks };`;

export const threeByModules: Plugin = {
  name: 'three by modules',
  apply: 'build',
  enforce: 'pre',
  resolveId: id => (id === 'three' ? threeEntry : null),
  load: id => {
    if (id.startsWith(source) && id.endsWith('?piece')) return readFileSync(id.slice(0, -'?piece'.length), 'utf8');
    if (id.startsWith(source)) {
      const path = id.slice(source.length).replaceAll('\\', '/');
      const chunk = chunkIn(path);
      return chunk && (NEVER_ON.test(chunk) || OF_OTHERS.includes(chunk)) ? NO_CHUNK : (UNUSED[path] ?? null);
    }
    return join(id) === tracks ? NO_TRACKS : null;
  },
  transform: (code, id) => {
    if (id === foreign) return withPieces(code);
    if (!id.startsWith(source)) return null;
    if (/\.glsl\.js(\?piece)?$/.test(id)) return shaderModule(code);
    return KEPT_AS_JSON.test(id) ? withoutJson(code) : null;
  },
};
