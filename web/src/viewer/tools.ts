// What only some models need of the stage, fetched before one of them takes it.
import type { RigScene } from '../core/types.ts';
import { type GizmoOverlay, type handSpans, isRecording, mayHaveGizmos, type RecordingTools } from '../stage/index.ts';

export class Tools {
  recording: (RecordingTools & { handSpans: typeof handSpans }) | null = null;
  gizmos: typeof GizmoOverlay | null = null;

  /** Rejects where the scripts cannot be fetched. */
  async prepare(scene: RigScene): Promise<void> {
    if (isRecording(scene)) {
      const [{ RecordingOverlay }, spans] = await Promise.all([import('../stage/recording.ts'), import('../stage/spans.ts')]);
      this.recording = { RecordingOverlay, recordingView: spans.recordingView, handSpans: spans.handSpans };
    } else if (mayHaveGizmos(scene)) this.gizmos = (await import('../stage/gizmos.ts')).GizmoOverlay;
  }
}
