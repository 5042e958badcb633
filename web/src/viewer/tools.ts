// Modules that the viewport needs only for some models. They are loaded before such a model is
// shown.
import type { RigScene } from '../core/types.ts';
import { type GizmoOverlay, isRecording, mayHaveGizmos, recordingTools, type RecordingTools } from '../view/index.ts';

export class Tools {
  recording: RecordingTools | null = null;
  gizmos: typeof GizmoOverlay | null = null;

  /** Loads the modules that a scene needs. Rejects if a module can't be fetched. */
  async prepare(scene: RigScene): Promise<void> {
    if (isRecording(scene)) this.recording = await recordingTools();
    else if (mayHaveGizmos(scene)) this.gizmos = (await import('../view/gizmos.ts')).GizmoOverlay;
  }
}
