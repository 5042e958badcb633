// Why nothing can be made of what is given: by code, so that pages say it in their own language.

/** A sentence for each; what stands in braces is filled in. */
export const refusals = {
  NOTHING_GIVEN: 'there is nothing to convert',
  NOTHING_CONVERTIBLE: 'nothing in {files} can be converted',
  KEY_MISSING: '{file} is encrypted, and its key is missing',
  KEY_WRONG: '{file} is encrypted, and its key does not fit',
  MODEL_MISSING: 'the files hold motions and do not say how their bones hang together: add the model they are made for',
  MESH_MISSING: 'a PSK needs a mesh, and there is none',
  MOTIONS_MISSING: 'a PSA is made of motions, and there are none',
  BODY_INCOMPLETE: 'a VRM is a human body, and this one has no {bones}',
  RECORDING_MISSING: 'a recording is made of hands or a gaze, and there are none: open one of MRTK, or of IWER',
  HANDS_MISSING: 'a recording for WebXR is made of hands, and there are none',
  WORK_LIMIT:
    'Converting this would take more than {limit} MB, out of proportion to the source. Choose fewer animations, or raise the limit.',
  GLB_TOO_LARGE: 'a GLB holds at most 4 GB, and this would be {size}: write glTF, or fewer motions',
  CAST_TOO_LARGE: 'a Cast file holds at most 4 GB, and this would be {size}',
  VGO_TOO_LARGE: 'a VGO holds at most 4 GB, and 2 GB of vertices and images: this would be more',
  WEBP_ENCODER_MISSING: 'WebP is encoded by the package sharp here, which is not installed: npm install sharp',
  WEBP_UNKNOWN: 'this browser does not encode WebP',
} as const;

export type RefusalCode = keyof typeof refusals;

/** A sentence of `refusals`, or its translation, with what belongs into its braces. */
export function refusalSentence(sentence: string, values: Readonly<Record<string, string>>): string {
  return sentence.replace(/\{(\w+)\}/g, (braces, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? '') : braces));
}

/** Nothing can be made of what was given. The message says why, in English. */
export class ConversionError extends Error {
  readonly code: RefusalCode;
  /** What the sentence of the code has in braces. */
  readonly values: Readonly<Record<string, string>>;

  constructor(code: RefusalCode, values: Readonly<Record<string, string>> = {}) {
    super(refusalSentence(refusals[code], values));
    this.name = 'ConversionError';
    this.code = code;
    this.values = values;
  }
}

/** As the sentence of what is too large has it. */
export const gigabytes = (byteLength: number): string => (byteLength / 2 ** 30).toFixed(1);
