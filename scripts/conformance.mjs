// `npm run conformance`: the official MCP conformance suite against a fixture server, directly and through gateways. The suite
// and third-party gateways are fetched from npm into a temporary folder. Writes docs/conformance.md.
// `npm run conformance -- CLIENT|ADDRESS…`: with the server also in a container, by the client of an engine (`docker`) or on a
// docker engine at an address (`unix://…`), or in a pod of a stand-in for a cluster (`kubernetes`).
// `npm run conformance -- auth`: the suite's scenarios of sign-in against our core as a client; writes their section there.
// `npm run conformance -- offers [FOLDER]`: real servers, started again and again, of which nothing may be held back.
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
