import { keepOffline, takeLaunched } from './offline.ts';
import { Viewer } from './viewer.ts';
import { languageOf, speak } from './words/index.ts';

const asked = new URLSearchParams(location.search);
/** At once where the page speaks English. */
export let viewer: Viewer;

function start(): void {
  viewer = new Viewer(document.getElementById('app')!);
  const addresses = asked.getAll('src');
  if (addresses.length > 0) void viewer.openAddresses(addresses).then(() => viewer.selectCalled(asked.get('motion') ?? ''));
  else void viewer.openDemo();
  takeLaunched(given => void viewer.take(given));
  keepOffline();
}

const language = languageOf([...asked.getAll('lang'), ...navigator.languages]);
if (language === 'en') start();
else void speak(language).then(start);
