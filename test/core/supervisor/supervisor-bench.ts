import { expect } from 'vitest';
import type { EventDetails, EventKind } from '../../../shared/events.ts';
import type { PanelError } from '../../../shared/error-codes.ts';
import { panelSettingsSchema } from '../../../shared/panel-settings.ts';
import type { ServerConfig, StdioServerConfig } from '../../../shared/server-config.ts';
import type { StateKind } from '../../../shared/server-states.ts';
import { toKeptEvent } from '../../../electron/core/journal/journal.ts';
import { StartGate } from '../../../electron/core/supervisor/start/start-gate.ts';
import { ServerSupervisor } from '../../../electron/core/supervisor/server-supervisor.ts';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';
import { FakeRun } from './fake-run.ts';
import { supervisorDeps } from './supervisor-deps.ts';

interface LoggedEvent {
  readonly kind: EventKind;
  readonly detail: Record<string, unknown>;
}

/** Supervisor over runs that the test moves by hand, with everything it did recorded. */
export interface SupervisorBench {
  readonly supervisor: ServerSupervisor;
  readonly clock: FakeClock;
  readonly runs: FakeRun[];
  readonly events: LoggedEvent[];
  readonly states: StateKind[];
  readonly notices: string[];
  /** Markers of the runs that were taken off the record. */
  readonly forgotten: string[];
  /** Newest run. */
  run(): FakeRun;
  /** Settles everything that waits on promises. */
  settle(): Promise<void>;
  /** The handshake of the newest run succeeds. */
  ready(): Promise<void>;
  /** The tree of the newest run, which was asked to end, goes. */
  gone(): Promise<void>;
  /** The tree of the newest run goes, and the handshake of the run after it succeeds. */
  renewed(): Promise<void>;
  /** The newest run fails to start, and its tree goes. */
  failed(error?: PanelError): Promise<void>;
}

export function testConfig(
  panel: Record<string, unknown> = {},
  changes: Partial<StdioServerConfig> = {},
): ServerConfig {
  const stdio = { transport: 'stdio', command: 'node', args: [], env: {} } as const;
  return { name: 'server', enabled: true, ...stdio, ...changes, panel: panelSettingsSchema.parse(panel) };
}

export function createSupervisorBench(
  panel: Record<string, unknown> = {},
  random = () => 0.5,
  config = testConfig(panel),
  /** Promise until which the code of the runs is being loaded. */
  loaded = Promise.resolve(),
  startGate = new StartGate({ clock: createFakeClock(), startConcurrency: 3 }),
): SupervisorBench {
  const clock = createFakeClock();
  const runs: FakeRun[] = [];
  const events: LoggedEvent[] = [];
  const states: StateKind[] = [];
  const notices: string[] = [];
  const forgotten: string[] = [];
  const { custody, ...deps } = supervisorDeps(clock);
  custody.forget = ({ marker }) => void forgotten.push(marker);
  const supervisor = new ServerSupervisor(config, {
    ...deps,
    custody,
    notice: (line) => notices.push(line),
    random,
    startGate,
    createRun: async (_config, hooks) => {
      await loaded;
      const run = new FakeRun(1000 + runs.length, hooks);
      runs.push(run);
      return run;
    },
    onState: (state) => states.push(state.kind),
    logEvent: (kind, detail) => events.push({ kind, detail: readable(kind, detail) }),
  });
  const settle = () => clock.advance(0);
  const run = () => runs.at(-1)!;
  const ready = () => (run().becomeReady(), settle());
  const gone = () => (run().becomeGone(), settle());
  const renewed = () => gone().then(ready);
  const failed = async (error?: PanelError) => {
    run().failToStart(error);
    await settle();
    await gone();
  };
  const told = { events, states, notices, forgotten };
  return { supervisor, clock, runs, ...told, run, settle, ready, gone, renewed, failed };
}

/** The detail, which is of the form that its kind is declared with. */
export function readable<K extends EventKind>(kind: K, detail: EventDetails[K]): EventDetails[K] {
  expect(toKeptEvent(kind, detail, (value) => value).detail.raw, kind).toBeUndefined();
  return detail;
}

/** Outcome of a promise, without waiting for it. */
export function watch(promise: Promise<void>): { outcome: string } {
  const watched: { outcome: string } = { outcome: 'pending' };
  promise.then(
    () => (watched.outcome = 'resolved'),
    (error: { code?: string }) => (watched.outcome = error.code ?? 'no code'),
  );
  return watched;
}
