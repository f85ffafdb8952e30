// `npm run soak -- --minutes N [--seed N] [--report FILE] [--window]`: runs the panel under random faults. The test causes the
// faults itself, so that it can check how the panel reacts to each.
import { join } from 'node:path';
import { runEntry } from './lib/entry.mjs';
import { runProgram } from './lib/install.mjs';
import { withApp } from './lib/prepare.mjs';

const MAIN = join('test', 'soak', 'main.ts');

await runEntry(async () => {
  const args = process.argv.slice(2);
  if (!args.includes('--window')) return runProgram([MAIN, ...args], { name: 'soak' });
  return withApp((env) => runProgram([MAIN, ...args], { name: 'soak', env }));
});
