export * from './framing.ts';
export * from './ground.ts';
export * from './looks.ts';
export * from './playback.ts';
export * from './recording.ts';
export * from './skeleton.ts';
export * from './spans.ts';
export * from './stage.ts';
