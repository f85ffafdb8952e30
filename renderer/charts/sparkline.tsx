import { memo, useContext, useMemo } from 'react';
import { useHistoryFills, useNow, useServices } from '../services.ts';
import { ListScaleContext, scaledFigureOf, type ScaledFigure } from './list-scale.ts';
import { sparkDelayMs, sparkShape, SPARK_SPAN_MS, SPARK_STEP_MS } from './sparkline-path.ts';

interface SparklineProps {
  readonly server: string;
  readonly figure: ScaledFigure;
}

const colours = { memory: 'text-memory', cpu: 'text-cpu' };
const WIDTH = 96;
const HEIGHT = 18;

/**
 * Miniature curve of the last five minutes, or of less time shortly after the start. In a list, all sparklines share one scale,
 * so that they are comparable. Because there may be hundreds on screen, they are plain paths that are redrawn every five
 * seconds, at different times.
 */
export const Sparkline = memo(function Sparkline({ server, figure }: SparklineProps) {
  const { history } = useServices();
  const delayMs = sparkDelayMs(server);
  const endAt = useNow((now) => Math.floor((now - delayMs) / SPARK_STEP_MS) * SPARK_STEP_MS);
  const fills = useHistoryFills(server);
  const scale = useContext(ListScaleContext);
  const commonTop = scale?.top[figure] ?? 0;
  const spanMs = scale?.spanMs ?? SPARK_SPAN_MS;
  const shape = useMemo(() => {
    const { metric, ...look } = scaledFigureOf[figure];
    const leastTop = Math.max(look.leastTop, commonTop);
    // `history` is changed in place, so `fills`, which changes when history is added, is listed as a dependency to recompute
    // the shape.
    void fills;
    const samples = history.since(server, endAt - spanMs);
    return sparkShape(samples, metric, endAt, { width: WIDTH, height: HEIGHT, leastTop, spanMs });
  }, [history, server, figure, endAt, fills, commonTop, spanMs]);

  return (
    <svg
      className={`block flex-none w-[var(--spark-width,64px)] h-18 overflow-visible ${colours[figure]}`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {shape !== undefined && (
        <>
          <path d={shape.area} fill="currentColor" opacity="0.12" />
          <path
            d={shape.line}
            fill="none"
            stroke="currentColor"
            strokeWidth="1.2"
            strokeLinecap="round"
            strokeLinejoin="round"
            vectorEffect="non-scaling-stroke"
          />
        </>
      )}
    </svg>
  );
});
