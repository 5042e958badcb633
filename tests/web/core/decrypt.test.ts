// AES outside the core: ciphertexts are made by Node's own.
import { createCipheriv } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { decryptNeeds, type EncryptedNeed, fromBase64, keyFromOption } from '../../../web/src/core/decrypt.ts';
import { sliceOf, type HeldSource } from '../../../web/src/core/source.ts';

const clear = new TextEncoder().encode('[{"kind":2,"byteOffset":0}]');

function encrypted(bits: 128 | 192 | 256, embeds: boolean) {
  const key = Buffer.alloc(bits / 8, 0x5a), iv = Buffer.alloc(16, 0x21); // always the same: one wrong key in 256 passes for right
  const cipher = createCipheriv(`aes-${bits}-cbc`, key, iv);
  const bytes = Buffer.concat([cipher.update(clear), cipher.final()]);
  const file = Buffer.concat([Buffer.alloc(5, 9), bytes, Buffer.alloc(3, 7)]);
  const needs: EncryptedNeed[] = [
    ...(embeds ? [] : [{ kind: 'key', name: 'cube.vgk', required: true }]),
    {
      kind: 'decrypt', name: 'RACJ', required: true,
      properties: { algorithm: 'AES', cipherMode: 1, iv: iv.toString('base64'), offset: 5, byteLength: bytes.length, ...(embeds && { key: key.toString('base64') }) },
    },
  ];
  const read = async (offset: number, length: number): Promise<Uint8Array | null> => (offset + length <= file.length ? new Uint8Array(file.subarray(offset, offset + length)) : null);
  return { key: new Uint8Array(key), needs, read };
}

describe('decryption', () => {
  it.each([128, 192, 256] as const)('AES-%i with a key from outside, which is handed on', async bits => {
    const { key, needs, read } = encrypted(bits, false);
    const { supplied, findings } = await decryptNeeds(needs, async need => (need.name === 'cube.vgk' ? key : null), read);
    expect(findings).toEqual([]);
    expect(supplied.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['decrypt RACJ', 'key cube.vgk']);
    expect([...supplied[0]!.bytes]).toEqual([...clear]);
  });

  it('takes the embedded key, and one from outside before it', async () => {
    const { needs, read } = encrypted(128, true);
    const none = await decryptNeeds(needs, async () => null, read);
    expect([...none.supplied[0]!.bytes]).toEqual([...clear]);
    const wrong = await decryptNeeds(needs, async () => new Uint8Array(16), read);
    expect(wrong.supplied).toEqual([]);
    expect(wrong.findings[0]).toMatchObject({ code: 'DECRYPT_FAILED', severity: 'error', path: 'RACJ' });
  });

  it('leaves the need alone without a key', async () => {
    const { needs, read } = encrypted(256, false);
    expect(await decryptNeeds(needs, async () => null, read)).toEqual({ supplied: [], findings: [] });
  });

  it('tells a wrong key and one of a wrong length', async () => {
    const { key, needs, read } = encrypted(256, false);
    const other = key.map(byte => byte ^ 1);
    expect((await decryptNeeds(needs, async () => other, read)).findings[0]?.code).toBe('DECRYPT_FAILED');
    const short = await decryptNeeds(needs, async () => key.subarray(1), read);
    expect(short.findings[0]).toMatchObject({ code: 'BAD_KEY', detail: expect.stringContaining('31 bytes') });
    expect(short.supplied).toEqual([]);
  });

  it('does not read past the end of the file', async () => {
    const { key, needs, read } = encrypted(256, false);
    needs[1]!.properties!['byteLength'] = 4096;
    expect(await decryptNeeds(needs, async () => key, read)).toEqual({ supplied: [], findings: [] });
  });
});

describe('keys', () => {
  it('are bytes, hexadecimal digits or base64', () => {
    expect([...keyFromOption('00ff'.repeat(8))!]).toEqual(Array.from({ length: 16 }, (_, i) => (i % 2 ? 255 : 0)));
    expect([...keyFromOption(Buffer.from('0123456789abcdef').toString('base64'))!]).toEqual([...Buffer.from('0123456789abcdef')]);
    expect(keyFromOption(Uint8Array.of(1))).toEqual(Uint8Array.of(1));
    expect(keyFromOption(undefined)).toBeNull();
    expect(() => keyFromOption('not a key!')).toThrow(TypeError);
    expect(fromBase64('%')).toBeNull();
  });
});

describe('a piece of a source', () => {
  it.each([
    ['chunks', [Uint8Array.of(0, 1, 2), Uint8Array.of(3), Uint8Array.of(4, 5, 6, 7)]],
    ['a Blob', new Blob([Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7)])],
  ])('of %s', async (_, data) => {
    const source: HeldSource = { name: '', byteLength: 8, data, owned: false };
    expect([...(await sliceOf(source, 2, 4))!]).toEqual([2, 3, 4, 5]);
    expect([...(await sliceOf(source, 0, 8))!]).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect([...(await sliceOf(source, 5, 0))!]).toEqual([]);
    expect(await sliceOf(source, 5, 4)).toBeNull();
    expect(await sliceOf(source, -1, 4)).toBeNull();
  });
});
