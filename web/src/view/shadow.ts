// Soft contact shadow of the floor. The content is rendered from below into a texture whose alpha
// is the proximity to the ground. The texture is then blurred. This works without shadow-casting
// lights and for models of any size. All floors share the render targets.

import {
  DoubleSide,
  HalfFloatType,
  type Material,
  Mesh,
  MeshDepthMaterial,
  type Object3D,
  OrthographicCamera,
  PlaneGeometry,
  Scene,
  ShaderMaterial,
  type Texture,
  Vector2,
  WebGLRenderTarget,
} from 'three';
import { patchShader } from '../three/materials/shaderPatch.ts';
import { RigSkinnedMesh } from '../three/build/skinned.ts';
import { keyOf, type Skinning } from '../three/build/skinning.ts';
import type { BlurShader, CommonRenderer, Graphics, ShadowShaders } from './graphics.ts';

/** Radii of the successive blurs, as shares of the shadow. */
const BLURS = [1.3 / 256, 0.6 / 256];

const fullScreen = /* glsl */ `
varying vec2 at;
void main() { at = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }`;

// Gaussian blur of nine texels with five samples, because linear filtering reads two adjacent
// texels at once.
const blurFragment = /* glsl */ `
uniform sampler2D source; uniform vec2 stride; varying vec2 at;
void main() {
  float sum = 0.1633 * texture2D(source, at).a;
  sum += 0.27555 * (texture2D(source, at - 1.44439 * stride).a + texture2D(source, at + 1.44439 * stride).a);
  sum += 0.1428 * (texture2D(source, at - 3.35714 * stride).a + texture2D(source, at + 3.35714 * stride).a);
  gl_FragColor = vec4(0.0, 0.0, 0.0, sum);
}`;

/** Exponent by which the shadow becomes lighter with the height above the ground. */
export const SHADOW_FALLOFF = 2.2;

/** Renders contact shadows. */
export class ShadowPass {
  readonly #shaders: ShadowShaders;
  readonly #depth: Material;
  /** Depth materials for meshes with rigcast's own skinning, by kind of skinning. */
  readonly #skinned = new Map<string, Material>();
  readonly #sharp: WebGLRenderTarget;
  readonly #soft: WebGLRenderTarget;
  /** The two directions of a blur: each reads the target of the other one. */
  readonly #blurs: readonly { shader: BlurShader; axis: 'x' | 'y'; target: WebGLRenderTarget }[];
  #areBlursCompiled = false;
  readonly #quad: Mesh;
  readonly #quadScene = new Scene();

  /** `size`: width and height of the shadow in pixels. */
  constructor(shaders: ShadowShaders, size: number) {
    this.#sharp = createTarget(size);
    this.#soft = createTarget(size);
    this.#shaders = shaders;
    this.#depth = shaders.proximity();
    this.#blurs = [
      { shader: shaders.blur(this.#sharp.texture), axis: 'x', target: this.#soft },
      { shader: shaders.blur(this.#soft.texture), axis: 'y', target: this.#sharp },
    ];
    this.#quad = new Mesh(new PlaneGeometry(2, 2));
    this.#quad.frustumCulled = false;
    this.#quadScene.add(this.#quad);
  }

  /** Texture with the shadow that was rendered last. The alpha channel contains the darkness. */
  get texture(): Texture {
    return this.#sharp.texture;
  }

  /** Starts to compile the shaders for the shadow of `content` in `scene`. */
  async compile(graphics: Graphics, content: Object3D, scene: Scene): Promise<void> {
    const camera = new OrthographicCamera();
    const blurs = this.#areBlursCompiled ? [] : this.#blurs;
    this.#areBlursCompiled = true;
    await Promise.all([
      graphics.compile(content, camera, scene, { target: this.#sharp, replaceMaterials: () => this.#replaceMaterials(content) }),
      ...blurs.map(({ shader: { material }, target }) => {
        const replaceMaterials = (): (() => void) => {
          this.#quad.material = material;
          return () => {};
        };
        return graphics.compile(this.#quadScene, camera, this.#quadScene, { target, replaceMaterials });
      }),
    ]);
  }

  /**
   * Renders the shadow of the visible objects in `scene`. `camera`: looks up at the scene from
   * below.
   */
  draw(renderer: CommonRenderer, scene: Scene, camera: OrthographicCamera): void {
    const restore = this.#replaceMaterials(scene);
    const before = renderer.getRenderTarget();
    const alpha = renderer.getClearAlpha();
    const { background } = scene;
    scene.background = null;
    renderer.setClearAlpha(0);
    renderer.setRenderTarget(this.#sharp);
    renderer.clear();
    renderer.render(scene, camera);
    scene.background = background;
    for (const width of BLURS)
      for (const { shader, axis, target } of this.#blurs) {
        shader.stride.value[axis] = width;
        this.#quad.material = shader.material;
        renderer.setRenderTarget(target);
        renderer.render(this.#quadScene, camera);
      }
    renderer.setRenderTarget(before);
    renderer.setClearAlpha(alpha);
    restore();
  }

  /**
   * Replaces the materials of all visible objects for the shadow. Hair ribbons are hidden, because
   * their width is in screen space. Returns a function that restores everything.
   */
  #replaceMaterials(content: Object3D): () => void {
    const restores: (() => void)[] = [];
    content.traverseVisible(object => {
      if ('isLineSegments2' in object) {
        restores.push(() => (object.visible = true));
        object.visible = false;
      } else if ('material' in object) {
        const drawn = object as Mesh;
        const { material } = drawn;
        const skinning = object instanceof RigSkinnedMesh ? object.skinning : null;
        const depth = skinning ? this.#depthOf(skinning) : this.#depth;
        const shown = (one: Material): Material => (one.visible ? depth : one);
        restores.push(() => (drawn.material = material));
        drawn.material = Array.isArray(material) ? material.map(shown) : shown(material);
      }
    });
    return () => restores.forEach(step => step());
  }

  #depthOf(skinning: Skinning): Material {
    const key = keyOf(skinning);
    let made = this.#skinned.get(key);
    if (!made) {
      made = this.#shaders.proximity();
      skinning.extend(made);
      this.#skinned.set(key, made);
      // If the material belongs to a single mesh, dispose it together with the mesh.
      skinning.influences?.addEventListener('dispose', () => {
        this.#skinned.get(key)?.dispose();
        this.#skinned.delete(key);
      });
    }
    return made;
  }

  dispose(): void {
    for (const each of [
      this.#sharp,
      this.#soft,
      this.#depth,
      ...this.#skinned.values(),
      ...this.#blurs.map(({ shader }) => shader.material),
      this.#quad.geometry,
    ])
      each.dispose();
  }
}

const createTarget = (size: number): WebGLRenderTarget => new WebGLRenderTarget(size, size, { type: HalfFloatType, depthBuffer: true });

export const glslShadow: ShadowShaders = {
  proximity() {
    const material = new MeshDepthMaterial({ side: DoubleSide });
    patchShader(material, 'proximity', {
      key: '',
      apply: shader => {
        shader.fragmentShader = shader.fragmentShader.replace(
          /gl_FragColor = vec4\( vec3\( 1\.0 - fragCoordZ \), opacity \);/,
          `gl_FragColor = vec4(0.0, 0.0, 0.0, pow(1.0 - clamp(fragCoordZ, 0.0, 1.0), ${SHADOW_FALLOFF}));`,
        );
      },
    });
    return material;
  },
  blur(source) {
    const stride = { value: new Vector2() };
    const material = new ShaderMaterial({
      vertexShader: fullScreen,
      fragmentShader: blurFragment,
      depthTest: false,
      depthWrite: false,
      uniforms: { source: { value: source }, stride },
    });
    return { material, stride };
  },
};
