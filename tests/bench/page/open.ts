// A page that only opens files. The size of its bundle is in the first row of the benchmark's
// table.
export { open } from '../../../web/src/core/index.ts';
