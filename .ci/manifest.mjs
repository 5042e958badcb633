// Generates three files that describe <rigcast-viewer> to editors, from the manual of the element:
// customElements.json (schema: custom-elements-manifest 2.1), vscode.html-custom-data.json for VS
// Code, and web-types.json for the editors of JetBrains.

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
export function customElementsOf({ DESCRIPTION, ATTRIBUTE_MANUAL, PROPERTIES, METHODS, EVENTS, SLOTS, PARTS, CSS_PROPERTIES, STATES }) {
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
    cssStates: named(STATES),
  };
  const where = { name, module: path };
  return {
    schemaVersion: '2.1.0',
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

const isFlag = syntax => syntax === 'flag';
const choices = syntax => (Array.isArray(syntax) ? syntax : []);

/** Returns the HTML custom data for VS Code. `urls` is the result of `projectUrls`. */
export const htmlDataOf = ({ DESCRIPTION, ATTRIBUTE_MANUAL }, urls) => ({
  version: 1.1,
  tags: [
    {
      name: 'rigcast-viewer',
      description: DESCRIPTION,
      attributes: Object.entries(ATTRIBUTE_MANUAL).map(([name, { text, syntax }]) => ({
        name,
        description: { kind: 'markdown', value: text },
        ...(isFlag(syntax) && { valueSet: 'v' }), // the attribute has no value
        ...(choices(syntax).length > 0 && { values: choices(syntax).map(value => ({ name: value })) }),
      })),
      references: [{ name: 'Reference', url: urls.file('docs/element.md') }],
    },
  ],
});

/** Returns the web types for the editors of JetBrains. */
export const webTypesOf = (
  { DESCRIPTION, ATTRIBUTE_MANUAL, PROPERTIES, EVENTS, SLOTS, PARTS, CSS_PROPERTIES, STATES },
  { name, version },
  urls,
) => ({
  $schema: 'https://raw.githubusercontent.com/JetBrains/web-types/master/schema/web-types.json',
  name,
  version,
  'js-types-syntax': 'typescript',
  'description-markup': 'markdown',
  contributions: {
    html: {
      elements: [
        {
          name: 'rigcast-viewer',
          description: DESCRIPTION,
          'doc-url': urls.file('docs/element.md'),
          attributes: Object.entries(ATTRIBUTE_MANUAL).map(([attribute, { text, syntax }]) => ({
            name: attribute,
            description: text,
            value: isFlag(syntax) ? { kind: 'no-value' } : { type: syntax === 'files' ? 'string' : typeOf(syntax) },
          })),
          slots: named(SLOTS),
          js: {
            properties: [
              ...Object.entries(ATTRIBUTE_MANUAL).map(([attribute, { text, syntax }]) => ({
                name: camel(attribute),
                description: text,
                type: typeOf(syntax),
              })),
              ...PROPERTIES.map(({ name: property, type, text, isReadOnly }) => ({
                name: property,
                description: text,
                type,
                ...(isReadOnly && { 'read-only': true }),
              })),
            ],
            events: Object.entries(EVENTS).map(([event, { text }]) => ({ name: event, description: text })),
          },
          css: {
            properties: named(CSS_PROPERTIES),
            'pseudo-elements': named(PARTS).map(part => ({ ...part, name: `part(${part.name})` })),
            'pseudo-classes': named(STATES).map(state => ({ ...state, name: `state(${state.name})` })),
          },
        },
      ],
    },
  },
});
