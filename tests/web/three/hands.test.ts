// Recorded hands: their WebXR structure, and the hand mesh.
import { readFileSync } from 'node:fs';
import { Color, Vector3 } from 'three';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Hand, HandBody, handsOf } from '../../../web/src/three/xr/hands.ts';
import { type Rig, RigcastLoader } from '../../../web/src/three/index.ts';
import { propertyKey } from '../../../web/src/three/names.ts';

const BYTES = new Uint8Array(readFileSync(new URL('../../../web/src/viewer/demo/wavingHands.bin', import.meta.url)));

let rig: Rig;
let hand: Hand;
beforeEach(async () => {
  rig = await new RigcastLoader().parseAsync(BYTES, '', 'wavingHands.bin');
  hand = handsOf(rig)[0]!;
  track(true);
  pinch(false);
});
const track = (on: boolean): void => void (hand.group.visible = on);
const pinch = (on: boolean): void => void (hand.group.userData[propertyKey(`${hand.handedness}.pinch`)] = on ? 1 : 0);

describe('hands of a recording', () => {
  it('are returned left before right, as the same objects at every call', () => {
    expect(handsOf(rig).map(({ handedness }) => handedness)).toEqual(['left', 'right']);
    expect(handsOf(rig)).toBe(handsOf(rig));
  });

  it("have the structure of three's WebXR hands", () => {
    expect(hand.group.joints['wrist']).toBe(hand.joints['wrist']);
    expect(hand.joints['index-finger-tip']!.jointRadius).toBeGreaterThan(0);
    for (const on of [true, false]) {
      pinch(on);
      track(on);
      expect([hand.pinching, hand.group.inputState.pinching, hand.tracked]).toEqual([on, on, on]);
    }
  });
});

describe('the body of a hand', () => {
  it('reports changes only while emission fades in or out', () => {
    const body = new HandBody(hand);
    expect(body.update(0.05)).toBe(false);
    pinch(true);
    expect([body.update(0.05), body.update(0.05), body.update(0.05), body.update(0.05)]).toEqual([true, true, false, false]);
    pinch(false);
    expect([body.update(0.05), body.update(0.05), body.update(0.05)]).toEqual([true, true, false]);
  });

  it('fades out without emission while untracked, and is then hidden', () => {
    const body = new HandBody(hand);
    pinch(true);
    body.settle();
    track(false);
    expect([body.update(0.09), body.visible, body.material.opacity]).toEqual([true, true, expect.closeTo(0.5, 6)]);
    expect([body.update(0.1), body.visible, body.material.opacity]).toEqual([false, false, 0]);
    track(true);
    expect([body.update(0.09), body.visible]).toEqual([true, true]);
    expect(new HandBody((track(false), hand)).material.opacity).toBe(0);
  });

  it('skips fading after settle', () => {
    const body = new HandBody(hand);
    track(false);
    body.settle();
    expect([body.material.opacity, body.update(0.01)]).toEqual([0, false]);
  });

  it('is emissive only at thumb and index finger', () => {
    const body = new HandBody(hand, { skin: 0xffffff, pinch: 0x000000 });
    const dark = (): number => {
      const { array } = body.geometry.getAttribute('color');
      let count = 0;
      for (let i = 0; i < array.length; i += 3) if (array[i]! < 0.5) count++;
      return count / (array.length / 3);
    };
    rig.scene.updateMatrixWorld(true);
    body.settle();
    expect(dark()).toBe(0);
    pinch(true);
    body.settle();
    expect(dark()).toBeGreaterThan(0.1);
    expect(dark()).toBeLessThan(0.5);
    body.setColors({ pinch: new Color(1, 1, 1).getHex(), skin: 0xffffff });
    body.settle();
    expect(dark()).toBe(0);
  });

  it('encloses its joints', () => {
    rig.scene.updateMatrixWorld(true);
    const body = new HandBody(hand);
    const tip = new Vector3().setFromMatrixPosition(hand.joints['index-finger-tip']!.matrixWorld);
    const { array } = body.geometry.getAttribute('position');
    const radius = hand.joints['index-finger-tip']!.jointRadius;
    let nearest = Infinity;
    const at = new Vector3();
    for (let i = 0; i < array.length; i += 3) nearest = Math.min(nearest, at.fromArray(array, i).distanceTo(tip));
    expect(nearest).toBeLessThan(1.01 * radius);
    expect(nearest).toBeGreaterThan(0.9 * radius);
  });
});
