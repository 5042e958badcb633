// The package's types in a strict project; `npm run consumers` compiles it with old and new TypeScript.
import { configure, open, prepare } from 'rigcast';
import { convert } from 'rigcast/convert';
import 'rigcast/element';
import type { RigcastViewerElement } from 'rigcast/element';
import 'rigcast/inline';
import { Animator, maskOf } from 'rigcast/rig';
import { RigcastLoader } from 'rigcast/three';

export async function use(element: RigcastViewerElement): Promise<unknown[]> {
  configure({ worker: '/worker.js' });
  await prepare();
  const file = await open(new Uint8Array(10), { name: 'hero.psk' });
  const positions: Float32Array | undefined = file.scene?.meshes[0]?.positions;
  const rig = await new RigcastLoader().loadAsync('hero.psk');
  const { files } = await convert([new File([], 'hero.psk')], { to: 'glb' });
  element.addEventListener('timeupdate', ({ detail }) => console.log(detail.time.toFixed()));
  // @ts-expect-error a word, no number
  element.loop = 3;
  return [positions, rig.scene, files[0]?.bytes, Animator, maskOf];
}
