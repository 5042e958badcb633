// The element in JSX of Solid, which tsc checks: its attributes, and the details of its events.
import { open } from 'rigcast';
import 'rigcast/element/solid';
import { createSignal } from 'solid-js';
import { render } from 'solid-js/web';

Object.assign(globalThis, { openFile: open });

function Viewer() {
  const [nodes, setNodes] = createSignal(0);
  const [names, setNames] = createSignal('');
  return (
    <>
      <rigcast-viewer
        src="./hero.psk"
        files="./run.psa ./hero_D.png"
        autoplay
        controls
        speed={2}
        loop="pingpong"
        on:load={({ detail }) => setNodes(detail.rig.nodes.length)}
        on:animationchange={({ detail }) => setNames(detail.names.join())}
      />
      <p>
        {nodes()} nodes and more: {names()} plays
      </p>
    </>
  );
}

render(Viewer, document.querySelector('#app')!);
