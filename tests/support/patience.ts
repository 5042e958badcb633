// Extends the time limit of `vi.waitFor` from 1 to 20 seconds for browser tests on busy machines.
import { vi } from 'vitest';

const { waitFor } = vi;
vi.waitFor = (callback, options = 20_000) => waitFor(callback, options);
