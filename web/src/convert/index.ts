// rigcast/convert: writes files of all formats in other formats. Loaded only by those who convert.
export { type Conversion, convert, type ConvertOptions } from './convert.ts';
export type { GltfPacking } from './gltf/write.ts';
export type { ImageSource } from './common/imageSource.ts';
export { kindOf, type LedgerEntry, LossError } from './common/ledger.ts';
export { type LedgerCode, ledgerCodes, type LedgerKind } from './common/ledgerCodes.ts';
export { ConversionError, type RefusalCode, refusals, refusalSentence } from './common/refusals.ts';
export type { VgoWriting } from './vgo/writing.ts';
export { type Target, TARGETS } from './writers.ts';
export type { ConvertedFile, OwnedBytes } from './common/written.ts';
