import { useMemo } from 'react';
import { useStore } from 'zustand/react';
import type { PanelEvent, ServerView } from '../../shared/domain.ts';
import { chartFigures } from '../charts/figures.ts';
import { ChartReadout } from '../charts/chart-readout.tsx';
import { ChartStack } from '../charts/chart-stack.tsx';
import { SpanBar } from '../charts/span-bar.tsx';
import { useHourOfCalls } from '../charts/use-calls.ts';
import { useOldestAt } from '../charts/use-series.ts';
import { useSpanWindow } from '../charts/use-span-window.ts';
import { useServices, useView } from '../services.ts';
import styles from './server-charts.module.css';

interface ServerChartsProps {
  readonly server: ServerView;
  readonly events: readonly PanelEvent[];
}

const noSamplesYet =
  'Nothing has been measured since the panel started. Curves appear here while it runs; earlier ones are under the longer spans.';
const runsElsewhere =
  'A remote server: its processes run elsewhere. How long it takes to answer is measured instead.';

/** Charts with a choice of the time range; the default is all data of the last hour. */
export function ServerCharts({ server, events }: ServerChartsProps) {
  const { history } = useServices();
  const wasCalled = (useHourOfCalls(server)?.buckets.length ?? 0) > 0;
  const servers = useMemo(() => [server.name], [server.name]);
  const wasMeasured = useStore(history.state, ({ versions }) => versions.has(server.name));
  const hasHistory = useOldestAt(servers) !== undefined || wasMeasured;
  const shown = useSpanWindow(servers);
  const isChosen = useView(({ span: { choice } }) => choice.kind === 'still' || choice.spanMs !== undefined);

  const isRemote = server.transport !== 'stdio';
  const noFigures = (
    <div className={styles.bare}>
      {chartFigures.slice(0, 2).map((figure) => (
        <ChartReadout key={figure.id} figure={figure} server={server.name} latest={undefined} />
      ))}
      <p>{isRemote ? runsElsewhere : noSamplesYet}</p>
    </div>
  );
  // A remote server may have calls long before its first health check.
  if (!hasHistory && !wasCalled && !isChosen) {
    return (
      <section aria-label="Charts" className={styles.charts}>
        <SpanBar {...shown} bucketMs={undefined} />
        {noFigures}
      </section>
    );
  }
  return (
    <section aria-label="Charts" className={styles.charts}>
      {isRemote && noFigures}
      <ChartStack server={server} events={events} shown={shown} />
    </section>
  );
}
