// What was open before, so that a drop or a close can be undone.
import type { Session } from './session.ts';

const MOST_STEPS = 20;
/** Bytes of files that are kept open for nothing but undo. */
const MOST_BYTES = 256e6;

const bytesOf = ({ shown, animationFiles }: Session): number =>
  (shown?.file.byteLength ?? 0) + animationFiles.reduce((sum, { file }) => sum + file.byteLength, 0);

/** The sessions before, the last one last; those too old or too large to be kept are left out. */
export function withStep(history: readonly Session[], before: Session): readonly Session[] {
  const kept: Session[] = [];
  let bytes = 0;
  for (const session of [...history, before].slice(-MOST_STEPS).toReversed()) {
    bytes += bytesOf(session);
    if (bytes > MOST_BYTES && kept.length > 0) break;
    kept.unshift(session);
  }
  return kept;
}
