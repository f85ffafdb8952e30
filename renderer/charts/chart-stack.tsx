import { useViewportSize } from '@mantine/hooks';
import { useMemo, type ReactNode } from 'react';
import type { CallMinute } from '../../shared/call-figures.ts';
import type { PanelEvent, ServerView } from '../../shared/domain.ts';
import { formatCallDuration, formatCallRate, recentCallsOf } from '../format/call-figures.ts';
import { useNewestBucket, useNow } from '../services.ts';
import { Icon } from '../ui/icon.tsx';
import { absencesOf } from './absences.ts';
import { callCurvesOf, describeCalls, latestDurationsOf, type CallCurve } from './call-curves.ts';
import { CallReadout, ChartReadout } from './chart-readout.tsx';
import { figuresOf, heightIn, type FigureLook } from './chart-figures.ts';
import { CurvePlots } from './curve-plots.tsx';
import { peakOf, type TimeWindow } from './downsample.ts';
import { bucketMsFor, chartSpans } from './time-axis.ts';
import { MARK_LANE_PX } from './time-grid.tsx';
import { useLiveWindow } from './use-live-window.ts';
import { useCurves, type SampleCurve } from './use-curves.ts';
import styles from './chart-stack.module.css';

interface ChartStackProps {
  readonly server: ServerView;
  /** Events of this server and those of no server in particular, oldest first. */
  readonly events: readonly PanelEvent[];
  /** Calls of the last hour; undefined until they are known. */
  readonly calls: readonly CallMinute[] | undefined;
  /** Span of the window that moves with the time. */
  readonly spanMs: number;
  /** Window shown instead of the live one. */
  readonly zoomed: TimeWindow | undefined;
  readonly onZoom: (window: TimeWindow | undefined) => void;
  /** Content of the corner, left of the event marks. */
  readonly children: ReactNode;
}

/** Above these stand memory and CPU, or the round trip of a remote server. */
const FIGURES_ABOVE_CALLS = 2;
const NO_CALLS: readonly CallMinute[] = [];

/** The charts of one server under each other, up to now, with their latest figures beside them. */
export function ChartStack(props: ChartStackProps) {
  const { server, events, calls, spanMs, zoomed, onZoom, children } = props;
  const { name, sample, transport } = server;
  const { height: windowHeight } = useViewportSize();
  const { window: live, hold, release } = useLiveWindow(spanMs);
  const window = zoomed ?? live;
  const bucketMs = bucketMsFor(window.to - window.from);
  const tick = useNewestBucket(name, bucketMs);
  const control = useMemo(
    () => ({ hold, release, zoom: onZoom, isZoomed: zoomed !== undefined }),
    [hold, release, onZoom, zoomed],
  );
  const absences = useMemo(() => absencesOf(events), [events]);
  const figures = figuresOf(transport);
  const sampled = useCurves({ server, figures, window, bucketMs, events, absences, tick });
  const knownTo = useNow((now) => Math.min(window.to, Math.ceil(now / bucketMs) * bucketMs));
  const called = useMemo(
    () => callCurvesOf(calls ?? NO_CALLS, { from: window.from, to: knownTo }, absences),
    [calls, window, knownTo, absences],
  );
  const curves = useMemo(
    () => [...sampled.slice(0, FIGURES_ABOVE_CALLS), ...called, ...sampled.slice(FIGURES_ABOVE_CALLS)],
    [sampled, called],
  );
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
          {zoomed !== undefined && <BackToLive spanMs={spanMs} onClick={() => onZoom(undefined)} />}
        </div>
        <CurvePlots
          cursorName={`Time cursor of ${name}`}
          control={control}
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

/** Way back from a zoomed window, where the eye looks for the time. */
function BackToLive({ spanMs, onClick }: { readonly spanMs: number; readonly onClick: () => void }) {
  const span = chartSpans.find((choice) => choice.spanMs === spanMs)?.label ?? 'now';
  return (
    <button type="button" className={styles.back} data-tip="Zoomed. Double click or Esc" onClick={onClick}>
      <Icon name="back" size={12} /> Back to {span}
    </button>
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
