// Dialog that converts all models of the library into a folder or a ZIP archive.
import type { ConversionKind } from '../../convert/index.ts';
import { conversionCodes, type Target, TARGETS, WRITERS } from '../../convert/targets.ts';
import { zipOf } from '../../encode/zipping.ts';
import type { AnimationEdits } from '../../session/animationEdits.ts';
import type { ModelBoneMap } from '../../session/boneMaps.ts';
import type { LibraryEntry } from '../../session/library.ts';
import { el, fill, picked } from '../dom.ts';
import { download } from '../download.ts';
import type { BackgroundLoads, Page } from '../page.ts';
import { showDialog } from '../showDialog.ts';
import { lossMeanings, words } from '../words/index.ts';
import { type BatchResult, convertLibrary } from './convertLibrary.ts';

/** Dialog for folders, which some browsers do not have and TypeScript's DOM types lack. */
interface FolderChooser {
  showDirectoryPicker?(options: { mode: 'readwrite' }): Promise<FileSystemDirectoryHandle>;
}

const REPORT = 'rigcast-report.txt';
const LEDGER = 'rigcast-ledger.jsonl';
/** Maximum number of files that the dialog lists. The report contains all files. */
const MAX_LISTED = 50;

export function showConvertFolder({ root, session, loads }: Pick<Page, 'root' | 'session' | 'loads'>): void {
  const { library, boneMaps, animationEdits } = session.peek();
  const abort = new AbortController();
  const count = (role: LibraryEntry['role']): number => library.filter(entry => entry.role === role).length;
  const formats = el('select', {}, ...TARGETS.map(to => el('option', { value: to }, words.targets[to] ?? WRITERS[to].label)));
  const readers = el('p', { class: 'quiet readers' });
  const showReaders = (): void => void (readers.textContent = words.readers[formats.value as Target]);
  formats.addEventListener('change', showReaders);
  showReaders();
  const content = el('div', { class: 'batch' });
  const start = (folder: FileSystemDirectoryHandle | null): Promise<void> =>
    run({
      library,
      to: formats.value as Target,
      folder,
      content,
      signal: abort.signal,
      cancel: () => abort.abort(),
      close,
      loads,
      boneMaps,
      animationEdits,
    });
  const chooser = globalThis as FolderChooser;
  const refusal = el('p', { role: 'alert' });
  const chooseFolder = async (): Promise<void> => {
    refusal.textContent = '';
    try {
      await start(await chooser.showDirectoryPicker!({ mode: 'readwrite' }));
    } catch (error) {
      const { name, message } = error as DOMException;
      if (name !== 'AbortError') refusal.textContent = message; // AbortError: no folder was chosen
    }
  };
  const button = (label: string, onclick: () => void, style: string): HTMLElement =>
    el('button', { type: 'button', class: style, onclick }, label);
  const canChoose = chooser.showDirectoryPicker !== undefined;
  fill(
    content,
    el('p', { class: 'quiet' }, words.convertFolder.about(count('model'), count('animation'))),
    el('label', { class: 'target' }, el('span', {}, words.saveFormat), picked(formats)),
    readers,
    refusal,
    el(
      'div',
      { class: 'actions' },
      canChoose && button(words.convertFolder.intoFolder, () => void chooseFolder(), 'button primary'),
      button(words.convertFolder.intoZip, () => void start(null), canChoose ? 'button' : 'button primary'),
      button(words.cancel, () => close(), 'plain'),
    ),
  );
  const dialog = el(
    'dialog',
    { class: 'saving convert-folder', 'aria-label': words.convertFolder.title },
    el('h2', {}, words.convertFolder.title),
    content,
  );
  const close = (): void => dialog.close();
  showDialog(root, dialog, () => abort.abort());
}

interface Run {
  library: readonly LibraryEntry[];
  to: Target;
  /** Folder for the results; null for a ZIP archive. */
  folder: FileSystemDirectoryHandle | null;
  /** Element that shows the progress and the report. */
  content: HTMLElement;
  signal: AbortSignal;
  cancel(): void;
  close(): void;
  loads: BackgroundLoads;
  boneMaps: readonly ModelBoneMap[];
  animationEdits: readonly AnimationEdits[];
}

async function run({ library, to, folder, content, signal, cancel, close, loads, boneMaps, animationEdits }: Run): Promise<void> {
  const status = el('p', { role: 'status' });
  const bar = el('progress', { max: 1, value: 0, 'aria-label': words.convertFolder.title });
  const stop = el('button', { type: 'button', class: 'button', onclick: cancel }, words.cancel);
  fill(content, status, bar, el('div', { class: 'actions' }, stop));
  stop.focus();
  // The results are in a folder of their own, so that no source is replaced.
  const name = `rigcast-${to}`;
  const files: { name: string; blob: Blob }[] = [];
  let problem = '';
  let result: BatchResult;
  try {
    const results = await folder?.getDirectoryHandle(name, { create: true });
    const write = async (path: string, blob: Blob): Promise<void> => {
      if (results) await writeInto(results, path, blob);
      else files.push({ name: path, blob });
    };
    result = await convertLibrary(library, {
      to,
      write,
      onStep: ({ kind, at, of }) => {
        status.textContent = kind === 'reading' ? words.convertFolder.reading(at, of) : words.convertFolder.converting(at, of);
        bar.value = (at - 1) / of;
      },
      opening: loads.inBackground(signal),
      boneMaps,
      animationEdits,
    });
    await write(REPORT, new Blob([await reportText(result)], { type: 'text/plain' }));
    await write(LEDGER, new Blob(result.rows.map(row => `${JSON.stringify(row)}\n`)));
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error);
    fill(content, el('p', { role: 'alert' }, problem), el('div', { class: 'actions' }, closeButton(close)));
    return;
  }
  const save = async (): Promise<void> => download(`${name}.zip`, await zipOf(files));
  fill(
    content,
    el('p', { role: 'status' }, summary(result)),
    folder && el('p', { class: 'quiet' }, words.convertFolder.savedIn(`${folder.name}/${name}`)),
    ...(await details(result)),
    el(
      'div',
      { class: 'actions' },
      !folder && el('button', { type: 'button', class: 'button primary', onclick: () => void save() }, words.saveAll(`${name}.zip`)),
      closeButton(close),
    ),
  );
  content.querySelector<HTMLElement>('.actions button')!.focus();
}

const closeButton = (close: () => void): HTMLElement => el('button', { type: 'button', class: 'plain', onclick: close }, words.close);

async function writeInto(folder: FileSystemDirectoryHandle, path: string, blob: Blob): Promise<void> {
  const names = path.split('/');
  const name = names.pop()!;
  let inner = folder;
  for (const each of names) inner = await inner.getDirectoryHandle(each, { create: true });
  const file = await (await inner.getFileHandle(name, { create: true })).createWritable();
  await file.write(blob);
  await file.close();
}

function summary({ rows, isCancelled }: BatchResult): string {
  const failed = rows.filter(({ error }) => error).length;
  return words.convertFolder.done(rows.length - failed, failed, isCancelled);
}

/** Returns the losses of all results, summed by code, the most severe kind first. */
async function lossesOf({ entries }: BatchResult): Promise<{ kind: ConversionKind; text: string }[]> {
  const meanings = await lossMeanings();
  const order: ConversionKind[] = ['loss', 'guess', 'approximation', 'note'];
  const byCode = new Map<string, { kind: ConversionKind; amount: number }>();
  for (const { code, kind, amount } of entries) byCode.set(code, { kind, amount: (byCode.get(code)?.amount ?? 0) + amount });
  return [...byCode]
    .map(([code, { kind, amount }]) => {
      const row = conversionCodes.find(each => each.code === code)!;
      return { kind, text: `${meanings?.[code as keyof typeof meanings] ?? row.sentence} ${words.amount(amount, row.unit)}` };
    })
    .sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
}

/** Creates the lists of the files that were not converted, and of the losses. */
async function details(result: BatchResult): Promise<HTMLElement[]> {
  const failed = result.rows.filter(({ error }) => error);
  const losses = await lossesOf(result);
  const list = (title: string, isOpen: boolean, rows: HTMLElement[]): HTMLElement[] =>
    rows.length > 0
      ? [
          el(
            'details',
            { open: isOpen },
            el('summary', {}, title),
            el('ul', { class: 'losses', tabindex: 0 }, ...rows.slice(0, MAX_LISTED)),
          ),
        ]
      : [];
  return [
    ...list(
      words.convertFolder.notConverted(failed.length),
      failed.length <= 5,
      failed.map(({ files, error }) => el('li', {}, `${files[0]}: ${error!.detail}`)),
    ),
    ...list(
      words.convertFolder.losses(losses.length),
      false,
      losses.map(({ kind, text }) => el('li', { class: kind }, text)),
    ),
  ];
}

/** Returns the report as text: each result with its sources, the files without a result, and the losses. */
async function reportText(result: BatchResult): Promise<string> {
  const lines = result.rows.map(({ out, files, error }) => (error ? `${files[0]}: ${error.detail}` : `${out} ← ${files.join(', ')}`));
  const losses = (await lossesOf(result)).map(({ text }) => text);
  return `${[summary(result), '', ...lines, '', ...losses].join('\n')}\n`;
}
