// The package's types in a strict project; `npm run consumers` compiles it with old and new TypeScript.
import { configure, open, prepare } from 'rigcast';
import { convert } from 'rigcast/convert';
import 'rigcast/element';
import type { RigcastViewerElement } from 'rigcast/element';
import 'rigcast/inline';
import { useRigcast } from 'rigcast/r3f';
import { RigcastViewer } from 'rigcast/react';
import { Animator, bind, type BindOptions, maskOf } from 'rigcast/rig';
import { bind as bindToObjects, type BindOptions as ObjectBindOptions, RigcastLoader } from 'rigcast/three';

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
  element.animation = ['Run', 'Wave'];
  if (!file.scene) return [];
  const options: BindOptions = { lockRoot: true, retargetFrom: file.scene };
  const objectOptions: ObjectBindOptions = options; // options of the pose engine also suit three.js
  const [clip] = file.scene.clips;
  const bound = clip && [bind(clip, file.scene, options).report, await bindToObjects(clip, rig, objectOptions)];
  // @ts-expect-error a scene has no objects
  const wrong = () => bindToObjects(clip, file.scene, options);
  const animator = new Animator(file.scene);
  animator.world.update(animator.pose);
  // @ts-expect-error internal
  animator.world.touch(0);
  return [positions, rig.scene, files[0]?.bytes, animator, maskOf(file.scene, {}), bound, wrong, RigcastViewer, useRigcast.preload];
}
