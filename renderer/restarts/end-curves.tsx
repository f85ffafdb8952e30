import { useMemo } from 'react';
import type { ServerView } from '../../shared/domain.ts';
import styles from '../charts/chart-stack.module.css';
import { CurvePlots } from '../charts/curve-plots.tsx';
import { peakOf } from '../charts/downsample.ts';
import { MARK_LANE_PX } from '../charts/time-grid.tsx';
import { formatSpan } from '../format/durations.ts';
import { formatClockTime } from '../format/moments.ts';
import { usePanel } from '../services.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { curvesBefore } from './curves-before.ts';
import type { TimeBefore } from './use-time-before.ts';

const CURVE_PX = 64;

interface EndCurvesProps {
  readonly server: Pick<ServerView, 'name' | 'transport'>;
  readonly at: number;
  readonly before: TimeBefore;
}

/** Memory and CPU of the minutes before an end, with the events of that time; in words where nothing is kept of it. */
export function EndCurves({ server: { name, transport }, at, before: { window, status } }: EndCurvesProps) {
  const all = usePanel((state) => state.events);
  const events = useMemo(() => all.filter(({ server: of }) => of === name || of === null), [all, name]);
  const curves = useMemo(
    () => (status?.phase === 'done' ? curvesBefore(status.value, { name, transport }, window, at) : []),
    [status, name, transport, window, at],
  );
  if (status?.phase === 'failed')
    return <ErrorNote error={status.error} server={name} lead="Its curves could not be read" />;
  if (status?.phase !== 'done') return null;
  if (curves.length === 0) return <p className={styles.none}>No figures of the time before are kept.</p>;
  const bucketMs = status.value.stepMs;
  const span = formatSpan(at - window.from);
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
        absences={status.value.absences.map((span) => ({ ...span, reason: 'not-running' }))}
        bucketMs={bucketMs}
        heightOf={() => CURVE_PX}
        describe={({ figure, data }) =>
          `${figure.title} in the ${span} before ${formatClockTime(at)}: peak ${figure.format(peakOf(data.rows))}`
        }
      />
    </div>
  );
}
