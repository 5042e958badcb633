// Tests which views a frame draws and how much time passes for them. The tests control the source
// of frames.
import { describe, expect, it } from 'vitest';
import { FrameLoop, type LoopView } from '../../../web/src/view/frameLoop.ts';

/**
 * A source of frames with a clock in milliseconds. Tests, and views that are drawn, advance this
 * clock.
 */
class Page {
  now = 1000;
  #wanted: ((now: number) => void) | null = null;

  request(callback: (now: number) => void): number {
    if (this.#wanted) throw new Error('a frame was asked for already');
    this.#wanted = callback;
    return 1;
  }

  cancel(): void {
    this.#wanted = null;
  }

  get isAsked(): boolean {
    return this.#wanted !== null;
  }

  /** Starts the next frame after `milliseconds`. */
  frame(milliseconds: number): void {
    this.now += milliseconds;
    const callback = this.#wanted;
    this.#wanted = null;
    callback?.(this.now);
  }
}

/** A view that is always moving, or is drawn only once if `isMoving` is false. */
class View implements LoopView {
  isVisible = true;
  isDirty = true;
  isMoving = true;
  /** Seconds that each frame of the view has received. */
  readonly seconds: number[] = [];
  readonly #loop: FrameLoop<View>;
  constructor(loop: FrameLoop<View>) {
    this.#loop = loop;
  }
  invalidate(): void {
    this.isDirty = true;
    this.#loop.request();
  }
  get played(): number {
    return this.seconds.reduce((sum, each) => sum + each, 0);
  }
}

function pageOf(count: number, { cost = 0, isOwner = [] as number[] } = {}) {
  const page = new Page();
  const order: View[] = [];
  const state = { isReady: true };
  const loop = new FrameLoop<View>(
    { request: callback => page.request(callback), cancel: () => page.cancel(), now: () => page.now },
    {
      isReady: () => state.isReady,
      draw: (view, seconds) => {
        page.now += cost;
        order.push(view);
        view.seconds.push(seconds);
        return view.isMoving;
      },
    },
  );
  const views = Array.from({ length: count }, () => new View(loop));
  views.forEach((view, i) => loop.add(view, isOwner.includes(i)));
  return { page, loop, views, order, state };
}

describe('the seconds of a view', () => {
  it.each([16, 100, 700, 4900])('are the true time, of frames that take %i ms', length => {
    const { page, views } = pageOf(1);
    for (let i = 0; i < 10; i++) page.frame(length);
    expect(views[0]!.seconds).toEqual([0, ...Array.from({ length: 9 }, () => expect.closeTo(length / 1000, 9) as number)]);
  });

  it('are the real time of each of fifty views, however rarely it is drawn', () => {
    const { page, views } = pageOf(50, { cost: 100 });
    const starts = new Map<View, number>();
    const ends = new Map<View, number>();
    for (let i = 0; i < 300; i++) {
      const before = views.map(({ seconds }) => seconds.length);
      page.frame(50);
      const drawn = views.filter((view, k) => view.seconds.length > before[k]!);
      for (const view of drawn) {
        if (!starts.has(view)) starts.set(view, page.now);
        ends.set(view, page.now);
      }
      expect(drawn).toHaveLength(1);
    }
    for (const view of views) {
      expect(view.seconds).toHaveLength(6);
      expect(view.played).toBeCloseTo((ends.get(view)! - starts.get(view)!) / 1000, 6);
    }
  });

  it('are at most one after the page was hidden or the computer was asleep', () => {
    const { page, loop, views } = pageOf(1);
    page.frame(10);
    page.frame(20);
    loop.pause();
    page.frame(4000);
    page.frame(3000);
    page.frame(3_600_000);
    loop.pause();
    page.frame(300);
    page.frame(20);
    expect(views[0]!.seconds).toEqual([0, 0.02, 1, 3, 1, 0.3, 0.02].map(each => expect.closeTo(each, 9) as number));
  });

  it('start at zero for a view that was not moving', () => {
    const { page, views } = pageOf(1);
    const view = views[0]!;
    page.frame(16);
    view.isMoving = false;
    page.frame(16);
    expect(page.isAsked).toBe(false);
    page.frame(2000);
    view.isMoving = true;
    view.invalidate();
    page.frame(16);
    page.frame(16);
    expect(view.seconds).toEqual([0, 0.016, 0, 0.016].map(each => expect.closeTo(each, 9) as number));
  });

  it('do not pass while a view is invisible or nothing can be drawn', () => {
    const { page, views, state } = pageOf(2);
    const [hidden, other] = views as [View, View];
    page.frame(16);
    hidden.isVisible = false;
    for (let i = 0; i < 4; i++) page.frame(500);
    hidden.isVisible = true;
    page.frame(16);
    page.frame(16);
    expect(hidden.played).toBeCloseTo(0.016, 9);
    expect(other.played).toBeCloseTo(2.032, 9);
    state.isReady = false;
    page.frame(500);
    expect(page.isAsked).toBe(false);
    state.isReady = true;
    other.invalidate();
    page.frame(500);
    expect(other.played).toBeCloseTo(2.032, 9);
  });

  it('continue after a view has thrown', () => {
    const page = new Page();
    let isBroken = true;
    let seen = 0;
    const loop: FrameLoop<View> = new FrameLoop<View>(page2source(page), {
      isReady: () => true,
      draw: (_view, seconds) => {
        if (isBroken) throw new Error('broken');
        seen += seconds;
        return true;
      },
    });
    const view = new View(loop);
    loop.add(view, false);
    expect(() => page.frame(16)).toThrow('broken');
    isBroken = false;
    view.invalidate();
    page.frame(4000);
    page.frame(16);
    expect(seen).toBeCloseTo(0.016, 9);
  });
});

const page2source = (page: Page) => ({
  request: (callback: (now: number) => void) => page.request(callback),
  cancel: () => page.cancel(),
  now: () => page.now,
});

describe('the views of a frame', () => {
  it('are those that are visible and have changed; otherwise no frame is requested', () => {
    const { page, views, order } = pageOf(3);
    for (const view of views) view.isMoving = false;
    views[1]!.isVisible = false;
    page.frame(16);
    expect(order).toEqual([views[0], views[2]]);
    expect(page.isAsked).toBe(false);
    views[2]!.invalidate();
    page.frame(16);
    expect(order.slice(2)).toEqual([views[2]]);
  });

  it('are drawn for at most 12 ms, those that waited longest first', () => {
    const { page, views, order } = pageOf(5, { cost: 7 });
    for (let i = 0; i < 5; i++) page.frame(16);
    const rows = order.map(view => views.indexOf(view));
    expect(rows).toEqual([0, 1, 2, 3, 4, 0, 1, 2, 3, 4]);
  });

  it('end with the owner of the canvas, whatever time the others took', () => {
    const { page, views, order } = pageOf(4, { cost: 50, isOwner: [0] });
    page.frame(16);
    page.frame(16);
    expect(order.map(view => views.indexOf(view))).toEqual([1, 0, 2, 0]);
  });

  it('are drawn even if one of them throws', () => {
    const page = new Page();
    const drawn: View[] = [];
    const loop: FrameLoop<View> = new FrameLoop<View>(page2source(page), {
      isReady: () => true,
      draw: view => {
        if (view === views[0]) throw new Error('broken');
        drawn.push(view);
        return false;
      },
    });
    const views = [new View(loop), new View(loop)];
    for (const view of views) loop.add(view, false);
    expect(() => page.frame(16)).toThrow('broken');
    page.frame(16);
    expect(drawn).toEqual([views[1]]);
  });

  it('are not drawn after the loop was stopped', () => {
    const { page, loop, views, order } = pageOf(2);
    loop.remove(views[0]!);
    page.frame(16);
    expect(order).toEqual([views[1]]);
    loop.stop();
    views[1]!.invalidate();
    page.frame(16);
    expect([order.length, page.isAsked]).toEqual([1, false]);
  });
});
