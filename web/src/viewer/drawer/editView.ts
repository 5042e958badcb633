// Edits of the current animation, which play at once: range, loop, movement of the body. Sentences
// check whether the animation loops without a jump, and how far the feet slide on the ground.
import { computed, effect, signal } from '@preact/signals-core';
import type { ClipChange, ClipEdits } from '../../rig/clipEdits.ts';
import { clipsOf } from '../../session/animationRows.ts';
import { editsOf, isEditable, isEdited } from '../../session/animationEdits.ts';
import type { LayeredAction } from '../../session/layeredAction.ts';
import type { Model } from '../../session/model.ts';
import { defer } from '../deferred.ts';
import { el, fill, picked } from '../dom.ts';
import { lossMeanings, words } from '../words/index.ts';
import { type Checks, checksOf, seamTexts, slideTexts } from './checks.ts';
import type { DrawerState } from './drawerState.ts';
import { rowOf } from './layerView.ts';

const TRAVELS = ['file', 'in-place', 'root-motion'] as const;

/** Creates the rows. `onSeek`: called with a time in seconds when the visitor selects a contact. */
export function editView(state: DrawerState, onSeek: (time: number) => void): HTMLElement {
  const { page } = state;
  const row = computed(() => page.rows.value[page.session.value.selected]);
  const edits = computed(() => editsOf(page.session.value.animationEdits, row.value));
  const isOffered = computed(() => page.recorded.value === null && isEditable(row.value));
  const change = (changed: Partial<ClipEdits>): void => void page.editSelected({ ...edits.value, ...changed });
  const loop = el('div', { class: 'check-text' });
  const feet = el('div', { class: 'check-text' });
  const changes = el('ul', { class: 'check-text edit-changes' });
  const rows = [
    animationRow(state, isOffered),
    rangeRow(state),
    rowOf(
      words.edit.loop,
      checkbox(
        words.edit.closeLoop,
        () => edits.value.closeLoop,
        closeLoop => change({ closeLoop }),
      ),
      loop,
    ),
    rowOf(
      words.edit.travel,
      travelSelect(
        () => edits.value.travel,
        travel => change({ travel }),
      ),
      checkbox(
        words.edit.lockHeading,
        () => edits.value.lockHeading,
        lockHeading => change({ lockHeading }),
      ),
    ),
    rowOf(words.edit.feet, feet),
    rowOf(words.edit.changes, changes),
  ] as const;
  effect(() => {
    for (const control of [rows[1], rows[3], rows[2].querySelector<HTMLElement>('label')!]) control.hidden = !isOffered.value;
    rows[5].hidden = !isEdited(page.session.value.animationEdits, row.value);
  });
  const measured = new WeakMap<LayeredAction, Checks>();
  const show = (model: Model, action: LayeredAction): void => {
    const { nodes } = model.rig.file.scene!;
    let found = measured.get(action);
    if (!found) measured.set(action, (found = checksOf(model, action)));
    fill(loop, ...seamTexts(found.seam, node => nodes.names[node] || words.noName).map(text => el('p', {}, text)));
    fill(feet, ...slideTexts(state, found.contacts, onSeek));
    void showChanges(state, changes, () => page.played.value === action);
  };
  effect(() => {
    const [model, action] = [page.shownModel.value, page.played.value];
    if (state.view.value !== 'edit' || !model || !action) return;
    fill(loop, el('p', { class: 'quiet' }, words.checks.measuring));
    feet.replaceChildren();
    // Measuring a long animation takes time, so the page is drawn first.
    defer(() => {
      if (page.played.value === action) show(model, action);
    });
  });
  return el('div', { class: 'layer-rows' }, ...rows);
}

/** Creates the row with the name of the animation and the commands for all of its edits. */
function animationRow({ page }: DrawerState, isOffered: { readonly value: boolean }): HTMLElement {
  const name = el('b', { class: 'layer-name' });
  const note = el('p', { class: 'quiet layer-note' });
  const reset = command(words.commands.resetEdits.title, () => page.run('resetEdits'));
  const all = command(words.edit.applyToAll, () => page.editAll());
  effect(() => {
    const played = page.played.value?.name || words.noName;
    name.textContent = page.isEdited.value ? words.edit.editedName(played) : played;
    note.textContent = isOffered.value ? words.edit.about : words.edit.notEditable;
    note.hidden = page.isEdited.value;
    reset.hidden = !page.isEdited.value;
    all.hidden = !page.isEdited.value || page.rows.value.length < 2;
  });
  return rowOf(words.layers.animation, name, reset, all, note);
}

/** Creates the row of the playback range, to which the animation can be trimmed. */
function rangeRow(state: DrawerState): HTMLElement {
  const { page } = state;
  const text = el('span', { class: 'edit-range' });
  const note = el('p', { class: 'quiet layer-note' });
  const trim = command(words.commands.trim.title, () => page.run('trim'));
  /** The animation in which no loop was found; null if there is none. */
  const withoutLoop = signal<LayeredAction | null>(null);
  const find = command(words.edit.findLoop, () => {
    const [model, played] = [page.shownModel.value, page.played.value];
    const [clip] = played?.clips ?? [];
    if (!model || !played || !clip) return;
    void import('../../session/editAnimation.ts').then(({ loopOf }) => {
      const found = clip.bound && loopOf(clip.bound.clip, model.file.scene!);
      if (page.played.value !== played) return;
      page.playback.range = found ? { from: found.start, to: found.end } : page.playback.range;
      withoutLoop.value = found ? null : played;
      page.announce(found ? state.rangeText(found.start, found.end) : words.edit.noLoop);
    });
  });
  effect(() => {
    const [range, played] = [page.range.value, page.played.value];
    void page.session.value.viewSettings.timeUnit;
    text.textContent = played ? state.rangeText(range?.from ?? played.start, range?.to ?? played.duration) : '';
    trim.disabled = range === null;
    note.textContent = withoutLoop.value === played ? words.edit.noLoop : words.edit.setRange;
    note.hidden = range !== null;
  });
  return rowOf(words.edit.range, text, trim, find, note);
}

/** Lists the changes of the animation. `isCurrent`: returns false if another animation plays. */
async function showChanges({ page }: DrawerState, list: HTMLElement, isCurrent: () => boolean): Promise<void> {
  const { rows, session, shownModel } = page;
  const { animationEdits, animationMode, selected } = session.value;
  const [row, model] = [rows.value[selected], shownModel.value];
  if (!model || !isEditable(row) || !isEdited(animationEdits, row)) return list.replaceChildren();
  const [{ editedClip }, { sharedCodes }, meanings] = await Promise.all([
    import('../../session/editAnimation.ts'),
    import('../../convert/common/codes.ts'),
    lossMeanings(),
  ]);
  if (!isCurrent()) return;
  const { changes } = editedClip(clipsOf(row)[0]!, model.file.scene!, editsOf(animationEdits, row), animationMode);
  const textOf = ({ code, amount }: ClipChange): HTMLElement => {
    const { sentence, unit } = sharedCodes.find(each => each.code === code)!;
    return el('li', {}, meanings?.[code] ?? sentence, ' ', el('span', { class: 'quiet amount' }, words.amount(amount, unit)));
  };
  fill(list, ...(changes.length > 0 ? changes.map(textOf) : [el('li', { class: 'quiet' }, words.edit.nothingChanged)]));
}

const command = (label: string, onclick: () => void): HTMLButtonElement => el('button', { type: 'button', class: 'plain', onclick }, label);

function checkbox(label: string, isOn: () => boolean | undefined, onChange: (isOn: boolean) => void): HTMLElement {
  const box = el('input', { type: 'checkbox', onchange: () => onChange(box.checked) });
  effect(() => void (box.checked = isOn() ?? false));
  return el('label', { class: 'layer-control' }, box, el('span', {}, label));
}

function travelSelect(valueOf: () => ClipEdits['travel'], onChange: (travel: ClipEdits['travel']) => void): HTMLElement {
  const list = el(
    'select',
    { 'aria-label': words.edit.travel, onchange: () => onChange(list.value === 'file' ? undefined : (list.value as ClipEdits['travel'])) },
    ...TRAVELS.map(value => el('option', { value }, words.edit.travels[value])),
  );
  effect(() => void (list.value = valueOf() ?? 'file'));
  return el('span', { class: 'layer-control' }, picked(list));
}
