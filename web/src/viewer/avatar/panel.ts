// Avatar panel: expressions as tiles and sliders, gaze, blinking and idle animation.
import type { ExpressionState } from '../../rig/expressions.ts';
import { el, fill } from '../dom.ts';
import { words } from '../words/index.ts';
import './avatar.css';

export interface AvatarActions {
  /** Shows only one expression; null resets all expressions. */
  onFace(row: number | null): void;
  /** Sets the weight of an expression, from 0 to 1. */
  onWeight(row: number, weight: number): void;
  onLook(on: boolean): void;
  /** Sets how far the head follows the gaze: 0 for not at all, 1 for fully. */
  onHead(share: number): void;
  onBlink(on: boolean): void;
  onIdle(on: boolean): void;
}

/** Abilities of an avatar: whether it can move its eyes, blink and play an idle animation. */
export interface Abilities {
  looks: boolean;
  blinks: boolean;
  idles: boolean;
}

const MAX_ROWS = 150;

export class AvatarPanel {
  readonly element = el('div', { class: 'avatar' });
  readonly #actions: AvatarActions;
  #list: readonly ExpressionState[] = [];
  #tiles: HTMLButtonElement[] = [];
  #sliders: { input: HTMLInputElement; output: HTMLOutputElement }[] = [];
  readonly #abilities = el('section', { hidden: true });

  constructor(actions: AvatarActions) {
    this.#actions = actions;
  }

  set(list: readonly ExpressionState[]): void {
    this.#list = list;
    const shown = list.slice(0, MAX_ROWS);
    this.#tiles = shown.map((expression, row) => this.#tile(expression, row));
    const sliders = shown.map((expression, row) => this.#slider(expression, row));
    this.#abilities.hidden = true;
    this.#abilities.replaceChildren(); // remove the controls of the previous avatar
    const reset = el('button', { type: 'button', class: 'plain', onclick: () => this.#actions.onFace(null) }, words.resetFace);
    fill(
      this.element,
      el('div', { class: 'faces', role: 'group', 'aria-label': words.expressions }, ...this.#tiles),
      reset,
      el('details', { class: 'mix' }, el('summary', {}, words.avatar.mix), el('div', { class: 'sliders' }, ...sliders)),
      list.length > MAX_ROWS && el('p', { class: 'note' }, words.andMore(list.length - MAX_ROWS)),
      this.#abilities,
    );
    this.update(list);
  }

  /** Shows the controls for an avatar's abilities. `isIdle`: true if the idle animation is on. */
  setAbilities({ looks, blinks, idles }: Abilities, isIdle: boolean): void {
    const { avatar } = words;
    const share = el('input', {
      type: 'range',
      min: 0,
      max: 1,
      step: 0.05,
      value: 0.4,
      'aria-label': avatar.head,
      oninput: () => this.#actions.onHead(Number(share.value)),
    });
    const head = el('label', { class: 'slider', hidden: true }, el('span', { class: 'name' }, avatar.head), share);
    this.#abilities.hidden = !(looks || blinks || idles);
    fill(
      this.#abilities,
      el('h4', {}, avatar.idleBehaviour),
      looks &&
        check(avatar.look, on => {
          head.hidden = !on;
          this.#actions.onLook(on);
        }),
      looks && head,
      blinks && check(avatar.blink, on => this.#actions.onBlink(on)),
      idles && check(avatar.idle, on => this.#actions.onIdle(on), isIdle),
    );
  }

  setPicture(row: number, address: string): void {
    const tile = this.#tiles[row];
    tile?.querySelector('.face')?.replaceWith(el('img', { class: 'face', src: address, alt: '' }));
  }

  /** Updates tiles and sliders from the weights of the expressions. */
  update(list: readonly ExpressionState[] = this.#list): void {
    for (const [row, { weight }] of list.entries()) {
      this.#tiles[row]?.setAttribute('aria-pressed', String(weight > 0));
      const slider = this.#sliders[row];
      if (!slider || slider.input.value === String(weight)) continue;
      slider.input.value = String(weight);
      slider.input.style.setProperty('--done', `${weight * 100}%`);
      slider.output.value = weight.toFixed(2);
    }
    this.#list = list;
  }

  #tile(expression: ExpressionState, row: number): HTMLButtonElement {
    const { title, own } = titlesOf(expression);
    return el(
      'button',
      {
        type: 'button',
        class: 'tile',
        title: own ? `${title} · ${own}` : title,
        'aria-pressed': 'false',
        onclick: () => this.#actions.onFace(this.#list[row]!.weight > 0 ? null : row),
      },
      el('span', { class: 'face' }),
      el('span', { class: 'name' }, title),
    );
  }

  #slider(expression: ExpressionState, row: number): HTMLElement {
    const { title, own } = titlesOf(expression);
    const output = el('output', {}, '0.00');
    const input = el('input', {
      type: 'range',
      min: 0,
      max: 1,
      step: 0.01,
      value: 0,
      oninput: () => this.#actions.onWeight(row, Number(input.value)),
    });
    this.#sliders[row] = { input, output };
    return el(
      'label',
      { class: 'slider' },
      el('span', { class: 'name', title: expression.name }, title, own && el('span', { class: 'detail' }, ` ${own}`)),
      output,
      input,
    );
  }
}

/**
 * Returns the texts that identify an expression. `title`: name of its preset or, for an unknown
 * preset, its name in the file. `own`: its name in the file if it differs from the title; otherwise
 * ''.
 */
function titlesOf({ name, preset }: ExpressionState): { title: string; own: string } {
  const meaning = Object.hasOwn(words.presets, preset) ? words.presets[preset]! : '';
  const isRedundant = [meaning, preset].some(word => word.toLowerCase() === name.toLowerCase());
  return { title: meaning || name || words.noName, own: meaning && !isRedundant ? name : '' };
}

function check(text: string, onChange: (on: boolean) => void, isOn = false): HTMLElement {
  const box = el('input', { type: 'checkbox', checked: isOn, onchange: () => onChange(box.checked) });
  return el('label', { class: 'check' }, box, el('span', { class: 'name' }, text));
}
