// `npm run conformance`: runs the official MCP conformance suite against a fixture server, both directly and through gateways,
// and writes docs/conformance.md. The suite and third-party gateways are fetched from npm into a temporary folder. `npm run
// conformance -- CLIENT|ADDRESS…`: also runs the suite with the server in a container, started with the command-line client of
// a container engine (`docker`) or on a Docker engine at an address (`unix://…`), or in a pod of a simulated cluster
// (`kubernetes`). `npm run conformance -- auth`: runs the sign-in scenarios of the suite with the panel's core as the client,
// and writes their section of docs/conformance.md. `npm run conformance -- offers [FOLDER]`: starts real servers repeatedly,
// and checks that the panel passes on all of their capabilities.
import { join } from 'node:path';
import { runEntry } from './lib/entry.mjs';
import { runProgram } from './lib/install.mjs';

const LANES = ['auth', 'offers'];

await runEntry(() => {
  const [first = 'main', ...more] = process.argv.slice(2);
  const isLane = LANES.includes(first);
  const file = join('test', 'conformance', isLane ? `${first}.ts` : 'main.ts');
  return runProgram([file, ...(isLane ? more : process.argv.slice(2))], { name: 'conformance' });
});
