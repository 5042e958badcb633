// Writes embedded images to separate files, for formats that reference images by path.
import type { TexturedScene } from './texturedScene.ts';
import type { FileNames } from './fileNames.ts';
import { baseName } from '../../textures/names.ts';
import type { ReportBuilder } from './report.ts';
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
  readonly #textured: TexturedScene;
  readonly #names: FileNames;
  readonly #paths = new Map<number, string | null>();

  constructor(textured: TexturedScene, names: FileNames) {
    this.#textured = textured;
    this.#names = names;
  }

  /**
   * Returns the path by which the result refers to an image, or null if the image has neither a
   * path nor bytes.
   */
  async pathOf(row: number): Promise<string | null> {
    let path = this.#paths.get(row);
    if (path === undefined) this.#paths.set(row, (path = await this.#make(row)));
    return path;
  }

  reportLosses(report: ReportBuilder): void {
    const named = [...this.#paths.values()].filter(path => path !== null).length - this.files.length;
    if (named > 0) report.add('IMAGES_BY_PATH', '', named);
  }

  async #make(row: number): Promise<string | null> {
    const image = this.#textured.scene.images[row];
    if (!image) return null;
    if (image.path) return image.path;
    const found = image.bytes ? { bytes: image.bytes } : await this.#textured.imageOf(row);
    if (!found) return null;
    const bytes = found.bytes instanceof Blob ? new Uint8Array(await found.bytes.arrayBuffer()) : found.bytes;
    const name = `${this.#names.beside(imageWord(image.name))}.${ENDINGS[image.mimeType ?? ''] ?? endingOf(bytes)}`;
    this.files.push({ name, pieces: [bytes] });
    return name;
  }
}

/** Returns the name of an image without its folder and extension. */
export const imageWord = (name: string): string => baseName(name).replace(/\.[A-Za-z0-9]{2,4}$/, '') || 'image';

function endingOf([a, b]: Uint8Array): string {
  if (a === 0x89) return 'png';
  if (a === 0xff && b === 0xd8) return 'jpg';
  return a === 0x52 && b === 0x49 ? 'webp' : 'bin';
}
