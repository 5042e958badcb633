// Helpers for tests of the element: they add elements to the page and measure their pictures.
import '../../../../web/src/element/index.ts';
import type { RigcastViewerElement } from '../../../../web/src/element/index.ts';

/**
 * URL of this module. It is kept in a variable, because Vite would resolve a literal `new URL(…,
 * import.meta.url)` at build time.
 */
const here = import.meta.url;

/** Returns the URL of a file in the repository. */
export const at = (path: string): string => new URL(`../../../../${path}`, here).href;
export const demo = (name: string): string => at(`web/src/viewer/demo/${name}`);

export async function fileOf(address: string): Promise<File> {
  return new File([await (await fetch(address)).blob()], address.split('/').at(-1)!);
}

/** Adds an element of 160 by 120 pixels to the page. */
export function add(attributes: Record<string, string> = {}, parent: Element = document.body): RigcastViewerElement {
  const element = document.createElement('rigcast-viewer');
  element.style.width = '160px';
  element.style.height = '120px';
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  parent.append(element);
  return element;
}

export function inside<E extends Element = HTMLElement>(element: RigcastViewerElement, selector: string): E {
  const found = element.shadowRoot?.querySelector<E>(selector);
  if (!found) throw new Error(`${selector} is not there`);
  return found;
}

export const part = (element: RigcastViewerElement, name: string): HTMLElement => inside(element, `[part='${name}']`);

export function isShown(element: HTMLElement): boolean {
  return element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
}

/** Returns the fraction of drawn pixels, 0 to 1. */
export function drawn(element: RigcastViewerElement): number {
  const canvas = inside<HTMLCanvasElement>(element, 'canvas');
  const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let i = 3; i < data.length; i += 4) if (data[i]! > 200) count++;
  return (4 * count) / data.length;
}

/** Returns the rounded world position of a bone. */
export async function boneAt(element: RigcastViewerElement, name: string): Promise<string> {
  const { rig } = await element.ready;
  const node = rig.nodes.find(each => each.name === name)!;
  return [...node.position.toArray(), ...node.quaternion.toArray()].map(value => value.toFixed(5)).join(' ');
}

export function once<T = unknown>(element: EventTarget, type: string): Promise<T> {
  return new Promise(resolve => element.addEventListener(type, event => resolve((event as CustomEvent<T>).detail), { once: true }));
}

export const frame = (): Promise<unknown> => new Promise(resolve => requestAnimationFrame(resolve));
