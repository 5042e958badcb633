// Lanes below the ruler. They show animation events, and the time spans in which recorded hands
// were tracked and pinched.
import type { HandSpans, Playback, Span } from '../../view/index.ts';
import { count, el, fill } from '../dom.ts';
import type { RecordingFacts } from '../recording/panel.ts';
import { words } from '../words/index.ts';
import { type Cluster, clusters, nextIn } from './timelineMath.ts';

/** Maximum number of bars in a hand's lane, for each kind of time span. */
const MAX_BARS = 400;
/** Maximum number of time spans of each kind in the accessible name of a hand's lane. */
const MAX_SPANS = 12;
/**
 * Minimum distance between two markers in pixels. Events that are closer together share a marker.
 */
const NEAR = 26;
/** Maximum number of event names in the tooltip of a shared marker. */
const MAX_NAMES = 8;

export class Lanes {
  readonly element = el('div', { class: 'lanes', hidden: true });
  readonly #playback: Playback;
  readonly #label: string;

  /** `label`: accessible name of the group of events. */
  constructor(playback: Playback, label: string = words.facts.events) {
    this.#playback = playback;
    this.#label = label;
  }

  /** Shows events and hands; null hides the lanes. `width`: width of the timeline in CSS pixels. */
  show(facts: RecordingFacts | null, width: number): void {
    this.element.hidden = facts === null || facts.duration <= 0;
    if (!facts || this.element.hidden) return this.element.replaceChildren();
    const { duration, hands, events } = facts;
    const { start } = this.#playback;
    const length = duration - start;
    const share = (seconds: number): string => `${Math.min(Math.max(seconds / length, 0), 1) * 100}%`;
    const found = clusters(events, (length * NEAR) / Math.max(width, 1));
    const bars = (kind: string, spans: Span[]): HTMLElement[] =>
      spans.slice(0, MAX_BARS).map(({ from, to }) => {
        const bar = el('i', { class: kind });
        bar.style.left = share(from - start);
        bar.style.width = share(to - from);
        return bar;
      });
    const markers = found.map((cluster, at) => {
      const marker = this.#marker(cluster);
      marker.style.left = share(cluster.from - start);
      // Limit the width of the label to the distance to the next marker.
      marker.style.maxWidth = share((found[at + 1]?.from ?? start + length * 1.2) - cluster.from);
      return marker;
    });
    fill(
      this.element,
      markers.length > 0 && el('div', { class: 'markers', role: 'group', 'aria-label': this.#label }, ...markers),
      ...hands.map(hand =>
        el(
          'div',
          {
            class: `lane ${hand.handedness}`,
            role: 'img',
            'aria-label': describeHand(hand),
            title: words.recording.hands[hand.handedness],
          },
          el('b', { 'aria-hidden': 'true' }, words.handLetters[hand.handedness]),
          ...bars('tracked', hand.tracked),
          ...bars('pinching', hand.pinching),
        ),
      ),
    );
  }

  #marker(cluster: Cluster): HTMLElement {
    const { events, from, to } = cluster;
    const [first] = events;
    const isOne = events.length === 1;
    const names = events.slice(0, MAX_NAMES).map(({ name }) => name || words.noName);
    const label = isOne ? words.event(first!.name, words.clock(from)) : words.events(events.length, words.clock(from), words.clock(to));
    return el(
      'button',
      {
        type: 'button',
        class: `marker${isOne ? '' : ' many'}`,
        title: isOne ? `${first!.name} · ${words.clock(from)}` : `${names.join(', ')}${events.length > MAX_NAMES ? ' …' : ''}`,
        'aria-label': label,
        onclick: () => {
          const { time } = this.#playback;
          this.#playback.pause();
          this.#playback.seek(nextIn(cluster, time).time);
        },
      },
      el('span', {}, isOne ? first!.name : count(events.length)),
    );
  }
}

/** Returns a description of a hand's lane for screen readers. */
function describeHand({ handedness, tracked, pinching }: HandSpans): string {
  const list = (spans: Span[]): string =>
    spans
      .slice(0, MAX_SPANS)
      .map(({ from, to }) => words.span(from.toFixed(2), to.toFixed(2)))
      .join(', ') + (spans.length > MAX_SPANS ? ' …' : '');
  return words.handTracked(handedness, tracked.length > 0 ? list(tracked) : '', pinching.length > 0 ? list(pinching) : '');
}
