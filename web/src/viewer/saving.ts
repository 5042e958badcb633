// What stands on the stage, as files to take away. What that costs is said before anything is saved.
import { type Breath, breathing } from '../convert/common/breath.ts';
import type { ConvertedFile, LedgerKind } from '../convert/index.ts';
import { TARGETS, WRITERS } from '../convert/writers.ts';
import { wholeCharacter } from '../session/model.ts';
import { Refusal } from '../session/problem.ts';
import { rowsOf } from '../session/animationRows.ts';
import { FileTextures } from '../textures/sources.ts';
import { FileInstances } from '../three/instances/instanceSources.ts';
import { el, picked } from './dom.ts';
import { download } from './download.ts';
import type { Page } from './page.ts';
import { withHeld } from './together.ts';
import { inFormat, optionsOf, type SaveSwitch, type SaveWish, switchesOf } from './wish.ts';
import { lossMeanings, refusalMeanings, words } from './words/index.ts';

/** A row of the list of what a saved file lacks. */
interface Cost {
  kind: LedgerKind;
  sentence: string;
  amount: number;
  unit: string;
}

/** A file that is ready to be saved. */
export interface SavedFile {
  name: string;
  blob: Blob;
}

interface Saved {
  wish: SaveWish;
  /** There are motions to choose from. */
  hasMotions: boolean;
  files: readonly SavedFile[];
  costs: readonly Cost[];
  /** What is seen with the model and is in none of the files, in sentences. */
  left: readonly string[];
}

/**
 * The model, the parts that stand with it, what hangs on it where the format can say that, and the motions that suit it, as one result for each model. What
 * stands beside it is no part of it.
 */
export async function convertShown(
  { session: { value: session }, actor, held, guests }: Pick<Page, 'session' | 'actor' | 'held' | 'guests'>,
  wish: SaveWish,
  signal: AbortSignal,
): Promise<Saved> {
  const { convert, ConversionError, kindOf, ledgerCodes, refusalSentence } = await import('../convert/index.ts');
  const { shown, animationFiles, companionFiles, selected } = session;
  const rows = rowsOf(session);
  const hasMotions = rows.length > 0;
  if (!shown || !actor.value) return { wish, hasMotions, files: [], costs: [], left: [] };
  const whole = wholeCharacter(actor.value);
  const models = whole.map(({ file }) => file);
  const motions = animationFiles.map(({ file }) => file).filter(file => !models.includes(file));
  const isHolding = WRITERS[wish.to].holdsWorlds ?? false;
  const together = withHeld(whole, isHolding ? held.value : []);
  const ofHeld = held.value.flatMap(({ entry }) => [...entry.companionFiles.files(entry.given.path)]);
  const beside = new Map([...ofHeld, ...companionFiles.files(shown.given.path)]);
  const images = new FileTextures(beside);
  const instances = new FileInstances(beside);
  const options = { ...optionsOf(wish, [...models, ...motions], rows[selected]), images, instances, signal };
  const { files, ledger } = await convert([...together.models, ...motions, ...together.placed], options).catch(async (error: unknown) => {
    signal.throwIfAborted();
    const format = labelOf(wish.to).split(/,| \(/)[0]!;
    const spoken = error instanceof ConversionError && (await refusalMeanings())?.[error.code];
    const message = error instanceof Error ? error.message : String(error);
    throw new Refusal({ code: 'not-saved', format, message: spoken ? refusalSentence(spoken, error.values) : message });
  });
  const type = WRITERS[wish.to].mime ?? 'application/octet-stream';
  const breathe = breathing(signal);
  const saved: SavedFile[] = [];
  for (const file of files) saved.push({ name: file.name, blob: await blobOf(file, type, breathe) });
  const meanings = await lossMeanings();
  const costs = new Map<string, Cost>();
  for (const entry of ledger) {
    const row = ledgerCodes.find(({ code }) => code === entry.code)!;
    const cost = costs.get(entry.code) ?? {
      kind: kindOf(entry),
      sentence: meanings?.[row.code] ?? row.sentence,
      amount: 0,
      unit: row.unit,
    };
    costs.set(entry.code, { ...cost, amount: cost.amount + entry.amount });
  }
  const order: LedgerKind[] = ['loss', 'guess', 'approximation', 'note'];
  const namesOf = (isHung: boolean): string[] =>
    guests.value.filter(({ bone }) => (bone !== null) === isHung).map(({ model }) => model.given.file.name);
  const [hung, others] = [namesOf(true), namesOf(false)];
  const isMoved = isHolding && hasMotions && wish.motions !== 'none';
  const grafted = isMoved ? held.value.flatMap(({ graft, entry }) => (graft ? entry.given.file.name : [])) : [];
  return {
    wish,
    hasMotions,
    files: saved,
    costs: [...costs.values()].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind)),
    left: [
      ...(hung.length > 0 && !isHolding ? [words.heldIsLeft(hung.join(', '))] : []),
      ...(grafted.length > 0 ? [words.heldIsStill(grafted.join(', '))] : []),
      ...(others.length > 0 ? [words.companyIsLeft(others.join(', '))] : []),
    ],
  };
}

/** The name of a target in the visitor's language; in English if it has none there. */
const labelOf = (to: SaveWish['to']): string => words.targets[to] ?? WRITERS[to].label;

/** A Blob of the file's pieces, which browsers need not hold in memory. */
async function blobOf(file: ConvertedFile, type: string, breathe: Breath): Promise<Blob> {
  const parts: Blob[] = [];
  for (const piece of file.pieces()) {
    parts.push(new Blob([piece]));
    await breathe();
  }
  return new Blob(parts, { type });
}

/** Shows what there is to save and what it lacks; saving is a click of the visitor's own. `choose`: it is wanted otherwise. */
export function showSaving(root: HTMLElement, { wish, hasMotions, files, costs, left }: Saved, choose: (wish: SaveWish) => void): void {
  const { to } = wish;
  const addresses = files.map(({ blob }) => URL.createObjectURL(blob));
  const change = (next: SaveWish): void => {
    close();
    choose(next);
  };
  const formats = el(
    'select',
    { onchange: () => change(inFormat(wish, TARGETS.find(each => each === formats.value) ?? to)) },
    ...TARGETS.map(each => el('option', { value: each, selected: each === to }, labelOf(each))),
  );
  // Browsers tell of the close later: the next one may be there by then.
  const close = (): void => {
    dialog.close();
    dialog.remove();
  };
  const dialog = el(
    'dialog',
    { class: 'saving', 'aria-label': words.commands.save.title },
    el('h2', {}, words.commands.save.title),
    el('label', { class: 'target' }, el('span', {}, words.saveTo), picked(formats)),
    hasMotions && motionsOf(wish, change),
    ...switchesOf(to).map(id => switchOf(wish, id, change)),
    el('p', { class: 'quiet' }, costs.some(({ kind }) => kind !== 'note') ? words.savedWithCosts : words.savedWhole),
    costs.length > 0 && el('ul', { class: 'costs' }, ...costs.map(costRow)),
    ...left.map(sentence => el('p', { class: 'left' }, sentence)),
    el(
      'div',
      { class: 'actions' },
      files.length > 1 && saveAll(files),
      ...files.map(({ name, blob }, i) =>
        el(
          'a',
          { class: files.length === 1 ? 'button primary' : 'button', href: addresses[i], download: name },
          words.saveFile(name, blob.size),
        ),
      ),
      el('button', { type: 'button', class: 'plain', onclick: close }, words.close),
    ),
  );
  dialog.addEventListener('close', () => {
    dialog.remove();
    addresses.forEach(address => URL.revokeObjectURL(address));
  });
  root.append(dialog);
  dialog.showModal();
}

/** All of them as one archive, named as the first. */
function saveAll(files: readonly SavedFile[]): HTMLElement {
  const name = `${files[0]!.name.replace(/\.[^.]*$/, '')}.zip`;
  const save = async (): Promise<void> => {
    const { zipOf } = await import('./zipping.ts');
    download(name, await zipOf(files));
  };
  return el('button', { type: 'button', class: 'button primary', onclick: () => void save() }, words.saveAll(name));
}

const costRow = ({ kind, sentence, amount, unit }: Cost): HTMLElement =>
  el('li', { class: kind }, sentence, el('span', { class: 'quiet' }, ` ${words.amount(amount, unit)}`));

/** Which motions go along. */
function motionsOf(wish: SaveWish, change: (wish: SaveWish) => void): HTMLElement {
  const list = el(
    'select',
    { onchange: () => change({ ...wish, motions: list.value as SaveWish['motions'] }) },
    ...(['all', 'selected', 'none'] as const).map(value =>
      el('option', { value, selected: value === wish.motions }, words.savedMotions[value]),
    ),
  );
  return el('label', { class: 'target' }, el('span', {}, words.savedMotions.title), picked(list));
}

function switchOf(wish: SaveWish, id: SaveSwitch, change: (wish: SaveWish) => void): HTMLElement {
  const box = el('input', {
    type: 'checkbox',
    checked: wish.switches.has(id),
    onchange: () => {
      const switches = new Set(wish.switches);
      if (box.checked) switches.add(id);
      else switches.delete(id);
      change({ ...wish, switches });
    },
  });
  return el('label', { class: 'check', 'data-switch': id }, box, el('span', { class: 'name' }, words.saveSwitches[id]));
}
