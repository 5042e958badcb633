// Scene panel: spring bones, constraints, sky, lights, particles and licences.

import type { GizmoKind } from '../../view/index.ts';
import type { SpringBones } from '../../three/avatar/springs.ts';
import { count, el, fill, picked } from '../dom.ts';
import { words } from '../words/index.ts';
import { linkOf, MAX_TEXT } from './link.ts';

export interface SceneFacts {
  /** Number of spring bones. */
  springs: number;
  /** Constraints and IK handles, each with functions to turn it on and off. */
  rigging: { name: string; kind: 'ik' | 'constraint'; get(): boolean; set(on: boolean): void }[];
  /** Layers that can be shown or hidden. */
  layers: { id: SceneLayer; detail: string; on: boolean }[];
  particles: { name: string; facts: [label: string, value: string][] }[];
  rights: Rights[];
}

export interface Rights {
  /** Name of the character part to which the rights apply; '' for the whole file. */
  of: string;
  rows: [label: string, text: string][];
}

export type SceneLayer = GizmoKind | 'sky' | 'fileLights';

const MAX_ROWS = 150;

export class ScenePanel {
  readonly element: HTMLElement;
  onSprings: (on: boolean) => void = () => {};
  onRest: () => void = () => {};
  onRules: (rules: 'unity' | 'vrm') => void = () => {};
  onRigging: () => void = () => {};
  onLayer: (layer: SceneLayer, on: boolean) => void = () => {};
  /** Called with the URL of a clicked link, which is an http or https URL. */
  onLink: (address: string) => void = () => {};

  constructor() {
    this.element = el('div', { class: 'panel scene' });
  }

  set(facts: SceneFacts, springs: Pick<SpringBones, 'isOn' | 'rules'> | null): void {
    fill(
      this.element,
      ...this.#springs(facts.springs, springs),
      ...this.#layers(facts.layers),
      ...this.#rigging(facts.rigging),
      ...facts.rights.slice(0, MAX_ROWS).map(rights => this.#rights(rights)),
      ...(facts.rights.length > MAX_ROWS ? [el('p', { class: 'note' }, words.moreRights(facts.rights.length - MAX_ROWS))] : []),
      ...this.#particles(facts.particles),
    );
  }

  #springs(bones: number, springs: Pick<SpringBones, 'isOn' | 'rules'> | null): HTMLElement[] {
    if (!springs) return [];
    const rules = el(
      'select',
      { 'aria-label': `${words.springBones}: ${words.springRules.title}`, onchange: () => this.onRules(rules.value as 'unity' | 'vrm') },
      ...(['unity', 'vrm'] as const).map(value => el('option', { value, selected: value === springs.rules }, words.springRules[value])),
    );
    const box = el('input', { type: 'checkbox', checked: springs.isOn, onchange: () => this.onSprings(box.checked) });
    return [
      el('h3', {}, words.springBones),
      el('label', { class: 'check' }, box, el('span', { class: 'name' }, words.simulate), el('span', { class: 'detail' }, count(bones))),
      el('label', { class: 'row-of' }, el('span', {}, words.springRules.title), picked(rules)),
      el('button', { type: 'button', class: 'plain', onclick: () => this.onRest() }, words.resetSprings),
    ];
  }

  #layers(layers: SceneFacts['layers']): HTMLElement[] {
    if (layers.length === 0) return [];
    return [
      el('h3', {}, words.show),
      ...layers.map(({ id, detail, on }) => {
        const box = el('input', { type: 'checkbox', checked: on, onchange: () => this.onLayer(id, box.checked) });
        return el(
          'label',
          { class: 'check', 'data-layer': id },
          box,
          el('span', { class: 'name' }, words.sceneSwitches[id]),
          el('span', { class: 'detail' }, detail),
        );
      }),
    ];
  }

  #rigging(parts: SceneFacts['rigging']): HTMLElement[] {
    if (parts.length === 0) return [];
    const rows = parts.slice(0, MAX_ROWS).map(({ name, kind, get, set }) => {
      const box = el('input', {
        type: 'checkbox',
        checked: get(),
        onchange: () => {
          set(box.checked);
          this.onRigging();
        },
      });
      return el(
        'label',
        { class: 'check', 'data-rigging': kind },
        box,
        el('span', { class: 'name' }, name || words.noName),
        el('span', { class: 'detail' }, words.riggingKinds[kind]),
      );
    });
    const rest = parts.length - rows.length;
    return [el('h3', {}, words.rigging), ...rows, ...(rest > 0 ? [el('p', { class: 'note' }, words.andMore(rest))] : [])];
  }

  #rights({ of, rows }: Rights): HTMLElement {
    return el(
      'section',
      { 'aria-label': of ? words.rightsTo(of) : words.authorAndRights },
      el('h3', {}, of ? words.rightsToQuoted(of) : words.authorAndRights),
      el(
        'dl',
        { class: 'facts wide' },
        ...rows.map(([label, text]) => {
          const address = linkOf(text);
          return el(
            'div',
            {},
            el('dt', {}, label),
            el(
              'dd',
              {},
              address
                ? el('button', { type: 'button', class: 'link', title: words.asksBeforeOpening, onclick: () => this.onLink(address) }, text)
                : shortened(text),
            ),
          );
        }),
      ),
    );
  }

  #particles(systems: SceneFacts['particles']): HTMLElement[] {
    if (systems.length === 0) return [];
    return [
      el('h3', {}, words.particles),
      el('p', { class: 'note' }, words.particlesText),
      ...systems
        .slice(0, MAX_ROWS)
        .map(({ name, facts }) =>
          el(
            'details',
            { class: 'particles' },
            el('summary', {}, name || words.noName),
            el('dl', { class: 'facts' }, ...facts.map(([label, value]) => el('div', {}, el('dt', {}, label), el('dd', {}, value)))),
          ),
        ),
    ];
  }
}

function shortened(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)} …` : text;
}
