// AES outside the core: ciphertexts are made by Node's own.
import { createCipheriv } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { decryptNeed } from '../../../web/src/core/decrypt.ts';
import { fromBase64, keyFromOption } from '../../../web/src/core/keys.ts';
import { sliceOf, type HeldSource } from '../../../web/src/core/source.ts';
import type { Need, Properties } from '../../../web/src/core/types.ts';

const clear = new TextEncoder().encode('[{"kind":2,"byteOffset":0}]');

function encrypted(bits: 128 | 192 | 256, over: Properties = {}) {
  const key = Buffer.alloc(bits / 8, 0x5a);
  const iv = Buffer.alloc(16, 0x21); // constant, because one in 256 wrong keys gives valid padding
  const cipher = createCipheriv(`aes-${bits}-cbc`, key, iv);
  const bytes = Buffer.concat([cipher.update(clear), cipher.final()]);
  const file = Buffer.concat([Buffer.alloc(5, 9), bytes, Buffer.alloc(3, 7)]);
  const need: Need = {
    kind: 'decrypt',
    name: 'RACJ',
    required: true,
    properties: {
      algorithm: 'AES',
      cipherMode: 'CBC',
      iv: iv.toString('base64'),
      key: key.toString('base64'),
      offset: 5,
      byteLength: bytes.length,
      ...over,
    },
  };
  const source: HeldSource = { name: '', byteLength: file.length, data: new Uint8Array(file), owned: false };
  return { need, read: (offset: number, length: number) => sliceOf(source, offset, length) };
}

describe('decryption', () => {
  it.each([128, 192, 256] as const)('AES-%i', async bits => {
    const { need, read } = encrypted(bits);
    expect([...(await decryptNeed(need, read))!]).toEqual([...clear]);
  });

  it('returns no bytes if the key is wrong', async () => {
    const { need, read } = encrypted(256, { key: Buffer.alloc(32, 1).toString('base64') });
    expect(await decryptNeed(need, read)).toEqual(new Uint8Array());
  });

  it.each<[string, Properties]>([
    ['without a key', { key: null }],
    ['with a key of no length that AES has', { key: Buffer.alloc(31).toString('base64') }],
    ['with something else than base64', { key: '!' }],
    ['without an iv', { iv: null }],
    ['past the end of the file', { byteLength: 4096 }],
    ['without a place', { offset: null, byteLength: 'x' }],
  ])('does nothing %s', async (_, over) => {
    const { need, read } = encrypted(256, over);
    expect(await decryptNeed(need, read)).toBeNull();
  });
});

describe('keys', () => {
  it('can be bytes, hexadecimal digits or base64', () => {
    expect([...keyFromOption('00ff'.repeat(16))!]).toEqual(Array.from({ length: 32 }, (_, i) => (i % 2 ? 255 : 0)));
    expect([...keyFromOption(Buffer.from('0123456789abcdef').toString('base64'))!]).toEqual([...Buffer.from('0123456789abcdef')]);
    expect(keyFromOption(Uint8Array.of(1))).toEqual(Uint8Array.of(1));
    expect(keyFromOption(undefined)).toBeNull();
    expect(() => keyFromOption('not a key!')).toThrow(TypeError);
    expect(fromBase64('%')).toBeNull();
  });
});

describe('sliceOf', () => {
  it.each([
    ['bytes', Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7)],
    ['a Blob', new Blob([Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7)])],
  ])('of %s', async (_, data) => {
    const source: HeldSource = { name: '', byteLength: 8, data, owned: false };
    expect([...(await sliceOf(source, 2, 4))!]).toEqual([2, 3, 4, 5]);
    expect([...(await sliceOf(source, 0, 8))!]).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect([...(await sliceOf(source, 5, 0))!]).toEqual([]);
    expect(await sliceOf(source, 5, 4)).toBeNull();
    expect(await sliceOf(source, -1, 4)).toBeNull();
    expect(await sliceOf(source, NaN, 4)).toBeNull();
  });
});
