// The panels of the side, in their order. Another panel is a file, and a row here.
import { computed, effect } from '@preact/signals-core';
import { mergeReports } from '../../core/report.ts';
import { modelsIn } from '../../player/library.ts';
import { clipsOf, lengthOf, suitIn, titleOf } from '../../player/session.ts';
import { partsOf } from '../../stage/index.ts';
import { nameOf, wholeOf } from '../../player/model.ts';
import { buttonsOf } from '../buttons.ts';
import { count, el, type IconName } from '../dom.ts';
import { download } from '../download.ts';
import { fileGroups, morphedMeshes, morphRows } from '../facts.ts';
import type { Page } from '../page.ts';
import { fitOf, sentenceOf } from '../say.ts';
import { type Words, words } from '../words/index.ts';
import { ClipPanel } from './clips.ts';
import { layerBox } from './layers.ts';
import { FilePanel } from './files.ts';
import { NotePanel } from './moments.ts';
import { MorphPanel } from './morphs.ts';
import { PartPanel } from './parts.ts';
import { RecordingPanel } from './recording.ts';
import { ReportPanel, worstOf } from './report.ts';
import { ScenePanel } from './scene.ts';
import { viewPanel } from './view.ts';

export type PanelId = keyof Words['panels'];

export interface Badge {
  text: string;
  /** A class of its own, for what it means. */
  kind?: string;
  /** Where the text alone does not say it. */
  label?: string;
}

export interface Panel {
  id: PanelId;
  /** Stands for its title where tabs are many. */
  icon: IconName;
  /** Whether there is anything in it now. */
  when: (page: Page) => boolean;
  badge: (page: Page) => Badge | null;
  /** Makes it, and keeps it true from then on. `reveal`: it is looked at now. */
  mount: (page: Page) => { element: HTMLElement; reveal?: () => void };
}

const number = (value: number): Badge | null => (value > 0 ? { text: count(value) } : null);

const files: Panel = {
  id: 'files',
  icon: 'folder',
  when: ({ session }) => session.value.library.length > 0,
  badge: ({ session }) => {
    const models = modelsIn(session.value.library).length;
    return models > 1 ? { text: count(models) } : null;
  },
  mount: page => {
    const panel = new FilePanel(buttonsOf(page, 'files'));
    const groups = computed(() => fileGroups(page));
    effect(() => panel.set(groups.value));
    const reveal = (): void => {
      panel.reveal();
      page.wakeThumbnails();
    };
    return { element: panel.element, reveal };
  },
};

const recording: Panel = {
  id: 'recording',
  icon: 'play',
  when: ({ recorded }) => recorded.value !== null,
  badge: () => null,
  mount: page => {
    const panel = new RecordingPanel();
    panel.onSeek = time => {
      page.playback.pause();
      page.playback.seek(time);
    };
    panel.onTrails = trails => page.dispatch({ type: 'look', look: { trails } });
    panel.onCamera = on => page.scenery.lookThrough(on);
    effect(() => {
      if (page.recorded.value) panel.set(page.recorded.value);
    });
    effect(() => panel.update(page.session.value.look.trails, page.scenery.isThrough.value));
    return { element: panel.element };
  },
};

const motions: Panel = {
  id: 'motions',
  icon: 'play',
  when: () => true,
  badge: ({ rows }) => number(rows.value.filter(({ indices }) => indices.length === 1).length),
  mount: page => {
    const panel = new ClipPanel(layerBox(page));
    panel.onPick = row => page.select(row);
    page.neighbour = step => panel.next(step);
    const selected = computed(() => page.session.value.selected);
    effect(() => {
      panel.set(
        page.rows.value.map(row => {
          const clips = clipsOf(row);
          const { frameRate, frameCount } = clips.length === 1 ? clips[0]! : { frameRate: 0, frameCount: 0 };
          return {
            name: titleOf(row),
            duration: lengthOf(row),
            frameRate,
            frameCount,
            source: row.source.given.file.name,
            ...fitOf(suitIn(page.session.peek(), row.source)),
          };
        }),
        selected.peek(),
      );
    });
    effect(() => panel.select(selected.value));
    return { element: panel.element, reveal: () => panel.reveal() };
  },
};

const notes: Panel = {
  id: 'notes',
  icon: 'note',
  when: ({ marks, recorded }) => marks.value !== null && recorded.value === null,
  badge: ({ marks }) => number(marks.value?.markers.length ?? 0),
  mount: page => {
    const panel = new NotePanel(time => {
      page.playback.pause();
      page.playback.seek(time);
    });
    effect(() => {
      const moments = (page.recorded.value ? [] : (page.marks.value?.markers ?? [])).map(({ time, name }) => ({ time, name, detail: '' }));
      panel.set(moments, page.played.value?.name ?? '');
    });
    return { element: panel.element };
  },
};

const scene: Panel = {
  id: 'scene',
  icon: 'sun',
  when: ({ scene: facts }) => facts.value !== null,
  badge: () => null,
  mount: page => {
    const panel = new ScenePanel();
    panel.onSprings = on => page.scenery.swing(on);
    panel.onRest = () => page.scenery.settle();
    panel.onLook = (look, on) => page.scenery.showLook(look, on);
    // What is solved is solved anew.
    panel.onRigging = () => page.playback.seek(page.playback.time);
    panel.onLink = address => page.askLink(address);
    panel.onChange = () => {
      page.moved.value++;
      page.scenery.view.invalidate();
    };
    effect(() => {
      const facts = page.scene.value;
      if (facts) panel.set(facts, page.actor.peek()?.rig.springs?.isOn ?? true);
    });
    return { element: panel.element };
  },
};

const view: Panel = {
  id: 'view',
  icon: 'eye',
  when: ({ actor }) => actor.value !== null,
  badge: () => null,
  mount: page => ({ element: viewPanel(page) }),
};

const morphs: Panel = {
  id: 'morphs',
  icon: 'face',
  when: ({ recorded }) => recorded.value === null,
  badge: ({ actor }) =>
    number(new Set(actor.value && morphedMeshes(actor.value).flatMap(mesh => Object.keys(mesh.morphTargetDictionary ?? {}))).size),
  mount: page => {
    const panel = new MorphPanel();
    panel.onChange = () => page.scenery.view.invalidate();
    effect(() => panel.set(page.actor.value ? morphRows(morphedMeshes(page.actor.value)) : []));
    effect(() => {
      void page.moved.value;
      panel.update();
    });
    return { element: panel.element };
  },
};

const parts: Panel = {
  id: 'parts',
  icon: 'wire',
  when: ({ recorded }) => recorded.value === null,
  badge: () => null,
  mount: page => {
    const panel = new PartPanel();
    panel.onChange = () => page.scenery.view.invalidate();
    effect(() => panel.set(page.actor.value ? wholeOf(page.actor.value).flatMap(({ rig }) => partsOf(rig.scene, nameOf)) : []));
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

const report: Panel = {
  id: 'report',
  icon: 'info',
  when: () => true,
  badge: page => {
    const reports = page.sections.value.map(section => section.report);
    const worst = worstOf(reports);
    if (worst === 'ok' || worst === 'info') return null;
    const { errors, warnings } = mergeReports(...reports);
    const found = worst === 'error' ? errors : warnings;
    return { text: count(found), kind: worst, label: worst === 'error' ? words.errors(found) : words.warnings(found) };
  },
  mount: page => {
    const panel = new ReportPanel(code => page.meanings.peek().get(code) ?? '', saveReport(page));
    effect(() => {
      const meanings = page.meanings.value;
      panel.set(
        page.sections.value,
        page.advice.value.map(advice => sentenceOf(advice, meanings)),
      );
    });
    return { element: panel.element };
  },
};

export const panels: readonly Panel[] = [files, recording, motions, notes, view, scene, morphs, parts, report];
