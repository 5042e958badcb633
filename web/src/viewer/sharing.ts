// The share dialog: a link, and code that shows the open files on other pages.
import { titleOf } from '../session/animationRows.ts';
import type { Bookmark } from './bookmarks.ts';
import { el, picked } from './dom.ts';
import type { Page } from './page.ts';
import { addressesIn, firstUnreadable, outsideOfEmbed, SHARE_KINDS, shareCode, type ShareKind } from './shareCode.ts';
import { showDialog } from './showDialog.ts';
import { words } from './words/index.ts';

/** Maximum number of characters of a URL that are shown. */
const MAX_ADDRESS = 200;

/** Time without a change after which entered URLs are checked, in milliseconds. */
const TYPING_PAUSE = 600;

/**
 * Shows the share dialog. Files that were opened from a URL are shared under that URL. For other
 * files, the visitor enters the URLs to which the files were uploaded.
 */
export function showSharing({
  root,
  session,
  rows,
  addresses,
  viewport,
  bookmarks,
}: Pick<Page, 'root' | 'session' | 'rows' | 'addresses' | 'viewport' | 'bookmarks'>): void {
  const text = words.share;
  const known = addresses.value;
  const isDemo = session.value.demo !== null;
  // The animation of a demo is not one of the files that the visitor enters.
  const row = isDemo ? undefined : rows.value[session.value.selected];
  const animation = row ? titleOf(row) : '';

  const field = (label: string, attributes: Record<string, string>): [HTMLInputElement, HTMLElement] => {
    const input = el('input', { autocomplete: 'off', spellcheck: 'false', oninput: () => update(), ...attributes });
    return [input, el('label', { class: 'address-field' }, el('span', {}, label), input)];
  };
  const [model, modelRow] = field(text.modelAddress, { type: 'url', placeholder: 'https://', 'aria-describedby': 'share-problem' });
  const [others, othersRow] = field(text.otherAddresses, { type: 'text', 'aria-describedby': 'share-problem' });
  const problem = el('p', { id: 'share-problem', class: 'quiet', role: 'status' });
  const kinds = el('select', { onchange: () => update() }, ...SHARE_KINDS.map(kind => el('option', { value: kind }, text.kinds[kind])));
  const hint = el('p', { class: 'quiet' });
  const code = el('textarea', { readonly: true, rows: 5, spellcheck: 'false', 'aria-label': text.code });
  const warning = el('p', { class: 'omitted', role: 'status' });
  const status = el('p', { class: 'quiet', role: 'status' });
  const copy = el('button', { type: 'button', class: 'button primary', onclick: () => void copyCode() }, text.copy);

  /** Returns the URLs of the files; null if the visitor has not entered valid ones. */
  function current(): readonly string[] | null {
    if (known.length > 0) return known;
    const [first, more] = [addressesIn(model.value), addressesIn(others.value)];
    return first?.length === 1 && more ? [...first, ...more] : null;
  }

  const { shown } = session.value;
  // The files that the visitor enters are not those of a demo.
  const saved = shown && !isDemo ? (bookmarks.peek()?.of(shown.input) ?? []) : [];
  const hasView = shown !== null && !isDemo;
  const check = (label: string, checked: boolean, hidden: boolean): [HTMLInputElement, HTMLElement] => {
    const input = el('input', { type: 'checkbox', checked, onchange: () => update() });
    return [input, el('label', { class: 'check', hidden }, input, el('span', { class: 'name' }, label))];
  };
  const [withView, viewRow] = check(text.includeView, hasView && !viewport.view.cameraRig.isUntouched, !hasView);
  const [withSaved, savedRow] = check(text.includeSaved(saved.length), saved.length > 0, saved.length === 0);
  const options = el('div', {}, viewRow, savedRow);
  const { isOrthographic } = session.value.viewSettings;
  const currentView: Bookmark = { ...viewport.cameraView.pose, name: '', isOrthographic };

  function update(): void {
    const kind = SHARE_KINDS.find(each => each === kinds.value) ?? 'link';
    const content = current();
    const isStarted = model.value.trim() !== '' || others.value.trim() !== '';
    problem.textContent = content === null && isStarted ? text.invalidAddress : '';
    hint.textContent = text.hints[kind];
    options.hidden = kind !== 'link' && kind !== 'markdown';
    const views = { current: withView.checked ? currentView : null, saved: withSaved.checked ? saved : [] };
    code.value = content === null ? '' : shareCode(kind, { addresses: content, animation, views });
    code.disabled = copy.disabled = content === null;
    status.textContent = '';
    void warn(kind, content);
  }

  /**
   * Shows a warning if embed.html on this server is not allowed to read one of the files, or if a
   * URL that the visitor has entered can't be read.
   */
  async function warn(kind: ShareKind, content: readonly string[] | null): Promise<void> {
    warning.textContent = '';
    const isCurrent = (): boolean => dialog.open && kinds.value === kind && String(current()) === String(content);
    const outside = content && kind === 'iframe' ? await outsideOfEmbed(content).catch(() => null) : null;
    if (outside && isCurrent()) warning.textContent = text.embeddingNotAllowed(outside.slice(0, MAX_ADDRESS));
    if (!content || outside || known.length > 0) return;
    await new Promise(resolve => setTimeout(resolve, TYPING_PAUSE));
    const unreadable = isCurrent() ? await firstUnreadable(content) : null;
    if (unreadable && isCurrent()) warning.textContent = text.unreadable(unreadable.slice(0, MAX_ADDRESS));
  }

  async function copyCode(): Promise<void> {
    const isCopied = await navigator.clipboard?.writeText(code.value).then(
      () => true,
      () => false,
    );
    if (!isCopied) {
      code.focus();
      code.select();
    }
    status.textContent = isCopied ? text.copied : text.copyFailed;
  }

  const dialog = el(
    'dialog',
    { class: 'saving share', 'aria-label': words.commands.share.title },
    el('h2', {}, words.commands.share.title),
    ...(known.length > 0 ? [] : [el('p', { class: 'quiet' }, isDemo ? text.demoText : text.localText), modelRow, othersRow, problem]),
    el('label', { class: 'target' }, el('span', {}, text.kind), picked(kinds)),
    options,
    code,
    hint,
    warning,
    el(
      'div',
      { class: 'actions' },
      copy,
      el('button', { type: 'button', class: 'plain', onclick: () => dialog.close() }, words.close),
      status,
    ),
  );
  update();
  showDialog(root, dialog);
}
