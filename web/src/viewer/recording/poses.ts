// What the hands do at the moment that is seen, in numbers; beside another take also how far apart both are.
import { untracked } from '@preact/signals-core';
import type { Hand } from '../../three/xr/hands.ts';
import { FINGERS, handPose, compareHands } from '../../view/handPose.ts';
import { el, fill } from '../dom.ts';
import type { Page } from '../page.ts';
import { effectSoon } from '../soon.ts';
import { words } from '../words/index.ts';

/** `show`: it is looked at now. Nothing is counted while nobody looks. */
export function posesBox(page: Page): { element: HTMLElement; show: () => void } {
  const box = el('div', { class: 'hand-poses' });
  const show = (): void => {
    const overlay = page.recorded.peek() && page.scenery.recording;
    const other = page.other.peek();
    if (!overlay || !box.checkVisibility()) return;
    fill(
      box,
      ...overlay.hands.map(({ hand }) =>
        section(
          hand,
          other?.hands.find(({ handedness }) => handedness === hand.handedness),
        ),
      ),
    );
  };
  effectSoon(() => {
    void page.moved.value;
    void page.recorded.value;
    void page.other.value;
    untracked(show);
  });
  return { element: box, show };
}

function section(hand: Hand, other: Hand | undefined): HTMLElement {
  const { hands, fingers, bends, notSeen, pinching, pinchStrength, apart } = words.recording;
  const pose = handPose(hand);
  const name = hands[hand.handedness];
  if (!pose) return el('p', { class: 'quiet' }, notSeen(name));
  const distance = other && compareHands(hand, other);
  return el(
    'section',
    { 'aria-label': name },
    el(
      'table',
      { class: 'bends' },
      el('caption', {}, name, hand.pinching && el('span', { class: 'times' }, pinching)),
      el('tr', {}, el('td', {}), ...bends.map(title => el('th', { scope: 'col' }, title))),
      ...FINGERS.map((finger, row) =>
        el(
          'tr',
          {},
          el('th', { scope: 'row' }, fingers[finger]),
          ...pose.flexion[row]!.map(angle => el('td', {}, angle === null ? '–' : `${Math.round(angle)}°`)),
        ),
      ),
    ),
    el('p', { class: 'quiet' }, pinchStrength(pose.pinch.toFixed(2), (pose.gap * 1000).toFixed(0))),
    distance && el('p', {}, apart((distance.apart * 1000).toFixed(0), (distance.shape * 1000).toFixed(0))),
  );
}
