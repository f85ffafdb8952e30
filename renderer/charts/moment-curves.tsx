import type { PanelEvent } from '../../shared/domain.ts';
import { type Gap, peakOf, type TimeWindow } from './downsample.ts';
import { CurvePlots } from './curve-plots.tsx';
import { MARK_LANE_PX } from './time-grid.tsx';
import type { Curve } from './series.ts';

const CURVE_PX = 64;

interface MomentCurvesProps {
  readonly server: string;
  readonly curves: readonly Curve[];
  readonly window: TimeWindow;
  /** Events, oldest first. */
  readonly events: readonly PanelEvent[];
  readonly absences: readonly Gap[];
  readonly bucketMs: number;
  /** End of the cursor's accessible name, after "Time cursor": "before 12:30:05". */
  readonly when: string;
  /** Span of the curves in their accessible text, after the title: "five minutes before and after 12:30:05". */
  readonly span: string;
}

/** Low charts of the time around a moment, each with its peak, and the events of that time. */
export function MomentCurves({ curves, when, span, ...plots }: MomentCurvesProps) {
  return (
    // What is drawn around words is the ground of an open event, among whose details the curves stand.
    <div className="flex max-w-860 [--ground:var(--hover)]">
      <div className="flex-none w-128" style={{ paddingTop: MARK_LANE_PX }}>
        {curves.map((curve) => (
          <div
            key={curve.figure.id}
            className="flex flex-col pt-4 whitespace-nowrap"
            style={{ height: CURVE_PX }}
          >
            <span className="caption">{curve.figure.title}</span>
            <span className="text-12/16 text-faint">{peakWords(curve)}</span>
          </div>
        ))}
      </div>
      <CurvePlots
        {...plots}
        cursorName={`Time cursor ${when}`}
        curves={curves}
        heightOf={() => CURVE_PX}
        describe={(curve) => `${curve.figure.title} ${span}: ${peakWords(curve)}`}
      />
    </div>
  );
}

const peakWords = ({ figure, data }: Curve): string => `peak ${figure.format(peakOf(data.rows))}`;
