// Files that the element creates: GLB by `exportGlb` and by the button of the toolbar.
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SkinnedMesh, MeshStandardMaterial } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { en } from '../../../../web/src/element/words/en.ts';
import { add, at, demo, fileOf, frame, inside, isShown, part } from './support.ts';

const PIP = { src: demo('Pip.psk'), files: `${demo('Pip.psa')} ${demo('Pip_D.png')}` };

afterEach(() => {
  document.querySelectorAll('rigcast-viewer').forEach(element => element.remove());
  vi.restoreAllMocks();
});

async function meshesIn(blob: Blob): Promise<{ meshes: SkinnedMesh[]; animations: string[] }> {
  const { scene, animations } = await new GLTFLoader().parseAsync(await blob.arrayBuffer(), '');
  const meshes: SkinnedMesh[] = [];
  scene.traverse(object => 'isSkinnedMesh' in object && meshes.push(object as SkinnedMesh));
  return { meshes, animations: animations.map(({ name }) => name) };
}

describe('exportGlb', () => {
  it('returns the model with its textures and all animations, and a report of losses', async () => {
    const element = add(PIP);
    await expect(element.exportGlb()).rejects.toMatchObject({ code: 'NO_MODEL' });
    await element.ready;
    const onProgress = vi.fn();
    element.addEventListener('progress', onProgress);
    const { name, blob, report } = await element.exportGlb();
    expect([name, blob.type]).toEqual(['Pip.glb', 'model/gltf-binary']);
    expect(report.items.filter(({ kind }) => kind === 'loss')).toEqual([]);
    expect(report.items.map(({ code }) => code)).not.toContain('TEXTURES_NONE');
    const { meshes, animations } = await meshesIn(blob);
    expect(animations.sort()).toEqual(element.animations.map(each => each.name).sort());
    expect(animations.length).toBeGreaterThan(1);
    const map = (meshes[0]!.material as MeshStandardMaterial).map;
    expect((map?.image as ImageBitmap | undefined)?.width).toBeGreaterThan(1);
    expect(onProgress).not.toHaveBeenCalled();
  });

  it('uses local files, and images of fileResolver', async () => {
    const element = add();
    element.fileResolver = async ({ kind, name }) => {
      if (kind === 'material' && name === 'Pip.mat') return new Blob(['Diffuse=Pip_D\n']);
      return kind === 'texture' && name.startsWith('Pip_D') ? fileOf(demo('Pip_D.png')) : null;
    };
    element.files = [await fileOf(demo('Pip.psk'))];
    await element.ready;
    const { meshes, animations } = await meshesIn((await element.exportGlb()).blob);
    expect((meshes[0]!.material as MeshStandardMaterial).map).not.toBeNull();
    expect(animations).toEqual([]);
  });

  it('has the only image of a folder if no other model is in it, as the picture', async () => {
    const image = new File([await fileOf(demo('Pip_D.png'))], 'unnamed.png');
    const model = await fileOf(demo('Pip.psk'));
    const mapOf = async (files: File[]): Promise<boolean[]> => {
      const element = add();
      element.files = files;
      const { rig } = await element.ready;
      const shown = rig.materialsOf(0).some(material => (material as MeshStandardMaterial).map !== null);
      const { meshes } = await meshesIn((await element.exportGlb()).blob);
      return [shown, meshes.some(({ material }) => (material as MeshStandardMaterial).map !== null)];
    };
    expect(await mapOf([model, image])).toEqual([true, true]);
    expect(await mapOf([model, image, await fileOf(at('tests/data/unreal/arm.psk'))])).toEqual([false, false]);
  });

  it('returns a GLB unchanged, unless files adds animations', async () => {
    const source = add(PIP);
    await source.ready;
    const { blob } = await source.exportGlb();
    const element = add();
    const file = new File([blob], 'hero.glb');
    element.files = [file];
    await element.ready;
    const same = await element.exportGlb();
    expect(same.name).toBe('hero.glb');
    expect(same.report.items).toEqual([]);
    expect(new Uint8Array(await same.blob.arrayBuffer())).toEqual(new Uint8Array(await blob.arrayBuffer()));
    element.files = [file, new File([await fileOf(demo('Pip.psa'))], 'more.psa')];
    await frame();
    await element.ready;
    const more = await element.exportGlb();
    expect((await meshesIn(more.blob)).animations).toHaveLength(element.animations.length);
    expect(element.animations.length).toBe(2 * source.animations.length);
    expect(more.report.items.map(({ code }) => code)).not.toContain('TEXTURE_NOT_AT_HAND');
    const { map } = (await meshesIn(more.blob)).meshes[0]!.material as MeshStandardMaterial;
    expect(map).not.toBeNull();
  });
});

describe('the attribute download', () => {
  const saved = (): { name: string; href: string }[] => {
    const links: { name: string; href: string }[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      links.push({ name: this.download, href: this.href });
    });
    return links;
  };

  async function withToolbar(attributes: Record<string, string>): Promise<ReturnType<typeof add>> {
    const element = add({ ...PIP, controls: '', ...attributes });
    element.style.width = '600px';
    await element.ready;
    await expect.poll(() => element.shadowRoot!.querySelector("[part='toolbar']")).not.toBeNull();
    return element;
  }

  it('adds a button that saves the model', async () => {
    const links = saved();
    const element = await withToolbar({});
    const button = part(element, 'download-button');
    expect(isShown(button)).toBe(false);
    element.download = true;
    await expect.poll(() => isShown(button)).toBe(true);
    expect(button.title).toBe(en.download);
    button.click();
    await expect.poll(() => links.map(({ name }) => name)).toEqual(['Pip.glb']);
    const { meshes } = await meshesIn(await (await fetch(links[0]!.href)).blob());
    expect(meshes.length).toBeGreaterThan(0);
    element.download = false;
    await expect.poll(() => isShown(button)).toBe(false);
  });

  it('tells the visitor if the model could not be saved', async () => {
    const links = saved();
    const onError = vi.spyOn(console, 'error').mockImplementation(() => {});
    const element = await withToolbar({ download: '' });
    const button = inside<HTMLButtonElement>(element, "[part='download-button']");
    element.exportGlb = () => Promise.reject(new Error('not today'));
    button.click();
    expect(button.disabled).toBe(true);
    await expect.poll(() => button.title).toBe(en.downloadFailed);
    expect(button.disabled).toBe(false);
    expect(onError).toHaveBeenCalledOnce();
    expect(links).toEqual([]);
  });
});
