import { figures } from '../charts/figures.ts';
import { useMemo, useState } from 'react';
import { Icon } from '../ui/icon.tsx';
import { noUse, type SpanUsage, type Use } from './span-usage.ts';
import {
  averageMeaning,
  formatShare,
  peakMeaning,
  runningMeaning,
  usageMetrics,
  type UsageMetric,
} from './usage-metrics.ts';
import type { WindowUsage } from './use-span-usage.ts';
import { UsedServer } from './used-server.tsx';
import styles from './usage-table.module.css';

const columns = [
  { of: 'average', title: 'Average', meaning: averageMeaning },
  { of: 'whileRunning', title: 'While running', meaning: runningMeaning },
  { of: 'peak', title: 'Peak', meaning: peakMeaning },
  { of: 'share', title: 'Share', meaning: 'Of what all servers used over the time shown' },
] as const;

/** Every server with what it used over the span, the largest first by the column that was chosen. */
export function UsageTable({ usage: { of } }: { readonly usage: WindowUsage }) {
  const [sorted, setSorted] = useState<UseColumn>({ metric: 'memoryBytes', of: 'share' });
  const rows = useMemo(() => sortUses(of, sorted), [of, sorted]);
  return (
    <div className={styles.scroll}>
      <table className={styles.table} aria-label="Usage by server">
        <thead>
          <tr>
            <th scope="col">Server</th>
            {usageMetrics.flatMap((metric) =>
              columns.map((column) => (
                <SortedHeader
                  key={`${metric} ${column.of}`}
                  metric={metric}
                  column={column}
                  isSorted={sorted.metric === metric && sorted.of === column.of}
                  onSort={setSorted}
                />
              )),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ server, uses }) => (
            <tr key={server}>
              <th scope="row">
                <UsedServer server={server} />
              </th>
              {usageMetrics.map((metric) => (
                <Figures key={metric} metric={metric} use={uses[metric] ?? noUse(server)} />
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">All servers</th>
            {usageMetrics.map((metric) => (
              <Figures key={metric} metric={metric} use={of[metric].total} />
            ))}
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

const Figures = ({ metric, use }: { readonly metric: UsageMetric; readonly use: Use }) => {
  const { short: format } = figures[metric];
  return (
    <>
      <td>{format(use.average)}</td>
      <td>{format(use.whileRunning)}</td>
      <td>{format(use.peak)}</td>
      <td>{formatShare(use.share)}</td>
    </>
  );
};

interface SortedHeaderProps {
  readonly metric: UsageMetric;
  readonly column: (typeof columns)[number];
  readonly isSorted: boolean;
  readonly onSort: (column: UseColumn) => void;
}

function SortedHeader({ metric, column, isSorted, onSort }: SortedHeaderProps) {
  return (
    <th scope="col" aria-sort={isSorted ? 'descending' : 'none'}>
      <button type="button" data-tip={column.meaning} onClick={() => onSort({ metric, of: column.of })}>
        {isSorted && <Icon name="down" size={12} />}
        {figures[metric].title} {column.title.toLowerCase()}
      </button>
    </th>
  );
}

/** Column of the table that it is sorted by. */
interface UseColumn {
  readonly metric: UsageMetric;
  readonly of: 'average' | 'whileRunning' | 'peak' | 'share';
}

interface UseRow {
  readonly server: string;
  /** Absent where nothing of the kind was measured. */
  readonly uses: Readonly<Record<UsageMetric, Use | undefined>>;
}

/** Rows of all servers that have any figure, the largest first; those without one come last, by name. */
function sortUses(
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
