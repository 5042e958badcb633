declare module 'psk-loaders' {
  import type { BufferGeometry } from 'three';

  export const PSKLoader:
    | (new () => {
        load(
          options: { url: string; PathMaterials: string },
          onLoad: (geometry: BufferGeometry) => void,
          onProgress: undefined,
          onError: (error: unknown) => void,
        ): void;
      })
    | null;
}
