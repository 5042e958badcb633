// `npm run format`: formats every C++ file with clang-format and every script with Prettier, in
// place.
import { cppFiles, prettierCache, scripts } from './check.mjs';
import { Trouble, installed, run, which } from './lib.mjs';

export async function main() {
  if (!which('clang-format')) throw new Trouble('clang-format is missing: npm run setup installs it.');
  const files = cppFiles();
  for (const [tool, args] of [
    ['clang-format', ['-i', ...files]],
    [installed('prettier'), ['--log-level', 'warn', '--write', ...prettierCache, ...scripts]],
  ]) {
    const result = run(tool, args);
    if (result.code !== 0) {
      console.log(result.output);
      return result.code;
    }
  }
  console.log(`${files.length} C++ files and all scripts formatted.`);
  return 0;
}
