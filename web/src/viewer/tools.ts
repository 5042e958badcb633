// What only some models need of the stage, fetched before one of them takes it.
import type { RigScene } from '../core/types.ts';
import { type GizmoOverlay, isRecording, mayHaveGizmos, recordingTools, type RecordingTools } from '../view/index.ts';

export class Tools {
  recording: RecordingTools | null = null;
  gizmos: typeof GizmoOverlay | null = null;

  /** Rejects where the scripts cannot be fetched. */
  async prepare(scene: RigScene): Promise<void> {
    if (isRecording(scene)) this.recording = await recordingTools();
    else if (mayHaveGizmos(scene)) this.gizmos = (await import('../view/gizmos.ts')).GizmoOverlay;
  }
}
