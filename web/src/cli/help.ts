// What `--help` and `--version` print.
import { readFileSync } from 'node:fs';
import { CHOICES, TARGETS, WRITERS } from '../convert/writers.ts';
import { listFormatOptions } from '../core/formatOptions.ts';
import { flagOf } from './usage.ts';

const usage: Record<string, string> = {
  inspect: `rigcast inspect FILE…                 what a file says, as a tree with offsets
    --json                              with the SHA-256 of every field's bytes
`,
  validate: `rigcast validate FILE…                what is wrong or unusual; exit code 1 where there are errors
    --json
    --jsonl                             one line of JSON a file, as soon as it is read
    --strict                            warnings are errors
    --jobs N                            files that are read side by side (default: 1)
    --timeout SECONDS                   ends what takes longer; the next files go on
    --max-memory BYTES                  what one file may take
`,
  match: `rigcast match MODEL… MOTION…         the animations of each model, the best first, and the parts of each character
    --json
`,
  pose: `rigcast pose MODEL [MOTION…]          where every node, mesh and point is, as three.js draws it; MODEL may be a GLB, glTF or VRM, too
    --json
    --clip NAME|INDEX                   the motion of that name, or the one at that place counted from 0 (default: the first of each file)
    --time LIST | --frame LIST          seconds or frames, as 0,0.5,1 (default: the rest pose)
    --points LIST                       vertices by their index in the file, as 0,17 or Mesh:3
    --additive as-stated|detect|rest    keys as the file states them (default); detect: as convert and the viewer play them, added to the rest pose if they look
                                        additive and the format cannot declare that (PSA); rest: always added to the rest pose
    --strict                            refuses a guess that changes the pose
    --solve                             with what constraints and IK handles of the model do
    --of FILE                           the model that the motions were made for: they are carried over to MODEL, by names or from body to body
    --facts                             of motions: how far they travel, when feet stand, where they repeat
`,
  convert: `rigcast convert IN… -o OUT|FOLDER     models with their animations in another format, one file or one for each model
    --to FORMAT                         (default: by the extension of OUT, else glb)
${TARGETS.map(to => `        ${to.padEnd(32)}${WRITERS[to].text}\n`).join('')}    --clip NAME|INDEX                   only that motion; may be given several times (default: all)
    --tolerance MM                      what sampled curves may be off at the skin, millimetres (default: 0.1)
    --additive as-stated|detect|rest    keys as the file states them; detect (default): added to the rest pose if they look additive and the format cannot declare
                                        that (PSA); rest: always added to the rest pose
    --strict                            refuses what loses something, and guesses that change how the result moves
${CHOICES.map(({ id, targets, text }) => `    --${id.padEnd(33)} ${text} (${targets.join(', ')})\n`).join('')}    --new-key KEY|FILE                  of a VGO: encrypts it with that key of 32 bytes (hexadecimal, base64, or a .vgk), which is written beside it
    --ledger FILE                       what each result does not hold, one line of JSON a result
    --resume                            keeps results of an earlier run whose sources, options and bytes are as they were
    --plan FILE                         which files become which result: read if it is there, else made and written
    --dry-run                           makes the plan and no result
    --shard I/N                         the I-th of N parts of the results
    --jobs N                            results that are made side by side (default: 1)
    --timeout SECONDS                   ends what takes longer; the next go on
    --max-memory BYTES                  what one file may take
    --max-output BYTES                  what one result may take (default: 64 MB, and 24 times its sources)
    --json
`,
};

export function help(command: string): string {
  const parts = command === '' ? Object.values(usage) : [usage[command] ?? ''];
  const options = listFormatOptions().map(({ group, key, info }) => {
    const value =
      info.type === 'number' ? ' NUMBER' : info.type === 'key' ? ' KEY' : info.type === 'choice' ? ` ${info.choices.join('|')}` : '';
    return `    --${flagOf(group, key)}${value}\n        ${info.text}\n`;
  });
  return [
    ...parts,
    '\nFILE may be a folder (all files of known kinds in it), or - for standard input.\n',
    '    --format ID                         do not guess the format (psk, psa …)\n\n',
    'Options of the formats:\n',
    ...options,
    '\nExit codes: 0 clean, 1 errors in a file (convert: something was not written), 2 wrong usage or a file that cannot be read or written.\n',
  ].join('');
}

export function version(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
