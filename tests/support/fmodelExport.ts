// Builds an export in the folder convention of FModel: materials and textures beside the folder of
// the model. Two packages have materials and textures with the same names.
import { makePsk } from './actorx.ts';
import { tga } from './images.ts';

/** Colours of the textures, by package. */
export const PACKAGES = { Hero: [255, 0, 0], Villain: [0, 255, 0] } as const;

const json = (value: unknown): Uint8Array<ArrayBuffer> => new TextEncoder().encode(JSON.stringify(value)) as Uint8Array<ArrayBuffer>;

/** Returns the files of the export by path. */
export function fmodelExport(): Map<string, Uint8Array<ArrayBuffer>> {
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const [name, color] of Object.entries(PACKAGES)) {
    const at = (path: string): string => `Exports/Content/${name}/${path}`;
    files.set(at(`Meshes/SK_${name}.psk`), makePsk({ material: 'MI_Body', side: 1 }));
    files.set(
      at('Materials/MI_Body.json'),
      json({
        Textures: { Diffuse: `/Game/${name}/Textures/T_Body_D.T_Body_D` },
        Parameters: { Scalars: { Roughness: 0.25, Metallic: 1 }, BlendMode: 0, Properties: { TwoSided: true } },
      }),
    );
    files.set(at('Textures/T_Body_D.tga'), tga(4, 4, () => [...color, 255]) as Uint8Array<ArrayBuffer>);
  }
  return files;
}
