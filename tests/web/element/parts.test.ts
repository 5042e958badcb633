// Parts of the element that work without a page: properties, list of animations, camera, file
// resolver.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { BoxGeometry, Mesh, MeshBasicMaterial, PerspectiveCamera, Vector3 } from 'three';
import { ATTRIBUTES, camel, reflect, setText, upgrade } from '../../../web/src/element/attributes.ts';
import { SkeletonDisplay } from '../../../web/src/element/skeletonDisplay.ts';
import { deferred } from '../../../web/src/element/deferred.ts';
import { applyExpressions } from '../../../web/src/element/appearance.ts';
import { CameraController } from '../../../web/src/element/cameraController.ts';
import { AnimationList } from '../../../web/src/element/animations.ts';
import { nameOf } from '../../../web/src/element/names.ts';
import { pickIn } from '../../../web/src/element/pick.ts';
import { companionsFrom, texturesFrom } from '../../../web/src/element/fileResolver.ts';
import type { PresenterHost, FileRequest } from '../../../web/src/element/types.ts';
import { View } from '../../../web/src/view/view.ts';
import { Rig, RigcastLoader } from '../../../web/src/three/index.ts';
import { armScene, clip, f32, track } from '../../support/armScene.ts';
import { avatarScene } from '../../support/avatarScene.ts';

beforeAll(() => void vi.stubGlobal('matchMedia', () => ({ matches: false })));
afterAll(() => void vi.unstubAllGlobals());

/** Replaces HTMLElement: attributes without a document. */
class Attributed {
  readonly all = new Map<string, string>();
  getAttribute(name: string): string | null {
    return this.all.get(name) ?? null;
  }
  hasAttribute(name: string): boolean {
    return this.all.has(name);
  }
  setAttribute(name: string, value: string): void {
    this.all.set(name, value);
  }
  removeAttribute(name: string): void {
    this.all.delete(name);
  }
  toggleAttribute(name: string, on: boolean): void {
    if (on) this.all.set(name, '');
    else this.all.delete(name);
  }
}
class Reflected extends Attributed {}
reflect(Reflected.prototype as unknown as HTMLElement);
interface Properties {
  src: string | null;
  autoplay: unknown;
  speed: unknown;
  fade: unknown;
  cameraOrbit: string | null;
}

describe('properties that reflect attributes', () => {
  let element: Reflected & Properties;
  beforeEach(() => void (element = new Reflected() as Reflected & Properties));

  it('are null without the attribute, and remove it when set to null', () => {
    expect(element.src).toBeNull();
    element.src = 'a.psk';
    element.cameraOrbit = '30deg auto auto';
    expect([...element.all]).toEqual([
      ['src', 'a.psk'],
      ['camera-orbit', '30deg auto auto'],
    ]);
    element.src = undefined as never;
    element.cameraOrbit = null;
    expect(element.all.size).toBe(0);
  });

  it('of flags are true for an empty text, which frameworks set', () => {
    for (const [value, wanted] of [
      ['', true],
      [true, true],
      ['false', true],
      [false, false],
      [null, false],
      [0, false],
    ] as const) {
      element.autoplay = value;
      expect([element.autoplay, element.hasAttribute('autoplay')]).toEqual([wanted, wanted]);
    }
  });

  it('of numbers return the default if the attribute is missing or invalid', () => {
    expect([element.speed, element.fade]).toEqual([1, 0]);
    for (const [text, wanted] of [
      ['2', 2],
      ['-0.5x', -0.5],
      ['fast', 1],
      ['', 1],
      ['Infinity', 1],
    ] as const) {
      element.setAttribute('speed', text);
      expect(element.speed).toBe(wanted);
    }
  });

  it('take effect if they were set before the element was defined', () => {
    for (const [name, value] of Object.entries({ src: 'a.psk', autoplay: true, supply: 1, other: 2 }))
      Object.defineProperty(element, name, { value, configurable: true, writable: true, enumerable: true });
    upgrade(element as unknown as HTMLElement, ['fileResolver']);
    expect([[...element.all], Object.hasOwn(element, 'src'), Object.hasOwn(element, 'other')]).toEqual([
      [
        ['src', 'a.psk'],
        ['autoplay', ''],
      ],
      false,
      true,
    ]);
  });

  it('have camel-case names, except those with their own accessor', () => {
    expect(camel('min-camera-orbit')).toBe('minCameraOrbit');
    for (const [name, kind] of Object.entries(ATTRIBUTES))
      expect(camel(name) in Reflected.prototype, name).toBe(kind !== 'files' && kind !== 'names' && kind !== 'start');
  });

  it('write values as text', () => {
    setText(element as unknown as HTMLElement, 'time', 0.5);
    expect(element.getAttribute('time')).toBe('0.5');
  });
});

describe('the list of animations', () => {
  const scene = (names: string[], features = armScene().features) => ({
    ...armScene(),
    features,
    clips: names.map(name => clip(name, 1, track({ target: 'low.er', path: 'rotation', times: f32(0), values: f32(0, 0, 0, 1) }))),
  });
  const rigOf = (names: string[]): Rig => new Rig({ scene: scene(names) });
  const listOf = (...names: string[][]): AnimationList => new AnimationList(rigOf(names[0]!), names.slice(1).map(rigOf));

  it('starts with animations of the model and makes names unique', () => {
    expect(listOf(['Run', 'Wave'], ['Run']).list.map(({ name, index, source }) => [name, index, source])).toEqual([
      ['Run', 0, 0],
      ['Wave', 1, 0],
      ['Run_2', 2, 1],
    ]);
  });

  it('finds an exact name, then a name in another case, then a number', () => {
    const list = listOf(['Run', 'run', '1', ' Jump ', 'A, B']);
    for (const [text, wanted] of [
      ['Run', [0]],
      ['run', [1]],
      ['RUN', [0]],
      ['1', [2]], // names have priority over numbers
      ['4', [4]],
      ['5', null],
      ['-1', null],
      [' Jump ', [3]],
      ['jump', null],
      ['A, B', [4]],
      ['  Run ', [0]],
    ] as const)
      expect(list.find(text), text).toEqual(wanted);
  });

  it('finds several animations, or returns null if one is missing', () => {
    const list = listOf(['Run', 'Wave', '[x']);
    for (const [text, wanted] of [
      ['', []],
      ['   ', []],
      ['Run, Wave', [0, 1]],
      ['Wave,0', [1, 0]],
      ['["Run", 1]', [0, 1]],
      ['Run, Fly', null],
      ['["Fly"]', null],
      ['[]', null],
      ['[x', [2]],
    ] as const)
      expect(list.find(text), text).toEqual(wanted);
  });

  it('prefers animations that start automatically, then the first one made for the model', () => {
    const feature = { kind: 'animation', name: '', node: 0, properties: { clip: 1, playAutomatically: true } };
    expect(new AnimationList(new Rig({ scene: scene(['Idle', 'Spin'], [feature]) }), []).preferred()).toEqual([1]);
    expect(listOf(['Run', 'Wave'], ['Jump']).preferred()).toEqual([0]);
    const other = {
      ...armScene(),
      clips: [clip('Swim', 1, track({ target: 'fin', path: 'rotation', times: f32(0), values: f32(0, 0, 0, 1) }))],
    };
    const list = new AnimationList(rigOf([]), [new Rig({ scene: other }), rigOf(['Jump'])]);
    expect(list.preferred()).toEqual([1]);
    expect(new AnimationList(rigOf([]), [new Rig({ scene: other })]).preferred()).toEqual([]);
    expect([list.list[0]!.matched, list.list[1]!.matched, list.list[1]!.bones]).toEqual([0, 1, 2]);
  });
});

describe('the camera of the element', () => {
  function createController(attributes: Record<string, string> = {}) {
    const element = new Attributed();
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    const fired: [string, unknown][] = [];
    const host = { element, emit: (type: string, detail: unknown) => void fired.push([type, detail]) } as unknown as PresenterHost;
    const view = new View({ style: {} } as HTMLElement);
    view.setSize(300, 200);
    view.show(new Mesh(new BoxGeometry(1, 1, 1), new MeshBasicMaterial()));
    return { controller: new CameraController(host, view), view, element, fired };
  }

  it('rotates automatically, three seconds after the visitor has moved it', () => {
    const { controller: camera, view, element } = createController({ 'auto-rotate': '' });
    const { controls } = view.cameraRig;
    expect([camera.rotate(0.1, false), controls.autoRotate]).toEqual([true, true]);
    camera.onInteraction();
    expect([2.9, 0.05, 0.1].map(seconds => (camera.rotate(seconds, false), controls.autoRotate))).toEqual([false, false, true]);
    camera.onInteraction();
    camera.reset();
    expect([camera.rotate(0, false), controls.autoRotate]).toEqual([true, true]);
    expect([camera.rotate(1, true), controls.autoRotate]).toEqual([false, false]); // reduced motion
    element.removeAttribute('auto-rotate');
    expect([camera.rotate(9, false), controls.autoRotate]).toEqual([false, false]);
  });

  it('follows the attributes within their limits', () => {
    const { controller: camera, view } = createController({
      'camera-orbit': '90deg 90deg 3m',
      'camera-target': '0m 1m auto',
      'max-camera-orbit': 'auto auto 5m',
    });
    camera.applyAttributes();
    expect([camera.orbit.theta, camera.orbit.radius]).toEqual([expect.closeTo(Math.PI / 2, 5), expect.closeTo(3, 5)]);
    expect([camera.target.y, view.cameraRig.controls.maxDistance]).toEqual([1, 5]);
    expect(String(camera.orbit)).toBe('1.5708rad 1.5708rad 3.0000m');
  });

  it('has a field of view of 32 degrees by default', () => {
    const angleOf = (attributes: Record<string, string>): number => {
      const { controller: camera, view } = createController(attributes);
      camera.applyAttributes();
      return Math.round(view.cameraRig.fieldOfView);
    };
    expect([angleOf({}), ...['auto', '20deg'].map(angle => angleOf({ 'field-of-view': angle }))]).toEqual([32, 32, 20]);
    expect(['30deg', '36deg'].map(most => angleOf({ 'max-field-of-view': most }))).toEqual([30, 32]);
    expect(['30deg', '36deg'].map(least => angleOf({ 'min-field-of-view': least }))).toEqual([32, 36]);
  });

  it('fires camerachange only if it has moved', () => {
    const { controller: camera, view, fired } = createController();
    camera.emitChange();
    camera.emitChange();
    view.cameraRig.orbitBy(0.3, 0);
    camera.emitChange();
    view.cameraRig.fieldOfView = 50;
    camera.emitChange();
    camera.emitChange();
    expect(fired.map(([type]) => type)).toEqual(['camerachange', 'camerachange', 'camerachange']);
    expect(fired.at(-1)![1]).toMatchObject({ fieldOfView: 50 });
  });

  it('fires error and stays if the file has no camera', () => {
    for (const view of ['file', 'recorded']) {
      const { controller: camera, fired } = createController({ view });
      camera.applyAttributes();
      expect(fired).toEqual([['error', { message: 'The file contains no camera.', error: null, report: null }]]);
    }
    const { controller: camera, fired } = createController({ view: 'front' });
    camera.applyAttributes();
    expect(fired).toEqual([]);
  });

  it('looks through the recorded camera on request and hides its gizmos', () => {
    const eye = new PerspectiveCamera();
    const recording = { camera: eye, showsGizmos: true };
    const { controller: camera, view, element } = createController({ view: 'recorded' });
    camera.presented = { recording, front: 0, sky: null } as never;
    camera.applyAttributes();
    expect([view.cameraRig.active, recording.showsGizmos]).toEqual([eye, false]);
    element.setAttribute('view', 'front');
    camera.applyAttributes();
    expect([view.cameraRig.active, recording.showsGizmos]).toEqual([view.cameraRig.camera, true]);
  });
});

describe('the skeleton overlay', () => {
  it('shows the bones of the last requested rig', async () => {
    const view = new View({ style: {} } as HTMLElement);
    const bones = new SkeletonDisplay(view);
    const [first, second] = [new Rig({ scene: armScene() }), new Rig({ scene: armScene() })];
    await Promise.all([bones.show(first), bones.show(second), bones.show(second)]);
    expect(view.overlays.children).toHaveLength(1);
    await bones.show(null);
    expect(view.overlays.children).toHaveLength(0);
    await Promise.all([bones.show(first), bones.show(null)]);
    expect(view.overlays.children).toHaveLength(0);
  });
});

describe('pick', () => {
  it('returns the mesh, the bone with the largest weight, and the position', async () => {
    const rig = new Rig({ scene: armScene() });
    rig.scene.updateMatrixWorld(true);
    const camera = new PerspectiveCamera(40, 1, 0.1, 100);
    camera.position.set(0, 1, 5);
    camera.updateMatrixWorld();
    const at = (y: number) => {
      const point = new Vector3(0.02, y, 0).project(camera);
      return pickIn([rig], camera, point.x, point.y);
    };
    expect(at(0.2)).toMatchObject({ bone: 'low.er', position: { y: expect.closeTo(0.2, 5) } });
    expect(at(1.9)).toMatchObject({ bone: 'up/per' });
    expect(at(2.2)).toBeNull();
    // Near the corner of a triangle whose other corners follow another bone.
    const scene = armScene();
    scene.meshes[0]!.joints = Uint8Array.from([0, 0, 0, 1, 1, 1].flatMap(joint => [joint, 0, 0, 0]));
    scene.meshes[0]!.weights = Float32Array.from({ length: 24 }, (_, i) => (i % 4 ? 0 : 1));
    const corner = new Rig({ scene });
    corner.scene.updateMatrixWorld(true);
    const near = new Vector3(-0.08, 1.02, 0).project(camera);
    expect(pickIn([corner], camera, near.x, near.y)).toMatchObject({ bone: 'low.er' });
    expect(nameOf({ name: 'up_per', userData: { name: 'up/per' } })).toBe('up/per');
    expect(nameOf({ name: 'up_per', userData: { name: '' } })).toBe('up_per');
  });
});

describe('the attribute expression', () => {
  it('sets weights by name, 1 by default, and returns unknown names', () => {
    const scene = avatarScene();
    const rig = new Rig({ scene });
    const [first, second] = scene.expressions.map(({ name }) => name) as [string, string];
    expect(applyExpressions(rig, `${first.toUpperCase()} ${second}:0.25 frown:1 ${first}x`)).toEqual(['frown', `${first}x`]);
    expect([rig.expressions.get(first), rig.expressions.get(second)]).toEqual([1, 0.25]);
    expect(applyExpressions(rig, `${second}:soon`)).toEqual([]);
    expect([rig.expressions.get(first), rig.expressions.get(second)]).toEqual([0, 0]);
    expect(applyExpressions(rig, null)).toEqual([]);
  });

  it('splits at the last colon, because names may contain one', () => {
    const scene = avatarScene();
    const rig = new Rig({ scene: { ...scene, expressions: [{ ...scene.expressions[0]!, name: 'eyes:left' }] } });
    expect(applyExpressions(rig, 'eyes:left:0.5')).toEqual([]);
    expect(rig.expressions.get('eyes:left')).toBe(0.5);
  });
});

describe('the file resolver', () => {
  const bytes = Uint8Array.of(1, 2, 3);
  const given: [string, unknown, Uint8Array | null][] = [
    ['a Blob', new Blob([bytes]), bytes],
    ['a buffer', bytes.buffer, bytes],
    ['bytes', bytes, bytes],
    ['null', null, null],
    ['nothing', undefined, null],
    ['a text', 'abc', null],
  ];

  it.each(given)('may return %s', async (_, answer, wanted) => {
    const ask = (): never => answer as never;
    expect(await companionsFrom(ask)({ kind: 'key', name: 'a.vgk', required: true } as never)).toEqual(wanted ?? undefined);
    expect(await texturesFrom(ask).image('a.png')).toEqual(wanted && { name: 'a.png', bytes: wanted });
  });

  it('returns null if the function throws or rejects', async () => {
    for (const fail of [
      () => {
        throw new Error('no');
      },
      () => Promise.reject(new Error('no')),
    ])
      expect(await texturesFrom(fail).image('a.png')).toBeNull();
  });

  it('is called once per kind and name', async () => {
    const requestedFiles: FileRequest[] = [];
    const source = texturesFrom(wish => (requestedFiles.push(wish), new TextEncoder().encode('Diffuse=x')));
    expect([await source.text!('skin'), await source.text!('skin')]).toEqual(['Diffuse=x', 'Diffuse=x']);
    await Promise.all([source.image('skin'), source.image('skin'), source.image('coat')]);
    expect(requestedFiles).toEqual([
      { kind: 'material', name: 'skin' },
      { kind: 'texture', name: 'skin' },
      { kind: 'texture', name: 'coat' },
    ]);
  });
});

it('a deferred promise may reject without a handler', async () => {
  const { promise, reject } = deferred<number>();
  reject(new Error('no'));
  await new Promise(resolve => setTimeout(resolve, 0)); // an unhandled rejection would fail the test
  await expect(promise).rejects.toThrow('no');
});

it('the demo recording has a camera', async () => {
  const file = readFileSync(new URL('../../../web/src/viewer/demo/wavingHands.bin', import.meta.url));
  const rig = await new RigcastLoader().parseAsync(new Uint8Array(file), '', 'wavingHands.bin');
  expect(rig.file.scene!.cameras).toHaveLength(1);
});
