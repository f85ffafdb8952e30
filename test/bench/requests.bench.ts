/**
 * Cost of a request of the connection: 20 000 calls, 50 at a time, to a server in memory that answers each at
 * once. The rows beside it are the same for the SDK's own client, so that the ratio says something on any
 * machine. Prints a table, and one line of JSON last.
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { PanelError } from '../../shared/error-codes.ts';
import { connectToEcho, cpuOfCall, EchoTransport } from './requests/echo-server.ts';
import { median, report } from './supervision/figures.ts';

const ROUNDS = 5;
const PARAMS = { name: 'echo', arguments: { text: 'hello' } };

const connection = await connectToEcho();
const client = new Client({ name: 'bench', version: '0.0.0' });
await client.connect(new EchoTransport());

const ours: number[] = [];
const theirs: number[] = [];
for (let round = 0; round <= ROUNDS; round += 1) {
  const own = await cpuOfCall(() => connection.request('tools/call', PARAMS));
  const sdk = await cpuOfCall(() =>
    client.request({ method: 'tools/call', params: PARAMS }, ResultSchema, { onprogress: () => undefined }),
  );
  // The first round is not counted, because code is compiled in it.
  if (round === 0) continue;
  ours.push(own);
  theirs.push(sdk);
}
connection.end(new PanelError('STOPPED', 'The benchmark is over.'));
await client.close();

report(
  'requests',
  [
    { what: 'a request of the connection, CPU', unit: 'µs', measured: median(ours) },
    { what: "the same of the SDK's client, CPU", unit: 'µs', measured: median(theirs) },
    { what: 'ratio', unit: '×', measured: median(ours) / median(theirs) },
  ],
  [],
);
