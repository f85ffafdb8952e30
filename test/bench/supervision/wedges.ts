import type { LiveBench } from '../../core/supervisor/live-bench.ts';
import { fixtureServer, fixtureWrapper, waitUntil, type CommandLine } from '../../fixtures/fixture-server.ts';
import { figure, type Figure } from '../harness/figures.ts';
import { call, withLive } from './live.ts';
import { isAlive } from '../../support/proc.ts';

const THRESHOLD_MS = 3000;
const INTERVAL_MS = 600;
/** Timeout where the deadline of the call decides, and one too long to matter elsewhere. */
const CALL_TIMEOUT_MS = 7000;
/** Time that a server which computes is given. */
const ALLOWANCE_MS = 4 * THRESHOLD_MS;
const LONG_TIMEOUT_MS = 60_000;
/** Time between looks at the facts: four per interval, and one more before a conviction. */
const LOOK_MS = INTERVAL_MS / 4;
const LIMIT_MS = 60_000;

interface Evidence {
  readonly probes: readonly { readonly unansweredMs: number }[];
}

/** Runs `task` on a started server of its own and ends that, whatever it has become. */
const withServer = <T>(
  { flags = [], timeoutMs = LONG_TIMEOUT_MS }: { flags?: string[]; timeoutMs?: number },
  task: (bench: LiveBench) => Promise<T>,
): Promise<T> =>
  withLive(
    (pidFile) => fixtureServer(...flags, `--pid-file=${pidFile}`),
    {
      health: {
        probeIntervalMs: INTERVAL_MS,
        stallThresholdMs: THRESHOLD_MS,
        workAllowanceMs: ALLOWANCE_MS,
      },
      calls: { timeoutMs },
      restart: { enabled: false },
    },
    async (bench) => {
      try {
        // The server has answered its first question, so it is known to be one that answers.
        const answered = () => bench.supervisor.view().health === 'ok';
        await waitUntil(answered, { deadlineMs: LIMIT_MS, describe: 'the first answer' });
        await call(bench, 'echo', { text: 'x' });
        return await task(bench);
      } finally {
        for (const pid of bench.recorded()) if (isAlive(pid)) process.kill(pid, 'SIGCONT');
      }
    },
  );

const verdict = (bench: LiveBench) => bench.logs('stalled', LIMIT_MS);

/** Measures the time from each kind of wedge to its verdict, side by side, because all they do is wait. */
export async function measureWedges(): Promise<readonly Figure[]> {
  const figures = await Promise.all([
    withServer({}, frozenBySignal),
    withServer({ flags: ['--deaf-on-signal'] }, deafWhileIdle),
    withServer({ timeoutMs: CALL_TIMEOUT_MS }, deadlocked),
    withServer({ timeoutMs: CALL_TIMEOUT_MS }, endlessLoop),
  ]);
  return figures.flat();
}

/** Budget at the default settings: ten seconds, half a look, one more look before a conviction, and a busy machine. */
const FROZEN_BUDGET_MS = 11_000;
const launches: ReadonlyMap<string, (...flags: string[]) => CommandLine> = new Map([
  ['direct', fixtureServer],
  ['behind sh -c', (...flags) => inShell(fixtureServer(...flags))],
  ['behind npx', fixtureWrapper],
]);

function inShell({ command, args }: CommandLine): CommandLine {
  return { command: 'sh', args: ['-c', '"$0" "$@"; exit $?', command, ...args] };
}

/** Measures the time from a stop by a signal to its verdict at the default settings, in twelve servers side by side. */
export async function measureFrozen(): Promise<readonly Figure[]> {
  const tries = [...launches].flatMap(([launch, program]) =>
    ['idle', 'idle', 'in a call', 'in a call'].map((when) => ({ launch, program, when })),
  );
  return Promise.all(
    tries.map(({ launch, program, when }, index) =>
      withLive(
        (pidFile) => program(`--pid-file=${pidFile}`),
        { health: { onStall: 'notify' } },
        async (bench) => {
          await call(bench, 'echo', { text: 'x' });
          // Over all phases of the looks, which come once a second.
          await new Promise((resolve) => setTimeout(resolve, 2000 + index * 83));
          if (when === 'in a call') call(bench, 'work', { steps: 'sleep:60000' }).catch(() => undefined);
          await new Promise((resolve) => setTimeout(resolve, 100));
          const [pid] = bench.recorded('server');
          const sinceMs = performance.now();
          process.kill(pid!, 'SIGSTOP');
          const measured = (await verdict(bench)).atMs - sinceMs;
          process.kill(pid!, 'SIGCONT');
          return figure(
            `frozen ${launch}, ${when} (${index + 1}) → verdict`,
            'ms',
            measured,
            FROZEN_BUDGET_MS,
          );
        },
      ),
    ),
  );
}

async function frozenBySignal(bench: LiveBench): Promise<readonly Figure[]> {
  const sinceMs = performance.now();
  process.kill(bench.supervisor.view().pid!, 'SIGSTOP');
  const measured = (await verdict(bench)).atMs - sinceMs;
  return [figure('frozen by a signal → verdict', 'ms', measured, Math.min(10_000, THRESHOLD_MS) + 2000)];
}

async function deafWhileIdle(bench: LiveBench): Promise<readonly Figure[]> {
  process.kill(bench.supervisor.view().pid!, 'SIGUSR2');
  const { probes } = (await verdict(bench)).detail['evidence'] as Evidence;
  const measured = Math.max(...probes.map(({ unansweredMs }) => unansweredMs));
  return [figure('deaf while idle → verdict, from the probe', 'ms', measured, 2 * THRESHOLD_MS + 1000)];
}

async function deadlocked(bench: LiveBench): Promise<readonly Figure[]> {
  const sinceMs = performance.now();
  const freed = call(bench, 'deadlock').then(
    () => Number.NaN,
    () => performance.now() - sinceMs,
  );
  const measured = (await verdict(bench)).atMs - sinceMs;
  const budget = CALL_TIMEOUT_MS + 2 * THRESHOLD_MS + INTERVAL_MS + 2 * LOOK_MS;
  return [
    figure('deaf in a call → verdict', 'ms', measured, budget),
    figure('its caller freed', 'ms', await freed, CALL_TIMEOUT_MS + 1000),
  ];
}

async function endlessLoop(bench: LiveBench): Promise<readonly Figure[]> {
  const sinceMs = performance.now();
  call(bench, 'work', { steps: `spin:${LIMIT_MS}` }).catch(() => undefined);
  const measured = (await verdict(bench)).atMs - sinceMs;
  const budget = CALL_TIMEOUT_MS + ALLOWANCE_MS + INTERVAL_MS + 2 * LOOK_MS;
  return [figure('in an endless loop in a call → verdict', 'ms', measured, budget)];
}
