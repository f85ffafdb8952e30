import { type AnchorHTMLAttributes, useMemo, useState } from 'react';
import type { HistoryMetric, SpanTotal } from '../../shared/history.ts';
import { usePanel } from '../services.ts';
import { serverHref } from '../store/route-store.ts';
import { Icon } from '../ui/icon.tsx';
import { figures } from './figures.ts';
import styles from './span-table.module.css';

/** Columns of the usage table, keyed by the property of `SpanUse` that they show. `meaning` explains the column. */
export const spanColumns = {
  average: {
    title: 'Average',
    meaning:
      'Over the time in which the panel ran; a stopped server counts as 0. The averages of the servers add up to that of all servers',
  },
  whileRunning: { title: 'While running', meaning: 'Over the time in which the server ran' },
  peak: {
    title: 'Peak',
    meaning:
      'Highest sample; for all servers: the highest sample of one server plus the average use of the others at that time',
  },
  share: { title: 'Share', meaning: 'Share of what all servers used over the time shown' },
} as const;
type SpanColumn = keyof typeof spanColumns;

interface Sorting {
  readonly metric: HistoryMetric;
  readonly of: SpanColumn;
}

interface SpanTableProps {
  /** Accessible name of the table. */
  readonly name: string;
  readonly totals: readonly SpanTotal[];
  readonly metrics: readonly HistoryMetric[];
  readonly columns: readonly SpanColumn[];
  /** Names of the servers in their initial order; undefined: every server with any measurement. */
  readonly servers?: readonly string[];
  readonly sortedBy?: Sorting;
  /** True if the last row is the sum over all servers. */
  readonly hasSum?: boolean;
}

/** Table of servers with their averages, peaks and shares over a time span, sorted by the chosen column, largest value first. */
export function SpanTable({
  name,
  totals,
  metrics,
  columns,
  sortedBy,
  hasSum = false,
  servers,
}: SpanTableProps) {
  const [sorted, setSorted] = useState(sortedBy);
  const uses = useMemo(
    () => new Map(metrics.map((metric) => [metric, usesOf(totals, metric)])),
    [totals, metrics],
  );
  const ofServer = (server: string, metric: HistoryMetric): SpanUse =>
    uses.get(metric)?.servers.find((use) => use.server === server) ?? noUse(server);
  const heads = metrics.flatMap((metric) => columns.map((column) => ({ metric, of: column })));
  const cellsOf = (of: (metric: HistoryMetric) => SpanUse) =>
    heads.map((head) => <td key={`${head.metric} ${head.of}`}>{wordsOf(of(head.metric), head)}</td>);
  const known = servers ?? [...new Set(totals.flatMap(({ server }) => server ?? []))].toSorted();
  const keyOf = (server: string) => (sorted && ofServer(server, sorted.metric)[sorted.of]) ?? -1;
  const rows = known.toSorted((a, b) => keyOf(b) - keyOf(a));
  return (
    <div className={`${styles.scroll} min-h-0 flex-1 overflow-auto`}>
      <table className={styles.table} aria-label={name}>
        <thead>
          <tr>
            <th scope="col">Server</th>
            {heads.map((head) => (
              <SortedHeader
                key={`${head.metric} ${head.of}`}
                head={head}
                isSorted={sorted?.metric === head.metric && sorted.of === head.of}
                onSort={setSorted}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((server) => (
            <tr key={server}>
              <th scope="row">
                <UsedServer server={server} />
              </th>
              {cellsOf((metric) => ofServer(server, metric))}
            </tr>
          ))}
        </tbody>
        {hasSum && (
          <tfoot>
            <tr>
              <th scope="row">All servers</th>
              {cellsOf((metric) => uses.get(metric)?.total ?? noUse(undefined))}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}

interface SortedHeaderProps {
  readonly head: Sorting;
  readonly isSorted: boolean;
  readonly onSort: (head: Sorting) => void;
}

function SortedHeader({ head, isSorted, onSort }: SortedHeaderProps) {
  const { title, meaning } = spanColumns[head.of];
  return (
    <th scope="col" aria-sort={isSorted ? 'descending' : 'none'}>
      <button type="button" data-tip={meaning} onClick={() => onSort(head)}>
        {isSorted && <Icon name="down" size={12} />}
        {figures[head.metric].title} {title.toLowerCase()}
      </button>
    </th>
  );
}

const wordsOf = (use: SpanUse, { metric, of }: Sorting): string =>
  of === 'share' ? formatShare(use.share) : figures[metric].short(use[of]);

/** Formats a share in whole percent; a share above zero is never shown as zero. */
export const formatShare = (share: number): string =>
  share > 0 && share < 0.01 ? '< 1 %' : `${Math.round(share * 100)} %`;

interface UsedServerProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly server: string;
}

/** Link to a server that used resources; a server that was removed since then is marked as removed. */
export function UsedServer({ server, ...link }: UsedServerProps) {
  const isRemoved = usePanel(({ servers }) => !servers.has(server));
  return (
    <a href={serverHref(server)} {...link}>
      {server}
      {isRemoved && <span className="text-dim"> removed</span>}
    </a>
  );
}

/** Usage of one metric over a time span, by one server or by several servers together. */
export interface SpanUse {
  /** Name of the server; undefined for several servers together. */
  readonly server: string | undefined;
  /** Mean over the time in which the panel ran, in the figure's unit; undefined if nothing was measured. */
  readonly average?: number | undefined;
  /** Mean over the time in which the server ran; undefined for several servers together. */
  readonly whileRunning?: number | undefined;
  /**
   * Highest sample. For all servers together, the highest sample of one server plus the average usage of the others at that
   * time. Undefined for any other group of servers.
   */
  readonly peak?: number | undefined;
  /** Share of the use of all servers over the whole span, from 0 to 1. */
  readonly share: number;
}

export interface SpanUses {
  /** Usage of each server that has any measurement, largest share first. */
  readonly servers: readonly SpanUse[];
  readonly total: SpanUse;
}

/** Returns the usage of one metric, for each server and for all servers together, from the totals of all metrics. */
export function usesOf(totals: readonly SpanTotal[], metric: HistoryMetric): SpanUses {
  const own = totals.filter((total) => total.metric === metric);
  const all = own.find(({ server }) => server === null)?.average ?? 0;
  const uses = own.map(({ server, average, whileRunning, peak }): SpanUse => {
    const share = all > 0 ? average / all : 0;
    return { server: server ?? undefined, average, whileRunning, peak, share };
  });
  return {
    servers: uses
      .filter(({ server }) => server !== undefined)
      .toSorted((a, b) => b.share - a.share || (a.server! < b.server! ? -1 : 1)),
    total: uses.find(({ server }) => server === undefined) ?? noUse(undefined),
  };
}

/** Returns the usage entry for a server that was not measured. */
export const noUse = (server: string | undefined): SpanUse => ({ server, share: 0 });
