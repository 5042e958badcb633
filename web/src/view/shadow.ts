// Soft contact shadow of the floor. The content is rendered from below into a texture whose alpha
// is the proximity to the ground. The texture is then blurred. This works without shadow-casting
// lights and for models of any size. All floors share the render targets.

import {
  type Camera,
  DoubleSide,
  HalfFloatType,
  type Material,
  Mesh,
  MeshDepthMaterial,
  type Object3D,
  type OrthographicCamera,
  PlaneGeometry,
  Scene,
  ShaderMaterial,
  type Texture,
  Vector2,
  WebGLRenderTarget,
  type WebGLRenderer,
} from 'three';
import { patchShader } from '../three/materials/shaderPatch.ts';
import { RigSkinnedMesh } from '../three/build/skinned.ts';
import { keyOf, type Skinning } from '../three/build/skinning.ts';

const SHADOW_SIZE = 256;

/** Radii of the successive blurs, in pixels of the shadow texture. */
const BLURS = [1.3, 0.6];

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

/** Renders contact shadows. */
export class ShadowPass {
  readonly #depth = proximityMaterial();
  /** Depth materials for meshes with rigcast's own skinning, by kind of skinning. */
  readonly #skinned = new Map<string, Material>();
  readonly #sharp = createTarget();
  readonly #soft = createTarget();
  readonly #blur: ShaderMaterial;
  readonly #quad: Mesh;
  readonly #quadScene = new Scene();

  constructor() {
    this.#blur = new ShaderMaterial({
      vertexShader: fullScreen,
      fragmentShader: blurFragment,
      depthTest: false,
      depthWrite: false,
      uniforms: { source: { value: null }, stride: { value: new Vector2() } },
    });
    this.#quad = new Mesh(new PlaneGeometry(2, 2), this.#blur);
    this.#quad.frustumCulled = false;
    this.#quadScene.add(this.#quad);
  }

  /** Texture with the shadow that was rendered last. The alpha channel contains the darkness. */
  get texture(): Texture {
    return this.#sharp.texture;
  }

  /** Starts to compile the shaders for the shadow of `content` in `scene`. */
  compile(renderer: WebGLRenderer, content: Object3D, camera: Camera, scene: Scene): void {
    const restore = this.#replaceMaterials(content, this.#depth);
    const before = renderer.getRenderTarget();
    renderer.setRenderTarget(this.#sharp);
    renderer.compile(content, camera, scene);
    renderer.setRenderTarget(before);
    restore();
  }

  /**
   * Renders the shadow of the visible objects in `scene`. `camera`: looks up at the scene from
   * below.
   */
  draw(renderer: WebGLRenderer, scene: Scene, camera: OrthographicCamera): void {
    const restore = this.#replaceMaterials(scene);
    const before = renderer.getRenderTarget();
    const alpha = renderer.getClearAlpha();
    const { background } = scene;
    scene.background = null;
    scene.overrideMaterial = this.#depth;
    renderer.setClearAlpha(0);
    renderer.setRenderTarget(this.#sharp);
    renderer.clear();
    renderer.render(scene, camera);
    scene.overrideMaterial = null;
    scene.background = background;
    for (const width of BLURS) {
      this.#pass(renderer, camera, this.#sharp, this.#soft, width / SHADOW_SIZE, 0);
      this.#pass(renderer, camera, this.#soft, this.#sharp, 0, width / SHADOW_SIZE);
    }
    renderer.setRenderTarget(before);
    renderer.setClearAlpha(alpha);
    restore();
  }

  #pass(renderer: WebGLRenderer, camera: OrthographicCamera, from: WebGLRenderTarget, to: WebGLRenderTarget, x: number, y: number): void {
    const { source, stride } = this.#blur.uniforms as { source: { value: Texture }; stride: { value: Vector2 } };
    source.value = from.texture;
    stride.value.set(x, y);
    renderer.setRenderTarget(to);
    renderer.render(this.#quadScene, camera);
  }

  /**
   * Replaces materials for the shadow. Meshes with rigcast's own skinning get special depth
   * materials. Hair ribbons are hidden, because their width is in screen space. `common`: material
   * for other meshes; null if `scene.overrideMaterial` replaces theirs. Returns a function that
   * restores everything.
   */
  #replaceMaterials(content: Object3D, common: Material | null = null): () => void {
    const restores: (() => void)[] = [];
    content.traverseVisible(object => {
      if ('isLineSegments2' in object) {
        restores.push(() => (object.visible = true));
        object.visible = false;
      } else if (object instanceof RigSkinnedMesh && object.skinning) {
        const { material } = object;
        const depth = this.#depthOf(object.skinning);
        const shown = (one: Material): Material => (one.visible ? depth : one);
        restores.push(() => (object.material = material));
        object.material = Array.isArray(material) ? material.map(shown) : shown(material);
      } else if (common && object instanceof Mesh) {
        const { material } = object;
        restores.push(() => (object.material = material));
        object.material = common;
      }
    });
    return () => restores.forEach(step => step());
  }

  #depthOf(skinning: Skinning): Material {
    const key = keyOf(skinning);
    let made = this.#skinned.get(key);
    if (!made) {
      made = proximityMaterial();
      made.allowOverride = false;
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
    for (const each of [this.#sharp, this.#soft, this.#depth, ...this.#skinned.values(), this.#blur, this.#quad.geometry]) each.dispose();
  }
}

function createTarget(): WebGLRenderTarget {
  return new WebGLRenderTarget(SHADOW_SIZE, SHADOW_SIZE, { type: HalfFloatType, depthBuffer: true });
}

/**
 * Creates a material whose alpha is the proximity to the ground: 1 at the ground, 0 at the far
 * plane of the camera.
 */
function proximityMaterial(): MeshDepthMaterial {
  const material = new MeshDepthMaterial({ side: DoubleSide });
  patchShader(material, 'proximity', {
    key: '',
    apply: shader => {
      shader.fragmentShader = shader.fragmentShader.replace(
        /gl_FragColor = vec4\( vec3\( 1\.0 - fragCoordZ \), opacity \);/,
        'gl_FragColor = vec4(0.0, 0.0, 0.0, pow(1.0 - clamp(fragCoordZ, 0.0, 1.0), 2.2));',
      );
    },
  });
  return material;
}
