// What the page says, in the language that it speaks.
import { en, type Words } from './en.ts';

export type { Trouble, Words } from './en.ts';
export const words: Words = en;
