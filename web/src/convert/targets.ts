// The list of conversion targets. Types, command-line help, documentation and the viewer's menu are
// derived from this list.
import { cast } from './cast/target.ts';
import { codeTable, type ConversionCode, sharedCodes } from './common/codes.ts';
import { type Refusals, sharedRefusals } from './common/refusals.ts';
import type { ConversionTarget, TargetFolder, TargetRow } from './common/target.ts';
import { gltf } from './gltf/target.ts';
import { mrtk } from './mrtk/target.ts';
import { se } from './se/target.ts';
import { table } from './table/target.ts';
import { ueformat } from './ueformat/target.ts';
import { unreal } from './unreal/target.ts';
import { vgo } from './vgo/target.ts';
import { vrm } from './vrm/target.ts';

/** Folders of targets, in menu order. To add a target, add its folder here. */
const FOLDERS = [gltf, vrm, cast, se, unreal, ueformat, vgo, mrtk, table] as const;

type Folder = (typeof FOLDERS)[number];
type KeysOf<T> = T extends unknown ? keyof T & string : never;
type ValuesOf<T> = T extends unknown ? T[keyof T] : never;
type Member<T, K extends string> = T extends Readonly<Record<K, infer V>> ? V : never;

/** Name of a target format. docs/convert.md lists all targets. */
export type Target = KeysOf<Folder['targets']>;

const folders: readonly TargetFolder[] = FOLDERS;

export const WRITERS = Object.assign({}, ...folders.map(({ targets }) => targets)) as Readonly<Record<Target, TargetRow>>;

/** All targets, described in docs/convert.md. */
export const TARGETS = Object.keys(WRITERS) as readonly Target[];

/** All codes that conversion reports can contain. The codes that several targets use come first. */
export const conversionCodes: readonly ConversionCode[] = [...sharedCodes, ...folders.flatMap(({ codes = [] }) => codes)];

/** Code of a ConversionError. */
export type RefusalCode = keyof typeof sharedRefusals | KeysOf<Member<Folder, 'refusals'>>;

/** Maps each ConversionError code to its message. Words in braces are replaced by values. */
export const refusals = Object.assign({}, sharedRefusals, ...folders.map(({ refusals: own }) => own)) as Readonly<
  Record<RefusalCode, string>
> &
  Refusals;

/** Name of an option that not all targets have. */
export type ChoiceId = KeysOf<Member<ValuesOf<Folder['targets']>, 'choices'>>;

export interface Choice {
  id: ChoiceId;
  targets: readonly Target[];
  text: string;
}

/** All target options. Each option lists the targets that have it. */
export const CHOICES: readonly Choice[] = Object.entries<string>(Object.assign({}, ...TARGETS.map(to => WRITERS[to].choices))).map(
  ([id, text]) => ({ id: id as ChoiceId, targets: TARGETS.filter(to => WRITERS[to].choices?.[id] !== undefined), text }),
);

/**
 * Returns the first chosen option that the target does not have. Returns undefined if the target
 * has all chosen options.
 */
export const misplaced = (to: Target, chosen: Partial<Record<ChoiceId, boolean | undefined>>): Choice | undefined =>
  CHOICES.find(({ id, targets }) => chosen[id] && !targets.includes(to));

/** The same codes as a table. */
export const allCodes = codeTable(conversionCodes);

/** Returns what a conversion to this target needs. */
export const targetOf = (to: Target): ConversionTarget => ({ name: to, row: WRITERS[to], codes: allCodes });

export const extensionsOf = (to: Target): readonly [string, ...string[]] => WRITERS[to].extensions ?? [to];

/** Returns the extension of the file name if it belongs to the target, otherwise ''. */
export const extensionIn = (name: string, to: Target): string =>
  extensionsOf(to).find(each => name.toLowerCase().endsWith(`.${each}`)) ?? '';

/**
 * Returns the target that uses the extension of the file name, or undefined if no target uses it.
 */
export const targetIn = (name: string): Target | undefined => TARGETS.find(each => extensionIn(name, each));
