import { useMemo } from 'react';
import type { PanelEvent } from '../../shared/domain.ts';
import type { LimitsInForce, SeriesQuery } from '../../shared/history.ts';
import { useServices } from '../services.ts';
import type { TimeWindow } from './downsample.ts';
import { limitsChangedAt } from './limit-spans.ts';
import { usePast } from './use-past.ts';

/** The beginning of the question moves on in such steps, so that a window that moves does not ask anew at each of its own. */
const STEP_MS = 15 * 60_000;
const NONE: readonly LimitsInForce[] = [];

/**
 * Limits that the history kept of the time before their last change, where a window reaches back behind that: the present
 * ones tell nothing of it, and events only where one was breached.
 * @param events of the server and of all, oldest first
 * @param isWanted whether curves are drawn of samples that are here: with those of the history come their limits
 */
export function useKeptLimits(
  server: string,
  events: readonly PanelEvent[],
  window: TimeWindow,
  isWanted: boolean,
): readonly LimitsInForce[] {
  const { past } = useServices();
  const changedAt = useMemo(() => limitsChangedAt(events, server) ?? 0, [events, server]);
  const from = Math.max(0, Math.floor(window.from / STEP_MS) * STEP_MS);
  const to = Math.min(changedAt, Math.ceil(window.to / STEP_MS) * STEP_MS);
  const isAsked = isWanted && changedAt > window.from;
  const query = useMemo(
    (): SeriesQuery | undefined =>
      isAsked ? { from, to, servers: [server], metrics: ['memoryBytes'], maxBuckets: 1000 } : undefined,
    [isAsked, from, to, server],
  );
  const { reply } = usePast(past.series, query, `limits of ${server}`);
  return useMemo(() => reply?.limits.filter((limits) => limits.server === server) ?? NONE, [reply, server]);
}
