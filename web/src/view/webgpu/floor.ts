// The floor of a view as nodes. The GLSL in ../ground.ts draws the same.
import { Color, DataTexture, type Mesh, SRGBColorSpace, Vector2, Vector3 } from 'three';
import {
  abs,
  distance,
  float,
  Fn,
  fract,
  fwidth,
  max,
  min,
  positionWorld,
  smoothstep,
  step,
  texture,
  uniform,
  vec2,
  vec4,
  workingToColorSpace,
} from 'three/tsl';
import { type Node, NodeMaterial } from 'three/webgpu';
import type { FloorShader } from '../graphics.ts';
import { FLOOR_MATERIAL } from '../ground.ts';

type Float = Node<'float'>;

const none = /*@__PURE__*/ new DataTexture(new Uint8Array(4), 1, 1);

/** Returns the uniforms of the floor that is drawn. */
const uniformsOf = (object: unknown): FloorShader['uniforms'] => (object as Mesh).userData as FloorShader['uniforms'];

/** Creates a material that all floors share, so that it is compiled once. */
export function nodeFloor(): NodeMaterial {
  const shadow = texture(none);
  const number = (name: 'lineOpacity' | 'cell' | 'radius' | 'shadowSize' | 'shadowOpacity') =>
    uniform(1).onObjectUpdate(({ object }) => uniformsOf(object)[name].value);
  const lineColor = uniform(new Color()).onObjectUpdate(({ object }) => {
    const { lineColor: color, shadow: drawn } = uniformsOf(object);
    shadow.value = drawn.value ?? none;
    return color.value;
  });
  const center = uniform(new Vector3()).onObjectUpdate(({ object }) => uniformsOf(object).center.value);
  const shadowCenter = uniform(new Vector2()).onObjectUpdate(({ object }) => uniformsOf(object).shadowCenter.value);
  const [lineOpacity, cell, radius] = [number('lineOpacity'), number('cell'), number('radius')];
  const [shadowSize, shadowOpacity] = [number('shadowSize'), number('shadowOpacity')];
  const world = positionWorld.xz;
  const lines = (size: Float, width: number): Float => {
    const p = world.div(size).toVar();
    const w = fwidth(p).toVar();
    const d = abs(fract(p.sub(0.5)).sub(0.5))
      .div(max(w, 1e-6))
      .toVar();
    const line = min(min(d.x, d.y).div(width), 1).oneMinus();
    return line.mul(smoothstep(0.25, 0.6, max(w.x, w.y)).oneMinus());
  };
  const material = new NodeMaterial();
  Object.assign(material, { ...FLOOR_MATERIAL, lights: false });
  material.fragmentNode = Fn(() => {
    const fade = smoothstep(0.15, 1, distance(world, center.xz).div(radius)).oneMinus();
    const grid = max(lines(cell, 1.2).mul(0.45), lines(cell.mul(5), 1.4))
      .mul(fade)
      .mul(lineOpacity);
    const at = world.sub(shadowCenter).div(shadowSize).add(0.5).toVar();
    const inside = step(0, at.x).mul(step(at.x, 1)).mul(step(0, at.y)).mul(step(at.y, 1));
    // V of a render target increases downwards.
    const dark = shadow.sample(vec2(at.x, at.y.oneMinus())).a.mul(inside).mul(shadowOpacity).toVar();
    const lit = grid.mul(dark.oneMinus()).toVar();
    const alpha = float(dark.add(lit)).toVar();
    alpha.lessThan(0.002).discard();
    return vec4((workingToColorSpace(vec4(lineColor.mul(lit).div(alpha), 1), SRGBColorSpace) as Node<'vec4'>).rgb, alpha);
  })();
  return material;
}
