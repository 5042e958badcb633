// Sections about the scene: spring bones, layers, constraints, particles and licences.
import { deferredEffect } from '../deferred.ts';
import { type Child, el, fill, picked } from '../dom.ts';
import type { Page } from '../page.ts';
import type { Rights, SceneFacts } from '../sceneFacts.ts';
import { words } from '../words/index.ts';
import { linkOf, MAX_TEXT } from './link.ts';

const MAX_ROWS = 150;

/** Creates an element whose children are created again when the scene changes. */
function follow(page: Page, children: (facts: SceneFacts) => Child[]): HTMLElement {
  const element = el('div', { class: 'scene' });
  deferredEffect(() => {
    const facts = page.scene.value;
    fill(element, ...(facts ? children(facts) : []));
  });
  return element;
}

export const springControls = (page: Page): HTMLElement =>
  follow(page, () => {
    const springs = page.shownModel.peek()?.rig.springs;
    if (!springs) return [];
    const rules = el(
      'select',
      {
        'aria-label': `${words.sections.springs}: ${words.springRules.title}`,
        onchange: () => {
          springs.rules = rules.value as 'unity' | 'vrm';
          page.viewport.view.invalidate();
        },
      },
      ...(['unity', 'vrm'] as const).map(value => el('option', { value, selected: value === springs.rules }, words.springRules[value])),
    );
    const box = el('input', { type: 'checkbox', checked: springs.isOn, onchange: () => page.viewport.enableSprings(box.checked) });
    return [
      el('label', { class: 'check' }, box, el('span', { class: 'name' }, words.simulate)),
      el('label', { class: 'row-of' }, el('span', {}, words.springRules.title), picked(rules)),
      el('button', { type: 'button', class: 'plain', onclick: () => page.viewport.settle() }, words.resetSprings),
    ];
  });

/** Creates the checkboxes of the layers that the file contains, for example its lights. */
export const layerChecks = (page: Page): HTMLElement =>
  follow(page, ({ layers }) =>
    layers.map(({ id, detail, on }) => {
      const box = el('input', { type: 'checkbox', checked: on, onchange: () => page.viewport.appearance.showLayer(id, box.checked) });
      return el(
        'label',
        { class: 'check', 'data-layer': id },
        box,
        el('span', { class: 'name' }, words.sceneSwitches[id]),
        el('span', { class: 'detail' }, detail),
      );
    }),
  );

export const riggingChecks = (page: Page): HTMLElement =>
  follow(page, ({ rigging }) => [
    ...rigging.slice(0, MAX_ROWS).map(({ name, kind, get, set }) => {
      const box = el('input', {
        type: 'checkbox',
        checked: get(),
        onchange: () => {
          set(box.checked);
          page.viewport.solve();
        },
      });
      return el(
        'label',
        { class: 'check', 'data-rigging': kind },
        box,
        el('span', { class: 'name' }, name || words.noName),
        el('span', { class: 'detail' }, words.riggingKinds[kind]),
      );
    }),
    rigging.length > MAX_ROWS && el('p', { class: 'note' }, words.andMore(rigging.length - MAX_ROWS)),
  ]);

export const particleFacts = (page: Page): HTMLElement =>
  follow(page, ({ particles }) => [
    el('p', { class: 'note' }, words.particlesText),
    ...particles
      .slice(0, MAX_ROWS)
      .map(({ name, facts }) =>
        el(
          'details',
          { class: 'particles' },
          el('summary', {}, name || words.noName),
          el('dl', { class: 'facts' }, ...facts.map(([label, value]) => el('div', {}, el('dt', {}, label), el('dd', {}, value)))),
        ),
      ),
  ]);

export const rightsFacts = (page: Page): HTMLElement =>
  follow(page, ({ rights }) => [
    ...rights.slice(0, MAX_ROWS).map(each => rightsOf(page, each)),
    rights.length > MAX_ROWS && el('p', { class: 'note' }, words.moreRights(rights.length - MAX_ROWS)),
  ]);

function rightsOf(page: Page, { of, rows }: Rights): HTMLElement {
  return el(
    'section',
    { 'aria-label': of ? words.rightsTo(of) : words.sections.rights },
    of !== '' && el('h4', {}, words.rightsToQuoted(of)),
    el(
      'dl',
      { class: 'facts wide' },
      ...rows.map(([label, text]) => {
        const address = linkOf(text);
        const value = address
          ? el('button', { type: 'button', class: 'link', title: words.asksBeforeOpening, onclick: () => void page.askLink(address) }, text)
          : shortened(text);
        return el('div', {}, el('dt', {}, label), el('dd', {}, value));
      }),
    ),
  );
}

function shortened(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)} …` : text;
}
