// rigcast/convert: converts files of all supported formats to other formats. This entry point is
// separate, so that only pages that convert files load it.
export { convert } from './convert.ts';
export type { Conversion } from './conversion.ts';
export type { ConvertOptions } from './options.ts';
export type { ConversionCode, ConversionKind } from './common/codes.ts';
export type { GltfPacking } from './gltf/packing.ts';
export type { UnrealWriting } from './unreal/writing.ts';
export type { ImageSource } from './common/imageSource.ts';
export type { ConversionEntry, ConversionReport } from './common/report.ts';
export { LossError } from './losses.ts';
export { ConversionError } from './common/refusals.ts';
export type { UeformatWriting } from './ueformat/writing.ts';
export type { VrmMeta, VrmPermissions, VrmWriting } from './vrm/writing.ts';
export type { VgoWriting } from './vgo/writing.ts';
export { conversionCodes, type RefusalCode, refusals, type Target, TARGETS } from './targets.ts';
export type { ConvertedFile, OwnedBytes } from './common/written.ts';
