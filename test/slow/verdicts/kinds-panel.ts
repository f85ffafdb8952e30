import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PanelEvent } from '../../../shared/domain.ts';
import { serverAddress } from '../../../shared/gateway-use.ts';
import { createPanel, type ControlPanel } from '../../../electron/core/panel/control-panel.ts';
import { panelOptions } from '../../core/panel/open-test-panel.ts';
import {
  endProcess,
  fixtureServer,
  fixtureWrapper,
  readProcesses,
  waitUntil,
  type CommandLine,
} from '../../fixtures/fixture-server.ts';
import type { Endpoint } from '../../fixtures/gateways/connect-client.ts';
import { startDockerStandIn } from '../../support/docker-stand-in.ts';
import { writeHome } from '../../support/homes.ts';
import { ALLOWANCE_MS, PROBE_INTERVAL_MS, THRESHOLD_MS, type Kind, type Start } from './read-kinds.ts';

const LISTENING_MS = 30_000;

/** An event, with the moment at which it was told. */
export type TimedEvent = PanelEvent & {
  /** Of the monotonic clock. */
  readonly toldAtMs: number;
};

/** The whole core with every kind as one of its servers, none of which runs yet. */
export interface KindsPanel {
  readonly panel: ControlPanel;
  /** The name of the kind in servers.json. */
  nameOf(kind: Kind): string;
  endpointOf(kind: Kind): Endpoint;
  /** The events of the kind so far, oldest first; of its further processes as well. */
  eventsOf(kind: Kind): readonly TimedEvent[];
  /** The newest process of that role: `server` or `wrapper`. */
  pidOf(kind: Kind, role: string): number;
  /** Ends every process of the kind that is left. */
  sweep(kind: Kind): Promise<void>;
  dispose(): Promise<void>;
}

export async function openKindsPanel(kinds: readonly Kind[]): Promise<KindsPanel> {
  const home = mkdtempSync(join(tmpdir(), 'kinds-'));
  const engine = await startDockerStandIn(home);
  const nameOf = (kind: Kind) => `kind-${kinds.indexOf(kind) + 1}`;
  const pidFileOf = (kind: Kind) => join(home, `${nameOf(kind)}.pids`);
  const entryOf = (kind: Kind) => ({
    ...commandOf(kind.start, engine.command, [...kind.flags, '--logging', `--pid-file=${pidFileOf(kind)}`]),
    panel: settingsOf(kind),
  });
  const servers = Object.fromEntries(kinds.map((kind) => [nameOf(kind), entryOf(kind)]));
  writeHome(home, servers, { version: 1, gateway: { port: 0 } });
  const panel = await createPanel(panelOptions(home));
  const events: TimedEvent[] = [];
  panel.onEvent((event) => void events.push({ ...event, toldAtMs: performance.now() }));
  panel.start();
  const isListening = () => panel.gateway.status().port !== 0;
  await waitUntil(isListening, { deadlineMs: LISTENING_MS, describe: 'the gateway listens' });
  const { token } = await panel.gateway.createClient({ name: 'client' });
  const sweep = async (kind: Kind) => {
    await Promise.all(readProcesses(pidFileOf(kind)).map(({ pid }) => endProcess(pid)));
  };
  return {
    panel,
    nameOf,
    endpointOf: (kind) => ({ url: serverAddress(panel.gateway.status().url, nameOf(kind)), token }),
    eventsOf: (kind) => events.filter(({ server }) => server?.split('#')[0] === nameOf(kind)),
    pidOf: (kind, role) => readProcesses(pidFileOf(kind)).findLast((entry) => entry.role === role)!.pid,
    sweep,
    dispose: async () => {
      await panel.dispose();
      await Promise.all(kinds.map(sweep));
      engine.end();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

const settingsOf = ({ deadlineMs, wantsHeartbeats }: Kind) => ({
  ...{ autoStart: false, stopGraceMs: 300, killGraceMs: 300 },
  calls: { timeoutMs: deadlineMs },
  health: {
    probeIntervalMs: PROBE_INTERVAL_MS,
    stallThresholdMs: THRESHOLD_MS,
    workAllowanceMs: ALLOWANCE_MS,
    ...(wantsHeartbeats && { heartbeatLogs: true }),
  },
});

function commandOf(start: Start, docker: string, flags: readonly string[]): CommandLine {
  const { command, args } = fixtureServer(...flags);
  switch (start) {
    case 'direct':
      return { command, args };
    case 'inspect':
      return { command, args: ['--inspect=127.0.0.1:0', ...args] };
    case 'sh':
      // The second command keeps the shell from replacing itself by the first.
      return { command: 'sh', args: ['-c', '"$0" "$@"; exit $?', command, ...args] };
    case 'npx':
      return fixtureWrapper('--shell', ...flags);
    case 'unknown':
      return fixtureWrapper('--unknown', ...flags);
    case 'docker':
      return { command: docker, args: ['run', '-i', '--rm', 'fixture', ...flags] };
  }
}
