// What stands on the stage, as files to take away. What that costs is said before anything is saved.
import type { Conversion, LedgerKind } from '../convert/index.ts';
import { type Target, TARGETS } from '../convert/targets.ts';
import { Refusal } from '../player/problem.ts';
import type { Session } from '../player/session.ts';
import { FileTextures } from '../dressing/sources.ts';
import { FileInstances } from '../three/instanceSources.ts';
import { el, picked } from './dom.ts';
import { lossMeanings, words } from './words/index.ts';

/** A row of the list of what a saved file lacks. */
interface Cost {
  kind: LedgerKind;
  sentence: string;
  amount: number;
  unit: string;
}

interface Saved {
  to: Target;
  files: Conversion['files'];
  costs: readonly Cost[];
}

/** The model, the parts that stand with it, and the motions that suit it, as one result for each model. */
export async function convertShown({ shown, sources, shelf }: Session, to: Target, signal: AbortSignal): Promise<Saved> {
  const { convert, kindOf, ledgerCodes } = await import('../convert/index.ts');
  if (!shown) return { to, files: [], costs: [] };
  const models = [shown, ...shown.pieces].map(({ file }) => file);
  const motions = sources.map(({ file }) => file).filter(file => !models.includes(file));
  const beside = shelf.files(shown.given.path);
  const images = new FileTextures(beside);
  const instances = new FileInstances(beside);
  const { files, ledger } = await convert([...models, ...motions], { to, images, instances, signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    const format = words.targets[to].split(/,| \(/)[0]!;
    throw new Refusal({ code: 'not-saved', format, message: error instanceof Error ? error.message : String(error) });
  });
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
  const order: LedgerKind[] = ['loss', 'approximation', 'note'];
  return { to, files, costs: [...costs.values()].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind)) };
}

/** Shows what there is to save and what it lacks; saving is a click of the visitor's own. `choose`: another format is asked for. */
export function showSaving(root: HTMLElement, { to, files, costs }: Saved, choose: (to: Target) => void): void {
  const type = to === 'glb' || to === 'vrm' ? 'model/gltf-binary' : 'application/octet-stream';
  const addresses = files.map(({ bytes }) => URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type })));
  const formats = el(
    'select',
    {
      onchange: () => {
        close();
        choose(TARGETS.find(each => each === formats.value) ?? to);
      },
    },
    ...TARGETS.map(each => el('option', { value: each, selected: each === to }, words.targets[each])),
  );
  const close = (): void => dialog.close();
  const dialog = el(
    'dialog',
    { class: 'saving', 'aria-label': words.commands.save.title },
    el('h2', {}, words.commands.save.title),
    el('label', { class: 'target' }, words.saveTo, picked(formats)),
    el('p', { class: 'quiet' }, costs.some(({ kind }) => kind !== 'note') ? words.savedWithCosts : words.savedWhole),
    costs.length > 0 && el('ul', { class: 'costs' }, ...costs.map(costRow)),
    el(
      'div',
      { class: 'actions' },
      ...files.map(({ name, bytes }, i) =>
        el('a', { class: 'button', href: addresses[i], download: name }, words.saveFile(name, bytes.byteLength)),
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

const costRow = ({ kind, sentence, amount, unit }: Cost): HTMLElement =>
  el('li', { class: kind }, sentence, el('span', { class: 'quiet' }, ` ${words.amount(amount, unit)}`));
