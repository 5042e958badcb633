// Modules that only recordings need, which are imported together.
export { RecordingOverlay } from './recording.ts';
export { handSpans, recordingView } from './spans.ts';
