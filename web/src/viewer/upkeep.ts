// What follows from the session without anybody asking: the report, the timeline, and how the stage looks.
import { computed, effect, type ReadonlySignal, type Signal } from '@preact/signals-core';
import { BoneSampler } from '../session/boneSampler.ts';
import { bindOptionsOf } from '../session/clipAction.ts';
import { Refusal } from '../session/problem.ts';
import { clipsOf, isLooped } from '../session/animationRows.ts';
import type { ViewSettings } from '../session/viewSettings.ts';
import type { ViewMode } from '../view/index.ts';
import { Around } from './around.ts';
import { keepRecent } from './recent.ts';
import { guestSections, modelSections, playedSections, sourceSections } from './facts.ts';
import type { Page } from './page.ts';
import type { RecordingFacts } from './recording/panel.ts';
import type { ReportSection } from './panels/report.ts';

/** Files with their findings. What has not changed is not made again, as large files have many. */
export function sectionsOf(
  page: Pick<Page, 'session' | 'actor' | 'guests' | 'played' | 'rows' | 'scenery'>,
): ReadonlySignal<readonly ReportSection[]> {
  const sources = computed(() => page.session.value.animationFiles);
  const ofModel = computed(() => (page.actor.value ? modelSections(page.actor.value, page.scenery) : []));
  const ofGuests = computed(() => guestSections(page.guests.value));
  const ofSources = computed(() => sourceSections(sources.value, page.actor.value));
  return computed(() => [
    ...ofModel.value,
    ...ofGuests.value,
    ...playedSections(page.played.value, page.rows.value[page.session.value.selected]),
    ...ofSources.value,
  ]);
}

/** What happens in what plays, at its time: a recording's marks and hands, a motion's notes. */
export function marksOf({ recorded, played }: Pick<Page, 'recorded' | 'played'>): ReadonlySignal<RecordingFacts | null> {
  return computed(() => {
    const { value } = played;
    if (recorded.value || !value || value.events.length === 0) return recorded.value;
    return { duration: value.duration, hands: [], markers: [...value.events], hasCamera: false };
  });
}

/** The clock goes as the session says; what else plays or is compared with follows. */
export function keepPlaying({ session, actor, played, recorded, playback, scenery }: Page, isTopAdded: Signal<boolean>): void {
  const looping = computed(() => session.value.loopMode);
  const top = computed(() => session.value.overlay);
  const ghost = computed(() => session.value.ghost);
  const reading = computed(() => session.value.animationMode);
  const isRootLocked = computed(() => session.value.isRootLocked);
  effect(() => {
    const motion = played.value;
    playback.loop = isLooped(looping.value, motion, recorded.value !== null);
  });
  effect(() => {
    const [model, motion] = [actor.value, played.value];
    isTopAdded.value = model && motion && (top.value || motion.hasOverlay) ? motion.setOverlay(model, top.value) : false;
    scenery.view.invalidate();
  });
  effect(() => {
    const [model, row] = [actor.value, ghost.value];
    const options = bindOptionsOf(reading.value, isRootLocked.value);
    scenery.overlays.showGhost(model && row ? new BoneSampler(model, clipsOf(row), options) : null);
  });
  effect(() => {
    void played.value;
    void scenery.overlays.bone.value;
    scenery.overlays.showTrail(null);
  });
}

/** Names of what visitors open are kept for the next time. */
export function keepNames({ session }: Page): void {
  const name = computed(() => (session.value.demo === null ? (session.value.shown?.given.file.name ?? '') : ''));
  effect(() => {
    if (name.value) keepRecent(name.value);
  });
}

/** The stage looks as the session says. */
export function keepLook({ root, session, actor, guests, scenery, trouble, noDemo, dispatch }: Page): void {
  const setting = <Key extends keyof ViewSettings>(key: Key): ReadonlySignal<ViewSettings[Key]> =>
    computed(() => session.value.viewSettings[key]);
  const [bones, wire, grid, trails, bounds] = [
    setting('bones'),
    setting('wireframe'),
    setting('grid'),
    setting('trails'),
    setting('bounds'),
  ];
  const [mode, rigging, flat, fieldOfView] = [setting('mode'), setting('rigging'), setting('isOrthographic'), setting('fieldOfView')];
  const [names, axes, sockets] = [setting('boneNames'), setting('axes'), setting('sockets')];
  const [exposure, lightTurn] = [setting('exposure'), setting('lightRotation')];
  const [background, surroundings] = [setting('background'), setting('environment')];
  const placement = computed(() => session.value.placement);
  effect(() => {
    if (actor.value) scenery.place(placement.value);
  });
  effect(() => {
    scenery.overlays.guests = guests.value.map(({ model }) => model);
  });
  let hasBegun = false; // until then the first model is on its way
  effect(() => {
    const isEmpty = actor.value === null;
    hasBegun ||= !isEmpty || trouble.value !== null || noDemo.value !== '';
    // Where nothing is open the start has the page to itself.
    root.classList.toggle('blank', hasBegun && isEmpty && session.value.library.length === 0);
  });
  effect(() => {
    root.classList.toggle('empty', actor.value === null);
    scenery.overlays.showBones(bones.value);
  });
  effect(() => {
    void actor.value;
    void scenery.overlays.bone.value;
    scenery.appearance.showMode(mode.value as ViewMode);
  });
  effect(() => {
    // Layers of vertex colours are looked at in their own mode; else the model wears its first one.
    if (mode.value !== 'colors') scenery.appearance.showColorLayer(0);
  });
  effect(() => scenery.appearance.showWire(wire.value));
  effect(() => {
    void actor.value;
    void placement.value;
    scenery.overlays.showBounds(bounds.value);
    scenery.overlays.showRigging(rigging.value);
  });
  effect(() => {
    void actor.value;
    scenery.overlays.showAxes(axes.value);
    scenery.overlays.showSockets(sockets.value);
    scenery.overlays.showNames(names.value, sockets.value);
  });
  effect(() => scenery.appearance.showFlat(flat.value));
  effect(() => {
    scenery.view.cameraRig.fieldOfView = fieldOfView.value;
  });
  effect(() => scenery.appearance.shine(exposure.value, lightTurn.value));
  effect(() => {
    root.dataset['background'] = background.value;
  });
  const around = new Around(scenery);
  effect(() => {
    const [wanted, isSeen] = [surroundings.value, background.value === 'surroundings'];
    around.show(wanted, isSeen).catch((error: unknown) => {
      trouble.value = new Refusal({ code: 'failed', message: error instanceof Error ? error.message : String(error) });
      dispatch({ type: 'set-view', settings: { environment: 'room' } });
    });
  });
  effect(() => scenery.appearance.showGrid(grid.value));
  effect(() => scenery.showTrails(trails.value));
}
