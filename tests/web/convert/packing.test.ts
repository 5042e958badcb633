// Converts files to compressed GLB. The decompressed content is unchanged, and content that cannot
// be compressed is reported.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Document, NodeIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS } from '@gltf-transform/extensions';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { describe, expect, it } from 'vitest';
import { convert, type ConvertOptions } from '../../../web/src/convert/index.ts';
import { decodePng } from '../../../web/src/convert/common/pngDecode.ts';
import { open, type RigFile } from '../../../web/src/core/index.ts';

const at = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const read = (path: string): Promise<RigFile> => open(readFileSync(at(path)), { name: path.split('/').at(-1)!, worker: false });

async function glb(files: readonly RigFile[], gltf: ConvertOptions['gltf'] = {}): Promise<{ bytes: Uint8Array; document: Document }> {
  const names = ['Pip_D.png', 'Tock_albedo.png', 'Tock_normal.png'];
  const find = (path: string): string | undefined => names.find(name => path.includes(name.replace('.png', '')));
  const image = (path: string): Promise<{ name: string; bytes: Uint8Array } | null> => {
    const name = find(path);
    return Promise.resolve(name === undefined ? null : { name, bytes: readFileSync(at(`web/src/viewer/demo/${name}`)) });
  };
  const { files: made } = await convert(files, { to: 'glb', gltf, images: { names, image } });
  await MeshoptDecoder.ready;
  const io = new NodeIO().registerExtensions(ALL_EXTENSIONS).registerDependencies({ 'meshopt.decoder': MeshoptDecoder });
  return { bytes: made[0]!.bytes, document: await io.readBinary(made[0]!.bytes) };
}

/** Returns the faces. The indices of each face are rotated so that the smallest index is first. */
const turned = (indices: ArrayLike<number>): string[] =>
  Array.from({ length: indices.length / 3 }, (_, i) => {
    const face = [0, 1, 2].map(c => indices[3 * i + c]!);
    const first = face.indexOf(Math.min(...face));
    return [...face.slice(first), ...face.slice(0, first)].join();
  });

function contents(document: Document): object {
  const root = document.getRoot();
  const column = (accessor: { getArray(): ArrayLike<number> | null } | null): number[] => Array.from(accessor?.getArray() ?? []);
  return {
    meshes: root
      .listMeshes()
      .map(mesh =>
        mesh
          .listPrimitives()
          .map(primitive => ({
            faces: primitive.getMode() === 4 ? turned(column(primitive.getIndices())) : column(primitive.getIndices()),
            attributes: primitive.listSemantics().map(name => [name, column(primitive.getAttribute(name))]),
            shapes: primitive.listTargets().map(target => target.listSemantics().map(name => [name, column(target.getAttribute(name))])),
          })),
      ),
    skins: root.listSkins().map(skin => column(skin.getInverseBindMatrices())),
    animations: root
      .listAnimations()
      .map(each => each.listSamplers().map(sampler => [column(sampler.getInput()), column(sampler.getOutput())])),
    images: root.listTextures().map(texture => [texture.getMimeType(), column({ getArray: () => texture.getImage() })]),
  };
}

describe('meshopt', () => {
  it.each([
    ['a model with motions', ['web/src/viewer/demo/Pip.psk', 'web/src/viewer/demo/Pip.psa']],
    ['hair, shapes and images', ['web/src/viewer/demo/Tock.cast']],
    ['an avatar', ['web/src/viewer/demo/Lotl.vgo']],
  ])('keeps every number of %s in fewer bytes', async (_, paths) => {
    const files = await Promise.all(paths.map(read));
    const plain = await glb(files);
    const packed = await glb(files, { meshopt: true });
    expect(
      packed.document
        .getRoot()
        .listExtensionsRequired()
        .map(each => each.extensionName),
    ).toContain('EXT_meshopt_compression');
    expect(contents(packed.document)).toEqual(contents(plain.document));
    expect(packed.bytes.length).toBeLessThan(0.9 * plain.bytes.length);
  });

  it('and WebP are only available for glTF', async () => {
    await expect(convert([await read('web/src/viewer/demo/Pip.psk')], { to: 'cast', gltf: { meshopt: true } })).rejects.toThrow(
      /only available for glb, gltf/,
    );
  });
});

describe('metalness and roughness', () => {
  const demo = (name: string): Uint8Array => new Uint8Array(readFileSync(at(`web/src/viewer/demo/${name}`)));
  const image = (path: string): Promise<{ name: string; bytes: Uint8Array }> => {
    const name = path.split(/[/\\]/).at(-1)!;
    return Promise.resolve({ name, bytes: demo(name) });
  };

  it.each(['glb', 'vgo'] as const)('in separate textures become one texture in %s', async to => {
    const file = await read('web/src/viewer/demo/Tock.cast');
    const { files, report } = await convert([file], { to, images: { names: null, image } });
    expect(report.items.filter(({ code }) => code === 'TEXTURE_SLOT_LOST')).toEqual([]);
    const again = to === 'vgo' ? await open(files[0]!.bytes, { name: 'Tock.vgo', worker: false }) : null;
    const [metal, rough] = await Promise.all(['Tock_metal.png', 'Tock_roughness.png'].map(name => decodePng(demo(name))));
    const made = await decodePng(again ? imageOf(again) : await textureOf(files[0]!.bytes));
    expect([made.width, made.height]).toEqual([Math.max(metal!.width, rough!.width), Math.max(metal!.height, rough!.height)]);
    // Metallic textures of Unity contain metalness in red and smoothness in alpha.
    const [metalAt, roughAt] = to === 'vgo' ? [0, 3] : [2, 1];
    const wrong: string[] = [];
    for (let y = 0; y < made.height; y += 7)
      for (let x = 0; x < made.width; x += 5) {
        const pixel = (source: typeof made, channel: number): number =>
          source.data[
            4 * (Math.floor((y * source.height) / made.height) * source.width + Math.floor((x * source.width) / made.width)) + channel
          ]!;
        const roughness = to === 'vgo' ? 255 - pixel(made, roughAt) : pixel(made, roughAt);
        if (pixel(made, metalAt) !== pixel(metal!, 2) || roughness !== pixel(rough!, 1)) wrong.push(`${x}, ${y}`);
      }
    expect(wrong).toEqual([]);
  });

  function imageOf({ scene }: RigFile): Uint8Array {
    const slot = scene!.materials.flatMap(({ slots }) => slots).find(each => each.slot === 'metallicRoughness')!;
    return scene!.images[scene!.textures[slot.texture!]!.image!]!.bytes!;
  }

  async function textureOf(bytes: Uint8Array): Promise<Uint8Array> {
    const document = await new NodeIO().registerExtensions(ALL_EXTENSIONS).readBinary(bytes);
    const material = document
      .getRoot()
      .listMaterials()
      .find(each => each.getMetallicRoughnessTexture())!;
    expect([material.getMetallicFactor(), material.getRoughnessFactor()]).toEqual([1, 1]);
    return material.getMetallicRoughnessTexture()!.getImage()!;
  }
});

describe('WebP in Node', async () => {
  const hasSharp = await import('sharp' as string).then(
    () => true,
    () => false,
  );
  it.runIf(hasSharp)('has the same pixels, encoded by sharp', async () => {
    type Raw = { raw(): { toBuffer(): Promise<Buffer> }; ensureAlpha(): Raw };
    const { default: sharp } = (await import('sharp' as string)) as { default: (image: Uint8Array) => Raw };
    const file = await read('web/src/viewer/demo/Tock.cast');
    const [before, after] = await Promise.all(
      [{}, { webp: true }].map(async gltf => (await glb([file], gltf)).document.getRoot().listTextures()),
    );
    expect(after!.map(texture => texture.getMimeType())).toContain('image/webp');
    for (const [i, texture] of after!.entries()) {
      const [a, b] = await Promise.all([before![i]!, texture].map(each => sharp(each.getImage()!).ensureAlpha().raw().toBuffer()));
      expect(a!.equals(b!)).toBe(true);
    }
  });

  it.skipIf(hasSharp)('names the package to install if sharp is missing', async () => {
    await expect(glb([await read('web/src/viewer/demo/Tock.cast')], { webp: true })).rejects.toThrow(/npm install sharp/);
  });
});
