// Generates customElements.json, which describes <rigcast-viewer> to editors, from the manual of
// the element (schema: custom-elements-manifest 1).

const camel = name => name.replace(/-./g, found => found[1].toUpperCase());
const named = (words, key = 'description') => Object.entries(words).map(([name, text]) => ({ name, [key]: text }));

const typeOf = syntax =>
  Array.isArray(syntax)
    ? syntax.map(value => `'${value}'`).join(' | ')
    : typeof syntax === 'number'
      ? 'number'
      : ({
          flag: 'boolean',
          start: 'number',
          names: 'string | readonly string[]',
          files: 'string | Iterable<File> | ReadonlyMap<string, Blob>',
        }[syntax] ?? 'string');

/**
 * Returns the title of the group and the documentation of each attribute, by attribute name. Both
 * are parsed from comments in element/attributes.ts (`source`), so that pages that load the table
 * ATTRIBUTES don't load them. `syntaxes` is this table.
 */
export function attributeManual(syntaxes, source) {
  const rows = /^export const ATTRIBUTES = \{\n(.*?)^\}/ms.exec(source)[1];
  let group = '';
  let text = '';
  const manual = {};
  for (const [, title, comment, quoted, plain] of rows.matchAll(
    /^ {2}(?:\/\/ ([^\n]+)|\/\*\*(.*?)\*\/|'([\w-]+)':[^\n]*|(\w+):[^\n]*)$/gms,
  )) {
    if (title) group = title;
    else if (comment) text = comment.replace(/\s*\n\s*\*\s/g, ' ').trim();
    else {
      const name = quoted ?? plain;
      manual[name] = { group, text, syntax: syntaxes[name] };
      text = '';
    }
  }
  return manual;
}

/**
 * Returns the manifest as an object. The parameter combines web/src/element/manual.ts with the
 * result of `attributeManual`.
 */
export function customElementsOf({ DESCRIPTION, ATTRIBUTE_MANUAL, PROPERTIES, METHODS, EVENTS, SLOTS, PARTS, CSS_PROPERTIES }) {
  const path = 'dist/element/index.js';
  const name = 'RigcastViewerElement';
  const attributes = Object.entries(ATTRIBUTE_MANUAL);
  const declaration = {
    kind: 'class',
    name,
    description: DESCRIPTION,
    customElement: true,
    tagName: 'rigcast-viewer',
    superclass: { name: 'HTMLElement' },
    attributes: attributes.map(([attribute, manual]) => ({
      name: attribute,
      fieldName: camel(attribute),
      type: { text: ['files', 'names'].includes(manual.syntax) ? 'string' : typeOf(manual.syntax) },
      description: manual.text,
    })),
    members: [
      ...attributes.map(([attribute, manual]) => ({
        kind: 'field',
        name: camel(attribute),
        type: { text: typeOf(manual.syntax) },
        description: manual.text,
        attribute,
      })),
      ...PROPERTIES.map(({ name: property, type, text, isReadOnly }) => ({
        kind: 'field',
        name: property,
        type: { text: type },
        description: text,
        ...(isReadOnly && { readonly: true }),
      })),
      ...METHODS.map(({ name: method, type, text }) => ({
        kind: 'method',
        name: method,
        description: `${text} ${type}`,
        return: { type: { text: type.slice(type.indexOf('=> ') + 3) } },
      })),
    ],
    events: Object.entries(EVENTS).map(([event, { detail, text }]) => ({
      name: event,
      type: { text: `CustomEvent<RigcastViewerEvents['${event}']>` },
      description: detail ? `${text} event.detail: ${detail}` : text,
    })),
    slots: named(SLOTS),
    cssParts: named(PARTS),
    cssProperties: named(CSS_PROPERTIES),
  };
  const where = { name, module: path };
  return {
    schemaVersion: '1.0.0',
    modules: [
      {
        kind: 'javascript-module',
        path,
        declarations: [declaration],
        exports: [
          { kind: 'js', name, declaration: where },
          { kind: 'custom-element-definition', name: 'rigcast-viewer', declaration: where },
        ],
      },
    ],
  };
}
