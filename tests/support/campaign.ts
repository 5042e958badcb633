// Chooses how often long tests are repeated: `few` times in `npm test`, `all` times in `npm run
// nightly`.
import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** True if the environment variable RIGCAST_LONG is set (vitest.config.ts). */
    isLong: boolean;
  }
}

export const campaign = (all: number, few: number): number => (inject('isLong') ? all : few);
