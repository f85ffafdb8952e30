// `npm run test:clients [-- NAME…] [-- --page]`: tests real MCP clients from npm, each with its own home and a scripted model
// on this machine, with faults of a server and of the panel; --page writes docs/clients.md. Linux only, because it freezes
// processes and finds remaining ones by their environment. The last line on stdout is `N passed, N failed, N skipped`.
import { join } from 'node:path';
import { note, runEntry } from './lib/entry.mjs';
import { ensureInstalled, ensurePinnedNode } from './lib/install.mjs';
import { projectRoot, userCache } from './lib/paths.mjs';
import { runCommand } from './lib/run-command.mjs';
import { resultLine } from './lib/test-results.mjs';

/** The results go to stdout. @type {['ignore', 1, 2]} */
const STDIO = ['ignore', 1, 2];

await runEntry(async () => {
  if (process.platform !== 'linux') {
    note('skipped: real clients are driven on Linux only');
    process.stdout.write(`${resultLine({ passed: 0, failed: 0, skipped: 1 })}\n`);
    return 0;
  }
  await ensureInstalled();
  const node = await ensurePinnedNode();
  const args = [join('test', 'clients', 'main.ts'), join(userCache(), 'clients'), ...process.argv.slice(2)];
  const exit = await runCommand(node, args, { cwd: projectRoot, name: 'clients', stdio: STDIO });
  return exit.code ?? 1;
});
