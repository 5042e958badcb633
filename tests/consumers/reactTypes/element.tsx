// The element in JSX, of React 18 and 19 alike: flags are texts, and what happens is heard through a ref.
import { open } from 'rigcast';
import type { RigcastViewerElement } from 'rigcast/element';
import 'rigcast/element/react';
import { useEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';

Object.assign(globalThis, { openFile: open });

function Hero() {
  const viewer = useRef<RigcastViewerElement>(null);
  const [says, say] = useState('');
  useEffect(() => {
    const element = viewer.current;
    const tell = () => say(`${element?.currentAnimations.join()} of ${element?.animations.length} animations plays`);
    element?.addEventListener('play', tell);
    return () => element?.removeEventListener('play', tell);
  }, []);
  return (
    <>
      <rigcast-viewer ref={viewer} src="./hero.psk" files="./run.psa ./hero_D.png" autoplay="" controls="" speed={2} loop="pingpong" />
      <p>{says}</p>
    </>
  );
}

createRoot(document.querySelector('#app')!).render(<Hero />);
