// The style sheets of a gallery. `theme.css` is written once and belongs to the owner of the site,
// who can change the custom properties of `style.css` in it.

export const THEME = `/* Change the look of the gallery here: this file is never overwritten.
   The custom properties are listed at the start of style.css. */
:root {
}
`;

export const STYLE = `:root {
  color-scheme: light dark;
  --page: light-dark(#f7f7f8, #131417);
  --surface: light-dark(#ffffff, #1d1f24);
  --stage: light-dark(#e9ebef, #262930);
  --text: light-dark(#1b1d22, #eceef2);
  --muted: light-dark(#5b616d, #a3a9b6);
  --line: light-dark(#dcdfe5, #33373f);
  --accent: light-dark(#1f5fbf, #8ab8ff);
  --on-accent: light-dark(#ffffff, #10131a);
  --error: light-dark(#b3261e, #ff9c94);
  --warning: light-dark(#8a5a00, #f0c069);
  --radius: 10px;
  --card: 200px;
  --width: 1440px;
  --font: system-ui, sans-serif;
  --mono: ui-monospace, monospace;
}
*, ::before, ::after { box-sizing: border-box; }
html { scrollbar-gutter: stable; }
body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.5 var(--font); }
.index, .list { display: flex; flex-direction: column; min-height: 100vh; }
.top, main, footer { width: 100%; max-width: var(--width); margin-inline: auto; padding-inline: clamp(16px, 3vw, 40px); }
main { flex: 1; padding-bottom: 40px; }
h1 { margin: 0; font-size: 24px; line-height: 1.25; font-weight: 650; overflow-wrap: anywhere; text-wrap: balance; }
h2 { margin: 0 0 10px; font-size: 17px; font-weight: 650; }
h3 { margin: 20px 0 8px; font-size: 15px; font-weight: 600; overflow-wrap: anywhere; }
h2 span, summary span, .downloads span, .files span, .textures span:last-child { color: var(--muted); font-weight: 400; }
a { color: var(--accent); text-underline-offset: 2px; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
ul { margin: 0; padding: 0; list-style: none; }
code { font-family: var(--mono); font-size: 0.92em; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
[hidden] { display: none !important; }
.note, .total, footer { color: var(--muted); }
button, input, select { font: inherit; color: inherit; }
button, select, input { min-height: 40px; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); padding: 0 14px; }
button { cursor: pointer; }
button:hover, select:hover { border-color: var(--muted); }

.top { padding-block: 28px 16px; }
.bar { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 14px; }
.total { margin: 2px 0 0; overflow-wrap: anywhere; }
.find { display: block; margin-top: 18px; }
.words { display: block; }
.words input { width: 100%; text-overflow: ellipsis; min-height: 48px; padding-inline: 16px; font-size: 17px; }
.words input::placeholder { color: var(--muted); opacity: 1; }
.filters { display: grid; grid-template-columns: repeat(auto-fill, minmax(190px, 1fr)); gap: 10px; margin-top: 12px; }
.filters label { display: block; min-width: 0; }
.filters label > span { display: block; margin-bottom: 2px; color: var(--muted); font-size: 13px; }
.filters select { width: 100%; text-overflow: ellipsis; padding-inline: 10px; }
.state { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 12px; min-height: 40px; color: var(--muted); }
.state:has(#state:empty):has(#chips:empty) { min-height: 12px; }
.state p { margin: 0; }
.chip { min-height: 32px; border-radius: 16px; font-size: 14px; color: var(--text); overflow-wrap: anywhere; }
.chip::after { content: ' ×' / ''; color: var(--muted); }
.chip + .chip { margin-left: 8px; }

.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(var(--card), 44%), 1fr)); gap: clamp(12px, 1.5vw, 20px); }
.card a { display: block; height: 100%; color: inherit; text-decoration: none; border-radius: var(--radius); }
.picture { position: relative; display: grid; place-items: center; aspect-ratio: 1; overflow: hidden; background: var(--stage); border-radius: var(--radius); }
.picture img { width: 100%; height: 100%; object-fit: contain; transition: transform 0.2s; }
.card a:hover img { transform: scale(1.04); }
.none { color: var(--muted); font-size: 14px; }
.badge { position: absolute; right: 8px; bottom: 8px; padding: 1px 8px; border-radius: 10px; background: var(--surface); color: var(--warning); font-size: 12.5px; font-weight: 600; }
.badge.errors { color: var(--error); }
.name { display: block; margin-top: 8px; font-weight: 600; line-height: 1.3; overflow-wrap: anywhere; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
.card .facts { display: block; color: var(--muted); font-size: 13px; line-height: 1.4; margin-top: 2px; }
.card a:hover .name { text-decoration: underline; text-underline-offset: 2px; }
.more { text-align: center; margin: 28px 0 0; }
.more button { min-width: 180px; }

.model .top { padding-bottom: 18px; }
nav { margin-bottom: 6px; font-size: 14px; color: var(--muted); overflow-wrap: anywhere; }
.split { display: grid; grid-template-columns: minmax(0, 1fr) minmax(280px, 340px); gap: clamp(20px, 2.5vw, 36px); align-items: start; }
.stage { background: var(--stage); border-radius: var(--radius); overflow: hidden; }
.stage rigcast-viewer { display: block; width: 100%; height: clamp(320px, 68vh, 760px); }
aside section { margin-top: 22px; }
dl.facts { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 6px 18px; margin: 0; }
dt { color: var(--muted); }
dd { margin: 0; overflow-wrap: anywhere; }
.downloads { display: grid; gap: 8px; }
.downloads a, .downloads .missing { display: flex; align-items: baseline; gap: 10px; padding: 9px 14px; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); color: inherit; text-decoration: none; }
.downloads a:hover { border-color: var(--accent); }
.downloads strong { flex: none; min-width: 48px; font-weight: 650; overflow-wrap: anywhere; }
.downloads .missing { background: none; border-style: dashed; }
summary { cursor: pointer; padding: 8px 0; }
.files li { overflow-wrap: anywhere; padding: 2px 0; font-size: 14px; }
.embed { display: flex; gap: 8px; }
.embed input { flex: 1; min-width: 0; font-family: var(--mono); font-size: 13px; }
main > section, main > .names { margin-top: 36px; }
main > .names { margin-top: 20px; border-top: 1px solid var(--line); }
main > .names summary { font-size: 17px; font-weight: 650; padding: 14px 0; }
.names ul { columns: 200px; column-gap: 24px; font-size: 14px; }
.names li { overflow-wrap: anywhere; break-inside: avoid; }
.plain { columns: 380px; column-gap: 32px; }
.plain li { padding: 3px 0; break-inside: avoid; overflow-wrap: anywhere; }
.plain span { color: var(--muted); font-size: 13px; }
.pages { margin-top: 28px; line-height: 2; }
.pages > * { margin-right: 6px; }
.scroll {
  max-height: 440px; overflow: auto; border: 1px solid var(--line); border-radius: var(--radius);
  /* A shadow at the lower edge while there are more rows below it: the first layer moves with the rows. */
  background:
    linear-gradient(transparent, var(--surface) 70%) bottom / 100% 48px no-repeat local,
    linear-gradient(transparent, color-mix(in srgb, var(--text) 16%, transparent)) bottom / 100% 18px no-repeat scroll,
    var(--surface);
}
table { width: 100%; border-collapse: collapse; }
th, td { padding: 7px 14px; text-align: start; vertical-align: middle; overflow-wrap: anywhere; min-width: 90px; }
th { position: sticky; top: 0; background: var(--surface); color: var(--muted); font-size: 13px; font-weight: 500; box-shadow: 0 1px var(--line); z-index: 1; white-space: nowrap; }
.reason::first-letter { text-transform: uppercase; }
tbody tr + tr { border-top: 1px solid var(--line); }
.action { display: flex; align-items: center; min-width: 140px; }
.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
.play { flex: none; width: 32px; min-height: 32px; margin-right: 8px; padding: 0; border-radius: 50%; vertical-align: middle; }
.play::before { content: '▶' / ''; font-size: 11px; color: var(--accent); }
.play[aria-pressed='true'] { background: var(--accent); border-color: var(--accent); }
.play[aria-pressed='true']::before { color: var(--on-accent); }
.textures { display: grid; grid-template-columns: repeat(auto-fill, minmax(140px, 1fr)); gap: 14px; font-size: 13px; }
.textures a { color: inherit; text-decoration: none; overflow-wrap: anywhere; }
.textures a > * { display: block; }
.textures img, .textures .none { width: 100%; aspect-ratio: 1; object-fit: contain; background: var(--stage); border-radius: var(--radius); margin-bottom: 6px; }
.textures .none { display: grid; place-items: center; }
.materials { display: flex; flex-wrap: wrap; gap: 10px; align-items: flex-start; }
.materials > li { padding: 8px 14px; max-width: 100%; background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); overflow-wrap: anywhere; font-weight: 600; }
.materials ul { margin-top: 4px; color: var(--muted); font-size: 13px; font-weight: 400; }
.findings { display: grid; gap: 10px; }
.findings li { padding: 12px 16px; background: var(--surface); border: 1px solid var(--line); border-left: 4px solid var(--muted); border-radius: var(--radius); overflow-wrap: anywhere; }
.findings p { margin: 0 0 2px; max-width: 90ch; }
.findings strong::first-letter { text-transform: uppercase; }
.findings strong { display: inline-block; margin-right: 6px; }
.findings strong::first-letter { text-transform: uppercase; }
.findings .error { border-left-color: var(--error); }
.findings .error strong { color: var(--error); }
.findings .warning, .findings .loss { border-left-color: var(--warning); }
.findings .warning strong, .findings .loss strong { color: var(--warning); }
.findings details { font-size: 14px; color: var(--muted); }
.findings summary { padding: 2px 0; }
.findings .detail, .findings .advice { color: var(--muted); font-size: 14px; }
.findings > li > code { color: var(--muted); font-size: 12.5px; }
footer { display: flex; flex-wrap: wrap; gap: 4px 24px; padding-block: 20px; border-top: 1px solid var(--line); font-size: 14px; }
footer p { margin: 0; }
.frame { height: 100vh; background: transparent; }
.frame rigcast-viewer { display: block; width: 100%; height: 100%; }

@media (max-width: 860px) {
  .split { grid-template-columns: minmax(0, 1fr); }
  .stage rigcast-viewer { height: clamp(280px, 56vh, 520px); }
  .model .top { padding-top: 18px; }
}
@media (max-width: 560px) {
  .top { padding-top: 18px; }
  .filters { grid-template-columns: 1fr 1fr; }
  .textures { grid-template-columns: repeat(auto-fill, minmax(104px, 1fr)); }
}
@media (prefers-reduced-motion: reduce) {
  .picture img { transition: none; }
  .card a:hover img { transform: none; }
}
@media (forced-colors: active) {
  .picture, .stage { border: 1px solid; }
}
`;
