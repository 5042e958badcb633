// The page of a model, its page for frames, and its oEmbed response.
import type { CodeInfo } from '../../core/codeInfo.ts';
import { formatLabel } from '../../core/formats.ts';
import { extensionOf } from '../../core/paths.ts';
import { bySeverity } from '../../core/report.ts';
import type { ReportEntry } from '../../convert/common/report.ts';
import { amountText } from '../../convert/common/units.ts';
import { entryText } from './losses.ts';
import { numberText } from './card.ts';
import type { AnimationFacts, ModelFacts } from './facts.ts';
import { count, html, type Markup, nameMarkup, page, pathUrl, size } from './html.ts';
import { rangeOf } from './terms.ts';

/** A file of the input that the page uses. `path`: relative to the folder of all models. */
export interface SiteFile {
  path: string;
  byteLength: number;
}

/** A file made for the model: its name, or the reason why it does not exist. */
export interface Made {
  name: string | null;
  byteLength: number;
  reason: string;
  losses: readonly ReportEntry[];
}

export interface ModelPage {
  slug: string;
  title: string;
  facts: ModelFacts;
  /** The model, its animations, images and side files, starting with the model. */
  files: readonly SiteFile[];
  picture: Made;
  glb: Made | null;
  vrm: Made | null;
  /** Title of the site. */
  site: string;
  /** URL of the site with a trailing slash; null if it is not known. */
  url: string | null;
  codes: ReadonlyMap<string, CodeInfo>;
}

const ROOT = '../../';
/** Total size of files up to which a model is loaded without a click. */
const LOADED_AT_ONCE = 8_000_000;
/** Size of the frame in the embed code. */
const FRAME = { width: 640, height: 400 };

const fileUrl = (path: string): string => `${ROOT}files/${pathUrl(path)}`;

const altOf = ({ facts, title }: ModelPage): string => `${title}, a 3D model in ${formatLabel(facts.format)}`;

/** The element with the model and its files. `extra`: further attributes. */
function viewerOf(model: ModelPage, extra: Markup): Markup {
  const { files, picture } = model;
  const [first, ...others] = files;
  // Without a list of files, the element requests side files that do not exist.
  const listed = others.length > 0 ? others : files;
  const bytes = files.reduce((total, { byteLength }) => total + byteLength, 0);
  return html`<rigcast-viewer
    src="${fileUrl(first!.path)}"
    files="${listed.map(({ path }) => fileUrl(path)).join(' ')}"
    max-files="10000"
    ${picture.name !== null && html` poster="${picture.name}"`}
    reveal="${bytes > LOADED_AT_ONCE ? 'interaction' : 'auto'}"
    alt="${altOf(model)}"
    controls${extra}
  ></rigcast-viewer>`;
}

export function modelPage(model: ModelPage): string {
  const { title, facts, site, files } = model;
  const folders = facts.file.split('/').slice(0, -1);
  return page({
    title: `${title} · ${site}`,
    root: ROOT,
    scripts: ['element.js', 'gallery.js'],
    head: headOf(model),
    body: html`<body class="model">
      <header class="top">
        <nav aria-label="Breadcrumb">
          <a href="${ROOT}">${site}</a
          >${folders.map((name, i) => html` <span aria-hidden="true">/</span> <a href="${ROOT}?${query('folder', folders.slice(0, i + 1).join('/'))}"><bdi>${name}</bdi></a>`)}
        </nav>
        <h1>${nameMarkup(title)}</h1>
        <p class="total"><bdi>${facts.file.split('/').at(-1)}</bdi> · ${size(facts.byteLength)}</p>
      </header>
      <main>
        <div class="split">
          <div class="stage">${viewerOf(model, html``)}</div>
          <aside>
            ${factList(model)}
            <section>
              <h2>Downloads</h2>
              <ul class="downloads">
                ${downloads(model)}
              </ul>
              ${
                files.length > 1 &&
                html`<details>
                  <summary>
                    All original files (${files.length}, ${size(files.reduce((total, { byteLength }) => total + byteLength, 0))})
                  </summary>
                  <ul class="files">
                    ${files.map(
                      ({ path, byteLength }) =>
                        html`<li>
                          <a href="${fileUrl(path)}" download><bdi>${path}</bdi></a> <span>${size(byteLength)}</span>
                        </li>`,
                    )}
                  </ul>
                </details>`
              }
            </section>
            <section>
              <h2><label for="embed">Embed</label></h2>
              <div class="embed">
                <input id="embed" readonly value="${embedCode(model)}" /><button type="button" id="copy" hidden>Copy</button>
              </div>
            </section>
          </aside>
        </div>
        ${animations(facts.animations)} ${textures(model)} ${materials(facts)} ${bones(facts)} ${problems(model)}
      </main>
      <footer>
        <p><a href="${ROOT}">${site}</a></p>
        <p>Made with rigcast</p>
      </footer>
    </body>`,
  });
}

const query = (name: string, value: string): string => new URLSearchParams({ [name]: value }).toString();

function headOf(model: ModelPage): Markup {
  const { title, url, slug, facts, picture, site } = model;
  const text = `${formatLabel(facts.format)}, ${count(facts.triangles, 'triangle')}, ${count(facts.bones.length, 'bone')}, ${count(facts.animations.length, 'animation')}`;
  const address = url && `${url}models/${slug}/`;
  return html`<meta name="description" content="${text}" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${text}" />
    <meta property="og:type" content="website" />
    <meta property="og:site_name" content="${site}" />
    ${
      address &&
      html`<link rel="canonical" href="${address}" />
        <meta property="og:url" content="${address}" />
        ${
          picture.name !== null &&
          html`<meta property="og:image" content="${address}${picture.name}" />
            <meta property="og:image:alt" content="${altOf(model)}" /> `
        }<link rel="alternate" type="application/json+oembed" href="${address}oembed.json" title="${title}" /> `
    }<meta name="twitter:card" content="summary" /> `;
}

function factList({ facts }: ModelPage): Markup {
  const { format, triangles, vertices, meshes, bones: names, skeleton, morphs, instances } = facts;
  const link = (text: string, parameter: string, value: string): Markup => html`<a href="${ROOT}?${query(parameter, value)}">${text}</a>`;
  const rows: (readonly [string, Markup | string] | false)[] = [
    ['Format', link(formatLabel(format), 'format', format)],
    triangles > 0 && ['Triangles', link(numberText(triangles), 'triangles', String(rangeOf(triangles)))],
    vertices > 0 && ['Vertices', numberText(vertices)],
    meshes.length > 0 && ['Meshes', numberText(meshes.length)],
    instances > 0 && ['Instances', numberText(instances)],
    names.length > 0 && ['Bones', html`${numberText(names.length)} (${link('models with this skeleton', 'skeleton', skeleton)})`],
    morphs.length > 0 && ['Morph targets', numberText(morphs.length)],
    ['Animations', facts.animations.length === 0 ? 'None found' : numberText(facts.animations.length)],
  ];
  return html`<dl class="facts">
    ${rows.map(
      row =>
        row &&
        html`<dt>${row[0]}</dt>
          <dd>${row[1]}</dd>`,
    )}
  </dl>`;
}

function downloads({ facts, files, glb, vrm }: ModelPage): Markup {
  const made = (kind: string, file: Made | null, text: string): Markup | false =>
    file !== null &&
    (file.name !== null
      ? html`<li>
          <a href="${pathUrl(file.name)}" download><strong>${kind}</strong> <span>${text}, ${size(file.byteLength)}</span></a>
        </li> `
      : html`<li class="missing"><strong>${kind}</strong> <span>Not available: ${file.reason}</span></li> `);
  return html`<li>
      <a href="${fileUrl(files[0]!.path)}" download
        ><strong>${extensionOf(facts.file).toUpperCase()}</strong> <span>original, ${size(facts.byteLength)}</span></a
      >
    </li>
    ${made('GLB', glb, facts.animations.length > 0 ? 'with animations' : 'glTF')}${made('VRM', vrm, 'avatar')}
    <li>
      <a href="model.json" download><strong>JSON</strong> <span>facts and report</span></a>
    </li> `;
}

function embedCode({ title, url, slug }: ModelPage): string {
  const src = url ? `${url}models/${slug}/embed.html` : 'embed.html'; // the script of the page makes this URL absolute
  const attributes = { src, width: FRAME.width, height: FRAME.height, loading: 'lazy', allow: 'fullscreen', title };
  // One line, because the field that shows it has one line.
  return html`<iframe${Object.entries(attributes).map(([name, value]) => html` ${name}="${value}"`)}></iframe>`.text;
}

function animations(list: readonly AnimationFacts[]): Markup | string {
  if (list.length === 0) return '';
  return html`<section>
    <h2>Animations <span>${numberText(list.length)}</span></h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Animations">
      <table>
        <thead>
          <tr>
            <th>Name</th>
            <th>Duration</th>
            <th>Frames</th>
            <th>Matched names</th>
            <th>File</th>
          </tr>
        </thead>
        <tbody>
          ${list.map(
            ({ name, file, duration, frames, frameRate, match }, i) =>
              html`<tr>
                <td>
                  <div class="action">
                    <button
                      type="button"
                      class="play"
                      data-animation="${i}"
                      aria-pressed="false"
                      aria-label="Play ${name || 'unnamed animation'}"
                      hidden
                    ></button
                    ><bdi>${name || 'unnamed'}</bdi>
                  </div>
                </td>
                <td class="number">${duration.toFixed(2)} s</td>
                <td class="number">
                  ${frames > 0 ? numberText(frames) : '–'}${frameRate > 0 && ` at ${Math.round(frameRate * 100) / 100}/s`}
                </td>
                <td class="number">${numberText(match.found)} of ${numberText(match.names)}</td>
                <td><bdi>${file}</bdi></td>
              </tr> `,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}

/** Extensions of images that browsers show. */
const SHOWN = new Set(['png', 'jpg', 'jpeg', 'webp', 'gif', 'bmp']);
const IMAGES = new Set([...SHOWN, 'tga', 'dds', 'tif', 'tiff', 'hdr', 'psd']);

function textures({ files }: ModelPage): Markup | string {
  const images = files.filter(({ path }) => IMAGES.has(extensionOf(path)));
  if (images.length === 0) return '';
  return html`<section>
    <h2>Textures <span>${numberText(images.length)}</span></h2>
    <ul class="textures">
      ${images.map(
        ({ path, byteLength }) =>
          html`<li>
            <a href="${fileUrl(path)}"
              >${
                SHOWN.has(extensionOf(path))
                  ? html`<img src="${fileUrl(path)}" alt="" loading="lazy" decoding="async" />`
                  : html`<span class="none">${extensionOf(path).toUpperCase()}</span>`
              }${nameMarkup(path.split('/').at(-1)!)}<span>${size(byteLength)}</span></a
            >
          </li> `,
      )}
    </ul>
  </section>`;
}

function materials({ materials: list }: ModelFacts): Markup | string {
  if (list.length === 0) return '';
  return html`<section>
    <h2>Materials <span>${numberText(list.length)}</span></h2>
    <ul class="materials">
      ${list.map(
        ({ name, images }) =>
          html`<li>
            <bdi>${name || 'unnamed'}</bdi>${
              images.length > 0 &&
              html`<ul>
                ${images.map(image => html`<li>${image.slot}${image.name && html`: <bdi>${image.name}</bdi>`}</li>`)}
              </ul>`
            }
          </li> `,
      )}
    </ul>
  </section>`;
}

function bones({ bones: names, morphs }: ModelFacts): Markup {
  const list = (title: string, all: readonly string[]): Markup | false =>
    all.length > 0 &&
    html`<details class="names">
      <summary>${title} <span>${numberText(all.length)}</span></summary>
      <ul>
        ${all.map(name => html`<li><bdi>${name || 'unnamed'}</bdi></li>`)}
      </ul>
    </details>`;
  return html`${list('Bones', names)}${list('Morph targets', morphs)}`;
}

/** An item of the report. Several occurrences have the same code, but different details. */
interface Item {
  kind: string;
  code: string;
  sentence: string;
  advice: string;
  details: string[];
}

/** Number of details of an item that are shown without a click. */
const SHOWN_DETAILS = 3;

/** Everything that is wrong, missing or lost: in the files, in the picture and in the downloads. */
function problems({ facts, picture, glb, vrm, codes }: ModelPage): Markup {
  const known = new Set(facts.reports.flatMap(({ report }) => report.items.map(({ code }) => code)));
  const findings = facts.reports
    .filter(({ report }) => report.items.length > 0)
    .map(({ file, report }) => {
      const items = bySeverity(report.items).map(({ code, severity, path, detail, count: times }): Item => {
        const { sentence = '', advice = '' } = codes.get(code) ?? {};
        return {
          kind: severity === 'info' ? 'note' : severity,
          code,
          sentence,
          advice,
          details: withAmount(subjectOf(path, detail), times, ''),
        };
      });
      return html`<h3><bdi>${file}</bdi></h3>
        ${list(items)}${report.truncated && html`<p>More findings are not listed.</p>`}`;
    });
  const lost = [
    { title: 'Picture', made: picture, entries: picture.losses.filter(({ code }) => !known.has(code)) },
    { title: 'GLB', made: glb, entries: glb?.losses ?? [] },
    { title: 'VRM', made: vrm, entries: vrm?.losses ?? [] },
  ].flatMap(({ title, made, entries }) => {
    if (!made || (made.name !== null && entries.length === 0)) return [];
    const items = entries.map((entry): Item => ({
      ...entryText(entry, codes),
      code: entry.code,
      advice: '',
      details: withAmount(subjectOf(entry.path, entry.detail), entry.amount, entryText(entry, codes).unit),
    }));
    return [
      html`<h3>${title}</h3>
        ${made.name === null && html`<p>Not available: ${made.reason}</p>`}${items.length > 0 && list(items)}`,
    ];
  });
  const isEmpty = findings.length + lost.length === 0;
  return html`<section id="report">
    <h2>Report</h2>
    ${isEmpty ? html`<p>No findings, and nothing is lost in the downloads.</p>` : [...findings, ...lost]}
  </section>`;
}

/** Returns the name of the affected object, followed by the detail. Each of them can be ''. */
const subjectOf = (path: string, detail: string): string => [path, detail].filter(Boolean).join(': ');

const withAmount = (detail: string, amount: number, unit: string): string[] => {
  const text = unit === '' ? (amount > 1 ? `${numberText(amount)} times` : '') : amountText(amount, unit);
  return detail || text ? [[detail, text && (detail ? `(${text})` : text)].filter(Boolean).join(' ')] : [];
};

/** Lists items, those with equal codes together. */
function list(items: readonly Item[]): Markup {
  const merged = new Map<string, Item>();
  for (const item of items) {
    const own = merged.get(item.code);
    if (own) own.details.push(...item.details);
    else merged.set(item.code, { ...item, details: [...item.details] });
  }
  return html`<ul class="findings">
    ${[...merged.values()].map(
      ({ kind, code, sentence, advice, details }) =>
        html`<li class="${kind}">
          <p><strong>${kind}</strong> ${sentence}</p>
          ${detailList(details)}${advice && html`<p class="advice">${adviceOf(advice)}</p>`}<code>${code}</code>
        </li> `,
    )}
  </ul>`;
}

function detailList(details: readonly string[]): Markup {
  const lines = (some: readonly string[]): Markup[] => some.map(text => html`<p class="detail"><bdi>${text}</bdi></p>`);
  const rest = details.slice(SHOWN_DETAILS);
  return html`${lines(details.slice(0, SHOWN_DETAILS))}${
    rest.length > 0 &&
    html`<details>
      <summary>${numberText(rest.length)} more</summary>
      ${lines(rest)}
    </details>`
  }`;
}

/** Converts the code in an advice to markup, and its links to text. */
const adviceOf = (advice: string): Markup[] =>
  advice
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .split('`')
    .map((text, i) => (i % 2 === 1 ? html`<code>${text}</code>` : html`${text}`));

/** The page for frames. */
export const embedPage = (model: ModelPage): string =>
  page({
    title: model.title,
    root: ROOT,
    scripts: ['element.js'],
    head: html`<meta name="robots" content="noindex" /> `,
    body: html`<body class="frame">
      ${viewerOf(model, html``)}
    </body>`,
  });

/** The oEmbed response of the page. `url`: the URL of the site. */
export const oEmbed = (model: ModelPage & { url: string }): string => {
  const { title, url, slug, site, picture } = model;
  return `${JSON.stringify({
    version: '1.0',
    type: 'rich',
    title,
    provider_name: site,
    provider_url: url,
    ...(picture.name !== null && { thumbnail_url: `${url}models/${slug}/${picture.name}`, thumbnail_width: 512, thumbnail_height: 512 }),
    html: embedCode(model),
    ...FRAME,
  })}\n`;
};
