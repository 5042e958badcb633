// The imports of a page that only opens files: the first size row of the benchmark.
export { open } from '../../../web/src/core/index.ts';
