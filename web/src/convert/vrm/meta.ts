// Writes the author, licence and permissions of a VRM. Permissions that the source does not declare
// are written as denied.
import { member } from '../../core/properties.ts';
import type { RigScene } from '../../core/types.ts';
import type { ReportBuilder } from '../common/report.ts';

const TERMS = 'https://vrm.dev/licenses/1.0/';

export function metaOf({ asset, features }: RigScene, report: ReportBuilder): object {
  const right = member(asset.properties, 'right') ?? features.find(({ kind }) => kind === 'right')?.properties;
  const text = (name: string): string => {
    const value = member(right, name);
    return typeof value === 'string' ? value : '';
  };
  const author = text('author') || asset.author || '';
  const authors = [author, text('organization')].filter(Boolean);
  const copyright = asset.copyright || '';
  const link = (name: string): string => (/^https?:\/\//i.test(text(name)) ? text(name) : '');
  const missing = [...(authors.length === 0 ? ['who made it'] : []), 'what is permitted'];
  report.add('RIGHTS_ASSUMED', '', 1, missing.join(', '));
  return {
    name: text('title') || asset.name || 'model',
    ...(text('version') && { version: text('version') }),
    authors: authors.length > 0 ? authors : ['unknown'],
    ...(copyright && { copyrightInformation: copyright }),
    ...(link('distributionUrl') && { references: [link('distributionUrl')] }),
    licenseUrl: TERMS,
    ...(link('licenseUrl') && { otherLicenseUrl: link('licenseUrl') }),
    avatarPermission: 'onlyAuthor',
    allowExcessivelyViolentUsage: false,
    allowExcessivelySexualUsage: false,
    commercialUsage: 'personalNonProfit',
    allowPoliticalOrReligiousUsage: false,
    allowAntisocialOrHateUsage: false,
    creditNotation: 'required',
    allowRedistribution: false,
    modification: 'prohibited',
  };
}
