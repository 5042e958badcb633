// Files that ask for a key or for the file with their data: through `open`, with the real core.
import { createCipheriv } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { open } from '../../../web/src/core/index.ts';
// @ts-expect-error a plain script
import { cubeVgo as makeCube } from '../../support/vgoFile.mjs';

interface Made {
  bytes: Uint8Array;
  resource: { bytes(): Uint8Array };
}
const cubeVgo = makeCube as (over?: object, options?: object) => Made;

const key = new Uint8Array(32).fill(0x5a);
const iv = Buffer.alloc(16, 0x21);

function encrypted(embeds = false): Uint8Array {
  const encrypt = (bytes: Uint8Array): Uint8Array => {
    const cipher = createCipheriv('aes-256-cbc', key, iv);
    return new Uint8Array(Buffer.concat([cipher.update(bytes), cipher.final()]));
  };
  const crypt = { iv: iv.toString('base64'), ...(embeds && { key: Buffer.from(key).toString('base64') }) };
  return cubeVgo({}, { encrypt, crypt }).bytes;
}

const codesOf = (report: { items: { code: string; severity: string }[] }): string[] =>
  report.items.filter(({ severity }) => severity === 'error').map(({ code }) => code);

describe('an encrypted file', () => {
  it('needs its key by name, and nothing else', async () => {
    const file = await open(encrypted(), { name: 'cube.vgo' });
    expect(file.needs.map(({ kind, name, required }) => ({ kind, name, required }))).toEqual([
      { kind: 'key', name: 'cube.vgk', required: true },
    ]);
    expect(codesOf(file.report)).toEqual(['KEY_REQUIRED']);
  });

  it.each<[string, object]>([
    ['a companion', { companions: new Map([['Cube.VGK', key]]) }],
    ['an option as bytes', { formatOptions: { vgo: { key } } }],
    ['an option as hexadecimal digits', { formatOptions: { vgo: { key: '5a'.repeat(32) } } }],
  ])('opens with its key as %s, outline and all', async (_, options) => {
    const file = await open(encrypted(), { name: 'cube.vgo', ...options });
    expect(codesOf(file.report)).toEqual([]);
    expect(file.needs).toEqual([]);
    expect(file.scene).not.toBeNull();
    const { outline, report } = await file.outline();
    expect(codesOf(report)).toEqual([]);
    expect(outline.find(({ kind }) => kind === 'RACJ')?.children).toHaveLength(4);
  });

  it('opens with the key that it contains, but prefers a key from the caller', async () => {
    expect(codesOf((await open(encrypted(true), { name: 'cube.vgo' })).report)).toEqual([]);
    const wrong = await open(encrypted(true), { name: 'cube.vgo', formatOptions: { vgo: { key: new Uint8Array(32) } } });
    expect(codesOf(wrong.report)).toEqual(['DECRYPT_FAILED']);
  });

  it('reports a wrong key, keeps the need, and accepts the right key afterwards', async () => {
    const wrong = await open(encrypted(), { name: 'cube.vgo', companions: new Map([['cube.vgk', new Uint8Array(32)]]) });
    expect(codesOf(wrong.report)).toEqual(['DECRYPT_FAILED']);
    expect(wrong.needs.map(({ kind }) => kind)).toEqual(['key']);
    const short = await wrong.supply(new Map([['cube.vgk', key.subarray(1)]]));
    expect(codesOf(short.report)).toEqual(['BAD_KEY']);
    const right = await short.supply(new Map([['cube.vgk', key]]));
    expect(codesOf(right.report)).toEqual([]);
    expect(right.scene).not.toBeNull();
    expect(right.needs).toEqual([]);
  });

  it('rejects an invalid key', async () => {
    await expect(open(encrypted(), { formatOptions: { vgo: { key: '?' } } })).rejects.toThrow(TypeError);
  });
});

describe('a file whose data is in another file', () => {
  const { bytes, resource } = cubeVgo({}, { external: 'data/cube.bin' });

  it('needs that file by name', async () => {
    const file = await open(bytes, { name: 'cube.vgo' });
    expect(file.needs.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['resource data/cube.bin']);
    expect(codesOf(file.report)).toEqual(['NEEDS_FILE']);
    const whole = await file.supply(new Map([['cube.bin', resource.bytes()]]));
    expect(whole.report.items).toEqual([]);
    expect(whole.scene).not.toBeNull();
  });
});
