// Under the ruler: marks, those too close together as one, and what recorded hands did.
import type { HandSpans, Playback, Span } from '../../view/index.ts';
import { count, el, fill } from '../dom.ts';
import type { RecordingFacts } from '../recording/panel.ts';
import { words } from '../words/index.ts';
import { type Cluster, clusters, nextIn } from './course.ts';

/** Spans of a hand that are drawn. */
const MOST_BARS = 400;
/** Spans of a hand that are read aloud. */
const MOST_SPANS = 12;
/** Marks nearer to each other than this share a sign; pixels. */
const NEAR = 26;
/** Names that a sign for many tells. */
const MOST_NAMES = 8;

export class Lanes {
  readonly element = el('div', { class: 'lanes', hidden: true });
  #playback: Playback;

  constructor(playback: Playback) {
    this.#playback = playback;
  }

  /** `width`: pixels of the whole. Null: there is nothing. */
  show(facts: RecordingFacts | null, width: number): void {
    this.element.hidden = facts === null || facts.duration <= 0;
    if (!facts || this.element.hidden) return this.element.replaceChildren();
    const { duration, hands, markers } = facts;
    const { start } = this.#playback;
    const length = duration - start;
    const share = (seconds: number): string => `${Math.min(Math.max(seconds / length, 0), 1) * 100}%`;
    const found = clusters(markers, (length * NEAR) / Math.max(width, 1));
    const bars = (kind: string, spans: Span[]): HTMLElement[] =>
      spans.slice(0, MOST_BARS).map(({ from, to }) => {
        const bar = el('i', { class: kind });
        bar.style.left = share(from - start);
        bar.style.width = share(to - from);
        return bar;
      });
    const signs = found.map((cluster, at) => {
      const sign = this.#sign(cluster);
      sign.style.left = share(cluster.from - start);
      // Up to the next one; the last ones reach to the left instead of out of the bar.
      sign.style.maxWidth = share((found[at + 1]?.from ?? start + length * 1.2) - cluster.from);
      return sign;
    });
    fill(
      this.element,
      signs.length > 0 && el('div', { class: 'marks', role: 'group', 'aria-label': words.facts.markers }, ...signs),
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

  #sign(cluster: Cluster): HTMLElement {
    const { marks, from, to } = cluster;
    const [first] = marks;
    const isOne = marks.length === 1;
    const names = marks.slice(0, MOST_NAMES).map(({ name }) => name || words.noName);
    const label = isOne ? words.marker(first!.name, words.clock(from)) : words.markers(marks.length, words.clock(from), words.clock(to));
    return el(
      'button',
      {
        type: 'button',
        class: `marker${isOne ? '' : ' many'}`,
        title: isOne ? `${first!.name} · ${words.clock(from)}` : `${names.join(', ')}${marks.length > MOST_NAMES ? ' …' : ''}`,
        'aria-label': label,
        onclick: () => {
          const { time } = this.#playback;
          this.#playback.pause();
          this.#playback.seek(nextIn(cluster, time).time);
        },
      },
      el('span', {}, isOne ? first!.name : count(marks.length)),
    );
  }
}

/** What a lane shows, in words. */
function describeHand({ handedness, tracked, pinching }: HandSpans): string {
  const list = (spans: Span[]): string =>
    spans
      .slice(0, MOST_SPANS)
      .map(({ from, to }) => words.span(from.toFixed(2), to.toFixed(2)))
      .join(', ') + (spans.length > MOST_SPANS ? ' …' : '');
  return words.hand(handedness, tracked.length > 0 ? list(tracked) : '', pinching.length > 0 ? list(pinching) : '');
}
