// Effects that keep report, timeline, playback and viewport in sync with the session.
import { computed, effect, type ReadonlySignal, type Signal } from '@preact/signals-core';
import { BoneSampler } from '../session/boneSampler.ts';
import { bindOptionsOf } from '../session/clipAction.ts';
import { Refusal } from '../session/problem.ts';
import { clipsOf, isLooped, relevantSources } from '../session/animationRows.ts';
import type { OpenedFile } from '../session/openedFile.ts';
import type { ViewSettings } from '../session/viewSettings.ts';
import type { ViewMode } from '../view/index.ts';
import { EnvironmentSky } from './environmentSky.ts';
import { valuesFor } from '../session/materialValues.ts';
import { wholeCharacter } from '../session/model.ts';
import { keepAssignments } from './keptAssignments.ts';
import { keepValues } from './keptValues.ts';
import { keepBoneMaps } from './keptBoneMaps.ts';
import { keepRecent } from './recent.ts';
import { secondarySections, modelSections, playedSections, sourceSections } from './facts.ts';
import type { Page } from './page.ts';
import type { RecordingFacts } from './recording/panel.ts';
import type { ReportSection } from './panels/report.ts';

/**
 * Returns the sections of the report. Sections that have not changed are reused, because large
 * files have many findings.
 */
export function reportSectionsOf(
  page: Pick<Page, 'session' | 'shownModel' | 'secondaryModels' | 'played' | 'rows' | 'viewport'>,
): ReadonlySignal<readonly ReportSection[]> {
  let known: readonly OpenedFile[] = [];
  const sources = computed(() => {
    const all = relevantSources(page.session.value);
    if (all.length !== known.length || all.some((source, at) => source !== known[at])) known = all;
    return known;
  });
  const ofModel = computed(() => (page.shownModel.value ? modelSections(page.shownModel.value, page.viewport) : []));
  const ofSecondary = computed(() => secondarySections(page.secondaryModels.value));
  const ofSources = computed(() => sourceSections(sources.value, page.shownModel.value));
  return computed(() => [
    ...ofModel.value,
    ...ofSecondary.value,
    ...playedSections(page.played.value, page.rows.value[page.session.value.selected]),
    ...ofSources.value,
  ]);
}

/** Returns the animation events of the current clip, or the events and hands of a recording. */
export function timelineEventsOf({ recorded, played }: Pick<Page, 'recorded' | 'played'>): ReadonlySignal<RecordingFacts | null> {
  return computed(() => {
    const { value } = played;
    if (recorded.value || !value || value.events.length === 0) return recorded.value;
    return { duration: value.duration, hands: [], events: [...value.events], hasCamera: false };
  });
}

/** Frame rate of animations that do not declare one. */
const FRAME_RATE = 30;

/** Applies the playback settings of the session: loop, top layer, ghost and onion skins. */
export function syncPlayback({ session, shownModel, played, recorded, playback, viewport }: Page, isTopAdditive: Signal<boolean>): void {
  const looping = computed(() => session.value.loopMode);
  const top = computed(() => session.value.overlay);
  const ghost = computed(() => session.value.ghost);
  const animationMode = computed(() => session.value.animationMode);
  const isRootLocked = computed(() => session.value.isRootLocked);
  effect(() => {
    const action = played.value;
    playback.loop = isLooped(looping.value, action, recorded.value !== null);
  });
  effect(() => {
    const [model, action] = [shownModel.value, played.value];
    isTopAdditive.value = model && action && (top.value || action.hasOverlay) ? action.setOverlay(model, top.value) : false;
    viewport.view.invalidate();
  });
  effect(() => {
    const [model, row] = [shownModel.value, ghost.value];
    const options = bindOptionsOf(animationMode.value, isRootLocked.value);
    viewport.overlays.showGhost(model && row ? new BoneSampler(model, clipsOf(row), options) : null);
  });
  const [onionSkins, onionStep] = [
    computed(() => session.value.viewSettings.onionSkins),
    computed(() => session.value.viewSettings.onionStep),
  ];
  effect(() => {
    const [model, action] = [shownModel.value, played.value];
    const step = onionStep.value / (action?.frameRate || FRAME_RATE);
    const offsets = Array.from({ length: onionSkins.value }, (_, i) => (i + 1) * step).flatMap(offset => [-offset, offset]);
    viewport.overlays.showOnionSkins(model && action && offsets.length > 0 ? action.createBoneSampler(model) : null, offsets);
  });
  effect(() => {
    void played.value;
    void viewport.overlays.bone.value;
    viewport.overlays.showTrail(null);
  });
}

/** Stores the names of opened files for the next visit. */
export function syncRecentNames({ session }: Page): void {
  const name = computed(() => (session.value.demo === null ? (session.value.shown?.input.file.name ?? '') : ''));
  effect(() => {
    if (name.value) keepRecent(name.value);
  });
}

/** Keeps the images that the visitor has assigned to materials for the next visit. */
export function syncAssignments({ session }: Page): void {
  const assignments = computed(() => session.value.imageAssignments);
  effect(() => keepAssignments(assignments.value));
}

/** Draws the values of materials that the visitor has set, and keeps them for the next visit. */
export function syncMaterialValues({ session, shownModel, viewport }: Page): void {
  const all = computed(() => session.value.materialValues);
  effect(() => keepValues(all.value));
  effect(() => {
    for (const { rig, input } of shownModel.value ? wholeCharacter(shownModel.value) : [])
      rig.materialValues = valuesFor(all.value, input.path);
    viewport.appearance.updateMaterials();
  });
}

/** Keeps the bone maps for the next visit. */
export function syncBoneMaps({ session }: Page): void {
  const boneMaps = computed(() => session.value.boneMaps);
  effect(() => keepBoneMaps(boneMaps.value));
}

/** Applies the view settings of the session to the viewport. */
export function syncViewSettings({ root, session, shownModel, secondaryModels, viewport, refusal, demoError, dispatch }: Page): void {
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
  const [background, environment] = [setting('background'), setting('environment')];
  const placement = computed(() => session.value.placement);
  effect(() => {
    if (shownModel.value) viewport.place(placement.value);
  });
  effect(() => {
    viewport.overlays.secondaryModels = secondaryModels.value.map(({ model }) => model);
  });
  let hasBegun = false; // true once the first model was shown or could not be opened
  effect(() => {
    const isEmpty = shownModel.value === null;
    hasBegun ||= !isEmpty || refusal.value !== null || demoError.value !== '';
    // If nothing is open, the welcome card fills the page.
    root.classList.toggle('nothing-open', hasBegun && isEmpty && session.value.library.length === 0);
  });
  effect(() => {
    root.classList.toggle('empty', shownModel.value === null);
    viewport.overlays.showBones(bones.value);
  });
  effect(() => {
    void shownModel.value;
    void viewport.overlays.bone.value;
    viewport.appearance.showMode(mode.value as ViewMode);
  });
  effect(() => {
    // Only the vertex colour mode shows layers other than the first.
    if (mode.value !== 'colors') viewport.appearance.showColorLayer(0);
  });
  effect(() => viewport.appearance.showWire(wire.value));
  effect(() => {
    void shownModel.value;
    void placement.value;
    viewport.overlays.showBounds(bounds.value);
    viewport.overlays.showRigging(rigging.value);
  });
  effect(() => {
    void shownModel.value;
    viewport.overlays.showAxes(axes.value);
    viewport.overlays.showSockets(sockets.value);
    viewport.overlays.showNames(names.value, sockets.value);
  });
  effect(() => viewport.appearance.showFlat(flat.value));
  effect(() => {
    viewport.view.cameraRig.fieldOfView = fieldOfView.value;
  });
  effect(() => viewport.appearance.setLight(exposure.value, lightTurn.value));
  effect(() => {
    root.dataset['background'] = background.value;
  });
  const environmentSky = new EnvironmentSky(viewport);
  effect(() => {
    const [wanted, isSeen] = [environment.value, background.value === 'environment'];
    environmentSky.show(wanted, isSeen).catch((error: unknown) => {
      refusal.value = new Refusal({ code: 'failed', message: error instanceof Error ? error.message : String(error) });
      dispatch({ type: 'set-view', settings: { environment: 'room' } });
    });
  });
  effect(() => viewport.appearance.showGrid(grid.value));
  effect(() => viewport.showTrails(trails.value));
}

/** The library, which is loaded when it is opened first. */
interface LazyLibrary {
  readonly element: HTMLElement;
  open(): void;
}

/**
 * Shows and hides the library. While it is open, the viewport is not drawn, and the parts of the
 * page behind the library can't have the focus.
 */
export function syncLibrary(page: Page, load: () => Promise<LazyLibrary>): void {
  const { root, isLibraryOpen, viewport } = page;
  let library: LazyLibrary | null = null;
  let loading: Promise<void> | null = null;
  const show = (isOpen: boolean): void => {
    const hadFocus = library?.element.contains(document.activeElement) ?? false;
    root.classList.toggle('browsing', isOpen);
    if (library) library.element.hidden = !isOpen;
    for (const part of root.querySelectorAll<HTMLElement>(':scope > :is(main, aside, .hint, .transport, .drawer)')) part.inert = isOpen;
    viewport.view.isVisible = !isOpen;
    if (isOpen) library?.open();
    else if (hadFocus) viewport.sharedRenderer.canvas.focus({ preventScroll: true });
  };
  effect(() => {
    const isOpen = isLibraryOpen.value;
    if (library || !isOpen) return show(isOpen);
    loading ??= load().then(
      loaded => {
        library = loaded;
        root.append(loaded.element);
        show(isLibraryOpen.peek());
      },
      () => {
        loading = null;
        isLibraryOpen.value = false;
      },
    );
  });
  // An error card is in the viewport.
  effect(() => {
    if (page.refusal.value !== null || page.session.value.library.length < 2) isLibraryOpen.value = false;
  });
}
