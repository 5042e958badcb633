// Checks of an animation as sentences: whether it loops without a jump, and how far the feet slide on
// the ground.
import { clipFacts, type ClipFacts } from '../../rig/clipFacts.ts';
import { type LoopSeam, loopSeamOf } from '../../rig/loopSeam.ts';
import type { LayeredAction } from '../../session/layeredAction.ts';
import type { Model } from '../../session/model.ts';
import { el } from '../dom.ts';
import { words } from '../words/index.ts';
import type { DrawerState } from './drawerState.ts';

/** Differences that count as none, in metres and degrees. */
const NO_DISTANCE = 0.001;
const NO_ANGLE = 0.5;
/** Slides that count as none, in metres. */
const NO_SLIDE = 0.005;
/** Maximum number of contacts that are listed. */
const MAX_CONTACTS = 4;

type Contact = ClipFacts['contacts'][number];

export interface Checks {
  seam: LoopSeam | null;
  /** Contacts of feet with the ground; null if the model has no feet. */
  contacts: readonly Contact[] | null;
}

/** Measures the loop and the feet of the animation that plays. */
export function checksOf(model: Model, action: LayeredAction): Checks {
  const scene = model.rig.file.scene!;
  const bound = action.clips.length === 1 ? action.clips[0]!.bound : undefined;
  if (!bound) return { seam: null, contacts: null };
  return { seam: loopSeamOf(bound, scene, action.start), contacts: clipFacts(bound, scene)?.contacts ?? null };
}

/** Returns the sentences about the differences between the last frame and the first. */
export function seamTexts(seam: LoopSeam | null, nameOf: (node: number) => string): string[] {
  const { checks } = words;
  if (!seam) return [checks.noLoop];
  const { place, turn, travel } = seam;
  const far = place.distance > NO_DISTANCE ? checks.apart(nameOf(place.node), distanceText(place.distance)) : '';
  const turned = turn.angle > NO_ANGLE ? checks.turned(nameOf(turn.node), turn.angle.toFixed(1)) : '';
  const isTravelling = travel.distance > NO_DISTANCE || Math.abs(travel.turn) > NO_ANGLE;
  return [
    far || turned ? checks.differs(far, turned) : checks.matches,
    ...(isTravelling ? [checks.travels(distanceText(travel.distance), travel.turn.toFixed(0))] : []),
  ];
}

/** Returns the sentence about sliding feet, and a button for each contact with the largest slides. */
export function slideTexts(state: DrawerState, contacts: readonly Contact[] | null, onSeek: (time: number) => void): HTMLElement[] {
  const { checks } = words;
  if (!contacts) return [el('p', {}, checks.noFeet)];
  const sliding = contacts.filter(({ slide }) => slide > NO_SLIDE).sort((a, b) => b.slide - a.slide);
  if (contacts.length === 0) return [el('p', {}, checks.noContacts)];
  if (sliding.length === 0) return [el('p', {}, checks.noSlide(distanceText(NO_SLIDE)))];
  return [
    el('p', {}, checks.slides(sliding.length, contacts.length)),
    el(
      'div',
      { class: 'check-buttons' },
      ...sliding
        .slice(0, MAX_CONTACTS)
        .map(({ foot, from, to, slide }) =>
          el(
            'button',
            { type: 'button', class: 'plain', onclick: () => onSeek(from) },
            checks.slide(foot, distanceText(slide), state.timeText(from), state.timeText(to), state.rate !== 1),
          ),
        ),
    ),
  ];
}

/** Formats a distance in metres: "34.5 mm" or "1.23 m". */
const distanceText = (metres: number): string => (metres < 1 ? `${Number((metres * 1000).toPrecision(3))} mm` : `${metres.toFixed(2)} m`);
