// Draws views with WebGL (graphics.ts).
import {
  AgXToneMapping,
  type Camera,
  Color,
  CubeCamera,
  HalfFloatType,
  LinearMipmapLinearFilter,
  type Object3D,
  PMREMGenerator,
  REVISION,
  type Scene,
  SRGBColorSpace,
  type ToneMapping,
  WebGLCubeRenderTarget,
  WebGLRenderer,
} from 'three';
import { RigcastError } from '../core/error.ts';
import type { BlockExtension } from '../three/materials/imageKinds.ts';
import type { CompiledPass, Graphics, Sky, SkyMap } from './graphics.ts';
import { glslShadow } from './shadow.ts';
import { roomMapOf, skyMapOf } from './skyMaps.ts';
import { isSoftware } from './software.ts';

/**
 * Delay before new shaders are used, in milliseconds, for drivers without
 * `KHR_parallel_shader_compile`. The drivers compile the shaders during this time.
 */
const COMPILE_TIME = 20;

/**
 * Khronos neutral tone mapping, which three.js supports since r162; otherwise AgX. The value is a
 * number, because older releases do not export the constant.
 */
const toneMapping = Number.parseInt(REVISION) < 162 ? AgXToneMapping : (7 satisfies ToneMapping);

export class WebGLGraphics implements Graphics {
  readonly renderer: WebGLRenderer;
  readonly drawsAtTop = false;
  readonly shadow = glslShadow;
  #isSoftware: boolean | null = null;

  /** Throws WEBGL_UNAVAILABLE if the browser does not support WebGL 2. */
  constructor(canvas: HTMLCanvasElement) {
    const renderer = (this.renderer = createRenderer(canvas));
    renderer.outputColorSpace = SRGBColorSpace;
    renderer.setClearColor(new Color(0x000000), 0);
    renderer.shadowMap.enabled = true; // for lights of the content that cast shadows
    this.setToneMapping(null, 1);
  }

  get isSoftware(): boolean {
    return (this.#isSoftware ??= isSoftware(this.renderer.getContext()));
  }

  get isLost(): boolean {
    return this.renderer.getContext().isContextLost();
  }

  get maxTextureSize(): number {
    return this.renderer.capabilities.maxTextureSize;
  }

  floor(): null {
    return null;
  }

  supportsTexture(extension: BlockExtension): boolean {
    return this.renderer.extensions.has(extension);
  }

  setToneMapping(mapping: ToneMapping | null, exposure: number): void {
    this.renderer.toneMapping = mapping ?? toneMapping;
    this.renderer.toneMappingExposure = exposure;
  }

  compile(content: Object3D, camera: Camera, scene: Scene, pass?: CompiledPass): void {
    const { renderer } = this;
    const before = renderer.getRenderTarget();
    const restore = pass?.replaceMaterials();
    if (pass) renderer.setRenderTarget(pass.target);
    renderer.compile(content, camera, scene);
    renderer.setRenderTarget(before);
    restore?.();
  }

  async compileAsync(content: Object3D, camera: Camera, scene: Scene): Promise<void> {
    const { renderer } = this;
    if (renderer.extensions.has('KHR_parallel_shader_compile')) await renderer.compileAsync(content, camera, scene);
    else {
      renderer.compile(content, camera, scene);
      await new Promise(resolve => setTimeout(resolve, COMPILE_TIME));
    }
    // three.js frees shader objects when their program is first used. This call counts as use;
    // otherwise, content that is removed before it is drawn would leak the shaders.
    for (const program of renderer.info.programs ?? []) program.getUniforms();
  }

  async finished(): Promise<void> {
    const gl = this.renderer.getContext() as WebGL2RenderingContext;
    const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    // A fence is no longer valid after the context was lost, even if it has been restored.
    while (fence && gl.isSync(fence) && gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED)
      await new Promise(resolve => setTimeout(resolve, 10));
    gl.deleteSync(fence);
  }

  roomMap(): SkyMap {
    return roomMapOf(new PMREMGenerator(this.renderer));
  }

  skyMap(sky: Sky): SkyMap {
    return skyMapOf(new PMREMGenerator(this.renderer), sky, each => cubeOf(this.renderer, each));
  }

  dispose(): void {
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }
}

function createRenderer(canvas: HTMLCanvasElement): WebGLRenderer {
  try {
    return new WebGLRenderer({ canvas, antialias: true, alpha: true, powerPreference: 'high-performance' });
  } catch (cause) {
    throw new RigcastError('WEBGL_UNAVAILABLE', '3D is not available: this browser does not support WebGL 2, or it is turned off.', {
      cause,
    });
  }
}

/** Draws a sky into a cube map. */
export function cubeOf(renderer: WebGLRenderer, { scene, size }: Sky): WebGLCubeRenderTarget {
  const cube = new WebGLCubeRenderTarget(size, { type: HalfFloatType, generateMipmaps: true, minFilter: LinearMipmapLinearFilter });
  new CubeCamera(0.1, 10, cube).update(renderer, scene);
  return cube;
}
