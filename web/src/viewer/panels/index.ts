// Registry of the side panels, in display order. To add a panel, create a file for it, add a row to
// this table and a function to mounts.ts.
import { computed } from '@preact/signals-core';
import { mergeReports } from '../../core/report.ts';
import type { Model } from '../../session/model.ts';
import { clipsOf, durationOf, compatibilityIn, titleOf } from '../../session/animationRows.ts';
import { count } from '../dom.ts';
import { morphedMeshes } from '../facts.ts';
import type { Page } from '../page.ts';
import { fitText, animationCounts } from '../sentences.ts';
import { deferredEffect } from '../deferred.ts';
import { words } from '../words/index.ts';
import { ClipPanel } from './clips.ts';
import { layerBox } from './layers.ts';
import type { Badge, LazyPanel, Mounted, Panel } from './panel.ts';
import { worstOf } from './worst.ts';

const lazy =
  (id: LazyPanel) =>
  async (page: Page): Promise<Mounted> =>
    (await import('./mounts.ts')).mounts[id](page);

const number = (value: number): Badge | null => (value > 0 ? { text: count(value) } : null);

const files: Panel = {
  id: 'files',
  icon: 'folder',
  when: ({ session }) => session.value.library.length > 0,
  badge: ({ session }) => {
    const { length } = session.value.library;
    return length > 1 ? { text: count(length), label: words.fileCount(length) } : null;
  },
  mount: lazy('files'),
};

const recording: Panel = {
  id: 'recording',
  icon: 'play',
  when: ({ recorded }) => recorded.value !== null,
  badge: () => null,
  mount: lazy('recording'),
};

const animations: Panel = {
  id: 'animations',
  icon: 'play',
  when: () => true,
  badge: ({ session }) => {
    const { own, all } = animationCounts(session.value);
    return all > 0 ? { text: count(own), label: words.animationCount(own, all) } : null;
  },
  mount: page => {
    const panel = new ClipPanel(layerBox(page));
    panel.onPick = row => page.select(row);
    page.neighbour = step => panel.next(step);
    const selected = computed(() => page.session.value.selected);
    deferredEffect(() => {
      panel.set(
        page.rows.value.map(row => {
          const clips = clipsOf(row);
          const { frameRate, frameCount, start } = clips.length === 1 ? clips[0]! : { frameRate: 0, frameCount: 0, start: 0 };
          return {
            name: titleOf(row),
            duration: durationOf(row),
            frameRate,
            frameCount: frameCount - Math.round(Math.max(start, 0) * frameRate),
            isOnce: page.recorded.value === null && clips.every(({ loop, duration }) => !loop && duration > 0),
            source: row.source.input.file.name,
            ...fitText(compatibilityIn(page.session.peek(), row.source)),
          };
        }),
        selected.peek(),
      );
    });
    deferredEffect(() => panel.select(selected.value));
    deferredEffect(() => {
      const { value } = page.shownModel;
      const isStiff = value && value.bones.length === 0 && morphedMeshes(value).length === 0;
      panel.advise(!value ? words.noModelText : isStiff ? words.nothingToAnimate : words.noAnimationsText);
    });
    return { element: panel.element, reveal: () => panel.reveal() };
  },
};

const events: Panel = {
  id: 'events',
  icon: 'note',
  when: ({ events, recorded }) => events.value !== null && recorded.value === null,
  badge: ({ events }) => number(events.value?.events.length ?? 0),
  mount: lazy('events'),
};

const scene: Panel = {
  id: 'scene',
  icon: 'sun',
  when: ({ scene: facts }) => facts.value !== null,
  badge: () => null,
  mount: lazy('scene'),
};

const facesOf = (model: Model | null): number => model?.rig.expressions.names.length ?? 0;

const avatar: Panel = {
  id: 'avatar',
  icon: 'face',
  when: ({ recorded, shownModel }) => recorded.value === null && facesOf(shownModel.value) > 0,
  badge: ({ shownModel }) => number(facesOf(shownModel.value)),
  mount: lazy('avatar'),
};

const view: Panel = {
  id: 'view',
  icon: 'eye',
  when: ({ shownModel }) => shownModel.value !== null,
  badge: () => null,
  mount: lazy('view'),
};

const morphs: Panel = {
  id: 'morphs',
  icon: 'morph',
  when: ({ recorded, shownModel }) => recorded.value === null && shownModel.value !== null,
  badge: ({ shownModel }) =>
    number(
      new Set(shownModel.value && morphedMeshes(shownModel.value).flatMap(mesh => Object.keys(mesh.morphTargetDictionary ?? {}))).size,
    ),
  mount: lazy('morphs'),
};

const inspect: Panel = {
  id: 'inspect',
  icon: 'search',
  when: ({ shownModel }) => shownModel.value !== null,
  badge: () => null,
  mount: lazy('inspect'),
};

const report: Panel = {
  id: 'report',
  icon: 'info',
  when: ({ sections, advice }) => sections.value.length + advice.value.length > 0,
  badge: page => {
    const reports = page.sections.value.map(section => section.report);
    const worst = worstOf(reports);
    if (worst === 'ok' || worst === 'info') return null;
    const { errors, warnings } = mergeReports(...reports);
    const found = worst === 'error' ? errors : warnings;
    return { text: count(found), kind: worst, label: worst === 'error' ? words.errors(found) : words.warnings(found) };
  },
  mount: lazy('report'),
};

export const panels: readonly Panel[] = [files, recording, animations, events, avatar, view, scene, morphs, inspect, report];
