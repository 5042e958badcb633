// rigcast without three.js: bytes to scenes, motions to skeletons.
export { type BaseGuess, explainBase, rankBases } from './additive.ts';
export { additiveLooks, bind, type BindOptions, type BindReport, type BoundClip, type BoundTrack } from './bind.ts';
export type { CodeInfo } from './codeInfo.ts';
export { codes, formats, type FormatInfo } from './codes.ts';
export { FITS, isMadeFor, match, type Match, rank } from './match.ts';
export { SEGMENT_KINDS, trackWidth } from './description.ts';
export { facingOf, type Facing } from './facing.ts';
export { type Additive, type AdditiveOption, explainLooks, type Looks } from './looks.ts';
export { formatOptionTable, listFormatOptions, type OptionInfo } from './formatOptions.ts';
export { open, readOutline, type Companions, type OpenOptions, type RigFile } from './open.ts';
export type { OutlineField, OutlineNode, OutlineResult } from './outline.ts';
export { prepare, type PrepareOptions } from './prepare.ts';
export { probe, type Probed, type Role } from './probe.ts';
export { addFinding, bySeverity, emptyReport, mergeReports, reportOf, summarize } from './report.ts';
export { configure, type Settings } from './settings.ts';
export type { OpenSource, Progress } from './source.ts';
export type * from './types.ts';
export { compileWasm, type WasmSource } from './wasm.ts';
