// Encodes images as lossless WebP, with a canvas in browsers and with the package `sharp` in Node.
import { type Document, EXTTextureWebP } from '../vendor/gltfTransform.ts';
import { refusal } from '../common/refusals.ts';
import { refusals } from './messages.ts';

const WEBP = 'image/webp';

/**
 * Encodes the images of a document as WebP. An image stays unchanged if it would become larger.
 * Rejects with a ConversionError if no encoder is available.
 */
export async function imagesAsWebp(document: Document): Promise<void> {
  let isUsed = false;
  for (const texture of document.getRoot().listTextures()) {
    const image = texture.getImage();
    const type = texture.getMimeType();
    if (!image || type === WEBP) continue;
    const made = await encode(image as Uint8Array<ArrayBuffer>, type);
    if (made.length >= image.length) continue;
    texture.setImage(made).setMimeType(WEBP);
    if (texture.getURI()) texture.setURI(texture.getURI().replace(/\.\w+$/, '.webp'));
    isUsed = true;
  }
  if (isUsed) document.createExtension(EXTTextureWebP).setRequired(true);
}

type Sharp = (image: Uint8Array) => { webp(options: { lossless: boolean }): { toBuffer(): Promise<Uint8Array> } };

async function encode(image: Uint8Array<ArrayBuffer>, type: string): Promise<Uint8Array<ArrayBuffer>> {
  if (typeof OffscreenCanvas !== 'undefined') return encodeInPage(image, type);
  const name = 'sharp'; // the name is in a variable, so that bundlers do not resolve the package
  const { default: sharp } = (await import(/* @vite-ignore */ /* webpackIgnore: true */ name).catch(() => {
    throw refusal(refusals, 'WEBP_ENCODER_MISSING');
  })) as { default: Sharp };
  return Uint8Array.from(await sharp(image).webp({ lossless: true }).toBuffer());
}

async function encodeInPage(image: Uint8Array<ArrayBuffer>, type: string): Promise<Uint8Array<ArrayBuffer>> {
  const bitmap = await createImageBitmap(new Blob([image], { type }), { premultiplyAlpha: 'none', colorSpaceConversion: 'none' });
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  bitmap.close();
  const blob = await canvas.convertToBlob({ type: WEBP, quality: 1 }); // quality 1 is lossless
  if (blob.type !== WEBP) throw refusal(refusals, 'WEBP_UNKNOWN');
  return new Uint8Array(await blob.arrayBuffer());
}
