// `npm run format`: clang-format on every C++ file, in place.
import { cppFiles } from './check.mjs';
import { Trouble, run, which } from './lib.mjs';

export async function main() {
  if (!which('clang-format')) throw new Trouble('clang-format is missing: npm run setup installs it.');
  const files = cppFiles();
  const result = run('clang-format', ['-i', ...files]);
  console.log(result.code === 0 ? `${files.length} files formatted.` : result.output);
  return result.code;
}
