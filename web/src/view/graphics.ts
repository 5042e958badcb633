// The part of a shared renderer that depends on the graphics API. webglGraphics.ts has WebGL, and
// webgpu/graphics.ts has WebGPU, which is loaded only on request.
import type {
  Camera,
  Color,
  Material,
  Object3D,
  Scene,
  Texture,
  ToneMapping,
  Vector2,
  Vector3,
  WebGLRenderer,
  WebGLRenderTarget,
} from 'three';
import type { BlockExtension } from '../three/materials/imageKinds.ts';

/** A scene that is rendered into a cube map. `size`: width of a face in pixels. */
export interface Sky {
  readonly scene: Scene;
  readonly size: number;
  /** True if the sky only lights the content and is reflected, but is not drawn as background. */
  readonly isLightingOnly?: boolean;
  /** Sky that lights the content and is reflected in place of this one, which is only drawn. */
  readonly lighting?: Sky;
}

/** Full-screen blur of a texture. */
export interface BlurShader {
  readonly material: Material;
  /** Distance between adjacent texels along the blur, in texture coordinates. */
  readonly stride: { readonly value: Vector2 };
}

/** The shaders of contact shadows for a graphics API. */
export interface ShadowShaders {
  /**
   * Creates a material whose alpha is the proximity to the ground: 1 at the ground, 0 at the far
   * plane of the camera.
   */
  proximity(): Material;
  blur(source: Texture): BlurShader;
}

export interface FloorUniforms {
  lineColor: Color;
  lineOpacity: number;
  /** Size of a grid cell in metres. */
  cell: number;
  center: Vector3;
  /** Distance from the centre at which the grid ends, in metres. */
  radius: number;
  shadow: Texture | null;
  /** Width of the shadow in metres. */
  shadowSize: number;
  shadowOpacity: number;
  shadowCenter: Vector2;
}

/** The uniforms of a floor. */
export type FloorUniformSlots = { readonly [name in keyof FloorUniforms]: { value: FloorUniforms[name] } };

/** The material of a floor for a graphics API, with its uniforms. */
export interface FloorShader {
  /** Several floors can share a material. It then reads the uniforms from `userData` of the mesh. */
  readonly material: Material;
  readonly uniforms: FloorUniformSlots;
  dispose(): void;
}

/** The members of WebGLRenderer that WebGPURenderer has as well. */
export type CommonRenderer = Pick<
  WebGLRenderer,
  | 'autoClear'
  | 'clear'
  | 'dispose'
  | 'getClearAlpha'
  | 'getPixelRatio'
  | 'getRenderTarget'
  | 'render'
  | 'setClearAlpha'
  | 'setPixelRatio'
  | 'setRenderTarget'
  | 'setScissor'
  | 'setScissorTest'
  | 'setSize'
  | 'setViewport'
>;

export interface SkyMap {
  environment: { texture: Texture; dispose(): void };
  /** Cube map of the visible background; null if there is none. */
  cube: { texture: Texture; dispose(): void } | null;
}

/** A pass that draws content with other materials into a texture. */
export interface CompiledPass {
  target: WebGLRenderTarget;
  /** Replaces the materials of the content. Returns a function that restores them. */
  replaceMaterials(): () => void;
}

export interface Graphics {
  readonly renderer: CommonRenderer;
  /** True if the processor draws instead of a graphics card. */
  readonly isSoftware: boolean;
  readonly isLost: boolean;
  /** Maximum width and height of a picture in pixels. */
  readonly maxTextureSize: number;
  /** True if small pictures are drawn at the top left of the canvas, false for the bottom left. */
  readonly drawsAtTop: boolean;
  readonly shadow: ShadowShaders;
  /** Creates the shader of a floor; null for the one that floors have by default. */
  floor(): FloorShader | null;
  /** Returns true if the renderer can draw textures that require a WebGL extension. */
  supportsTexture(extension: BlockExtension): boolean;
  /** Sets tone mapping (null for the default) and exposure of the following frames. */
  setToneMapping(mapping: ToneMapping | null, exposure: number): void;
  /**
   * Starts to compile the shaders of `content`. `pass`: the pass that will draw it; by default, it is
   * drawn to the canvas. The result is a promise if `scene` must not change until the promise is
   * resolved.
   */
  compile(content: Object3D, camera: Camera, scene: Scene, pass?: CompiledPass): void | Promise<void>;
  /** Compiles shaders in the background. Resolves when `content` can be drawn without a delay. */
  compileAsync(content: Object3D, camera: Camera, scene: Scene): Promise<void>;
  /** Resolves when the graphics driver has executed all commands so far, or the context is lost. */
  finished(): Promise<void>;
  /** Draws the default room into an environment map. */
  roomMap(): SkyMap;
  skyMap(sky: Sky): SkyMap;
  /** Frees the context or the device. */
  dispose(): void;
}
