// Images for formats that name them by path: those that lie in the source become files beside the result.
import type { Dressed } from './dress.ts';
import type { Ledger } from './ledger.ts';
import type { WrittenFile } from './written.ts';

const ENDINGS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/bmp': 'bmp',
  'image/tga': 'tga',
};

export class ImageFiles {
  readonly files: WrittenFile[] = [];
  readonly #dressed: Dressed;
  readonly #name: string;
  readonly #paths = new Map<number, string | null>();

  /** `name`: that of the result, which the names of its images begin with. */
  constructor(dressed: Dressed, name: string) {
    this.#dressed = dressed;
    this.#name = name;
  }

  /** What the result calls an image of the scene; null where it has neither a path nor bytes. */
  async pathOf(row: number): Promise<string | null> {
    let path = this.#paths.get(row);
    if (path === undefined) this.#paths.set(row, (path = await this.#make(row)));
    return path;
  }

  tell(ledger: Ledger): void {
    const named = [...this.#paths.values()].filter(path => path !== null).length - this.files.length;
    if (named > 0) ledger.add('IMAGES_BY_PATH', '', named);
  }

  async #make(row: number): Promise<string | null> {
    const image = this.#dressed.scene.images[row];
    if (!image) return null;
    if (image.path) return image.path;
    const found = image.bytes ? { bytes: image.bytes } : await this.#dressed.imageOf(row);
    if (!found) return null;
    const bytes = found.bytes instanceof Blob ? new Uint8Array(await found.bytes.arrayBuffer()) : found.bytes;
    const stem = (image.name || 'image').replace(/\.[A-Za-z0-9]{2,4}$/, '').replace(/[^\p{L}\p{N}_-]+/gu, '_');
    const ending = ENDINGS[image.mimeType ?? ''] ?? endingOf(bytes);
    let name = `${this.#name}_${stem}.${ending}`;
    for (let k = 2; this.files.some(file => file.name.toLowerCase() === name.toLowerCase()); k++)
      name = `${this.#name}_${stem}_${k}.${ending}`;
    this.files.push({ name, pieces: [bytes] });
    return name;
  }
}

function endingOf([a, b]: Uint8Array): string {
  if (a === 0x89) return 'png';
  if (a === 0xff && b === 0xd8) return 'jpg';
  return a === 0x52 && b === 0x49 ? 'webp' : 'bin';
}
