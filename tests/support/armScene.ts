// A scene for tests: an arm of two bones along +Y with a strip of four quads around it, two
// materials, a sparse morph target, a socket, and one clip.
import type { RigFile } from '../../web/src/core/open.ts';
import { emptyReport } from '../../web/src/core/report.ts';
import type { Clip, Mesh, RigScene, Track, TrackTable } from '../../web/src/core/types.ts';

export const f32 = (...values: number[]): Float32Array => Float32Array.from(values);

export function table(...tracks: Track[]): TrackTable {
  return { length: tracks.length, get: index => tracks[index]!, [Symbol.iterator]: () => tracks.values() };
}

export function track(over: Partial<Track> & Pick<Track, 'target' | 'path' | 'times' | 'values'>): Track {
  const interpolation = over.path === 'rotation' ? 'slerp' : 'linear';
  return {
    property: '',
    occurrence: 0,
    node: -1,
    component: -1,
    interpolation,
    mode: 'absolute',
    before: 'hold',
    after: 'hold',
    blendWeight: 1,
    ...over,
  };
}

export function clip(name: string, duration: number, ...tracks: Track[]): Clip {
  return { name, start: 0, duration, frameRate: 30, frameCount: 0, loop: true, tracks: table(...tracks), events: [], overrides: [] };
}

const half = Math.SQRT1_2;

/**
 * Builds the scene of an arm. Bone `low.er` is at the origin, bone `up/per` one unit above it, and
 * node `tip`, which isn't a bone, another unit above. The upper half of the strip follows `up/per`.
 * `over`: members that replace those of the scene.
 */
export function armScene(over: Partial<RigScene> = {}): RigScene {
  const names = ['', 'low.er', 'up/per', 'tip'];
  const mesh: Mesh = {
    name: 'strip',
    topology: 'triangles',
    vertexCount: 6,
    positions: f32(-0.1, 0, 0, 0.1, 0, 0, -0.1, 1, 0, 0.1, 1, 0, -0.1, 2, 0, 0.1, 2, 0),
    normals: f32(0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1),
    uvs: [f32(0, 1, 1, 1, 0, 0.5, 1, 0.5, 0, 0, 1, 0)],
    colors: [{ values: new Uint8Array(24).fill(255) }],
    colorsAreMaterial: false,
    joints: Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0),
    weights: f32(1, 0, 0, 0, 1, 0, 0, 0, 0.5, 0.5, 0, 0, 0.5, 0.5, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0),
    maxInfluences: 2,
    skinning: 'linear',
    indices: Uint16Array.of(0, 1, 3, 0, 3, 2, 2, 3, 5, 2, 5, 4),
    sourceVertices: Uint32Array.of(10, 11, 12, 13, 14, 15),
    sourceVertexCount: 16,
    groups: [
      { start: 0, count: 6, material: 0 },
      { start: 6, count: 6, material: 1 },
    ],
    morphs: [
      { name: 'Swell', vertices: Uint32Array.of(1, 4), positions: f32(0, 0, 1, 0, 0, 2), maximum: 1 },
      { name: 'Swell', vertices: Uint32Array.of(0), positions: f32(0, 0, 3), normals: f32(0, 1, 0), maximum: 1 },
    ],
    min: [-0.1, 0, 0],
    max: [0.1, 2, 0],
    center: [0, 1, 0],
    radius: 1.01,
  };
  const material = {
    model: 'standard',
    color: [1, 0.5, 0.25, 1] as [number, number, number, number],
    emissive: [0, 0, 0] as [number, number, number],
    metalness: 0,
    roughness: 0.8,
    alphaMode: 'opaque' as const,
    alphaCutoff: 0.5,
    side: 'front' as const,
    visible: true,
    renderOrder: 0,
    slots: [],
  };
  return {
    asset: { name: 'arm', metresPerUnit: 1 },
    scaleInheritance: 'matrix',
    nodes: {
      length: 4,
      names,
      parents: Int32Array.of(-1, 0, 1, 2),
      translations: f32(0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0),
      rotations: f32(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
      scales: f32(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1),
      bones: Int32Array.of(-1, 0, 1, -1),
      visible: Uint8Array.of(1, 1, 1, 1),
      segmentScaleCompensate: new Uint8Array(4),
      properties: new Map([[3, { tag: 'hand' }]]),
    },
    meshes: [mesh],
    renderers: [{ name: '', node: 0, mesh: 0, skin: 0, visible: true }],
    skins: [
      {
        name: '',
        joints: Uint32Array.of(1, 2),
        inverseBindMatrices: f32(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1),
        jointBoxes: f32(-0.1, 0, 0, 0.1, 1, 3, -0.1, 0, 0, 0.1, 1, 2),
      },
    ],
    materials: [
      { ...material, name: 'Skin' },
      { ...material, name: 'Cloth', side: 'both' },
    ],
    textures: [],
    images: [],
    clips: [
      clip(
        'bend',
        1,
        track({ target: 'up/per', path: 'rotation', times: f32(0, 1), values: f32(0, 0, 0, 1, 0, 0, half, half) }),
        track({ target: 'low.er', path: 'translation', component: 0, times: f32(0, 1), values: f32(0, 4) }),
        track({ target: '', property: 'Swell', path: 'weight', times: f32(0, 1), values: f32(0, 1) }),
        track({ target: 'tip', path: 'visible', interpolation: 'step', times: f32(0, 4 / 30), values: f32(1, 0) }),
      ),
    ],
    lights: [],
    cameras: [],
    instances: [],
    features: [{ kind: 'socket', name: 'tip', node: 3 }],
    expressions: [],
    references: [],
    ...over,
  };
}

/** Returns an open file with this scene, as if it had been read from a VGO without any findings. */
export const fileOf = (scene: RigScene): RigFile => ({
  ...({} as RigFile),
  name: 'arm.vgo',
  format: 'vgo',
  scene,
  report: emptyReport(),
  needs: [],
});
