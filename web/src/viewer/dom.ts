// Helpers to create elements. Text is always inserted as text nodes, so that text from a file is
// never interpreted as HTML.

type Attribute = string | number | boolean | null | undefined | ((event: never) => void);

export type Child = Node | string | number | null | undefined | false;

/**
 * Creates an element. `attributes`: values by attribute name; an attribute whose value is false or
 * null is omitted, and functions such as `onclick` become event listeners.
 */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, Attribute> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value as EventListener);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  put(element, ...children);
  return element;
}

export function put(parent: Element, ...children: Child[]): void {
  for (const child of children)
    if (child !== null && child !== undefined && child !== false) parent.append(typeof child === 'number' ? String(child) : child);
}

export function fill(parent: Element, ...children: Child[]): void {
  parent.replaceChildren();
  put(parent, ...children);
}

/** Creates two texts, of which the style sheet shows the one for the primary pointer of the device. */
export const byPointer = (mouse: string, touch: string): HTMLElement[] => [
  el('span', { class: 'for-mouse' }, mouse),
  el('span', { class: 'for-touch' }, touch),
];

const SVG = 'http://www.w3.org/2000/svg';

/** Paths of line icons on a 24-unit grid. A `fill:` prefix fills the path. */
const ICONS = {
  play: ['fill:M8 5.5v13a.8.8 0 0 0 1.2.7l10.3-6.5a.8.8 0 0 0 0-1.4L9.2 4.8A.8.8 0 0 0 8 5.5z'],
  pause: ['fill:M7 5h3.4v14H7zM13.6 5H17v14h-3.4z'],
  back: ['M15 6l-6 6 6 6'],
  forward: ['M9 6l6 6-6 6'],
  loop: ['M17 3l3 3-3 3', 'M20 6H8a4 4 0 0 0-4 4v1', 'M7 21l-3-3 3-3', 'M4 18h12a4 4 0 0 0 4-4v-1'],
  once: ['M4 12h13', 'M13 8l4 4-4 4', 'M20 6v12'],
  from: ['M8 5H5v14h3', 'M10 12h10', 'M13.500 8.500L10 12l3.500 3.500'],
  to: ['M16 5h3v14h-3', 'M14 12H4', 'M10.500 8.500L14 12l-3.500 3.500'],
  note: ['M6 4h12v12l-4 4H6z', 'M14 20v-4h4', 'M9 9h6M9 12.500h4'],
  lock: ['M12 3v5M12 3l-2 2M12 3l2 2', 'M6 21h12', 'M12 21v-8', 'M9 13h6'],
  reset: [
    'M4 9V5a1 1 0 0 1 1-1h4',
    'M20 9V5a1 1 0 0 0-1-1h-4',
    'M4 15v4a1 1 0 0 0 1 1h4',
    'M20 15v4a1 1 0 0 1-1 1h-4',
    'M12 9.5v5M9.5 12h5',
  ],
  bones: ['M12 3l2.6 4.2L12 12 9.4 7.200z', 'M12 12l2.6 4.2L12 21l-2.600-4.800z'],
  wire: ['M12 3l8 4.600v8.800L12 21l-8-4.600V7.600z', 'M12 12l8-4.400M12 12v9M12 12L4 7.600'],
  colors: [
    'M12 3.500c3.300 4 5.500 6.700 5.500 9.700a5.500 5.500 0 0 1-11 0c0-3 2.200-5.700 5.500-9.700z',
    'M9.500 14a2.600 2.600 0 0 0 2.500 2.500',
  ],
  face: [
    'M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17z',
    'M9 9.500v.1M15 9.500v.1',
    'M8.500 14.200c1 1.300 2.200 1.900 3.500 1.900s2.500-.6 3.500-1.900',
  ],
  morph: ['M4 16c2.500-7 5-7 8 0s5.500 7 8 0', 'M4 8c2.500 4 5.500 4 8 0s5.500-4 8 0'],
  eye: [
    'M2.500 12S6 5.500 12 5.500 21.500 12 21.500 12 18 18.500 12 18.500 2.500 12 2.500 12z',
    'M12 9.200a2.800 2.800 0 1 0 0 5.600 2.800 2.800 0 0 0 0-5.600z',
  ],
  grid: ['M3 9h18M3 15h18M9 3v18M15 3v18'],
  vr: ['M4 7h16a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1h-4l-2.500-3h-3L8 17H4a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1z', 'M8 10.500v.1M16 10.500v.1'],
  ar: [
    'M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4',
    'M12 7.500l4 2.200v4.600l-4 2.200-4-2.200V9.700z',
    'M12 12l4-2.300M12 12v4.500M12 12L8 9.700',
  ],
  tiles: ['M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z'],
  list: ['M4 6h3M4 12h3M4 18h3M10 6h10M10 12h10M10 18h10'],
  star: ['M12 3.500l2.600 5.400 5.900.8-4.300 4.100 1 5.900-5.200-2.800-5.200 2.800 1-5.900L3.500 9.700l5.900-.8z'],
  file: ['M14 3H7a1 1 0 0 0-1 1v16a1 1 0 0 0 1 1h10a1 1 0 0 0 1-1V7z', 'M14 3v4h4'],
  camera: ['M4 8h3l1.500-2.500h7L17 8h3v11H4z', 'M12 10a3.300 3.300 0 1 0 0 6.600 3.300 3.300 0 0 0 0-6.600z'],
  save: ['M12 4v11M7.500 11l4.500 4.500 4.500-4.500', 'M4 18v1a1 1 0 0 0 1 1h14a1 1 0 0 0 1-1v-1'],
  share: [
    'M18 3.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5z',
    'M6 9.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5z',
    'M18 15.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5z',
    'M8.200 10.800l7.600-3.600M8.200 13.200l7.600 3.600',
  ],
  film: ['M4 5h16v14H4z', 'M8.500 5v14M15.500 5v14M4 9.700h4.500M4 14.300h4.500M15.500 9.700H20M15.500 14.300H20'],
  look: [
    'M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17z',
    'fill:M12 3.500a8.500 8.500 0 0 1 0 17c3.200-2 4.600-5 4.600-8.500S15.200 5.500 12 3.500z',
  ],
  details: ['M4 5.500h9', 'M6.500 5.500v13h3.500M6.500 12H10', 'M13 12h7M13 18.500h7'],
  more: [
    'fill:M12 4a1.600 1.600 0 1 0 0 3.200 1.600 1.600 0 0 0 0-3.200zM12 10.400a1.600 1.600 0 1 0 0 3.200 1.600 1.600 0 0 0 0-3.200zM12 16.800a1.600 1.600 0 1 0 0 3.200 1.600 1.600 0 0 0 0-3.200z',
  ],
  folder: ['M3 7a1 1 0 0 1 1-1h5l2 2.500h9a1 1 0 0 1 1 1V18a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1z'],
  sun: [
    'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z',
    'M12 2.500v2M12 19.500v2M2.500 12h2M19.500 12h2M5.300 5.300l1.400 1.400M17.300 17.300l1.400 1.400M5.300 18.700l1.400-1.400M17.300 6.700l1.400-1.400',
  ],
  moon: ['M20 14.500A8.500 8.500 0 0 1 9.500 4a8.500 8.500 0 1 0 10.500 10.500z'],
  language: [
    'M3 6h10M8 3.500v2.500',
    'M11 6c-.8 4-3.500 7-7.500 8.500',
    'M5 6c1 3.500 3.200 6.500 6.500 8',
    'M12.500 20.500L16.500 11l4 9.500M13.900 17.200h5.200',
  ],
  help: ['M9.200 9a2.900 2.900 0 1 1 4.300 2.600c-1 .6-1.500 1.200-1.500 2.400', 'M12 17.400v.1'],
  close: ['M6 6l12 12M18 6L6 18'],
  undo: ['M8.500 5.500L4 10l4.500 4.500', 'M4 10h10.500a5 5 0 0 1 0 10H11'],
  search: ['M11 4.500a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13z', 'M16 16l4 4'],
  drop: ['M12 3.500v11M7.500 10l4.500 4.500 4.500-4.500', 'M4 16v3.500a1 1 0 0 0 1 1h14a1 1 0 0 0 1-1V16'],
  error: ['M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17z', 'M9 9l6 6M15 9l-6 6'],
  warning: ['M12 4L2.800 19.500h18.400z', 'M12 10v4.500M12 17v.1'],
  info: ['M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17z', 'M12 11v5.500M12 7.800v.1'],
  ok: ['M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17z', 'M8.500 12.300l2.400 2.400 4.600-5'],
  down: ['M6 9l6 6 6-6'],
  keys: ['fill:M7 7.500L11.500 12 7 16.500 2.500 12z', 'M17 8l4 4-4 4-4-4z', 'M3 20.500h18'],
  plus: ['M12 5v14M5 12h14'],
  minus: ['M5 12h14'],
  key: ['M8 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8z', 'M11 12l8.500-8.500M16 7l3 3M13.500 9.500l2 2'],
} as const;

export type IconName = keyof typeof ICONS;

export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  for (const data of ICONS[name]) {
    const path = document.createElementNS(SVG, 'path');
    if (data.startsWith('fill:')) path.setAttribute('class', 'solid');
    path.setAttribute('d', data.replace('fill:', ''));
    svg.append(path);
  }
  return svg;
}

/** Creates a button with an icon. `label`: accessible name and tooltip. */
export function iconButton(
  name: IconName,
  label: string,
  onclick: () => void,
  attributes: Record<string, Attribute> = {},
): HTMLButtonElement {
  return el('button', { type: 'button', class: 'icon-button', 'aria-label': label, title: label, onclick, ...attributes }, icon(name));
}

export function setIcon(button: Element, name: IconName): void {
  button.querySelector('svg')?.replaceWith(icon(name));
}

/** Wraps a select element in an element that has the page's style. */
export const picked = (list: HTMLSelectElement): HTMLElement => el('span', { class: 'pick' }, list, icon('down'));

/** Formats a number in the visitor's locale: 1234567 → "1,234,567". */
export function count(value: number): string {
  return Math.round(value).toLocaleString();
}

export function bytes(value: number): string {
  return value < 1000 ? `${value} B` : value < 1e6 ? `${(value / 1e3).toFixed(0)} KB` : `${(value / 1e6).toFixed(1)} MB`;
}
