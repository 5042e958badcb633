// The contact shadow as nodes. The GLSL in ../shadow.ts draws the same.
import { DoubleSide, NoBlending, Vector2 } from 'three';
import {
  cameraFar,
  cameraNear,
  clamp,
  positionGeometry,
  positionView,
  texture,
  uniform,
  uv,
  vec2,
  vec4,
  viewZToOrthographicDepth,
} from 'three/tsl';
import { NodeMaterial } from 'three/webgpu';
import type { ShadowShaders } from '../graphics.ts';
import { SHADOW_FALLOFF } from '../shadow.ts';

export const nodeShadow: ShadowShaders = {
  proximity() {
    const material = new NodeMaterial();
    Object.assign(material, { side: DoubleSide, blending: NoBlending, lights: false });
    const depth = viewZToOrthographicDepth(positionView.z, cameraNear, cameraFar);
    material.fragmentNode = vec4(0, 0, 0, clamp(depth, 0, 1).oneMinus().pow(SHADOW_FALLOFF));
    return material;
  },
  blur(source) {
    const read = texture(source);
    const stride = uniform(new Vector2());
    const material = new NodeMaterial();
    Object.assign(material, { depthTest: false, depthWrite: false, blending: NoBlending, lights: false });
    material.vertexNode = vec4(positionGeometry.xy, 0, 1);
    const at = vec2(uv().x, uv().y.oneMinus()); // V of a render target increases downwards
    const alphaAt = (steps: number) => read.sample(at.add(stride.mul(steps))).a;
    const pair = (steps: number, weight: number) => alphaAt(steps).add(alphaAt(-steps)).mul(weight);
    material.fragmentNode = vec4(0, 0, 0, alphaAt(0).mul(0.1633).add(pair(1.44439, 0.27555)).add(pair(3.35714, 0.1428)));
    return { material, stride };
  },
};
