import { prepare } from '../core/prepare.ts';
import { keepLanguage, languageWanted } from './language.ts';
import { keepOffline, sharedFiles, listenForLaunchedFiles } from './offline.ts';
import { Refusal } from '../session/problem.ts';
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

function make(): void {
  viewer = new Viewer(document.getElementById('app')!);
  viewer.release.value = loadRelease;
  viewer.onLanguageChange = language => void changeTo(language);
}

/** Recreates the page in another language and restores its content. */
async function changeTo(language: string): Promise<void> {
  const old = viewer;
  const { onLanguageChange } = old;
  old.onLanguageChange = () => {}; // ignore further requests
  await old.idle;
  const module = await import('./capturedPage.ts').catch(() => null);
  if (!module || !(await speak(language))) {
    old.refusal.value = new Refusal({ code: 'failed', message: words.languageFailed });
    old.onLanguageChange = onLanguageChange;
    return;
  }
  keepLanguage(language);
  const captured = module.capturePage(old);
  old.dispose();
  make();
  await module.restorePage(viewer, captured);
}

function start(): void {
  // Start to load the file reader and its worker now, because creating the renderer can take
  // seconds on slow graphics cards.
  const addresses = query.getAll('src');
  if (!query.has('shared')) void prepare({ files: addresses.length > 0 ? addresses : ['Pip.psk'] }).catch(() => {}); // ignored, because opening the file reports the error
  make();
  const opened = openFirst();
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
  await viewer.openAddresses(addresses);
  viewer.selectByTitle(query.get('animation') ?? '');
  if (query.has('camera') || query.has('view')) await (await import('./linkedViews.ts')).takeViews(viewer, query);
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

const language = languageWanted();
if (language === 'en') start();
else void speak(language).then(start);
