// `npm run month -- FOLDER [SERVERS] [FAILED]`: writes a home folder with a month of history, for viewing in the window.
import { join } from 'node:path';
import { runEntry } from './lib/entry.mjs';
import { runProgram } from './lib/install.mjs';
import { projectRoot } from './lib/paths.mjs';

const MAIN = join(projectRoot, 'test', 'fixtures', 'month', 'main.ts');

// Without a working folder of its own, because FOLDER is relative to that of the command.
await runEntry(() => runProgram([MAIN, ...process.argv.slice(2)], { name: 'month', cwd: process.cwd() }));
