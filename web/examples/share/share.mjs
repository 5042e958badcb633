// Writes a page for each model, which social networks and content systems can preview and embed:
//
//   node share.mjs https://models.example/rigcast/embed.html models.json FOLDER
//
// FOLDER is the folder of embed.html. models.json is a list of objects with the properties of
// `Model`.
import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {object} Model
 * @property {string} name Name of the page without `.html`: letters, digits, `-` and `_`.
 * @property {string} title
 * @property {string} src URL of the model, relative to embed.html. All URLs can be relative.
 * @property {string[]} [files] URLs of animations and textures.
 * @property {string} [animation] Name of the animation to play.
 * @property {string} [image] URL of a picture of `width` by `height` pixels.
 * @property {number} [width] Width of the frame in pixels (default 640).
 * @property {number} [height] Height of the frame in pixels (default 400).
 */

const escaped = text => String(text).replace(/[&<>"']/g, letter => `&#${letter.charCodeAt(0)};`);

/**
 * Returns the texts of all files by name: for each model a page and its oEmbed response, and
 * `oembed.json`, the description of the provider in the form of oembed.com/providers.json.
 * `page`: URL of embed.html.
 */
export function sharedFiles(page, models) {
  const at = path => new URL(path, page).href;
  const host = new URL(page).host;
  const files = {};
  for (const { name, title, src, files: others = [], animation, image, width = 640, height = 400 } of models) {
    if (!/^[\w-]+$/.test(name)) throw new Error(`“${name}” is not a name of letters, digits, - and _.`);
    const frame = new URL(page);
    frame.searchParams.set('src', at(src));
    for (const file of others) frame.searchParams.append('files', at(file));
    if (animation) frame.searchParams.set('animation', animation);
    for (const [key, value] of [['alt', title], ['autoplay', '1'], ['controls', '1']]) frame.searchParams.set(key, value); // prettier-ignore
    const [w, h] = [Math.round(width), Math.round(height)];
    const iframe = `<iframe src="${escaped(frame.href)}" width="${w}" height="${h}" allow="fullscreen" title="${escaped(title)}"></iframe>`;
    const response = {
      version: '1.0',
      type: 'rich',
      title,
      provider_name: host,
      provider_url: at('/'),
      html: iframe,
      width: w,
      height: h,
      ...(image && { thumbnail_url: at(image), thumbnail_width: w, thumbnail_height: h }),
    };
    const og = {
      'og:type': 'website',
      'og:title': title,
      'og:url': at(`${name}.html`),
      'og:site_name': host,
      ...(image && { 'og:image': at(image), 'og:image:width': w, 'og:image:height': h, 'og:image:alt': title }),
      'twitter:card': image ? 'summary_large_image' : 'summary',
    };
    files[`${name}.oembed.json`] = `${JSON.stringify(response, null, 2)}\n`;
    files[`${name}.html`] = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${escaped(title)}</title>
${Object.entries(og)
  .map(([property, content]) => `    <meta property="${property}" content="${escaped(content)}" />`)
  .join('\n')}
    <link rel="alternate" type="application/json+oembed" href="${escaped(at(`${name}.oembed.json`))}" title="${escaped(title)}" />
    <style>
      body { margin: 0 }
      iframe { display: block; border: 0; width: 100vw; height: 100vh }
    </style>
  </head>
  <body>
    ${iframe}
  </body>
</html>
`;
  }
  // Static hosts ignore the query of a request, so each page has an endpoint of its own.
  const endpoints = models.map(({ name }) => ({
    schemes: [at(`${name}.html`)],
    url: at(`${name}.oembed.json`),
    formats: ['json'],
    discovery: true,
  }));
  files['oembed.json'] = `${JSON.stringify([{ provider_name: host, provider_url: at('/'), endpoints }], null, 2)}\n`;
  return files;
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [page, list, folder] = process.argv.slice(2);
  if (!folder) throw new Error('usage: node share.mjs URL-OF-EMBED.HTML models.json FOLDER');
  for (const [name, text] of Object.entries(sharedFiles(page, JSON.parse(readFileSync(list, 'utf8')))))
    writeFileSync(join(folder, name), text);
}
