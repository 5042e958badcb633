// The first page of a gallery: search, filters, and the first models.
import { badgeOf, cardFacts, numberText } from './card.ts';
import { count, html, type Markup, nameMarkup, page } from './html.ts';
import { type Entry, TRIANGLE_RANGES } from './terms.ts';

export interface IndexFacts {
  title: string;
  count: number;
  /** The first models, which are visible without scripts. */
  entries: readonly Entry[];
  /** Labels of formats with their numbers of models, by id. */
  formats: ReadonlyMap<string, { label: string; count: number }>;
  /** The most common skeletons. */
  skeletons: readonly { id: string; label: string }[];
  /** Number of files without a page. */
  left: number;
  head: Markup;
}

export const indexPage = ({ title, count: total, entries, formats, skeletons, left, head }: IndexFacts): string =>
  page({
    title,
    root: '',
    scripts: ['gallery.js'],
    head,
    body: html`<body class="index">
      <header class="top">
        <div class="bar">
          <h1>${title}</h1>
          <p class="total">${count(total, 'model')}</p>
        </div>
        <search class="find" hidden>
          <label class="words"
            ><span class="hidden">Search models</span>
            <input
              type="search"
              id="text"
              placeholder="Search files, bones, materials, animations"
              autocomplete="off"
              spellcheck="false"
              enterkeyhint="search"
          /></label>
          <div class="filters">
            ${select(
              'format',
              'Format',
              [...formats].map(([id, format]) => [id, `${format.label} (${numberText(format.count)})`]),
            )}
            ${select('triangles', 'Triangles', RANGES)}
            ${select('findings', 'Findings', [
              ['none', 'No problems'],
              ['warnings', 'Warnings'],
              ['errors', 'Errors'],
            ])}
            ${
              skeletons.length > 0 &&
              select(
                'skeleton',
                'Skeleton',
                skeletons.map(({ id, label }) => [id, label]),
              )
            }
          </div>
        </search>
      </header>
      <main>
        <div class="state">
          <p id="state" role="status"></p>
          <span id="chips"></span>
        </div>
        <ul class="grid" id="results">
          ${entries.map(card)}
        </ul>
        <p class="more"><button type="button" id="more" hidden>Show more</button></p>
        <noscript><p class="note">Search and filters need JavaScript. The list of all models does not.</p></noscript>
      </main>
      <footer>
        <p><a href="lists/1.html">List of all models</a></p>
        ${left > 0 && html`<p><a href="files.html">${count(left, 'file')} without a page</a></p>`}
        <p>Made with rigcast</p>
      </footer>
    </body>`,
  });

const RANGES: readonly (readonly [string, string])[] = [
  ...TRIANGLE_RANGES.map((end, i): readonly [string, string] => [
    String(i),
    `${i === 0 ? 'Up' : `${numberText(TRIANGLE_RANGES[i - 1]!)}`} to ${numberText(end)}`,
  ]),
  [String(TRIANGLE_RANGES.length), `More than ${numberText(TRIANGLE_RANGES.at(-1)!)}`],
];

const select = (id: string, label: string, options: readonly (readonly [string, string])[]): Markup =>
  html`<label
    ><span>${label}</span
    ><select id="${id}">
      <option value="">Any</option>
      ${options.map(([value, text]) => html`<option value="${value}">${text}</option>`)}
    </select></label
  >`;

const card = (entry: Entry): Markup => {
  const badge = badgeOf(entry);
  return html`<li class="card">
    <a href="models/${entry.slug}/"
      ><span class="picture"
        >${
          entry.hasPicture
            ? html`<img src="models/${entry.slug}/picture.webp" alt="" width="512" height="512" loading="lazy" decoding="async" />`
            : html`<span class="none">No picture</span>`
        }${badge && html`<span class="badge ${entry.errors > 0 && 'errors'}">${badge}</span>`}</span
      ><span class="name">${nameMarkup(entry.name)}</span><span class="facts">${cardFacts(entry)}</span></a
    >
  </li> `;
};

/** The page that lists the files that belong to no model. */
export const leftPage = (title: string, files: readonly { file: string; detail: string }[]): string =>
  page({
    title: `Files without a page · ${title}`,
    root: '',
    scripts: [],
    body: html`<body class="list">
      <header class="top">
        <nav aria-label="Breadcrumb"><a href="./">${title}</a></nav>
        <h1>Files without a page</h1>
      </header>
      <main>
        <table>
          <thead>
            <tr>
              <th>File</th>
              <th>Reason</th>
            </tr>
          </thead>
          <tbody>
            ${files.map(
              ({ file, detail }) =>
                html`<tr>
                  <td><bdi>${file}</bdi></td>
                  <td class="reason">${detail}</td>
                </tr> `,
            )}
          </tbody>
        </table>
      </main>
    </body>`,
  });

/** A page of the plain list of all models. `number` begins at 1. */
export const listPage = (title: string, entries: readonly Entry[], number: number, last: number): string =>
  page({
    title: `All models${last > 1 ? `, ${number} of ${last}` : ''} · ${title}`,
    root: '../',
    scripts: [],
    body: html`<body class="list">
      <header class="top">
        <nav aria-label="Breadcrumb"><a href="../">${title}</a></nav>
        <h1>All models</h1>
      </header>
      <main>
        <ul class="plain">
          ${entries.map(
            entry =>
              html`<li>
                <a href="../models/${entry.slug}/"><bdi>${entry.folder && `${entry.folder}/`}${entry.name}</bdi></a>
                <span>${cardFacts(entry)}</span>
              </li> `,
          )}
        </ul>
        ${last > 1 && html`<nav aria-label="Pages" class="pages">${Array.from({ length: last }, (_, i) => (i + 1 === number ? html`<strong aria-current="page">${i + 1}</strong> ` : html`<a href="${i + 1}.html">${i + 1}</a> `))}</nav>`}
      </main>
    </body>`,
  });
