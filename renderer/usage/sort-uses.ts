import type { SpanUsage, Use } from './span-usage.ts';
import { usageMetrics, type UsageMetric } from './usage-metrics.ts';

/** Column of the table that it is sorted by. */
export interface UseColumn {
  readonly metric: UsageMetric;
  readonly of: 'average' | 'whileRunning' | 'peak' | 'share';
}

export interface UseRow {
  readonly server: string;
  /** Absent where nothing of the kind was measured. */
  readonly uses: Readonly<Record<UsageMetric, Use | undefined>>;
}

/** Rows of all servers that have any figure, the largest first; those without one come last, by name. */
export function sortUses(
  of: Readonly<Record<UsageMetric, SpanUsage>>,
  { metric, of: column }: UseColumn,
): readonly UseRow[] {
  const byServer = {
    memoryBytes: new Map(of.memoryBytes.servers.map((use) => [use.server, use])),
    cpuPercent: new Map(of.cpuPercent.servers.map((use) => [use.server, use])),
  };
  const names = new Set(usageMetrics.flatMap((one) => of[one].servers.map(({ server }) => server!)));
  const keyOf = ({ uses }: UseRow): number => uses[metric]?.[column] ?? -1;
  return [...names]
    .map((server) => ({
      server,
      uses: { memoryBytes: byServer.memoryBytes.get(server), cpuPercent: byServer.cpuPercent.get(server) },
    }))
    .toSorted((a, b) => keyOf(b) - keyOf(a) || (a.server < b.server ? -1 : 1));
}
