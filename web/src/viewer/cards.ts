// Cards and bars over the stage: the start, what could not be done, what is being done, and a hint.
import type { Report } from '../core/types.ts';
import { isDamage, keyOf } from '../session/advice.ts';
import { offeredIn, partsOf } from '../session/parts.ts';
import type { Problem, Refusal } from '../session/problem.ts';
import { READABLE } from '../session/readable.ts';
import { uprightPlacement } from '../session/upright.ts';
import { demos } from './demos.ts';
import { recentNames } from './recent.ts';
import { reasonOf, sentenceOf, troubleOf } from './say.ts';
import { effect } from '@preact/signals-core';
import { el, fill, icon, iconButton } from './dom.ts';
import type { Page } from './page.ts';
import { words } from './words/index.ts';

/** Findings that a card lists. */
const MOST_FINDINGS = 20;

export function welcomeCard(page: Page): HTMLElement {
  const names = recentNames();
  const back = el('button', { type: 'button', class: 'button', hidden: true, onclick: () => page.undo() }, words.bringBack);
  effect(() => {
    back.hidden = page.history.value.length === 0 || page.actor.value !== null;
  });
  const again = el('button', { type: 'button', class: 'button', hidden: true, onclick: () => page.picking.openLast() });
  effect(() => {
    const kept = page.picking.last.value.map(({ name }) => name);
    again.hidden = kept.length === 0;
    again.textContent = words.openAgain(kept[0] ?? '', kept.length - 1);
  });
  const missing = el('p', { class: 'missing', hidden: true });
  effect(() => {
    missing.hidden = page.noDemo.value === '';
    missing.textContent = words.withoutDemo(page.noDemo.value);
  });
  const card = el(
    'section',
    { class: 'card welcome', 'aria-label': words.start },
    iconButton('close', words.hide, () => {
      page.isWelcome.value = false;
    }),
    el('h2', {}, words.startTitle),
    el('p', {}, words.startText),
    el('p', { class: 'quiet' }, words.reads(Object.keys(READABLE))),
    missing,
    names.length > 0 && el('p', { class: 'quiet recent' }, words.lastTime(names)),
    el(
      'div',
      { class: 'actions' },
      el('button', { type: 'button', class: 'button primary', onclick: () => page.picking.pick('files') }, icon('file'), words.openFiles),
      el(
        'button',
        { type: 'button', class: 'button', onclick: () => page.picking.pick('folder') },
        icon('folder'),
        words.commands.folder.label,
      ),
      back,
      again,
    ),
    demoTiles(page),
  );
  effect(() => {
    // Where it stands, a card says what could not be done.
    card.hidden = !page.isWelcome.value || page.trouble.value !== null;
  });
  return card;
}

/** The demos as pictures, for a stage where nothing stands. */
function demoTiles(page: Page): HTMLElement {
  const tiles = el('div', { class: 'demo-tiles', role: 'group', 'aria-label': words.demos });
  effect(() => {
    tiles.hidden = page.actor.value !== null;
    // Their pictures are fetched when they are seen first.
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

/** The browser has taken the graphics card away for now. */
export function lostCard({ isLost }: Page): HTMLElement {
  const card = el('div', { class: 'card lost', role: 'alert', hidden: true }, el('p', {}, words.contextLost));
  effect(() => {
    card.hidden = !isLost.value;
  });
  return card;
}

/** The most useful advice that nobody has hidden yet. */
export function hintBar(page: Page): HTMLElement {
  const bar = el('div', { class: 'hint', hidden: true });
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
      first?.code === 'lies-down' && plain(words.standUp, () => standUp(page)),
      first?.code === 'more-parts' && plain(words.addParts, () => addParts(page)),
      first?.code === 'carried' && plain(words.asItIs, () => page.playAsIs()),
      first?.code === 'looks-additive' && plain(words.addToRest, () => page.read('additive')),
      first?.code === 'is-added' && first.hasOthers && plain(words.addToOther, () => void page.playOnBase()),
      iconButton('close', words.hide, () => {
        if (first) page.dispatch({ type: 'dismiss', advice: keyOf(first) });
      }),
    );
  });
  return bar;
}

/** Adds all parts that are offered. */
function addParts(page: Page): void {
  const { shown, library, partChoices } = page.session.value;
  const offered = shown ? offeredIn(partsOf(shown.given, library, partChoices)) : [];
  void page.switchParts(
    offered.map(({ entry }) => entry),
    true,
  );
}

/** A newer release of the page, before all advice about files. */
function fillRelease(bar: HTMLElement, page: Page, load: () => void): void {
  bar.hidden = false;
  bar.classList.remove('damage');
  fill(
    bar,
    icon('info'),
    el('span', {}, words.release),
    plain(words.loadRelease, load),
    iconButton('close', words.hide, () => {
      page.release.value = null;
    }),
  );
}

/** The root of an Unreal file read otherwise, or all of it turned. */
function standUp(page: Page): void {
  const upright = page.actor.value && uprightPlacement(page.actor.value.file);
  if (upright?.isRootConjugated) page.readRoot(true);
  else if (upright) page.dispatch({ type: 'set-placement', placement: upright });
}

const plain = (text: string, onclick: () => void): HTMLElement => el('button', { type: 'button', class: 'plain', onclick }, text);

/** What could not be done, and what may be done next. */
export function troubleCard(page: Page): HTMLElement {
  const card = el('section', { class: 'card trouble', role: 'alert', hidden: true });
  effect(() => {
    const refusal = page.trouble.value;
    const hadFocus = card.contains(document.activeElement);
    card.hidden = refusal === null;
    if (refusal) fillTrouble(card, page, refusal);
    else if (hadFocus) page.scenery.sharedRenderer.canvas.focus({ preventScroll: true });
  });
  return card;
}

function fillTrouble(card: HTMLElement, page: Page, { problem, report }: Refusal): void {
  const { title, next, action } = troubleOf(problem, page.meanings.peek());
  const isAsking = action !== '';
  const close = (): void => {
    page.trouble.value = null;
  };
  card.classList.toggle('asks', isAsking);
  fill(
    card,
    icon(isAsking ? 'key' : 'error'),
    el('h2', {}, title),
    el('p', {}, next),
    problem.code === 'none-opens' && reasons(problem, page.meanings.peek()),
    report && findings(report, page.meanings.peek()),
    el(
      'div',
      { class: 'actions' },
      el(
        'button',
        { type: 'button', class: `button${isAsking ? ' primary' : ''}`, onclick: () => page.picking.pick('files') },
        action || words.openAnother,
      ),
      el('button', { type: 'button', class: 'plain', onclick: close }, words.close),
    ),
  );
  // Somebody has just opened the file, and is asked something.
  card.querySelector<HTMLElement>('.primary')?.focus({ preventScroll: true });
}

/** Files and why they cannot be shown. */
function reasons({ files, all }: Problem & { code: 'none-opens' }, meanings: ReadonlyMap<string, string>): HTMLElement {
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
        .slice(0, MOST_FINDINGS)
        .map(({ detail, code, offset }) =>
          el('li', {}, `${words.found(meanings.get(code) ?? '', detail)} (${code}${offset === null ? '' : words.atByte(offset)})`),
        ),
    ),
  );
}

/** What is being done, for people who wait. */
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

  /** Shown from now on; with this text where there is none yet. Returns the text. */
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

  /** From 0 to 1; null: nobody knows. */
  set share(share: number | null) {
    if (share === null) this.#bar.removeAttribute('value');
    else this.#bar.value = share;
  }
}
