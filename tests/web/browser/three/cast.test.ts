// Cast files in pixels: shaders with emission masks and gloss compile and read the right channel,
// hair has the right width, and mirrored instances show their front faces.
import { AmbientLight, Color, InstancedMesh, LineSegments, OrthographicCamera, Scene, Vector3, WebGLRenderer } from 'three';
import { afterAll, describe, expect, it } from 'vitest';
import { type Rig, RigcastLoader } from '../../../../web/src/three/index.ts';
import { castFile, type CastNode, instance, metadata, model, node, triangle } from '../../../support/castFile.ts';

const SIZE = 128;
const renderer = new WebGLRenderer({ antialias: false, preserveDrawingBuffer: true });
renderer.setSize(SIZE, SIZE);
afterAll(() => renderer.dispose());

/** Orthographic camera, four metres wide, centred at the origin. */
const camera = new OrthographicCamera(-2, 2, 2, -2, 0.1, 10);
camera.position.z = 5;

function draw(rig: Rig, light = 3): (x: number, y: number) => number[] {
  const scene = new Scene();
  scene.background = new Color(0, 0, 1);
  scene.add(new AmbientLight(0xffffff, light), rig.scene);
  renderer.render(scene, camera);
  const gl = renderer.getContext();
  const pixels = new Uint8Array(4 * SIZE * SIZE);
  gl.readPixels(0, 0, SIZE, SIZE, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  return (x, y) => {
    const at = new Vector3(x, y, 0).project(camera);
    const pixel = Math.floor(((at.y + 1) / 2) * SIZE) * SIZE + Math.floor(((at.x + 1) / 2) * SIZE);
    return [...pixels.subarray(4 * pixel, 4 * pixel + 3)];
  };
}

const blue = [0, 0, 255];
const tga = (r: number, g: number, b: number): Uint8Array =>
  Uint8Array.from([0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 32, 0x28, b, g, r, 255]);

function material(slots: Record<string, string | readonly [number, number, number, number]>): CastNode {
  const targets = Object.entries(slots).map(
    ([slot, value]) =>
      [
        slot,
        typeof value === 'string' ? node('file', { p: ['s', value] }) : node('colr', { cs: ['s', 'linear'], rgba: ['4v', value] }),
      ] as const,
  );
  return node(
    'matl',
    { n: ['s', 'cloth'], t: ['s', 'pbr'], ...Object.fromEntries(targets.map(([slot, { hash }]) => [slot, ['l', hash] as const])) },
    ...targets.map(([, target]) => target),
  );
}

const open = (bytes: Uint8Array, files: Record<string, Uint8Array> = {}, loader = new RigcastLoader()): Promise<Rig> =>
  loader.setFiles(new Map(Object.entries(files))).parseAsync(bytes, '', 'world.cast');

describe('materials', () => {
  const shown = async (slots: Parameters<typeof material>[0], files: Record<string, Uint8Array>): Promise<number[]> => {
    const made = material(slots);
    const rig = await open(
      castFile(
        model(
          'm',
          made,
          triangle('t', 1, {
            ul: ['b', [1]],
            u0: ['2v', [0, 0, 1, 0, 0, 1]],
            vn: ['3v', [0, 0, 1, 0, 0, 1, 0, 0, 1]],
            m: ['l', made.hash],
          }),
        ),
      ),
      files,
    );
    const pixel = draw(rig, 0)(0.2, 0.2);
    rig.dispose();
    return pixel;
  };

  it('multiplies emission by the red channel', async () => {
    const green = { 'e.tga': tga(0, 255, 0) };
    const slots = { albedo: [0, 0, 0, 1], emissive: 'e.tga', emask: 'k.tga' } as const;
    expect(await shown(slots, { ...green, 'k.tga': tga(255, 0, 0) })).toEqual([0, 255, 0]);
    expect(await shown(slots, { ...green, 'k.tga': tga(0, 255, 255) })).toEqual([0, 0, 0]);
    expect(await shown({ albedo: [0, 0, 0, 1], emask: 'k.tga' }, { 'k.tga': tga(255, 0, 0) })).toEqual([255, 255, 255]);
  });

  it('compiles specular, gloss and specular intensity', async () => {
    const grey = tga(128, 128, 128);
    const errors: unknown[] = [];
    renderer.debug.onShaderError = (...what) => errors.push(what);
    const files = { 'a.tga': grey };
    await shown({ albedo: 'a.tga', specular: 'a.tga', gloss: 'a.tga', normal: 'a.tga', ao: 'a.tga' }, files);
    await shown({ albedo: 'a.tga', specular: 'a.tga', metal: 'a.tga', roughness: 'a.tga', emask: 'a.tga' }, files);
    expect(errors).toEqual([]);
  });
});

describe('hair', () => {
  it('has the requested width', async () => {
    const made = material({ albedo: [1, 1, 0, 1] });
    const bytes = castFile(model('m', made, node('hair', { se: ['b', [1]], pt: ['3v', [0, -1, 0, 0, 1, 0]], m: ['l', made.hash] })));
    const thin = await open(bytes);
    const wide = await open(bytes, {}, new RigcastLoader().setOptions({ strandWidth: 16 }));
    expect(thin.meshes[0]).toBeInstanceOf(LineSegments);
    const off = 6 * (4 / SIZE); // six pixels from the centre
    expect(draw(thin)(off, 0)).toEqual(blue);
    expect(draw(wide)(off, 0)).toEqual([255, 255, 0]);
    expect(draw(wide)(2 * off, 0)).toEqual(blue);
    const tube = await open(bytes, {}, new RigcastLoader().setOptions({ strandWidth: 0.5, strandUnit: 'metres' }));
    expect(draw(tube)(0.2, 0)).toEqual([255, 255, 0]);
    expect(draw(tube)(0.3, 0)).toEqual(blue);
  });
});

describe('worlds', () => {
  it('show front faces of mirrored and other instances, and back faces only if double-sided', async () => {
    const world = (sides: 'file' | 'front') =>
      open(
        castFile(
          metadata({ up: 'y' }),
          instance('t.cast', { p: [0.2, 0.2, 0] }),
          instance('t.cast', { p: [-0.2, 0.2, 0], s: [-1, 1, 1] }),
          instance('t.cast', { p: [-0.2, -0.2, 0], s: [-1, -1, 1] }),
          instance('t.cast', { p: [1.4, -1.6, 0], r: [0, 1, 0, 0] }),
        ),
        { 't.cast': castFile(model('m', triangle('t'))) },
        new RigcastLoader().setOptions({ sides }),
      );
    const rig = await world('front');
    expect(rig.scene.getObjectByProperty('isInstancedMesh', true)).toBeInstanceOf(InstancedMesh);
    const at = draw(rig);
    expect(at(0.4, 0.4)).not.toEqual(blue);
    expect(at(-0.4, 0.4)).not.toEqual(blue);
    expect(at(-0.4, -0.4)).not.toEqual(blue);
    expect(at(0.4, -0.4)).toEqual(blue);
    expect(at(1.2, -1.4)).toEqual(blue); // back face
    rig.dispose();
    const both = await world('file');
    expect(draw(both)(1.2, -1.4)).not.toEqual(blue);
    both.dispose();
  });

  it('are found below the URL of their file', async () => {
    const base = `${location.origin}/worlds/`;
    const files = new Map([
      [`${base}city.cast`, castFile(metadata({ sr: 'assets' }), instance('props\\a crate.cast'), instance('gone.cast'))],
      [`${base}assets/props/a%20crate.cast`, castFile(model('m', triangle('t')))],
    ]);
    const fetched = globalThis.fetch;
    const asked: string[] = [];
    globalThis.fetch = async input => {
      const url = input instanceof Request ? input.url : String(input);
      if (!url.startsWith(base)) return fetched(input);
      asked.push(url.slice(base.length));
      const bytes = files.get(url);
      return bytes ? new Response(bytes as Uint8Array<ArrayBuffer>) : new Response('', { status: 404 });
    };
    try {
      const rig = await new RigcastLoader().setOptions({ worker: false }).loadAsync(`${base}city.cast`); // a worker would bypass the stubbed fetch
      expect(rig.instanceRigs).toHaveLength(1);
      expect(draw(rig)(0.2, 0.2)).not.toEqual(blue);
      expect(rig.report.items.map(({ code, path }) => [code, path])).toEqual([['INSTANCE_MISSING', 'gone.cast']]);
      expect(asked.toSorted()).toEqual(['assets/gone.cast', 'assets/props/a%20crate.cast', 'city.cast', 'gone.cast']);
    } finally {
      globalThis.fetch = fetched;
    }
  });
});
