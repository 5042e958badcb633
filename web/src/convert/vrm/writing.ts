// Options for writing VRM files, and their checks.
import { invalidArgument } from '../../core/error.ts';
import type { PropertyValue } from '../../core/types.ts';

/** Permissions of VRM 1.0. */
export interface VrmPermissions {
  avatarPermission: 'onlyAuthor' | 'onlySeparatelyLicensedPerson' | 'everyone';
  commercialUsage: 'personalNonProfit' | 'personalProfit' | 'corporation';
  creditNotation: 'required' | 'unnecessary';
  modification: 'prohibited' | 'allowModification' | 'allowModificationRedistribution';
  allowRedistribution: boolean;
  allowExcessivelyViolentUsage: boolean;
  allowExcessivelySexualUsage: boolean;
  allowPoliticalOrReligiousUsage: boolean;
  allowAntisocialOrHateUsage: boolean;
}

/** Permissions of VRM 1.0 with their values, the most restrictive one first, as in the specification. */
export const PERMISSIONS = {
  avatarPermission: ['onlyAuthor', 'onlySeparatelyLicensedPerson', 'everyone'],
  commercialUsage: ['personalNonProfit', 'personalProfit', 'corporation'],
  creditNotation: ['required', 'unnecessary'],
  modification: ['prohibited', 'allowModification', 'allowModificationRedistribution'],
  allowRedistribution: [false, true],
  allowExcessivelyViolentUsage: [false, true],
  allowExcessivelySexualUsage: [false, true],
  allowPoliticalOrReligiousUsage: [false, true],
  allowAntisocialOrHateUsage: [false, true],
} as const satisfies { [Name in keyof VrmPermissions]: readonly VrmPermissions[Name][] };

export type VrmPermission = keyof VrmPermissions;

const TEXTS = ['name', 'version', 'copyrightInformation', 'contactInformation', 'thirdPartyLicenses'] as const;
const URLS = ['licenseUrl', 'otherLicenseUrl'] as const;
const LISTS = ['authors', 'references'] as const;

/** Members of `meta` in a VRM 1.0 file. */
export interface VrmMeta extends Partial<VrmPermissions> {
  /** Title of the avatar. */
  name?: string;
  version?: string;
  authors?: readonly string[];
  copyrightInformation?: string;
  contactInformation?: string;
  references?: readonly string[];
  thirdPartyLicenses?: string;
  /** URL of the licence. The default is that of the VRM public licence, to which the permissions belong. */
  licenseUrl?: string;
  /** URL of another licence that also applies. */
  otherLicenseUrl?: string;
}

export interface VrmWriting {
  /** Title, authors, licence and permissions. They override those that the source declares. */
  meta?: VrmMeta;
  /** PNG or JPEG that is written as the thumbnail. The specification asks for a square image. */
  thumbnail?: Uint8Array;
}

export const isUrl = (text: string): boolean => /^https?:\/\/\S+$/i.test(text);

/** Returns true if a value is one of the values of a permission. */
export const isPermission = (name: string, value: PropertyValue | undefined): boolean =>
  Object.hasOwn(PERMISSIONS, name) && (PERMISSIONS[name as VrmPermission] as readonly unknown[]).includes(value);

/** Returns the MIME type of a PNG or JPEG; null for other data. */
export function thumbnailType(bytes: Uint8Array): 'image/png' | 'image/jpeg' | null {
  const starts = (...expected: number[]): boolean => expected.every((value, at) => bytes[at] === value);
  return starts(0x89, 0x50, 0x4e, 0x47) ? 'image/png' : starts(0xff, 0xd8, 0xff) ? 'image/jpeg' : null;
}

/** Throws a TypeError if an option is unknown or has an invalid value. */
export function checkVrm({ meta = {}, thumbnail }: VrmWriting): void {
  for (const [name, value] of Object.entries(meta as Record<string, unknown>)) {
    if (value === undefined) continue;
    const refuse = (expected: string): never => {
      throw invalidArgument(`convert: vrm.meta.${name} must be ${expected}, not ${JSON.stringify(value)}`);
    };
    const has = (list: readonly string[]): boolean => list.includes(name);
    const isText = typeof value === 'string' && value.trim() !== '';
    if (Object.hasOwn(PERMISSIONS, name)) {
      if (!isPermission(name, value as PropertyValue)) refuse(PERMISSIONS[name as VrmPermission].join(' or '));
    } else if (has(TEXTS)) {
      if (!isText) refuse('a text');
    } else if (has(URLS)) {
      if (!isText || !isUrl(value)) refuse('an http or https URL');
    } else if (has(LISTS)) {
      const areTexts = Array.isArray(value) && value.length > 0 && value.every(each => typeof each === 'string' && each.trim() !== '');
      if (!areTexts) refuse('a list of texts');
    } else throw invalidArgument(`convert: unknown option "vrm.meta.${name}"`);
  }
  if (thumbnail && !thumbnailType(thumbnail)) throw invalidArgument('convert: vrm.thumbnail must be a PNG or JPEG');
}
