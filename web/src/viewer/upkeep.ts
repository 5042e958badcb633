// What follows from the session without anybody asking: the report, the timeline, and how the stage looks.
import { computed, effect, type ReadonlySignal } from '@preact/signals-core';
import type { PlayedMotion } from '../player/motion.ts';
import { clipsOf, type Session } from '../player/session.ts';
import { modelSections, playedSections, sourceSections } from './facts.ts';
import type { Page } from './page.ts';
import type { RecordingFacts } from './panels/recording.ts';
import type { ReportSection } from './panels/report.ts';
import type { Transport } from './transport.ts';

/** Files with their findings. What has not changed is not made again, as large files have many. */
export function sectionsOf(page: Page): ReadonlySignal<readonly ReportSection[]> {
  const sources = computed(() => page.session.value.sources);
  const ofModel = computed(() => (page.actor.value ? modelSections(page.actor.value, page.scenery) : []));
  const ofSources = computed(() => sourceSections(sources.value, page.actor.value));
  return computed(() => [
    ...ofModel.value,
    ...playedSections(page.played.value, page.rows.value[page.session.value.selected]),
    ...ofSources.value,
  ]);
}

export function keepTransport(page: Page, transport: Transport): void {
  transport.onLockRoot = isLocked => page.lockRoot(isLocked);
  transport.onReading = reading => page.read(reading);
  effect(() => {
    const { reading, isRootLocked } = page.session.value;
    transport.showReadings(page.rows.value.length > 0 && page.recorded.value === null, reading);
    transport.showLock(isRootLocked);
  });
  effect(() => transport.showCourse(page.recorded.value ?? eventsOf(page, page.played.value)));
}

/** What happens in a motion, at its time. */
function eventsOf({ rows, session }: Page, played: PlayedMotion | null): RecordingFacts | null {
  const row = rows.value[session.value.selected];
  const markers =
    row && played
      ? clipsOf(row)
          .flatMap(({ events }) => events)
          .toSorted((a, b) => a.time - b.time)
      : [];
  return markers.length > 0 ? { duration: played!.duration, hands: [], markers, hasCamera: false } : null;
}

/** The stage looks as the session says. */
export function keepLook({ root, session, actor, scenery }: Page): void {
  const look = <Key extends keyof Session['look']>(key: Key): ReadonlySignal<boolean> => computed(() => session.value.look[key]);
  const [bones, wire, grid, trails] = [look('bones'), look('wire'), look('grid'), look('trails')];
  effect(() => {
    root.classList.toggle('empty', actor.value === null);
    scenery.showBones(bones.value);
  });
  effect(() => {
    if (actor.value) scenery.showWire(wire.value);
  });
  effect(() => scenery.showGrid(grid.value));
  effect(() => scenery.showTrails(trails.value));
}
