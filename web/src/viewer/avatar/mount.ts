// The avatar's panel on the page: what it can do is asked of the rig, and its eyes follow the pointer.
import { computed, effect } from '@preact/signals-core';
import { Vector2, Vector3 } from 'three';
import type { Model } from '../../session/model.ts';
import { idle } from '../../rig/idle.ts';
import type { Avatar } from '../../three/index.ts';
import type { Page } from '../page.ts';
import type { Mounted } from '../panels/panel.ts';
import { drawFaces, headCamera } from './faces.ts';
import { AvatarPanel } from './panel.ts';

/** Of the way from the face to the eye of the visitor: there lies what is under the pointer. */
const NEAR = 0.5;
/** Seconds in which eyes get there. */
const LAG = 0.08;

export function avatarPanel(page: Page): Mounted {
  const { scenery, actor } = page;
  const { canvas } = scenery.sharedRenderer;
  let avatar: Avatar | null = null;
  let drawing = new AbortController();
  let isDrawn = false;
  const addresses: string[] = [];
  const target = new Vector3();

  const changed = (): void => {
    page.moved.value++;
    scenery.view.invalidate();
  };
  const panel = new AvatarPanel({
    onFace: row => {
      const { expressions } = actor.peek()!.rig;
      for (const other of expressions.list.keys()) expressions.setAt(other, other === row ? 1 : 0);
      changed();
    },
    onWeight: (row, weight) => {
      actor.peek()!.rig.expressions.setAt(row, weight);
      changed();
    },
    onLook: on => {
      avatar?.lookAt(on ? target : null);
      scenery.view.invalidate();
    },
    onHead: share => {
      if (avatar) avatar.headShare = share;
      scenery.view.invalidate();
    },
    onBlink: on => {
      if (avatar) avatar.blinks = on;
      scenery.view.invalidate();
    },
    onIdle: on => void page.setIdle(on),
  });

  canvas.addEventListener('pointermove', event => {
    const model = actor.peek();
    if (!avatar?.target || !model) return;
    placeTarget(model, page, new Vector2(event.clientX, event.clientY), target);
    scenery.view.invalidate();
  });

  const draw = (model: Model): void => {
    if (isDrawn || !panel.element.checkVisibility()) return;
    isDrawn = true;
    const isBusy = (): boolean => document.hidden || !panel.element.checkVisibility();
    const onPicture = (row: number, address: string): void => {
      addresses.push(address);
      panel.setPicture(row, address);
    };
    void drawFaces(model, scenery, isBusy, onPicture, drawing.signal);
  };

  const faces = computed(() => (actor.value?.rig.expressions.names.length && page.recorded.value === null ? actor.value : null));
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
        if (actor.peek() !== model) return;
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
      () => {}, // the model has gone, or the network has
    );
    draw(model);
  });
  effect(() => {
    void page.moved.value;
    const model = actor.peek();
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

/** What the pointer shows, between the face and the visitor; without a pointer the visitor. */
function placeTarget(model: Model, { scenery }: Page, at: Vector2 | null, target: Vector3): void {
  const { active } = scenery.view.cameraRig;
  const face = headCamera(model, scenery);
  active.updateWorldMatrix(true, false);
  const eye = active.getWorldPosition(new Vector3());
  if (!at || !face) {
    target.copy(eye);
    return;
  }
  const { left, top, width, height } = scenery.sharedRenderer.canvas.getBoundingClientRect();
  const place = new Vector2(((at.x - left) / width) * 2 - 1, 1 - ((at.y - top) / height) * 2);
  const depth = face.getWorldPosition(new Vector3()).distanceTo(eye);
  const ray = new Vector3(place.x, place.y, 0.5).unproject(active).sub(eye).normalize();
  target.copy(eye).addScaledVector(ray, depth * NEAR);
}
