// The search library of galleries. The build replaces this file by the code of the library, so the
// package has no dependency on it.
export { default as MiniSearch } from 'minisearch';
