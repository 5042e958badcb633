import { Viewer } from './viewer.ts';

export const viewer = new Viewer(document.getElementById('app')!);
const addresses = new URLSearchParams(location.search).getAll('src');
if (addresses.length > 0) void viewer.openAddresses(addresses);
else void viewer.openDemo();
