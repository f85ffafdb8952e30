/**
 * Cost of a request of the connection: 20 000 calls, 50 at a time, to a server in memory that answers each at
 * once. The rows beside it are the same for the SDK's own client, so that the ratio says something on any
 * machine. Prints a table, and one line of JSON last.
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { PanelError } from '../../shared/error-codes.ts';
import { connectToEcho, cpuOfCall, EchoTransport } from './requests/echo-server.ts';
import { figure, inTurns, median, report } from './harness/figures.ts';

const ROUNDS = 5;
const PARAMS = { name: 'echo', arguments: { text: 'hello' } };

const connection = await connectToEcho();
const client = new Client({ name: 'bench', version: '0.0.0' });
await client.connect(new EchoTransport());

const costs = await inTurns(
  new Map([
    ['ours', () => cpuOfCall(() => connection.request('tools/call', PARAMS))],
    [
      'theirs',
      () =>
        cpuOfCall(() =>
          client.request({ method: 'tools/call', params: PARAMS }, ResultSchema, {
            onprogress: () => undefined,
          }),
        ),
    ],
  ]),
  ROUNDS,
);
connection.end(new PanelError('STOPPED', 'The benchmark is over.'));
await client.close();

const [ours, theirs] = [median(costs.get('ours')!), median(costs.get('theirs')!)];
report('requests', [
  figure('a request of the connection, CPU', 'µs', ours),
  figure("the same of the SDK's client, CPU", 'µs', theirs),
  figure('ratio', '×', ours / theirs),
]);
