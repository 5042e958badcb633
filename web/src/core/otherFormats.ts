// Formats that are read by the loaders of three.js and not by the core.

/** File extensions of each format. */
export const OTHER_FORMATS = { glTF: ['gltf'], GLB: ['glb'], VRM: ['vrm', 'vrma'], FBX: ['fbx'], OBJ: ['obj'], BVH: ['bvh'] } as const;

export type OtherFormat = (typeof OTHER_FORMATS)[keyof typeof OTHER_FORMATS][number];

const EXTENSIONS: ReadonlySet<string> = new Set(Object.values(OTHER_FORMATS).flat());

/** True for the `format` of a file that was read by a loader of three.js. */
export const isOtherFormatId = (format: string): boolean => EXTENSIONS.has(format);

/** Returns the file extension in lower case, without the dot; '' if there is none. */
const extensionIn = (name: string): string => /[^/\\]\.([^./\\]*)$/.exec(name)?.[1]?.toLowerCase() ?? '';

/** True if a file name has the extension of one of these formats. */
export const isOtherFormat = (name: string): boolean => EXTENSIONS.has(extensionIn(name));

/** The byte-order mark of UTF-8, decoded as Latin-1. */
const BYTE_ORDER_MARK = 'ï»¿';

/**
 * Detects the format of a file from its first bytes or, if they do not identify it, from its name.
 * A byte-order mark is skipped. Returns null if it is not one of these formats.
 */
export function otherFormatOf(name: string, bytes: Uint8Array): OtherFormat | null {
  const text = new TextDecoder('latin1').decode(bytes.subarray(0, 32));
  const head = (text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text).trimStart();
  const named = extensionIn(name);
  if (head.startsWith('glTF')) return named === 'vrm' || named === 'vrma' ? named : 'glb';
  if (head.startsWith('Kaydara FBX Binary') || head.startsWith('; FBX')) return 'fbx';
  if (head.startsWith('HIERARCHY')) return 'bvh';
  if (named === 'gltf') return head.startsWith('{') ? 'gltf' : null;
  return named === 'obj' ? 'obj' : null;
}
