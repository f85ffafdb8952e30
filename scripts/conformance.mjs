// `npm run conformance`: the official MCP conformance suite against a fixture server, directly and through gateways. The suite
// and third-party gateways are fetched from npm into a temporary folder. Writes docs/conformance.md.
// `npm run conformance -- auth`: the suite's scenarios of sign-in against our core as a client; writes their section there.
import { join } from 'node:path';
import { runEntry } from './lib/entry.mjs';
import { ensureInstalled, ensurePinnedNode } from './lib/install.mjs';
import { projectRoot } from './lib/paths.mjs';
import { runCommand } from './lib/run-command.mjs';

/** The table goes to stdout. @type {['ignore', 1, 2]} */
const STDIO = ['ignore', 1, 2];

await runEntry(async () => {
  await ensureInstalled();
  const node = await ensurePinnedNode();
  const file = join('test', 'conformance', process.argv[2] === 'auth' ? 'auth.ts' : 'main.ts');
  const exit = await runCommand(node, [file], { cwd: projectRoot, name: 'conformance', stdio: STDIO });
  return exit.code ?? 1;
});
