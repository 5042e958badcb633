// <RigcastViewer> of React 18 and 19 alike, in a page whose markup was rendered before: attributes, listeners and the ref.
import { open } from 'rigcast';
import { RigcastViewer, type RigcastViewerElement } from 'rigcast/react';
import { useRef, useState } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';

Object.assign(globalThis, { openFile: open });

function Hero() {
  const viewer = useRef<RigcastViewerElement>(null);
  const [says, say] = useState('');
  const [nodes, setNodes] = useState(0);
  return (
    <>
      <RigcastViewer
        ref={viewer}
        src="./hero.psk"
        files="./run.psa ./hero_D.png"
        autoplay
        controls
        speed={2}
        loop="pingpong"
        className="hero"
        onLoad={({ detail }) => setNodes(detail.rig.nodes.length)}
        onPlay={() => say(`${viewer.current?.currentAnimations.join()} of ${viewer.current?.animations.length} animations plays`)}
      />
      <p>{says}</p>
      <p>{`${nodes || ''} nodes after hydration`.trim()}</p>
    </>
  );
}

const app = document.querySelector('#app')!;
app.innerHTML = renderToString(<Hero />);
if (!app.querySelector('rigcast-viewer.hero[autoplay][speed="2"]')) throw new Error(app.innerHTML);
hydrateRoot(app, <Hero />);
