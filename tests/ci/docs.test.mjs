// Pages of docs/ say what the sources say.
import { expect, it } from 'vitest';
import { printedPages } from '../../.ci/docs.mjs';

it('what is printed into docs/ is not older than what it is printed from', async () => {
  const pages = await printedPages();
  expect(pages.filter(({ now }) => now.includes('<!-- printed: ')).map(({ path }) => path)).toContain('docs/element.md');
  for (const { path, now, printed } of pages) expect(now, `${path}: npm run docs -- --write`).toBe(printed);
});
