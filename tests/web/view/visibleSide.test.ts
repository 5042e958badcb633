// Tests from which side content with one-sided faces is shown.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  BackSide,
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  FrontSide,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  PlaneGeometry,
  type Side,
  SphereGeometry,
  Vector3,
} from 'three';
import { frontAngle, initialDirection } from '../../../web/src/view/framing.ts';
import { View } from '../../../web/src/view/view.ts';
import { visibleSide } from '../../../web/src/view/visibleSide.ts';

beforeAll(() => void vi.stubGlobal('matchMedia', () => ({ matches: false })));
afterAll(() => void vi.unstubAllGlobals());

const INITIAL = initialDirection();
/** A card whose front faces `x`, `y`, `z`. */
function card([x, y, z]: [number, number, number], side: Side = FrontSide): Mesh {
  const mesh = new Mesh(new PlaneGeometry(2, 2), new MeshBasicMaterial({ side }));
  mesh.lookAt(x, y, z);
  return mesh;
}

function sideOf(content: Object3D): Vector3 {
  content.updateMatrixWorld(true);
  return visibleSide(content, INITIAL);
}

/** Cosine of the angle between the direction to the camera and `x`, `y`, `z`. */
const faces = (content: Object3D, x: number, y: number, z: number): number => sideOf(content).dot(new Vector3(x, y, z));

describe('the side from which content is shown', () => {
  it.each<[string, Object3D]>([
    ['a card that faces the camera', card([0, 0, 1])],
    ['a floor', card([0, 1, 0])],
    ['a closed body', new Mesh(new SphereGeometry(), new MeshBasicMaterial())],
    ['a room that is visible from inside', new Mesh(new BoxGeometry(), new MeshBasicMaterial({ side: BackSide }))],
    ['a two-sided card', card([0, 0, -1], DoubleSide)],
    ['a card from behind with a card from the front', new Group().add(card([0, 0, 1]), card([0, 0, -1]))],
    ['content without faces', new Group()],
    ['a mesh without vertices', new Mesh(new BufferGeometry(), new MeshBasicMaterial())],
  ])('stays the default for %s', (_, content) => {
    expect(sideOf(content)).toBe(INITIAL);
  });

  it.each<[string, Object3D, [number, number, number]]>([
    ['a card that is turned away', card([0, 0, -1]), [0, 0, -1]],
    ['a card whose back is drawn', card([0, 0, 1], BackSide), [0, 0, -1]],
    ['a card that is turned away sideways', card([-1, 0, 0]), [-1, 0, 0]],
    ['a ceiling', card([0, -1, 0]), [0, -1, 0]],
  ])('is the other one for %s', (_, content, [x, y, z]) => {
    expect(faces(content, x, y, z)).toBeGreaterThan(0.15);
  });

  it('is the broad one for a two-sided card that the camera sees edge-on', () => {
    const edge = card([INITIAL.z, 0, -INITIAL.x], DoubleSide);
    expect(Math.abs(faces(edge, INITIAL.z, 0, -INITIAL.x))).toBeGreaterThan(0.9);
  });

  it('takes mirrored objects, materials of groups and hidden parts into account', () => {
    const mirrored = card([0, 0, 1]);
    mirrored.scale.x = -1;
    expect(sideOf(mirrored)).toBe(INITIAL);
    const geometry = new PlaneGeometry(2, 2);
    geometry.addGroup(0, 3, 0);
    geometry.addGroup(3, 3, 1);
    const invisible = new MeshBasicMaterial({ visible: false });
    expect(faces(new Mesh(geometry, [new MeshBasicMaterial({ side: BackSide }), invisible]), 0, 0, -1)).toBeGreaterThan(0.15);
    const hidden = card([0, 0, 1]);
    hidden.visible = false;
    expect(faces(new Group().add(hidden, card([0, 0, -1])), 0, 0, -1)).toBeGreaterThan(0.15);
  });

  it('uses the rotation of each instance', () => {
    const cards = new InstancedMesh(new PlaneGeometry(1, 1), new MeshBasicMaterial(), 40);
    for (let i = 0; i < 40; i++) cards.setMatrixAt(i, new Matrix4().makeRotationY(Math.PI).setPosition(i, 0, 0));
    expect(faces(cards, 0, 0, -1)).toBeGreaterThan(0.15);
  });

  it('ignores faces with invalid positions', () => {
    const positions = Float32Array.from([0, 0, 0, 0, 1, 0, 1, 0, 0, Number.NaN, 0, 0, 1, 0, 0, 0, 1, 0]);
    const geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(positions, 3));
    expect(faces(new Mesh(geometry, new MeshBasicMaterial()), 0, 0, -1)).toBeGreaterThan(0.15);
  });

  it('reads some thousand vertices at most', () => {
    const ball = new Mesh(new SphereGeometry(1, 100, 100), new MeshBasicMaterial());
    const read = vi.spyOn(ball, 'getVertexPosition');
    sideOf(ball);
    expect(read.mock.calls.length).toBeLessThanOrEqual(3 * 1024);
  });
});

it('the first view of a card that is turned away shows its front', () => {
  const view = new View({ style: {} } as unknown as HTMLElement);
  view.show(card([0, 0, -1]));
  expect(view.cameraRig.camera.position.z).toBeLessThan(0);
  expect(Math.abs(frontAngle(view.cameraRig.defaultDirection))).toBeCloseTo(Math.PI, 6);
});

it('a camera placed for a model does not suit the next one if that is turned away', () => {
  const view = new View({ style: {} } as unknown as HTMLElement);
  const suits = (next: Mesh): boolean => {
    view.show(card([0, 0, 1]));
    view.show(next, false);
    return view.cameraRig.fitsContent;
  };
  expect([suits(card([0, 0, 1])), suits(card([0, 0, -1])), suits(card([0, 0, -1], DoubleSide))]).toEqual([true, false, true]);
});

it('the front is the angle of the forward direction', () => {
  for (const angle of [0, 0.7, 2, -1.3]) {
    const direction = initialDirection(new Vector3(Math.sin(angle), 0, Math.cos(angle)));
    expect(frontAngle(direction)).toBeCloseTo(angle, 6);
  }
});
