import { PanelError } from '../../../shared/error-codes.ts';
import { defaultPanelSettings } from '../../../shared/panel-settings.ts';
import type { StdioServerConfig } from '../../../shared/server-config.ts';
import { systemClock } from '../../../electron/core/platform/system-clock.ts';
import type { Lease } from '../../../electron/core/sessions/lease.ts';
import { Sharing } from '../../../electron/core/sessions/sharing/sharing.ts';
import type { SupervisedServer } from '../../../electron/core/sessions/supervised-server.ts';
import { SupervisedSessions } from '../../../electron/core/sessions/supervised-sessions.ts';
import { figure, inTurns, median, type Figure } from '../harness/figures.ts';
import { connectToEcho, cpuOfCall } from './echo-server.ts';

const ROUNDS = 5;
const PARAMS = { name: 'echo', arguments: { text: 'hello' } };
const METHOD = 'tools/call';
const NAME = 'echo';
const CONTEXT = 'client 1';

const config: StdioServerConfig = {
  name: NAME,
  enabled: true,
  panel: defaultPanelSettings,
  transport: 'stdio',
  command: 'node',
  args: ['server.mjs'],
  env: { TOKEN: 'none' },
};

/**
 * Measures the cost of a call beside a bare request of the connection: over a lease that is held, and with a
 * lease of its own.
 */
export async function measureLeases(): Promise<readonly Figure[]> {
  const connection = await connectToEcho();
  const sessions = sessionsOf(connection);
  const held = await sessions.acquire(CONTEXT, NAME);
  const ways = new Map<string, () => Promise<unknown>>([
    ['bare', () => connection.request(METHOD, PARAMS)],
    ['held', () => held.request(METHOD, PARAMS)],
    ['looked', () => callOver(sessions.tryAcquire(CONTEXT, NAME)!)],
    ['acquired', async () => callOver(await sessions.acquire(CONTEXT, NAME, { deadlineMs: 60_000 }))],
  ]);
  const costs = await inTurns(new Map([...ways].map(([way, call]) => [way, () => cpuOfCall(call)])), ROUNDS);
  await sessions.close();
  connection.end(new PanelError('STOPPED', 'The benchmark is over.'));
  const bare = costs.get('bare')!;
  return [
    figure('a bare request of the connection, CPU', 'µs', median(bare)),
    figure('  over a held lease', '×', ratio(costs.get('held')!, bare), 1.5),
    figure('  with a lease of its own, by a look', '×', ratio(costs.get('looked')!, bare)),
    figure('  with a lease of its own, acquired', '×', ratio(costs.get('acquired')!, bare)),
  ];
}

async function callOver(lease: Lease): Promise<void> {
  await lease.request(METHOD, PARAMS);
  await lease.release();
}

/** Ratio of costs in the same round, so that a machine that is slower for a while changes nothing. */
function ratio(costs: readonly number[], bare: readonly number[]): number {
  return median(costs.map((cost, round) => cost / (bare[round] ?? Number.NaN)));
}

function sessionsOf(connection: SupervisedServer['connection']): SupervisedSessions<SupervisedServer> {
  const sharing = new Sharing();
  const marked = new Set<string>();
  const server: SupervisedServer = {
    name: NAME,
    config,
    stateKind: 'running',
    wasStopped: false,
    sleeps: false,
    connection,
    run: { pid: 1 },
    view: () => ({ state: {} }),
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
    configure: () => undefined,
  };
  return new SupervisedSessions({
    clock: systemClock,
    wallClock: systemClock,
    servers: { get: () => server, onStateChange: () => () => undefined },
    createInstance: () => server,
    sharingOf: (current) => sharing.of(current),
    onChange: (name) => marked.add(name),
    notice: (line) => console.error(line),
  });
}
