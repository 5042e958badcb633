// The panels of the side, in their order. Another panel is a file, a row here, and how it is mounted (mounts.ts).
import { computed } from '@preact/signals-core';
import { mergeReports } from '../../core/report.ts';
import type { Model } from '../../session/model.ts';
import { clipsOf, durationOf, compatibilityIn, titleOf } from '../../session/animationRows.ts';
import { count } from '../dom.ts';
import { morphedMeshes } from '../facts.ts';
import type { Page } from '../page.ts';
import { fitOf, motionCounts } from '../say.ts';
import { effectSoon } from '../soon.ts';
import { words } from '../words/index.ts';
import { ClipPanel } from './clips.ts';
import { layerBox } from './layers.ts';
import type { Badge, Later, Mounted, Panel } from './panel.ts';
import { worstOf } from './worst.ts';

const later =
  (id: Later) =>
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
  mount: later('files'),
};

const recording: Panel = {
  id: 'recording',
  icon: 'play',
  when: ({ recorded }) => recorded.value !== null,
  badge: () => null,
  mount: later('recording'),
};

const motions: Panel = {
  id: 'motions',
  icon: 'play',
  when: () => true,
  badge: ({ session }) => {
    const { own, all } = motionCounts(session.value);
    return all > 0 ? { text: count(own), label: words.motionCount(own, all) } : null;
  },
  mount: page => {
    const panel = new ClipPanel(layerBox(page));
    panel.onPick = row => page.select(row);
    page.neighbour = step => panel.next(step);
    const selected = computed(() => page.session.value.selected);
    effectSoon(() => {
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
            source: row.source.given.file.name,
            ...fitOf(compatibilityIn(page.session.peek(), row.source)),
          };
        }),
        selected.peek(),
      );
    });
    effectSoon(() => panel.select(selected.value));
    effectSoon(() => {
      const { value } = page.actor;
      const isStiff = value && value.bones.length === 0 && morphedMeshes(value).length === 0;
      panel.advise(!value ? words.noModelText : isStiff ? words.nothingToMove : words.noMotionsText);
    });
    return { element: panel.element, reveal: () => panel.reveal() };
  },
};

const notes: Panel = {
  id: 'notes',
  icon: 'note',
  when: ({ marks, recorded }) => marks.value !== null && recorded.value === null,
  badge: ({ marks }) => number(marks.value?.markers.length ?? 0),
  mount: later('notes'),
};

const scene: Panel = {
  id: 'scene',
  icon: 'sun',
  when: ({ scene: facts }) => facts.value !== null,
  badge: () => null,
  mount: later('scene'),
};

const facesOf = (model: Model | null): number => model?.rig.expressions.names.length ?? 0;

const avatar: Panel = {
  id: 'avatar',
  icon: 'face',
  when: ({ recorded, actor }) => recorded.value === null && facesOf(actor.value) > 0,
  badge: ({ actor }) => number(facesOf(actor.value)),
  mount: later('avatar'),
};

const view: Panel = { id: 'view', icon: 'eye', when: ({ actor }) => actor.value !== null, badge: () => null, mount: later('view') };

const morphs: Panel = {
  id: 'morphs',
  icon: 'morph',
  when: ({ recorded, actor }) => recorded.value === null && actor.value !== null,
  badge: ({ actor }) =>
    number(new Set(actor.value && morphedMeshes(actor.value).flatMap(mesh => Object.keys(mesh.morphTargetDictionary ?? {}))).size),
  mount: later('morphs'),
};

const inspect: Panel = {
  id: 'inspect',
  icon: 'search',
  when: ({ actor }) => actor.value !== null,
  badge: () => null,
  mount: later('inspect'),
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
  mount: later('report'),
};

export const panels: readonly Panel[] = [files, recording, motions, notes, avatar, view, scene, morphs, inspect, report];
