// rigcast render: draws models as pictures or videos, with the element in the user's browser.
import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { conversionCodes } from '../convert/targets.ts';
import { codes } from '../core/codes.ts';
import { ATTRIBUTES } from '../element/attributes.ts';
import { expectationOf, isValid } from '../element/syntax.ts';
import { FORMAT_TRAITS } from '../encode/encodeFrames.ts';
import { batchOptions, runBatch } from './batch.ts';
import { findBrowser, requirePlaywright } from './browser.ts';
import type { ResultKind } from './convertPlan.ts';
import { isFolder } from './files.ts';
import { checkOutput } from './output.ts';
import { Pool } from './pool.ts';
import { bold, clean, dim, print } from './print.ts';
import type { BackgroundAnswer, BackgroundTask, RenderTask } from './renderChild.ts';
import { PANORAMAS, PICTURE_ATTRIBUTES, PICTURE_FORMATS, type PictureFormat, type Rendering } from './renderTask.ts';
import { parseWords, positiveOf, UsageError } from './usage.ts';

type PictureAttribute = (typeof PICTURE_ATTRIBUTES)[number];

const attributeOptions = Object.fromEntries(
  PICTURE_ATTRIBUTES.map(name => [name, { type: ATTRIBUTES[name] === 'flag' ? 'boolean' : 'string' }]),
) as { [name in PictureAttribute]: { type: (typeof ATTRIBUTES)[name] extends 'flag' ? 'boolean' : 'string' } };

const options = {
  ...batchOptions,
  ...attributeOptions,
  clip: { type: 'string' },
  size: { type: 'string' },
  turntable: { type: 'boolean' },
  'turn-seconds': { type: 'string' },
  frames: { type: 'boolean' },
  'frame-rate': { type: 'string' },
  background: { type: 'string' },
  transparent: { type: 'boolean' },
  browser: { type: 'string' },
} as const;

type Values = ReturnType<typeof parseWords<typeof options>>['values'];

/** Duration of a turn of the camera in seconds, unless `--turn-seconds` is given. */
const TURN_SECONDS = 6;
/** Time in seconds without progress after which a result is stopped, unless `--timeout` is given. */
const PATIENCE = 120;

export async function render(words: string[]): Promise<number> {
  const { values, files, formatOptions } = parseWords(words, options);
  const out = values.out ?? '';
  if (out === '') throw new UsageError('no output: give -o FILE.png or -o FOLDER');
  if (files.includes('-')) throw new UsageError('render cannot read standard input: give files or folders');
  if (values.format !== undefined) throw new UsageError('render detects the format of a file by its content: remove --format');
  checkOutput(out, formatIn(out) !== undefined, PICTURE_FORMATS);
  const rendering = renderingOf(values, out, formatOptions);
  const isNumbered = rendering.isVideo && rendering.format === 'png';
  const kind: ResultKind = {
    name: isNumbered ? 'frames' : rendering.format,
    isFile: formatIn(out) !== undefined,
    extension: () => (isNumbered ? '' : `.${rendering.format}`),
    canBeAlone: ({ scene }) => scene !== null && scene.nodes.length > 1,
    refusal: 'NOT_RENDERED',
    extensions: [],
  };
  if (isNumbered && kind.isFile)
    throw new UsageError('numbered pictures are several files: give a folder (-o FOLDER), or the name of a video, such as -o turn.mp4');
  requirePlaywright();
  const browser = findBrowser(values.browser);
  const seconds = positiveOf('--timeout', values.timeout) ?? PATIENCE;
  const folders = files.filter(isFolder);
  const sentences = new Map((values.json ? [] : [...(await codes()), ...conversionCodes]).map(({ code, sentence }) => [code, sentence]));
  return runBatch<RenderTask>({
    files,
    values,
    out,
    open: { formatOptions },
    kind,
    done: 'rendered',
    reportName: 'rigcast-render',
    how: rendering,
    // The child process limits the time itself, so that it can end the browser properly.
    pool: (_, { jobs }) => new Pool('renderChild', { jobs }),
    async check(pool) {
      const { background } = values;
      if (background !== undefined) await checkBackground({ background, browser }, pool);
    },
    task: (result, _, isRecorded) => ({ paths: result.files, out: result.out, folders, isRecorded, rendering, browser, seconds }),
    printEntry({ code, path, amount, detail }) {
      print(`  ${bold(code)}${dim(`  in ${clean(path)}${amount > 1 ? `, ${amount.toLocaleString('en-US')} times` : ''}`)}`);
      const sentence = sentences.get(code);
      if (sentence) print(`    ${sentence}`);
      if (detail) print(dim(`    ${clean(detail)}`));
    },
  });
}

/** Throws a UsageError if the browser does not accept a background. Node cannot check CSS colours. */
async function checkBackground(task: BackgroundTask, pool: Pool): Promise<void> {
  const problems: string[] = [];
  await pool.run<BackgroundTask, BackgroundAnswer>(
    [task],
    ({ detail }) => ({ problem: detail }),
    ({ problem }) => void problems.push(...(problem === null ? [] : [problem])),
  );
  if (problems[0] !== undefined) throw new UsageError(problems[0]);
}

/** Returns the format that belongs to the extension of a path, or undefined. */
const formatIn = (path: string): PictureFormat | undefined => PICTURE_FORMATS.find(format => extname(path).toLowerCase() === `.${format}`);

/** Parses the options that determine the picture. */
function renderingOf(values: Values, out: string, formatOptions: object): Rendering {
  const own = formatIn(out);
  const format = PICTURE_FORMATS.find(each => each === (values.to ?? own ?? 'png'));
  if (!format) throw new UsageError(`--to ${values.to}: expected one of ${PICTURE_FORMATS.join(', ')}`);
  if (own && own !== format) throw new UsageError(`--to ${format} does not match the extension of -o ${out}`);
  if (values.time !== undefined && values.frame !== undefined) throw new UsageError('--time and --frame: give one of them');
  const isPicture = format === 'png' || format === 'webp';
  const isVideo = !isPicture || (values.turntable ?? false) || (values.frames ?? false);
  if (isVideo && format === 'webp') throw new UsageError('numbered pictures are written as PNG: use --to png');
  if (values.frames && !isPicture) throw new UsageError('--frames requires --to png');
  if (!isVideo && values['frame-rate'] !== undefined) throw new UsageError('--frame-rate requires --frames, --turntable or a video format');
  if (values['turn-seconds'] !== undefined && !values.turntable) throw new UsageError('--turn-seconds requires --turntable');
  if (isVideo && !values.turntable && (values.time ?? values.frame) !== undefined)
    throw new UsageError('--time and --frame select one pose: use them for a picture or with --turntable');
  if (values.transparent && values.background !== undefined) throw new UsageError('--transparent and --background: give one of them');
  if (values.transparent && format === 'mp4') throw new UsageError('--transparent: MP4 cannot store transparency; use --to webm');
  const { width, height } = sizeOf(values.size ?? '512x512');
  if (isVideo && format !== 'png' && FORMAT_TRAITS[format as 'mp4'].needsEvenSize && (width % 2 || height % 2))
    throw new UsageError(`--size ${values.size}: ${format} requires an even width and height`);
  const frameRate = positiveOf('--frame-rate', values['frame-rate']);
  const fastest = isVideo && format !== 'webp' ? FORMAT_TRAITS[format].maxFrameRate : Infinity;
  if (frameRate !== undefined && frameRate > fastest)
    throw new UsageError(`--frame-rate ${frameRate}: ${format} allows at most ${fastest} frames per second`);
  return {
    format,
    isVideo,
    width,
    height,
    attributes: {
      ...attributesOf(values),
      ...(Object.keys(formatOptions).length > 0 && { 'format-options': JSON.stringify(formatOptions) }),
    },
    background: values.transparent ? null : (values.background ?? '#ffffff'),
    mayBeDark: !values.transparent && values.background === undefined && values['skybox-image'] === undefined,
    turn: values.turntable ? (positiveOf('--turn-seconds', values['turn-seconds']) ?? TURN_SECONDS) : 0,
    frameRate,
  };
}

function sizeOf(text: string): { width: number; height: number } {
  const [, width = 0, height = 0] = /^(\d{1,5})x(\d{1,5})$/.exec(text)?.map(Number) ?? [];
  if (width === 0 || height === 0) throw new UsageError(`--size ${text}: expected width and height in pixels, such as 512x512`);
  return { width, height };
}

/** Returns the attributes of the element. Throws a UsageError if a value has the wrong syntax. */
function attributesOf(values: Values): Record<string, string> {
  const found: Record<string, string> = {};
  if (values.clip !== undefined) found.animation = values.clip;
  for (const name of PICTURE_ATTRIBUTES) {
    const value = values[name];
    if (value === undefined) continue;
    const text = value === true ? '' : String(value);
    if (value !== true && !isValid(ATTRIBUTES[name], text)) throw new UsageError(`--${name} ${text}: ${expectationOf(ATTRIBUTES[name])}`);
    if ((PANORAMAS as readonly string[]).includes(name) && !existsSync(text)) throw new UsageError(`--${name} ${text}: no such file`);
    found[name] = text;
  }
  return found;
}
