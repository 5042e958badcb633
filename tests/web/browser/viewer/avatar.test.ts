// Avatars in the viewer: demo, expressions, spring bones, keyboard, skies and licences.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { panels } from '../../../../web/src/viewer/panels/index.ts';
import type { Viewer } from '../../../../web/src/viewer/viewer.ts';
import { linkOf } from '../../../../web/src/viewer/panels/link.ts';
import { TestBody } from '../../../support/bodies.ts';
import { vgoBody } from '../../../support/vgoBody.ts';
import { vgoAnimation, vgoClip } from '../../../support/vgoClips.ts';
import { vrma } from '../../../support/vrma.ts';
// @ts-expect-error a plain script
import { cubeVgo as makeCube, encodeVgo as makeFile, VgoResource as Resource } from '../../../support/vgoFile.mjs';
import { dropOn, fetchBlob, frames, makeViewer, pictureOf, pixelsOf } from './support.ts';

const cubeVgo = makeCube as (
  over?: object,
  options?: object,
) => { bytes: Uint8Array<ArrayBuffer>; resource: { bytes(): Uint8Array<ArrayBuffer> } };

let viewer: Viewer;
const text = (selector: string): string => viewer.root.querySelector(selector)?.textContent ?? '';
const sceneText = (): string => [...viewer.root.querySelectorAll('.scene')].map(({ textContent }) => textContent).join(' ');
const scene = (selector: string): HTMLElement => viewer.root.querySelector<HTMLElement>(`.scene ${selector}`)!;
const slider = (name: string): HTMLInputElement =>
  [...viewer.root.querySelectorAll('.avatar .slider')]
    .find(label => label.querySelector('.name')!.textContent.startsWith(name))!
    .querySelector('input')!;

beforeAll(async () => {
  viewer = await makeViewer();
  await viewer.idle;
}, 120_000);
afterAll(() => viewer.dispose());
afterEach(() => viewer.close());

describe('the demo avatar, dropped as a file', () => {
  it('faces the camera, shows expressions and moves its spring bones', async () => {
    await dropOn(viewer, new File([await fetchBlob('web/src/viewer/demo/Lotl.vgo')], 'Lotl.vgo'));
    expect(text('.title')).toBe('Lotl.vgo');
    const { rig } = viewer.model!;
    expect(rig.scene.rotation.y).toBe(Math.PI);
    expect(rig.report.errors + rig.report.warnings).toBe(0);
    expect(pictureOf(viewer).drawn).toBeGreaterThan(1000);

    expect(rig.expressions.presets).toEqual(expect.arrayContaining(['happy', 'angry', 'blink', 'aa', 'oh']));
    const face = rig.meshes.find(mesh => mesh?.morphTargetInfluences?.length)!;
    slider('Happy').value = '0.5';
    slider('Happy').dispatchEvent(new Event('input'));
    expect(rig.expressions.get('happy')).toBe(0.5);
    expect(face.morphTargetInfluences!.filter(value => value > 0).length).toBeGreaterThan(1);
    [...viewer.root.querySelectorAll<HTMLButtonElement>('.avatar button')].find(button => button.textContent === 'Reset face')!.click();
    expect(face.morphTargetInfluences!.every(value => value === 0)).toBe(true);

    const bones = rig.springs!.bones;
    expect(bones.length).toBeGreaterThan(10);
    const turns = (): number[] => bones.flatMap(bone => bone.quaternion.toArray());
    viewer.viewport.settle(); // frames drawn so far may have moved the springs
    const rest = turns();
    viewer.playback.seek(0.4);
    for (let i = 0; i < 20; i++) rig.update(1 / 60);
    expect(turns()).not.toEqual(rest);
    const box = viewer.root.querySelector<HTMLInputElement>('#section-springs input')!;
    box.click();
    expect(turns()).toEqual(rest);
    for (let i = 0; i < 5; i++) rig.update(1 / 60);
    expect(turns()).toEqual(rest);
  }, 120_000);
});

describe('expressions', () => {
  const open = async (): Promise<void> => {
    await dropOn(viewer, new File([await fetchBlob('web/src/viewer/demo/Lotl.vgo')], 'Lotl.vgo'));
    viewer.select(-1);
    viewer.showSection('avatar');
    await vi.waitFor(() => expect(viewer.root.querySelectorAll('.avatar .check').length).toBeGreaterThan(0), 20_000);
  };
  const tile = (name: string): HTMLElement =>
    [...viewer.root.querySelectorAll<HTMLElement>('.tile')].find(one => one.querySelector('.name')!.textContent === name)!;
  const box = (name: string): HTMLInputElement =>
    [...viewer.root.querySelectorAll('.avatar .check')].find(one => one.textContent === name)!.querySelector('input')!;

  it('are selected one at a time from tiles with thumbnails', async () => {
    await open();
    const { expressions } = viewer.model!.rig;
    tile('Happy').click();
    expect([expressions.get('happy'), tile('Happy').ariaPressed]).toEqual([1, 'true']);
    tile('Angry').click();
    expect([expressions.get('happy'), expressions.get('angry'), tile('Happy').ariaPressed]).toEqual([0, 1, 'false']);
    tile('Angry').click();
    expect(expressions.list.every(({ weight }) => weight === 0)).toBe(true);
    const images = (): HTMLImageElement[] => [...viewer.root.querySelectorAll<HTMLImageElement>('.tile img')];
    await vi.waitFor(() => expect(images()).toHaveLength(expressions.list.length), 60_000);
    // Each tile shows its own face, and the model in the viewport is unchanged.
    const pictures = await Promise.all(images().map(async ({ src }) => new Uint8Array(await (await fetch(src)).arrayBuffer()).join()));
    expect(new Set(pictures).size).toBeGreaterThan(expressions.list.length / 2);
    expect(expressions.list.every(({ weight }) => weight === 0)).toBe(true);
    expect(viewer.view.cameraRig.externalCamera).toBeNull();
  }, 120_000);

  it('plays the breathing animation while no animation is selected, if the checkbox is on', async () => {
    await open();
    const { rig } = viewer.model!;
    const turns = (): number[] => rig.nodes.flatMap(({ quaternion }) => quaternion.toArray());
    rig.springs!.isOn = false;
    expect(viewer.playback.action).toBeNull();
    box('Breathing when idle').click();
    await vi.waitFor(() => expect(viewer.playback.action).not.toBeNull(), 20_000);
    viewer.playback.pause();
    const breath = [0, 1, 2].map(time => {
      viewer.playback.seek(time);
      return turns()
        .map(value => value.toFixed(4))
        .join();
    });
    expect(new Set(breath).size).toBe(3);
    viewer.select(0);
    expect(viewer.played.value!.name).toBe('Hop');
    viewer.select(-1);
    expect(viewer.playback.action).not.toBeNull();
    box('Breathing when idle').click();
    await vi.waitFor(() => expect(viewer.playback.action).toBeNull());
  }, 120_000);

  it('turns the eyes to the pointer and blinks if the checkboxes are on', async () => {
    await open();
    const { rig } = viewer.model!;
    const avatar = (await rig.avatar())!;
    const { canvas } = viewer.viewport.sharedRenderer;
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const turns = (): number[] => rig.nodes.flatMap(({ quaternion }) => quaternion.toArray());
    const faces = (): number[] => rig.meshes.flatMap(mesh => [...(mesh?.morphTargetInfluences ?? [])]);
    rig.springs!.isOn = false;
    box('Eyes follow pointer').click();
    const seen = [0.05, 0.95].map(share => {
      canvas.dispatchEvent(new PointerEvent('pointermove', { clientX: left + width * share, clientY: top + height / 2 }));
      for (let i = 0; i < 60; i++) rig.update(1 / 60);
      return [...turns(), ...faces()].map(value => value.toFixed(3)).join();
    });
    expect(seen[0]).not.toBe(seen[1]);
    box('Eyes follow pointer').click();
    expect(avatar.target).toBeNull();
    box('Blinking').click();
    const atRest = faces().join();
    let blinks = 0;
    for (let i = 0; i < 1200; i++) {
      rig.update(1 / 60);
      if (faces().join() !== atRest) blinks++;
    }
    expect(blinks).toBeGreaterThan(4);
    expect(blinks).toBeLessThan(600);
  }, 120_000);
});

describe('the same puppet as left-handed JSON and right-handed BSON', () => {
  it('looks the same in both files', async () => {
    const picture = async (name: string): Promise<Uint8ClampedArray> => {
      await dropOn(viewer, new File([await fetchBlob(`tests/data/vgo/${name}`)], name));
      expect(text('.title')).toBe(name);
      expect(viewer.model!.rig.report.errors + viewer.model!.rig.report.warnings).toBe(0);
      await frames(3); // until the layout of the welcome page is replaced
      expect(pictureOf(viewer).drawn).toBeGreaterThan(300);
      return pixelsOf(viewer);
    };
    const difference = (a: Uint8ClampedArray, b: Uint8ClampedArray): number =>
      a.reduce((sum, value, i) => sum + Math.abs(value - b[i]!), 0) / a.length;
    const left = await picture('puppet.vgo');
    const right = await picture('puppet-rh-tl-bson.vgo');
    expect(difference(left, right)).toBeLessThan(0.1);
    viewer.model!.rig.expressions.set('happy', 1);
    expect(difference(left, pixelsOf(viewer))).toBeGreaterThan(0.1); // a different picture is detected
  }, 120_000);
});

describe('a file that needs another file', () => {
  const key = new Uint8Array(32).fill(0x5a);
  const iv = new Uint8Array(16).fill(0x21);
  const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

  it('asks for the key of an encrypted file, reports a wrong key and opens the file with the right one', async () => {
    const { cbc } = await import('@noble/ciphers/aes.js');
    const locked = new File(
      [cubeVgo({}, { encrypt: (bytes: Uint8Array) => cbc(key, iv).encrypt(bytes), crypt: { iv: base64(iv) } }).bytes],
      'cube.vgo',
    );
    await dropOn(viewer, locked);
    expect(viewer.model).toBeNull();
    expect(text('.problem h2')).toBe('cube.vgo is encrypted.');
    expect(text('.problem p')).toContain('cube.vgk');
    expect(text('.problem .primary')).toBe('Choose key file');
    expect(document.activeElement).toBe(viewer.root.querySelector('.problem .primary'));
    await dropOn(viewer, new File([new Uint8Array(32)], 'cube.vgk'));
    expect(text('.problem h2')).toBe('This key can’t decrypt cube.vgo.');
    await dropOn(viewer, new File([key.subarray(1)], 'cube.vgk'));
    expect(text('.problem p')).toContain('31 bytes');
    await dropOn(viewer, new File([key], 'other name.vgk'));
    expect(viewer.root.querySelector<HTMLElement>('.problem')!.hidden).toBe(true);
    expect(document.activeElement).toBe(viewer.viewport.sharedRenderer.canvas);
    expect(viewer.model!.file.scene!.meshes).toHaveLength(1);
  }, 120_000);

  it('asks for the data file and does not fetch its URL', async () => {
    const { bytes, resource } = cubeVgo({}, { external: 'cube.bin' });
    await dropOn(viewer, new File([bytes], 'cube.vgo'));
    expect(text('.problem h2')).toBe('cube.vgo needs another file: “cube.bin”.');
    await dropOn(viewer, new File([resource.bytes()], 'cube.bin'));
    expect(viewer.model!.file.scene!.meshes[0]!.vertexCount).toBe(24);
    // The card shows the URL, but the page does not fetch it.
    await dropOn(viewer, new File([cubeVgo({}, { external: 'https://example.com/there/cube.bin' }).bytes], 'cube.vgo'));
    expect(text('.problem p')).toContain('Drop that file here too');
    expect(text('.problem p')).toContain('“https://example.com/there/cube.bin”');
    expect(performance.getEntriesByType('resource').filter(({ name }) => name.includes('example.com'))).toEqual([]);
  }, 120_000);
});

describe('other content of a file', () => {
  it('plays the animation that is set to start automatically', async () => {
    const nodes = [
      { name: 'root', isRoot: true, children: [1], animation: vgoAnimation(0, { playAutomatically: false }) },
      { name: 'cube', meshRenderer: { name: 'cube', mesh: 0, materials: [0] }, animation: vgoAnimation(1) },
    ];
    await dropOn(
      viewer,
      new File([cubeVgo({ nodes, animationClips: [vgoClip('waits', 'y', 1, 4), vgoClip('plays', 'y', 1, 4)] }).bytes], 'cube.vgo'),
    );
    expect(viewer.animationNames).toEqual(['waits', 'plays']);
    expect(viewer.playback.action).toMatchObject({ name: 'plays', pingPong: true });
  }, 120_000);

  it('plays a VRM animation that is opened together with an avatar', async () => {
    const body = new TestBody();
    const parts = [
      'hips',
      'head',
      ...['left', 'right'].flatMap(side => ['UpperArm', 'LowerArm', 'UpperLeg', 'LowerLeg'].map(part => side + part)),
    ];
    const walk = vrma(
      body,
      body.clip('Walk', 1, 30, time => body.walk(time)),
      Object.fromEntries(parts.map(part => [part, part])),
      { happy: [0], gaze: [0, 0] },
    );
    await dropOn(viewer, new File([vgoBody(new TestBody({ yaw: 180 }))], 'avatar.vgo'), new File([walk], 'walk.vrma'));
    await vi.waitFor(() => expect(viewer.rows.value[viewer.selected]?.source.retargeted?.method).toBe('body'), { timeout: 20_000 });
    expect(viewer.playback.action?.name).toBe('Walk');
  }, 120_000);

  it('plays several automatic animations together, each with its own duration', async () => {
    const nodes = [
      { name: 'root', isRoot: true, children: [1, 2, 3, 4] },
      { name: 'cube', meshRenderer: { name: 'cube', mesh: 0, materials: [0] }, animation: vgoAnimation(0) },
      { name: 'other', meshRenderer: { name: 'other', mesh: 0, materials: [0] }, animation: vgoAnimation(1) },
      { name: 'off', animation: vgoAnimation(2, { enabled: false }) },
      { name: 'hidden', isActive: false, animation: vgoAnimation(3) },
    ];
    const animationClips = [vgoClip('a', 'x', 1, 2), vgoClip('b', 'y', 1.5, 1), vgoClip('off', 'x', 1, 2), vgoClip('hidden', 'x', 1, 2)];
    await dropOn(viewer, new File([cubeVgo({ nodes, animationClips }).bytes], 'cubes.vgo'));
    expect(viewer.animationNames).toEqual(['All automatic animations', 'a', 'b', 'off', 'hidden']);
    expect(viewer.selected).toBe(0);
    expect(viewer.playback.duration).toBe(3); // `a` loops three times, `b` stops half way
    viewer.playback.seek(1.75);
    const {
      nodes: [, , cube, other],
    } = viewer.model!.rig;
    expect([cube!.position.x, other!.position.y]).toEqual([0.75, 1.5]);
    viewer.select(1, false);
    viewer.playback.seek(0.5);
    expect([cube!.position.x, other!.position.y]).toEqual([0.5, 0]);
    await viewer.editSelected({ trim: { start: 0.75, end: 1 } });
    viewer.select(0, false); // plays the edited clip
    viewer.playback.seek(0);
    expect([cube!.position.x, other!.position.y]).toEqual([0.75, 0]);
  }, 120_000);

  it('shows sky, lights, outlines and rights, and asks before a link is opened', async () => {
    const nodes = [
      { name: 'root', isRoot: true, children: [1], skybox: { enabled: true, materialIndex: 1 }, light: 0, colliders: [0] },
      {
        name: 'cube',
        meshRenderer: { name: 'cube', mesh: 0, materials: [0] },
        right: {
          title: 'Cube',
          author: '<img src=x onerror=alert(1)>',
          licenseUrl: 'https://example.com/licence',
          distributionUrl: 'javascript:alert(1)',
        },
      },
    ];
    const materials = [
      { name: 'paint', shaderName: 'Standard', colorProperties: { _Color: [0.8, 0.2, 0.1, 1] } },
      { name: 'sky', shaderName: 'Skybox/Procedural', floatProperties: { _Exposure: 1.3 } },
    ];
    const lights = [{ type: 1, lightmapBakeType: 4, intensity: 1, color: [1, 1, 1, 1] }];
    const colliders = [{ type: 2, radius: 1.5 }];
    await dropOn(viewer, new File([cubeVgo({ nodes, materials, lights, colliders }).bytes], 'cube.vgo'));
    await frames(2);
    const { view } = viewer;
    expect(view.sky).not.toBeNull();
    expect(view.scene.background).not.toBeNull();
    expect(view.lighting).toBe('content');
    const look = (id: string): HTMLInputElement => scene(`[data-layer=${id}] input`) as HTMLInputElement;
    look('sky').click();
    expect(view.scene.background).toBeNull();
    look('fileLights').click();
    expect(view.lighting).toBe('studio');
    look('colliders').click();
    await frames(2);
    expect(view.overlays.getObjectByName('gizmos')!.children.filter(({ visible }) => visible)).toHaveLength(1);

    expect(sceneText()).toContain('<img src=x onerror=alert(1)>');
    expect(viewer.root.querySelector('.scene img, .scene a')).toBeNull();
    const links = viewer.root.querySelectorAll<HTMLButtonElement>('.scene .link');
    expect([...links].map(({ textContent }) => textContent)).toEqual(['https://example.com/licence']);
    links[0]!.click();
    await expect.poll(() => document.querySelector('dialog[open] a')).not.toBeNull(); // the dialog is loaded first
    const link = document.querySelector<HTMLAnchorElement>('dialog[open] a')!;
    expect(link.href).toBe('https://example.com/licence');
    expect(link.rel).toContain('noopener');
    [...document.querySelectorAll<HTMLButtonElement>('dialog[open] button')].at(-1)!.click();
    expect(document.querySelector('dialog[open]')).toBeNull();
  }, 120_000);

  it('shows markup of a hostile file as text and fetches none of its URLs', async () => {
    const lure = `${location.origin}/rigcast-lure`;
    const requests = (): string[] =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => name)
        .filter(name => name.includes('rigcast-lure'));
    performance.setResourceTimingBufferSize(5000);
    const evil = `<img src="${lure}/1.png" onerror="window.caught=1"><script src="${lure}/2.js"></script>`;
    const resource = new Resource();
    const image = resource.add(
      new TextEncoder().encode(`<svg xmlns="http://www.w3.org/2000/svg"><image href="${lure}/3.png"/></svg>`),
      'u8',
      1,
    );
    const position = resource.add(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), 'vec3');
    resource.add(
      Float32Array.from({ length: 32 }, (_, i) => ((i % 16) % 5 === 0 ? 1 : 0)),
      'mat4',
      2,
    );
    const texture = { name: `${lure}/4.png`, source: image, dimensionType: 2, mimeType: 'image/svg+xml' };
    const right = {
      title: evil,
      author: `\u202e${'gnol '.repeat(50_000)}`,
      organization: '__proto__',
      createdDate: `url(${lure}/5.png)`,
      distributionUrl: `javascript:fetch('${lure}/6')`,
      licenseUrl: `${lure}/7.html`,
    };
    const layout = {
      nodes: [
        { name: evil, isRoot: true, children: [1], right, extensions: { ['__proto__']: { polluted: true } } },
        {
          name: `../../${lure}/8`,
          meshRenderer: {
            name: evil,
            mesh: 0,
            materials: [0],
            blendShapePresets: [{ name: evil, type: 0, bindings: [{ index: 0, weight: 100 }] }],
          },
          right,
        },
      ],
      meshes: [
        {
          name: evil,
          attributes: { POSITION: position },
          subMeshes: [-1],
          blendShapes: [{ name: evil, attributes: { POSITION: position } }],
        },
      ],
      materials: [{ name: evil, shaderName: evil, textureIndexProperties: { _MainTex: 0, [`${lure}/9.png`]: 0 } }],
      textures: [texture, { ...texture, uri: `${lure}/10.png` }],
    };
    const assetInfo = { generator: { name: evil, version: evil }, right };
    const file = (external?: string): File => {
      const options = { assetInfo, layout, resource, ...(external && { external }) };
      return new File([(makeFile as (file: object) => Uint8Array<ArrayBuffer>)(options)], 'evil.vgo');
    };
    for (const address of [`${lure}/11.bin`, '/rigcast-lure/12.bin', '../rigcast-lure/13.bin', `data:text/plain,rigcast-lure`]) {
      await dropOn(viewer, file(address));
      expect(text('.problem h2')).toContain('evil.vgo');
    }
    await dropOn(viewer, file());
    expect(viewer.model!.file.scene!.meshes).toHaveLength(1);
    expect(viewer.root.querySelector<HTMLElement>('.problem')!.hidden).toBe(true);
    for (const { id } of panels.flatMap(({ sections }) => sections)) viewer.showSection(id);
    await frames(3);

    expect(sceneText()).toContain(evil);
    expect(sceneText().length).toBeLessThan(20_000);
    expect(
      viewer.root.querySelectorAll('img:not(.demo-tiles img), iframe, object, embed, .scene a, .side a[href^=javascript]'),
    ).toHaveLength(0);
    expect([...viewer.root.querySelectorAll('.scene .link')].every(({ textContent }) => textContent === `${lure}/7.html`)).toBe(true);
    expect((window as { caught?: number }).caught).toBeUndefined();
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    await (await fetch(`${lure}/really`)).text(); // shows that requests of the page are detected; those of workers are tested in tests/web/core/vgo.test.ts
    await expect.poll(requests).not.toEqual([]);
    expect(requests()).toEqual([`${lure}/really`]);
  }, 120_000);

  it('accepts only http and https links', () => {
    expect(linkOf(' https://example.com/a ')).toBe('https://example.com/a');
    for (const bad of [
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'example.com',
      'https://user:pass@example.com/',
      '',
    ])
      expect(linkOf(bad)).toBeNull();
  });
});
