import { open } from 'rigcast';

export const errors: number = (await open(new Uint8Array(3))).report.errors;
