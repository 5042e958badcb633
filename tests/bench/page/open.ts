// What a page that only opens files imports: the first size row of the benchmark.
export { open } from '../../../web/src/core/index.ts';
