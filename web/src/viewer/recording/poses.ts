// Shows the current hand poses as numbers, and their distances from the poses of a compared
// recording.
import { untracked } from '@preact/signals-core';
import type { Hand } from '../../three/xr/hands.ts';
import { FINGERS, handPose, compareHands } from '../../view/handPose.ts';
import { el, fill } from '../dom.ts';
import type { Page } from '../page.ts';
import { deferredEffect } from '../deferred.ts';
import { words } from '../words/index.ts';

/**
 * Creates the box with the hand poses. `show`: call this when the panel becomes visible, because
 * hidden panels are not updated.
 */
export function handPosesBox(page: Page): { element: HTMLElement; show: () => void } {
  const box = el('div', { class: 'hand-poses' });
  const show = (): void => {
    const overlay = page.recorded.peek() && page.viewport.recording;
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
  deferredEffect(() => {
    void page.poseVersion.value;
    void page.recorded.value;
    void page.other.value;
    untracked(show);
  });
  return { element: box, show };
}

function section(hand: Hand, other: Hand | undefined): HTMLElement {
  const { hands, fingers, bends, bendTitle, notTracked, pinching, pinchStrength, difference } = words.recording;
  const pose = handPose(hand);
  const name = hands[hand.handedness];
  if (!pose) return el('p', { class: 'quiet' }, notTracked(name));
  const distance = other && compareHands(hand, other);
  return el(
    'section',
    { 'aria-label': name },
    el(
      'table',
      { class: 'flexion' },
      el('caption', {}, bendTitle(name), hand.pinching && el('span', { class: 'times' }, pinching)),
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
    distance && el('p', {}, difference((distance.apart * 1000).toFixed(0), (distance.shape * 1000).toFixed(0))),
  );
}
