// Report panel: facts and findings of all files.

import type { RigFile } from '../../core/open.ts';
import type { Finding, Report, Severity } from '../../core/types.ts';
import { count, el, fill, icon, type IconName } from '../dom.ts';
import { words } from '../words/index.ts';
import { worstOf } from './worst.ts';

export interface ReportSection {
  /** Name of the file. */
  name: string;
  /** Format, version and size of the file, shown below the name. */
  about: string;
  facts: [label: string, value: string][];
  report: Report;
  /** File whose bytes the findings refer to. Undefined if the bytes can't be shown. */
  file?: RigFile;
}

/** Text of a piece of advice. */
export interface AdviceText {
  sentence: string;
  isDamage: boolean;
}

const MAX_ROWS = 200;

export class ReportPanel {
  readonly element: HTMLElement;
  /**
   * Called with a file and the byte offset of a finding, when the visitor asks to see these bytes.
   */
  onByte: (file: RigFile, offset: number) => void = () => {};
  /** Returns the explanation for a finding code; '' if there is none. */
  #meaning: (code: string) => string;

  #actions: HTMLElement;

  /** `actions`: buttons that are placed below the report. */
  constructor(meaning: (code: string) => string, actions: readonly HTMLElement[]) {
    this.#meaning = meaning;
    this.#actions = el('div', { class: 'actions' }, ...actions);
    this.element = el('div', { class: 'report' });
    this.set([], []);
  }

  set(sections: readonly ReportSection[], advice: readonly AdviceText[]): void {
    fill(
      this.element,
      ...advice.map(({ sentence, isDamage }) =>
        el('p', { class: `advice${isDamage ? ' damage' : ''}` }, icon(isDamage ? 'error' : 'info'), el('span', {}, sentence)),
      ),
      sections.length === 0 && el('p', { class: 'note' }, words.noReport),
      ...sections.map(section => this.#section(section)),
      sections.length > 0 && this.#actions,
    );
  }

  #section({ name, about, facts, report, file }: ReportSection): HTMLElement {
    const worst = worstOf([report]);
    const counts = [
      report.errors && words.errors(report.errors),
      report.warnings && words.warnings(report.warnings),
      report.infos && words.notes(report.infos),
    ]
      .filter(Boolean)
      .join(', ');
    const order: Severity[] = ['error', 'warning', 'info'];
    const groups = groupsOf(report.items).sort(([a], [b]) => order.indexOf(a.severity) - order.indexOf(b.severity));
    return el(
      'section',
      { class: 'about' },
      el('h4', { title: name }, name),
      el('p', { class: 'quiet' }, about),
      el('dl', { class: 'facts' }, ...facts.map(factRow)),
      el('p', { class: `verdict ${worst}` }, icon(worst), el('span', {}, words.verdicts[worst], counts && el('small', {}, counts))),
      ...groups.slice(0, MAX_ROWS).map(group => this.#finding(group, file)),
      (groups.length > MAX_ROWS || report.truncated) && el('p', { class: 'note' }, words.moreFindings),
    );
  }

  /** Creates the row for a group of findings. The row expands to list their positions. */
  #finding(group: Group, file?: RigFile): HTMLElement {
    const [{ code, severity, detail }, ...others] = group;
    const meaning = this.#meaning(code);
    const name: IconName = severity;
    const times = group.reduce((sum, item) => sum + item.count, 0);
    return el(
      'details',
      { class: `finding ${severity}` },
      el(
        'summary',
        {},
        icon(name),
        el('span', { class: 'sentence' }, meaning || detail || code),
        times > 1 && el('span', { class: 'times' }, `×${count(times)}`),
      ),
      ...group.slice(0, MAX_ROWS).flatMap((item, i) => [placeOf(item, meaning !== '', i === 0), file && this.#toByte(item, file)]),
      others.length >= MAX_ROWS && el('p', { class: 'note' }, words.moreFindings),
      el('a', { href: `findings.html#${code}`, target: '_blank', rel: 'noopener' }, words.finding.help),
    );
  }

  #toByte({ offset }: Finding, file: RigFile): HTMLElement | false {
    if (offset === null) return false;
    return el('button', { type: 'button', class: 'plain', onclick: () => this.onByte(file, offset) }, words.inspect.showBytes);
  }
}

/** Creates a row with a fact. A long value gets a separate line. */
const factRow = ([label, value]: [string, string]): HTMLElement =>
  el('div', { class: value.length > 12 ? 'long' : '' }, el('dt', {}, label), el('dd', {}, value));

type Group = [Finding, ...Finding[]];

/** Groups findings by code and severity. The groups are in order of their first findings. */
function groupsOf(items: readonly Finding[]): Group[] {
  const groups = new Map<string, Group>();
  for (const item of items) {
    const key = `${item.code} ${item.severity}`;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()];
}

/**
 * Creates the list with position and details of a finding. `hasMeaning`: true if the row already
 * shows an explanation, so that the detail is added. `isFirst`: true to include the code.
 */
function placeOf(item: Finding, hasMeaning: boolean, isFirst: boolean): HTMLElement {
  const rows: [string, string][] = [];
  if (isFirst) rows.push([words.finding.code, item.code]);
  if (hasMeaning && item.detail) rows.push([words.finding.here, item.detail]);
  if (item.offset !== null) rows.push([words.finding.byte, `${count(item.offset)} (0x${item.offset.toString(16).toUpperCase()})`]);
  if (item.path) rows.push([words.finding.path, item.path]);
  if (item.count > 1) rows.push([words.finding.times, count(item.count)]);
  return el('dl', { class: 'facts' }, ...rows.map(([label, value]) => el('div', {}, el('dt', {}, label), el('dd', {}, value))));
}
