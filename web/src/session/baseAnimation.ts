// The motion that an additive one is played on: of those at hand that suit the model, the one that it was most likely made for.
import { rankBases } from '../core/additive.ts';
import { clipsOf, rowsOf, compatibilityIn } from './animationRows.ts';
import type { AnimationRow } from './openedFile.ts';
import type { Session } from './session.ts';

/** Motions that are looked at: each is compared with the rest pose. */
const MOST = 400;

/** For the motion that is selected; null where there is no other one to play it on. */
export function baseAnimationOf(session: Session): AnimationRow | null {
  const rows = rowsOf(session);
  const row = rows[session.selected];
  const scene = session.shown?.file.scene;
  const clip = row?.indices.length === 1 ? clipsOf(row)[0] : undefined;
  if (!row || !scene || !clip) return null;
  const others = rows
    .filter(other => other !== row && other.indices.length === 1 && compatibilityIn(session, other.source)?.fits === true)
    .slice(0, MOST);
  const byClip = new Map(others.map(other => [clipsOf(other)[0]!, other]));
  const [best] = rankBases(clip, [...byClip.keys()], scene);
  return (best && byClip.get(best.clip)) ?? null;
}
