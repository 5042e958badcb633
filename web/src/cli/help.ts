// The output of `--help` and `--version`.
import { readFileSync } from 'node:fs';
import { ATTRIBUTES, type AttributeName, type Syntax } from '../element/attributes.ts';
import { expectationOf } from '../element/syntax.ts';
import { CHOICES, TARGETS, WRITERS } from '../convert/targets.ts';
import { listFormatOptions } from '../core/formatOptions.ts';
import { PICTURE_ATTRIBUTES } from './renderTask.ts';
import { flagOf } from './usage.ts';

const usage: Record<string, string> = {
  inspect: `rigcast inspect FILE…                 Print the structure of a file as a tree with offsets
    --json                              Print JSON, with the SHA-256 of the bytes of every field
`,
  validate: `rigcast validate FILE…                Report errors, warnings and notes; exit code 1 if there are errors
    --json                              Print JSON
    --jsonl                             Print one line of JSON per file as soon as it is read
    --strict                            Treat warnings as errors
    --jobs N                            Number of files to read in parallel (default: 1)
    --timeout SECONDS                   Stop reading a file after this time and continue with the next
    --max-memory BYTES                  Maximum memory per file
`,
  match: `rigcast match MODEL… ANIMATION…       List the animations of each model, best first (by bones and file names), and the parts of each character
    --json                              Print JSON
`,
  pose: `rigcast pose MODEL [ANIMATION…]       Print the position of every node, mesh and point, as drawn by three.js; MODEL may also be GLB, glTF or VRM
    --json                              Print JSON
    --clip NAME|INDEX                   Animation by name or index, counted from 0 (default: the first of each file)
    --time LIST | --frame LIST          Seconds or frames, such as 0,0.5,1 (default: the rest pose)
    --points LIST                       Vertices by their index in the file, such as 0,17 or Mesh:3
    --additive as-stated|detect|rest    as-stated (default): play keys as the file states them; detect: as convert and the viewer do, add keys to the rest pose
                                        if they look additive and the file does not reliably declare that (PSA, UEFormat); rest: always add them to the rest pose
    --strict                            Fail if a guess would change the pose
    --solve                             Solve the constraints and IK handles of the model
    --of FILE                           Retarget the animations to MODEL; FILE is the model that they were made for
    --bone-map FILE                     Pairs of bones for retargeting, as JSON (docs/animations.md); they override those that are found
    --facts                             Print facts about the animations: distance travelled, foot contacts, loop points
`,
  convert: `rigcast convert IN… -o OUT|FOLDER     Convert models with their animations, into one file or one file per model
    --to FORMAT                         Target format (default: by the extension of OUT, otherwise glb)
${TARGETS.map(to => `        ${to.padEnd(32)}${WRITERS[to].text}\n`).join('')}    --clip NAME|INDEX                   Convert only this animation; can be repeated (default: all)
    --tolerance MM                      Maximum error of sampled curves at the skin in millimetres (default: 0.1)
    --additive as-stated|detect|rest    as-stated: write keys as the file states them; detect (default): add keys to the rest pose if they look additive and the
                                        file does not reliably declare that (PSA, UEFormat); rest: always add them to the rest pose
    --bone-map FILE                     Pairs of bones for retargeting, as JSON (docs/animations.md); all animations with a skeleton are then retargeted
    --merge                             Merge all models into one result; bones with the same name become one bone
    --strict                            Fail if something would be lost, or if a guess would change the movement
${CHOICES.map(({ id, targets, text }) => `    --${id.padEnd(33)} ${text} (${targets.join(', ')})\n`).join('')}    --new-key KEY|FILE                  Encrypt a VGO with this key of 32 bytes (hexadecimal, base64 or a .vgk file); a key file is written beside it
    --ledger FILE                       Write the conversion report of each result, one line of JSON per result
    --resume                            Keep results of an earlier run if sources, options and results are unchanged
    --plan FILE                         Read the plan (which files become which result) from FILE, or create FILE if it does not exist
    --dry-run                           Print the plan without converting
    --shard I/N                         Convert only part I of N parts
    --jobs N                            Number of results to convert in parallel (default: 1)
    --timeout SECONDS                   Stop a conversion after this time and continue with the next
    --max-memory BYTES                  Maximum memory per file
    --max-output BYTES                  Maximum size of one result (default: 64 MB plus 24 times the size of its sources)
    --json                              Print JSON
`,
  render: `rigcast render IN… -o OUT|FOLDER      Draw models as pictures or videos, with the element in Chrome, Chromium or Edge
    --to png|webp|mp4|webm|gif          Format (default: by the extension of OUT, otherwise png)
    --size WxH                          Size in pixels (default: 512x512)
    --clip NAME|INDEX                   Animation by name or index, or several as layers, such as Run,Wave; an empty value shows the rest pose (default: as the element)
    --frames                            Write every frame of the animation as a numbered PNG; requires -o FOLDER
    --turntable                         Turn the camera around the model once; with png, numbered pictures. The animation plays unless --time or --frame is given
    --turn-seconds SECONDS              Minimum duration of the turn (default: 6)
    --frame-rate N                      Frames per second (default: those of the animation, otherwise 30)
    --background COLOR                  Background as a CSS colour (default: white)
    --transparent                       Transparent background (not for mp4)
${PICTURE_ATTRIBUTES.map(attributeLine).join('')}    --browser PATH                      Browser (default: CHROMIUM_PATH, otherwise an installed browser)
    --ledger FILE                       Write the report of each result, one line of JSON per result
    --resume                            Keep results of an earlier run if sources, options and results are unchanged
    --plan FILE                         Read the plan (which files become which result) from FILE, or create FILE if it does not exist
    --dry-run                           Print the plan without rendering
    --shard I/N                         Render only part I of N parts
    --jobs N                            Number of browsers that render in parallel (default: 1)
    --timeout SECONDS                   Stop a result that makes no progress for this time and continue with the next (default: 120)
    --max-memory BYTES                  Maximum memory per file while the plan is made
    --json                              Print JSON
`,
  gallery: `rigcast gallery FOLDER -o SITE        Make a static site of a folder of models, with search and a page per model; a second run makes only what has changed
    --title TEXT                        Title of the site (default: the name of FOLDER)
    --url URL                           Address at which the site will be published; required for link previews and oEmbed
    --downloads LIST                    Formats made for download: glb, vrm, or none (default: glb,vrm; VRM only for humanoid bodies)
    --browser PATH                      Browser that draws the pictures (default: CHROMIUM_PATH, otherwise an installed browser)
    --plan FILE                         Read the plan (which files belong to which model) from FILE, or create FILE if it does not exist
    --dry-run                           Print the plan without making the site
    --shard I/N                         Make only the parts of I of N parts of the models; a run without --shard then writes the pages
    --jobs N                            Number of models to read, draw and convert in parallel (default: 1)
    --timeout SECONDS                   Stop reading a file after this time, or a picture that makes no progress (default for pictures: 120)
    --max-memory BYTES                  Maximum memory per file
    --json                              Print JSON
`,
};

/** Returns the line of an option that is an attribute of the element. */
function attributeLine(name: AttributeName): string {
  const syntax: Syntax = ATTRIBUTES[name];
  const isPath = syntax === 'url';
  const value = syntax === 'flag' ? '' : isPath ? ' FILE' : ' VALUE';
  const expected = isPath ? 'a path is expected.' : syntax === 'flag' ? '' : expectationOf(syntax);
  return `    --${`${name}${value}`.padEnd(33)} Attribute ${name} of the element${expected && `: ${expected.slice(0, -1)}`}\n`;
}

const allInput = [
  '\nFILE can be a folder (all files with a supported extension), or - for standard input.\n',
  '    --format ID                         Read every file as this format (psk, psa …)\n\n',
];

/** Commands that draw in a browser detect the format by the content of a file. */
const renderInput = ['\nA folder includes all files below it with a supported extension.\n\n'];

export function help(command: string): string {
  const parts = command === '' ? Object.values(usage) : [usage[command] ?? ''];
  const options = listFormatOptions().map(({ group, key, info }) => {
    const value =
      info.type === 'number' ? ' NUMBER' : info.type === 'key' ? ' KEY' : info.type === 'choice' ? ` ${info.choices.join('|')}` : '';
    return `    --${flagOf(group, key, info)}${value}\n        ${info.text}\n`;
  });
  return [
    ...parts,
    ...(command === 'gallery' || command === 'render' ? renderInput : allInput),
    'Format options:\n',
    ...options,
    '\nExit codes: 0 success, 1 errors in a file (convert, render, gallery: a result was not written), 2 wrong usage, or a file that cannot be read or written.\n',
  ].join('');
}

export function version(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
