import { setTimeout as sleep } from 'node:timers/promises';
import { fixtureServer } from '../../fixtures/fixture-server.ts';
import { figure, type Figure } from '../harness/figures.ts';
import { call, withLive } from './live.ts';

const THRESHOLD_MS = 2000;
const INTERVAL_MS = 400;
const WATCHED_MS = 10 * THRESHOLD_MS;

/**
 * Healthy servers that a simple check takes for hung, each with the call that it is busy with all the time,
 * if any.
 */
const SERVERS: readonly (readonly [flags: string[], tool?: string])[] = [
  [[]],
  [['--ignore-ping']],
  [['--ping-error=-32601']],
  [['--ignore-ping', '--ignore-tools-list']],
  [['--ignore-ping', '--ignore-tools-list', '--heartbeat-logs-ms=200']],
  [['--spin-cpu']],
  [['--notification-flood-per-s=200']],
  [[], 'sleep'],
  [[], 'block'],
];

/**
 * Counts verdicts, and anything else that ended or doubted a run, over ten thresholds of servers that are
 * well.
 */
export async function measureFalseVerdicts(): Promise<readonly Figure[]> {
  const counts = await Promise.all(SERVERS.map(([flags, tool]) => watch(flags, tool)));
  const total = counts.reduce((sum, count) => sum + count, 0);
  return [
    figure(`false verdicts on ${SERVERS.length} healthy servers over ten thresholds`, 'count', total, 0),
  ];
}

const watch = (flags: readonly string[], tool: string | undefined): Promise<number> =>
  withLive(
    (pidFile) => fixtureServer(...flags, `--pid-file=${pidFile}`),
    { health: { probeIntervalMs: INTERVAL_MS, stallThresholdMs: THRESHOLD_MS } },
    async (bench) => {
      await call(bench, 'echo', { text: 'x' });
      if (tool === undefined) await sleep(WATCHED_MS);
      else await call(bench, tool, { ms: WATCHED_MS });
      await call(bench, 'echo', { text: 'x' });
      const kinds = ['suspect', 'stalled', 'crashed', 'restarted', 'limit-breached'];
      return bench.events.filter((event) => kinds.includes(event.kind)).length;
    },
  );
