import { serverHref } from '../store/route-store.ts';
import type { CompareChart } from './comparison.ts';
import { averageMeaning, peakMeaning } from '../usage/usage-metrics.ts';
import styles from '../usage/usage-table.module.css';

interface CompareTableProps {
  readonly charts: readonly CompareChart[];
  readonly servers: readonly string[];
}

const meanings = { average: averageMeaning, peak: peakMeaning };

/** Average and peak of each figure by server. */
export function CompareTable({ charts, servers }: CompareTableProps) {
  return (
    <div className={styles.scroll}>
      <table className={styles.table} aria-label="Servers compared">
        <thead>
          <tr>
            <th scope="col">Server</th>
            {charts.flatMap(({ figure: { metric, title } }) =>
              (['average', 'peak'] as const).map((what) => (
                <th key={`${metric} ${what}`} scope="col" data-tip={meanings[what]}>
                  {title} {what}
                </th>
              )),
            )}
          </tr>
        </thead>
        <tbody>
          {servers.map((server, index) => (
            <tr key={server}>
              <th scope="row">
                <a href={serverHref(server)}>{server}</a>
              </th>
              {charts.flatMap(({ figure, lines }) => [
                <td key={`${figure.metric} average`}>{figure.short(lines[index]?.average)}</td>,
                <td key={`${figure.metric} peak`}>{figure.short(lines[index]?.peak)}</td>,
              ])}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
