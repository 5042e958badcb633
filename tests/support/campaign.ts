// Number of repetitions of long tests: `few` in `npm test`, `all` in `npm run nightly`.
import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Set by RIGCAST_LONG in the environment (vitest.config.ts). */
    isLong: boolean;
  }
}

export const campaign = (all: number, few: number): number => (inject('isLong') ? all : few);
