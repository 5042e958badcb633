// Entry point of every npm script: `node .ci/main.mjs start|test|build|…`. This file uses only
// syntax that old versions of Node support, so that they report that they are too old, instead of a
// syntax error.
import { nodeTrouble } from './nodeVersion.mjs';

const command = process.argv[2];
const commands = [
  'start',
  'test',
  'build',
  'check',
  'format',
  'bench',
  'coverage',
  'fuzz',
  'print',
  'docs',
  'prose',
  'setup',
  'consumers',
  'nightly',
];
const trouble = nodeTrouble(process.versions.node);

function fail(error) {
  // A Trouble has a message for the user. Any other error is a bug in these scripts and is printed
  // with its stack trace.
  console.error(error && error.name === 'Trouble' ? '\n' + error.message + '\n' : error);
  process.exit(1);
}

if (trouble) {
  console.error(trouble);
  process.exit(1);
} else if (commands.indexOf(command) < 0) {
  console.error('usage: npm run ' + commands.join(' | '));
  process.exit(2);
} else {
  import('./' + command + '.mjs')
    .then(function (module) {
      return module.main(process.argv.slice(3));
    })
    .then(function (code) {
      if (code) process.exitCode = code;
    })
    .catch(fail);
}
