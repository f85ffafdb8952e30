import { useViewportSize } from '@mantine/hooks';
import { useMemo, type ReactNode } from 'react';
import type { PanelEvent, Sample, ServerView } from '../../shared/domain.ts';
import { useNow } from '../services.ts';
import { absencesOf } from './absences.ts';
import { ChartReadout } from './chart-readout.tsx';
import { figuresOf, heightIn, type ChartFigure } from './chart-figures.ts';
import { CurvePlots } from './curve-plots.tsx';
import { peakOf } from './downsample.ts';
import { bucketMsFor, windowEndingAt } from './time-axis.ts';
import { MARK_LANE_PX } from './time-overlay.tsx';
import { useCurves, type Curve } from './use-curves.ts';
import styles from './chart-stack.module.css';

interface ChartStackProps {
  readonly server: ServerView;
  /** Events of this server and those of no server in particular, oldest first. */
  readonly events: readonly PanelEvent[];
  readonly spanMs: number;
  /** Content of the corner, left of the event marks. */
  readonly children: ReactNode;
}

/** Charts of one server under each other, up to now, with their latest figures beside them. */
export function ChartStack({ server, events, spanMs, children }: ChartStackProps) {
  const { name, sample, transport } = server;
  const { height: windowHeight } = useViewportSize();
  const bucketMs = bucketMsFor(spanMs);
  const to = useNow((now) => windowEndingAt(now, spanMs, bucketMs).to);
  const window = useMemo(() => ({ from: to - spanMs, to }), [to, spanMs]);
  const absences = useMemo(() => absencesOf(events), [events]);
  const curves = useCurves({ server, figures: figuresOf(transport), window, bucketMs, events, absences });
  const heightOf = (figure: ChartFigure) => heightIn(figure, windowHeight);

  return (
    <div className={styles.stack}>
      <div className={styles.readouts}>
        <div className={styles.lane} style={{ height: MARK_LANE_PX }}>
          {children}
        </div>
        {curves.map(({ figure, data }) => (
          <div key={figure.id} style={{ height: heightOf(figure) }}>
            <ChartReadout
              figure={figure}
              server={name}
              latest={sample === undefined ? undefined : figure.pick(sample)}
              curve={{ rows: data.rows, bucketMs }}
            />
          </div>
        ))}
      </div>
      <CurvePlots
        curves={curves}
        window={window}
        events={events}
        absences={absences}
        bucketMs={bucketMs}
        heightOf={heightOf}
        describe={(curve) => describeCurve(curve, sample)}
      />
    </div>
  );
}

function describeCurve({ figure, data, limits }: Curve, sample: Sample | undefined): string {
  const latest = sample === undefined ? undefined : figure.pick(sample);
  const peak = figure.format(peakOf(data.rows, latest));
  const facts = [`latest ${figure.format(latest)}`, `peak ${peak}`, limits.at(-1)?.words];
  return `${figure.title} over time: ${facts.filter((words) => words !== undefined).join(', ')}`;
}
