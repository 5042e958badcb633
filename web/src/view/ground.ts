// The floor of a view: a grid that fades out with distance, and the soft shadow of the content.

import {
  Color,
  DoubleSide,
  Matrix4,
  Mesh,
  type Object3D,
  OrthographicCamera,
  PlaneGeometry,
  type Scene,
  ShaderMaterial,
  Vector2,
  Vector3,
} from 'three';
import type { CommonRenderer, FloorShader, FloorUniforms, FloorUniformSlots } from './graphics.ts';
import type { ShadowPass } from './shadow.ts';

const floorVertex = /* glsl */ `
varying vec3 world;
void main() { vec4 p = modelMatrix * vec4(position, 1.0); world = p.xyz; gl_Position = projectionMatrix * viewMatrix * p; }`;

const floorFragment = /* glsl */ `
uniform vec3 lineColor; uniform float lineOpacity; uniform float cell; uniform vec3 center; uniform float radius;
uniform sampler2D shadow; uniform float shadowSize; uniform float shadowOpacity; uniform vec2 shadowCenter;
varying vec3 world;
float lines(float size, float width) {
  vec2 p = world.xz / size;
  vec2 w = fwidth(p);
  vec2 d = abs(fract(p - 0.5) - 0.5) / max(w, 1e-6);
  float line = 1.0 - min(min(d.x, d.y) / width, 1.0);
  return line * (1.0 - smoothstep(0.25, 0.6, max(w.x, w.y)));   // too fine to resolve: fade out
}
void main() {
  float fade = 1.0 - smoothstep(0.15, 1.0, distance(world.xz, center.xz) / radius);
  float grid = max(lines(cell, 1.2) * 0.45, lines(cell * 5.0, 1.4)) * fade * lineOpacity;
  vec2 at = (world.xz - shadowCenter) / shadowSize + 0.5;
  float inside = step(0.0, at.x) * step(at.x, 1.0) * step(0.0, at.y) * step(at.y, 1.0);
  float dark = texture2D(shadow, at).a * inside * shadowOpacity;
  float alpha = dark + grid * (1.0 - dark);
  if (alpha < 0.002) discard;
  gl_FragColor = vec4(lineColor * grid * (1.0 - dark) / alpha, alpha);
  #include <colorspace_fragment>
}`;

/**
 * Properties of the floor's material for every graphics API. The offset moves the floor behind
 * faces in the same plane, such as those of a flat model, by a fraction of a pixel.
 */
export const FLOOR_MATERIAL = {
  transparent: true,
  depthWrite: false,
  side: DoubleSide,
  polygonOffset: true,
  polygonOffsetFactor: 1,
  polygonOffsetUnits: 4,
} as const;

export class Ground {
  readonly object: Mesh;
  gridVisible = true;
  /** True to show the shadow of the content on the floor. */
  shadowVisible = true;
  #floor = glslFloor();
  #camera = new OrthographicCamera(-1, 1, 1, -1, 0, 1);
  #size = 1;
  #lineOpacity = 0.35;
  #shadowOpacity = 0.5;

  constructor() {
    this.object = new Mesh(new PlaneGeometry(1, 1).rotateX(-Math.PI / 2), this.#floor.material);
    this.object.name = 'ground';
    this.object.renderOrder = -1;
  }

  /** Replaces the shader of the floor. */
  set shader(shader: FloorShader) {
    for (const [name, { value }] of Object.entries(this.#floor.uniforms))
      shader.uniforms[name as keyof FloorUniforms].value = value as never;
    this.#floor.dispose();
    this.#floor = shader;
    this.object.userData = shader.uniforms;
    this.object.material = shader.material;
  }

  setColors(line: Color, lineOpacity: number, shadowOpacity: number): void {
    this.#floor.uniforms.lineColor.value.copy(line);
    this.#lineOpacity = lineOpacity;
    this.#shadowOpacity = shadowOpacity;
  }

  /**
   * Places the floor under the content. `center`: centre of the content. `height`: height of the
   * floor in metres. `radius`: radius of the content in metres. `cell`: size of a grid cell in
   * metres.
   */
  place(center: Vector3, height: number, radius: number, cell: number): void {
    this.#size = radius * 4;
    this.object.position.set(center.x, height, center.z);
    this.object.scale.setScalar(radius * 40);
    const uniforms = this.#floor.uniforms;
    uniforms.cell.value = cell;
    uniforms.radius.value = radius * 9;
    uniforms.center.value.copy(center);
    uniforms.shadowSize.value = this.#size;
    this.#camera.left = this.#camera.bottom = -this.#size / 2;
    this.#camera.right = this.#camera.top = this.#size / 2;
    this.#camera.near = 0;
    this.#camera.far = radius * 0.9;
    this.#camera.updateProjectionMatrix();
    this.follow(center);
  }

  /** Moves the shadow to content that has moved. `center`: new centre of the content. */
  follow(center: Vector3): void {
    const height = this.object.position.y - this.#camera.far * 0.02;
    this.#floor.uniforms.shadowCenter.value.set(center.x, center.z);
    // The shadow camera is below the floor and looks up. Its up axis is +Z, so that the v
    // coordinate of the shadow texture increases along +Z.
    const basis = new Matrix4().makeBasis(new Vector3(1, 0, 0), new Vector3(0, 0, 1), new Vector3(0, -1, 0));
    this.#camera.quaternion.setFromRotationMatrix(basis);
    this.#camera.position.set(center.x, height, center.z);
    this.#camera.updateMatrixWorld();
  }

  /**
   * Renders the shadow of `scene` into `pass`, which other floors use as well. `hidden`: objects
   * that cast no shadow, such as overlays.
   */
  update(renderer: CommonRenderer, scene: Scene, hidden: readonly Object3D[], pass: ShadowPass): void {
    const left = [this.object, ...hidden];
    const wasVisible = left.map(object => object.visible);
    for (const object of left) object.visible = false;
    pass.draw(renderer, scene, this.#camera);
    left.forEach((object, index) => (object.visible = wasVisible[index]!));
  }

  /** Sets what the floor shows in this frame. `pass`: contains the shadow; null for no shadow. */
  show(pass: ShadowPass | null): void {
    const { lineOpacity, shadow, shadowOpacity } = this.#floor.uniforms;
    lineOpacity.value = this.gridVisible ? this.#lineOpacity : 0;
    shadow.value = pass?.texture ?? null;
    shadowOpacity.value = pass ? this.#shadowOpacity : 0;
  }

  dispose(): void {
    this.#floor.dispose();
    this.object.geometry.dispose();
  }
}

export const floorUniforms = (): FloorUniformSlots => ({
  lineColor: { value: new Color(0x888888) },
  lineOpacity: { value: 0.35 },
  cell: { value: 1 },
  center: { value: new Vector3() },
  radius: { value: 10 },
  shadow: { value: null },
  shadowSize: { value: 1 },
  shadowOpacity: { value: 0 },
  shadowCenter: { value: new Vector2() },
});

function glslFloor(): FloorShader {
  const uniforms = floorUniforms();
  const material = new ShaderMaterial({ vertexShader: floorVertex, fragmentShader: floorFragment, ...FLOOR_MATERIAL, uniforms });
  return { material, uniforms, dispose: () => material.dispose() };
}
