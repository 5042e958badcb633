// Creates environment maps with the generator of a graphics API.
import type { Scene, Texture } from 'three';
import { RoomEnvironment } from 'three/addons/environments/RoomEnvironment.js';
import type { Sky, SkyMap } from './graphics.ts';

/** PMREMGenerator of three.js, of WebGL or of WebGPU. */
interface MapGenerator {
  fromScene(scene: Scene, blur: number): SkyMap['environment'];
  fromCubemap(cube: Texture): SkyMap['environment'];
  dispose(): void;
}

/** Sigma of the blur of the default room, in radians. */
const ROOM_BLUR = 0.04;

/** Draws the default room into an environment map. Disposes the generator. */
export function roomMapOf(generator: MapGenerator): SkyMap {
  const room = new RoomEnvironment();
  const environment = generator.fromScene(room, ROOM_BLUR);
  room.dispose();
  generator.dispose();
  return { environment, cube: null };
}

/** Draws a sky into an environment map, and into a cube map if it is visible. Disposes the generator. */
export function skyMapOf(generator: MapGenerator, sky: Sky, cubeOf: (sky: Sky) => NonNullable<SkyMap['cube']>): SkyMap {
  const { isLightingOnly: isUnseen, lighting = sky } = sky;
  const cube = cubeOf(lighting);
  const environment = generator.fromCubemap(cube.texture);
  generator.dispose();
  if (isUnseen || lighting !== sky) cube.dispose();
  return { environment, cube: isUnseen ? null : lighting === sky ? cube : cubeOf(sky) };
}
