// Limits the length and the size of the undo history.
import type { Session } from './session.ts';

const MAX_STEPS = 20;
/** Maximum total size of the files that the history keeps open, in bytes. */
const MAX_BYTES = 256e6;

const bytesOf = ({ shown, animationFiles }: Session): number =>
  (shown?.file.byteLength ?? 0) + animationFiles.reduce((sum, { file }) => sum + file.byteLength, 0);

/**
 * Appends a session to the undo history. Removes the oldest sessions if there are more than 20 or
 * their files exceed 256 MB, but keeps at least one.
 */
export function withStep(history: readonly Session[], before: Session): readonly Session[] {
  const kept: Session[] = [];
  let bytes = 0;
  for (const session of [...history, before].slice(-MAX_STEPS).toReversed()) {
    bytes += bytesOf(session);
    if (bytes > MAX_BYTES && kept.length > 0) break;
    kept.unshift(session);
  }
  return kept;
}
