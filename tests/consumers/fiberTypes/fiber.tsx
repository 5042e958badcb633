// react-three-fiber and drei: the page of the documentation beside a model by useRigcast, whose animations are played by useAnimations of drei in a
// component that is rendered again and again, and a clone of it.
import { Clone, useAnimations } from '@react-three/drei';
import { Canvas, useFrame } from '@react-three/fiber';
import { open } from 'rigcast';
import { useRigcast } from 'rigcast/r3f';
import { Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import type { Group, Object3D } from 'three';
import { Hero } from './hero.tsx';

Object.assign(globalThis, { openFile: open });

const files = ['hero_D.png'];
const says = new Set<string>();
function say(text: string): void {
  says.add(text);
  document.querySelector('#says')!.textContent = [...says].join(', ');
}

/** Calls `moved` when a bone of an object has another rotation than at first. */
function useMoved(object: Object3D | null, moved: () => void): void {
  const before = useRef('');
  useFrame(() => {
    let now = '';
    object?.traverse(each => void ('isBone' in each && (now += each.quaternion.toArray().join())));
    if (before.current && before.current !== now) moved();
    before.current = now;
  });
}

function Animated() {
  const { scene, animations } = useRigcast('./hero.psk', { files: [...files], animations: ['./run.psa'] });
  const { actions, names } = useAnimations(animations, scene);
  const [renders, setRenders] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setRenders(count => count + 1), 100);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => void actions[names[0]!]?.play(), [actions, names]);
  useFrame(() => {
    if (renders > 12 && (actions[names[0]!]?.time ?? 0) > 1) say('the action of drei passes one second');
  });
  const clone = useRef<Group>(null);
  useMoved(scene, () => clone.current && say('the clone moves'));
  return (
    <>
      <primitive object={scene} />
      <Clone ref={clone} object={scene} position={[1, 0, 0]} />
    </>
  );
}

/** The component of docs/start.md. */
function Documented() {
  const { scene } = useRigcast('/hero.psk', { files, animations: '/run.psa' });
  useMoved(scene, () => say('the page of the documentation moves'));
  return useMemo(() => <Hero />, []);
}

useRigcast.preload('./hero.psk', { files, animations: ['./run.psa'] });
createRoot(document.querySelector('#app')!).render(
  <Canvas camera={{ position: [0, 1, 3] }}>
    <ambientLight />
    <Suspense>
      <Animated />
      <Documented />
    </Suspense>
  </Canvas>,
);
