// English texts that an element can show before a model is loaded.

export const shellWords = {
  model: '3D model',
  show: 'Show {name}',
  loading: 'Loading',
  error: 'The model could not be loaded.',
  unavailable: '3D graphics are not available in this browser.',
  retry: 'Try again',
};

export type ShellWords = Record<keyof typeof shellWords, string>;
