// Built-in skies, which are generated instead of downloaded. This module is loaded when such a sky
// is selected.
import { BackSide, BoxGeometry, BufferAttribute, Color, Mesh, MeshBasicMaterial, Scene, SphereGeometry, Vector3 } from 'three';
import type { Sky, EnvironmentPreset } from './environment.ts';

export type DisposableSky = Sky & { dispose(): void };

/**
 * Width of a cube map face in pixels. A low resolution is enough, because light panels can have
 * soft edges.
 */
const FACE = 256;

/** A built-in sky: a gradient with light panels. */
interface Preset {
  /** Colours of the gradient at the zenith, the horizon and the nadir, as hexadecimal sRGB. */
  zenith: number;
  horizon: number;
  nadir: number;
  /** Factor by which the colours of the gradient are multiplied. */
  intensity: number;
  panels: readonly LightPanel[];
}

/**
 * An emissive rectangle that faces the origin. Position and size are in units of the sky's scene.
 */
interface LightPanel {
  at: readonly [x: number, y: number, z: number];
  size: readonly [width: number, height: number];
  color: number;
  intensity: number;
}

const PRESETS: Record<EnvironmentPreset, Preset> = {
  studio: {
    zenith: 0x8c8c90,
    horizon: 0x55555a,
    nadir: 0x1c1c1e,
    intensity: 1,
    panels: [
      { at: [5, 4, 4], size: [5, 5], color: 0xffffff, intensity: 9 },
      { at: [-6, 3, 1], size: [3, 7], color: 0xeaf1ff, intensity: 4 },
      { at: [0, 5, -6], size: [7, 2], color: 0xffffff, intensity: 6 },
    ],
  },
  day: {
    zenith: 0x3d7fd6,
    horizon: 0xdcebfa,
    nadir: 0x6d6a58,
    intensity: 1.3,
    panels: [{ at: [4, 6, 3.4], size: [1.6, 1.6], color: 0xfff3dc, intensity: 70 }],
  },
  evening: {
    zenith: 0x263a6e,
    horizon: 0xff9a55,
    nadir: 0x2a2021,
    intensity: 1,
    panels: [{ at: [7, 1.4, 3], size: [1.8, 1.8], color: 0xff8a3c, intensity: 60 }],
  },
  night: {
    zenith: 0x070b18,
    horizon: 0x1d2a48,
    nadir: 0x05060a,
    intensity: 1,
    panels: [
      { at: [-4, 6, 3], size: [1.2, 1.2], color: 0xb9d0ff, intensity: 40 },
      { at: [5, 0.6, -4], size: [2, 1], color: 0xffb066, intensity: 5 },
    ],
  },
};

/**
 * Creates a built-in sky. `isVisible`: true to draw the sky as background; false if it only lights
 * the content.
 */
export function createPreset(kind: EnvironmentPreset, isVisible: boolean): DisposableSky {
  const preset = PRESETS[kind];
  const scene = new Scene();
  scene.add(skyMesh(preset), ...preset.panels.map(panelMesh));
  return {
    scene,
    size: FACE,
    isLightingOnly: !isVisible,
    dispose() {
      scene.traverse(object => {
        if (!(object instanceof Mesh)) return;
        object.geometry.dispose();
        object.material.dispose();
      });
    },
  };
}

function skyMesh({ zenith, horizon, nadir, intensity }: Preset): Mesh {
  const geometry = new SphereGeometry(9, 48, 48);
  const positions = geometry.getAttribute('position');
  const colors = new Float32Array(positions.count * 3);
  const [top, middle, bottom] = [zenith, horizon, nadir].map(hex => new Color(hex).multiplyScalar(intensity)) as [Color, Color, Color];
  const at = new Vector3();
  for (let i = 0; i < positions.count; i++) {
    const height = at.fromBufferAttribute(positions, i).normalize().y;
    // Below the horizon, the gradient is steeper, so that the horizon is a narrow band.
    const color = height > 0 ? middle.clone().lerp(top, Math.sqrt(height)) : middle.clone().lerp(bottom, Math.min(-height * 8, 1));
    color.toArray(colors, i * 3);
  }
  geometry.setAttribute('color', new BufferAttribute(colors, 3));
  return new Mesh(geometry, new MeshBasicMaterial({ side: BackSide, vertexColors: true }));
}

function panelMesh({ at, size, color, intensity }: LightPanel): Mesh {
  const mesh = new Mesh(new BoxGeometry(...size, 0.05), new MeshBasicMaterial({ color: new Color(color).multiplyScalar(intensity) }));
  mesh.position.set(...at);
  mesh.lookAt(0, 0, 0);
  return mesh;
}
