// Types, customElements.json and the data for editors of <rigcast-viewer> agree with the implementation.
import { readFileSync } from 'node:fs';
import type { JSX as Solids } from 'solid-js';
import type { SvelteHTMLElements } from 'svelte/elements';
import { describe, expect, it } from 'vitest';
import type { GlobalComponents } from 'vue';
import { attributeManual, customElementsOf, htmlDataOf, webTypesOf } from '../../../.ci/manifest.mjs';
import { ATTRIBUTES } from '../../../web/src/element/attributes.ts';
import { RigcastViewerElement } from '../../../web/src/element/index.ts';
import * as manual from '../../../web/src/element/manual.ts';
import '../../../web/src/element/solid.ts';
import '../../../web/src/element/svelte.ts';
import '../../../web/src/element/vue.ts';

type Solid = Solids.IntrinsicElements['rigcast-viewer'];
type Svelte = SvelteHTMLElements['rigcast-viewer'];
type Vue = InstanceType<GlobalComponents['rigcast-viewer']>['$props'];

/** Checked only by the compiler: @ts-expect-error fails if the compiler accepts a wrong value. */
export function compiled(): unknown {
  const file = new File([], 'hero.psk');
  const right = { src: 'a.psk', loop: 'pingpong', autoplay: true, controls: '', speed: 2, 'camera-orbit': '30deg', files: [file] } as const;
  const solid: Solid = {
    ...right,
    class: 'x',
    'on:animationevent': ({ detail }) => detail.time.toFixed(),
    'prop:fileResolver': () => null,
  };
  const svelte: Svelte = { ...right, class: 'x', onload: ({ detail }) => detail.rig.scene };
  const vue: Vue = { ...right, class: 'x', onCamerachange: ({ detail }) => detail.orbit.theta };
  // @ts-expect-error not a loop mode
  const a: Solid = { loop: 'forever' };
  // @ts-expect-error a flag is not a number
  const b: Svelte = { autoplay: 1 };
  // @ts-expect-error a time is a number
  const c: Vue = { time: 'soon' };
  // @ts-expect-error not an attribute
  const d: Solid = { source: 'a.psk' };
  return [solid, svelte, vue, a, b, c, d];
}

interface Declared {
  attributes: { name: string; fieldName: string; description: string; type: { text: string } }[];
  members: { kind: string; name: string; description: string }[];
  events: { name: string }[];
  slots: { name: string }[];
  cssParts: { name: string }[];
  cssProperties: { name: string }[];
  cssStates: { name: string }[];
  customElement: boolean;
  description: string;
  tagName: string;
}

const source = readFileSync(new URL('../../../web/src/element/attributes.ts', import.meta.url), 'utf8');
const ATTRIBUTE_MANUAL = attributeManual(ATTRIBUTES, source);

describe('customElements.json', () => {
  const { modules } = customElementsOf({ ...manual, ATTRIBUTE_MANUAL }) as { modules: [{ path: string; declarations: [Declared] }] };
  const [declared] = modules[0].declarations;

  it('contains every attribute with its property and description', () => {
    expect(declared.description).toBe('A 3D model with its animations.');
    expect([declared.tagName, declared.customElement, modules[0].path]).toEqual(['rigcast-viewer', true, 'dist/element/index.js']);
    expect(declared.attributes.map(({ name }) => name).toSorted()).toEqual(Object.keys(ATTRIBUTES).toSorted());
    expect(declared.attributes.every(({ description }) => description.length > 5)).toBe(true);
    expect(declared.attributes.find(({ name }) => name === 'loop')).toMatchObject({
      fieldName: 'loop',
      type: { text: "'repeat' | 'pingpong' | 'none' | 'file'" },
    });
  });

  it('contains the default of every numeric attribute', () => {
    const numbers = Object.entries(ATTRIBUTES).filter(([, kind]) => typeof kind === 'number');
    const textOf = (wanted: string): string => declared.attributes.find(({ name }) => name === wanted)!.description;
    expect(numbers.map(([name]) => textOf(name).match(/default (\d+)/)?.[1])).toEqual(numbers.map(([, kind]) => `${kind}`));
    expect(numbers).toHaveLength(5);
  });

  it('contains exactly the properties and methods of the class', () => {
    const own = Object.entries(Object.getOwnPropertyDescriptors(RigcastViewerElement.prototype))
      .filter(([name]) => !/^(constructor|.*Callback|addEventListener)$/.test(name))
      .map(([name, { value }]) => `${value ? 'method' : 'field'} ${name}`);
    const reflected = Object.entries(ATTRIBUTES).flatMap(([name, kind]) =>
      kind === 'files' || kind === 'names' || kind === 'start' ? [] : [`field ${name.replace(/-./g, found => found[1]!.toUpperCase())}`],
    );
    expect(declared.members.map(({ kind, name }) => `${kind} ${name}`).toSorted()).toEqual([...own, ...reflected].toSorted());
  });

  it('contains the parts, slots and CSS properties of the sources', () => {
    const folder = new URL('../../../web/src/element/', import.meta.url);
    const text = ['parts', 'style', 'toolbar', 'appearance', 'hotspots', 'prompt', 'arButton']
      .map(name => readFileSync(new URL(`${name}.ts`, folder), 'utf8'))
      .join('\n');
    const found = (pattern: RegExp): string[] => [...new Set(Array.from(text.matchAll(pattern), match => match[1]!))].toSorted();
    const names = (list: readonly { name: string }[]): string[] => list.map(({ name }) => name).toSorted();
    expect(names(declared.cssStates)).toEqual(Object.keys(manual.STATES).toSorted());
    expect(names(declared.cssProperties)).toEqual(found(/(--rigcast-[a-z-]+)/g));
    expect(names(declared.cssParts)).toEqual(found(/(?:\[part='|make\('\w+', '|'part', '|button\('|label\([^,]+, ')([a-z-]+)'/g));
    expect(names(declared.slots).filter(name => !name.startsWith('hotspot'))).toEqual(found(/\bslot(?:\.name = |\()'([\w-]+)'/g));
  });
});

describe('data for editors', () => {
  const urls = { file: (path: string): string => `https://x.org/${path}` };
  interface Attribute {
    name: string;
    description: string | { kind: string; value: string };
    valueSet?: string;
    values?: { name: string }[];
    value?: { kind?: string; type?: string };
  }
  const byName = (list: readonly Attribute[]): Record<string, Attribute> => Object.fromEntries(list.map(each => [each.name, each]));

  it('for VS Code contains every attribute, the keywords of a list, and flags without a value', () => {
    const { tags } = htmlDataOf({ ...manual, ATTRIBUTE_MANUAL }, urls) as {
      tags: [{ name: string; attributes: Attribute[]; references: unknown }];
    };
    expect(tags[0].attributes.map(({ name }) => name)).toEqual(Object.keys(ATTRIBUTES));
    const { loop, autoplay, src } = byName(tags[0].attributes);
    expect(loop!.values).toEqual([{ name: 'repeat' }, { name: 'pingpong' }, { name: 'none' }, { name: 'file' }]);
    expect([autoplay!.valueSet, src!.valueSet, src!.values]).toEqual(['v', undefined, undefined]);
    expect(src!.description).toEqual({ kind: 'markdown', value: ATTRIBUTE_MANUAL.src!.text });
    expect(tags[0].references).toEqual([{ name: 'Reference', url: 'https://x.org/docs/element.md' }]);
  });

  it('for JetBrains contains every attribute, event, slot, part, CSS property and state', () => {
    const types = webTypesOf({ ...manual, ATTRIBUTE_MANUAL }, { name: 'rigcast', version: '1.2.3' }, urls) as {
      contributions: {
        html: {
          elements: [{ attributes: Attribute[]; slots: Attribute[]; js: Record<string, Attribute[]>; css: Record<string, Attribute[]> }];
        };
      };
    };
    const [{ attributes, slots, js, css }] = types.contributions.html.elements;
    const { loop, autoplay } = byName(attributes);
    expect([loop!.value, autoplay!.value]).toEqual([{ type: "'repeat' | 'pingpong' | 'none' | 'file'" }, { kind: 'no-value' }]);
    const names = [attributes, slots, js.events!, css.properties!, css['pseudo-elements']!, css['pseudo-classes']!].map(list =>
      list.map(({ name }) => name),
    );
    expect(names).toEqual([
      Object.keys(ATTRIBUTES),
      Object.keys(manual.SLOTS),
      Object.keys(manual.EVENTS),
      Object.keys(manual.CSS_PROPERTIES),
      Object.keys(manual.PARTS).map(name => `part(${name})`),
      Object.keys(manual.STATES).map(name => `state(${name})`),
    ]);
    expect(js.properties!.length).toBe(Object.keys(ATTRIBUTES).length + manual.PROPERTIES.length);
  });
});
