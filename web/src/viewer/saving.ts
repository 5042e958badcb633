// Converts the current content and shows the save dialog, which lists what the format cannot store.
import { type YieldToEventLoop, yieldingTo } from '../convert/common/yielding.ts';
import type { Conversion, ConvertedFile, ConversionKind, VrmMeta, VrmWriting } from '../convert/index.ts';
import type { SourceFile } from '../convert/group.ts';
import { TARGETS, WRITERS } from '../convert/targets.ts';
import type { RigFile } from '../core/open.ts';
import { choicesFor } from '../session/imageAssignments.ts';
import { wholeCharacter } from '../session/model.ts';
import type { Problem } from '../session/problem.ts';
import { editsIn, isEdited } from '../session/animationEdits.ts';
import { compatibilityIn, isUnread, loadKeys, rowsOf, titleOf } from '../session/animationRows.ts';
import type { AnimationRow, OpenedFile } from '../session/openedFile.ts';
import type { OpeningContext } from '../session/openResult.ts';
import { FileTextures } from '../textures/sources.ts';
import { FileInstances } from '../three/instances/instanceSources.ts';
import { el, icon, picked } from './dom.ts';
import { download } from './download.ts';
import type { Page } from './page.ts';
import { withAttached } from './placeAttached.ts';
import { inFormat, optionsOf, type SaveSwitch, type SaveChoice, switchesOf, type VrmChoice } from './saveChoice.ts';
import { vrmForm } from './avatar/vrmForm.ts';
import { problemText } from './sentences.ts';
import { showDialog } from './showDialog.ts';
import { lossMeanings, refusalMeanings, words } from './words/index.ts';

/** A row of the conversion report. */
interface Loss {
  kind: ConversionKind;
  sentence: string;
  amount: number;
  unit: string;
  /** Names of the affected objects, or details if there are no names. The values are tooltips. */
  names: Map<string, string>;
}

/** A converted file. */
export interface SavedFile {
  name: string;
  blob: Blob;
}

/** The result of a conversion, or the reason why the format is not possible. */
interface Saved {
  choice: SaveChoice;
  /** True if any animation is open. */
  hasAnimations: boolean;
  /** True if the character has parts that can be merged. */
  hasParts: boolean;
  /** Names of the saved animations that the visitor has edited. */
  edited: readonly string[];
  /** Empty if the conversion has failed. */
  files: readonly SavedFile[];
  /** Reason why the content can't be saved in this format; null if it was converted. */
  problem: Problem | null;
  losses: readonly Loss[];
  /** Metadata that the model declares, if the format is VRM. */
  declared: VrmMeta;
  /** Sentences about visible content that is not saved. */
  omitted: readonly string[];
}

/**
 * Converts the shown model, its parts and the animations. Attached models are included if the
 * format supports references; models beside the shown model are not. If the format can't store the
 * content, the result contains the reason.
 */
export async function convertShown(
  {
    session: { value: session },
    shownModel,
    attached,
    secondaryModels,
  }: Pick<Page, 'session' | 'shownModel' | 'attached' | 'secondaryModels'>,
  choice: SaveChoice,
  { signal, onStep }: Pick<OpeningContext, 'signal' | 'onStep'>,
): Promise<Saved> {
  const [{ convertFiles }, { ConversionError, conversionCodes }, { canMerge }, { refusalSentence }] = await Promise.all([
    import('../convert/convert.ts'),
    import('../convert/index.ts'),
    import('../convert/merge.ts'),
    import('../convert/common/refusals.ts'),
  ]);
  const { shown, animationFiles, companionFiles, selected, animationEdits } = session;
  const rows = rowsOf(session);
  const hasAnimations = rows.length > 0;
  if (!shown || !shownModel.value)
    return { choice, hasAnimations, hasParts: false, edited: [], files: [], problem: null, losses: [], declared: {}, omitted: [] };
  const character = wholeCharacter(shownModel.value);
  const models = character.map(({ file }) => file);
  const row = rows[selected];
  const isChosen = (source: AnimationRow['source']): boolean =>
    choice.animations === 'all' ? (compatibilityIn(session, source)?.fits ?? true) : source === row?.source;
  const isSaved = (each: AnimationRow): boolean =>
    choice.animations !== 'none' && (choice.animations === 'all' ? isChosen(each.source) : each === row);
  const animations = animationFiles.filter(source => !models.includes(source.file) && isChosen(source));
  const clipFiles = animations.map(({ file }) => file);
  const supportsReferences = WRITERS[choice.to].embedsInstances ?? false;
  const combined = withAttached(character, supportsReferences ? attached.value : []);
  const attachedFiles = attached.value.flatMap(({ entry }) => [...entry.companionFiles.files(entry.input.path)]);
  const beside = new Map([...attachedFiles, ...companionFiles.files(shown.input.path)]);
  const choices = character.flatMap(({ input }) => choicesFor(session.imageAssignments, input.path, companionFiles));
  const drawn = [...character, ...attached.value.map(({ model }) => model)];
  const images = new FileTextures(
    beside,
    choices,
    drawn.flatMap(({ rig }) => rig.materialValues),
  );
  const instances = new FileInstances(beside);
  const editsFor = (source: Pick<OpenedFile, 'input'>): Pick<SourceFile, 'edits'> => {
    const edits = editsIn(animationEdits, source);
    return edits ? { edits } : {};
  };
  const sources: SourceFile[] = [
    ...combined.models.map((file, at) => ({ ...sourceOf(file), ...(character[at] && editsFor(character[at])) })),
    ...animations.map(source => ({
      ...sourceOf(source.file),
      ...editsFor(source),
      ...(source.retargeted && { retargetedBy: source.retargeted.pairing }),
    })),
    ...combined.placed.map(sourceOf),
  ];
  await readChosenKeys(
    choice,
    rows.filter(({ source }) => isChosen(source)),
    row,
    { signal, onStep },
  );
  const vrm = choice.to === 'vrm' && choice.vrm && { vrm: await vrmOf(choice.vrm) };
  const options = { ...optionsOf(choice, [...models, ...clipFiles], row), ...vrm, images, instances, signal };
  const shared = {
    choice,
    hasAnimations,
    hasParts: canMerge(models),
    edited: rows.filter(each => isSaved(each) && isEdited(animationEdits, each)).map(titleOf),
    declared: choice.to === 'vrm' ? (await import('../convert/vrm/meta.ts')).declaredMeta(models[0]!.scene!) : {},
  };
  let result: Conversion;
  try {
    result = await convertFiles(sources, options);
  } catch (error) {
    signal.throwIfAborted();
    const format = labelOf(choice.to).split(/,| \(/)[0]!;
    const spoken = error instanceof ConversionError && (await refusalMeanings())?.[error.code];
    const message = spoken ? refusalSentence(spoken, error.values) : error instanceof Error ? error.message : String(error);
    return { ...shared, files: [], problem: { code: 'save-failed', format, message }, losses: [], omitted: [] };
  }
  const { files, report } = result;
  const type = WRITERS[choice.to].mime ?? 'application/octet-stream';
  const yieldToPage = yieldingTo(signal);
  const saved: SavedFile[] = [];
  for (const file of files) saved.push({ name: file.name, blob: await blobOf(file, type, yieldToPage) });
  const meanings = await lossMeanings();
  const losses = new Map<string, Loss>();
  for (const entry of report.items) {
    const row = conversionCodes.find(({ code }) => code === entry.code)!;
    const sentence = meanings?.[row.code] ?? row.sentence;
    const loss = losses.get(entry.code) ?? { kind: entry.kind, sentence, amount: 0, unit: row.unit, names: new Map() };
    const name = entry.path || entry.detail;
    if (name !== '' && !loss.names.has(name)) loss.names.set(name, [entry.path, entry.detail].filter(Boolean).join(': '));
    losses.set(entry.code, { ...loss, amount: loss.amount + entry.amount });
  }
  const order: ConversionKind[] = ['loss', 'guess', 'approximation', 'note'];
  const namesOf = (isAttached: boolean): string[] =>
    secondaryModels.value.filter(({ bone }) => (bone !== null) === isAttached).map(({ model }) => model.input.file.name);
  const [attachedNames, others] = [namesOf(true), namesOf(false)];
  const isAnimated = supportsReferences && hasAnimations && choice.animations !== 'none';
  const withoutAnimation = isAnimated ? attached.value.flatMap(({ rootBinding, entry }) => (rootBinding ? entry.input.file.name : [])) : [];
  return {
    ...shared,
    files: saved,
    problem: null,
    losses: [...losses.values()].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind)),
    omitted: [
      ...(attachedNames.length > 0 && !supportsReferences ? [words.attachedOmitted(attachedNames.join(', '))] : []),
      ...(withoutAnimation.length > 0 ? [words.attachedNotAnimated(withoutAnimation.join(', '))] : []),
      ...(others.length > 0 ? [words.otherModelsOmitted(others.join(', '))] : []),
    ],
  };
}

/** Reads the keys that a result contains and that are not read yet, because their file is read in parts. */
async function readChosenKeys(
  { animations }: SaveChoice,
  all: readonly AnimationRow[],
  selected: AnimationRow | undefined,
  { signal, onStep }: Pick<OpeningContext, 'signal' | 'onStep'>,
): Promise<void> {
  const rows = animations === 'all' ? all : animations === 'selected' && selected ? [selected] : [];
  const unread = rows.filter(isUnread);
  for (const [at, row] of unread.entries()) {
    onStep({ code: 'reading-keys', at: at + 1, of: unread.length });
    await loadKeys(row, signal);
    signal.throwIfAborted();
  }
}

async function vrmOf({ meta, thumbnail }: VrmChoice): Promise<VrmWriting> {
  return { meta, ...(thumbnail && { thumbnail: new Uint8Array(await thumbnail.arrayBuffer()) }) };
}

const sourceOf = (file: RigFile): SourceFile => ({ file, path: file.name });

/**
 * Returns the label of a format in the language of the page, or in English if there is no
 * translation.
 */
const labelOf = (to: SaveChoice['to']): string => words.targets[to] ?? WRITERS[to].label;

/**
 * Creates a Blob from the pieces of a file, because the browser can move Blobs from memory to disk.
 */
async function blobOf(file: ConvertedFile, type: string, yieldToPage: YieldToEventLoop): Promise<Blob> {
  const parts: Blob[] = [];
  for (const piece of file.pieces()) {
    parts.push(new Blob([piece]));
    await yieldToPage();
  }
  return new Blob(parts, { type });
}

/** Functions that the save dialog calls. */
interface SavingEvents {
  /** Converts again, because the visitor has changed a choice. */
  choose: (choice: SaveChoice) => void;
  /** Cancels the conversion, because the visitor has closed the dialog. */
  cancel: () => void;
  /** Draws the viewport as a square picture. */
  drawThumbnail: () => Promise<Blob | null>;
}

/** Changes a choice of the save dialog. */
type Change = (edit: (choice: SaveChoice) => SaveChoice) => void;

/** Return value of a dialog that was closed by the page. */
const REPLACED = 'replaced';

/** Closes the save dialog if it is open. */
export function closeSaving(root: HTMLElement): void {
  root.querySelector<HTMLDialogElement>(':scope > dialog.saving[open]')?.close(REPLACED);
}

/**
 * Shows the save dialog with choices, losses and links to the files. If the visitor changes a
 * choice, the dialog stays open until the next result replaces it.
 */
export function showSaving(root: HTMLElement, saved: Saved, { choose, cancel, drawThumbnail }: SavingEvents): void {
  const { choice, hasAnimations, hasParts, files, problem, declared } = saved;
  const { to } = choice;
  const addresses = files.map(({ blob }) => URL.createObjectURL(blob));
  let next = choice;
  const hideLinks = (): void => dialog.querySelectorAll<HTMLElement>('a[download], .save-all').forEach(link => (link.hidden = true));
  const change: Change = edit => {
    next = edit(next);
    // The files do not contain the change.
    hideLinks();
    dialog.ariaBusy = 'true';
    status.textContent = words.saving;
    choose(next);
  };
  const formats = el(
    'select',
    { onchange: () => change(previous => inFormat(previous, TARGETS.find(each => each === formats.value) ?? to)) },
    ...TARGETS.map(each => el('option', { value: each, selected: each === to }, labelOf(each))),
  );
  const close = (): void => dialog.close();
  const status = el('p', { role: 'status' });
  const links = files.map(({ name, blob }, i) =>
    el(
      'a',
      {
        class: files.length === 1 ? 'button primary' : 'button',
        href: addresses[i],
        download: name,
        onclick: () => (status.textContent = words.savedFile(name)),
      },
      words.saveFile(name, blob.size),
    ),
  );
  const form =
    to === 'vrm' &&
    !problem &&
    vrmForm({
      declared,
      choice: choice.vrm ?? null,
      drawThumbnail,
      apply: vrm => change(previous => ({ ...previous, vrm })),
      onEdit: hideLinks,
    });
  const dialog = el(
    'dialog',
    { class: 'saving', 'aria-label': words.commands.save.title },
    el('h2', {}, words.commands.save.title),
    el('label', { class: 'target' }, el('span', {}, words.saveFormat), picked(formats)),
    el('p', { class: 'quiet readers' }, words.readers[to]),
    hasAnimations && animationSelect(choice, change),
    form,
    ...switchesOf(to, hasParts).map(id => switchOf(choice, id, change)),
    ...(problem ? [refusedBox(problem)] : preview(saved)),
    // The actions stay visible while the dialog scrolls, so they contain one link at most.
    links.length > 1 && el('div', { class: 'links' }, ...links),
    el(
      'div',
      { class: 'actions' },
      problem && el('button', { type: 'button', class: 'button primary', disabled: true }, words.commands.save.title),
      links.length > 1 ? saveAll(files, name => (status.textContent = words.savedFile(name))) : links[0],
      el('button', { type: 'button', class: 'plain', onclick: close }, words.close),
      status,
    ),
  );
  closeSaving(root);
  showDialog(root, dialog, () => {
    addresses.forEach(address => URL.revokeObjectURL(address));
    if (next !== choice && dialog.returnValue !== REPLACED) cancel();
  });
}

/** Creates the box with the reason why the format is not possible. */
function refusedBox(problem: Problem): HTMLElement {
  const { title, next } = problemText(problem, new Map());
  return el('div', { class: 'refused', role: 'alert' }, icon('error'), el('p', {}, el('strong', {}, title), ' ', next));
}

/** Creates the sentences about content that is changed or not saved. */
const preview = ({ edited, losses, omitted }: Saved): (HTMLElement | false)[] => [
  edited.length > 0 && el('p', { class: 'quiet' }, words.savesEdits(edited.join(', '))),
  el('p', { class: 'quiet' }, losses.some(({ kind }) => kind !== 'note') ? words.lostOrConverted : words.nothingLost),
  losses.length > 0 && el('ul', { class: 'losses', tabindex: 0 }, ...losses.map(lossRow)),
  ...omitted.map(sentence => el('p', { class: 'omitted' }, sentence)),
];

/** Creates the button that saves all files as a ZIP archive with the name of the first file. */
function saveAll(files: readonly SavedFile[], onSaved: (name: string) => void): HTMLElement {
  const name = `${files[0]!.name.replace(/\.[^.]*$/, '')}.zip`;
  const save = async (): Promise<void> => {
    const { zipOf } = await import('../encode/zipping.ts');
    download(name, await zipOf(files));
    onSaved(name);
  };
  return el('button', { type: 'button', class: 'button primary save-all', onclick: () => void save() }, words.saveAll(name));
}

/** Maximum number of names that a row of the conversion report lists. */
const MAX_NAMES = 5;

function lossRow({ kind, sentence, amount, unit, names }: Loss): HTMLElement {
  const listed = [...names].slice(0, MAX_NAMES);
  const rest = names.size - listed.length;
  return el(
    'li',
    { class: kind },
    sentence,
    ' ',
    el('span', { class: 'quiet amount' }, words.amount(amount, unit)),
    names.size > 0 &&
      el(
        'span',
        { class: 'quiet names' },
        ...listed.flatMap(([name, title], at) => [at > 0 && ', ', el('bdi', { title }, name)]),
        rest > 0 && ` ${words.andMore(rest)}`,
      ),
  );
}

/** Creates the list that selects the animations to save. */
function animationSelect({ animations }: SaveChoice, change: Change): HTMLElement {
  const list = el(
    'select',
    { onchange: () => change(choice => ({ ...choice, animations: list.value as SaveChoice['animations'] })) },
    ...(['all', 'selected', 'none'] as const).map(value =>
      el('option', { value, selected: value === animations }, words.saveAnimations[value]),
    ),
  );
  return el('label', { class: 'target' }, el('span', {}, words.saveAnimations.title), picked(list));
}

function switchOf({ switches }: SaveChoice, id: SaveSwitch, change: Change): HTMLElement {
  const box = el('input', {
    type: 'checkbox',
    checked: switches.has(id),
    onchange: () =>
      change(choice => {
        const others = [...choice.switches].filter(other => other !== id);
        return { ...choice, switches: new Set(box.checked ? [...others, id] : others) };
      }),
  });
  return el('label', { class: 'check', 'data-switch': id }, box, el('span', { class: 'name' }, words.saveSwitches[id]));
}
