import { fixtureServer, fixtureWrapper, type CommandLine } from '../fixtures/fixture-server.ts';

/** What can be done to a server. */
export type Weakness = 'kill' | 'wrapper' | 'deaf' | 'block' | 'busy' | 'edit';

export interface SoakServer {
  readonly name: string;
  readonly weaknesses: readonly Weakness[];
  /** Events that its stubbornness makes likely whenever it is ended. */
  readonly isStubborn: boolean;
  readonly entry: CommandLine & { readonly env: Readonly<Record<string, string>>; readonly panel: object };
}

export const STALL_THRESHOLD_MS = 8000;
export const PROBE_INTERVAL_MS = 2000;
/** Until it has passed, nobody can tell a server that hangs in a call from one that is at work. */
export const CALL_TIMEOUT_MS = 30_000;

const panel = {
  startTimeoutMs: 60_000,
  stopGraceMs: 1500,
  killGraceMs: 1500,
  calls: { timeoutMs: CALL_TIMEOUT_MS },
  health: { probeIntervalMs: PROBE_INTERVAL_MS, stallThresholdMs: STALL_THRESHOLD_MS },
  // A person gives up on a server that breaks so often; the soak wants it back each time.
  restart: {
    maxRestartAttempts: 1000,
    maxPerHour: 1000,
    initialBackoffMs: 300,
    maxBackoffMs: 1500,
    stableAfterMs: 2000,
  },
};

interface Form {
  readonly name: string;
  readonly count: number;
  readonly weaknesses: readonly Weakness[];
  readonly flags: readonly string[];
  readonly isWrapped?: boolean;
}

const forms: readonly Form[] = [
  { name: 'plain', count: 4, weaknesses: ['kill', 'edit', 'busy'], flags: [] },
  { name: 'wrapped', count: 3, weaknesses: ['kill', 'wrapper'], flags: [], isWrapped: true },
  { name: 'shell', count: 1, weaknesses: ['kill', 'wrapper'], flags: ['--shell'], isWrapped: true },
  { name: 'deaf', count: 3, weaknesses: ['deaf', 'kill'], flags: ['--deaf-on-signal'] },
  { name: 'blocking', count: 3, weaknesses: ['block', 'busy'], flags: ['--block-loop-on-signal'] },
  { name: 'serial', count: 2, weaknesses: ['busy'], flags: ['--serial'] },
  {
    name: 'logging',
    count: 1,
    weaknesses: ['kill', 'deaf'],
    flags: ['--logging', '--heartbeat-logs-ms=1000', '--deaf-on-signal'],
  },
  { name: 'chatty', count: 1, weaknesses: ['kill', 'edit'], flags: ['--stderr-every-ms=300'] },
  {
    name: 'detached',
    count: 1,
    weaknesses: ['kill'],
    flags: ['--detached-grandchild', '--grandchild-ignores-sigterm'],
  },
  {
    name: 'stubborn',
    count: 1,
    weaknesses: ['kill', 'edit'],
    flags: ['--ignore-eof', '--ignore-sigterm', '--grandchild'],
  },
];

/** Twenty servers that misbehave in ways of their own, and end by themselves after `safetyMs`. */
export function soakFleet(safetyMs: number): readonly SoakServer[] {
  return forms.flatMap(({ name: form, count, weaknesses, flags, isWrapped }) =>
    Array.from({ length: count }, (_, index): SoakServer => {
      const name = `${form}-${index + 1}`;
      const all = [...flags, `--safety-ms=${safetyMs}`];
      const command = isWrapped === true ? fixtureWrapper(...all) : fixtureServer(...all);
      const isStubborn = form === 'stubborn' || form === 'detached';
      return { name, weaknesses, isStubborn, entry: { ...command, env: { EDITION: '0' }, panel } };
    }),
  );
}
