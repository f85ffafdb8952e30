import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventKind } from '../../../shared/domain.ts';
import { panelSettingsSchema } from '../../../shared/panel-settings.ts';
import type { StdioServerConfig } from '../../../shared/server-config.ts';
import type { StateKind } from '../../../shared/server-states.ts';
import { CurrentTask } from '../../../electron/core/current-task.ts';
import type { ProcessSystem } from '../../../electron/core/platform/process-system.ts';
import { signallerForPlatform } from '../../../electron/core/platform/signals.ts';
import { spawnChild } from '../../../electron/core/platform/spawner.ts';
import { systemClock } from '../../../electron/core/platform/system-clock.ts';
import { StdioRun, type StdioRunDeps } from '../../../electron/core/supervisor/run/stdio-run.ts';
import type { ProcessCustody } from '../../../electron/core/supervisor/custody/process-custody.ts';
import { ServerSupervisor } from '../../../electron/core/supervisor/server-supervisor.ts';
import { ServerTelemetry } from '../../../electron/core/telemetry/server-telemetry.ts';
import { readProcesses, waitUntil, type CommandLine } from '../../fixtures/fixture-server.ts';
import { signalFixture } from '../../fixtures/process-signals.ts';
import { processSystemHere } from '../../support/process-system.ts';
import { readable } from './supervisor-bench.ts';
import { stdioRunDeps, supervisorDeps } from './supervisor-deps.ts';
import { isAlive } from '../../support/proc.ts';

export interface LoggedEvent {
  /** Time of the monotonic clock. */
  readonly atMs: number;
  readonly kind: EventKind;
  readonly detail: Record<string, unknown>;
}

/**
 * Supervisor over a real process tree, with everything it did recorded. Dispose the bench at the end of the
 * test.
 */
export interface LiveBench {
  readonly supervisor: ServerSupervisor;
  readonly states: StateKind[];
  readonly events: LoggedEvent[];
  /** Questions of liveness that the server has answered, over all its runs. */
  readonly answeredProbes: number;
  /** Processes that the fixture and its children recorded with `--pid-file`. */
  recorded(role?: string): number[];
  /** Sends the newest server the signal for which its flags make it wait. */
  signal(name: 'SIGUSR1' | 'SIGUSR2'): void;
  /** Waits for a state that was entered after this call, or holds now. */
  reaches(kind: StateKind, deadlineMs?: number): Promise<void>;
  logs(kind: EventKind, deadlineMs?: number): Promise<LoggedEvent>;
  dispose(): Promise<void>;
}

export interface LiveOptions {
  readonly panel?: Record<string, unknown>;
  readonly env?: Record<string, string>;
  /** Custody that ends the runs if we die; without it nobody does. The caller closes it. */
  readonly custody?: ProcessCustody;
}

/** Dependencies of runs on this machine, each with a marker of its own. */
export const liveRunDeps = (
  { table, holding }: Pick<ProcessSystem, 'table' | 'holding'>,
  createMarker = () => randomBytes(16).toString('hex'),
): StdioRunDeps =>
  stdioRunDeps(
    {
      table,
      signaller: signallerForPlatform(process.platform),
      spawner: holding(spawnChild),
      clock: systemClock,
    },
    { surroundings: () => ({ parent: process.env, home: homedir() }), createMarker },
  );

/** `program` builds the command line; it is given the path for `--pid-file`. */
export function createLiveBench(
  program: (pidFile: string) => CommandLine,
  options: LiveOptions = {},
): LiveBench {
  const folder = mkdtempSync(join(tmpdir(), 'live-'));
  const pidFile = join(folder, 'pids');
  const { table, holding } = processSystemHere();
  const states: StateKind[] = [];
  const events: LoggedEvent[] = [];
  let answeredProbes = 0;
  const runDeps = liveRunDeps({ table, holding });
  const config: StdioServerConfig = {
    name: 'live',
    enabled: true,
    transport: 'stdio',
    ...program(pidFile),
    env: options.env ?? {},
    panel: panelSettingsSchema.parse(options.panel ?? {}),
  };
  const supervisor = new ServerSupervisor(config, {
    ...supervisorDeps(systemClock),
    ...(options.custody && { custody: options.custody }),
    createRun: (current, hooks) => new StdioRun(runDeps, current as StdioServerConfig, hooks),
    onChange: () => telemetry.poke(),
    onConnection: (connection) => connection.onProbeAnswered(() => (answeredProbes += 1)),
    onState: (state) => states.push(state.kind),
    logEvent: (kind, detail) =>
      events.push({ atMs: performance.now(), kind, detail: readable(kind, detail) }),
  });
  const telemetry = new ServerTelemetry({
    clock: systemClock,
    currentTask: new CurrentTask(systemClock),
    wallClock: systemClock,
    table,
    supervisors: () => [supervisor],
    onSampled: () => undefined,
    onTickDone: () => undefined,
    onError: (error) => {
      throw error;
    },
  });
  const recorded = (role?: string) =>
    readProcesses(pidFile)
      .filter((entry) => role === undefined || entry.role === role)
      .map((entry) => entry.pid);
  return {
    supervisor,
    states,
    events,
    get answeredProbes() {
      return answeredProbes;
    },
    recorded,
    signal: (name) => signalFixture(recorded('server').at(-1)!, name, pidFile),
    reaches: async (kind, deadlineMs = 10_000) => {
      const from = Math.max(0, states.length - 1);
      await waitUntil(() => states.slice(from).includes(kind), { deadlineMs, describe: `state ${kind}` });
    },
    logs: async (kind, deadlineMs = 10_000) => {
      const find = () => events.find((event) => event.kind === kind);
      await waitUntil(find, { deadlineMs, describe: `event ${kind}` });
      return find()!;
    },
    dispose: async () => {
      await supervisor.stop().catch(() => undefined);
      telemetry.dispose();
      table.dispose();
      for (const pid of recorded()) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
