import type { CallMinute } from '../../../shared/call-figures.ts';
import type { CallSeriesReply } from '../../../shared/history.ts';
import { MINUTE_MS } from '../../../shared/units.ts';

/** Minutes with calls as the history answers them. */
export const callsOfMinutes = (minutes: readonly CallMinute[], from = 0): CallSeriesReply => ({
  ...{ from, to: Infinity, stepMs: MINUTE_MS },
  buckets: minutes.map(({ at, durations, ...minute }) => ({
    ...{ ...minute, index: (at - from) / MINUTE_MS },
    ...durations,
  })),
});
