// What `convert` makes of its words: which files become one, and where that goes.
import { dirname, extname, join, relative } from 'node:path';
import { endingsOf, holdsMotions, type Target, TARGETS } from '../convert/targets.ts';
import { openGiven } from '../convert/convert.ts';
import { type Given, group } from '../convert/group.ts';
import type { OpenOptions, RigFile } from '../core/open.ts';
import { probe } from '../core/probe.ts';
import { expandFiles, fromPath, isFolder, UnreadableError } from './files.ts';
import { Scenes } from './scenes.ts';
import { UsageError } from './usage.ts';

export interface Plan {
  jobs: { paths: string[]; out: string }[];
  /** Files that become nothing, and why. */
  left: { file: string; code: 'IO_ERROR' | 'CLIP_UNMATCHED' | 'NOT_CONVERTED'; detail: string }[];
}

interface Input {
  file: string;
  /** Below the word that it was found by: where the result goes in the folder. */
  place: string;
}

/** The ending of a target's files that a name has; '' where it has none. */
export const endingIn = (out: string, to: Target): string => endingsOf(to).find(each => out.toLowerCase().endsWith(`.${each}`)) ?? '';

/** What the name of a result says that it is; nothing of a folder's. */
export function targetIn(out: string): Target | undefined {
  return TARGETS.find(each => endingIn(out, each));
}

/** One result of all files where `out` is a file, else one for each model in the folder `out`. */
export async function plan(words: readonly string[], out: string, to: Target, options: OpenOptions): Promise<Plan> {
  const inputs: Input[] = [];
  for (const word of words) {
    const root = isFolder(word) ? word : dirname(word);
    for (const file of await expandFiles([word], true)) inputs.push({ file, place: relative(root, file) });
  }
  if (inputs.length === 0) throw new UsageError(`${words.join(', ')}: no file with a known extension in these folders`);
  if (targetIn(out)) return { jobs: [{ paths: inputs.map(({ file }) => file), out }], left: [] };
  if (words.includes('-')) throw new UsageError('standard input goes into a file: -o OUT.glb');
  const left: Plan['left'] = [];
  const sets = await grouped(inputs, options, left, to);
  const endings = endingsOf(to);
  const results = sets.map(({ files: [{ place }], isMotion }) => ({
    place,
    ending: (isMotion && to === 'se' && endings[1]) || endings[0],
  }));
  const outs = outPaths(results, out);
  return { jobs: sets.map(({ files }, i) => ({ paths: files.map(({ file }) => file), out: outs[i] ?? '' })), left };
}

interface InputSet {
  files: [Input, ...Input[]];
  /** No model is among them. */
  isMotion: boolean;
}

const NOTHING_IN_IT = 'nothing to be seen and no motions are in it, or none that can be read: rigcast validate says more';

/** Each model with its motions behind it; where a motion is enough, those that no model was made for as well. */
async function grouped(all: readonly Input[], options: OpenOptions, left: Plan['left'], to: Target): Promise<InputSet[]> {
  const readable: Input[] = [];
  let isSimple = true;
  for (const input of all) {
    try {
      const [bytes, { name = '' }] = fromPath(input.file, {});
      const { role } = await probe(bytes, name);
      isSimple &&= role === 'model' || role === 'world';
      readable.push(input);
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      left.push({ file: input.file, code: 'IO_ERROR', detail: error.reason });
    }
  }
  if (isSimple) return readable.map(input => ({ files: [input], isMotion: false }));
  const scenes = new Scenes();
  const given: (Given<Pick<RigFile, 'scene' | 'format'>> & { input: Input })[] = [];
  for (const input of readable) {
    const { scene, format } = (await openGiven(...fromPath(input.file, options))).file;
    if (!scene) left.push({ file: input.file, code: 'NOT_CONVERTED', detail: 'it cannot be read: rigcast validate says why' });
    given.push({ path: input.file, input, file: { scene: scene && scenes.shared(scene, input.file), format } });
  }
  const found = group(given);
  const inputs = new Map(readable.map(input => [input.file, input]));
  const inputOf = (path: string): Input => inputs.get(path) ?? { file: path, place: path };
  const isEnough = ({ file }: (typeof given)[number]): boolean => holdsMotions(to, file.format);
  const homeless = new Set(found.left.map(({ path }) => path));
  const lone = given.filter(({ path }) => homeless.has(path));
  const alone = lone.filter(isEnough).map(({ input }): InputSet => ({ files: [input], isMotion: true }));
  const hasModels = found.groups.length > 0;
  const motionsFor = hasModels
    ? 'no model is made for it'
    : 'motions that do not say how their bones hang together: add the model they are made for';
  for (const { path, file } of (hasModels ? lone : given).filter(each => !isEnough(each))) {
    if (!file.scene) continue;
    const isMotion = file.scene.clips.length > 0;
    left.push({ file: path, code: isMotion ? 'CLIP_UNMATCHED' : 'NOT_CONVERTED', detail: isMotion ? motionsFor : NOTHING_IN_IT });
  }
  const made = found.groups.map(({ model, motions }): InputSet => ({
    files: [inputOf(model.path), ...motions.map(({ path }) => inputOf(path))],
    isMotion: false,
  }));
  return [...made, ...alone];
}

/** Two models of one name in one folder keep their extensions as well; those that still agree are counted. */
function outPaths(results: readonly { place: string; ending: string }[], folder: string): string[] {
  const plain = results.map(({ place, ending }) => join(folder, `${place.slice(0, place.length - extname(place).length)}.${ending}`));
  const count = (paths: readonly string[]): Map<string, number> => {
    const counts = new Map<string, number>();
    for (const path of paths) counts.set(path.toLowerCase(), (counts.get(path.toLowerCase()) ?? 0) + 1);
    return counts;
  };
  const counts = count(plain);
  const full = results.map(({ place, ending }, i) =>
    (counts.get(plain[i]?.toLowerCase() ?? '') ?? 0) > 1 ? join(folder, `${place}.${ending}`) : (plain[i] ?? ''),
  );
  const seen = new Map<string, number>();
  return full.map(path => {
    const n = (seen.get(path.toLowerCase()) ?? 0) + 1;
    seen.set(path.toLowerCase(), n);
    return n === 1 ? path : path.replace(/(\.\w+)$/, `_${n}$1`);
  });
}
