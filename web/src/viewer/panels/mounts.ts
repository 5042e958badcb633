// Creates the sections that are not visible initially. This module is loaded after the first
// picture, or earlier if one of its sections is opened.
import { computed } from '@preact/signals-core';
import { avatarPanel } from '../avatar/mount.ts';
import { posesOf } from '../../session/animationRows.ts';
import { modelsIn } from '../../session/library.ts';
import { buttonsOf } from '../buttons.ts';
import { el } from '../dom.ts';
import { download } from '../download.ts';
import { fileGroups, morphedMeshes, morphRows, openFiles, poseRows } from '../facts.ts';
import { InspectPanel } from '../inspect/panel.ts';
import type { Page } from '../page.ts';
import { isDamage } from '../../session/advice.ts';
import { sentenceOf } from '../sentences.ts';
import { deferredEffect } from '../deferred.ts';
import { words } from '../words/index.ts';
import { FilePanel } from './files.ts';
import { EventPanel } from './events.ts';
import type { LazySection, Mounted } from './panel.ts';
import { SliderPanel } from './sliders.ts';
import { RecordingPanel, TrackingPanel } from '../recording/panel.ts';
import { compareBox } from '../recording/compare.ts';
import { handPosesBox } from '../recording/poses.ts';
import { materialControls } from './materials.ts';
import { measureControls } from './measure.ts';
import { ReportPanel } from './report.ts';
import { particleFacts, riggingChecks, rightsFacts, springControls } from './scene.ts';
import { cameraControls, lightControls, orientationControls, overlayChecks, shadingControls } from './view.ts';

export const mounts: Record<LazySection, (page: Page) => Mounted> = {
  files: page => {
    const panel = new FilePanel(buttonsOf(page, 'files'));
    panel.onScroll = () => page.resumeThumbnails();
    const groups = computed(() => fileGroups(page));
    // The library covers the panel.
    deferredEffect(() => page.isLibraryOpen.value || panel.set(groups.value));
    const reveal = (): void => {
      panel.reveal();
      page.resumeThumbnails();
    };
    return { element: panel.element, reveal };
  },
  avatar: page => avatarPanel(page),
  recording: page => {
    const panel = new RecordingPanel(compareBox(page));
    panel.onTrails = trails => page.dispatch({ type: 'set-view', settings: { trails } });
    panel.onCamera = on => page.viewport.cameraView.lookThrough(on);
    deferredEffect(() => panel.enableCamera(page.recorded.value?.hasCamera ?? false));
    deferredEffect(() => panel.update(page.session.value.viewSettings.trails, page.viewport.cameraView.isThroughCamera.value));
    return { element: panel.element };
  },
  poses: page => {
    const { element, show } = handPosesBox(page);
    return { element, reveal: show };
  },
  events: page => {
    const panel = new EventPanel(time => seek(page, time));
    deferredEffect(() => {
      const events = (page.events.value?.events ?? []).map(({ time, name }) => ({ time, name, detail: '' }));
      panel.set(events, page.played.value?.name ?? '');
    });
    return { element: panel.element };
  },
  tracking: page => {
    const panel = new TrackingPanel(time => seek(page, time));
    deferredEffect(() => {
      if (page.recorded.value) panel.set(page.recorded.value);
    });
    return { element: panel.element };
  },
  shading: page => ({ element: shadingControls(page) }),
  materials: page => ({ element: materialControls(page) }),
  show: page => ({ element: overlayChecks(page) }),
  camera: page => ({ element: cameraControls(page) }),
  light: page => ({ element: lightControls(page) }),
  springs: page => ({ element: springControls(page) }),
  rigging: page => ({ element: riggingChecks(page) }),
  particles: page => ({ element: particleFacts(page) }),
  rights: page => ({ element: rightsFacts(page) }),
  orientation: page => ({ element: orientationControls(page) }),
  morphs: page => {
    const panel = new SliderPanel({ search: words.searchMorphs, first: words.firstMorphs });
    panel.onChange = () => page.viewport.view.invalidate();
    deferredEffect(() => panel.set(page.shownModel.value ? morphRows(morphedMeshes(page.shownModel.value)) : []));
    deferredEffect(() => {
      void page.poseVersion.value;
      panel.update();
    });
    return { element: panel.element };
  },
  blends: page => {
    const panel = new SliderPanel({ search: words.searchPoses, first: words.firstPoses });
    panel.onChange = () => {
      page.viewport.solve();
      page.poseVersion.value++;
    };
    deferredEffect(() => panel.set(page.shownModel.value ? poseRows(page.shownModel.value, posesOf(page.session.value)) : []));
    deferredEffect(() => {
      void page.poseVersion.value;
      panel.update();
    });
    return { element: panel.element };
  },
  inspect: page => {
    const panel = new InspectPanel();
    const { overlays } = page.viewport;
    panel.onShown = () => page.viewport.view.invalidate();
    panel.onChoose = object => overlays.choose(object);
    panel.onAssignTexture = (place, slot, image) => page.assignTexture(place, slot, image);
    panel.attachableTo = bone => ({
      entries: modelsIn(page.session.peek().library).filter(({ input }) => input !== page.shownModel.peek()?.input),
      attached: page.attached.peek().find(each => each.bone === bone)?.entry ?? null,
    });
    panel.onAttach = (bone, entry) => void page.attach(bone, entry);
    const files = computed(() => openFiles(page));
    deferredEffect(() => panel.set(page.shownModel.value, page.secondaryModels.value, files.value));
    deferredEffect(() => {
      if (overlays.chosen.value) panel.showObject(overlays.chosen.value);
    });
    deferredEffect(() => {
      const { value } = page.byteSelection;
      if (value) void panel.showByte(value.file, value.offset);
    });
    deferredEffect(() => {
      void page.poseVersion.value;
      if (panel.element.checkVisibility()) panel.update();
    });
    return { element: panel.element };
  },
  measure: page => ({ element: measureControls(page) }),
  report: page => {
    const panel = new ReportPanel(code => page.meanings.peek().get(code) ?? '', saveReport(page));
    panel.onByte = (file, offset) => page.showByte(file, offset);
    deferredEffect(() => {
      const meanings = page.meanings.value;
      panel.set(
        page.sections.value,
        page.advice.value.map(advice => ({ sentence: sentenceOf(advice, meanings), isDamage: isDamage(advice) })),
      );
    });
    return { element: panel.element };
  },
};

function seek({ playback }: Page, time: number): void {
  playback.pause();
  playback.seek(time);
}

/** Creates the buttons that save the report as text or JSON. */
function saveReport(page: Page): HTMLElement[] {
  const save = async (isJson: boolean): Promise<void> => {
    const { reportJson, reportText } = await import('../reporting.ts');
    const sections = page.sections.peek();
    const text = isJson ? reportJson(sections) : reportText(sections, page.meanings.peek());
    const name = sections[0]?.name ?? 'rigcast';
    download(`${name}-report.${isJson ? 'json' : 'txt'}`, new Blob([text], { type: isJson ? 'application/json' : 'text/plain' }));
  };
  return [false, true].map(isJson =>
    el('button', { type: 'button', class: 'button', onclick: () => void save(isJson) }, isJson ? words.saveJson : words.saveText),
  );
}
