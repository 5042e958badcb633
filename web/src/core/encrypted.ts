// Modules for encrypted files, which are imported together.
export { decryptNeed } from './decrypt.ts';
export { keyFromOption } from './keys.ts';
