// Extends the time limit of `vi.waitFor` in browser tests from 1 to 20 seconds, for busy machines.
import { vi } from 'vitest';

const { waitFor } = vi;
vi.waitFor = (callback, options = 20_000) => waitFor(callback, options);
