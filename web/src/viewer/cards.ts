// Cards and bars over the viewport: welcome, errors, progress and hints.
import type { Report } from '../core/types.ts';
import { isDamage, keyOf } from '../session/advice.ts';
import { offeredIn, partsOf } from '../session/parts.ts';
import type { Problem, Refusal } from '../session/problem.ts';
import { READABLE } from '../session/readable.ts';
import { uprightPlacement } from '../session/upright.ts';
import { demos } from './demos.ts';
import { recentNames } from './recent.ts';
import { reasonOf, sentenceOf, problemText } from './sentences.ts';
import { effect } from '@preact/signals-core';
import { byPointer, el, fill, icon, iconButton } from './dom.ts';
import type { Page } from './page.ts';
import { words } from './words/index.ts';

/** Maximum number of findings that a card lists. */
const MAX_FINDINGS = 20;

export function welcomeCard(page: Page): HTMLElement {
  const names = recentNames();
  const back = el('button', { type: 'button', class: 'button', hidden: true, onclick: () => page.undo() }, words.undoClose);
  effect(() => {
    back.hidden = page.history.value.length === 0 || page.shownModel.value !== null;
  });
  const openLast = el('button', { type: 'button', class: 'button', hidden: true, onclick: () => page.filePicker.openLast() });
  effect(() => {
    const kept = page.filePicker.last.value.map(({ name }) => name);
    openLast.hidden = kept.length === 0;
    openLast.textContent = words.reopen(kept[0] ?? '', kept.length - 1);
  });
  const missing = el('p', { class: 'missing', hidden: true });
  effect(() => {
    missing.hidden = page.demoError.value === '';
    missing.textContent = words.withoutDemo(page.demoError.value);
  });
  const card = el(
    'section',
    { class: 'card welcome', 'aria-label': words.start },
    iconButton('close', words.dismiss, () => {
      page.isWelcome.value = false;
    }),
    el('h2', {}, ...byPointer(words.startTitle, words.touchStartTitle)),
    el('p', {}, ...byPointer(words.startText, words.touchStartText)),
    el('p', { class: 'quiet' }, words.reads(Object.keys(READABLE))),
    missing,
    names.length > 0 && el('p', { class: 'quiet recent' }, words.recent(names)),
    el(
      'div',
      { class: 'actions' },
      el(
        'button',
        { type: 'button', class: 'button primary', onclick: () => page.filePicker.pick('files') },
        icon('file'),
        words.openFiles,
      ),
      el(
        'button',
        { type: 'button', class: 'button', onclick: () => page.filePicker.pick('folder') },
        icon('folder'),
        words.commands.folder.label,
      ),
      back,
      openLast,
    ),
    demoTiles(page),
  );
  effect(() => {
    // An error card replaces the welcome card.
    card.hidden = !page.isWelcome.value || page.refusal.value !== null;
  });
  return card;
}

/** Creates the demo buttons with pictures. They are visible while the viewport is empty. */
function demoTiles(page: Page): HTMLElement {
  const tiles = el('div', { class: 'demo-tiles', role: 'group', 'aria-label': words.demos });
  effect(() => {
    tiles.hidden = page.shownModel.value !== null;
    // The pictures are loaded when the buttons are first visible.
    if (tiles.hidden || tiles.childElementCount > 0) return;
    fill(
      tiles,
      ...demos.map(({ id, picture, size }) =>
        el(
          'button',
          { type: 'button', 'data-demo': id, onclick: () => void page.openDemo(id) },
          el('img', { src: picture.href, alt: '', width: 120, height: 90, loading: 'lazy' }),
          el('strong', {}, words.demoNames[id]),
          el('small', {}, words.demoKind(words.demoKinds[id], size)),
        ),
      ),
    );
  });
  return tiles;
}

/** Creates the card that is visible while the WebGL context is lost. */
export function lostCard({ isLost }: Page): HTMLElement {
  const card = el('div', { class: 'card lost', role: 'alert', hidden: true }, el('p', {}, words.contextLost));
  effect(() => {
    card.hidden = !isLost.value;
  });
  return card;
}

/** Creates the bar with the first piece of advice that the visitor has not dismissed. */
export function hintBar(page: Page): HTMLElement {
  const bar = el('div', { class: 'hint', role: 'region', 'aria-label': words.adviceArea, hidden: true });
  effect(() => {
    const { dismissed, demo } = page.session.value;
    const first = page.advice.value.find(advice => !dismissed.has(keyOf(advice)));
    const load = page.release.value;
    if (load) return fillRelease(bar, page, load);
    const isBroken = first !== undefined && isDamage(first);
    bar.hidden = first === undefined || demo !== null;
    bar.classList.toggle('damage', isBroken);
    fill(
      bar,
      icon(isBroken ? 'error' : 'info'),
      el('span', {}, first ? sentenceOf(first, page.meanings.value) : ''),
      el(
        'div',
        { class: 'hint-actions' },
        first?.code === 'lying-down' && plainButton(words.standUp, () => makeUpright(page)),
        (first?.code === 'unmatched-images' || (first?.code === 'unused-companions' && first.areImages)) &&
          plainButton(words.matching.button, () => void page.matchImages()),
        first?.code === 'available-parts' && plainButton(words.addParts, () => addParts(page)),
        first?.code === 'retargeted' && plainButton(words.boneMap.title, () => page.run('boneMap')),
        first?.code === 'retargeted' && plainButton(words.playWithoutRetargeting, () => page.playUnretargeted()),
        first?.code === 'looks-additive' && plainButton(words.addToRestPose, () => page.setAnimationMode('additive')),
        first?.code === 'treated-as-additive' && first.hasOthers && plainButton(words.addToBase, () => void page.playOnBase()),
      ),
      iconButton('close', words.dismiss, () => {
        if (first) page.dispatch({ type: 'dismiss', advice: keyOf(first) });
      }),
    );
  });
  return bar;
}

/** Adds all suggested parts to the character. */
function addParts(page: Page): void {
  const { shown, library, partChoices } = page.session.value;
  const offered = shown ? offeredIn(partsOf(shown.input, library, partChoices)) : [];
  void page.switchParts(
    offered.map(({ entry }) => entry),
    true,
  );
}

/** Replaces the advice in the bar by the offer to load a new release of the page. */
function fillRelease(bar: HTMLElement, page: Page, load: () => void): void {
  bar.hidden = false;
  bar.classList.remove('damage');
  fill(
    bar,
    icon('info'),
    el('span', {}, words.release),
    el('div', { class: 'hint-actions' }, plainButton(words.loadRelease, load)),
    iconButton('close', words.dismiss, () => {
      page.release.value = null;
    }),
  );
}

/**
 * Makes a model upright, either by reading its files again with the other convention for Unreal's
 * root bone, or by rotating it.
 */
function makeUpright(page: Page): void {
  const upright = page.shownModel.value && uprightPlacement(page.shownModel.value.file);
  if (upright?.isRootConjugated) page.readRoot(true);
  else if (upright) page.dispatch({ type: 'set-placement', placement: upright });
}

const plainButton = (text: string, onclick: () => void): HTMLElement => el('button', { type: 'button', class: 'plain', onclick }, text);

/** Creates the card that describes the last error and what to do next. */
export function refusalCard(page: Page): HTMLElement {
  const card = el('section', { class: 'card problem', role: 'alert', hidden: true });
  effect(() => {
    const refusal = page.refusal.value;
    const hadFocus = card.contains(document.activeElement);
    card.hidden = refusal === null;
    if (refusal) fillRefusal(card, page, refusal);
    else if (hadFocus) page.viewport.sharedRenderer.canvas.focus({ preventScroll: true });
  });
  return card;
}

function fillRefusal(card: HTMLElement, page: Page, { problem, report }: Refusal): void {
  const { title, next, action } = problemText(problem, page.meanings.peek());
  const isAsking = action !== '';
  const close = (): void => {
    page.refusal.value = null;
  };
  card.classList.toggle('asks', isAsking);
  fill(
    card,
    icon(isAsking ? 'key' : 'error'),
    el('h2', {}, title),
    el('p', {}, next),
    problem.code === 'none-readable' && reasons(problem, page.meanings.peek()),
    report && findings(report, page.meanings.peek()),
    el(
      'div',
      { class: 'actions' },
      el(
        'button',
        { type: 'button', class: `button${isAsking ? ' primary' : ''}`, onclick: () => page.filePicker.pick('files') },
        action || words.openAnother,
      ),
      el('button', { type: 'button', class: 'plain', onclick: close }, words.close),
    ),
  );
  // Move the focus to the button that opens the missing file, which is the visitor's next step.
  card.querySelector<HTMLElement>('.primary')?.focus({ preventScroll: true });
}

/** Creates a list of files with the reasons why they can't be shown. */
function reasons({ files, all }: Problem & { code: 'none-readable' }, meanings: ReadonlyMap<string, string>): HTMLElement {
  const rows = files.map(file => el('li', {}, el('strong', {}, file.name), ` ${reasonOf(file, meanings)}`));
  return el('ul', { class: 'reasons' }, ...rows, all > files.length && el('li', {}, words.andMore(all - files.length)));
}

function findings({ items }: Report, meanings: ReadonlyMap<string, string>): HTMLElement | null {
  if (items.length === 0) return null;
  return el(
    'details',
    {},
    el('summary', {}, words.whatWasFound),
    el(
      'ul',
      {},
      ...items
        .slice(0, MAX_FINDINGS)
        .map(({ detail, code, offset }) =>
          el('li', {}, `${words.found(meanings.get(code) ?? '', detail)} (${code}${offset === null ? '' : words.atByte(offset)})`),
        ),
    ),
  );
}

/** Card with the progress of a load and a button to cancel it. */
export class BusyCard {
  readonly element: HTMLElement;
  #text = el('span', {});
  #bar = el('progress', { 'aria-label': words.loading, max: 1 });

  constructor(cancel: () => void) {
    this.element = el(
      'div',
      { class: 'busy', hidden: true },
      this.#bar,
      this.#text,
      el('button', { type: 'button', class: 'plain', onclick: cancel }, words.cancel),
    );
  }

  /** Shows the card and returns its text. `text`: used if the card has no text yet. */
  show(text: string): string {
    this.#text.textContent ||= text;
    this.element.hidden = false;
    return this.#text.textContent;
  }

  hide(): void {
    this.element.hidden = true;
  }

  set text(text: string) {
    this.#text.textContent = text;
  }

  /** Progress of the load, from 0 to 1; null if unknown. */
  set share(share: number | null) {
    if (share === null) this.#bar.removeAttribute('value');
    else this.#bar.value = share;
  }
}
