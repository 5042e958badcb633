// Real files have no errors, and at most one in twenty has a warning.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { open } from '../../../web/src/core/open.ts';

const corpus = new URL('../../../../shared/corpus/', import.meta.url);
if (!existsSync(corpus)) console.log('skipped: warnings of real files are not counted, there is no ../shared/corpus');

/** Published files of third-party programs. */
const folders = ['hp2', 'psk_loaders', 'psk_psa_py', 'pyffi', 'ut99mods']
  .flatMap(who => [`psk/${who}/`, `psa/${who}/`])
  .concat('mrtk/real/', 'vgo/real/');

test.skipIf(!existsSync(corpus))('real files have no errors, and at most 5 % have a warning', async () => {
  const said: string[] = [];
  let count = 0;
  for (const folder of folders) {
    for (const name of existsSync(new URL(folder, corpus)) ? readdirSync(new URL(folder, corpus)) : []) {
      if (!/\.(pskx?|psa|bin|vgo)$/.test(name) || name.startsWith('bad_')) continue;
      count++;
      const beside = (need: { name: string }): Uint8Array | null => {
        const file = new URL(folder + encodeURIComponent(need.name), corpus);
        return existsSync(file) ? readFileSync(file) : null;
      };
      const { report } = await open(readFileSync(new URL(folder + name, corpus)), { name, worker: false, companions: beside });
      const loud = report.items.filter(({ severity }) => severity !== 'info');
      if (loud.length > 0) said.push(`${folder}${name}: ${loud.map(({ code, severity }) => `${severity} ${code}`).join(', ')}`);
    }
  }
  console.log(`${said.length} of ${count} real files have a warning\n${said.join('\n')}`);
  expect(count).toBeGreaterThan(70);
  expect(said.filter(line => line.includes(' error '))).toEqual([]);
  expect(said.length / count, said.join('\n')).toBeLessThanOrEqual(1 / 20);
});
