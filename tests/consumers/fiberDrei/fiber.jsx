// react-three-fiber and drei: a model by useLoader, its motions by useAnimations, and a clone that stands beside it.
import { Clone, useAnimations } from '@react-three/drei';
import { Canvas, useFrame, useLoader } from '@react-three/fiber';
import { open } from 'rigcast';
import { RigcastLoader } from 'rigcast/three';
import { Suspense, useEffect, useMemo, useRef } from 'react';
import { createRoot } from 'react-dom/client';

globalThis.openFile = open;
const told = loader => void loader.setFiles(['hero.psk', 'run.psa', 'hero_D.png']);

function Hero() {
  const rig = useLoader(RigcastLoader, './hero.psk', told);
  const motion = useLoader(RigcastLoader, './run.psa', told);
  const { animations } = useMemo(() => rig.bind(motion), [rig, motion]);
  const { actions, names } = useAnimations(animations, rig.scene);
  const clone = useRef();
  useEffect(() => void actions[names[0]].play(), [actions, names]);
  const bone = rig.nodes[rig.nodes.length - 1];
  const start = useMemo(() => bone.quaternion.clone(), [bone]);
  useFrame(() => {
    if (bone.quaternion.angleTo(start) === 0 || !clone.current) return;
    document.querySelector('#says').textContent = `nodes of a rig of ${rig.nodes.length} move`;
  });
  return (
    <>
      <primitive object={rig.scene} />
      <Clone ref={clone} object={rig.scene} position={[1, 0, 0]} />
    </>
  );
}

createRoot(document.querySelector('#app')).render(
  <Canvas camera={{ position: [0, 1, 3] }}>
    <ambientLight />
    <Suspense>
      <Hero />
    </Suspense>
  </Canvas>,
);
