import { readFile } from 'node:fs/promises';
import { open } from 'rigcast/inline';

const { scene } = await open(await readFile('hero.psk'), { name: 'hero.psk' });
console.log(scene?.meshes.length, 'mesh');
