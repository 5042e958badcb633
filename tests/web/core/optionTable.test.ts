// The TypeScript types of format options are printed from their table. To print them again: npx
// vitest run --project node tests/web/core/optionTable.test.ts -u
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { expect, it } from 'vitest';
import { formatOptionGroups, formatOptionTable, type OptionInfo } from '../../../web/src/core/formatOptions.ts';

const here = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const groups = Object.entries(formatOptionTable) as [keyof typeof formatOptionGroups, Record<string, OptionInfo>][];

const typeOf = (info: OptionInfo): string =>
  info.type === 'key' ? 'string | Uint8Array' : info.type === 'choice' ? info.choices.map(choice => `'${choice}'`).join(' | ') : info.type;
const sentence = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}.`;

async function printed(path: string, text: string): Promise<void> {
  const config = await resolveConfig(here('package.json'));
  await expect(await format(text, { ...config, filepath: path })).toMatchFileSnapshot(here(path));
}

it('the printed types match the table of format options', async () => {
  const members = groups.map(([group, options]) => {
    const lines = Object.entries(options).map(([key, info]) => `/** ${sentence(info.text)} */\n${key}?: ${typeOf(info)};`);
    return `/** ${formatOptionGroups[group]}. */\n${group}?: {\n${lines.join('\n')}\n};`;
  });
  await printed(
    'web/src/core/formatOptionTypes.ts',
    `// Printed from formatOptions.ts by tests/web/core/optionTable.test.ts.\n\n/** Options of the formats, the same for \`open\`, the loader, the command line and the element. */\nexport interface FormatOptions {\n${members.join('\n')}\n}\n`,
  );
});
