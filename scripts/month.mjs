// `npm run month -- FOLDER [SERVERS] [FAILED]`: writes a home folder with a month behind it, to look at the window with.
import { join } from 'node:path';
import { runEntry } from './lib/entry.mjs';
import { ensureInstalled, ensurePinnedNode } from './lib/install.mjs';
import { projectRoot } from './lib/paths.mjs';
import { runCommand } from './lib/run-command.mjs';

await runEntry(async () => {
  await ensureInstalled();
  const args = [join(projectRoot, 'test', 'fixtures', 'month', 'main.ts'), ...process.argv.slice(2)];
  const options = { cwd: projectRoot, name: 'month' };
  return (await runCommand(await ensurePinnedNode(), args, options)).code ?? 1;
});
