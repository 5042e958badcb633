import { prepare } from '../core/prepare.ts';
import { keepLanguage, languageWanted } from './language.ts';
import { keepOffline, sharedFiles, takeLaunched } from './offline.ts';
import { Refusal } from '../session/problem.ts';
import { Viewer } from './viewer.ts';
import { speak, words } from './words/index.ts';

const asked = new URLSearchParams(location.search);
/** At once where the page speaks English. Another one where somebody has changed the language. */
export let viewer: Viewer;

/** Loads the newer release; null: there is none. */
let loadRelease: (() => void) | null = null;

function make(): void {
  viewer = new Viewer(document.getElementById('app')!);
  viewer.release.value = loadRelease;
  viewer.onSpeak = language => void changeTo(language);
}

/** The page is made anew in another language, and what was open is open again. */
async function changeTo(language: string): Promise<void> {
  const old = viewer;
  const { onSpeak } = old;
  old.onSpeak = () => {}; // once is enough
  await old.idle;
  const handover = await import('./handover.ts').catch(() => null);
  if (!handover || !(await speak(language))) {
    old.trouble.value = new Refusal({ code: 'failed', message: words.languageMissing });
    old.onSpeak = onSpeak;
    return;
  }
  keepLanguage(language);
  const left = handover.leftOf(old);
  old.dispose();
  make();
  await handover.takeUp(viewer, left);
}

function start(): void {
  // The reader and its worker start while the page makes its renderer, which takes seconds without a graphics card.
  const addresses = asked.getAll('src');
  if (!asked.has('shared')) void prepare({ files: addresses.length > 0 ? addresses : ['Pip.psk'] }).catch(() => {}); // the file will say so
  make();
  const opened = openFirst();
  takeLaunched(given => void viewer.take(given));
  // Keeping the whole site is not in the way of the first picture.
  void opened.finally(() =>
    keepOffline(load => {
      viewer.release.value = loadRelease = load;
    }),
  );
}

async function openFirst(): Promise<void> {
  const addresses = asked.getAll('src');
  if (addresses.length === 0) return asked.has('shared') ? takeShared() : viewer.openDemo(undefined, false);
  await viewer.openAddresses(addresses);
  viewer.selectCalled(asked.get('animation') ?? '');
}

/** A reload must not ask for them again: they are gone by then. */
async function takeShared(): Promise<void> {
  const id = asked.get('shared') ?? '';
  history.replaceState(null, '', location.pathname);
  const { given, isKnown } = await sharedFiles(id);
  const isWanted = isKnown || (await viewer.askShared(given.files.map(({ file }) => file.name)));
  return isWanted ? viewer.take(given) : viewer.openDemo(undefined, false);
}

const language = languageWanted();
if (language === 'en') start();
else void speak(language).then(start);
