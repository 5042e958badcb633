// Dialog with a searchable list of bones.
import { boneLabel, type BoneName, isSameBone } from '../../rig/boneMap.ts';
import { el, fill, icon } from '../dom.ts';
import { showDialog } from '../showDialog.ts';
import { words } from '../words/index.ts';

/** Maximum number of bones that are listed. The search finds the others. */
const MAX_LISTED = 200;

export interface BoneChoice {
  title: string;
  bones: readonly BoneName[];
  /** The current bone; null for none. */
  current: BoneName | null;
  /** Label of the choice of no bone; null if a bone must be chosen. */
  none: string | null;
}

/** Shows the dialog. Resolves with the chosen bone, null for no bone, or undefined if the visitor cancels. */
export function chooseBone(root: HTMLElement, { title, bones, current, none }: BoneChoice): Promise<BoneName | null | undefined> {
  const all = bones.filter(({ name }) => name).map(bone => ({ bone, label: boneLabel(bone) }));
  all.sort((a, b) => a.label.localeCompare(b.label, undefined, { numeric: true }));
  const isCurrent = (bone: BoneName | null): boolean => (bone && current ? isSameBone(bone, current) : bone === current);
  return new Promise(resolve => {
    let listed: (BoneName | null)[] = [];
    let active = -1;
    const list = el('div', { class: 'bone-options', role: 'listbox', id: 'bone-options', 'aria-label': title });
    const note = el('p', { class: 'quiet', role: 'status' });
    const optionId = (at: number): string => `bone-option-${at}`;
    const choose = (at: number): void => {
      const choice = listed[at];
      if (choice === undefined) return;
      resolve(choice);
      dialog.close();
    };
    const activate = (at: number): void => {
      list.children[active]?.setAttribute('aria-selected', 'false');
      active = at;
      const option = list.children[at];
      option?.setAttribute('aria-selected', 'true');
      option?.scrollIntoView({ block: 'nearest' });
      if (option) search.setAttribute('aria-activedescendant', optionId(at));
      else search.removeAttribute('aria-activedescendant');
    };
    const render = (): void => {
      const typed = search.value.trim().toLowerCase();
      const found = all.filter(({ label }) => label.toLowerCase().includes(typed));
      // Names that begin with the typed text come first.
      const begins = ({ label }: { label: string }): number => Number(label.toLowerCase().startsWith(typed));
      if (typed) found.sort((a, b) => begins(b) - begins(a));
      const shown = found.slice(0, MAX_LISTED).map(({ bone }) => bone);
      listed = [...(none !== null && !typed ? [null] : []), ...shown];
      fill(
        list,
        ...listed.map((bone, at) =>
          el(
            'div',
            { class: 'bone-option', role: 'option', id: optionId(at), 'aria-selected': 'false', onclick: () => choose(at) },
            bone ? boneLabel(bone) : none,
            isCurrent(bone) && icon('ok'),
          ),
        ),
      );
      const more = found.length - shown.length;
      note.textContent = found.length === 0 ? words.noResults : more > 0 ? words.more(more) : '';
      activate(Math.max(typed ? 0 : listed.findIndex(isCurrent), 0));
    };
    const search = el('input', {
      type: 'search',
      role: 'combobox',
      placeholder: words.drawer.search,
      'aria-label': words.drawer.search,
      'aria-expanded': 'true',
      'aria-controls': 'bone-options',
      'aria-autocomplete': 'list',
      autocomplete: 'off',
      spellcheck: 'false',
      oninput: render,
      onkeydown: (event: KeyboardEvent) => {
        const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
        const step = steps[event.key];
        if (step !== undefined) activate(Math.min(Math.max(active + step, 0), listed.length - 1));
        else if (event.key === 'Enter') choose(active);
        else return;
        event.preventDefault();
      },
    });
    const dialog = el(
      'dialog',
      { class: 'bone-chooser', 'aria-label': title },
      el('h2', {}, title),
      el('div', { class: 'search' }, icon('search'), search),
      list,
      note,
      el('div', { class: 'actions' }, el('button', { type: 'button', class: 'plain', onclick: () => dialog.close() }, words.cancel)),
    );
    dialog.addEventListener('keydown', event => event.stopPropagation()); // shortcuts of the page
    showDialog(root, dialog, () => resolve(undefined));
    render();
    search.focus();
  });
}
