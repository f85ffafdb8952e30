// `npm run soak -- --minutes N [--seed N] [--report FILE] [--window]`: the panel under random faults, checked by their source.
import { join } from 'node:path';
import { openDisplay } from './lib/display.mjs';
import { runEntry } from './lib/entry.mjs';
import { ensureInstalled, ensurePinnedNode } from './lib/install.mjs';
import { projectRoot } from './lib/paths.mjs';
import { prepareApp, TEST_ELECTRON_VARIABLE } from './lib/prepare.mjs';
import { runCommand } from './lib/run-command.mjs';

/** The report goes to stdout. @type {['ignore', 1, 2]} */
const SOAK_STDIO = ['ignore', 1, 2];

await runEntry(async () => {
  const args = process.argv.slice(2);
  const hasWindow = args.includes('--window');
  await ensureInstalled();
  const command = hasWindow ? await prepareApp({ opensDisplay: true }) : undefined;
  const node = await ensurePinnedNode();
  const display = hasWindow ? await openDisplay() : undefined;
  try {
    const env = {
      ...process.env,
      ...display?.env,
      ...(command && { [TEST_ELECTRON_VARIABLE]: JSON.stringify(command) }),
    };
    const main = join('test', 'soak', 'main.ts');
    const { code } = await runCommand(node, [main, ...args], {
      cwd: projectRoot,
      env,
      name: 'soak',
      stdio: SOAK_STDIO,
    });
    return code ?? 1;
  } finally {
    await display?.end();
  }
});
