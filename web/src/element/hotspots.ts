// Positions the hotspots over the model. Hotspots are children of the element that follow a bone or
// stay at a point in space.
import { type Object3D, Vector3 } from 'three';
import { nameOf } from './names.ts';
import { adopt, sheetOf } from './style.ts';
import type { RigcastViewerReady } from './types.ts';

const CSS = `
.hotspot { position: absolute; left: 0; top: 0; pointer-events: auto; }
.hotspot.away { opacity: var(--rigcast-hotspot-opacity, 0.25); pointer-events: none; }
`;

let sheet: CSSStyleSheet | undefined;

interface Spot {
  child: HTMLElement;
  /** Element of the shadow tree that contains the slot for the hotspot. */
  box: HTMLElement;
}

export class Hotspots {
  readonly #element: HTMLElement;
  readonly #layer: HTMLElement;
  readonly #ready: () => RigcastViewerReady | null;
  readonly #observer: MutationObserver;
  #spots: Spot[] = [];
  #bones: { of: object; byName: Map<string, Object3D> } | null = null;
  #view: RigcastViewerReady['view'] | null = null;
  readonly #at = new Vector3();
  readonly #normal = new Vector3();

  constructor(element: HTMLElement, layer: HTMLElement, ready: () => RigcastViewerReady | null) {
    this.#element = element;
    this.#layer = layer;
    this.#ready = ready;
    adopt(layer.getRootNode() as ShadowRoot, (sheet ??= sheetOf(CSS)));
    this.#observer = new MutationObserver(() => this.#collect());
    this.#observer.observe(element, {
      childList: true,
      subtree: true,
      attributes: true,
      attributeFilter: ['slot', 'data-bone', 'data-position', 'data-offset', 'data-normal'],
    });
    this.#collect();
  }

  /** Positions all hotspots now and after each frame that is drawn. */
  update(): void {
    const ready = this.#ready();
    if (!ready) return;
    const { view } = ready;
    if (view !== this.#view) {
      this.#view = view;
      const { drawn } = view.events;
      view.events.drawn = () => {
        drawn?.();
        this.update();
      };
    }
    for (const spot of this.#spots) this.#position(spot, ready);
  }

  dispose(): void {
    this.#observer.disconnect();
    this.#layer.replaceChildren();
    this.#spots = [];
  }

  #collect(): void {
    const children = [...this.#element.children].filter((child): child is HTMLElement => child.slot.startsWith('hotspot'));
    const boxes = new Map(this.#spots.map(({ child, box }) => [child, box]));
    this.#spots = children.map(child => ({ child, box: boxes.get(child) ?? document.createElement('div') }));
    for (const { child, box } of this.#spots) {
      box.className = 'hotspot';
      const slot = (box.firstChild as HTMLSlotElement | null) ?? document.createElement('slot');
      slot.name = child.slot;
      box.append(slot);
    }
    this.#layer.replaceChildren(...this.#spots.map(({ box }) => box));
    this.update();
  }

  #position({ child, box }: Spot, { rig, view }: RigcastViewerReady): void {
    const at = this.#at;
    const { bone, position, offset, normal } = child.dataset;
    const node = bone === undefined ? null : this.#boneOf(rig, bone);
    box.hidden = bone !== undefined ? !node : position === undefined;
    if (box.hidden) return;
    at.set(...metresOf(bone === undefined ? position : offset));
    if (node) at.applyMatrix4(node.matrixWorld);
    box.classList.toggle('away', normal !== undefined && this.#facesAway(normal, node, view.cameraRig.active));
    at.project(view.cameraRig.active);
    box.hidden = !(Math.abs(at.z) <= 1);
    const { width, height } = view.size;
    box.style.transform = `translate(${(((at.x + 1) / 2) * width).toFixed(1)}px, ${(((1 - at.y) / 2) * height).toFixed(1)}px) translate(-50%, -50%)`;
  }

  /**
   * True if the normal of a hotspot points away from the camera. The hotspot is then on the far
   * side of the model.
   */
  #facesAway(normal: string, node: Object3D | null, camera: Object3D): boolean {
    const out = this.#normal.set(...metresOf(normal));
    if (node) out.transformDirection(node.matrixWorld);
    const [x, y, z] = camera.matrixWorld.elements.slice(12) as [number, number, number];
    return out.x * (x - this.#at.x) + out.y * (y - this.#at.y) + out.z * (z - this.#at.z) < 0;
  }

  #boneOf(rig: RigcastViewerReady['rig'], name: string): Object3D | null {
    if (this.#bones?.of !== rig) {
      const byName = new Map<string, Object3D>();
      for (const node of rig.nodes) {
        const key = nameOf(node).toLowerCase();
        if (!byName.has(key)) byName.set(key, node);
      }
      this.#bones = { of: rig, byName };
    }
    return this.#bones.byName.get(name.toLowerCase()) ?? null;
  }
}

/** Parses three lengths, such as `0 1.5m 20cm`. Returns metres. */
function metresOf(text: string | undefined): [number, number, number] {
  const [x = 0, y = 0, z = 0] = (text ?? '')
    .trim()
    .split(/\s+/)
    .map(word => {
      const value = Number.parseFloat(word);
      return Number.isFinite(value) ? value * (word.endsWith('mm') ? 0.001 : word.endsWith('cm') ? 0.01 : 1) : 0;
    });
  return [x, y, z];
}
