// `npm run conformance`: runs the official MCP conformance suite against a fixture server, directly and through gateways. The
// suite and third-party gateways are fetched from npm into a temporary folder. Writes docs/conformance.md. `npm run conformance
// -- CLIENT|ADDRESS…`: also runs it with the server in a container, by the client of an engine (`docker`) or on a docker engine
// at an address (`unix://…`), or in a pod of a simulated cluster (`kubernetes`). `npm run conformance -- auth`: runs the
// sign-in scenarios of the suite against our core as a client, and writes their section of that file. `npm run conformance --
// offers [FOLDER]`: starts real servers repeatedly, and checks that none of their capabilities are held back.
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
