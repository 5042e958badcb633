// Copies the viewer from the npm package into the extension: `node copyViewer.mjs [PACKAGE]`.
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const from = process.argv[2] ?? join(here, 'node_modules/rigcast');
const to = join(here, 'viewer');
rmSync(to, { recursive: true, force: true });
cpSync(join(from, 'dist/browser'), join(to, 'browser'), { recursive: true });
cpSync(join(from, 'dist/core/wasm'), join(to, 'core/wasm'), { recursive: true });
for (const name of ['LICENSE', 'dist/THIRD-PARTY-NOTICES.txt']) cpSync(join(from, name), join(to, name.split('/').at(-1)));
cpSync(join(here, 'preview.css'), join(to, 'preview.css'));
