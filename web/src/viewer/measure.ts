// Measures the distance between two points, which are on the surface or on bones and follow the pose.
import { computed, signal } from '@preact/signals-core';
import { type Camera, type InstancedMesh, type Intersection, Matrix4, type Mesh, type Object3D, Triangle, Vector3 } from 'three';
import { displayName } from '../session/model.ts';
import { el } from './dom.ts';
import { lengthText } from './lengths.ts';
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

const SVG = 'http://www.w3.org/2000/svg';
const shape = (name: string): SVGElement => document.createElementNS(SVG, name);

function setAttributes(element: SVGElement, values: Record<string, number>): void {
  for (const [name, value] of Object.entries(values)) element.setAttribute(name, value.toFixed(1));
}

export class Measure {
  /** True while clicks in the viewport set the points. */
  readonly isOn = signal(false);
  readonly points = signal<readonly [MeasuredPoint | null, MeasuredPoint | null]>([null, null]);
  /** The distance in metres; null if there are fewer than two points. It follows the pose. */
  readonly distance = signal<number | null>(null);
  /** Length of one unit of the file in metres, and scale of the model. */
  readonly unit = signal<{ unit: number | undefined; scale: number }>({ unit: undefined, scale: 1 });
  readonly text = computed(() => (this.distance.value === null ? '' : lengthText(this.distance.value, this.unit.value)));
  readonly element: HTMLElement;
  readonly #label = el('div', { class: 'measure-label' });
  readonly #line = shape('line');
  readonly #dots = [shape('circle'), shape('circle')] as const;
  readonly #places = [new Vector3(), new Vector3()] as const;

  constructor() {
    const svg = shape('svg');
    svg.append(this.#line, ...this.#dots);
    for (const dot of this.#dots) dot.setAttribute('r', '5');
    // The text is also in the section of the side panel, which screen readers read.
    this.element = el('div', { class: 'measure', 'aria-hidden': 'true', hidden: true }, svg, this.#label);
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

  /** Draws line and length over the picture. `width`, `height`: size of the viewport in CSS pixels. */
  draw(camera: Camera, { width, height }: { width: number; height: number }): void {
    const all = this.points.peek();
    this.element.hidden = !all[0] && !all[1];
    if (this.element.hidden) return;
    this.#measure();
    const projected = this.#places.map(place => place.clone().project(camera));
    const x = projected.map(place => ((place.x + 1) / 2) * width);
    const y = projected.map(place => ((1 - place.y) / 2) * height);
    const isSeen = projected.map(({ z }, at) => all[at] !== null && z > -1 && z < 1);
    this.#dots.forEach((dot, at) => {
      dot.style.display = isSeen[at] ? '' : 'none';
      setAttributes(dot, { cx: x[at]!, cy: y[at]! });
    });
    const isWhole = isSeen.every(Boolean);
    this.#line.style.display = isWhole ? '' : 'none';
    this.#label.hidden = !isWhole;
    if (!isWhole) return;
    setAttributes(this.#line, { x1: x[0]!, y1: y[0]!, x2: x[1]!, y2: y[1]! });
    this.#label.textContent = this.text.peek();
    this.#label.style.transform = `translate(${(x[0]! + x[1]!) / 2}px, ${(y[0]! + y[1]!) / 2}px) translate(-50%, -140%)`;
  }
}
