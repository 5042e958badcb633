// The page of the preview, without any function of VS Code, so that it can be tested alone.

/** Extensions of files that contain a model. A test compares the lists with the formats of rigcast. */
const MODELS = ['cast', 'psk', 'pskx', 'vgo', 'semodel', 'uemodel', 'ueworld', 'mprt', 'glb', 'vrm', 'fbx', 'obj', 'bvh'];
/** Extensions of files that contain only animations of a model in another file. */
const ANIMATIONS = ['psa', 'seanim', 'ueanim', 'uepose', 'vrma'];
/** Extensions of recordings, which need no other file. */
const RECORDINGS = ['inputanim', 'bin'];
/** Extensions of textures and side files. */
const COMPANIONS = [
  'png',
  'jpg',
  'jpeg',
  'webp',
  'bmp',
  'tga',
  'tif',
  'tiff',
  'dds',
  'pcx',
  'hdr',
  'mtl',
  'config',
  'mat',
  'uc',
  'txt',
  'json',
  'vgk',
];

const extensionOf = name => /\.([^.]*)$/.exec(name)?.[1].toLowerCase() ?? '';

/** Returns the number of characters at the start that two names share. */
function sharedStart(a, b) {
  let length = 0;
  while (length < a.length && a[length].toLowerCase() === b[length]?.toLowerCase()) length++;
  return length;
}

/**
 * Returns the model to show for an opened file, and the files beside it that may belong to it. An
 * animation is shown on the model whose name is most similar, if there is one. `siblings`: names of
 * all files in the folder.
 */
function filesFor(name, siblings) {
  const isOneOf = extensions => each => extensions.includes(extensionOf(each));
  const companions = siblings.filter(each => each !== name && isOneOf(COMPANIONS)(each));
  if (RECORDINGS.includes(extensionOf(name))) return { model: name, files: [] };
  if (!ANIMATIONS.includes(extensionOf(name))) return { model: name, files: [...siblings.filter(isOneOf(ANIMATIONS)), ...companions] };
  const [model] = siblings.filter(isOneOf(MODELS)).sort((a, b) => sharedStart(b, name) - sharedStart(a, name));
  return model ? { model, files: [name, ...companions] } : { model: name, files: companions };
}

const escaped = text => text.replace(/[&<>"']/g, letter => `&#${letter.charCodeAt(0)};`);

/**
 * Returns the HTML of the preview. `cspSource`: the origin of all resources. `script`, `style`,
 * `model`, `files`: URLs. `title`: name of the file.
 */
function previewPage({ cspSource, script, style, model, files, title }) {
  const policy = [
    "default-src 'none'",
    `script-src ${cspSource} 'wasm-unsafe-eval'`,
    `style-src ${cspSource}`,
    `img-src ${cspSource} blob: data:`,
    `connect-src ${cspSource} blob: data:`,
    // The worker is a Blob, because it is on another origin than the page, and imports its script.
    `worker-src blob: ${cspSource}`,
  ].join('; ');
  const sources = `src="${escaped(model)}" files="${escaped(files.join(' '))}"`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${escaped(policy)}" />
    <title>${escaped(title)}</title>
    <link rel="stylesheet" href="${escaped(style)}" />
    <script type="module" src="${escaped(script)}"></script>
  </head>
  <body>
    <rigcast-viewer ${sources} autoplay controls interaction="always" alt="${escaped(title)}"></rigcast-viewer>
  </body>
</html>
`;
}

module.exports = { MODELS, ANIMATIONS, RECORDINGS, filesFor, previewPage };
