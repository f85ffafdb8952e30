import { useMemo, useState } from 'react';
import { Icon } from '../ui/icon.tsx';
import { noUse, sortUses, type UseColumn } from './sort-uses.ts';
import { Figures } from './usage-list.tsx';
import { metricLooks, usageMetrics, type UsageMetric } from './usage-metrics.ts';
import type { WindowUsage } from './use-span-usage.ts';
import { UsedServer } from './used-server.tsx';
import styles from './usage-table.module.css';

const columns = [
  { of: 'average', title: 'Average' },
  { of: 'peak', title: 'Peak' },
  { of: 'share', title: 'Share' },
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
                <Figures
                  key={metric}
                  use={uses[metric] ?? noUse(server)}
                  format={metricLooks[metric].format}
                />
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">All servers</th>
            {usageMetrics.map((metric) => (
              <Figures key={metric} use={of[metric].total} format={metricLooks[metric].format} />
            ))}
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

interface SortedHeaderProps {
  readonly metric: UsageMetric;
  readonly column: (typeof columns)[number];
  readonly isSorted: boolean;
  readonly onSort: (column: UseColumn) => void;
}

function SortedHeader({ metric, column, isSorted, onSort }: SortedHeaderProps) {
  return (
    <th scope="col" aria-sort={isSorted ? 'descending' : 'none'}>
      <button type="button" onClick={() => onSort({ metric, of: column.of })}>
        {isSorted && <Icon name="down" size={12} />}
        {metricLooks[metric].title} {column.title.toLowerCase()}
      </button>
    </th>
  );
}
