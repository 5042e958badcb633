// Files of other three.js loaders in a browser, which decodes their images.
import { expect, test } from 'vitest';
import { convert } from '../../../../web/src/convert/index.ts';
import { openImportedRig } from '../../../../web/src/interop/open.ts';
import { CompanionFiles } from '../../../../web/src/session/companionFiles.ts';
import { Rig } from '../../../../web/src/three/rig.ts';

async function demo(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(new URL(`../../../../web/src/viewer/demo/${name}`, import.meta.url));
  return new Uint8Array(await response.arrayBuffer());
}

test('a GLB shows its embedded texture', async () => {
  const png = await demo('Pip_D.png');
  const images = { image: async (name: string) => ({ name, bytes: png }), text: async () => null, names: ['Pip_D.png'] };
  const { files } = await convert([new File([await demo('Pip.psk')], 'Pip.psk')], { to: 'glb', images });
  const file = new File([files[0]!.bytes as Uint8Array<ArrayBuffer>], 'Pip.glb');
  const rig = await openImportedRig({ path: file.name, file }, new CompanionFiles(), new AbortController().signal, Rig.make);
  const materials = rig.meshes.flatMap(mesh => mesh?.material ?? []) as { map?: { image?: { width: number } } }[];
  expect(materials.map(({ map }) => map?.image?.width)).toContain(1024);
  expect(rig.report.items).toEqual([]);
  rig.dispose();
});
