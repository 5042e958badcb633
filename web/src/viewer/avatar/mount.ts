// Connects the avatar panel to the page. The rig determines which controls are shown. The eyes
// follow the pointer.
import { computed, effect } from '@preact/signals-core';
import { Vector2, Vector3 } from 'three';
import type { Model } from '../../session/model.ts';
import { idle } from '../../rig/idle.ts';
import type { Avatar } from '../../three/index.ts';
import type { Page } from '../page.ts';
import type { Mounted } from '../panels/panel.ts';
import { drawFaces, headCamera } from './faces.ts';
import { AvatarPanel } from './panel.ts';

/**
 * Distance between camera and gaze target, as a fraction of the distance between camera and face.
 */
const NEAR = 0.5;
/** Time constant with which the eyes follow the gaze target, in seconds. */
const LAG = 0.08;

export function avatarPanel(page: Page): Mounted {
  const { viewport, shownModel } = page;
  const { canvas } = viewport.sharedRenderer;
  let avatar: Avatar | null = null;
  let drawing = new AbortController();
  let isDrawn = false;
  const addresses: string[] = [];
  const target = new Vector3();

  const changed = (): void => {
    page.poseVersion.value++;
    viewport.view.invalidate();
  };
  const panel = new AvatarPanel({
    onFace: row => {
      const { expressions } = shownModel.peek()!.rig;
      for (const other of expressions.list.keys()) expressions.setAt(other, other === row ? 1 : 0);
      changed();
    },
    onWeight: (row, weight) => {
      shownModel.peek()!.rig.expressions.setAt(row, weight);
      changed();
    },
    onLook: on => {
      avatar?.lookAt(on ? target : null);
      viewport.view.invalidate();
    },
    onHead: share => {
      if (avatar) avatar.headShare = share;
      viewport.view.invalidate();
    },
    onBlink: on => {
      if (avatar) avatar.blinks = on;
      viewport.view.invalidate();
    },
    onIdle: on => void page.setIdle(on),
  });

  canvas.addEventListener('pointermove', event => {
    const model = shownModel.peek();
    if (!avatar?.target || !model) return;
    placeTarget(model, page, new Vector2(event.clientX, event.clientY), target);
    viewport.view.invalidate();
  });

  const draw = (model: Model): void => {
    if (isDrawn || !panel.element.checkVisibility()) return;
    isDrawn = true;
    const isBusy = (): boolean => document.hidden || !panel.element.checkVisibility();
    const onPicture = (row: number, address: string): void => {
      addresses.push(address);
      panel.setPicture(row, address);
    };
    void drawFaces(model, viewport, isBusy, onPicture, drawing.signal);
  };

  const faces = computed(() => (shownModel.value?.rig.expressions.names.length && page.recorded.value === null ? shownModel.value : null));
  effect(() => {
    const model = faces.value;
    drawing.abort();
    drawing = new AbortController();
    isDrawn = false;
    for (const address of addresses.splice(0)) URL.revokeObjectURL(address);
    avatar = null;
    if (!model) return;
    panel.set(model.rig.expressions.list);
    void model.rig.avatar().then(
      made => {
        if (shownModel.peek() !== model) return;
        avatar = made;
        if (made) {
          made.lag = LAG;
          made.headShare = 0.4;
        }
        placeTarget(model, page, null, target);
        panel.setAbilities(
          { looks: made !== null && made.looksBy !== null, blinks: made?.canBlink ?? false, idles: idle(model.file.scene!) !== null },
          page.session.peek().viewSettings.idle,
        );
      },
      () => {}, // ignored: the model was closed, or the network is unavailable
    );
    draw(model);
  });
  effect(() => {
    void page.poseVersion.value;
    const model = shownModel.peek();
    if (model && panel.element.checkVisibility()) panel.update(model.rig.expressions.list);
  });
  return {
    element: panel.element,
    reveal: () => {
      const model = faces.peek();
      if (model) setTimeout(() => draw(model));
    },
  };
}

/**
 * Sets the gaze target. If the pointer is over the viewport, the target is a point under the
 * pointer, between face and camera; otherwise it is the camera.
 */
function placeTarget(model: Model, { viewport }: Page, at: Vector2 | null, target: Vector3): void {
  const { active } = viewport.view.cameraRig;
  const face = headCamera(model, viewport);
  active.updateWorldMatrix(true, false);
  const cameraPosition = active.getWorldPosition(new Vector3());
  if (!at || !face) {
    target.copy(cameraPosition);
    return;
  }
  const { left, top, width, height } = viewport.sharedRenderer.canvas.getBoundingClientRect();
  const place = new Vector2(((at.x - left) / width) * 2 - 1, 1 - ((at.y - top) / height) * 2);
  const depth = face.getWorldPosition(new Vector3()).distanceTo(cameraPosition);
  const ray = new Vector3(place.x, place.y, 0.5).unproject(active).sub(cameraPosition).normalize();
  target.copy(cameraPosition).addScaledVector(ray, depth * NEAR);
}
