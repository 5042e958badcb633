// Recordings of hands: MRTK's files, and what WebXR's emulator plays.
import type { Clip, RigScene } from '../../core/types.ts';
import type { Ledger } from '../common/ledger.ts';
import type { WrittenFile } from '../common/written.ts';
import { binOf } from './bin.ts';
import { iwerOf } from './iwer.ts';
import { recordingOf } from './recording.ts';

export interface RecordingOptions {
  to: 'mrtk' | 'iwer';
  /** File name without extension. */
  name: string;
  clips: readonly Clip[];
  ledger: Ledger;
}

export function writeRecording(scene: RigScene, { to, name, clips, ledger }: RecordingOptions): WrittenFile[] {
  const [clip, ...others] = clips;
  for (const { name: other } of others) ledger.add('NOT_SAID', `the motion ${other}`, 1);
  const meshes = scene.renderers.length + scene.lights.length;
  if (meshes > 0) ledger.add('NOT_SAID', 'what is seen', meshes);
  if (to === 'mrtk') return [{ name: `${name}.bin`, pieces: [binOf(recordingOf(scene, clip, ledger))] }];
  return [{ name: `${name}.iwer.json`, pieces: iwerOf(scene, clip, ledger) }];
}
