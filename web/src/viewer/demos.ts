// The demos of the start page, in the order of their buttons. Which files play which part is told here; everything else is as if somebody had
// dropped them.

export interface DemoFile {
  name: string;
  address: URL;
}

export interface Demo {
  id: string;
  /** As people call it. */
  name: string;
  model: DemoFile;
  motions?: DemoFile[];
  /** Textures, and the files that a world places. */
  companions?: DemoFile[];
}

// Addresses are written out in full, since bundlers find the files by that; names are apart, since bundlers change those in addresses.
export const demos: readonly Demo[] = [
  {
    id: 'pip',
    name: 'Pip the fox',
    model: { name: 'Pip.psk', address: new URL('./demo/Pip.psk', import.meta.url) },
    motions: [{ name: 'Pip.psa', address: new URL('./demo/Pip.psa', import.meta.url) }],
    companions: [{ name: 'Pip_D.png', address: new URL('./demo/Pip_D.png', import.meta.url) }],
  },
  { id: 'hands', name: 'Waving hands', model: { name: 'wavingHands.bin', address: new URL('./demo/wavingHands.bin', import.meta.url) } },
];
