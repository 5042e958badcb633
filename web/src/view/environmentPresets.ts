// Built-in skies, generated instead of downloaded. This module is loaded when one is selected.
import { BackSide, BoxGeometry, BufferAttribute, Color, Mesh, MeshBasicMaterial, Scene, SphereGeometry, Vector3 } from 'three';
import type { Sky, EnvironmentPreset } from './environment.ts';

/** A sky, and how to free it. */
export type DisposableSky = Sky & { dispose(): void };

/** Pixels per face of the cube map. Enough, because lamps and suns have soft edges. */
const FACE = 256;

/** Colours are linear; 1 is the brightness of white paper. */
interface Design {
  /** Colours from the zenith through the horizon to the nadir. */
  above: number;
  horizon: number;
  below: number;
  /** Factor of all three colours. */
  light: number;
  lamps: readonly Lamp[];
}

/** A luminous board facing the origin. */
interface Lamp {
  at: readonly [x: number, y: number, z: number];
  size: readonly [width: number, height: number];
  color: number;
  light: number;
}

const DESIGNS: Record<EnvironmentPreset, Design> = {
  studio: {
    above: 0x8c8c90,
    horizon: 0x55555a,
    below: 0x1c1c1e,
    light: 1,
    lamps: [
      { at: [5, 4, 4], size: [5, 5], color: 0xffffff, light: 9 },
      { at: [-6, 3, 1], size: [3, 7], color: 0xeaf1ff, light: 4 },
      { at: [0, 5, -6], size: [7, 2], color: 0xffffff, light: 6 },
    ],
  },
  day: {
    above: 0x3d7fd6,
    horizon: 0xdcebfa,
    below: 0x6d6a58,
    light: 1.3,
    lamps: [{ at: [4, 6, 3.4], size: [1.6, 1.6], color: 0xfff3dc, light: 70 }],
  },
  evening: {
    above: 0x263a6e,
    horizon: 0xff9a55,
    below: 0x2a2021,
    light: 1,
    lamps: [{ at: [7, 1.4, 3], size: [1.8, 1.8], color: 0xff8a3c, light: 60 }],
  },
  night: {
    above: 0x070b18,
    horizon: 0x1d2a48,
    below: 0x05060a,
    light: 1,
    lamps: [
      { at: [-4, 6, 3], size: [1.2, 1.2], color: 0xb9d0ff, light: 40 },
      { at: [5, 0.6, -4], size: [2, 1], color: 0xffb066, light: 5 },
    ],
  },
};

/** `isVisible`: also draws the sky as background; otherwise it only lights the content. */
export function createPreset(kind: EnvironmentPreset, isVisible: boolean): DisposableSky {
  const design = DESIGNS[kind];
  const scene = new Scene();
  scene.add(dome(design), ...design.lamps.map(board));
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

function dome({ above, horizon, below, light }: Design): Mesh {
  const geometry = new SphereGeometry(9, 48, 48);
  const place = geometry.getAttribute('position');
  const colors = new Float32Array(place.count * 3);
  const [zenith, edge, nadir] = [above, horizon, below].map(hex => new Color(hex).multiplyScalar(light)) as [Color, Color, Color];
  const at = new Vector3();
  for (let i = 0; i < place.count; i++) {
    const height = at.fromBufferAttribute(place, i).normalize().y;
    // The horizon is a narrow band, and the ground begins directly below it.
    const color = height > 0 ? edge.clone().lerp(zenith, Math.sqrt(height)) : edge.clone().lerp(nadir, Math.min(-height * 8, 1));
    color.toArray(colors, i * 3);
  }
  geometry.setAttribute('color', new BufferAttribute(colors, 3));
  return new Mesh(geometry, new MeshBasicMaterial({ side: BackSide, vertexColors: true }));
}

function board({ at, size, color, light }: Lamp): Mesh {
  const mesh = new Mesh(new BoxGeometry(...size, 0.05), new MeshBasicMaterial({ color: new Color(color).multiplyScalar(light) }));
  mesh.position.set(...at);
  mesh.lookAt(0, 0, 0);
  return mesh;
}
