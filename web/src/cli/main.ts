#!/usr/bin/env node
// The command line of rigcast. Exit codes: 0 if there are no errors, 1 if a file contains errors, 2
// for wrong usage or if a file cannot be read.
import { RigcastError } from '../core/error.ts';
import { needsThree } from '../core/needsThree.ts';
import { UsageError } from './usage.ts';

const commands = {
  inspect: async () => (await import('./inspect.ts')).inspect,
  validate: async () => (await import('./validate.ts')).validate,
  match: async () => (await import('./match.ts')).match,
  pose: async () => (await needsThree(import('./pose.ts'))).pose,
  convert: async () => (await import('./convert.ts')).convert,
  render: async () => (await import('./render.ts')).render,
  gallery: async () => (await import('./gallery.ts')).gallery,
} satisfies Record<string, () => Promise<(words: string[]) => Promise<number>>>;

async function main(words: string[]): Promise<number> {
  const [name = '', ...rest] = words;
  if (name === '--version' || name === '-v') {
    process.stdout.write(`${(await import('./help.ts')).version()}\n`);
    return 0;
  }
  const isCommand = Object.hasOwn(commands, name);
  if (!isCommand || rest.includes('--help') || rest.includes('-h')) {
    const { help } = await import('./help.ts');
    const isAsked = isCommand || name === 'help' || name === '--help' || name === '-h';
    if (isAsked) {
      process.stdout.write(help(isCommand ? name : ''));
      return 0;
    }
    throw new UsageError(
      name === '' ? `no command\n\n${help('')}` : `unknown command "${name}"; expected one of ${Object.keys(commands).join(', ')}`,
    );
  }
  const run = await commands[name as keyof typeof commands]();
  return run(rest);
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(); // the program that reads the output has closed the pipe
  throw error;
});

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.exitCode = 2;
  const isExpected = error instanceof UsageError || (error instanceof RigcastError && error.code === 'THREE_MISSING');
  process.stderr.write(
    `rigcast: ${isExpected ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
}
