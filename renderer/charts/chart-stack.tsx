import { useViewportSize } from '@mantine/hooks';
import { useMemo, type ReactNode } from 'react';
import type { CallMinute } from '../../shared/call-figures.ts';
import type { PanelEvent, ServerView } from '../../shared/domain.ts';
import { formatCallDuration, formatCallRate, recentCallsOf } from '../format/call-figures.ts';
import { useNow } from '../services.ts';
import { absencesOf } from './absences.ts';
import { callCurvesOf, describeCalls, latestDurationsOf, type CallCurve } from './call-curves.ts';
import { CallReadout, ChartReadout } from './chart-readout.tsx';
import { figuresOf, heightIn, type FigureLook } from './chart-figures.ts';
import { CurvePlots } from './curve-plots.tsx';
import { peakOf } from './downsample.ts';
import { bucketMsFor, windowEndingAt } from './time-axis.ts';
import { MARK_LANE_PX } from './time-overlay.tsx';
import { useCurves, type SampleCurve } from './use-curves.ts';
import styles from './chart-stack.module.css';

interface ChartStackProps {
  readonly server: ServerView;
  /** Of this server and of all, oldest first. */
  readonly events: readonly PanelEvent[];
  /** Calls of the last hour; undefined until they are known. */
  readonly calls: readonly CallMinute[] | undefined;
  readonly spanMs: number;
  /** What stands in the corner, left of the event marks. */
  readonly children: ReactNode;
}

/** Above these stand memory and CPU, or the round trip of a remote server. */
const FIGURES_ABOVE_CALLS = 2;
const NO_CALLS: readonly CallMinute[] = [];

/** The charts of one server under each other, up to now, with their latest figures beside them. */
export function ChartStack({ server, events, calls, spanMs, children }: ChartStackProps) {
  const { name, sample, transport } = server;
  const { height: windowHeight } = useViewportSize();
  const bucketMs = bucketMsFor(spanMs);
  const to = useNow((now) => windowEndingAt(now, spanMs, bucketMs).to);
  const window = useMemo(() => ({ from: to - spanMs, to }), [to, spanMs]);
  const absences = useMemo(() => absencesOf(events), [events]);
  const sampled = useCurves({ server, figures: figuresOf(transport), window, bucketMs, events, absences });
  const called = useMemo(() => callCurvesOf(calls ?? NO_CALLS, window, absences), [calls, window, absences]);
  const curves = [...sampled.slice(0, FIGURES_ABOVE_CALLS), ...called, ...sampled.slice(FIGURES_ABOVE_CALLS)];
  const heightOf = (figure: FigureLook) => heightIn(figure, windowHeight);
  const latestOf = (curve: CallCurve) => latestCalls(curve, server, calls ?? NO_CALLS);

  return (
    <>
      <div className={styles.stack}>
        <div className={styles.readouts}>
          <div className={styles.lane} style={{ height: MARK_LANE_PX }}>
            {children}
          </div>
          {curves.map((curve) => (
            <div key={curve.figure.id} style={{ height: heightOf(curve.figure) }}>
              {isOfCalls(curve) ? (
                <CallReadout curve={curve} server={name} latest={latestOf(curve)} />
              ) : (
                <ChartReadout
                  figure={curve.figure}
                  server={name}
                  latest={sample === undefined ? undefined : curve.figure.pick(sample)}
                  curve={{ rows: curve.data.rows, bucketMs }}
                />
              )}
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
          describe={(curve) =>
            isOfCalls(curve)
              ? describeCalls(curve, latestOf(curve), recentCallsOf(server)?.calls)
              : describeCurve(curve, server)
          }
        />
      </div>
      {calls !== undefined && called.length === 0 && <p className={styles.note}>{noCallsWords(calls)}</p>}
    </>
  );
}

const isOfCalls = (curve: SampleCurve | CallCurve): curve is CallCurve => 'told' in curve;

const noCallsWords = (calls: readonly CallMinute[]): string =>
  calls.length === 0
    ? 'No calls in this hour. How many there are, and how long they take, is drawn here.'
    : 'No calls in the time shown.';

/** Of the last minute; a duration of the last minute that had one, since an old one says more than none. */
function latestCalls({ figure }: CallCurve, server: ServerView, calls: readonly CallMinute[]): string {
  return figure.id === 'calls'
    ? formatCallRate(recentCallsOf(server)?.calls)
    : `p50 ${formatCallDuration(latestDurationsOf(calls)?.p50Ms)}`;
}

function describeCurve({ figure, data, limits }: SampleCurve, { sample }: ServerView): string {
  const latest = sample === undefined ? undefined : figure.pick(sample);
  const peak = figure.format(peakOf(data.rows, latest));
  const facts = [`latest ${figure.format(latest)}`, `peak ${peak}`, limits.at(-1)?.words];
  return `${figure.title} over time: ${facts.filter((words) => words !== undefined).join(', ')}`;
}
