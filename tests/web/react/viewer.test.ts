// <RigcastViewer> on a server, and its types.
import { createElement, createRef } from 'react';
import { renderToString } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { ATTRIBUTES, camel } from '../../../web/src/element/attributes.ts';
import * as manual from '../../../web/src/element/manual.ts';
import { EVENT_NAMES } from '../../../web/src/element/types.ts';
import { RigcastViewer, type RigcastViewerElement, type RigcastViewerProps } from '../../../web/src/react/index.ts';

/** Checked only by the compiler: @ts-expect-error fails if the compiler accepts a wrong value. */
export function compiled(): unknown {
  const right: RigcastViewerProps = {
    src: 'a.psk',
    cameraOrbit: '30deg 75deg auto',
    loop: 'pingpong',
    autoplay: true,
    speed: 2,
    files: [new File([], 'hero.psk')],
    fileResolver: () => null,
    className: 'x',
    onAnimationEvent: ({ detail }) => detail.time.toFixed(),
    onLoad: ({ detail }) => detail.rig.scene,
    onClick: event => event.currentTarget.play(),
  };
  const ref = createRef<RigcastViewerElement>();
  void ref.current?.play();
  // @ts-expect-error not a loop mode
  const a: RigcastViewerProps = { loop: 'forever' };
  // @ts-expect-error the detail of this event has no rig
  const b: RigcastViewerProps = { onTimeUpdate: ({ detail }) => detail.rig };
  // @ts-expect-error not a prop
  const c: RigcastViewerProps = { source: 'a.psk' };
  return [createElement(RigcastViewer, { ...right, ref }), a, b, c];
}

describe('RigcastViewer on a server', () => {
  it('renders the attributes of the element and its children, without defining the element', () => {
    expect('customElements' in globalThis).toBe(false);
    const props: RigcastViewerProps = {
      src: 'hero.psk',
      files: 'run.psa hero_D.png',
      autoplay: true,
      controls: false,
      speed: 2,
      cameraOrbit: '30deg 75deg auto',
      className: 'hero',
      style: { height: '10px' },
      onLoad: () => {},
      onAnimationEvent: () => {},
      fileResolver: () => null,
    };
    expect(renderToString(createElement(RigcastViewer, props, createElement('p', { slot: 'poster' }, 'soon')))).toBe(
      '<rigcast-viewer src="hero.psk" files="run.psa hero_D.png" autoplay="" speed="2" camera-orbit="30deg 75deg auto" class="hero" style="height:10px"><p slot="poster">soon</p></rigcast-viewer>',
    );
  });

  it('renders every attribute, and no local files', () => {
    for (const [name, syntax] of Object.entries(ATTRIBUTES)) {
      const value = syntax === 'flag' ? true : typeof syntax === 'number' || syntax === 'start' ? 3 : 'text';
      const text = value === true ? '' : String(value);
      expect(renderToString(createElement(RigcastViewer, { [camel(name)]: value }))).toBe(
        `<rigcast-viewer ${name}="${text}"></rigcast-viewer>`,
      );
    }
    expect(renderToString(createElement(RigcastViewer, { animation: ['Run', 'Wave'] }))).toBe(
      '<rigcast-viewer animation="[&quot;Run&quot;,&quot;Wave&quot;]"></rigcast-viewer>',
    );
    expect(renderToString(createElement(RigcastViewer, { files: new Map([['hero.psk', new Blob()]]) }))).toBe(
      '<rigcast-viewer></rigcast-viewer>',
    );
  });
});

it('the list of event names contains every event', () => {
  expect(EVENT_NAMES.map(name => name.toLowerCase()).toSorted()).toEqual(Object.keys(manual.EVENTS).toSorted());
});
