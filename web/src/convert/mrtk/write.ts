// Writes hand recordings for MRTK and for IWER, the WebXR emulator.
import type { Writing } from '../common/target.ts';
import type { WrittenFile } from '../common/written.ts';
import { binOf } from './bin.ts';
import { iwerOf } from './iwer.ts';
import { recordingOf } from './recording.ts';

export function writeRecording({ scene, to, names, clips, report }: Writing): WrittenFile[] {
  const [clip, ...others] = clips;
  for (const { name } of others) report.add('NOT_SAID', `animation ${name}`, 1);
  const meshes = scene.renderers.length + scene.lights.length;
  if (meshes > 0) report.add('NOT_SAID', 'meshes and lights', meshes);
  if (to === 'mrtk') return [{ name: `${names.stem}.bin`, pieces: [binOf(recordingOf(scene, clip, report))] }];
  return [{ name: `${names.stem}.iwer.json`, pieces: iwerOf(scene, clip, report) }];
}
