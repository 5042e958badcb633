// Draws small pictures of image files, in all formats that can be textures, when they become visible.
import type { Texture } from 'three';
import { limitConcurrency } from '../../textures/concurrency.ts';
import { decodeTexture, pixelsOf } from '../../three/materials/decode.ts';
import { el } from '../dom.ts';

/** Size in device pixels. */
const SIZE = 144;

/** Draws a decoded image. Returns its size as text; '' if it can't be drawn. */
export function drawTexture(canvas: HTMLCanvasElement, texture: Texture): string {
  const pixels = pixelsOf(texture);
  if (!pixels || pixels.width === 0 || pixels.height === 0) return '';
  const { width, height } = pixels;
  const full = new OffscreenCanvas(width, height);
  full.getContext('2d')!.putImageData(new ImageData(new Uint8ClampedArray(pixels.data), width, height), 0, 0);
  const scale = SIZE / Math.max(width, height);
  canvas.width = Math.max(Math.round(width * scale), 1);
  canvas.height = Math.max(Math.round(height * scale), 1);
  canvas.getContext('2d')!.drawImage(full, 0, 0, canvas.width, canvas.height);
  return `${width} × ${height}`;
}

interface Drawn {
  canvas: HTMLCanvasElement;
  /** Size of the image as text; '' if it can't be drawn. */
  size: string;
}

export class ImageThumbnails {
  readonly #drawn = new Map<File, Drawn>();
  readonly #drawing = new Map<File, Promise<Drawn>>();
  readonly #waiting = new Map<Element, () => void>();
  readonly #limit = limitConcurrency(2);
  readonly #observer = new IntersectionObserver(entries => {
    for (const { target, isIntersecting } of entries) if (isIntersecting) this.#waiting.get(target)?.();
  });

  dispose(): void {
    this.#observer.disconnect();
  }

  /**
   * Creates a picture that is drawn when it becomes visible. `onSize`: called with the size of the
   * image as text.
   */
  create(file: File | null, onSize: (size: string) => void = () => {}): HTMLCanvasElement {
    const canvas = el('canvas', { class: 'thumb', 'aria-hidden': 'true', width: 1, height: 1 });
    if (!file) return canvas;
    const copy = ({ canvas: drawn, size }: Drawn): void => {
      canvas.width = drawn.width;
      canvas.height = drawn.height;
      canvas.getContext('2d')!.drawImage(drawn, 0, 0);
      canvas.classList.toggle('failed', size === '');
      onSize(size);
    };
    const known = this.#drawn.get(file);
    if (known) {
      copy(known);
      return canvas;
    }
    this.#waiting.set(canvas, () => {
      this.#waiting.delete(canvas);
      this.#observer.unobserve(canvas);
      void this.#draw(file).then(copy);
    });
    this.#observer.observe(canvas);
    return canvas;
  }

  #draw(file: File): Promise<Drawn> {
    let drawing = this.#drawing.get(file);
    if (!drawing) {
      drawing = this.#limit(async () => {
        const drawn = await drawFile(file);
        this.#drawn.set(file, drawn);
        return drawn;
      });
      this.#drawing.set(file, drawing);
    }
    return drawing;
  }
}

async function drawFile(file: File): Promise<Drawn> {
  const canvas = el('canvas', { width: 1, height: 1 });
  try {
    const texture = await decodeTexture({ name: file.name, bytes: file }, () => false);
    const size = drawTexture(canvas, texture);
    (texture.image as Partial<ImageBitmap> | null)?.close?.();
    texture.dispose();
    return { canvas, size };
  } catch {
    return { canvas, size: '' };
  }
}
