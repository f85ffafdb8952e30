// `npm run -s bridge:path`: prints one line of JSON with the command that connects a client over stdio. The name of a server
// must be appended to the command.
import { join } from 'node:path';
import { BRIDGE, ensureBuilt } from './lib/build-app.mjs';
import { runEntry } from './lib/entry.mjs';
import { ensureInstalled, ensurePinnedNode } from './lib/install.mjs';
import { projectRoot } from './lib/paths.mjs';

await runEntry(async () => {
  await ensureInstalled();
  await ensureBuilt();
  const command = { command: await ensurePinnedNode(), args: [join(projectRoot, BRIDGE), 'connect'] };
  process.stdout.write(`${JSON.stringify(command)}\n`);
});
