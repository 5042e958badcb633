// Modules that read files on the calling thread, if there is no worker or an animation is decoded
// late. They are imported together.
export { DeferredKeys } from './deferredKeys.ts';
export { helperOf } from './glue.ts';
export { openStream } from './input.ts';
export { runJob } from './instance.ts';
