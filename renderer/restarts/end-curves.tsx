import { useEffect, useMemo } from 'react';
import type { ServerView } from '../../shared/domain.ts';
import type { HistoryMetric, SeriesReply } from '../../shared/history.ts';
import type { RunEnd } from '../../shared/restart-story.ts';
import { figuresOf } from '../charts/chart-figures.ts';
import styles from '../charts/chart-stack.module.css';
import { CurvePlots } from '../charts/curve-plots.tsx';
import { peakOf } from '../charts/downsample.ts';
import { MARK_LANE_PX } from '../charts/time-grid.tsx';
import type { Curve } from '../charts/use-curves.ts';
import { formatSpan } from '../format/durations.ts';
import { formatClockTime } from '../format/moments.ts';
import { usePanel, useServices } from '../services.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { useTask } from '../use-task.ts';
import { curveOfSeries } from './past-curves.ts';
import { windowBefore } from './window-before.ts';

const CURVE_PX = 64;
const MAX_BUCKETS = 240;
const metricsOf = { memory: 'memoryBytes', cpu: 'cpuPercent', latency: 'rttMs' } as const satisfies Record<
  string,
  HistoryMetric
>;

interface EndCurvesProps {
  readonly server: Pick<ServerView, 'name' | 'transport'>;
  readonly end: Pick<RunEnd, 'at'>;
}

/** Memory and CPU of the minutes before an end, with the events of that time; in words where nothing is kept of it. */
export function EndCurves({ server: { name, transport }, end: { at } }: EndCurvesProps) {
  const { api, clock } = useServices();
  const window = useMemo(() => windowBefore(at, clock.getState().now), [at, clock]);
  const { status, run } = useTask<SeriesReply>();
  useEffect(() => {
    const metrics = Object.values(metricsOf);
    void run(() => api.getSeries({ servers: [name], metrics, maxBuckets: MAX_BUCKETS, ...window }));
  }, [api, name, run, window]);
  const all = usePanel((state) => state.events);
  const events = useMemo(() => all.filter(({ server: of }) => of === name || of === null), [all, name]);
  const curves = useMemo(
    () => (status?.phase === 'done' ? curvesOf(status.value, transport, window) : []),
    [status, transport, window],
  );
  if (status?.phase === 'failed')
    return <ErrorNote error={status.error} server={name} lead="Its curves could not be read" />;
  if (status?.phase !== 'done') return null;
  if (curves.length === 0) return <p className={styles.none}>No figures of the time before are kept.</p>;
  const bucketMs = status.value.stepMs;
  const before = formatSpan(at - window.from);
  return (
    <div className={styles.around}>
      <div className={styles.readouts} style={{ paddingTop: MARK_LANE_PX }}>
        {curves.map(({ figure, data }) => (
          <div key={figure.id} className={styles.readout} style={{ height: CURVE_PX }}>
            <span className={styles.title}>{figure.title}</span>
            <span className={styles.peak}>peak {figure.format(peakOf(data.rows))}</span>
          </div>
        ))}
      </div>
      <CurvePlots
        cursorName={`Time cursor before ${formatClockTime(at)}`}
        curves={curves}
        window={window}
        events={events}
        absences={status.value.absences}
        bucketMs={bucketMs}
        heightOf={() => CURVE_PX}
        describe={({ figure, data }) =>
          `${figure.title} in the ${before} before ${formatClockTime(at)}: peak ${figure.format(peakOf(data.rows))}`
        }
      />
    </div>
  );
}

function curvesOf(
  reply: SeriesReply,
  transport: ServerView['transport'],
  window: { readonly from: number; readonly to: number },
): readonly Curve[] {
  return figuresOf(transport).flatMap((figure) => {
    const metric = Object.entries(metricsOf).find(([id]) => id === figure.id)?.[1];
    return (metric && curveOfSeries(figure, metric, reply, window)) ?? [];
  });
}
