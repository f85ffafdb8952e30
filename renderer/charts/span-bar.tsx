import { NativeSelect } from '@mantine/core';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { MomentButton } from '../commands/moment-menu.tsx';
import { formatSpan } from '../../shared/durations.ts';
import { formatDate, formatInstant, formatSpanOfTime } from '../format/moments.ts';
import { useNow, useServices, useView } from '../services.ts';
import { canStep, comparedTimes, liveSpans, zoomAround } from '../store/span-choice.ts';
import { Icon } from '../ui/icon.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { isWithin } from './chart-cursor.ts';
import type { TimeWindow } from './downsample.ts';
import type { SpanWindow } from './use-span-window.ts';

interface SpanBarProps extends SpanWindow {
  /** Time in ms that a point represents; undefined if each point is one sample. */
  readonly bucketMs: number | undefined;
  /** Whether the charts can draw another time behind the one shown. */
  readonly canCompare?: boolean;
  /** Server that the charts show; undefined if they show several. */
  readonly server?: string;
  /** Further buttons, for example to save the charts. */
  readonly children?: ReactNode;
}

const choices = liveSpans.map(({ spanMs, label }) => ({ value: String(spanMs), label }));

/** Lets the user choose the time span that the charts show, with buttons to scroll and zoom. */
export function SpanBar({ canCompare = false, bucketMs, server, children, ...shown }: SpanBarProps) {
  const { window, liveMs, backMs, since, control } = shown;
  useKept(liveMs);
  return (
    // `data-charts` makes Escape act on the charts while the focus is in the bar, because Escape undoes what the bar's buttons
    // do.
    <div className="flex flex-wrap items-center gap-x-8 gap-y-4 px-16 pb-4" data-charts="Time shown">
      <Steps {...shown} />
      <GoTo />
      {canCompare && <CompareField />}
      {since !== undefined && (
        <span className="whitespace-nowrap text-12 text-dim" data-tip="There is no data for the time before">
          since {formatDate(since)}
        </span>
      )}
      {liveMs === undefined && <BackToLive spanMs={backMs} onClick={() => control.followTime()} />}
      {/* Actions are at the right, separate from the choice of what the charts show. */}
      <span className="flex items-center gap-8 ml-auto">
        {bucketMs !== undefined && (
          <span
            className="whitespace-nowrap text-12 text-dim"
            data-tip="Each point of a curve is an average; the band around it reaches from the least to the most"
          >
            {formatSpan(bucketMs)} per point
          </span>
        )}
        <PinnedMoment window={window} server={server} />
        {children}
      </span>
    </div>
  );
}

/** Lets the user choose the length of the time span, between the buttons for the time before and after. */
function Steps({ window, liveMs, control }: SpanWindow) {
  const mayGoLater = useNow((now) => canStep(window, 'later', now));
  const recordedSince = useView((state) => state.kept?.oldestAt);
  const mayGoEarlier = useNow((now) => canStep(window, 'earlier', now, recordedSince));
  const { followTime } = control;
  const stillWords = liveMs === undefined ? formatSpanOfTime(window) : undefined;
  // The element is memoized because the charts around it are rendered with every sample.
  const choice = useMemo(
    () => (
      <NativeSelect
        size="xs"
        w={stillWords === undefined ? 80 : 190}
        aria-label="Time shown"
        value={liveMs === undefined ? '' : String(liveMs)}
        data={stillWords === undefined ? choices : [{ value: '', label: stillWords }, ...choices]}
        onChange={({ currentTarget }) => followTime(Number(currentTarget.value))}
      />
    ),
    [liveMs, stillWords, followTime],
  );
  return (
    <div className="flex items-center gap-4">
      <IconButton
        icon="back"
        name="Earlier"
        tip="Earlier  [   half of it with Alt"
        disabled={!mayGoEarlier}
        onClick={({ altKey }) => control.step('earlier', altKey ? 0.5 : 1)}
      />
      {choice}
      <IconButton
        icon="more"
        name="Later"
        tip="Later  ]   half of it with Alt"
        disabled={liveMs !== undefined || !mayGoLater}
        onClick={({ altKey }) => control.step('later', altKey ? 0.5 : 1)}
      />
      <IconButton icon="zoomOut" name="Zoom out" tip="Zoom out  −" onClick={control.zoomOut} />
    </div>
  );
}

interface PinnedMomentProps {
  readonly window: TimeWindow;
  readonly server: string | undefined;
}

/** Button with the menu for the moment that the user pinned, shown if that moment is within the time window. */
function PinnedMoment({ window, server }: PinnedMomentProps) {
  const at = useView((state) => state.pinnedAt);
  if (at === undefined || !isWithin(at, window)) return null;
  const label = formatInstant(at, window.to - window.from);
  return <MomentButton at={at} label={label} {...(server !== undefined && { server })} />;
}

/** Asks the main process if the history is stored, and since when, each time the length of the live time span changes. */
function useKept(liveMs: number | undefined): void {
  const { api, view } = useServices();
  useEffect(() => {
    api.getHistoryState().then(
      (kept) => view.setState({ kept }),
      () => undefined,
    );
  }, [api, view, liveMs]);
}

const comparedLabels = {
  none: 'Compare with…',
  before: 'Compare: before',
  week: 'Compare: last week',
} as const;

/** Lets the user choose the time that the charts draw behind the one shown. */
function CompareField() {
  const { view } = useServices();
  const compared = useView((state) => state.compared);
  return (
    <NativeSelect
      size="xs"
      w={compared === 'none' ? 136 : 168}
      aria-label="Compare with"
      data-tip="A thin line for the time of the same length before, or for the same time a week earlier"
      value={compared}
      data={comparedTimes.map((value) => ({ value, label: comparedLabels[value] }))}
      onChange={({ currentTarget: { value } }) => {
        const chosen = comparedTimes.find((one) => one === value);
        if (chosen !== undefined) view.setState({ compared: chosen });
      }}
    />
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
      className="flex items-center gap-4 h-24 pr-8 rounded-sm font-medium text-text whitespace-nowrap hover:bg-hover"
      data-tip="Follow the time again. Double click"
      onClick={onClick}
    >
      <Icon name="back" size={12} /> Back to {span}
    </button>
  );
}

const HINT = 'Such as 03:10, yesterday 14:00 or 22 Nov 3pm, in the time of this machine  G';

/**
 * Input for a moment to go to. The moment is pinned (marked with a fixed cursor), and the charts show half an hour on either
 * side of it. The key G moves the focus to the input.
 */
function GoTo() {
  const { clock, view } = useServices();
  const field = useRef<HTMLInputElement>(null);
  const [words, setWords] = useState('');
  const [isUnknown, setUnknown] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target, key } = event;
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
      const isTyping =
        target instanceof Element && target.matches('input, textarea, select, [contenteditable]');
      if (key.toLowerCase() !== 'g' || !isPlain || isTyping || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      field.current?.focus();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  const go = async () => {
    // The library that parses dates supports many formats, so it is loaded only when the user enters a date.
    const { parseMoment } = await import('../format/parse-moment.ts');
    const { now } = clock.getState();
    const at = parseMoment(words.trim(), now);
    setUnknown(at === undefined);
    if (at === undefined) return;
    view.setState(({ span }) => ({
      span: zoomAround(span, at, now),
      pinnedAt: at,
    }));
    setWords('');
  };
  return (
    <input
      ref={field}
      className="field w-88 border-line focus:w-150"
      aria-label="Go to a time"
      placeholder="Go to…"
      data-tip={HINT}
      aria-invalid={isUnknown}
      spellCheck={false}
      value={words}
      onChange={({ currentTarget }) => {
        setWords(currentTarget.value);
        setUnknown(false);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') void go();
        if (event.key === 'Escape') event.currentTarget.blur();
        if (event.key === 'Enter' || event.key === 'Escape') event.stopPropagation();
      }}
    />
  );
}
