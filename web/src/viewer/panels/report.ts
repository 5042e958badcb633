// What the files are and what was found in them, in plain words.

import type { Finding, Report, Severity } from '../../core/types.ts';
import { count, el, fill, icon, type IconName } from '../dom.ts';
import { words } from '../words/index.ts';
import { worstOf } from './worst.ts';

export interface ReportSection {
  /** Name of the file. */
  name: string;
  /** Format, size: a line under the name. */
  about: string;
  facts: [label: string, value: string][];
  report: Report;
}

const MOST = 200;

export class ReportPanel {
  readonly element: HTMLElement;
  /** What a code means in general; '' where nobody says. */
  #meaning: (code: string) => string;

  #actions: HTMLElement;

  /** `actions`: buttons for all of it. */
  constructor(meaning: (code: string) => string, actions: readonly HTMLElement[]) {
    this.#meaning = meaning;
    this.#actions = el('div', { class: 'actions' }, ...actions);
    this.element = el('div', { class: 'panel report' });
    this.set([], []);
  }

  set(sections: readonly ReportSection[], advice: readonly string[]): void {
    fill(
      this.element,
      ...advice.map(sentence => el('p', { class: 'advice' }, icon('info'), el('span', {}, sentence))),
      sections.length === 0 && el('p', { class: 'note' }, words.noReport),
      ...sections.map(section => this.#section(section)),
      sections.length > 0 && this.#actions,
    );
  }

  #section({ name, about, facts, report }: ReportSection): HTMLElement {
    const worst = worstOf([report]);
    const counts = [
      report.errors && words.errors(report.errors),
      report.warnings && words.warnings(report.warnings),
      report.infos && words.remarks(report.infos),
    ]
      .filter(Boolean)
      .join(', ');
    const order: Severity[] = ['error', 'warning', 'info'];
    const items = [...report.items].sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
    return el(
      'section',
      { class: 'about' },
      el('h3', { title: name }, name),
      el('p', { class: 'quiet' }, about),
      el('dl', { class: 'facts' }, ...facts.map(([label, value]) => el('div', {}, el('dt', {}, label), el('dd', {}, value)))),
      el('p', { class: `verdict ${worst}` }, icon(worst), el('span', {}, words.verdicts[worst], counts && el('small', {}, counts))),
      ...items.slice(0, MOST).map(item => this.#finding(item)),
      (items.length > MOST || report.truncated) && el('p', { class: 'note' }, words.moreFindings),
    );
  }

  #finding(item: Finding): HTMLElement {
    const meaning = this.#meaning(item.code);
    const name: IconName = item.severity;
    const rows: [string, string][] = [];
    if (meaning && item.detail) rows.push([words.finding.here, item.detail]);
    rows.push([words.finding.code, item.code]);
    if (item.offset !== null) rows.push([words.finding.byte, `${count(item.offset)} (0x${item.offset.toString(16).toUpperCase()})`]);
    if (item.path) rows.push([words.finding.path, item.path]);
    if (item.count > 1) rows.push([words.finding.times, count(item.count)]);
    return el(
      'details',
      { class: `finding ${item.severity}` },
      el(
        'summary',
        {},
        icon(name),
        el('span', { class: 'sentence' }, meaning || item.detail || item.code),
        item.count > 1 && el('span', { class: 'times' }, `×${count(item.count)}`),
      ),
      el('dl', { class: 'facts' }, ...rows.map(([label, value]) => el('div', {}, el('dt', {}, label), el('dd', {}, value)))),
    );
  }
}
