import type { Snapshot } from '../../../shared/domain.ts';
import type { StateKind } from '../../../shared/server-states.ts';
import { fixtureServer, referenceServer } from '../../fixtures/fixture-server.ts';
import { callTool } from './driving.ts';
import { waitUntil } from './wait-until.ts';

/** Panel whose page answers calls of a function of `window.controlPanel`. */
export interface CallablePanel {
  call<T = unknown>(name: string, ...args: unknown[]): Promise<T>;
}

const notifyOnly = (stallThresholdMs: number) => ({
  health: { probeIntervalMs: 500, stallThresholdMs, onStall: 'notify' },
  stopGraceMs: 100,
  killGraceMs: 100,
});
/** Time long enough for a look at it in both themes. */
const SUSPECT_MS = 4000;

/** Servers for every state there is. */
export const everyState = {
  everything: referenceServer('everything', 'stdio'),
  noisy: fixtureServer('--stderr-text=cannot read config'),
  starts: fixtureServer('--never-initialize'),
  suspect: { ...fixtureServer('--block-loop-on-signal'), panel: notifyOnly(SUSPECT_MS) },
  frozen: { ...fixtureServer(), panel: notifyOnly(1500) },
  crashes: {
    ...fixtureServer('--exit-before-initialize', '--stderr-text=ECONNREFUSED 127.0.0.1:5432'),
    panel: { restart: { initialBackoffMs: 60_000 } },
  },
  stops: { ...fixtureServer('--ignore-sigterm', '--ignore-eof'), panel: { stopGraceMs: 60_000 } },
  idle: { ...fixtureServer(), panel: { autoStart: false } },
  sleeps: fixtureServer(),
  missing: { command: '/no/such/program' },
};

/** Brings the servers into every state there is, the shortest-lived last. */
export async function provokeEveryState(panel: CallablePanel): Promise<void> {
  const serverOf = async (name: string) =>
    (await panel.call<Snapshot>('getSnapshot')).servers.find((server) => server.name === name);
  const becomes = (name: string, kind: StateKind) =>
    waitUntil(`${name} to be ${kind}`, async () => (await serverOf(name))?.state.kind === kind);
  const signal = async (name: string, what: NodeJS.Signals) => {
    await becomes(name, 'running');
    process.kill((await serverOf(name))!.pid!, what);
  };

  // Both calls stay unanswered until the end.
  const unanswered = () => undefined;
  await becomes('sleeps', 'running');
  await panel.call('sleepServer', 'sleeps');
  await becomes('stops', 'running');
  panel.call('stopServer', 'stops').catch(unanswered);
  callTool(panel, 'suspect', 'sleep', { args: { ms: 60_000 } }).catch(unanswered);
  await signal('frozen', 'SIGSTOP');
  // The server must have answered a question during the call, because only then its silence counts against
  // it.
  await waitUntil(
    'a call for a while',
    async () => ((await serverOf('suspect'))?.busy?.oldestMs ?? 0) > 2500,
  );
  await becomes('frozen', 'stalled');
  await becomes('crashes', 'backoff');
  await signal('suspect', 'SIGUSR1');
  await becomes('suspect', 'suspect');
}
