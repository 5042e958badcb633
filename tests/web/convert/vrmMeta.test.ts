// Title, authors, licence, permissions and thumbnail of a VRM.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { convert, type VrmWriting } from '../../../web/src/convert/index.ts';
import { open, type RigFile } from '../../../web/src/core/index.ts';
import type { Feature } from '../../../web/src/core/types.ts';
import { complaints } from '../../support/gltf.ts';

/** A PNG with one pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const lotl = new URL('../../../web/src/viewer/demo/Lotl.vgo', import.meta.url);
const file: RigFile = await open(readFileSync(lotl), { name: 'Lotl.vgo', worker: false });

interface Json {
  images?: { mimeType: string; bufferView: number }[];
  bufferViews: { byteOffset?: number; byteLength: number }[];
  extensions: { VRMC_vrm: { meta: Record<string, unknown> } };
}

async function written(vrm: VrmWriting, features: readonly Feature[] = []) {
  const scene = { ...file.scene!, features: [...file.scene!.features.filter(({ kind }) => kind !== 'right'), ...features] };
  const { files, report } = await convert([{ ...file, scene }], { to: 'vrm', vrm });
  const { bytes } = files[0]!;
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length))) as Json;
  return { bytes, json, meta: json.extensions.VRMC_vrm.meta, report, content: bytes.subarray(28 + length) };
}
const assumed = (report: Awaited<ReturnType<typeof written>>['report']): string | undefined =>
  report.items.find(({ code }) => code === 'RIGHTS_ASSUMED')?.detail;

const permissions = {
  avatarPermission: 'everyone',
  commercialUsage: 'corporation',
  creditNotation: 'unnecessary',
  modification: 'allowModificationRedistribution',
  allowRedistribution: true,
  allowExcessivelyViolentUsage: false,
  allowExcessivelySexualUsage: false,
  allowPoliticalOrReligiousUsage: true,
  allowAntisocialOrHateUsage: false,
} as const;

describe('metadata', () => {
  it('overrides that of the source, and nothing is assumed if everything is stated', async () => {
    const meta = { name: 'Lottie', version: '2', authors: ['Ada', 'Bo'], contactInformation: 'ada@example.com', ...permissions };
    const made = await written({ meta });
    expect(made.meta).toMatchObject({ ...meta, licenseUrl: 'https://vrm.dev/licenses/1.0/' });
    expect(assumed(made.report)).toBeUndefined();
    expect(await complaints(made.bytes)).toEqual([]);
  });

  it('that nobody states is denied and reported', async () => {
    const { meta, report } = await written({ meta: { avatarPermission: 'everyone' } });
    expect(meta).toMatchObject({ avatarPermission: 'everyone', commercialUsage: 'personalNonProfit', allowRedistribution: false });
    expect(assumed(report)).toContain('what is permitted');
  });

  it('is taken from the permissions of another VRM', async () => {
    const stated = Object.entries(permissions).map(([name, value]): Feature => ({
      kind: 'permission',
      name,
      properties: { [name]: value },
    }));
    const unknown: Feature = { kind: 'permission', name: 'commercialUssageName', properties: { commercialUssageName: 'Allow' } };
    const { meta, report } = await written({}, [...stated, unknown]);
    expect(meta).toMatchObject(permissions);
    expect(report.items.filter(({ code }) => code === 'FEATURE_LOST').map(({ path, amount }) => [path, amount])).toEqual([
      ['permission', 1],
    ]);
  });

  it.each([
    [{ avatarPermission: 'all' }, 'vrm.meta.avatarPermission must be onlyAuthor or onlySeparatelyLicensedPerson or everyone'],
    [{ allowRedistribution: 'true' }, 'must be false or true'],
    [{ authors: [] }, 'must be a list of texts'],
    [{ authors: 'Ada' }, 'must be a list of texts'],
    [{ name: ' ' }, 'must be a text'],
    [{ licenseUrl: 'javascript:alert(1)' }, 'must be an http or https URL'],
    [{ titel: 'x' }, 'unknown option "vrm.meta.titel"'],
  ])('%j is refused', async (meta, message) => {
    await expect(convert([file], { to: 'vrm', vrm: { meta: meta as never } })).rejects.toThrow(message);
  });
});

describe('a thumbnail', () => {
  it('is written into the file', async () => {
    const thumbnail = new Uint8Array(Buffer.from(PNG, 'base64'));
    const { json, meta, content, bytes } = await written({ thumbnail });
    const image = json.images![meta['thumbnailImage'] as number]!;
    expect(image.mimeType).toBe('image/png');
    const { byteOffset = 0, byteLength } = json.bufferViews[image.bufferView]!;
    expect(content.subarray(byteOffset, byteOffset + byteLength)).toEqual(thumbnail);
    expect((await written({})).meta['thumbnailImage']).toBeUndefined();
    expect(await complaints(bytes)).toEqual([]);
  });

  it('must be a PNG or JPEG', async () => {
    await expect(convert([file], { to: 'vrm', vrm: { thumbnail: new Uint8Array([1, 2, 3, 4]) } })).rejects.toThrow('PNG or JPEG');
  });
});
