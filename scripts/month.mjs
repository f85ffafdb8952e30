// `npm run month -- FOLDER [SERVERS] [FAILED]`: writes a home folder with a month of history, for viewing in the window.
import { join } from 'node:path';
import { runEntry } from './lib/entry.mjs';
import { ensureInstalled, ensurePinnedNode } from './lib/install.mjs';
import { projectRoot } from './lib/paths.mjs';
import { runCommand } from './lib/run-command.mjs';

/** Its messages go to stdout. @type {['ignore', 1, 2]} */
const MONTH_STDIO = ['ignore', 1, 2];

await runEntry(async () => {
  await ensureInstalled();
  const args = [join(projectRoot, 'test', 'fixtures', 'month', 'main.ts'), ...process.argv.slice(2)];
  const { code } = await runCommand(await ensurePinnedNode(), args, { name: 'month', stdio: MONTH_STDIO });
  return code ?? 1;
});
