import { useMemo, type ReactNode } from 'react';
import { formatSpan } from '../../shared/durations.ts';
import { formatSpanOfTime } from '../format/moments.ts';
import { useNow } from '../services.ts';
import { canStep, liveSpans } from '../store/span-choice.ts';
import { Icon } from '../ui/icon.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Segments } from '../ui/segments.tsx';
import { GoTo } from './go-to.tsx';
import type { SpanWindow } from './use-span-window.ts';
import styles from './span-bar.module.css';

interface SpanBarProps extends SpanWindow {
  /** Time in ms that a point stands for; undefined if each point is one sample. */
  readonly bucketMs: number | undefined;
  /** Further buttons, for example to save the charts. */
  readonly children?: ReactNode;
}

const choices = liveSpans.map(({ spanMs, label }) => ({ value: String(spanMs), label }));

/** Choice of the time span that the charts show, with buttons to scroll and zoom. */
export function SpanBar({ window, liveMs, backMs, control, bucketMs, children }: SpanBarProps) {
  const mayGoLater = useNow((now) => canStep(window, 'later', now));
  const mayGoEarlier = useNow((now) => canStep(window, 'earlier', now));
  const { followTime } = control;
  // The element is memoized because the surrounding charts render with every sample.
  const segments = useMemo(
    () => (
      <Segments
        name="Time shown"
        value={liveMs === undefined ? '' : String(liveMs)}
        choices={choices}
        onChange={(value) => followTime(Number(value))}
      />
    ),
    [liveMs, followTime],
  );
  return (
    // Escape in the bar acts on the charts, because it reverts the effect of the bar's buttons.
    <div className={styles.bar} data-charts="Time shown">
      {segments}
      <div className={styles.steps}>
        <IconButton
          icon="back"
          name="Earlier"
          tip="Earlier  ["
          disabled={!mayGoEarlier}
          onClick={() => control.step('earlier')}
        />
        <IconButton
          icon="more"
          name="Later"
          tip="Later  ]"
          disabled={liveMs !== undefined || !mayGoLater}
          onClick={() => control.step('later')}
        />
        <IconButton icon="zoomOut" name="Zoom out" tip="Zoom out  −" onClick={control.zoomOut} />
      </div>
      <GoTo />
      {liveMs === undefined && (
        <>
          <BackToLive spanMs={backMs} onClick={() => followTime()} />
          <span className={styles.span}>{formatSpanOfTime(window)}</span>
        </>
      )}
      <span className={styles.rest}>
        {bucketMs !== undefined && (
          <span
            className={styles.points}
            data-tip="Each point of a curve is an average; the band around it reaches from the least to the most"
          >
            {formatSpan(bucketMs)} per point
          </span>
        )}
        {children}
      </span>
    </div>
  );
}

interface BackToLiveProps {
  readonly spanMs: number;
  readonly onClick: () => void;
}

/** Button that returns from a fixed time window to a live one. */
function BackToLive({ spanMs, onClick }: BackToLiveProps) {
  const span = liveSpans.find((choice) => choice.spanMs === spanMs)?.label ?? 'now';
  return (
    <button
      type="button"
      className={styles.back}
      data-tip="Follow the time again. Double click"
      onClick={onClick}
    >
      <Icon name="back" size={12} /> Back to {span}
    </button>
  );
}
