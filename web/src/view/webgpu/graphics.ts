// Draws views with WebGPU (graphics.ts). This module and the node materials of rigcast are imported
// when a page first asks for WebGPU.
import '../../three/webgpu/index.ts';
import {
  type Camera,
  Color,
  CubeCamera,
  HalfFloatType,
  LinearMipmapLinearFilter,
  LinearSRGBColorSpace,
  type Material,
  NoToneMapping,
  type Object3D,
  REVISION,
  type Scene,
  SRGBColorSpace,
  type ToneMapping,
} from 'three';
import { context, toneMapping, toneMappingExposure, vec4, workingToColorSpace } from 'three/tsl';
import { CubeRenderTarget, NeutralToneMapping, type Node, type NodeBuilder, PMREMGenerator, WebGPURenderer } from 'three/webgpu';
import { RigcastError } from '../../core/error.ts';
import type { BlockExtension } from '../../three/materials/imageKinds.ts';
import type { Sky } from '../environment.ts';
import type { CommonRenderer, CompiledPass, FloorShader, Graphics, SkyMap } from '../graphics.ts';
import { floorUniforms } from '../ground.ts';
import { roomMapOf, skyMapOf } from '../skyMaps.ts';
import { nodeFloor } from './floor.ts';
import { nodeShadow } from './shadow.ts';
import { hasGlsl, pixelsOf } from './skyPixels.ts';

/** Features of WebGPU that correspond to extensions of WebGL. */
const FEATURES: Record<BlockExtension, GPUFeatureName> = {
  WEBGL_compressed_texture_s3tc: 'texture-compression-bc',
  EXT_texture_compression_rgtc: 'texture-compression-bc',
  EXT_texture_compression_bptc: 'texture-compression-bc',
};

type Vec4 = Node<'vec4'>;
type Output = ReturnType<typeof context>;

const unavailable = (cause?: unknown): RigcastError =>
  new RigcastError('WEBGPU_UNAVAILABLE', 'WebGPU is not available in this browser, or it is turned off.', { cause });

/** Creates graphics that draw to `canvas`. `onLost` is called if the device is lost. Rejects with WEBGPU_UNAVAILABLE. */
export async function createWebGPU(canvas: HTMLCanvasElement, onLost: () => void): Promise<Graphics> {
  if (Number.parseInt(REVISION) < 183) throw new RigcastError('WEBGPU_UNAVAILABLE', 'WebGPU requires three.js r183 or newer.');
  const adapter = await navigator.gpu?.requestAdapter({ powerPreference: 'high-performance' }).catch(() => null);
  if (!adapter) throw unavailable();
  const requiredFeatures = [...adapter.features] as GPUFeatureName[];
  const device = await adapter.requestDevice({ requiredFeatures }).catch((cause: unknown) => {
    throw unavailable(cause);
  });
  const renderer = new WebGPURenderer({ canvas, device, antialias: true, alpha: true });
  await renderer.init();
  return new WebGPUGraphics(renderer, device, isFallback(adapter), onLost);
}

/** Returns true if the processor draws. Chromium has moved the property. */
function isFallback(adapter: GPUAdapter): boolean {
  const { info, isFallbackAdapter } = adapter as GPUAdapter & { info?: { isFallbackAdapter?: boolean }; isFallbackAdapter?: boolean };
  return info?.isFallbackAdapter ?? isFallbackAdapter ?? false;
}

class WebGPUGraphics implements Graphics {
  readonly renderer: CommonRenderer;
  readonly drawsAtTop = true;
  readonly shadow = nodeShadow;
  readonly isSoftware: boolean;
  readonly #renderer: WebGPURenderer;
  readonly #device: GPUDevice;
  /** Conversion of colours to the canvas, by tone mapping. */
  readonly #outputs = new Map<ToneMapping, Output>();
  #compiling: Promise<void> = Promise.resolve();
  readonly #floor = nodeFloor();
  #isLost = false;
  #isDisposed = false;

  constructor(renderer: WebGPURenderer, device: GPUDevice, isSoftware: boolean, onLost: () => void) {
    this.#renderer = renderer;
    this.renderer = renderer as unknown as CommonRenderer;
    this.#device = device;
    this.isSoftware = isSoftware;
    renderer.setClearColor(new Color(0x000000), 0);
    renderer.shadowMap.enabled = true; // for lights of the content that cast shadows
    // The materials convert colours, as with WebGLRenderer. Otherwise, three.js would blend
    // transparent objects before tone mapping, and would ignore `toneMapped` of materials.
    renderer.toneMapping = NoToneMapping;
    renderer.outputColorSpace = LinearSRGBColorSpace;
    this.setToneMapping(null, 1);
    renderer.onDeviceLost = () => {}; // three.js would log an error, also for a device that recovers
    void device.lost.then(() => {
      this.#isLost = true;
      if (!this.#isDisposed) onLost();
    });
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  get maxTextureSize(): number {
    return this.#device.limits.maxTextureDimension2D;
  }

  floor(): FloorShader {
    return { material: this.#floor, uniforms: floorUniforms(), dispose() {} };
  }

  supportsTexture(extension: BlockExtension): boolean {
    return this.#device.features.has(FEATURES[extension]);
  }

  setToneMapping(mapping: ToneMapping | null, exposure: number): void {
    const wanted = mapping ?? NeutralToneMapping;
    let output = this.#outputs.get(wanted);
    if (!output) this.#outputs.set(wanted, (output = outputOf(wanted)));
    this.#renderer.contextNode = output;
    this.#renderer.toneMappingExposure = exposure;
  }

  compile(content: Object3D, camera: Camera, scene: Scene, pass?: CompiledPass): Promise<void> {
    return this.#compiled(content, camera, scene, pass).catch(() => {}); // drawing reports the error
  }

  compileAsync(content: Object3D, camera: Camera, scene: Scene): Promise<void> {
    return this.#compiled(content, camera, scene);
  }

  /** Compiles one content after the other, because three.js can't compile several at once. */
  #compiled(content: Object3D, camera: Camera, scene: Scene, pass?: CompiledPass): Promise<void> {
    const compiled = this.#compiling.then(() => {
      const restores = [withoutCulling(content), shown(content)];
      if (pass) {
        restores.push(pass.replaceMaterials());
        // After it has compiled, three.js restores the render target, but not the output render target.
        this.#renderer.setOutputRenderTarget(pass.target);
        restores.push(() => this.#renderer.setOutputRenderTarget(null));
      }
      try {
        return this.#renderer.compileAsync(content, camera, scene); // reads the content before it returns
      } finally {
        for (const restore of restores) restore();
      }
    });
    this.#compiling = compiled.catch(() => {});
    return compiled;
  }

  async finished(): Promise<void> {
    await this.#device.queue.onSubmittedWorkDone().catch(() => {}); // the device is lost
  }

  roomMap(): SkyMap {
    return roomMapOf(new PMREMGenerator(this.#renderer));
  }

  skyMap(sky: Sky): SkyMap {
    return skyMapOf(new PMREMGenerator(this.#renderer), sky, each => this.#cubeOf(each));
  }

  #cubeOf(sky: Sky): NonNullable<SkyMap['cube']> {
    if (hasGlsl(sky.scene)) return pixelsOf(sky);
    const cube = new CubeRenderTarget(sky.size, { type: HalfFloatType, generateMipmaps: true, minFilter: LinearMipmapLinearFilter });
    new CubeCamera(0.1, 10, cube as never).update(this.#renderer as never, sky.scene);
    return cube;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#floor.dispose();
    this.#renderer.dispose();
    this.#device.destroy();
  }
}

/**
 * three.js compiles only what the camera sees, and the camera is moved to new content later. Returns
 * a function that turns culling on again.
 */
function withoutCulling(content: Object3D): () => void {
  const culled: Object3D[] = [];
  content.traverse(object => {
    if (object.frustumCulled) culled.push(object);
    object.frustumCulled = false;
  });
  return () => culled.forEach(object => (object.frustumCulled = true));
}

/** Shows content, because three.js compiles only what is visible. Returns a function that undoes this. */
function shown(content: Object3D): () => void {
  const { visible } = content;
  content.visible = true;
  return () => void (content.visible = visible);
}

/** Returns a context in which materials convert colours for the canvas. */
function outputOf(mapping: ToneMapping): Output {
  return context({
    getOutput(output: Vec4, { renderer, material }: NodeBuilder & { renderer: WebGPURenderer; material: Material }) {
      if (renderer.getRenderTarget() !== null) return output;
      // WebGLRenderer does not map the tones of normals. The builder has the original material.
      const isNormal = 'isMeshNormalMaterial' in material || 'isMeshNormalNodeMaterial' in material;
      const isMapped = mapping !== NoToneMapping && material.toneMapped && !isNormal;
      const mapped = isMapped ? (toneMapping(mapping, toneMappingExposure, output) as unknown as Vec4) : output;
      return vec4((workingToColorSpace(mapped, SRGBColorSpace) as Vec4).rgb, output.a);
    },
  });
}
