// rigcast convert: converts models and their animations into one file, or into one file per model.
import { existsSync, readFileSync } from 'node:fs';
import { holdsAnimations } from '../convert/common/target.ts';
import type { ReportEntry } from '../convert/common/report.ts';
import {
  allCodes,
  type ChoiceId,
  CHOICES,
  conversionCodes,
  extensionsOf,
  misplaced,
  type Target,
  targetIn,
  TARGETS,
  WRITERS,
} from '../convert/targets.ts';
import { kindOf } from '../convert/losses.ts';
import { amountText } from '../convert/common/units.ts';
import { keyOf, type VgoWriting } from '../convert/vgo/writing.ts';
import type { OpenOptions } from '../core/open.ts';
import { batchOptions, runBatch } from './batch.ts';
import type { MakeTask } from './convertChild.ts';
import { namesBeside, type PlannedResult, type ResultKind } from './convertPlan.ts';
import { isFolder } from './files.ts';
import { checkOutput } from './output.ts';
import { bold, clean, dim, print } from './print.ts';
import { additiveOf, boneMapIn, parseWords, positiveOf, UsageError } from './usage.ts';

/** Command-line flags for the options of output formats, such as --split and --meshopt. */
const targetOptions = Object.fromEntries(CHOICES.map(({ id }) => [id, { type: 'boolean' }])) as Record<ChoiceId, { type: 'boolean' }>;

const options = {
  ...batchOptions,
  clip: { type: 'string', multiple: true },
  tolerance: { type: 'string' },
  'max-output': { type: 'string' },
  additive: { type: 'string' },
  strict: { type: 'boolean' },
  merge: { type: 'boolean' },
  'bone-map': { type: 'string' },
  'new-key': { type: 'string' },
  ...targetOptions,
} as const;

export async function convert(words: string[]): Promise<number> {
  const { values, files, formatOptions } = parseWords(words, options);
  const out = values.out ?? '';
  if (out === '') throw new UsageError('no output: give -o FILE.glb or -o FOLDER');
  const to = targetOf(values.to, out);
  checkOutput(out, targetIn(out) !== undefined, TARGETS.flatMap(extensionsOf));
  if (values.merge && !targetIn(out)) throw new UsageError('--merge requires an output file, such as -o NAME.glb');
  const tolerance = positiveOf('--tolerance', values.tolerance);
  const additive = additiveOf(values.additive);
  const boneMap = boneMapIn(values['bone-map']);
  const maxMemory = positiveOf('--max-memory', values['max-memory'], true);
  const maxOutput = positiveOf('--max-output', values['max-output'], true);
  const open: OpenOptions = { formatOptions, ...(values.format && { format: values.format }), ...(maxMemory && { maxMemory }) };
  const vgo = vgoOf(values, to);
  const wrong = misplaced(to, values);
  if (wrong) throw new UsageError(`--${wrong.id} requires --to ${wrong.targets.join(' or --to ')}`);
  if (values['in-place'] && values['root-motion']) throw new UsageError('--in-place and --root-motion exclude each other');
  const how: MakeTask['convert'] = {
    to,
    strict: values.strict ?? false,
    ...(values.merge && { merge: true }),
    ...(boneMap && { boneMap }),
    ...(additive && { additive }),
    ...(values.split && { split: true }),
    ...(values.loop && { loop: true }),
    ...(values['in-place'] && { inPlace: true }),
    ...(values['root-motion'] && { rootMotion: true }),
    ...(values['lock-heading'] && { lockHeading: true }),
    vgo,
    unreal: { ...(values['root-bone'] && { rootBone: true }) },
    gltf: { ...(values.meshopt && { meshopt: true }), ...(values.webp && { webp: true }) },
    ueformat: { ...(values.v10 && { v10: true }), ...(values.gzip && { gzip: true }) },
    ...(tolerance && { tolerance: tolerance / 1000 }),
    ...(maxOutput && { maxOutput }),
    ...(values.clip && { clips: values.clip }),
  };
  const folders = files.filter(isFolder);
  const kind = conversionKind(out, to);
  let beside: ((result: PlannedResult) => string[]) | undefined;
  return runBatch<MakeTask>({
    files,
    values,
    out,
    open,
    kind,
    done: 'converted',
    reportName: 'rigcast-ledger',
    how,
    pool: planning => planning,
    task(result, all, isRecorded) {
      beside ??= namesBeside(all, to);
      return {
        kind: 'make',
        paths: result.files,
        out: result.out,
        isFile: kind.isFile,
        folders,
        others: beside(result),
        isRecorded,
        convert: how,
        open,
      };
    },
    printEntry,
  });
}

/** Returns how a conversion to `to` names its results. `out`: path of the result or of its folder. */
function conversionKind(out: string, to: Target): ResultKind {
  const [ending, other = ending] = extensionsOf(to);
  return {
    name: to,
    isFile: targetIn(out) !== undefined,
    extension: hasOnlyAnimations => `.${hasOnlyAnimations && to === 'se' ? other : ending}`,
    canBeAlone: ({ format }) => holdsAnimations(WRITERS[to], format),
    refusal: 'NOT_CONVERTED',
    extensions: [...extensionsOf(to), ...(to === 'psk' ? ['psa'] : [])], // animations of a PSK are written as PSA
  };
}

function targetOf(to: string | undefined, out: string): Target {
  const own = targetIn(out);
  const target = TARGETS.find(each => each === (to ?? own ?? 'glb'));
  if (!target) throw new UsageError(`--to ${to}: expected one of ${TARGETS.join(', ')}`);
  if (own && own !== target) throw new UsageError(`--to ${target} does not match the extension of -o ${out}`);
  return target;
}

/**
 * Returns the options for writing VGO. The value of `--new-key` is a key or the path of a file that
 * contains a key.
 */
function vgoOf({ bson, 'new-key': newKey }: { bson?: boolean; 'new-key'?: string }, to: Target): VgoWriting {
  if (to !== 'vgo' && newKey !== undefined) throw new UsageError('--new-key requires --to vgo');
  const key = newKey !== undefined && existsSync(newKey) ? readFileSync(newKey).toString('hex') : newKey;
  const writing: VgoWriting = { ...(bson && { encoding: 'bson' }), ...(key !== undefined && { key }) };
  try {
    keyOf(writing);
  } catch (error) {
    throw new UsageError(`--new-key: ${(error as Error).message.replace('convert: vgo.key', 'it')}`);
  }
  return writing;
}

const sentences = new Map(conversionCodes.map(({ code, sentence }) => [code, sentence]));

function printEntry(entry: ReportEntry): void {
  const { code, path, amount, detail } = entry;
  const { unit = '' } = conversionCodes.find(each => each.code === code) ?? {};
  const where = [path && `in ${clean(path)}`, amountText(amount, unit)].filter(Boolean).join(', ');
  print(`  ${kindOf(entry, allCodes).padEnd(13)}  ${bold(code)}${dim(`  ${where}`)}`);
  print(`                 ${sentences.get(code) ?? ''}`);
  if (detail) print(dim(`                 ${clean(detail)}`));
}
