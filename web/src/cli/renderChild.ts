// The child process of `rigcast render`: shows models with the element in a browser, which it starts
// once, and writes their pictures.
import { basename, dirname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { unzipSync } from '../encode/vendor/fflate.ts';
import { RigcastError } from '../core/error.ts';
import { roleByExtension } from '../core/formats.ts';
import { open } from '../core/open.ts';
import { extensionOf } from '../core/paths.ts';
import { probe } from '../core/probe.ts';
import type { ReportEntry } from '../convert/common/report.ts';
import { expectationOf } from '../element/syntax.ts';
import { launchBrowser } from './browser.ts';
import type { MakeAnswer } from './convertChild.ts';
import { filesBelow, type FoundFile, fromPath, linkedTo } from './files.ts';
import { imagesBelow, modelsBelow } from './images.ts';
import { HeadOf, recordReads } from './reading.ts';
import type {} from './renderPage.ts';
import { PANORAMAS, type PageAnswer, type PageTask, type Rendering } from './renderTask.ts';
import { RenderServer } from './renderServer.ts';
import { isInputOutput, isOneOf, type ResultFile, writeResult } from './results.ts';
import { serve } from './serve.ts';

export interface RenderTask {
  /** Paths of the model and its animations, starting with the model. */
  paths: readonly string[];
  out: string;
  /** Folders on the command line, which are searched for images. */
  folders: readonly string[];
  /** True if the answer must contain the states of all files that were read and written. */
  isRecorded: boolean;
  rendering: Rendering;
  /** Path of the browser. */
  browser: string;
  /** Maximum time in seconds without progress. */
  seconds: number;
}

/** Asks whether `background` is a CSS colour. */
export interface BackgroundTask {
  background: string;
  /** Path of the browser. */
  browser: string;
}

export interface BackgroundAnswer {
  /** Message for the user; null if the background is valid. */
  problem: string | null;
}

interface Session {
  server: RenderServer;
  browser: Browser;
  page: Page;
}

/** The browser with its page, for all tasks of the process, because generating the light takes seconds. */
let session: Session | null = null;

async function openSession(path: string): Promise<Session> {
  const browser = await launchBrowser(path);
  const server = await RenderServer.start();
  try {
    const page = await browser.newPage({ reducedMotion: 'reduce', deviceScaleFactor: 1 });
    await page.goto(server.page);
    return { server, browser, page };
  } catch (error) {
    await closeAll({ server, browser });
    throw error;
  }
}

/** Ends the browser, so that the next task starts a new one. */
async function closeSession(): Promise<void> {
  const closed = session;
  session = null;
  if (closed) await closeAll(closed);
}

async function closeAll({ server, browser }: Omit<Session, 'page'>): Promise<void> {
  server.close();
  await browser.close().catch(() => {});
}

/** Thrown if the page crashes, makes no progress or loses its graphics context. */
class LostPage extends RigcastError {
  declare readonly code: 'TIME_LIMIT' | 'INTERNAL_TRAP';

  constructor(code: LostPage['code'], message: string) {
    super(code, message);
  }
}

/** Thrown if the graphics context is lost, for example because the driver has failed. */
class LostContext extends LostPage {
  constructor() {
    super('INTERNAL_TRAP', 'the graphics context was lost, and again in a new browser');
  }
}

serve<RenderTask | BackgroundTask>(task => ('paths' in task ? make(task) : check(task)));

/** Checks a background in the page in which the results are rendered. */
async function check({ background, browser }: BackgroundTask): Promise<BackgroundAnswer> {
  try {
    session ??= await openSession(browser);
    const isColor = await session.page.evaluate(text => CSS.supports('color', text), background);
    return { problem: isColor ? null : `--background ${background}: ${expectationOf('color')}` };
  } catch (error) {
    await closeSession();
    return { problem: firstLineOf(error) };
  }
}

async function make(task: RenderTask): Promise<MakeAnswer> {
  // Numbered pictures are in a folder of their own.
  const folder = isNumbered(task) ? task.out : dirname(task.out);
  try {
    const reads = task.isRecorded ? recordReads() : null;
    const { answer, bytes } = await shownDespiteLoss(task);
    const ledger = [...ledgerOf(answer), ...darknessOf(answer, task), ...linksOf(task.paths)];
    const [error] = answer.errors;
    if (error !== undefined || bytes === null) return failed('NOT_RENDERED', error ?? 'the browser sent no picture', ledger);
    const files = filesOf(task, bytes);
    const own = files.find(({ name }) => isOneOf(join(folder, name), task.paths));
    if (own) return failed('NOT_RENDERED', `${own.name} would overwrite its own source: choose another folder or name`, ledger);
    const { byteLength, states } = writeResult(folder, files, { isShared: () => false, isStrict: false });
    return { byteLength, ledger, ...(reads && { read: [...reads.values()], written: states }) };
  } catch (error) {
    if (error instanceof LostPage) {
      await closeSession();
      return failed(error.code, error.message);
    }
    if (error instanceof Error && isInputOutput(error)) return failed('IO_ERROR', error.message);
    await closeSession();
    return failed('NOT_RENDERED', firstLineOf(error));
  }
}

const firstLineOf = (error: unknown): string => (error instanceof Error ? error.message.split('\n', 1)[0]! : String(error));

/** Renders like `shown`. If the graphics context is lost, tries once more, in a new browser. */
async function shownDespiteLoss(task: RenderTask): ReturnType<typeof shown> {
  session ??= await openSession(task.browser);
  try {
    return await shown(session, task);
  } catch (error) {
    if (!(error instanceof LostContext)) throw error;
    await closeSession();
    session = await openSession(task.browser);
    return shown(session, task);
  }
}

/** Renders in the page. Rejects with a LostPage if the page gives no answer. */
async function shown(
  { server, browser, page }: Session,
  { paths, folders, rendering, seconds }: RenderTask,
): Promise<{ answer: PageAnswer; bytes: Uint8Array<ArrayBuffer> | null }> {
  const isScene = await hasInstances(paths);
  const events = new AbortController();
  const { signal } = events;
  let restart = (): void => {};
  const lost = new Promise<never>((_, reject) => {
    let timer: NodeJS.Timeout | undefined;
    restart = () => {
      clearTimeout(timer);
      if (signal.aborted) return;
      timer = setTimeout(() => reject(new LostPage('TIME_LIMIT', `no progress for more than ${seconds} s`)), seconds * 1000);
    };
    const crashed = (): void => reject(new LostPage('INTERNAL_TRAP', 'the page crashed'));
    page.once('crash', crashed);
    browser.once('disconnected', crashed);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      page.off('crash', crashed);
      browser.off('disconnected', crashed);
    });
  });
  restart();
  const panoramas = PANORAMAS.filter(name => rendering.attributes[name] !== undefined);
  const served = server.serve({
    files: paths,
    folders,
    listed: folder => listedFiles(folder, paths, isScene),
    others: panoramas.map(name => rendering.attributes[name]!),
    onRequest: () => restart(),
  });
  const [src = '', ...animations] = served.urls;
  const attributes = { ...rendering.attributes, ...Object.fromEntries(panoramas.map((name, i) => [name, served.others[i]!])) };
  const { companions, result, progress } = served;
  const task: PageTask = { ...rendering, attributes, src, files: [...animations, served.manifest], companions, result, progress };
  try {
    const answered = page.evaluate(wanted => globalThis.rigcastRender(wanted), task);
    const answer = await Promise.race([answered, lost]);
    if (answer.isLost) throw new LostContext();
    return { answer, bytes: server.take() };
  } finally {
    events.abort();
  }
}

/** True if the model has instances of other files. Throws an UnreadableError if a file cannot be read. */
async function hasInstances([model = '', ...animations]: readonly string[]): Promise<boolean> {
  for (const path of animations) new HeadOf(path).close();
  const head = new HeadOf(model);
  try {
    if ((await probe(head, basename(model))).role !== 'scene') return false;
  } finally {
    head.close();
  }
  const { scene } = await open(...fromPath(model, {}));
  return scene !== null && scene.instances.length > 0;
}

/** Maximum number of files in the manifest of the element. */
const MAX_LISTED = 9000;

/**
 * Lists the files in a folder and its subfolders that determine textures and, for a scene, the models
 * that it may contain.
 */
async function listedFiles(folder: string, paths: readonly string[], isScene: boolean): Promise<readonly string[]> {
  const models = isScene ? (await filesBelow(folder)).filter(file => !paths.includes(file.path) && mayBePlaced(file)) : [];
  const names = new Set([...models.map(({ place }) => place), ...imagesBelow(folder), ...modelsBelow(folder)]);
  return [...names].slice(0, MAX_LISTED);
}

const mayBePlaced = ({ place, reason }: FoundFile): boolean => reason === undefined && roleByExtension(extensionOf(place)) !== 'animation';

/** Returns the files of a result: the picture, the video, or the numbered pictures of an archive. */
function filesOf(task: RenderTask, bytes: Uint8Array<ArrayBuffer>): ResultFile[] {
  const name = basename(task.out);
  if (!isNumbered(task)) return [fileOf(name, bytes)];
  const pictures = Object.values(unzipSync(bytes));
  const digits = Math.max(String(pictures.length).length, 4);
  return pictures.map((data, i) => fileOf(`${name}-${String(i + 1).padStart(digits, '0')}.png`, data as Uint8Array<ArrayBuffer>));
}

const fileOf = (name: string, bytes: Uint8Array<ArrayBuffer>): ResultFile => ({
  name,
  *pieces() {
    yield bytes;
  },
});

/** True if the result consists of numbered pictures. */
const isNumbered = ({ rendering: { format, isVideo } }: RenderTask): boolean => isVideo && format === 'png';

/** Errors and warnings of the files that were read, and textures that the picture lacks. */
const ledgerOf = ({ reports }: PageAnswer): ReportEntry[] =>
  reports.flatMap(({ file, report }) =>
    report.items
      .filter(({ code, severity }) => severity !== 'info' || code === 'TEXTURE_MISSING')
      .map(({ code, path, count, detail }) => ({ code, path: file, amount: count, detail: [path, detail].filter(Boolean).join(': ') })),
  );

/** Reports a dark background that the user has not chosen. */
const darknessOf = ({ isDark }: PageAnswer, { paths: [model = ''] }: RenderTask): ReportEntry[] =>
  isDark ? [{ code: 'BACKGROUND_DARK', path: basename(model), amount: 1, detail: '' }] : [];

const linksOf = (paths: readonly string[]): ReportEntry[] =>
  paths.flatMap(path => {
    const link = linkedTo(path);
    return link === null ? [] : [{ code: 'LINK_FOLLOWED', path, amount: 1, detail: link }];
  });

const failed = (code: string, detail: string, ledger: ReportEntry[] = []): MakeAnswer => ({
  byteLength: null,
  ledger,
  error: { code, detail },
});
