import { readFile } from 'node:fs/promises';
import { open } from 'rigcast';
import Client from './client.js';

export const dynamic = 'force-dynamic';

export default async function Page() {
  const { scene } = await open(await readFile('hero.psk'), { name: 'hero.psk' });
  return <main>{scene.meshes.length + ' mesh on the server'}<Client /></main>;
}
