// `npm run soak -- --minutes N [--seed N] [--report FILE] [--window]`: the panel under random faults, checked by their source.
import { join } from 'node:path';
import { openDisplay } from './lib/display.mjs';
import { runEntry } from './lib/entry.mjs';
import { runProgram } from './lib/install.mjs';
import { prepareApp, TEST_ELECTRON_VARIABLE } from './lib/prepare.mjs';

const MAIN = join('test', 'soak', 'main.ts');

await runEntry(async () => {
  const args = process.argv.slice(2);
  if (!args.includes('--window')) return runProgram([MAIN, ...args], { name: 'soak' });
  const command = await prepareApp({ opensDisplay: true });
  const display = await openDisplay();
  try {
    const env = { ...process.env, ...display.env, [TEST_ELECTRON_VARIABLE]: JSON.stringify(command) };
    return await runProgram([MAIN, ...args], { name: 'soak', env });
  } finally {
    await display.end();
  }
});
