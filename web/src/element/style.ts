// The style sheet of the element, shared by all elements of a page. It is constructed in
// JavaScript, which strict content security policies allow.

// If the poster is a button, it has a play icon in its centre. The toolbar below the picture is 48
// px high, including its margins. Transparent borders become visible in forced-colors mode. The
// progress bar appears after a second: drawing it would delay the picture of a fast load.
const CSS = `
:host {
  display: block;
  position: relative;
  width: 300px;
  height: 240px;
  contain: layout paint;
  overflow: hidden;
  background: var(--rigcast-background, transparent);
  font: 13px/1.4 system-ui, sans-serif;
  --_accent: var(--rigcast-accent, light-dark(#1f7a75, #4db6ac));
}
:host([hidden]) { display: none; }
:host(:fullscreen) { width: 100%; height: 100%; background: var(--rigcast-background, Canvas); }
[part='viewport'], [part='canvas'], [part='poster'], [part='hotspots'] { position: absolute; inset: 0; width: 100%; height: 100%; }
:host([controls]) :is([part='viewport'], [part='hotspots']) { height: calc(100% - 48px); }
[part='viewport'] { outline-offset: -2px; cursor: grab; }
[part='viewport']:active { cursor: grabbing; }
[part='viewport'].still { cursor: auto; }
[part='viewport']:focus-visible { outline: 2px solid var(--_accent); }
[part='poster'] { border: 0; padding: 0; margin: 0; background: none; font: inherit; color: inherit; transition: opacity 0.25s; pointer-events: none; }
button[part='poster'] {
  pointer-events: auto; cursor: pointer;
  &:focus-visible { outline: 2px solid var(--_accent); outline-offset: -4px; }
  &::before, &::after { content: ''; position: absolute; inset: 0; margin: auto; aspect-ratio: 1; forced-color-adjust: none; }
  &::before { width: min(56px, 45%); border-radius: 50%; background: var(--_accent); }
  &::after { width: min(22px, 18%); clip-path: polygon(18% 0, 100% 50%, 18% 100%); background: Canvas; }
  &:is(.own, .pressed)::before, &:is(.own, .pressed)::after { content: none; }
}
[part='poster-image'] { width: 100%; height: 100%; object-fit: contain; display: block; }
.gone { opacity: 0; visibility: hidden; pointer-events: none; }
[part='progress'] { position: absolute; inset: auto 0 0; background: color-mix(in srgb, var(--_accent) 25%, transparent); animation: appear 1ms 1s backwards; }
@keyframes appear { from { visibility: hidden; } }
[part='progress-bar'] { height: 3px; background: var(--_accent); forced-color-adjust: none; transform-origin: left; transition: transform 0.2s; }
[part='error'] {
  position: absolute; inset: auto 8px 8px; padding: 8px 10px; border: 1px solid transparent; border-radius: 6px; overflow: auto; max-height: calc(100% - 32px);
  background: var(--rigcast-error-background, light-dark(#fbe9e7, #3a1d1a)); color: var(--rigcast-error-color, light-dark(#7d1a14, #f6c6c0)); overflow-wrap: anywhere;
  display: flex; flex-wrap: wrap; align-items: center; gap: 4px 10px;
  span { flex: auto; }
  button { padding: 3px 10px; border: 1px solid; border-radius: 6px; background: none; color: inherit; font: inherit; cursor: pointer; }
}
[part='hotspots'] { pointer-events: none; overflow: hidden; }
[part='controls'] { position: absolute; inset: auto 0 0; pointer-events: none; }
[hidden] { display: none !important; }
@media print { [part='controls'], [part='error'] button, [part='ar-button'], [part='prompt'] { display: none !important; } }
@media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
`;

let sheet: CSSStyleSheet | undefined;

/** Adds the style sheet of the element to its shadow tree. */
export function adoptStyle(root: ShadowRoot): void {
  adopt(root, (sheet ??= sheetOf(CSS)));
}

/** Adds a style sheet to a shadow tree, unless it already contains the style sheet. */
export function adopt(root: ShadowRoot, made: CSSStyleSheet): void {
  if (!root.adoptedStyleSheets.includes(made)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, made];
}

export function sheetOf(css: string): CSSStyleSheet {
  const made = new CSSStyleSheet();
  made.replaceSync(css);
  return made;
}
