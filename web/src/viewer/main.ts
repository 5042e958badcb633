import { RigcastError } from '../core/error.ts';
import { prepare } from '../core/prepare.ts';
import { allowBlobWorkers } from '../interop/blobWorkers.ts';
import { keepLanguage, languageWanted } from './language.ts';
import { keepOffline, sharedFiles, listenForLaunchedFiles } from './offline.ts';
import { Refusal } from '../session/problem.ts';
import { createRenderer, isWebGPUWanted, keepRenderer } from './rendererChoice.ts';
import { SharedRenderer } from '../view/index.ts';
import { Viewer } from './viewer.ts';
import { speak, words } from './words/index.ts';

const query = new URLSearchParams(location.search);
/**
 * The viewer of this page. A page in English creates the viewer synchronously. A change of language
 * replaces it by a new viewer.
 */
export let viewer: Viewer;

/** Function that loads the new release; null if there is no new release. */
let loadRelease: (() => void) | null = null;

function make(sharedRenderer: SharedRenderer): void {
  viewer = new Viewer(document.getElementById('app')!, sharedRenderer);
  viewer.release.value = loadRelease;
  viewer.onLanguageChange = language =>
    void recreate('language', async isWebGPU => {
      if (!(await speak(language))) throw new RigcastError('LANGUAGE_UNAVAILABLE', 'The language could not be loaded.');
      keepLanguage(language);
      return createRenderer(isWebGPU);
    });
  viewer.onRendererChange = isWebGPU =>
    void recreate('webgpu', async () => {
      const made = await createRenderer(isWebGPU);
      keepRenderer(isWebGPU);
      return made;
    });
}

/**
 * Recreates the page and restores its content. `command`: the command that requires this.
 * `prepare`: changes what the command requires, and returns a renderer; if it rejects, the page
 * shows the message.
 */
async function recreate(command: 'language' | 'webgpu', prepare: (isWebGPU: boolean) => Promise<SharedRenderer>): Promise<void> {
  const old = viewer;
  const { onLanguageChange, onRendererChange } = old;
  old.onLanguageChange = old.onRendererChange = () => {}; // ignore further requests
  await untilIdle(old);
  try {
    const { capturePage, restorePage } = await import('./capturedPage.ts');
    const sharedRenderer = await prepare(old.viewport.sharedRenderer.isWebGPU);
    await untilIdle(old);
    const captured = capturePage(old);
    old.dispose();
    make(sharedRenderer);
    void restorePage(viewer, captured, command);
  } catch (error) {
    old.refusal.value = new Refusal({ code: 'failed', message: messageOf(error) });
    Object.assign(old, { onLanguageChange, onRendererChange });
  }
}

/** Waits until all loads of a page have ended, also those that start in the meantime. */
async function untilIdle(page: Viewer): Promise<void> {
  let ended: Promise<void> | null = null;
  while (ended !== page.idle) await (ended = page.idle);
}

/** Returns the text that the page shows about `error`. */
function messageOf(error: unknown): string {
  const code = error instanceof RigcastError ? error.code : '';
  if (code === 'WEBGPU_UNAVAILABLE') return words.noWebGPU;
  if (code === 'LANGUAGE_UNAVAILABLE') return words.languageFailed;
  return error instanceof Error ? error.message : String(error);
}

async function start(): Promise<void> {
  // Start to load the file reader and its worker now, because creating the renderer can take
  // seconds on slow graphics cards.
  const addresses = query.getAll('src');
  if (!query.has('shared')) void prepare({ files: addresses.length > 0 ? addresses : ['Pip.psk'] }).catch(() => {}); // ignored, because opening the file reports the error
  const isWebGPU = isWebGPUWanted();
  let problem: unknown = null;
  const webgpu = isWebGPU ? await createRenderer(true).catch((error: unknown) => void (problem = error)) : undefined;
  make(webgpu ?? new SharedRenderer());
  const opened = openFirst();
  if (problem) void opened.finally(() => (viewer.refusal.value ??= new Refusal({ code: 'failed', message: messageOf(problem) })));
  listenForLaunchedFiles(incoming => void viewer.open(incoming));
  // Store the site for offline use only after the first picture, so that the download does not
  // delay it.
  void opened.finally(() =>
    keepOffline(load => {
      viewer.release.value = loadRelease = load;
    }),
  );
}

async function openFirst(): Promise<void> {
  const addresses = query.getAll('src');
  if (addresses.length === 0) return query.has('shared') ? takeShared() : viewer.openDemo(undefined, false);
  if (!(await viewer.openAddresses(addresses))) return;
  viewer.selectByTitle(query.get('animation') ?? '');
  if (!query.has('camera') && !query.has('view')) return;
  const { shownModel } = viewer;
  const linked = shownModel.value;
  const { takeViews } = await import('./linkedViews.ts');
  if (shownModel.value === linked) await takeViews(viewer, query);
}

/**
 * Opens files that were shared by another app. Removes the parameter from the URL, because the
 * files can be read only once.
 */
async function takeShared(): Promise<void> {
  const id = query.get('shared') ?? '';
  history.replaceState(null, '', location.pathname);
  const { incoming, isKnown } = await sharedFiles(id);
  const isWanted = isKnown || (await viewer.askShared(incoming.files.map(({ file }) => file.name)));
  return isWanted ? viewer.open(incoming) : viewer.openDemo(undefined, false);
}

allowBlobWorkers();
const language = languageWanted();
if (language === 'en') void start();
else void speak(language).then(start);
