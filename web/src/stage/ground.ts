// The floor: a fading grid, and a soft shadow of whatever stands on it. The shadow is the model seen from below, darkest where it
// touches the ground, blurred: no light has to be set up for it and it is right for every size of model.

import {
  Color,
  DoubleSide,
  HalfFloatType,
  type Material,
  Matrix4,
  Mesh,
  MeshDepthMaterial,
  type Object3D,
  OrthographicCamera,
  PlaneGeometry,
  Scene,
  ShaderMaterial,
  Vector2,
  Vector3,
  WebGLRenderTarget,
  type WebGLRenderer,
} from 'three';
import { patchShader } from '../three/shaderPatch.ts';
import { RigSkinnedMesh } from '../three/skinned.ts';
import type { Skinning } from '../three/skinning.ts';
import { extendSkinning } from '../three/skinningShader.ts';

const SHADOW_SIZE = 512;

const fullScreen = /* glsl */ `
varying vec2 at;
void main() { at = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }`;

const blurFragment = /* glsl */ `
uniform sampler2D source; uniform vec2 stride; varying vec2 at;
void main() {
  float sum = 0.0;
  sum += texture2D(source, at - 4.0 * stride).a * 0.051;
  sum += texture2D(source, at - 3.0 * stride).a * 0.0918;
  sum += texture2D(source, at - 2.0 * stride).a * 0.12245;
  sum += texture2D(source, at - stride).a * 0.1531;
  sum += texture2D(source, at).a * 0.1633;
  sum += texture2D(source, at + stride).a * 0.1531;
  sum += texture2D(source, at + 2.0 * stride).a * 0.12245;
  sum += texture2D(source, at + 3.0 * stride).a * 0.0918;
  sum += texture2D(source, at + 4.0 * stride).a * 0.051;
  gl_FragColor = vec4(0.0, 0.0, 0.0, sum);
}`;

const floorVertex = /* glsl */ `
varying vec3 world;
void main() { vec4 p = modelMatrix * vec4(position, 1.0); world = p.xyz; gl_Position = projectionMatrix * viewMatrix * p; }`;

const floorFragment = /* glsl */ `
uniform vec3 lineColor; uniform float lineOpacity; uniform float cell; uniform vec3 middle; uniform float reach;
uniform sampler2D shadow; uniform float shadowSize; uniform float shadowOpacity; uniform vec2 shadowMiddle;
varying vec3 world;
float lines(float size, float width) {
  vec2 p = world.xz / size;
  vec2 w = fwidth(p);
  vec2 d = abs(fract(p - 0.5) - 0.5) / max(w, 1e-6);
  float line = 1.0 - min(min(d.x, d.y) / width, 1.0);
  return line * (1.0 - smoothstep(0.25, 0.6, max(w.x, w.y)));   // too fine to tell apart: fade, no moire
}
void main() {
  float fade = 1.0 - smoothstep(0.15, 1.0, distance(world.xz, middle.xz) / reach);
  float grid = max(lines(cell, 1.2) * 0.45, lines(cell * 5.0, 1.4)) * fade * lineOpacity;
  vec2 at = (world.xz - shadowMiddle) / shadowSize + 0.5;
  float inside = step(0.0, at.x) * step(at.x, 1.0) * step(0.0, at.y) * step(at.y, 1.0);
  float dark = texture2D(shadow, at).a * inside * shadowOpacity;
  float alpha = dark + grid * (1.0 - dark);
  if (alpha < 0.002) discard;
  gl_FragColor = vec4(lineColor * grid * (1.0 - dark) / alpha, alpha);
  #include <colorspace_fragment>
}`;

export class Ground {
  readonly object: Mesh;
  gridVisible = true;
  #floor: ShaderMaterial;
  #camera = new OrthographicCamera(-1, 1, 1, -1, 0, 1);
  #depth = nearness();
  /** The same for what three's own skinning cannot draw, by its kind. */
  #skinned = new Map<string, Material>();
  #targets: [WebGLRenderTarget, WebGLRenderTarget];
  #blur: ShaderMaterial;
  #quad: Mesh;
  #quadScene = new Scene();
  #size = 1;
  #lineOpacity = 0.35;

  constructor() {
    this.#targets = [0, 1].map(() => new WebGLRenderTarget(SHADOW_SIZE, SHADOW_SIZE, { type: HalfFloatType, depthBuffer: true })) as [
      WebGLRenderTarget,
      WebGLRenderTarget,
    ];
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
    this.#floor = new ShaderMaterial({
      vertexShader: floorVertex,
      fragmentShader: floorFragment,
      transparent: true,
      depthWrite: false,
      side: DoubleSide,
      uniforms: {
        lineColor: { value: new Color(0x888888) },
        lineOpacity: { value: 0.35 },
        cell: { value: 1 },
        middle: { value: new Vector3() },
        reach: { value: 10 },
        shadow: { value: this.#targets[0].texture },
        shadowSize: { value: 1 },
        shadowOpacity: { value: 0.5 },
        shadowMiddle: { value: new Vector2() },
      },
    });
    this.object = new Mesh(new PlaneGeometry(1, 1).rotateX(-Math.PI / 2), this.#floor);
    this.object.name = 'ground';
    this.object.renderOrder = -1;
  }

  setColors(line: Color, lineOpacity: number, shadowOpacity: number): void {
    this.#floor.uniforms.lineColor!.value.copy(line);
    this.#lineOpacity = lineOpacity;
    this.#floor.uniforms.shadowOpacity!.value = shadowOpacity;
  }

  /** Puts the floor under something `radius` metres big whose lowest point is at `height`. */
  place(center: Vector3, height: number, radius: number, cell: number): void {
    this.#size = radius * 4;
    this.object.position.set(center.x, height, center.z);
    this.object.scale.setScalar(radius * 40);
    const uniforms = this.#floor.uniforms;
    uniforms.cell!.value = cell;
    uniforms.reach!.value = radius * 9;
    uniforms.middle!.value.copy(center);
    uniforms.shadowSize!.value = this.#size;
    this.#camera.left = this.#camera.bottom = -this.#size / 2;
    this.#camera.right = this.#camera.top = this.#size / 2;
    this.#camera.near = 0;
    this.#camera.far = radius * 0.9;
    this.#camera.updateProjectionMatrix();
    this.follow(center);
  }

  /** Moves the shadow along with a model that walks away. */
  follow(center: Vector3): void {
    const height = this.object.position.y - this.#camera.far * 0.02;
    this.#floor.uniforms.shadowMiddle!.value.set(center.x, center.z);
    // Looks up from the ground; its picture's v runs along +z like the floor's.
    const basis = new Matrix4().makeBasis(new Vector3(1, 0, 0), new Vector3(0, 0, 1), new Vector3(0, -1, 0));
    this.#camera.quaternion.setFromRotationMatrix(basis);
    this.#camera.position.set(center.x, height, center.z);
    this.#camera.updateMatrixWorld();
  }

  /** Draws the shadow of what is visible in `scene`; `hidden` (overlays) casts none. */
  update(renderer: WebGLRenderer, scene: Scene, hidden: Object3D[]): void {
    this.#floor.uniforms.lineOpacity!.value = this.gridVisible ? this.#lineOpacity : 0;
    const [sharp, soft] = this.#targets;
    const were = hidden.map(object => object.visible);
    for (const object of hidden) object.visible = false;
    this.object.visible = false;
    const restore = this.#prepare(scene);
    const target = renderer.getRenderTarget();
    const alpha = renderer.getClearAlpha();
    const background = scene.background;
    scene.background = null;
    scene.overrideMaterial = this.#depth;
    renderer.setClearAlpha(0);
    renderer.setRenderTarget(sharp);
    renderer.clear();
    renderer.render(scene, this.#camera);
    scene.overrideMaterial = null;
    scene.background = background;
    const { source, stride } = this.#blur.uniforms;
    for (const [width, passes] of [
      [2.6, 1],
      [1.2, 1],
    ] as const) {
      for (let pass = 0; pass < passes; ++pass) {
        source!.value = sharp.texture;
        stride!.value.set(width / SHADOW_SIZE, 0);
        renderer.setRenderTarget(soft);
        renderer.render(this.#quadScene, this.#camera);
        source!.value = soft.texture;
        stride!.value.set(0, width / SHADOW_SIZE);
        renderer.setRenderTarget(sharp);
        renderer.render(this.#quadScene, this.#camera);
      }
    }
    renderer.setRenderTarget(target);
    renderer.setClearAlpha(alpha);
    this.object.visible = true;
    hidden.forEach((object, index) => (object.visible = were[index]!));
    restore();
  }

  /** What one material for all cannot draw gets its own, or is left out: ribbons of hair, whose width is one of the screen. Gives the way back. */
  #prepare(scene: Scene): () => void {
    const back: (() => void)[] = [];
    scene.traverseVisible(object => {
      if ('isLineSegments2' in object) {
        back.push(() => (object.visible = true));
        object.visible = false;
      } else if (object instanceof RigSkinnedMesh && object.skinning) {
        const { material } = object;
        const depth = this.#depthOf(object.skinning);
        const shown = (one: Material): Material => (one.visible ? depth : one);
        back.push(() => (object.material = material));
        object.material = Array.isArray(material) ? material.map(shown) : shown(material);
      }
    });
    return () => back.forEach(step => step());
  }

  #depthOf(skinning: Skinning): Material {
    const key = `${skinning.eight} ${skinning.dual}`;
    let made = this.#skinned.get(key);
    if (!made) {
      made = nearness();
      made.allowOverride = false;
      extendSkinning(made, skinning);
      this.#skinned.set(key, made);
    }
    return made;
  }

  dispose(): void {
    for (const target of this.#targets) target.dispose();
    for (const material of [this.#depth, ...this.#skinned.values()]) material.dispose();
    this.#blur.dispose();
    this.#floor.dispose();
    this.#quad.geometry.dispose();
    this.object.geometry.dispose();
  }
}

/** Alpha says how near the ground the surface is: 1 touching it, 0 at the top of the box. */
function nearness(): MeshDepthMaterial {
  const material = new MeshDepthMaterial({ side: DoubleSide });
  patchShader(material, 'nearness', {
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
