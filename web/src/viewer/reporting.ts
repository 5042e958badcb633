// Formats the report as text or JSON.
import type { Finding } from '../core/types.ts';
import type { ReportSection } from './panels/report.ts';
import { words } from './words/index.ts';

/**
 * Formats the report as text, with one section per file: facts, and all findings with their
 * positions.
 */
export function reportText(sections: readonly ReportSection[], meanings: ReadonlyMap<string, string>): string {
  return sections.map(section => sectionText(section, meanings)).join('\n\n');
}

function sectionText({ name, about, facts, report }: ReportSection, meanings: ReadonlyMap<string, string>): string {
  const { errors, warnings, infos, items, truncated } = report;
  return [
    name,
    about,
    facts.map(([label, value]) => `${label}: ${value}`).join(', '),
    [words.errors(errors), words.warnings(warnings), words.notes(infos)].join(', '),
    ...items.map(item => findingText(item, meanings.get(item.code) ?? '')),
    truncated ? `  ${words.moreFindings}` : '',
  ]
    .filter(Boolean)
    .join('\n');
}

function findingText({ severity, code, offset, path, detail, count }: Finding, meaning: string): string {
  const place = [path, offset === null ? '' : `${words.finding.byte}: ${offset}`, count > 1 ? `×${count}` : ''].filter(Boolean).join(', ');
  return `  ${severity} ${code}${place ? ` (${place})` : ''}: ${[meaning, detail].filter(Boolean).join(' ')}`;
}

/**
 * Formats the report as JSON. The structure is that of `rigcast validate --json`, with the facts
 * that the page shows.
 */
export function reportJson(sections: readonly ReportSection[]): string {
  return JSON.stringify(
    { files: sections.map(({ name, about, facts, report }) => ({ file: name, about, facts: Object.fromEntries(facts), report })) },
    null,
    2,
  );
}
