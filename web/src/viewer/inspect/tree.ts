// Tree view. Creates elements only for the visible rows, so that trees with many branches scroll
// smoothly.
import { el, fill, icon } from '../dom.ts';
import { words } from '../words/index.ts';
import type { Branch } from './branch.ts';

const ROW = 28;
/** Maximum number of branches that a search visits, and maximum number that it lists. */
const MAX_SEARCHED = 100_000;
const MAX_FOUND = 1000;

interface Line {
  branch: Branch;
  /** Level in the tree; 1 for the top level. */
  level: number;
  parent: Line | null;
  /**
   * `at`: position of the branch among its siblings, starting with 1. `of`: number of siblings,
   * including the branch itself.
   */
  at: number;
  of: number;
}

export class Tree {
  readonly element: HTMLElement;
  onChoose: (branch: Branch | null) => void = () => {};
  /** Called when the checkbox of a branch has changed. */
  onShown: () => void = () => {};
  #roots: readonly Branch[] = [];
  readonly #open = new Set<Branch>();
  #lines: Line[] = [];
  #chosen: Branch | null = null;
  /**
   * Branches that the current search lists, each with its path as text; null if there is no search.
   */
  #found: Map<Branch, string> | null = null;
  readonly #rows = el('div', { class: 'rows', role: 'presentation' });
  readonly #id = `tree-${Math.random().toString(36).slice(2)}`;

  constructor(label: string) {
    this.element = el(
      'div',
      {
        class: 'tree',
        role: 'tree',
        tabindex: 0,
        'aria-label': label,
        onscroll: () => this.#render(),
        onkeydown: (event: KeyboardEvent) => this.#key(event),
      },
      this.#rows,
    );
    new ResizeObserver(() => this.#render()).observe(this.element);
  }

  get chosen(): Branch | null {
    return this.#chosen;
  }

  /** Replaces all branches. `open`: branches to expand. */
  set(roots: readonly Branch[], open: readonly Branch[] = []): void {
    this.#roots = roots;
    this.#open.clear();
    for (const branch of open) this.#open.add(branch);
    this.#chosen = null;
    this.#found = null;
    this.element.scrollTop = 0;
    this.#rebuildRows();
    this.onChoose(null);
  }

  /** Selects the last branch of `path` and expands all branches above it. */
  reveal(path: readonly Branch[]): void {
    for (const branch of path.slice(0, -1)) this.#open.add(branch);
    this.#found = null;
    this.#rebuildRows();
    const last = path.at(-1);
    if (last) this.choose(last);
  }

  /**
   * Returns the path to the first branch that `is` accepts; empty if there is none. `isWorth`:
   * returns true for branches whose children should be searched.
   */
  pathTo(is: (branch: Branch) => boolean, isWorth: (branch: Branch) => boolean): Branch[] {
    const path: Branch[] = [];
    let left = MAX_SEARCHED;
    const find = (branches: readonly Branch[]): boolean => {
      for (const branch of branches) {
        if (--left < 0) return false;
        path.push(branch);
        if (is(branch) || (isWorth(branch) && find(branch.children?.() ?? []))) return true;
        path.pop();
      }
      return false;
    };
    find(this.#roots);
    return path;
  }

  choose(branch: Branch | null): void {
    if (this.#chosen === branch) return;
    this.#chosen = branch;
    this.#render();
    this.#scrollToSelected();
    this.onChoose(branch);
  }

  /**
   * Lists the branches whose names contain all words of `text`. Shows the tree again if `text` is
   * empty. Returns the number of rows.
   */
  search(text: string): number {
    const typed = text.trim().toLowerCase().split(/\s+/).filter(Boolean);
    this.#found = typed.length > 0 ? this.#search(typed) : null;
    this.element.scrollTop = 0;
    this.#rebuildRows();
    return this.#lines.length;
  }

  #search(typed: readonly string[]): Map<Branch, string> {
    const found = new Map<Branch, string>();
    let left = MAX_SEARCHED;
    const visit = (branches: readonly Branch[], above: string): void => {
      for (const branch of branches) {
        if (--left < 0 || found.size >= MAX_FOUND) return;
        const name = branch.name.toLowerCase();
        if (typed.every(word => name.includes(word))) found.set(branch, above);
        visit(branch.children?.() ?? [], above === '' ? branch.name : `${above} › ${branch.name}`);
      }
    };
    visit(this.#roots, '');
    return found;
  }

  /** Rebuilds the list of rows. */
  #rebuildRows(): void {
    const lines: Line[] = [];
    const add = (branches: readonly Branch[], parent: Line | null): void => {
      for (const [i, branch] of branches.entries()) {
        const line = { branch, level: (parent?.level ?? 0) + 1, parent, at: i + 1, of: branches.length };
        lines.push(line);
        if (this.#found === null && branch.children && this.#open.has(branch)) add(branch.children(), line);
      }
    };
    add(this.#found ? [...this.#found.keys()] : this.#roots, null);
    this.#lines = lines;
    this.#render();
  }

  #render(): void {
    const { scrollTop, clientHeight } = this.element;
    const first = Math.max(Math.floor(scrollTop / ROW) - 4, 0);
    const last = Math.min(first + Math.ceil((clientHeight || 400) / ROW) + 8, this.#lines.length);
    this.#rows.style.height = `${this.#lines.length * ROW}px`;
    fill(this.#rows, ...this.#lines.slice(first, last).map((line, i) => this.#row(line, first + i)));
    const chosen = this.#selectedRow();
    if (chosen >= first && chosen < last) this.element.setAttribute('aria-activedescendant', `${this.#id}-${chosen}`);
    else this.element.removeAttribute('aria-activedescendant');
  }

  #row({ branch, level, at, of }: Line, index: number): HTMLElement {
    const { kind, name, detail, children, shown } = branch;
    const isOpen = this.#open.has(branch);
    const isBranch = children !== undefined && this.#found === null;
    const above = this.#found?.get(branch) ?? '';
    const row = el(
      'div',
      {
        class: `leaf ${kind}`,
        role: 'treeitem',
        id: `${this.#id}-${index}`,
        'aria-level': level,
        'aria-posinset': at,
        'aria-setsize': of,
        'aria-selected': String(branch === this.#chosen),
        'aria-expanded': isBranch ? String(isOpen) : null,
        title: above === '' ? name : `${above} › ${name}`,
        onclick: () => this.choose(branch),
        ondblclick: () => this.#toggle(branch, !isOpen),
      },
      el(
        'span',
        { class: 'expander', 'aria-hidden': 'true', onclick: (event: Event) => this.#onExpander(event, branch, !isOpen) },
        isBranch && icon('down'),
      ),
      shown && this.#box(branch, shown),
      el('span', { class: 'name' }, name || words.noName),
      el('span', { class: 'detail' }, above === '' ? detail : above),
    );
    row.style.top = `${index * ROW}px`;
    row.style.setProperty('--level', String(level - 1));
    return row;
  }

  #box({ name }: Branch, shown: NonNullable<Branch['shown']>): HTMLElement {
    const box = el('input', {
      type: 'checkbox',
      checked: shown.get(),
      tabindex: -1,
      'aria-label': words.inspect.shows(name || words.noName),
      onclick: (event: Event) => event.stopPropagation(),
      onchange: () => {
        shown.set(box.checked);
        this.onShown();
      },
    });
    return box;
  }

  #onExpander(event: Event, branch: Branch, isOpen: boolean): void {
    event.stopPropagation();
    this.#toggle(branch, isOpen);
  }

  #toggle(branch: Branch, isOpen: boolean): void {
    if (!branch.children || this.#found) return;
    if (isOpen) this.#open.add(branch);
    else this.#open.delete(branch);
    this.#rebuildRows();
  }

  #selectedRow(): number {
    return this.#lines.findIndex(({ branch }) => branch === this.#chosen);
  }

  #scrollToSelected(): void {
    const at = this.#selectedRow();
    if (at < 0) return;
    const { scrollTop, clientHeight } = this.element;
    if (at * ROW < scrollTop) this.element.scrollTop = at * ROW;
    else if ((at + 1) * ROW > scrollTop + clientHeight) this.element.scrollTop = (at + 1) * ROW - clientHeight;
    this.#render();
  }

  /**
   * Handles the keys of the ARIA tree view pattern. The space bar toggles the checkbox of the
   * branch.
   */
  #key(event: KeyboardEvent): void {
    const at = this.#selectedRow();
    const line = this.#lines[at];
    const page = Math.max(Math.floor(this.element.clientHeight / ROW) - 1, 1);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[event.key];
    if (step !== undefined) {
      const next = Math.min(Math.max((at < 0 ? -Math.sign(step) : at) + step, 0), this.#lines.length - 1);
      this.choose(this.#lines[at < 0 && step === 1 ? 0 : next]?.branch ?? null);
    } else if (event.key === 'ArrowRight' && line) {
      if (line.branch.children && !this.#open.has(line.branch)) this.#toggle(line.branch, true);
      else if (line.branch.children) this.choose(line.branch.children()[0] ?? line.branch);
    } else if (event.key === 'ArrowLeft' && line) {
      if (this.#open.has(line.branch) && line.branch.children) this.#toggle(line.branch, false);
      else if (line.parent) this.choose(line.parent.branch);
    } else if (event.key === ' ' && line?.branch.shown) {
      line.branch.shown.set(!line.branch.shown.get());
      this.#render();
      this.onShown();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
