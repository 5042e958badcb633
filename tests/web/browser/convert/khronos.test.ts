// Khronos' own glTF renderer opens the written files, draws all of their faces and plays their
// animations.
import { GltfView } from '@khronosgroup/gltf-viewer/dist/gltf-viewer.module.js';
import tangents from '@khronosgroup/gltf-viewer/dist/libs/mikktspace_bg.wasm?url';
import { expect, it } from 'vitest';
import { convert } from '../../../../web/src/convert/index.ts';
import { open } from '../../../../web/src/core/index.ts';

const SIZE = 128;
const libraries = tangents.slice(0, tangents.lastIndexOf('/') + 1);
/** Stand-in for the decoders of Draco and Basis, which no file here needs. */
const none = (): Promise<never> => new Promise(() => {});

const demo = (name: string): URL => new URL(`../../../../web/src/viewer/demo/${name}`, import.meta.url);

function pixelsOf(canvas: HTMLCanvasElement): Uint8ClampedArray {
  const flat = new OffscreenCanvas(SIZE, SIZE).getContext('2d')!;
  flat.drawImage(canvas, 0, 0);
  return flat.getImageData(0, 0, SIZE, SIZE).data;
}

/** Returns, for each pixel, true if it differs from the green background. */
const shownIn = (pixels: Uint8ClampedArray): boolean[] =>
  Array.from({ length: SIZE * SIZE }, (_, i) => !(pixels[4 * i]! < 8 && pixels[4 * i + 1]! > 247 && pixels[4 * i + 2]! < 8));

it.each<[string, string[]]>([
  ['a PSK with the motions of a PSA', ['Pip.psk', 'Pip.psa']],
  ['a robot whose bones refuse scale', ['Tock.cast']],
  ['an avatar', ['Lotl.vgo']],
])('%s', async (_, names) => {
  const sources = await Promise.all(names.map(name => open(demo(name), { tangents: true })));
  const { files } = await convert(sources, { to: 'glb' });
  const canvas = Object.assign(document.createElement('canvas'), { width: SIZE, height: SIZE });
  const view = new GltfView(canvas.getContext('webgl2', { alpha: false, preserveDrawingBuffer: true })!);
  const state = view.createState();
  state.environment = { iblIntensityScale: 1, mipCount: 1 };
  Object.assign(state.renderingParameters, { useIBL: false, renderEnvironmentMap: false, clearColor: [0, 255, 0, 255] });
  state.gltf = await view.createResourceLoader(none, none, libraries).loadGltf((files[0]!.bytes as Uint8Array<ArrayBuffer>).buffer);
  state.sceneIndex = 0;
  state.gltf.scenes[0]!.applyTransformHierarchy(state.gltf);
  state.userCamera.perspective.aspectRatio = 1;
  state.userCamera.resetView(state.gltf, 0);
  const shownAt = (seconds: number): boolean[] => {
    state.animationTimer.setFixedTime(seconds);
    view.renderFrame(state, SIZE, SIZE);
    return shownIn(pixelsOf(canvas));
  };
  const rest = shownAt(0);
  expect(rest.filter(Boolean).length).toBeGreaterThan(0.05 * SIZE * SIZE);
  const { scene } = sources[0]!;
  // Hair is written as lines between consecutive points of a strand.
  const faces = scene!.renderers.reduce((sum, { mesh }) => {
    const { indices, vertexCount, strandOffsets } = scene!.meshes[mesh]!;
    return sum + (strandOffsets ? vertexCount - (strandOffsets.length - 1) : (indices?.length ?? vertexCount) / 3);
  }, 0);
  expect(view.gatherStatistics(state).faceCount).toBe(faces);
  const clips = sources.flatMap(({ scene }) => scene?.clips ?? []);
  expect(state.gltf.animations).toHaveLength(clips.length);
  const moved = clips.map(({ duration }, i) => {
    state.animationIndices = [i];
    return shownAt(duration / 3).filter((isShown, pixel) => isShown !== rest[pixel]).length;
  });
  for (const [i, count] of moved.entries()) expect(count, clips[i]!.name).toBeGreaterThan(10);
});
