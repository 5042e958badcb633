// Measures the distance between two points, which are on the surface or on bones and follow the pose.
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals-core';
import {
  type Camera,
  type InstancedMesh,
  type Intersection,
  Matrix4,
  type Mesh,
  type Object3D,
  Triangle,
  Vector3,
  type Vector2Like,
} from 'three';
import { displayName, type Model } from '../session/model.ts';
import type { Session } from '../session/session.ts';
import type { View } from '../view/index.ts';
import { el } from './dom.ts';
import { lengthText, unitOf } from './lengths.ts';
import type { Overlays } from './overlays.ts';
import { words } from './words/index.ts';

/** A point that follows the pose. */
export interface MeasuredPoint {
  /** The bone; null for a point on the surface. */
  bone: Object3D | null;
  name: string;
  /** Sets `to` to the position in metres, in the space of the scene. Requires up-to-date world matrices. */
  place(to: Vector3): Vector3;
}

export const pointOnBone = (bone: Object3D): MeasuredPoint => ({
  bone,
  name: displayName(bone) || words.noName,
  place: to => to.setFromMatrixPosition(bone.matrixWorld),
});

/** Returns the point of an intersection. It keeps its place on the triangle in every pose. */
export function pointOnSurface({ object, face, point, instanceId }: Intersection): MeasuredPoint | null {
  if (!face) return null;
  const mesh = object as Mesh;
  const corners = [face.a, face.b, face.c] as const;
  const at = corners.map(() => new Vector3());
  const matrix = new Matrix4();
  const moved = (): Matrix4 => {
    if (instanceId === undefined) return matrix.copy(mesh.matrixWorld);
    (mesh as InstancedMesh).getMatrixAt(instanceId, matrix);
    return matrix.premultiply(mesh.matrixWorld);
  };
  const update = (): void => corners.forEach((corner, i) => mesh.getVertexPosition(corner, at[i]!));
  update();
  const local = point.clone().applyMatrix4(moved().clone().invert());
  const weights = Triangle.getBarycoord(local, at[0]!, at[1]!, at[2]!, new Vector3());
  if (!weights) return null;
  return {
    bone: null,
    name: words.measure.surface,
    place(to) {
      update();
      to.set(0, 0, 0);
      at.forEach((corner, i) => to.addScaledVector(corner, weights.getComponent(i)));
      return to.applyMatrix4(moved());
    },
  };
}

const FONT_PIXELS = 12.5;
const DOT_RADIUS = 5;
const LINE_WIDTH = 2;
/** Distance between the middle of the line and the text, and padding of the text, in pixels. */
const GAP = 18;
const PADDING = 8;

/** The part of a page that is measured. */
interface MeasuredPage {
  readonly viewport: { readonly view: View; readonly overlays: Overlays; readonly sharedRenderer: { readonly canvas: HTMLCanvasElement } };
  readonly shownModel: ReadonlySignal<Model | null>;
  readonly session: ReadonlySignal<Session>;
  /** Facts of the shown recording, which has no placement; null if there is none. */
  readonly recorded: ReadonlySignal<object | null>;
}

export class Measure {
  /** True while clicks in the viewport set the points. */
  readonly isOn = signal(false);
  readonly points = signal<readonly [MeasuredPoint | null, MeasuredPoint | null]>([null, null]);
  /** The distance in metres; null if there are fewer than two points. It follows the pose. */
  readonly distance = signal<number | null>(null);
  readonly text: ReadonlySignal<string>;
  /** The text is also in the section of the side panel, which screen readers read. */
  readonly canvas = el('canvas', { class: 'measure', 'aria-hidden': 'true', hidden: true });
  readonly #places = [new Vector3(), new Vector3()] as const;
  readonly #viewport: MeasuredPage['viewport'];

  constructor({ viewport, shownModel, session, recorded }: MeasuredPage) {
    this.#viewport = viewport;
    const unit = computed(() => {
      const { scale } = session.value.placement;
      return shownModel.value ? unitOf(shownModel.value, recorded.value ? 1 : scale) : { unit: undefined, scale: 1 };
    });
    this.text = computed(() => (this.distance.value === null ? '' : lengthText(this.distance.value, unit.value)));
    viewport.overlays.names.canvas.after(this.canvas);
    viewport.overlays.onClick = at => this.#addAt(at);
    effect(() => void viewport.sharedRenderer.canvas.classList.toggle('measuring', this.isOn.value));
  }

  /** Adds the point at a click. Returns false if the visitor does not measure. */
  #addAt(at: Vector2Like): boolean {
    if (!this.isOn.peek()) return false;
    const { overlays, view } = this.#viewport;
    const bone = overlays.boneAt(at);
    const hit = bone ? null : overlays.hitAt(at);
    const point = bone ? pointOnBone(bone) : hit && pointOnSurface(hit);
    if (point) this.add(point);
    view.invalidate();
    return true;
  }

  /** Sets the next point: the first one, then the second one, then the first one of a new measurement. */
  add(point: MeasuredPoint): void {
    const [first, second] = this.points.peek();
    this.points.value = first && !second ? [first, point] : [point, null];
    this.#measure();
  }

  /** Sets one of the points. `at`: 0 or 1. */
  set(at: number, point: MeasuredPoint | null): void {
    const [first, second] = this.points.peek();
    this.points.value = at === 0 ? [point, second] : [first, point];
    this.#measure();
  }

  clear(): void {
    this.points.value = [null, null];
    this.#measure();
  }

  #measure(): void {
    const all = this.points.peek();
    all.forEach((point, at) => point?.place(this.#places[at]!));
    const [from, to] = this.#places;
    const distance = all.every(Boolean) ? from.distanceTo(to) : null;
    // Differences below the displayed precision would update the page in every frame.
    const before = this.distance.peek();
    if (before === null || distance === null || Math.abs(distance - before) > 1e-5 * before) this.distance.value = distance;
  }

  /** Updates the distance. Call this when the model has moved. */
  update(): void {
    this.canvas.hidden = this.points.peek().every(point => point === null);
    if (!this.canvas.hidden) this.#measure();
  }

  /** Draws the points, the line and its length. `width`, `height`: size of the picture in CSS pixels. */
  paint(context: CanvasRenderingContext2D, camera: Camera, width: number, height: number): void {
    const points = this.points.peek();
    const ends = this.#places.map((place, at) => {
      const { x, y, z } = place.clone().project(camera);
      return { x: ((x + 1) / 2) * width, y: ((1 - y) / 2) * height, isSeen: points[at] !== null && z > -1 && z < 1 };
    });
    const [from, to] = [ends[0]!, ends[1]!];
    const style = getComputedStyle(this.canvas);
    const [accent, paper] = [style.color, style.webkitTextStrokeColor];
    Object.assign(context, { lineWidth: LINE_WIDTH, strokeStyle: accent, textBaseline: 'middle', textAlign: 'center' });
    if (from.isSeen && to.isSeen) {
      context.beginPath();
      context.moveTo(from.x, from.y);
      context.lineTo(to.x, to.y);
      context.stroke();
    }
    context.strokeStyle = paper;
    for (const { x, y, isSeen } of ends) {
      if (!isSeen) continue;
      context.beginPath();
      context.arc(x, y, DOT_RADIUS, 0, 2 * Math.PI);
      context.fillStyle = accent;
      context.fill();
      context.stroke();
    }
    if (!from.isSeen || !to.isSeen) return;
    const text = this.text.peek();
    context.font = `${FONT_PIXELS}px ${style.fontFamily}`;
    const [x, y] = [(from.x + to.x) / 2, (from.y + to.y) / 2 - GAP];
    const half = context.measureText(text).width / 2 + PADDING;
    context.beginPath();
    context.roundRect(x - half, y - FONT_PIXELS, 2 * half, 2 * FONT_PIXELS, PADDING);
    context.fill();
    context.fillStyle = paper;
    context.fillText(text, x, y);
  }
}
