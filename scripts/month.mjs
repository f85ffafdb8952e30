// `npm run month -- FOLDER [SERVERS] [FAILED]`: writes a data folder with a month of history, for viewing in the window.
import { join } from 'node:path';
import { runEntry } from './lib/entry.mjs';
import { runProgram } from './lib/install.mjs';
import { projectRoot } from './lib/paths.mjs';

const MAIN = join(projectRoot, 'test', 'fixtures', 'month', 'main.ts');

// The program runs in the user's working folder instead of the checkout's, because FOLDER is relative to it.
await runEntry(() => runProgram([MAIN, ...process.argv.slice(2)], { name: 'month', cwd: process.cwd() }));
