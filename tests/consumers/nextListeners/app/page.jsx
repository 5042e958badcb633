'use client';
// A page that the server renders. Its listeners work after hydration.
import { RigcastViewer } from 'rigcast/react';
import { useState } from 'react';

export default function Page() {
  const [nodes, setNodes] = useState(0);
  const [names, setNames] = useState([]);
  return (
    <main>
      <RigcastViewer
        src="/hero.psk"
        files="/run.psa /hero_D.png"
        autoplay
        controls
        onLoad={({ detail }) => setNodes(detail.rig.nodes.length)}
        onAnimationChange={({ detail }) => setNames(detail.names)}
      />
      <p>{nodes > 0 && `${nodes} nodes after hydration`}</p>
      <p>{names.length > 0 && `${names} plays`}</p>
    </main>
  );
}
