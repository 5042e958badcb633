// How panels are mounted that nobody sees at once. Fetched after the first picture, or when one is opened.
import { computed } from '@preact/signals-core';
import { avatarPanel } from '../avatar/mount.ts';
import { modelsIn } from '../../session/library.ts';
import { buttonsOf } from '../buttons.ts';
import { el } from '../dom.ts';
import { download } from '../download.ts';
import { fileGroups, morphedMeshes, morphRows, openFiles } from '../facts.ts';
import { InspectPanel } from '../inspect/panel.ts';
import type { Page } from '../page.ts';
import { isDamage } from '../../session/advice.ts';
import { sentenceOf } from '../say.ts';
import { effectSoon } from '../soon.ts';
import { words } from '../words/index.ts';
import { FilePanel } from './files.ts';
import { NotePanel } from './moments.ts';
import { MorphPanel } from './morphs.ts';
import type { Later, Mounted } from './panel.ts';
import { RecordingPanel } from '../recording/panel.ts';
import { checkOf } from '../buttons.ts';
import { compareBox } from '../recording/compare.ts';
import { posesBox } from '../recording/poses.ts';
import { ReportPanel } from './report.ts';
import { ScenePanel } from './scene.ts';
import { viewPanel } from './view.ts';

export const mounts: Record<Later, (page: Page) => Mounted> = {
  files: page => {
    const panel = new FilePanel(buttonsOf(page, 'files'));
    panel.onScroll = () => page.wakeThumbnails();
    const groups = computed(() => fileGroups(page));
    effectSoon(() => panel.set(groups.value));
    const reveal = (): void => {
      panel.reveal();
      page.wakeThumbnails();
    };
    return { element: panel.element, reveal };
  },
  avatar: page => avatarPanel(page),
  recording: page => {
    const poses = posesBox(page);
    const panel = new RecordingPanel(checkOf(page, 'names'), checkOf(page, 'axes'), poses.element, compareBox(page));
    panel.onSeek = time => {
      page.playback.pause();
      page.playback.seek(time);
    };
    panel.onTrails = trails => page.dispatch({ type: 'set-view', settings: { trails } });
    panel.onCamera = on => page.scenery.eye.lookThrough(on);
    effectSoon(() => {
      if (page.recorded.value) panel.set(page.recorded.value);
    });
    effectSoon(() => panel.update(page.session.value.viewSettings.trails, page.scenery.eye.isThrough.value));
    return { element: panel.element, reveal: poses.show };
  },
  notes: page => {
    const panel = new NotePanel(time => {
      page.playback.pause();
      page.playback.seek(time);
    });
    effectSoon(() => {
      const moments = (page.recorded.value ? [] : (page.marks.value?.markers ?? [])).map(({ time, name }) => ({ time, name, detail: '' }));
      panel.set(moments, page.played.value?.name ?? '');
    });
    return { element: panel.element };
  },
  scene: page => {
    const panel = new ScenePanel();
    panel.onSprings = on => page.scenery.swing(on);
    panel.onRules = rules => {
      const springs = page.actor.peek()?.rig.springs;
      if (springs) springs.rules = rules;
      page.scenery.view.invalidate();
    };
    panel.onRest = () => page.scenery.settle();
    panel.onLook = (look, on) => page.scenery.appearance.showLook(look, on);
    panel.onRigging = () => page.scenery.solve();
    panel.onLink = address => page.askLink(address);
    effectSoon(() => {
      const facts = page.scene.value;
      if (facts) panel.set(facts, page.actor.peek()?.rig.springs ?? null);
    });
    return { element: panel.element };
  },
  view: page => ({ element: viewPanel(page) }),
  morphs: page => {
    const panel = new MorphPanel();
    panel.onChange = () => page.scenery.view.invalidate();
    effectSoon(() => panel.set(page.actor.value ? morphRows(morphedMeshes(page.actor.value)) : []));
    effectSoon(() => {
      void page.moved.value;
      panel.update();
    });
    return { element: panel.element };
  },
  inspect: page => {
    const panel = new InspectPanel();
    const { overlays } = page.scenery;
    panel.onShown = () => page.scenery.view.invalidate();
    panel.onChoose = object => overlays.choose(object);
    panel.onSeek = time => {
      page.playback.pause();
      page.playback.seek(time);
    };
    panel.onWear = (place, slot, image) => page.wear(place, slot, image);
    panel.hangable = bone => ({
      entries: modelsIn(page.session.peek().library).filter(({ given }) => given !== page.actor.peek()?.given),
      held: page.held.peek().find(held => held.bone === bone)?.entry ?? null,
    });
    panel.onHang = (bone, entry) => void page.hang(bone, entry);
    panel.playing = () => page.playback;
    panel.curvesOf = object => {
      const row = page.actor.peek()?.rig.nodes.indexOf(object) ?? -1;
      const tracks = page.played.peek()?.motions.flatMap(({ bound }) => [...(bound?.tracks ?? [])]) ?? [];
      return row < 0 ? [] : tracks.filter(({ node }) => node === row);
    };
    const files = computed(() => openFiles(page));
    effectSoon(() => panel.set(page.actor.value, page.guests.value, files.value));
    effectSoon(() => {
      if (overlays.chosen.value) panel.showObject(overlays.chosen.value);
    });
    effectSoon(() => {
      void page.played.value;
      panel.replay();
    });
    effectSoon(() => {
      const { value } = page.looked;
      if (value) void panel.showByte(value.file, value.offset);
    });
    effectSoon(() => {
      void page.moved.value;
      if (panel.element.checkVisibility()) panel.update();
    });
    return { element: panel.element };
  },
  report: page => {
    const panel = new ReportPanel(code => page.meanings.peek().get(code) ?? '', saveReport(page));
    panel.onByte = (file, offset) => page.lookAtByte(file, offset);
    effectSoon(() => {
      const meanings = page.meanings.value;
      panel.set(
        page.sections.value,
        page.advice.value.map(advice => ({ sentence: sentenceOf(advice, meanings), isDamage: isDamage(advice) })),
      );
    });
    return { element: panel.element };
  },
};

/** The report as a file: for people, and for programs. */
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
