// Writes the author, licence and permissions of a VRM. Permissions that neither the options nor the
// source declare are written as denied.
import { member } from '../../core/properties.ts';
import type { RigScene } from '../../core/types.ts';
import type { ReportBuilder } from '../common/report.ts';
import { isPermission, isUrl, PERMISSIONS, type VrmMeta, type VrmPermissions } from './writing.ts';

const TERMS = 'https://vrm.dev/licenses/1.0/';

/** Metadata that has all members that VRM requires. */
export type CompleteMeta = VrmMeta & VrmPermissions & Required<Pick<VrmMeta, 'name' | 'authors' | 'licenseUrl'>>;

/** Returns the metadata that the source declares. */
export function declaredMeta({ asset, features }: RigScene): VrmMeta {
  const right = member(asset.properties, 'right') ?? features.find(({ kind }) => kind === 'right')?.properties;
  const text = (name: string): string => {
    const value = member(right, name);
    return typeof value === 'string' ? value : '';
  };
  const link = (name: string): string => (isUrl(text(name)) ? text(name) : '');
  const references = text('distributionUrl').split(', ').filter(isUrl);
  const authors = [text('author') || asset.author || '', text('organization')].filter(Boolean);
  const name = text('title') || asset.name || '';
  const licence = link('licenseUrl') === TERMS ? '' : link('licenseUrl');
  const permissions = features
    .filter(({ kind }) => kind === 'permission')
    .flatMap(({ properties }) => Object.entries(properties ?? {}).filter(([key, value]) => isPermission(key, value)));
  return {
    ...(name && { name }),
    ...(text('version') && { version: text('version') }),
    ...(authors.length > 0 && { authors }),
    ...(asset.copyright && { copyrightInformation: asset.copyright }),
    ...(references.length > 0 && { references }),
    ...(licence && { otherLicenseUrl: licence }),
    ...(Object.fromEntries(permissions) as Partial<VrmPermissions>),
  };
}

/** Adds the values that VRM requires and the metadata lacks. */
export function completeMeta(meta: VrmMeta): CompleteMeta {
  const denied = Object.fromEntries(
    Object.entries(PERMISSIONS).map(([name, [value]]) => [name, value]),
  ) as Partial<VrmPermissions> as VrmPermissions;
  return { name: 'model', authors: ['unknown'], licenseUrl: TERMS, ...denied, ...meta };
}

/** Returns the metadata of a result. `given`: values that override those of the source. */
export function metaOf(scene: RigScene, given: VrmMeta, report: ReportBuilder): CompleteMeta {
  const meta = { ...declaredMeta(scene), ...given };
  const isOpen = Object.keys(PERMISSIONS).some(name => meta[name as keyof VrmMeta] === undefined);
  const missing = [...(meta.authors ? [] : ['who made it']), ...(isOpen ? ['what is permitted'] : [])];
  if (missing.length > 0) report.add('RIGHTS_ASSUMED', '', 1, missing.join(', '));
  return completeMeta(meta);
}
