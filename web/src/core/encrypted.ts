// Exports the modules that encrypted files need, so that they are loaded together.
export { decryptNeed } from './decrypt.ts';
export { keyFromOption } from './keys.ts';
