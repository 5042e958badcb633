// Augmented reality: USDZ files, and the button that opens them.
import { metaQuest3, XRDevice } from 'iwer';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Mesh, type MeshStandardMaterial, type Object3D, Vector3 } from 'three';
import { USDLoader } from 'three/addons/loaders/USDLoader.js';
import { en } from '../../../../web/src/element/words/en.ts';
import { FloorEnvironment } from '../viewer/floorEnvironment.ts';
import { add, demo, fileOf, frame, inside, isShown } from './support.ts';

const PIP = { src: demo('Pip.psk'), files: `${demo('Pip.psa')} ${demo('Pip_D.png')}`, animation: 'Wave' };
type Viewer = ReturnType<typeof add>;

afterEach(() => {
  document.querySelectorAll('rigcast-viewer').forEach(element => element.remove());
  vi.restoreAllMocks();
});

async function meshesIn(blob: Blob): Promise<Mesh[]> {
  const group = new USDLoader().parse(await blob.arrayBuffer()) as Object3D;
  group.updateMatrixWorld(true);
  const meshes: Mesh[] = [];
  group.traverse(object => 'geometry' in object && meshes.push(object as Mesh));
  return meshes;
}

/** Returns the bounding box of drawn vertices in world space, as text. */
function boxOf(meshes: readonly Mesh[]): string {
  const [min, max, at] = [new Vector3(Infinity, Infinity, Infinity), new Vector3(-Infinity, -Infinity, -Infinity), new Vector3()];
  for (const mesh of meshes) {
    for (let i = 0; i < mesh.geometry.getAttribute('position').count; i++) {
      mesh.getVertexPosition(i, at).applyMatrix4(mesh.matrixWorld);
      min.min(at);
      max.max(at);
    }
  }
  return [...min.toArray(), ...max.toArray()].map(value => value.toFixed(3)).join(' ');
}

async function shownBox(element: Viewer): Promise<string> {
  const { rig } = await element.ready;
  rig.scene.updateMatrixWorld(true);
  return boxOf(rig.meshes.filter(mesh => mesh !== null) as unknown as Mesh[]);
}

/** Waits for some frames of the session. */
const pause = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 400));

describe('exportUsdz', () => {
  it('contains the shown pose with its textures, and reports what is lost', async () => {
    const element = add(PIP);
    await expect(element.exportUsdz()).rejects.toMatchObject({ code: 'NO_MODEL' });
    await element.ready;
    const boxes = new Set<string>();
    for (const seconds of [0, 0.7]) {
      element.seek(seconds);
      const { name, blob, report } = await element.exportUsdz();
      const meshes = await meshesIn(blob);
      expect(boxOf(meshes)).toBe(await shownBox(element));
      boxes.add(boxOf(meshes));
      expect([name, blob.type]).toEqual(['Pip.usdz', 'model/vnd.usdz+zip']);
      expect(report.items.map(({ detail }) => detail)).toEqual(
        expect.arrayContaining(['animations: the file contains the shown pose', 'skeletons']),
      );
      expect(report.losses).toBe(report.items.length);
      expect((meshes[0]!.material as MeshStandardMaterial).map).not.toBeNull();
    }
    expect(boxes.size).toBe(2);
  });

  it('applies orientation and scale', async () => {
    const element = add({ ...PIP, orientation: '0deg 90deg 0deg', scale: '2' });
    await element.ready;
    const { blob } = await element.exportUsdz();
    expect(boxOf(await meshesIn(blob))).toBe(await shownBox(element));
  });

  it('converts toon materials and facial expressions of avatars', async () => {
    const element = add({ src: demo('Lotl.vgo'), expression: 'blink:1' });
    await element.ready;
    const { blob } = await element.exportUsdz();
    const meshes = await meshesIn(blob);
    expect(meshes.length).toBeGreaterThan(0);
    expect(meshes.some(({ material }) => (material as MeshStandardMaterial).map)).toBe(true);
  });
});

describe('the attribute ar', () => {
  const button = (element: Viewer): HTMLButtonElement | null => element.shadowRoot!.querySelector("[part='ar-button']");

  function clicked(): HTMLAnchorElement[] {
    const links: HTMLAnchorElement[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      links.push(this);
    });
    return links;
  }

  it('shows nothing on devices without Quick Look and Scene Viewer, and without the attribute', async () => {
    const [plain, unsupported] = [add(PIP), add({ ...PIP, ar: '' })];
    await Promise.all([plain.ready, unsupported.ready]);
    await expect.poll(() => button(unsupported)).not.toBeNull();
    expect([button(plain), isShown(button(unsupported)!)]).toEqual([null, false]);
  });

  it('opens Quick Look with the shown pose', async () => {
    vi.spyOn(DOMTokenList.prototype, 'supports').mockImplementation(token => token === 'ar');
    const links = clicked();
    const element = add({ ...PIP, ar: '' });
    const own = document.createElement('b');
    own.slot = 'ar-button';
    await element.ready;
    await expect.poll(() => button(element) && isShown(button(element)!)).toBe(true);
    expect(button(element)!.textContent).toBe(en.ar);
    element.labels = { ar: 'At home' };
    expect(button(element)!.textContent).toBe('At home');
    element.append(own);
    expect(inside<HTMLSlotElement>(element, "slot[name='ar-button']").assignedElements()).toEqual([own]);
    button(element)!.click();
    await expect.poll(() => links.length).toBe(1);
    expect([links[0]!.rel, links[0]!.firstElementChild?.localName]).toEqual(['ar', 'img']);
    const blob = await (await fetch(links[0]!.href)).blob();
    expect(boxOf(await meshesIn(blob))).toBe(await shownBox(element));
    element.ar = false;
    await expect.poll(() => button(element)).toBeNull();
  });

  it('tells visitors if the model could not be converted, until it succeeds', async () => {
    vi.spyOn(DOMTokenList.prototype, 'supports').mockImplementation(token => token === 'ar');
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    const links = clicked();
    const element = add({ ...PIP, ar: '' });
    await element.ready;
    await expect.poll(() => button(element) && isShown(button(element)!)).toBe(true);
    const states: string[] = [];
    element.addEventListener('arstatus', ({ detail }) => states.push(detail.status));
    const failing = vi.spyOn(element, 'exportUsdz').mockRejectedValue(new Error('no memory'));
    button(element)!.click();
    await expect.poll(() => button(element)!.textContent).toBe(en.arFailed);
    expect(logged).toHaveBeenCalled();
    failing.mockRestore();
    button(element)!.click();
    await expect.poll(() => links.length).toBe(1);
    expect(button(element)!.textContent).toBe(en.ar);
    expect(states).toEqual(['failed', 'session-started']);
  });

  it('opens the file in ios-src in place of the shown pose, unless its address could run a script', async () => {
    vi.spyOn(DOMTokenList.prototype, 'supports').mockImplementation(token => token === 'ar');
    const links = clicked();
    const element = add({ ...PIP, ar: '', 'ios-src': '/pip.usdz' });
    await element.ready;
    await expect.poll(() => button(element) && isShown(button(element)!)).toBe(true);
    button(element)!.click();
    await expect.poll(() => links.length).toBe(1);
    expect([links[0]!.href, links[0]!.rel]).toEqual([new URL('/pip.usdz', location.href).href, 'ar']);
    element.setAttribute('ios-src', 'javascript:alert(1)');
    await expect.poll(() => button(element)!.disabled).toBe(false);
    button(element)!.click();
    await expect.poll(() => links.length).toBe(2);
    expect(links[1]!.protocol).toBe('blob:');
  });

  it('uses the first of ar-modes that the device supports', async () => {
    vi.spyOn(DOMTokenList.prototype, 'supports').mockImplementation(token => token === 'ar');
    const element = add({ ...PIP, ar: '', 'ar-modes': 'scene-viewer webxr' });
    await element.ready;
    await expect.poll(() => button(element)).not.toBeNull();
    await frame();
    expect(isShown(button(element)!)).toBe(false);
    element.setAttribute('ar-modes', 'webxr quick-look');
    await expect.poll(() => isShown(button(element)!)).toBe(true);
  });

  it('shows the model with WebXR, and says how to place it and how to leave', async () => {
    const device = new XRDevice(metaQuest3);
    device.installRuntime({ forceInstall: true });
    try {
      const [element, other] = [add({ ...PIP, ar: '' }), add(PIP)];
      const [{ view }] = await Promise.all([element.ready, other.ready]);
      const states: string[] = [];
      element.addEventListener('arstatus', ({ detail }) => states.push(detail.status));
      other.play();
      await expect.poll(() => button(element) && isShown(button(element)!)).toBe(true);
      const overlay = inside<HTMLElement>(element, "[part='ar-overlay']");
      expect(isShown(overlay)).toBe(false);
      button(element)!.click();
      await expect.poll(() => isShown(overlay)).toBe(true);
      expect([view.ground.gridVisible, overlay.querySelector('p')!.textContent]).toEqual([false, en.arHint]);
      element.play();
      const { time } = element;
      const paused = other.time;
      await expect.poll(() => element.time).not.toBe(time); // the animation continues
      expect(other.time).toBe(paused); // other elements stand still
      overlay.querySelector('button')!.click();
      await expect.poll(() => isShown(overlay)).toBe(false);
      await expect.poll(() => other.time).not.toBe(paused);
      expect(states).toEqual(['session-started', 'not-presenting']);
    } finally {
      device.uninstallRuntime();
    }
  });

  it('fires object-placed when a tap puts the model on the floor', async () => {
    const device = new XRDevice(metaQuest3);
    device.installRuntime({ forceInstall: true });
    device.installSEM(FloorEnvironment as unknown as Parameters<XRDevice['installSEM']>[0]);
    try {
      const element = add({ ...PIP, ar: '' });
      const { view } = await element.ready;
      const states: string[] = [];
      element.addEventListener('arstatus', ({ detail }) => states.push(detail.status));
      await expect.poll(() => button(element) && isShown(button(element)!)).toBe(true);
      device.position.set(0, 1.6, 0);
      device.quaternion.set(0.7071, 0, 0, 0.7071); // looks up: there is no floor
      button(element)!.click();
      const overlay = inside<HTMLElement>(element, "[part='ar-overlay']");
      await expect.poll(() => isShown(overlay)).toBe(true);
      const seesFloor = (): boolean => {
        let isSeen = false;
        view.overlays.traverse(object => (isSeen ||= object.visible && (object as Mesh).geometry?.type === 'RingGeometry'));
        return isSeen;
      };
      const tap = async (): Promise<void> => {
        device.controllers.right!.updateButtonValue('trigger', 1);
        await pause();
        device.controllers.right!.updateButtonValue('trigger', 0);
        await pause();
      };
      await tap();
      expect(states).toEqual(['session-started']);
      device.quaternion.set(-0.3827, 0, 0, 0.9239); // looks down, 45 degrees
      await expect.poll(seesFloor).toBe(true);
      await tap();
      expect(states).toEqual(['session-started', 'object-placed']);
      overlay.querySelector('button')!.click();
      await expect.poll(() => states.at(-1)).toBe('not-presenting');
    } finally {
      device.uninstallRuntime();
    }
  });

  it('opens Scene Viewer on Android if src is a GLB', async () => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (Linux; Android 16)');
    const links = clicked();
    const source = add(PIP);
    await source.ready;
    const { blob } = await source.exportGlb();
    const fetched = globalThis.fetch;
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) =>
      String(input instanceof Request ? input.url : input).endsWith('/shoe.glb') ? new Response(blob) : fetched(input, init),
    );
    const element = add({ src: '/shoe.glb', alt: 'A shoe', ar: '' });
    await element.ready;
    await expect.poll(() => button(element) && isShown(button(element)!)).toBe(true);
    button(element)!.click();
    const [address = '', intent = ''] = links[0]!.href.split('#');
    const parameters = new URL(address.replace('intent:', 'https:')).searchParams;
    expect(Object.fromEntries(parameters)).toEqual({
      file: new URL('/shoe.glb', location.href).href,
      mode: 'ar_preferred',
      title: 'A shoe',
    });
    expect(intent).toContain('S.browser_fallback_url=');
    const other = add({ ...PIP, ar: '' }); // Scene Viewer cannot read this format
    await other.ready;
    await expect.poll(() => button(other)).not.toBeNull();
    await frame();
    expect(isShown(button(other)!)).toBe(false);
    const local = add({ ar: '' });
    local.files = [await fileOf(demo('Pip.psk'))];
    await local.ready;
    await expect.poll(() => button(local)).not.toBeNull();
    expect(isShown(button(local)!)).toBe(false);
  });
});
