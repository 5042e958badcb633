import { LoadingManager } from 'three';
import { describe, expect, it } from 'vitest';
import { RigcastError, RigcastLoader } from '../../../../web/src/three/index.ts';

function watched() {
  const calls: string[] = [];
  const manager = new LoadingManager(
    () => calls.push('done'),
    undefined,
    () => calls.push('error'),
  );
  return { loader: new RigcastLoader(manager), manager, calls };
}

const address = (...bytes: number[]) => URL.createObjectURL(new Blob([Uint8Array.from(bytes)]));

describe('RigcastLoader', () => {
  it('rejects unreadable files with the report, and notifies the manager', async () => {
    const { loader, calls } = watched();
    const error = await loader.loadAsync(address(1, 2, 3)).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RigcastError);
    expect((error as RigcastError).code).toBe('FILE_UNREADABLE');
    expect((error as RigcastError).report!.errors).toBeGreaterThan(0);
    await Promise.resolve();
    expect(calls).toContain('error');
    expect(calls.at(-1)).toBe('done');
  });

  it('passes network errors to onError', async () => {
    const { loader, calls } = watched();
    const error = await new Promise(resolve => loader.load('blob:nothing-here', () => resolve(null), undefined, resolve));
    expect(error).toBeInstanceOf(Error);
    await Promise.resolve();
    expect(calls).toContain('error');
  });

  it('requests companion files only from the folder of the file and its subfolders', async () => {
    const { cubeVgo } = (await import('../../../support/vgoFile.mjs' as string)) as {
      cubeVgo: (over: object, options: object) => { bytes: Uint8Array<ArrayBuffer>; resource: { bytes(): Uint8Array<ArrayBuffer> } };
    };
    const asked = async (external: string): Promise<[string[], number]> => {
      const { loader, manager } = watched();
      const { bytes, resource } = cubeVgo({}, { external });
      const urls: string[] = [];
      manager.setURLModifier(url => {
        if (url.endsWith('cube.vgo')) return URL.createObjectURL(new Blob([bytes]));
        urls.push(url);
        return URL.createObjectURL(new Blob([resource.bytes()]));
      });
      const meshes = await loader.loadAsync('there/cube.vgo').then(
        rig => rig.meshes.length,
        () => 0,
      );
      return [urls, meshes];
    };
    expect(await asked('cube.bin')).toEqual([['there/cube.bin'], 1]);
    expect(await asked('data/more/a cube.bin')).toEqual([['there/data/more/a%20cube.bin'], 1]);
    for (const name of [
      '../cube.bin',
      'data/../../cube.bin',
      '/cube.bin',
      'https://example.com/cube.bin',
      'data:,cube',
      'file:///cube.bin',
      '\\\\server\\cube.bin',
    ])
      expect(await asked(name), name).toEqual([[], 0]);
  });

  it('aborts pending loads and no later ones', async () => {
    const { loader } = watched();
    const first = loader.loadAsync(address(1)).catch((reason: unknown) => reason);
    loader.abort();
    expect(await first).toMatchObject({ name: 'AbortError' });
    expect(await loader.loadAsync(address(1)).catch((reason: unknown) => reason)).toBeInstanceOf(RigcastError);
  });

  it('accepts bytes, Blobs and Files in parse and parseAsync', async () => {
    const loader = new RigcastLoader();
    for (const data of [Uint8Array.of(1, 2), Uint8Array.of(1, 2).buffer, new Blob(['x']), new File(['x'], 'x.psk')]) {
      await expect(loader.parseAsync(data)).rejects.toBeInstanceOf(RigcastError);
      expect(await new Promise(resolve => loader.parse(data, '', () => resolve(null), resolve))).toBeInstanceOf(RigcastError);
    }
  });
});
