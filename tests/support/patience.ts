// Waits of browser tests end after 20 seconds instead of one, which a busy machine exceeds. A condition that is met ends them at once.
import { vi } from 'vitest';

const { waitFor } = vi;
vi.waitFor = (callback, options = 20_000) => waitFor(callback, options);
