// Registry of the side panels and their sections, in display order. To add a section, create a file
// for its content, add a row to this table and a function to mounts.ts.
import { computed } from '@preact/signals-core';
import { mergeReports } from '../../core/report.ts';
import type { Model } from '../../session/model.ts';
import { editsOf, isEdited } from '../../session/animationEdits.ts';
import { clipsOf, durationOf, compatibilityIn, posesOf, titleOf } from '../../session/animationRows.ts';
import { count } from '../dom.ts';
import { morphedMeshes } from '../facts.ts';
import type { Page } from '../page.ts';
import { fitText, animationCounts } from '../sentences.ts';
import { deferredEffect } from '../deferred.ts';
import { words } from '../words/index.ts';
import { ClipPanel } from './clips.ts';
import type { Badge, LazySection, Mounted, Panel, Section } from './panel.ts';
import { worstOf } from './worst.ts';

const lazy =
  (id: LazySection) =>
  async (page: Page): Promise<Mounted> =>
    (await import('./mounts.ts')).mounts[id](page);

const number = (value: number): Badge | null => (value > 0 ? { text: count(value) } : null);

const facesOf = (model: Model | null): number => model?.rig.expressions.names.length ?? 0;
const morphsOf = (model: Model | null): number =>
  new Set(model && morphedMeshes(model).flatMap(mesh => Object.keys(mesh.morphTargetDictionary ?? {}))).size;

const hasModel = ({ shownModel }: Page): boolean => shownModel.value !== null;
const hasMaterials = ({ shownModel }: Page): boolean => (shownModel.value?.file.scene?.materials.length ?? 0) > 0;
const isRecording = ({ recorded }: Page): boolean => recorded.value !== null;

/** Returns the number of errors; if there are none, the number of warnings. */
function worstBadge(page: Page): Badge | null {
  const reports = page.sections.value.map(section => section.report);
  const worst = worstOf(reports);
  if (worst === 'ok' || worst === 'info') return null;
  const { errors, warnings } = mergeReports(...reports);
  const found = worst === 'error' ? errors : warnings;
  return { text: count(found), kind: worst, label: worst === 'error' ? words.errors(found) : words.warnings(found) };
}

/** List of animations. It also serves the commands for the next and the previous animation. */
const animations: Section = {
  id: 'animations',
  fills: true,
  when: page => !isRecording(page) || page.rows.value.length > 1,
  mount: page => {
    const panel = new ClipPanel();
    panel.onPick = row => page.select(row);
    page.neighbour = step => panel.next(step);
    const selected = computed(() => page.session.value.selected);
    const edits = computed(() => page.session.value.animationEdits);
    deferredEffect(() => {
      panel.set(
        page.rows.value.map(row => {
          const clips = clipsOf(row);
          const { trim, closeLoop } = editsOf(edits.value, row);
          const { frameRate, frameCount, start } = clips.length === 1 ? clips[0]! : { frameRate: 0, frameCount: 0, start: 0 };
          return {
            name: titleOf(row),
            duration: trim ? trim.end - trim.start : durationOf(row),
            frameRate,
            frameCount: trim
              ? Math.round((trim.end - trim.start) * frameRate) + 1
              : frameCount - Math.round(Math.max(start, 0) * frameRate),
            isEdited: isEdited(edits.value, row),
            isOnce: page.recorded.value === null && !closeLoop && clips.every(({ loop, duration }) => !loop && duration > 0),
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
      if (!value) panel.advise(words.noModelText);
      else if (value.bones.length > 0) panel.advise(words.noAnimationsText);
      else panel.advise(morphedMeshes(value).length > 0 ? words.onlyMorphsToAnimate : words.nothingToAnimate);
    });
    return { element: panel.element, reveal: () => panel.reveal() };
  },
};

export const panels: readonly Panel[] = [
  {
    id: 'files',
    icon: 'folder',
    badge: ({ session }) => {
      const { length } = session.value.library;
      return length > 1 ? { text: count(length), label: words.fileCount(length) } : null;
    },
    sections: [{ id: 'files', fills: true, when: ({ session }) => session.value.library.length > 0, mount: lazy('files') }],
  },
  {
    id: 'animations',
    icon: 'film',
    badge: ({ session }) => {
      const { own, all } = animationCounts(session.value);
      return all > 0 ? { text: count(own), label: words.animationCount(own, all) } : null;
    },
    sections: [
      { id: 'recording', when: isRecording, mount: lazy('recording') },
      animations,
      { id: 'poses', when: isRecording, mount: lazy('poses') },
      {
        id: 'blends',
        when: page => hasModel(page) && posesOf(page.session.value).length > 0,
        badge: ({ session }) => number(posesOf(session.value).length),
        mount: lazy('blends'),
      },
      {
        id: 'events',
        when: ({ events }) => events.value !== null,
        badge: ({ events }) => number(events.value?.events.length ?? 0),
        isCollapsed: true,
        mount: lazy('events'),
      },
      { id: 'tracking', when: isRecording, mount: lazy('tracking') },
    ],
  },
  {
    id: 'look',
    icon: 'look',
    badge: () => null,
    sections: [
      {
        id: 'avatar',
        when: page => !isRecording(page) && facesOf(page.shownModel.value) > 0,
        badge: ({ shownModel }) => number(facesOf(shownModel.value)),
        mount: lazy('avatar'),
      },
      { id: 'shading', when: hasModel, mount: lazy('shading') },
      { id: 'materials', when: hasMaterials, isCollapsed: true, mount: lazy('materials') },
      { id: 'show', when: hasModel, mount: lazy('show') },
      { id: 'camera', when: hasModel, mount: lazy('camera') },
      { id: 'light', when: hasModel, mount: lazy('light') },
      {
        id: 'springs',
        when: ({ scene, shownModel }) => scene.value !== null && Boolean(shownModel.value?.rig.springs),
        badge: ({ scene }) => number(scene.value?.springs ?? 0),
        mount: lazy('springs'),
      },
      {
        id: 'rigging',
        when: ({ scene }) => (scene.value?.rigging.length ?? 0) > 0,
        badge: ({ scene }) => number(scene.value?.rigging.length ?? 0),
        isCollapsed: true,
        mount: lazy('rigging'),
      },
      {
        id: 'particles',
        when: ({ scene }) => (scene.value?.particles.length ?? 0) > 0,
        badge: ({ scene }) => number(scene.value?.particles.length ?? 0),
        isCollapsed: true,
        mount: lazy('particles'),
      },
      { id: 'orientation', when: page => hasModel(page) && !isRecording(page), isCollapsed: true, mount: lazy('orientation') },
    ],
  },
  {
    id: 'details',
    icon: 'details',
    badge: worstBadge,
    sections: [
      { id: 'inspect', fills: true, when: hasModel, mount: lazy('inspect') },
      { id: 'measure', when: hasModel, isCollapsed: true, mount: lazy('measure') },
      {
        id: 'morphs',
        when: page => !isRecording(page) && morphsOf(page.shownModel.value) > 0,
        badge: ({ shownModel }) => number(morphsOf(shownModel.value)),
        isCollapsed: true,
        mount: lazy('morphs'),
      },
      { id: 'rights', when: ({ scene }) => (scene.value?.rights.length ?? 0) > 0, isCollapsed: true, mount: lazy('rights') },
      {
        id: 'report',
        when: ({ sections, advice }) => sections.value.length + advice.value.length > 0,
        badge: worstBadge,
        isCollapsed: true,
        mount: lazy('report'),
      },
    ],
  },
];
