// `npm run test:clients [-- NAME…] [-- --page]`: tests real MCP clients from npm, each with its own home folder and a scripted
// model on this machine, while a server and the panel have faults. --page writes docs/clients.md. Linux only, because the tests
// freeze processes and find leftover ones by their environment variables. The last line on stdout is `N passed, N failed, N
// skipped`.
import { join } from 'node:path';
import { runEntry } from './lib/entry.mjs';
import { runProgram } from './lib/install.mjs';
import { userCache } from './lib/paths.mjs';
import { skipLane } from './lib/run-step.mjs';

await runEntry(async () => {
  if (process.platform !== 'linux') return skipLane('real clients are driven on Linux only');
  const folder = join(userCache(), 'clients');
  return runProgram([join('test', 'clients', 'main.ts'), folder, ...process.argv.slice(2)], {
    name: 'clients',
  });
});
