import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import type { PanelEvent, ServerView } from '../../shared/domain.ts';
import { ChartStack } from '../charts/chart-stack.tsx';
import { chartSpans, fittingSpanMs } from '../charts/time-axis.ts';
import { useNow, useServices } from '../store/services.ts';
import styles from './server-charts.module.css';

interface ServerChartsProps {
  readonly server: ServerView;
  readonly events: readonly PanelEvent[];
}

/** The charts and how much time they show: as much as there is, until someone chooses. */
export function ServerCharts({ server, events }: ServerChartsProps) {
  const { history } = useServices();
  const [chosenMs, setChosenMs] = useState<number>();
  const fittingMs = useNow((now) => fittingSpanMs(history.oldestAt(server.name), now));
  const spanMs = chosenMs ?? fittingMs;

  if (server.transport !== 'stdio') {
    return (
      <p className={styles.remote}>
        A remote server: its processes run elsewhere, so there is nothing to measure here.
      </p>
    );
  }
  return (
    <section aria-label="Charts" className={styles.charts}>
      <SegmentedControl
        size="xs"
        className={styles.spans ?? ''}
        aria-label="Time shown"
        value={String(spanMs)}
        onChange={(value) => setChosenMs(Number(value))}
        data={chartSpans.map((span) => ({ value: String(span.spanMs), label: span.label }))}
      />
      <ChartStack server={server.name} sample={server.sample} events={events} spanMs={spanMs} />
    </section>
  );
}
