import { useMemo } from 'react';
import { SpanTable } from '../charts/span-table.tsx';
import { TimeView } from '../charts/time-view.tsx';
import { useSpanWindow } from '../charts/use-span-window.ts';
import { CompareCharts } from './compare-charts.tsx';
import { comparedMetrics } from './comparison.ts';
import { ComparedServers, ServerPicker } from './server-picker.tsx';
import { useComparison } from './use-comparison.ts';
import styles from './compare-view.module.css';

/** Up to six servers beside each other, each figure in one chart. The servers are those of the address. */
export function CompareView({ servers: named }: { readonly servers: readonly string[] }) {
  const key = named.join('\n');
  // The same servers keep the identity of their list, because each change of it asks anew.
  const servers = useMemo(() => (key === '' ? [] : key.split('\n')), [key]);
  const span = useSpanWindow(servers);
  const { reply, charts = [], slots, error, retry } = useComparison(servers, span.window);
  return (
    <TimeView
      title="Compare"
      head={
        <span className={styles.picker}>
          <ServerPicker servers={servers} />
        </span>
      }
      {...{ span, reply, error, metrics: comparedMetrics, onAgain: retry }}
      whose={servers.join(', ')}
      file="comparison"
      picture={`${servers.join(', ')}:`}
      nothing={
        servers.length === 0
          ? 'Choose up to six servers above, or select them in the list of servers, and their memory, CPU, open files and round trips are drawn on one scale.'
          : undefined
      }
      charts={({ reply, picture }) => (
        <CompareCharts charts={charts} reply={reply} slots={slots} span={span} ref={picture} />
      )}
      table={({ totals = [] }) => (
        <SpanTable
          name="Servers compared"
          totals={totals}
          metrics={charts.map(({ figure }) => figure.metric)}
          columns={['average', 'peak']}
          servers={servers}
        />
      )}
    >
      {servers.length > 0 && <ComparedServers servers={servers} slots={slots} />}
    </TimeView>
  );
}
