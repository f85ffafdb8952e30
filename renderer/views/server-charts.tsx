import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand/react';
import type { PanelEvent, ServerView } from '../../shared/domain.ts';
import { chartFigures } from '../charts/chart-figures.ts';
import { ChartReadout } from '../charts/chart-readout.tsx';
import { ChartStack } from '../charts/chart-stack.tsx';
import type { TimeWindow } from '../charts/downsample.ts';
import { chartSpans, fittingSpanMs } from '../charts/time-axis.ts';
import { Segments } from '../ui/segments.tsx';
import { useHasHistory, useHistoryFills, useNow, useServices } from '../services.ts';
import styles from './server-charts.module.css';

interface ServerChartsProps {
  readonly server: ServerView;
  readonly events: readonly PanelEvent[];
}

const spanChoices = chartSpans.map((span) => ({ value: String(span.spanMs), label: span.label }));

const noSamplesYet = 'Nothing has been measured yet. Curves appear here while it runs.';
const runsElsewhere =
  'A remote server: its processes run elsewhere. How long it takes to answer is measured instead.';

/** Charts with a choice of span: all there is, until someone chooses. */
export function ServerCharts({ server, events }: ServerChartsProps) {
  const { calls, history } = useServices();
  useEffect(() => calls.follow(server.name), [calls, server.name]);
  const callsShown = useStore(calls.state, ({ server: of, minutes }) =>
    of === server.name ? minutes : undefined,
  );
  // With every fill the oldest sample may be an older one.
  useHistoryFills(server.name);
  const hasHistory = useHasHistory(server.name);
  const [chosenMs, setChosenMs] = useState<number>();
  const [zoomed, setZoomed] = useState<TimeWindow>();
  const fittingMs = useNow((now) => fittingSpanMs(history.oldestAt(server.name), now));
  const spanMs = chosenMs ?? fittingMs;

  // The choice is made once because the charts around it render with every sample.
  const choice = useMemo(
    () => (
      <Segments
        name="Time shown"
        value={zoomed === undefined ? String(spanMs) : ''}
        choices={spanChoices}
        onChange={(value) => {
          setChosenMs(Number(value));
          setZoomed(undefined);
        }}
      />
    ),
    [spanMs, zoomed],
  );

  const isRemote = server.transport !== 'stdio';
  const noFigures = (
    <div className={styles.bare}>
      {chartFigures.slice(0, 2).map((figure) => (
        <ChartReadout key={figure.id} figure={figure} server={server.name} latest={undefined} />
      ))}
      <p>{isRemote ? runsElsewhere : noSamplesYet}</p>
    </div>
  );
  // A remote server may be called long before it is asked for a sign of life.
  if (!hasHistory && !callsShown?.length) return <section aria-label="Charts">{noFigures}</section>;
  return (
    <section aria-label="Charts" className={styles.charts}>
      {isRemote && noFigures}
      <ChartStack
        server={server}
        events={events}
        calls={callsShown}
        spanMs={spanMs}
        zoomed={zoomed}
        onZoom={setZoomed}
      >
        {choice}
      </ChartStack>
    </section>
  );
}
