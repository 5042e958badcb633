import { keepOffline, takeLaunched } from './offline.ts';
import { Viewer } from './viewer.ts';

export const viewer = new Viewer(document.getElementById('app')!);
const asked = new URLSearchParams(location.search);
const addresses = asked.getAll('src');
if (addresses.length > 0) void viewer.openAddresses(addresses).then(() => viewer.selectCalled(asked.get('motion') ?? ''));
else void viewer.openDemo();
takeLaunched(given => void viewer.take(given));
keepOffline();
