// The clock of what moves.
import { describe, expect, it } from 'vitest';
import { Box3, BoxGeometry, InstancedMesh, Matrix4, MeshBasicMaterial, PerspectiveCamera, Vector3 } from 'three';
import { distanceToFit, extentOf } from '../../web/src/stage/framing.ts';
import { Playback } from '../../web/src/stage/playback.ts';

function playing(pingPong: boolean): { playback: Playback; shown: number[] } {
  const playback = new Playback(), shown: number[] = [];
  playback.select({ name: '', duration: 2, frameRate: 30, pingPong, seek: time => void shown.push(time), stop: () => {} }, true);
  shown.length = 0;
  return { playback, shown };
}

describe('a loop', () => {
  it('begins again, or runs back and forth where the motion does', () => {
    for (const [pingPong, wanted] of [[false, [0.75, 1.5, 0.25, 1, 1.75, 0.5]], [true, [0.75, 1.5, 1.75, 1, 0.25, 0.5]]] as const) {
      const { playback, shown } = playing(pingPong);
      for (let i = 0; i < 6; i++) playback.tick(0.75);
      expect(shown).toEqual(wanted);
    }
  });

  it('back and forth runs backwards, too, and goes on forwards from where somebody puts it', () => {
    const { playback, shown } = playing(true);
    playback.speed = -1;
    for (let i = 0; i < 3; i++) playback.tick(0.75);
    expect(shown).toEqual([0.75, 1.5, 1.75]); // what came before the start is its mirror image
    playback.speed = 1;
    playback.tick(3);
    playback.seek(1);
    shown.length = 0;
    playback.tick(0.5);
    expect(shown).toEqual([1.5]);
  });

  it('that is switched off ends at the end', () => {
    const { playback, shown } = playing(true);
    playback.loop = false;
    while (playback.tick(0.75));
    expect(shown).toEqual([0.75, 1.5, 2]);
  });
});

describe('the extent of a picture', () => {
  it('reaches around every place of an instanced mesh', () => {
    const places = new InstancedMesh(new BoxGeometry(1, 1, 1), new MeshBasicMaterial(), 2);
    places.setMatrixAt(0, new Matrix4());
    places.setMatrixAt(1, new Matrix4().makeTranslation(100, 0, 0));
    expect(extentOf(places).box.max.toArray()).toEqual([100.5, 0.5, 0.5]);
  });

  it('is seen to its corners where things stand on a plain', () => {
    const half = new Vector3(75, 1, 75), camera = new PerspectiveCamera(32, 1.5, 0.1, 1000), direction = new Vector3(0.42, 0.2, 1).normalize();
    camera.position.copy(direction).multiplyScalar(distanceToFit(new Box3(half.clone().negate(), half), direction, camera));
    camera.lookAt(0, 0, 0);
    camera.updateMatrixWorld();
    for (let i = 0; i < 4; i++) {
      const corner = new Vector3(i & 1 ? 75 : -75, 0, i & 2 ? 75 : -75).project(camera);
      expect(Math.max(Math.abs(corner.x), Math.abs(corner.y))).toBeLessThan(1);
    }
  });
});
