// The demos, in the order of their buttons, with the files of each demo and the roles of these
// files. A demo is opened like dropped files.

import type { Words } from './words/index.ts';

/** Ids of the demos. Their names are in `words.demoNames`. */
export type DemoId = keyof Words['demoNames'];

export interface DemoFile {
  name: string;
  address: URL;
}

export interface Demo {
  id: DemoId;
  /** URL of a transparent thumbnail, made by tests/tools/screenshot.mjs. */
  picture: URL;
  /** Total size of the demo's files in bytes. */
  size: number;
  model: DemoFile;
  animations?: DemoFile[];
  /** Textures, and files that the instances of a scene refer to. */
  companions?: DemoFile[];
}

// URLs are literals, so that bundlers find the files. Names are separate, because bundlers change
// the URLs.
const tock: DemoFile = { name: 'Tock.cast', address: new URL('./demo/Tock.cast', import.meta.url) };
const tockPictures: DemoFile[] = [
  { name: 'Tock_albedo.png', address: new URL('./demo/Tock_albedo.png', import.meta.url) },
  { name: 'Tock_emissive.png', address: new URL('./demo/Tock_emissive.png', import.meta.url) },
  { name: 'Tock_metal.png', address: new URL('./demo/Tock_metal.png', import.meta.url) },
  { name: 'Tock_normal.png', address: new URL('./demo/Tock_normal.png', import.meta.url) },
  { name: 'Tock_roughness.png', address: new URL('./demo/Tock_roughness.png', import.meta.url) },
];

export const demos: readonly Demo[] = [
  {
    id: 'pip',
    picture: new URL('./tiles/pip.webp', import.meta.url),
    size: 282_525,
    model: { name: 'Pip.psk', address: new URL('./demo/Pip.psk', import.meta.url) },
    animations: [{ name: 'Pip.psa', address: new URL('./demo/Pip.psa', import.meta.url) }],
    companions: [{ name: 'Pip_D.png', address: new URL('./demo/Pip_D.png', import.meta.url) }],
  },
  { id: 'tock', picture: new URL('./tiles/tock.webp', import.meta.url), size: 201_476, model: tock, companions: tockPictures },
  {
    id: 'isle',
    picture: new URL('./tiles/isle.webp', import.meta.url),
    size: 294_340,
    model: { name: 'Isle.cast', address: new URL('./demo/Isle.cast', import.meta.url) },
    companions: [
      tock,
      ...tockPictures,
      { name: 'BlackSheep.cast', address: new URL('./demo/BlackSheep.cast', import.meta.url) },
      { name: 'Cottage.cast', address: new URL('./demo/Cottage.cast', import.meta.url) },
      { name: 'Fence.cast', address: new URL('./demo/Fence.cast', import.meta.url) },
      { name: 'Island.cast', address: new URL('./demo/Island.cast', import.meta.url) },
      { name: 'Mushroom.cast', address: new URL('./demo/Mushroom.cast', import.meta.url) },
      { name: 'Pine.cast', address: new URL('./demo/Pine.cast', import.meta.url) },
      { name: 'Rock.cast', address: new URL('./demo/Rock.cast', import.meta.url) },
      { name: 'Sheep.cast', address: new URL('./demo/Sheep.cast', import.meta.url) },
      { name: 'Tree.cast', address: new URL('./demo/Tree.cast', import.meta.url) },
    ],
  },
  {
    id: 'lotl',
    picture: new URL('./tiles/lotl.webp', import.meta.url),
    size: 152_566,
    model: { name: 'Lotl.vgo', address: new URL('./demo/Lotl.vgo', import.meta.url) },
  },
  {
    id: 'hands',
    picture: new URL('./tiles/hands.webp', import.meta.url),
    size: 134_143,
    model: { name: 'wavingHands.bin', address: new URL('./demo/wavingHands.bin', import.meta.url) },
  },
];
