import type { PanelEvent } from '../../shared/domain.ts';
import type { Span } from '../../shared/history.ts';
import type { TimeWindow } from './downsample.ts';

/** Span in which nothing was measured, with the reason. */
export interface Gap extends TimeWindow {
  readonly reason: 'asleep' | 'not-running';
}

export const absenceWords: Readonly<Record<Gap['reason'], string>> = {
  asleep: 'computer asleep',
  'not-running': 'panel not running',
};

/** Returns the gaps that events report, because the machine slept or the panel did not run. Oldest first. */
export function gapsOf(events: readonly PanelEvent[]): readonly Gap[] {
  return events.flatMap(({ kind, at, detail }) => {
    if (kind !== 'system-resumed' && kind !== 'panel-started') return [];
    const lengthMs = (kind === 'system-resumed' ? detail.sleptMs : detail.absentMs) ?? 0;
    const reason = kind === 'system-resumed' ? 'asleep' : 'not-running';
    return lengthMs <= 0 ? [] : [{ from: at - lengthMs, to: at, reason }];
  });
}

/** Adds the gaps that the history knows of to those of events; a gap known from both appears once. */
export function withPastGaps(told: readonly Gap[], past: readonly Span[]): readonly Gap[] {
  if (past.length === 0) return told;
  const asleep = told.filter(({ reason }) => reason === 'asleep');
  const untold = told.filter(
    ({ from, to, reason }) =>
      reason === 'not-running' && !past.some((span) => span.from < to && span.to > from),
  );
  const known = past.map(({ from, to }) => ({ from, to, reason: 'not-running' as const }));
  return [...asleep, ...untold, ...known].sort((a, b) => a.from - b.from);
}

/** Gap at an instant; undefined if there is none. */
export const knownGapAt = (absences: readonly Gap[], at: number): Gap | undefined =>
  absences.find(({ from, to }) => from <= at && at < to);
